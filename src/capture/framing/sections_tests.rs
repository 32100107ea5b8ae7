//! Tests of text blocks: the same records however the bytes come, and no byte lost.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::io::{Cursor, Read};

use super::super::super::take::Scratch;
use super::super::{Framer, Framing, Tally, Tool};
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
fn read_all(text: &str, step: usize, chunk_bytes: usize) -> (Vec<(u64, u64, u32)>, Tally) {
    let contract = include_str!("../../../samples/contracts/consistency.json");
    let contract = Contract::from_bytes(contract.as_bytes()).unwrap();
    let stream = Trickle(Cursor::new(text.as_bytes().to_vec()), step);
    let input = Input::stream("capture", Box::new(stream)).unwrap();
    let mut framer = Framer::with_sizes(&input, chunk_bytes, LIMIT);
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
    let framing = framer.facts().framing;
    assert!(matches!(framing, Some(Framing::Blocks(_))), "{framing:?}");
    (places, total)
}

/// The records as texts with their lines, the same whatever the steps and chunks.
fn records(text: &str) -> Vec<(u64, String)> {
    let (wanted, total) = read_all(text, 1 << 20, 1 << 20);
    assert_eq!(total.lines, text.matches('\n').count() as u64);
    for (step, chunk_bytes) in [(1, 1), (7, 64), (1000, 1 << 20), (1 << 20, 16)] {
        let found = read_all(text, step, chunk_bytes);
        assert_eq!(found, (wanted.clone(), total), "steps of {step}");
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
        "Item: A#1 received 2026-03-02 on Subject b",
        "key:[k], properties:[], content:{\"a\": 1}",
        "",
        " ",
    ]);
    prop::collection::vec(line, 0..12).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #[test]
    fn no_byte_is_lost(first in prop::sample::select(vec!["Context Attributes,", "[#1] Received on \"a\"", "----- got message -----", "POST / HTTP/1.1"]), rest in lines()) {
        let text = format!("{first}\n{rest}");
        let joined: String = records(&text).into_iter().map(|(_, record)| record).collect();
        // The brackets and commas of a batch are no record's.
        let bare = |text: &str| text.replace(['\n', ' ', '[', ']', ','], "");
        prop_assert_eq!(bare(&joined), bare(&text));
    }
}
