//! Tests of text blocks: the same records however the bytes come, and no byte lost.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::io::{Cursor, Read};

use super::super::super::take::Scratch;
use super::super::{Framer, Framing, HEAD_BYTES, Tally, Tool};
use crate::capture::Input;
use crate::contract::Contract;
use proptest::prelude::*;

const LIMIT: usize = 8 << 10;

/// A stream that hands out a few bytes at a time.
struct Trickle(Cursor<Vec<u8>>, usize);

impl Read for Trickle {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(self.1);
        self.0.read(&mut buffer[..most])
    }
}

/// Each record's place and line, and what was counted.
type Found = (Vec<(u64, u64, u32)>, Tally);

fn read_all(text: &str, step: usize, chunk_bytes: usize) -> Found {
    let (found, framing) = read_any(text, (step, chunk_bytes), false);
    assert!(matches!(framing, Some(Framing::Blocks(_))), "{framing:?}");
    found
}

/// The same of whatever framing it has.
fn read_any(
    text: &str,
    (step, chunk_bytes): (usize, usize),
    has_blocks: bool,
) -> (Found, Option<Framing>) {
    let contract = include_str!("../../../samples/contracts/consistency.json");
    let contract = Contract::from_bytes(contract.as_bytes()).unwrap();
    let stream = Trickle(Cursor::new(text.as_bytes().to_vec()), step);
    let input = Input::stream("capture", Box::new(stream)).unwrap();
    let mut framer = Framer::with_sizes(&input, chunk_bytes, LIMIT).for_blocks(has_blocks);
    let mut scratch = Scratch::new(&contract);
    let (mut places, mut total) = (Vec::new(), Tally::default());
    while let Some(chunk) = framer.next_chunk().unwrap() {
        let arena = bumpalo::Bump::new();
        let tally = chunk.each(&contract, &mut scratch, &arena, |frame, _| {
            let place = frame.place(total.lines);
            places.push((place.line, place.offset_bytes, place.length_bytes));
        });
        total.add(tally);
        framer.recycle(chunk);
    }
    ((places, total), framer.facts().framing)
}

/// The records of blocks as texts with their lines, the same whatever the steps and chunks.
fn records(text: &str) -> Vec<(u64, String)> {
    read_all(text, 1 << 20, 1 << 20);
    records_of_any(text)
}

/// The same whatever the framing is.
fn records_of_any(text: &str) -> Vec<(u64, String)> {
    let ((wanted, total), framing) = read_any(text, (1 << 20, 1 << 20), false);
    assert_eq!(total.lines, text.matches('\n').count() as u64);
    for steps in [(1, 1), (7, 64), (1000, 1 << 20), (1 << 20, 16)] {
        let found = read_any(text, steps, false);
        assert_eq!(
            found,
            ((wanted.clone(), total), framing),
            "steps of {steps:?}"
        );
    }
    let texts = wanted.into_iter().map(|(line, offset, length)| {
        let from = usize::try_from(offset).unwrap();
        let record = text.get(from..from + length as usize).unwrap();
        (line, record.to_owned())
    });
    texts.collect()
}

fn owned(records: &[(u64, &str)]) -> Vec<(u64, String)> {
    let records = records.iter();
    records
        .map(|(line, text)| (*line, (*text).to_owned()))
        .collect()
}

#[test]
fn a_block_reaches_to_the_next() {
    let text = "\n☁️  cloudevents.Event\nContext Attributes,\n  id: 1\nData,\n  {\n    \"a\": [\n\n☁️  cloudevents.Event\r\nContext Attributes,\r\n  id: 2\r\n\r\n";
    assert_eq!(
        records(text),
        owned(&[
            (
                2,
                "☁️  cloudevents.Event\nContext Attributes,\n  id: 1\nData,\n  {\n    \"a\": ["
            ),
            (9, "☁️  cloudevents.Event\r\nContext Attributes,\r\n  id: 2"),
        ])
    );
}

#[test]
fn what_stands_before_the_first_block_is_a_record_unless_the_tool_logged_it() {
    assert_eq!(
        records("hello\n[#1] Received on \"a\"\n{}\n"),
        owned(&[(1, "hello"), (2, "[#1] Received on \"a\"\n{}")])
    );
    assert_eq!(
        records(
            "10:00:00 Subscribing on a\n[#1] Received on \"a\"\n1\n\n[#2] Received on \"a\"\n2\n"
        ),
        owned(&[
            (2, "[#1] Received on \"a\"\n1"),
            (5, "[#2] Received on \"a\"\n2")
        ])
    );
}

