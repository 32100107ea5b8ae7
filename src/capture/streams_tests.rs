//! Tests of blocks of text whose lines stand in a log: the same records as bare, wherever chunks end.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

use super::tests::{LIMIT, Seen, agreed};
use super::*;
use crate::model::reason;
use proptest::prelude::*;

const HEAD: &str =
    "☁️  cloudevents.Event\nContext Attributes,\n  specversion: 1.0\n  source: urn:x\n  type: t\n";
const DATA: &str = "Data,\n  {\n    \"a\": [\n      1\n    ]\n  }\n";
const BARE: &str = r#"{"specversion":"1.0","id":"bare","source":"urn:x","type":"t"}"#;

fn block(id: &str) -> String {
    format!("{HEAD}  id: {id}\n  datacontenttype: application/json\n{DATA}")
}

type Wrap = fn(&str, &str) -> String;

/// A line of a stream in each wrapper.
const WRAPS: [(&str, Wrap); 10] = [
    ("cri", |stream, text| {
        let stream = if stream == "a" { "stdout" } else { "stderr" };
        format!("2026-03-02T09:00:11.1Z {stream} F {text}")
    }),
    ("docker", |stream, text| {
        let stream = if stream == "a" { "stdout" } else { "stderr" };
        format!(
            r#"{{"log":{},"stream":"{stream}","time":"2026-03-02T09:00:11Z"}}"#,
            quoted(&format!("{text}\n"))
        )
    }),
    ("prefix", |stream, text| {
        format!("[pod/web-{stream}/web] {text}")
    }),
    ("prefix and time", |stream, text| {
        format!("[pod/web-{stream}/web] 2026-03-02T09:00:11.1Z {text}")
    }),
    ("stern", |stream, text| format!("web-1{stream} web {text}")),
    ("stern in colours", |stream, text| {
        format!("\u{1b}[32mshop\u{1b}[0m web-1{stream} \u{1b}[1mweb\u{1b}[0m {text}")
    }),
    ("stern -o json", |stream, text| {
        format!(
            r#"{{"message":{},"nodeName":"n","namespace":"shop","podName":"web-{stream}","containerName":"c"}}"#,
            quoted(text)
        )
    }),
    ("compose -t", |stream, text| {
        format!("web-{stream}  | 2026-03-02T09:00:11Z {text}")
    }),
    ("logcli -o jsonl", |stream, text| {
        format!(
            r#"{{"labels":{{"pod":"{stream}"}},"line":{},"timestamp":"2026-03-02T09:00:11Z"}}"#,
            quoted(text)
        )
    }),
    ("cri in logcli", |stream, text| {
        format!(
            r#"{{"labels":{{"pod":"{stream}"}},"line":{},"timestamp":"2026-03-02T09:00:11Z"}}"#,
            quoted(&format!("2026-03-02T09:00:11Z stdout F {text}"))
        )
    }),
];

fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace('\n', "\\n"))
}

fn wrapped(wrap: Wrap, stream: &str, text: &str) -> String {
    let lines = text.lines().map(|line| wrap(stream, line) + "\n");
    lines.collect()
}

/// First line, last line and reason of each record.
fn spans(seen: &[Seen]) -> Vec<(u64, u64, Option<crate::model::ReasonId>)> {
    let lines = |text: &str| text.matches('\n').count() as u64;
    seen.iter()
        .map(|(text, line, reason)| (*line, line + lines(text), *reason))
        .collect()
}

#[test]
fn a_block_is_one_record_in_every_wrapper() {
    let text = format!("listening\n{}\n{}{BARE}\n", block("1"), block("2"));
    for (name, wrap) in WRAPS {
        let (seen, tally, facts) = agreed(wrapped(wrap, "a", &text).as_bytes());
        assert_eq!(facts.framing, Some(Framing::Lines), "{name}");
        assert_eq!(
            spans(&seen),
            [
                (1, 1, Some(reason::MALFORMED_JSON)),
                (2, 14, None),
                (16, 28, None),
                (29, 29, None)
            ],
            "{name}"
        );
        assert_eq!((tally.lines, tally.noise_lines), (29, 0), "{name}");
    }
}

