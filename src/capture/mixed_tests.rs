//! Tests of captures that several tools wrote: values over several lines, blocks of text, and lines of
//! another kind behind them. What is whole is a record wherever it stands.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

use super::joined_tests::{cri, docker, event};
use super::tests::{Seen, agreed};
use super::*;
use crate::model::{ReasonId, reason};
use proptest::prelude::*;

const CONFIG: &str = "{\n  \"config\": 1\n}\n";

/// First line and reason of each record.
fn lines(seen: &[Seen]) -> Vec<(u64, Option<ReasonId>)> {
    let seen = seen.iter();
    seen.map(|(_, line, reason)| (*line, *reason)).collect()
}

/// An event over several lines.
fn pretty(id: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(&event(id)).unwrap();
    serde_json::to_string_pretty(&value).unwrap() + "\n"
}

fn displayed(id: &str) -> String {
    format!(
        "☁️  cloudevents.Event\nContext Attributes,\n  specversion: 1.0\n  type: t\n  source: urn:x\n  \
         id: {id}\n  datacontenttype: application/json\nData,\n  {{\n    \"a\": 1\n  }}\n"
    )
}

fn nats(id: &str) -> String {
    format!("[#1] Received on \"orders\"\n{}\n\n", event(id))
}

#[test]
fn lines_behind_a_value_are_records() {
    let not_an_event = Some(reason::NOT_A_DELIVERY);
    for write in [
        (|text: &str| cri(text, "stdout", 'F')) as fn(&str) -> String,
        |text| format!("2026-03-02T09:00:00.1Z {text}\n"),
        |text| format!("CreateTime:1\tPartition:0\tOffset:0\tNO_HEADERS\to\t{text}\n"),
        |text| format!("INFO received {text}\n"),
        |text| format!("[pod/orders-1/orders] {text}\n"),
        |text| format!("[2026-03-02 09:00:00] INFO {text}\r\n"),
        |text| format!("1772442000.123 INFO {text}\n"),
        |text| docker(&format!("{text}\n"), "stdout"),
    ] {
        let text: String = ["a", "b", "c", "d"].map(|id| write(&event(id))).concat();
        let (seen, _, facts) = agreed(format!("{CONFIG}{text}{CONFIG}").as_bytes());
        assert_eq!(facts.framing, Some(Framing::Concatenated));
        assert_eq!(
            lines(&seen),
            [
                (1, not_an_event),
                (4, None),
                (5, None),
                (6, None),
                (7, None),
                (8, not_an_event)
            ],
            "{text}"
        );
        let all = format!("{}{text}{}{text}", pretty("e"), pretty("f"));
        let (seen, ..) = agreed(all.as_bytes());
        assert_eq!(seen.len(), 10, "{all}");
        assert!(seen.iter().all(|(.., reason)| reason.is_none()), "{all}");
        // A damaged value takes none of them either, nor does what is left of it.
        for damaged in [
            "{\n  \"a\": 1,\n",
            "{\n  \"a\": \"1\n",
            "{\n  \"a\": [\n",
            "{\n  \"a\":\n}\n",
            "{\n  \"a\": {\n  },\n",
            "{\n  \"a\": 1\n}\n}\n",
        ] {
            let (seen, ..) = agreed(format!("{}{damaged}{text}", pretty("e")).as_bytes());
            let tail = seen.len().checked_sub(4).unwrap();
            assert!(
                seen[tail..].iter().all(|(.., reason)| reason.is_none()),
                "{damaged}{text}: {seen:?}"
            );
            assert!(tail <= 3, "{seen:?}");
        }
    }
}

#[test]
fn other_lines_behind_a_value_take_nothing() {
    let info = |id: &str| format!("INFO received {}\nINFO ok\n  at x\n\"a\": 1\n", event(id));
    let text = format!("{CONFIG}{}{}", info("a"), info("b"));
    let (seen, ..) = agreed(text.as_bytes());
    let broken = Some(reason::MALFORMED_JSON);
    assert_eq!(
        lines(&seen)[1..],
        [
            (4, None),
            (5, broken),
            (6, broken),
            (7, broken),
            (8, None),
            (9, broken),
            (10, broken),
            (11, broken)
        ]
    );
}

