//! What is looked for in blocks is what each record has by itself.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::io::Cursor;

use super::*;
use crate::capture::Input;
use crate::capture::tape::{Doc, NodeKind};
use crate::capture::{json, tape};
use crate::engine::BaselinePolicy;

pub(crate) fn run_over(capture: &str) -> &'static Run {
    let bytes = Cursor::new(capture.to_owned().into_bytes());
    let input = Input::stream("test", Box::new(bytes)).unwrap();
    let loaded = crate::contract::load(None, None).unwrap();
    let run = Box::leak(Box::new(Run::new(input, loaded, BaselinePolicy::None)));
    run.load(2);
    run
}

/// Record by record, by the reader that decides.
fn plainly(needle: &str, record: &str) -> bool {
    let folds = !needle.bytes().any(|byte| byte.is_ascii_uppercase());
    let fold = |text: &str| {
        if folds {
            text.to_ascii_lowercase()
        } else {
            text.to_owned()
        }
    };
    let mut nodes: Vec<tape::Node> = Vec::new();
    json::read(record, json::MAX_DEPTH, &mut nodes).unwrap();
    let doc = Doc::new(record, &nodes);
    let mut strings = nodes.iter().filter(|node| node.kind == NodeKind::String);
    fold(record).contains(needle) || strings.any(|node| fold(&doc.decoded(node)).contains(needle))
}

fn swept(run: &'static Run, needle: &str) -> Vec<bool> {
    let last = run.history().last_record().0;
    let records: Vec<RecordNo> = (1..=last).map(RecordNo).collect();
    let needle = Needle::new(needle);
    let look = |sweeper: &mut Sweeper, _, places: &[Option<Place>]| {
        let mut all = Vec::new();
        sweeper.sweep(places, |block| {
            assert_eq!(block.first, all.len());
            all.extend(needle.mark(block));
        });
        all
    };
    in_parts(run, &records, look, |_: &Vec<bool>| false).concat()
}

#[test]
fn a_block_has_what_its_records_have() {
    let spellings = [
        r#"{"a":"Bo \u201cBobby\u201d Sample"}"#,
        r#"{"a":"say \"hi\" twice \\","b":"\\\" hi"}"#,
        r#"{"ANNA":"Анна","b":"\u0041nna"}"#,
        r#"{"aaab":"aaa\naab"}"#,
        r#"{"a":"\ud83d\ude00","\u0061nna":1}"#,
        r#"{"a":[1,2,{"x":"}{\"x\":\"y"}]}"#,
        "17",
    ];
    let records: Vec<String> = (0..4_000)
        .map(|number| {
            let spelling = spellings[number % spellings.len()];
            // Blank lines, and gaps that are not worth reading along.
            let gap = if number % 500 == 3 {
                20_000
            } else {
                number % 3
            };
            format!("{spelling}\n{}", "\n".repeat(gap))
        })
        .collect();
    let run = run_over(&records.concat());
    assert_eq!(run.history().last_record().0, 4_000);
    let needles = [
        "a",
        "aa",
        "aab",
        "\n",
        "anna",
        "Anna",
        "ANNA",
        "\"",
        "\\",
        "“bobby”",
        "hi\" tw",
        "\" hi",
        "😀",
        "}\n{",
        "{\"x\":\"y",
        "x\":",
        "u201c",
        "17",
        "nowhere",
        "é",
    ];
    for needle in needles {
        let found = swept(run, needle);
        for (number, found) in found.iter().enumerate() {
            let record = spellings[number % spellings.len()];
            assert_eq!(*found, plainly(needle, record), "{needle:?} in {record}");
        }
        assert_eq!(found.len(), 4_000);
    }
}

#[test]
fn what_is_no_json_is_looked_through_too() {
    let run = run_over("{\"a\":\"b\\\n\\\\ \" x\\\n\"\\u006eope\n{\"a\":1}\n");
    for needle in ["x", "nope", "b\\", "\\\\ "] {
        assert!(swept(run, needle).iter().any(|found| *found), "{needle}");
    }
    assert!(!swept(run, "absent").iter().any(|found| *found));
}