#[test]
fn blocks_of_two_streams_interleave() {
    let (first, second) = (block("1"), block("2"));
    for (name, wrap) in WRAPS {
        let mut capture = String::new();
        let pairs = first.lines().zip(second.lines());
        for (number, (one, other)) in pairs.enumerate() {
            capture += &(wrap("a", one) + "\n");
            // A line of a third stream is a record by itself.
            if number == 4 && !matches!(name, "cri" | "docker") {
                capture += &(wrap("c", BARE) + "\n");
            }
            capture += &(wrap("b", other) + "\n");
        }
        let (seen, ..) = agreed(capture.as_bytes());
        let wanted = if matches!(name, "cri" | "docker") {
            vec![(1, 25, None), (2, 26, None)]
        } else {
            vec![(1, 26, None), (2, 27, None), (10, 10, None)]
        };
        assert_eq!(spans(&seen), wanted, "{name}");
    }
}

#[test]
fn a_damaged_block_takes_nothing_from_its_neighbours() {
    let (broken, truncated) = (
        Some(reason::MALFORMED_JSON),
        Some(reason::PAYLOAD_TRUNCATED),
    );
    let cut = "Data,\n  {\n    \"a\": \n";
    let text = format!(
        "{}{HEAD}  id: 2\n{cut}{BARE}\nmore of it\n{}{HEAD}  id: 4\nstray one\nstray two\n{}☁️  cloudevents.Event\n{}",
        block("1"),
        block("3"),
        block("5"),
        block("6"),
    );
    for (name, wrap) in WRAPS {
        let (seen, ..) = agreed(wrapped(wrap, "a", &text).as_bytes());
        let found: Vec<_> = spans(&seen);
        let wanted = [
            (1, 13, None),
            (14, 22, truncated),
            (23, 23, None),
            (24, 24, broken),
            (25, 37, None),
            (38, 43, None),
            (44, 44, broken),
            (45, 45, broken),
            (46, 58, None),
            (59, 59, broken),
            (60, 72, None),
        ];
        assert_eq!(found, wanted, "{name}");
    }
}

#[test]
fn a_line_that_a_runtime_cut_is_one_of_the_block() {
    let long = "é".repeat(40);
    let text = format!("{HEAD}  id: 1\nData,\n  {{\n    \"a\": \"{long}\"\n  }}\n");
    let line = format!("    \"a\": \"{long}\"");
    let (one, two) = line.as_bytes().split_at(19);
    assert!(std::str::from_utf8(one).is_err());
    let at = "2026-03-02T09:00:11.1Z stdout";
    let cri: Vec<u8> = text
        .lines()
        .flat_map(|text| {
            if text == line {
                let (first, second) = (format!("{at} P "), format!("\n{at} F "));
                [first.as_bytes(), one, second.as_bytes(), two, b"\n"].concat()
            } else {
                format!("{at} F {text}\n").into_bytes()
            }
        })
        .collect();
    let (seen, ..) = agreed(&cri);
    assert_eq!(spans(&seen), [(1, 11, None)]);
}

#[test]
fn a_line_without_a_wrapper_is_a_record() {
    let broken = Some(reason::MALFORMED_JSON);
    let truncated = Some(reason::PAYLOAD_TRUNCATED);
    let text = block("1");
    for (name, wrap) in WRAPS {
        let mut lines: Vec<String> = text.lines().map(|line| wrap("a", line)).collect();
        lines.insert(10, "the pod is gone".to_owned());
        let (seen, ..) = agreed((lines.join("\n") + "\n" + &wrapped(wrap, "a", &text)).as_bytes());
        let found = spans(&seen);
        if matches!(name, "cri" | "docker") {
            // A line of the block may be lost in it.
            assert_eq!(found[..2], [(1, 10, truncated), (11, 11, broken)], "{name}");
            assert_eq!(found.len(), 6, "{name}");
        } else {
            assert_eq!(found[..2], [(1, 14, None), (11, 11, broken)], "{name}");
            assert_eq!(found.len(), 3, "{name}");
        }
        assert_eq!(found.last(), Some(&(15, 27, None)), "{name}");
    }
}