#[test]
fn a_damaged_value_is_one_record_up_to_the_next() {
    // What its lines look like is no reason to cut it: a line end inside a string, a number alone.
    let damaged = "{\n  \"a\": \"x\ny\n  z\",\n  \"b\": [\n1,\n2\n  ]\n";
    let text = format!("{}{damaged}{}", pretty("a"), pretty("b"));
    let (seen, ..) = agreed(text.as_bytes());
    let broken = Some(reason::MALFORMED_JSON);
    assert_eq!(lines(&seen), [(1, None), (7, broken), (15, None)]);
    // The end of a value at the capture's head.
    let text = format!("st-1\",\n  \"a\": 1\n}}\n{}", pretty("b"));
    let (seen, ..) = agreed(text.as_bytes());
    assert_eq!(lines(&seen), [(1, broken), (4, None)]);
}

#[test]
fn blocks_behind_a_value_are_records() {
    for write in [
        displayed as fn(&str) -> String,
        nats,
        |id| format!("----- got message -----\n{}\n", event(id)),
        |id| {
            format!(
                "POST / HTTP/1.1\nce-id: {id}\nce-source: x\nce-type: t\nce-specversion: 1.0\n\n{{\n}}\n"
            )
        },
        |id| format!("ce-id: {id}\nce-source: x\nce-type: t\nce-specversion: 1.0\n\n{{\n}}\n"),
    ] {
        let text = ["a", "b", "c"].map(write).concat();
        let all = format!("{}{text}{}{text}", pretty("d"), pretty("e"));
        let (seen, ..) = agreed(all.as_bytes());
        assert_eq!(seen.len(), 8, "{all}: {seen:?}");
        assert!(seen.iter().all(|(.., reason)| reason.is_none()), "{all}");
        // A file without a last line end was put before.
        let all = format!("{}{text}", pretty("d").trim_end());
        let (seen, ..) = agreed(all.as_bytes());
        assert_eq!(seen.len(), 4, "{all}: {seen:?}");
        assert!(seen.iter().all(|(.., reason)| reason.is_none()), "{all}");
    }
}

/// A line that was cut: pieces of both streams, some lines whole.
fn cut(write: impl Fn(&str, &str, bool) -> String) -> String {
    let (a, b, c) = (event("a"), event("b"), event("c"));
    [
        write(&a[..20], "stdout", false),
        write(&c, "stderr", true),
        write(&b[..10], "stderr", false),
        write(&a[20..30], "stdout", false),
        "\n".to_owned(),
        write(&a[30..], "stdout", true),
        write(&b[10..], "stderr", true),
    ]
    .concat()
}

#[test]
fn cut_lines_are_joined_behind_values_and_blocks() {
    let drivers = [
        cut(|text, stream, is_last| cri(text, stream, if is_last { 'F' } else { 'P' })),
        cut(|text, stream, is_last| {
            docker(
                &format!("{text}{}", if is_last { "\n" } else { "" }),
                stream,
            )
        }),
    ];
    for text in drivers {
        for (head, ends) in [
            (pretty("d"), 6),
            (pretty("d") + &pretty("e"), 12),
            (displayed("d"), 11),
            (nats("d"), 3),
        ] {
            let all = format!("{head}{text}{text}{head}");
            let (seen, tally, _) = agreed(all.as_bytes());
            let heads = head.matches("\"d\"").count().max(1) + head.matches("\"e\"").count();
            assert!(
                seen.iter().all(|(.., reason)| reason.is_none()),
                "{all}: {seen:?}"
            );
            let places: Vec<_> = seen.iter().map(|(_, line, _)| *line).collect();
            let cut = [1, 2, 3, 8, 9, 10].map(|line| ends + line);
            assert_eq!(places[heads..heads + 6], cut, "{all}");
            assert_eq!(places[heads + 6], ends + 15);
            assert_eq!(seen.len(), 2 * heads + 6);
            assert_eq!(tally.lines, all.matches('\n').count() as u64);
        }
        // The last piece is missing: a record, and none of the next ones is taken.
        let lines: Vec<_> = text.lines().collect();
        let all = format!("{CONFIG}{}\n{}", lines[0], pretty("d"));
        let (seen, ..) = agreed(all.as_bytes());
        assert_eq!(seen.len(), 3);
        assert_eq!(seen[1].2, Some(reason::PAYLOAD_TRUNCATED));
        assert_eq!(seen[2].2, None);
    }
}

