//! Tests of the framing: the same records whatever the framing, the chunk size and the source.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

use std::io::Write;

use super::*;
use crate::capture::Scratch;
use crate::contract::Contract;
use crate::model::{Body, ReasonId, reason};
use proptest::prelude::*;

pub(super) const LIMIT: usize = 4 << 10;

fn contract() -> Contract {
    let text = include_str!("../../samples/contracts/consistency.json");
    Contract::from_bytes(text.as_bytes()).unwrap()
}

/// A record as the tests look at it: its text, its line, and the reason where it is unreadable.
pub(super) type Seen = (String, u64, Option<ReasonId>);

fn read_all(input: &Input, chunk_bytes: usize) -> (Vec<Seen>, Tally, FramingFacts) {
    let contract = contract();
    let mut scratch = Scratch::new(&contract);
    let mut framer = Framer::with_sizes(input, chunk_bytes, LIMIT);
    let mut seen = Vec::new();
    let mut total = Tally::default();
    while let Some(chunk) = framer.next_chunk().unwrap() {
        let arena = bumpalo::Bump::new();
        let tally = chunk.each(&contract, &mut scratch, &arena, |frame, record| {
            let place = frame.place(total.lines);
            let length = (place.length_bytes as usize).min(LIMIT);
            let mut bytes = vec![0; length];
            input.read_exact_at(place.offset_bytes, &mut bytes).unwrap();
            let reason = match record.body {
                Body::Unreadable(reason) => Some(reason),
                Body::Delivery(_) | Body::Statement(_) => None,
            };
            let text = String::from_utf8_lossy(&bytes).into_owned();
            seen.push((text, place.line, reason));
        });
        total.add(tally);
        framer.recycle(chunk);
    }
    assert_eq!(total.records, seen.len() as u64);
    (seen, total, framer.facts())
}

fn file_with(bytes: &[u8]) -> (tempfile::NamedTempFile, Input) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    let input = Input::open(file.path()).unwrap();
    (file, input)
}

/// Gives its bytes a few at a time, as a pipe does.
struct Drip(Vec<u8>, usize);

impl std::io::Read for Drip {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.0.len().min(self.1).min(buffer.len());
        buffer[..length].copy_from_slice(&self.0[..length]);
        self.0.drain(..length);
        Ok(length)
    }
}

/// Reads a capture in several ways, which must agree, and answers what came out.
pub(super) fn agreed(bytes: &[u8]) -> (Vec<Seen>, Tally, FramingFacts) {
    let (_file, input) = file_with(bytes);
    let whole = read_all(&input, CHUNK_BYTES);
    for chunk_bytes in [1, 7, 64] {
        assert_eq!(read_all(&input, chunk_bytes), whole, "{chunk_bytes}");
    }
    for drip in [1, 5, 100] {
        let pipe = Input::stream("pipe", Box::new(Drip(bytes.to_vec(), drip))).unwrap();
        assert_eq!(read_all(&pipe, CHUNK_BYTES), whole, "drip {drip}");
    }
    whole
}

fn texts(seen: &[Seen]) -> Vec<(&str, u64)> {
    seen.iter()
        .map(|(text, line, _)| (&**text, *line))
        .collect()
}

#[test]
fn lines_with_everything_around_them() {
    let (seen, tally, facts) = agreed(
        b"\xef\xbb\xbf{\"a\":1}\r\n\r\n  {\"b\":2} \n\0{}\0\n[{\"c\":3},{}]\n[]\n[1]\n{\"last\":1}",
    );
    assert_eq!(
        texts(&seen),
        [
            ("{\"a\":1}", 1),
            ("{\"b\":2}", 3),
            ("{}", 4),
            ("{\"c\":3}", 5),
            ("{}", 5),
            ("[]", 6),
            ("[1]", 7),
            ("{\"last\":1}", 8)
        ]
    );
    assert_eq!(seen[5].2, Some(reason::NOT_AN_OBJECT));
    assert_eq!(seen[6].2, Some(reason::NOT_AN_OBJECT));
    assert_eq!(facts.framing, Some(Framing::Lines));
    assert!(facts.has_bom);
    assert_eq!(
        (
            tally.lines,
            tally.blank_lines,
            tally.crlf_lines,
            tally.separators,
            tally.batches
        ),
        (7, 1, 2, 2, 1)
    );
}

#[test]
fn an_empty_capture_has_no_records() {
    for bytes in [&b""[..], b"\n\n", b"[]", b" [\n]\n", b"\xef\xbb\xbf"] {
        assert_eq!(agreed(bytes).0, [], "{bytes:?}");
    }
    assert_eq!(agreed(b"[]").2.framing, Some(Framing::Array));
}