#[test]
fn a_block_of_an_idle_pod_holds_up_no_other() {
    let (_, wrap) = WRAPS[2];
    let idle = format!("{HEAD}  id: idle\n  datacontenttype: text/plain\nData,\n  some text\n");
    let mut capture = wrapped(wrap, "a", &idle);
    for number in 0..4_000 {
        capture += &wrapped(wrap, "b", &block(&number.to_string()));
    }
    capture += &wrapped(wrap, "a", "late\n");
    let (file, input) = file_with_text(&capture);
    let mut framer = Framer::with_sizes(&input, 1 << 16, MAX_RECORD_BYTES);
    let mut longest = 0;
    let mut records = 0;
    let contract = include_str!("../../samples/contracts/consistency.json");
    let contract = crate::contract::Contract::from_bytes(contract.as_bytes()).unwrap();
    let mut scratch = crate::capture::Scratch::new(&contract);
    while let Some(chunk) = framer.next_chunk().unwrap() {
        longest = longest.max(chunk.bytes().len());
        let arena = bumpalo::Bump::new();
        records += chunk
            .each(&contract, &mut scratch, &arena, |_, _| ())
            .records;
    }
    drop(file);
    assert_eq!(records, 4_002);
    assert!(longest < 1 << 19, "{longest}");
}

fn file_with_text(text: &str) -> (tempfile::NamedTempFile, Input) {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let input = Input::open(file.path()).unwrap();
    (file, input)
}

#[test]
fn a_log_without_a_title_in_its_head_is_read_as_before() {
    let (_, wrap) = WRAPS[0];
    let before = wrapped(wrap, "a", "listening\n").repeat(HEAD_BYTES / 30);
    assert!(before.len() > HEAD_BYTES);
    let (file, input) = file_with_text(&(before.clone() + &wrapped(wrap, "a", &block("1"))));
    let contract = include_str!("../../samples/contracts/consistency.json");
    let contract = crate::contract::Contract::from_bytes(contract.as_bytes()).unwrap();
    let mut scratch = crate::capture::Scratch::new(&contract);
    let mut framer = Framer::new(&input);
    let mut records = 0;
    while let Some(chunk) = framer.next_chunk().unwrap() {
        let arena = bumpalo::Bump::new();
        records += chunk
            .each(&contract, &mut scratch, &arena, |_, _| ())
            .records;
    }
    drop(file);
    assert_eq!(records, before.lines().count() as u64 + 13);
}