#[test]
fn pieces_beyond_the_limit_leave_their_neighbours_alone() {
    let piece = cri(&format!("\"{}", "x".repeat(600)), "stdout", 'P');
    let all = format!(
        "{}{}{}{}",
        pretty("a"),
        piece.repeat(20),
        cri(&event("b"), "stderr", 'F'),
        pretty("c")
    );
    let (seen, ..) = agreed(all.as_bytes());
    let found = |id: &str| {
        let id = format!("\"{id}\"");
        let mut seen = seen.iter();
        seen.any(|(text, _, reason)| reason.is_none() && text.contains(&id))
    };
    assert!(found("a") && found("b") && found("c"), "{seen:?}");
}

#[test]
fn blocks_whose_lines_a_log_keeps_are_joined_behind_a_value() {
    let wrapped = |id: &str| {
        let text = displayed(id);
        let lines = text.lines().map(|line| cri(line, "stdout", 'F'));
        lines.collect::<String>()
    };
    let all = format!("{}{}{}", pretty("a"), wrapped("b"), wrapped("c"));
    let (seen, ..) = agreed(all.as_bytes());
    assert_eq!(lines(&seen), [(1, None), (7, None), (18, None)]);
}

/// Whatever one of the tools may write, whole and damaged.
fn part() -> impl Strategy<Value = String> {
    let text = prop::sample::select(vec!["{\"a\":", "1}", "{}", "x", "", "[1]"]);
    let stream = prop::sample::select(vec!["stdout", "stderr"]);
    prop_oneof![
        2 => Just(pretty("a")),
        1 => Just(pretty("a").trim_end().to_owned()),
        1 => (0..60usize).prop_map(|at| pretty("a")[..at].to_owned()),
        1 => (0..60usize).prop_map(|at| pretty("a")[at..].to_owned()),
        2 => Just(displayed("a")),
        1 => Just(nats("a")),
        1 => Just(displayed("a").lines().map(|line| cri(line, "stdout", 'F')).collect()),
        4 => (text.clone(), stream.clone(), any::<bool>()).prop_map(|(text, stream, is_last)| {
            docker(&format!("{text}{}", if is_last { "\n" } else { "" }), stream)
        }),
        4 => (text, stream, prop::sample::select(vec!['P', 'F']))
            .prop_map(|(text, stream, tag)| cri(text, stream, tag)),
        3 => prop::sample::select(vec![
            "INFO {\"a\":1}\n", "INFO\n", "\"pod\": \"a\", {}\n", "[main] INFO {}\n", "[1]\n", "[{},\n{}]\n",
            "ce-id: 1\n", "ce-type: t\n", "k: v\n", "\n", "\r\n", "}\n", "5 null\n", "5 x\n", "% Reached end\n",
            "HTTP/1.1 200 OK\n", "----- got message -----\n", "\u{feff}", "  ", ",\n", "{\n", "{ x\n", "{\"a\": \"\n",
        ]).prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn where_chunks_end_changes_nothing(parts in prop::collection::vec(part(), 1..24)) {
        for head in [CONFIG.to_owned(), nats("b")] {
            let capture = head + &parts.concat();
            let (seen, tally, _) = agreed(capture.as_bytes());
            let begins: Vec<u64> = seen.iter().map(|(_, line, _)| *line).collect();
            prop_assert!(begins.is_sorted(), "places never go back");
            prop_assert_eq!(tally.lines, capture.matches('\n').count() as u64);
        }
    }

    #[test]
    fn whole_records_survive_whatever_is_around_them(parts in prop::collection::vec(part(), 0..12)) {
        // Where a text that has no end of its own is a block's message, what follows may be its.
        let begins_text = |part: &&String| {
            let marks = ["ce-", "HTTP/", "-----"];
            !marks.iter().any(|mark| part.starts_with(mark))
        };
        let parts: Vec<_> = parts.iter().filter(begins_text).cloned().collect();
        // A line without its end would be one with the next.
        let capture = format!("{CONFIG}{}\n{}", parts.concat(), cri(&event("last"), "stdout", 'F'));
        let (seen, ..) = agreed(capture.as_bytes());
        let (text, _, reason) = seen.last().unwrap();
        prop_assert!(text.contains("\"last\""));
        prop_assert_eq!(*reason, None, "{}", capture);
    }
}