#[test]
fn a_block_takes_nothing_from_what_follows() {
    let event = "{\"specversion\":\"1.0\"}";
    let display = "Context Attributes,\n  id: 1\nData,\n  {\n    \"a\": 1\n  }";
    let nats = "[#1] Received on \"a\"\n{\"a\": 1}";
    let pulsar = "----- got message -----\nkey:[k], properties:[], content:{\"a\": 1}";
    let http = "POST / HTTP/1.1\nHost: x\nContent-Length: 7\n\n{\"a\":1}";
    let text = "[#1] Received on \"a\"\nplain\n\nmore";
    for block in [display, nats, pulsar, http] {
        let next = format!(
            "{block}\nstray\n\n{event}\n% Reached end of topic a [0] at offset 1\n{block}\n"
        );
        let found: Vec<_> = records(&next).into_iter().map(|(_, text)| text).collect();
        assert_eq!(found, [block, "stray", event, block]);
        for other in [display, nats, pulsar, http, text] {
            let found: Vec<_> = records(&format!("{block}\n{other}"))
                .into_iter()
                .map(|(_, text)| text)
                .collect();
            assert_eq!(found, [block, other]);
        }
    }
    let found = records(&format!(
        "{text}\n{event}\n{event} x\n[{event},{event}]\n{text}"
    ));
    let found: Vec<_> = found.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(
        found,
        [text, event, &format!("{event} x"), event, event, text]
    );
}

#[test]
fn a_body_ends_where_its_length_says_if_that_can_be() {
    let post = |length: &str, body: &str| format!("POST / HTTP/1.1\r\n{length}\r\n{body}");
    let chunked = "Transfer-Encoding: chunked\r\n";
    let last = post("", "{\"b\":2}");
    for first in [
        post("Content-Length: 7\r\n", "{\"a\":1}"),
        // The dump is written in another way than the body was sent.
        post("Content-Length: 5\r\n", "{\"a\":1}"),
        post("Content-Length: 9\r\n", "{\"a\":1}"),
        post("Content-Length: 90\r\n", "{\"a\":1}"),
        post("Content-Length: 99999999999999999999\r\n", "{\"a\":1}"),
        post(chunked, "{\"a\":1}"),
        post(
            chunked,
            "3\r\n{\"a\r\n4;x=y\r\n\":1}\r\n0\r\nTrailer: x\r\n\r\n",
        ),
        post("Content-Length: 11\r\n", "plain\r\ntext"),
        post("Content-Length: 0\r\n", ""),
        post(
            "Content-Type: application/x-ndjson\r\nContent-Length: 15\r\n",
            "{\"a\":1}\n{\"a\":2}",
        ),
        post("", "") + "HTTP/1.1 204 No Content\r\nDate: x\r\n\r\n",
        post("", "{}\r\n") + "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine",
    ] {
        let found: Vec<_> = records(&format!("{first}{last}{first}"))
            .into_iter()
            .collect();
        let found: Vec<_> = found.iter().map(|(_, text)| text.as_str()).collect();
        let first = first.trim_end();
        assert_eq!(found, [first, &last, first]);
    }
}

#[test]
fn headers_begin_a_block_where_no_line_like_them_stands_above() {
    let log = "level: info\nlevel: warn";
    let event = "ce-id: 1\nce-type: t\n\n{\"a\":1}";
    let found = records(&format!(
        "POST / HTTP/1.1\n\n{{}}\n{log}\n\n{event}\nstray\n{event}\n"
    ));
    let found: Vec<_> = found.iter().map(|(_, text)| text.as_str()).collect();
    let wanted = [
        "POST / HTTP/1.1\n\n{}",
        "level: info",
        "level: warn",
        event,
        "stray",
        event,
    ];
    assert_eq!(found, wanted);
}

#[test]
fn other_tools_lines_begin_nothing() {
    assert_eq!(
        records("----- got message -----\n[#1] Received on \"a\"\nPOST / HTTP/1.1\n"),
        owned(&[(
            1,
            "----- got message -----\n[#1] Received on \"a\"\nPOST / HTTP/1.1"
        )])
    );
}

#[test]
fn a_block_that_is_too_long_is_one_record() {
    let long = "x".repeat(3 * LIMIT);
    let lines = "y y\n".repeat(LIMIT);
    for body in [&long, &lines] {
        let text = format!("[#1] Received on \"a\"\n{body}\n[#2] Received on \"a\"\n2\n");
        for (step, chunk_bytes) in [(1 << 20, 64), (100, 64), (1 << 20, 1 << 20)] {
            let (places, total) = read_all(&text, step, chunk_bytes);
            assert_eq!(places.len(), 2);
            let second = text.find("[#2]").unwrap();
            let line = text.get(..second).unwrap().matches('\n').count() as u64 + 1;
            assert_eq!(places[1], (line, second as u64, 22));
            assert_eq!(total.lines, text.matches('\n').count() as u64);
        }
    }
}