/// Lines of blocks and of what may stand beside them.
fn line() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "☁️  cloudevents.Event",
        "☁️  cloudevents.Event",
        "Validation: valid",
        "Context Attributes,",
        "Context Attributes,",
        "  id: 1",
        "  datacontenttype: text/plain",
        "  datacontenttype: application/json",
        "Extensions,",
        "Data,",
        "Data,",
        "Data (binary),",
        "  {",
        "    \"a\": 1",
        "    \"b\": 2,",
        "  }",
        "  }",
        "  [",
        "  ]",
        "  \"x\"",
        "plain text",
        "more: text",
        BARE,
        "% Reached end of topic t [0] at offset 1",
        "",
        "",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// What a block is does not depend on what its lines stand in. Whatever stands beside one is a record
    /// by itself, line by line: nobody's tool printed noise into a wrapper, nor a value over several lines.
    #[test]
    fn blocks_in_a_log_are_those_that_they_are_bare(lines in prop::collection::vec(line(), 0..40)) {
        let lines: Vec<_> = std::iter::once("☁️  cloudevents.Event").chain(lines).collect();
        let bare = lines.join("\n") + "\n";
        let (seen, ..) = agreed(bare.as_bytes());
        let begins = |text: &str| crate::capture::logged::is_title(text.lines().next().unwrap().as_bytes());
        let blocks: Vec<_> = seen.into_iter().filter(|(text, ..)| begins(text)).collect();
        let mut wanted: Vec<_> = spans(&blocks);
        let of_blocks = wanted.clone();
        let is_lone = |number| !of_blocks.iter().any(|(from, to, _)| (*from..=*to).contains(&number));
        let lone = lines.iter().zip(1u64..).filter(|(line, number)| !line.is_empty() && is_lone(*number));
        wanted.extend(lone.map(|(line, number)| (number, number, (*line != BARE).then_some(reason::MALFORMED_JSON))));
        wanted.sort_unstable_by_key(|(first, ..)| *first);
        // Some wrappers are not taken off what is no value.
        let readable = |spans: Vec<(u64, u64, Option<_>)>| -> Vec<_> {
            spans.into_iter().map(|(from, to, why)| (from, to, why.is_none())).collect()
        };
        let wanted = readable(wanted);
        for (name, wrap) in [WRAPS[0], WRAPS[1], WRAPS[2]] {
            let (seen, ..) = agreed(wrapped(wrap, "a", &bare).as_bytes());
            let found = readable(spans(&seen));
            prop_assert_eq!(&found, &wanted, "{}", name);
        }
    }

    /// Whatever stands between the lines of blocks, and in pieces: the records are the same wherever
    /// chunks end.
    #[test]
    fn anything_in_a_log_of_blocks_reads_alike_wherever_chunks_end(
        lines in prop::collection::vec((0..10usize, line()), 0..60),
    ) {
        let (_, prefix) = WRAPS[2];
        let (_, docker) = WRAPS[1];
        let at = "2026-03-02T09:00:11.1Z";
        let written = lines.iter().map(|(kind, text)| match kind {
            0 => format!("{at} stdout F {text}\n"),
            1 => format!("{at} stderr F {text}\n"),
            2 => format!("{at} stdout P {text}\n"),
            3 => format!("{at} {text}\n"),
            4 => docker("a", text) + "\n",
            5 => docker("a", text).replace("\\n\",", "\",") + "\n",
            6 => prefix("a", text) + "\n",
            7 => prefix("b", text) + "\r\n",
            8 => format!("{text}\n"),
            _ => "{\n".to_owned(),
        });
        let title = wrapped(prefix, "a", "Context Attributes,\n");
        let capture = title + &written.collect::<String>();
        let (seen, tally, _) = agreed(capture.as_bytes());
        prop_assert_eq!(tally.records, seen.len() as u64);
        prop_assert!(seen.is_sorted_by_key(|(_, line, _)| *line));
    }

    /// Lines of two streams read as each of them would alone.
    #[test]
    fn streams_do_not_touch_each_other(
        lines in prop::collection::vec((prop::bool::ANY, line()), 1..60),
    ) {
        let (_, wrap) = WRAPS[2];
        let titled = [(true, "☁️  cloudevents.Event")].into_iter().chain(lines);
        let lines: Vec<_> = titled.collect();
        let all = lines.iter().map(|(is_a, line)| wrap(if *is_a { "a" } else { "b" }, line) + "\n");
        let (seen, ..) = agreed(all.collect::<String>().as_bytes());
        let mut wanted = Vec::new();
        for stream in [true, false] {
            let mine = lines.iter().zip(1u64..).filter(|((is_a, _), _)| *is_a == stream);
            let numbers: Vec<u64> = mine.clone().map(|(_, number)| number).collect();
            // A title of its own lets the other one be looked at from its start as well.
            let name = if stream { "a" } else { "b" };
            let text: String = mine.map(|((_, line), _)| wrap(name, line) + "\n").collect();
            let first = wrapped(wrap, "c", HEAD);
            let (alone, ..) = agreed((first.clone() + &text).as_bytes());
            let before = first.lines().count() as u64;
            let at = |line: u64| numbers[usize::try_from(line - before - 1).unwrap()];
            let alone = spans(&alone).into_iter().filter(|(line, ..)| *line > before);
            wanted.extend(alone.map(|(from, to, why)| (at(from), at(to), why)));
        }
        wanted.sort_unstable_by_key(|(first, ..)| *first);
        prop_assert_eq!(spans(&seen), wanted);
    }
}

#[test]
fn a_block_beyond_the_limit_leaves_its_neighbours_alone() {
    let (_, wrap) = WRAPS[0];
    let long = format!(
        "{HEAD}  id: long\nData,\n  {{\n{}",
        "    \"a\": 1,\n".repeat(LIMIT / 10)
    );
    let text = format!("{}{long}{}", block("1"), block("2"));
    let (seen, ..) = agreed(wrapped(wrap, "a", &text).as_bytes());
    let found = spans(&seen);
    assert_eq!(found[0], (1, 13, None));
    assert_eq!(found.last().map(|(_, _, why)| *why), Some(None));
    assert!(found.len() > 100);
}