#[test]
fn pretty_values_with_damage_between() {
    let text = "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n{\n  \"cut\": {\n{\n  \"c\": \"}\"\n}\n% noise\n{}\n}\n{\"q\": \"x}\n{\"d\":1}\n5 null\n";
    let (seen, _, facts) = agreed(text.as_bytes());
    assert_eq!(facts.framing, Some(Framing::Concatenated));
    assert_eq!(
        texts(&seen),
        [
            ("{\n  \"a\": {\n    \"b\": 1\n  }\n}", 1),
            ("{\n  \"cut\": {", 6),
            ("{\n  \"c\": \"}\"\n}", 8),
            ("% noise", 11),
            ("{}", 12),
            ("}", 13),
            ("{\"q\": \"x}", 14),
            ("{\"d\":1}", 15),
            ("5", 16),
            ("null", 16),
        ]
    );
    assert_eq!(seen[1].2, Some(reason::MALFORMED_JSON));
    assert_eq!(seen[6].2, Some(reason::MALFORMED_JSON));
}

#[test]
fn arrays_with_damage_inside() {
    let text = "[\n  {\n    \"a\": 1\n  },\n  {\n    \"b\": [\n  },\n  {\n    \"c\": 3\n  },\n  nope,\n  7\n]\n";
    let (seen, _, facts) = agreed(text.as_bytes());
    assert_eq!(facts.framing, Some(Framing::Array));
    assert!(!facts.unclosed_array);
    assert_eq!(
        texts(&seen),
        [
            ("{\n    \"a\": 1\n  }", 2),
            ("{\n    \"b\": [\n  }", 5),
            ("{\n    \"c\": 3\n  }", 8),
            ("nope", 11),
            ("7", 12)
        ]
    );
    for (text, unclosed) in [
        (r#"[{"id":1},{"id":2,"x":{,{"id":3},{"id":4}"#, true),
        (r#"[{"id":1},{"id":2,"x":{,{"id":3},{"id":4}]"#, false),
    ] {
        let (seen, _, facts) = agreed(text.as_bytes());
        assert_eq!(facts.unclosed_array, unclosed);
        assert_eq!(
            texts(&seen),
            [
                (r#"{"id":1}"#, 1),
                (r#"{"id":2,"x":{"#, 1),
                (r#"{"id":3}"#, 1),
                (r#"{"id":4}"#, 1)
            ]
        );
    }
    // A value inside begins like the damaged one around it: its brackets close, so it stays inside.
    let (seen, ..) = agreed(br#"[{"id":1,,"x":{"id":2}},{"id":3}]"#);
    assert_eq!(
        texts(&seen),
        [(r#"{"id":1,,"x":{"id":2}}"#, 1), (r#"{"id":3}"#, 1)]
    );
}

#[test]
fn braces_on_lines_of_their_own_are_no_damage() {
    let text = "{\n\"a\":\n{\n\"b\": 1\n}\n}\n{\n\"c\":\n{\n}\n}\n";
    let (seen, ..) = agreed(text.as_bytes());
    assert_eq!(
        texts(&seen),
        [
            ("{\n\"a\":\n{\n\"b\": 1\n}\n}", 1),
            ("{\n\"c\":\n{\n}\n}", 7)
        ]
    );
}

#[test]
fn nul_separated_values() {
    let (seen, tally, facts) = agreed(b"{\n\"a\":1}\0{\"b\":\n2}\0\n{}\0");
    assert_eq!(facts.framing, Some(Framing::NulSeparated));
    assert_eq!(
        texts(&seen),
        [("{\n\"a\":1}", 1), ("{\"b\":\n2}", 2), ("{}", 4)]
    );
    assert_eq!(tally.lines, 3);
}

#[test]
fn a_record_that_is_too_long_is_one_record() {
    let long = "x".repeat(600 << 10);
    for (text, line) in [
        (format!("{{}}\n{{\"a\":\"{long}\"}}\n{{}}\n"), 3),
        (format!("{{\n}}\n{{\n\"a\":\"{long}\"\n}}\n{{}}\n"), 6),
        (format!("[{{}},\n{{\"a\":\"{long}\"}},\n{{}}]\n"), 3),
    ] {
        let (_file, input) = file_with(text.as_bytes());
        for chunk_bytes in [64, CHUNK_BYTES] {
            let (seen, ..) = read_all(&input, chunk_bytes);
            assert_eq!(seen.len(), 3);
            // The test's limit is the framer's alone: what fits into one chunk is still read whole.
            if chunk_bytes == 64 {
                assert_eq!(seen[1].2, Some(reason::TOO_LONG));
            }
            assert_eq!((&*seen[2].0, seen[2].1), ("{}", line));
        }
    }
}

#[test]
fn a_stream_gives_its_records_as_they_come() {
    let bytes = b"{\"a\":1}\n{\"b\":2}\n{\"c\"".to_vec();
    let input = Input::stream("pipe", Box::new(Drip(bytes, 9))).unwrap();
    let mut framer = Framer::new(&input);
    let first = framer.next_chunk().unwrap().unwrap();
    assert_eq!(first.bytes(), b"{\"a\":1}\n");
    assert!(!input.has_ended());
}

#[test]
fn why_the_text_ended_early_follows_what_was_read_of_it() {
    let member = crate::capture::compressed::gzipped(b"{\"a\":1}\n{\"b\":2}\n{\"c\"");
    let input = Input::stream(
        "pipe",
        Box::new(std::io::Cursor::new([&member, &b"!"[..]].concat())),
    );
    let input = input.unwrap();
    let mut framer = Framer::new(&input);
    let mut text = Vec::new();
    let error = loop {
        match framer.next_chunk() {
            Ok(chunk) => text.extend_from_slice(chunk.unwrap().bytes()),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, CaptureError::Damaged { line: 3, .. }));
    assert_eq!(text, b"{\"a\":1}\n{\"b\":2}\n{\"c\"");
    assert!(framer.next_chunk().is_err(), "as often as it is asked");
}

/// Failures are not written down beside the sources.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn json_value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<i64>().prop_map(Into::into),
        r#"[a-z{}\[\]",\\ \n:é]{0,8}"#.prop_map(Into::into),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Into::into),
            proptest::collection::vec(("[a-z]{1,3}", inner), 0..3)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

fn json_object() -> impl Strategy<Value = serde_json::Value> {
    proptest::collection::vec(("[a-z]{1,3}", json_value()), 1..4)
        .prop_map(|members| serde_json::Value::Object(members.into_iter().collect()))
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn the_same_records_under_every_framing(records in proptest::collection::vec(json_object(), 1..6)) {
        let compact: Vec<_> = records.iter().map(ToString::to_string).collect();
        let pretty: Vec<_> = records
            .iter()
            .map(|record| serde_json::to_string_pretty(record).unwrap())
            .collect();
        let array = serde_json::Value::Array(records.clone());
        for capture in [
            compact.join("\n"),
            compact.join("\r\n") + "\r\n",
            compact.join(" "),
            compact.join("\0"),
            format!("\u{1e}{}\n", compact.join("\n\u{1e}")),
            pretty.join("\n") + "\n",
            pretty.concat(),
            array.to_string(),
            serde_json::to_string_pretty(&array).unwrap() + "\n",
            format!("[\n{}\n]\n", compact.join(",\n")),
        ] {
            let (seen, ..) = agreed(capture.as_bytes());
            let values: Vec<serde_json::Value> = seen
                .iter()
                .map(|(text, ..)| serde_json::from_str(text).unwrap())
                .collect();
            prop_assert_eq!(&values, &records, "{}", capture);
        }
    }

    #[test]
    fn no_byte_is_lost(text in r#"[\[\]{}",:\\a1 \n]{0,60}"#) {
        let (seen, ..) = agreed(text.as_bytes());
        // Everything but whitespace, and an array's punctuation, is in some record.
        let kept = |c: &char| !c.is_whitespace() && !matches!(c, ',' | '[' | ']');
        let all: String = text.chars().filter(kept).collect();
        let found: String = seen.iter().flat_map(|(text, ..)| text.chars()).filter(kept).collect();
        prop_assert_eq!(all, found);
    }

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..120)) {
        let mut bytes = bytes;
        bytes.insert(0, b'{');
        let _ = agreed(&bytes);
    }
}

#[path = "framing_text_tests.rs"]
mod text;

#[test]
fn archives_that_come_through_a_pipe_are_refused() {
    let mut tar = b"orders.jsonl".to_vec();
    tar.resize(257, 0);
    tar.extend_from_slice(b"ustar\x0000");
    tar.resize(512, 0);
    tar.extend_from_slice(b"{\"a\":1}\n");
    let zipped = crate::capture::compressed::gzipped(&tar);
    for (bytes, wanted) in [
        (tar, "is tar; open it with: tar -xOf - | replayscope -"),
        (
            b"BZh91AY&SY".to_vec(),
            "is bzip2; open it with: bzip2 -dc | replayscope -",
        ),
        (
            zipped,
            "is tar; open it with: gzip -dc | tar -xOf - | replayscope -",
        ),
    ] {
        for drip in [1, 100_000] {
            let pipe = Input::stream("pipe", Box::new(Drip(bytes.clone(), drip))).unwrap();
            let message = Framer::new(&pipe).next_chunk().unwrap_err().to_string();
            assert!(message.ends_with(wanted), "{drip}: {message}");
        }
    }
}

#[test]
fn marks_where_files_were_put_together_are_passed_over() {
    for (text, framing, places) in [
        (
            "\u{feff}{\"a\":1}\n\u{feff}{\"a\":2}\n{\"a\":3}\u{feff}{\"a\":4}",
            Framing::Lines,
            [1, 2, 3, 3],
        ),
        (
            "\u{feff}{\n\"a\":1\n}\n\u{feff}{\"a\":2}\u{feff}{\"a\":3}{\n\"a\":4\n}",
            Framing::Concatenated,
            [1, 4, 4, 4],
        ),
        (
            "\u{feff}{\n\"a\":1}\0{\"a\":2}\0\u{feff}{\"a\":3}\0\u{feff}{\"a\":4}",
            Framing::NulSeparated,
            [1, 2, 2, 2],
        ),
    ] {
        let (seen, tally, facts) = agreed(text.as_bytes());
        assert!(facts.has_bom);
        assert_eq!(
            (facts.framing, tally.byte_order_marks),
            (Some(framing), 2),
            "{text}"
        );
        let lines: Vec<_> = seen.iter().map(|(_, line, _)| *line).collect();
        assert_eq!(lines, places, "{seen:?}");
        for (number, (text, ..)) in seen.iter().enumerate() {
            let text: String = text.split_whitespace().collect();
            assert_eq!(text, format!("{{\"a\":{}}}", number + 1));
        }
    }
    // A mark ends what is damaged before it, and belongs to no piece of a log.
    let (seen, ..) = agreed("{\n\"a\":1\n}\n{\n\"a\n\u{feff}{\n\"a\":3\n}\n".as_bytes());
    assert_eq!(seen.len(), 3, "{seen:?}");
    let line = "2026-03-02T09:00:00Z stdout";
    let text = format!("{line} P {{\"a\"\n\u{feff}{line} F :1}}\n{{}}\n");
    let (seen, ..) = agreed(text.as_bytes());
    assert_eq!(seen.len(), 2, "{seen:?}");
}

#[test]
fn a_pretty_printed_value_among_lines() {
    let whole = "{\r\n  \"a\": {\r\n    \"b\": [1]\r\n  }\r\n}";
    let text =
        format!("{{\"n\":1}}\n{whole}\r\n{{\"n\":2}}\n\u{feff}{whole}\n{{\"n\":3}}\n{whole}");
    let (seen, tally, facts) = agreed(text.as_bytes());
    let wanted = [
        ("{\"n\":1}", 1),
        (whole, 2),
        ("{\"n\":2}", 7),
        (whole, 8),
        ("{\"n\":3}", 13),
        (whole, 14),
    ];
    assert_eq!(texts(&seen), wanted);
    assert_eq!(facts.framing, Some(Framing::Lines));
    assert_eq!(
        (tally.lines, tally.crlf_lines, tally.blank_lines),
        (17, 13, 0)
    );
}

#[test]
fn a_damaged_pretty_printed_value_takes_no_line_behind_it() {
    let head = "{\"n\":1}\n";
    for (damaged, records) in [
        ("{\n  \"a\": 1\n", 2),
        ("{\n  \"a\": \n}\n", 3),
        ("{\n  \"a\": {\n  }\n", 3),
        ("{\n\n}\n", 2),
        ("{\n  \"a\": 1\n},\n", 3),
        ("{\n\"a\": 1\n}\n", 3),
    ] {
        let text = format!("{head}{damaged}{{\"n\":2}}\n{{\n  \"n\": 3\n}}\n{{\"n\":4}}");
        let (seen, ..) = agreed(text.as_bytes());
        assert_eq!(seen.len(), records + 4, "{seen:?}");
        let tail = seen.get(records + 1..).unwrap();
        assert_eq!(texts(tail).len(), 3);
        assert_eq!(tail[0].0, "{\"n\":2}", "{seen:?}");
        assert_eq!(tail[1].0, "{\n  \"n\": 3\n}", "{seen:?}");
    }
    // The piece of a log before it is a record, which it closes.
    let piece = "2026-03-02T09:00:00Z stdout P {\"a\"";
    let (seen, ..) = agreed(format!("{piece}\n{{\n  \"n\": 1\n}}\n{piece}\n").as_bytes());
    assert_eq!(
        texts(&seen),
        [(piece, 1), ("{\n  \"n\": 1\n}", 2), (piece, 5)]
    );
    // One that is longer than a record may be is none, wherever chunks are cut.
    let long = "  \"a\": 1,\n".repeat(LIMIT / 10);
    let (seen, ..) = agreed(format!("{head}{{\n{long}  \"b\": 2\n}}\n{{\"n\":2}}\n").as_bytes());
    assert_eq!(seen.len(), LIMIT / 10 + 5);
}