#[test]
fn the_tool_is_known_before_a_stream_ends() {
    let text = b"10:00:00 Subscribing on a\n[#1] Received on \"a\"\n1\n[#2] R".to_vec();
    let input = Input::stream("capture", Box::new(Cursor::new(text))).unwrap();
    let mut framer = Framer::new(&input);
    framer.next_chunk().unwrap();
    assert_eq!(framer.facts().framing, Some(Framing::Blocks(Tool::Nats)));
}

/// The records of a text that has blocks in it, whatever it begins as.
fn texts(text: &str) -> Vec<String> {
    records_of_any(text)
        .into_iter()
        .map(|(_, record)| record)
        .collect()
}

/// Three blocks of every tool that holds an event in each.
fn blocks() -> [(&'static str, [String; 3]); 4] {
    let three = |block: &dyn Fn(u32) -> String| [block(1), block(2), block(3)];
    let display = |id: u32| {
        format!(
            "☁️  cloudevents.Event\nContext Attributes,\n  specversion: 1.0\n  type: t\n  id: {id}\n  datacontenttype: application/json\nExtensions,\n  e: x\nData,\n  {{\n    \"a\": {id},\n    \"b\": \"c\"\n  }}"
        )
    };
    let http = |id: u32| {
        format!(
            "POST / HTTP/1.1\nHost: h\nce-type: t\nce-id: {id}\nContent-Length: 9\n\n{{\"a\": {id}}}"
        )
    };
    let nats = |id: u32| {
        format!("[#{id}] Received on \"a\"\nce-type: t\nce-id: {id}\nx: y\n\n{{\"a\": {id}}}")
    };
    let pulsar = |id: u32| {
        format!("----- got message -----\nkey:[k], properties:[], content:{{\"a\": {id}}}")
    };
    [
        ("event-display", three(&display)),
        ("http", three(&http)),
        ("nats", three(&nats)),
        ("pulsar", three(&pulsar)),
    ]
}

#[test]
fn a_capture_may_begin_inside_a_block() {
    for (name, [first, second, third]) in blocks() {
        let whole = format!("{first}\n{second}\n{third}\n");
        let starts = first.match_indices('\n').map(|(at, _)| at + 1);
        for start in starts.chain([first.len() + 1]) {
            let found = texts(whole.get(start..).unwrap());
            let cut = found.len() - 2;
            assert_eq!(found[cut..], [&*second, &*third], "{name} from {start}");
            let bare = |text: &str| text.replace(['\n', ' '], "");
            let rest = whole.get(start..first.len()).unwrap_or_default();
            assert_eq!(
                bare(&found[..cut].concat()),
                bare(rest),
                "{name} from {start}"
            );
            if name == "event-display" {
                assert!(cut <= 1, "from {start}: {found:?}");
            }
        }
    }
}

#[test]
fn what_looks_like_the_rest_of_a_block_is_none_in_other_text() {
    let block = "Context Attributes,\n  id: 1\nData,\n  {}";
    let log = "app started\n  port: 80\n  host: a\nready";
    let found = texts(&format!(
        "{log}\n{block}\n{block}\n  id: 3\nData,\n  {{}}\n"
    ));
    let wanted = [
        "app started",
        "port: 80",
        "host: a",
        "ready",
        block,
        block,
        "id: 3",
        "Data,",
        "{}",
    ];
    assert_eq!(found, wanted);
    let found = texts(&format!(
        "app started\n  id: 0\nExtensions,\n  a: b\n{block}\n"
    ));
    assert_eq!(found, ["app started", "id: 0\nExtensions,\n  a: b", block]);
}

#[test]
fn blocks_may_follow_other_records() {
    for (name, [first, second, third]) in blocks() {
        for before in [
            "{\"level\":\"info\"}\n",
            "{\"level\":\"info\"}\n\n{\"level\": 1}\r\n",
            "{\n  \"level\": \"info\"\n}\n",
            "{\"a\":1}{\"b\":2}\n",
            "{\"cut\": \n",
        ] {
            let json = "{\"specversion\": \"1.0\"}";
            let found = texts(&format!(
                "{before}{first}\n{json}\n{second}\n{json}\n{third}"
            ));
            let wanted = [&*first, json, &*second, json, &*third];
            let from = found.len() - wanted.len();
            assert_eq!(found[from..], wanted, "{name} behind {before:?}");
            let bare = |text: &str| text.replace(['\r', '\n', ' '], "");
            assert_eq!(bare(&found[..from].concat()), bare(before));
        }
    }
}

#[test]
fn a_line_like_a_title_turns_nothing_where_no_event_comes_with_it() {
    for text in [
        "{\"a\":1}\nPOST / HTTP/1.1\nHost: h\n\n{\"a\":2}\n",
        "{\"a\":\"\u{2601}\u{fe0f}  cloudevents.Event\"}\n{\"a\":\"Context Attributes,\"}\n",
        "{\"a\":1}\nthe Context Attributes, and so on\n",
        "{\"a\":1}\0{\"b\":1}\0\nContext Attributes,\n  id: 1\0Context Attributes,",
        "[\n{\"a\":1},\nContext Attributes,\n{\"a\":2}\n]\n",
    ] {
        let (found, framing) = read_any(text, (1, 1), false);
        assert!(
            !matches!(framing, Some(Framing::Blocks(_))),
            "{text:?}: {framing:?}"
        );
        let last = found.0.last().unwrap();
        let end = usize::try_from(last.1).unwrap() + last.2 as usize;
        assert!(text.len() - end <= 3, "{text:?}: {found:?}");
    }
}

#[test]
fn blocks_far_from_the_head_are_found_where_the_user_says_so() {
    for line in ["INFO nothing\n", "{\"level\":\"info\"}\n"] {
        let before = line.repeat((HEAD_BYTES / line.len()) + 2);
        let text = format!("{before}Context Attributes,\n  id: 1\nData,\n  {{}}\n");
        let lines = before.matches('\n').count();
        for (step, chunk_bytes) in [(1 << 20, 1 << 18), (4093, 64)] {
            let ((places, _), framing) = read_any(&text, (step, chunk_bytes), true);
            assert_eq!(places.len(), lines + 1);
            assert_eq!(framing, Some(Framing::Blocks(Tool::EventDisplay)));
            let ((places, _), framing) = read_any(&text, (step, chunk_bytes), false);
            assert_eq!(places.len(), lines + 4);
            assert_eq!(framing, Some(Framing::Lines));
        }
    }
}

/// Lines of every tool and of none.
fn lines() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "☁️  cloudevents.Event",
        "Validation: valid",
        "Context Attributes,",
        "  id: 1",
        "Data,",
        "[#1] Received on \"a\"",
        "10:00:00 Subscribing",
        "----- got message -----",
        "POST / HTTP/1.1",
        "HTTP/1.1 200 OK",
        "ce-id: 1",
        "ce-type: t",
        "{\"a\": 1}",
        "{\"specversion\": \"1.0\"}",
        "{",
        "}",
        "[{\"a\":1},{\"b\":2}]",
        "HTTP/1.1 204 No Content",
        "Content-Length: 12",
        "Transfer-Encoding: chunked",
        "2",
        "0",
        "[#1] Received on \"a\" with reply \"b\"",
        "[#1] Matched reply on \"b\"",
        "10:00:00 [#2] Received on [a]: '{}'",
        "Extensions,",
        "  {",
        "    \"a\": 1,",
        "  }",
        "2026-03-02T09:00:00Z stdout F Context Attributes,",
        "plain",
        "{\"a\":1}{\"b\":2}",
        "[1,",
        "Item: A#1 received 2026-03-02 on Subject b",
        "key:[k], properties:[], content:{\"a\": 1}",
        "",
        " ",
    ]);
    prop::collection::vec(line, 0..12).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #[test]
    fn the_records_do_not_depend_on_how_the_bytes_came(text in lines()) {
        let wanted = read_any(&text, (1 << 20, 1 << 20), false);
        for sizes in [(1, 1), (7, 64), (1000, 1 << 20), (1 << 20, 16)] {
            prop_assert_eq!(&read_any(&text, sizes, false), &wanted, "{:?}", sizes);
        }
    }

    #[test]
    fn no_byte_is_lost(first in prop::sample::select(vec!["Context Attributes,", "[#1] Received on \"a\"", "----- got message -----", "POST / HTTP/1.1"]), rest in lines()) {
        let text = format!("{first}\n{rest}");
        let joined: String = records(&text).into_iter().map(|(_, record)| record).collect();
        // The brackets and commas of a batch are no record's.
        let bare = |text: &str| text.replace(['\n', ' ', '[', ']', ','], "");
        prop_assert_eq!(bare(&joined), bare(&text));
    }
}
