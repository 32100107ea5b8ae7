//! Tests of lines that are joined: the same records wherever chunks end.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

use super::outline::Outline;
use super::tests::{LIMIT, Seen, agreed};
use super::*;
use crate::capture::Scratch;
use crate::contract::Contract;
use crate::model::{ReasonId, reason};
use proptest::prelude::*;

const EVENT: &str = r#"{"specversion":"1.0","id":"ID","source":"urn:x","type":"t"}"#;

pub(super) fn event(id: &str) -> String {
    EVENT.replace("ID", id)
}

pub(super) fn docker(text: &str, stream: &str) -> String {
    let text = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("{{\"log\":\"{text}\",\"stream\":\"{stream}\",\"time\":\"2026-03-02T09:00:00Z\"}}\n")
}

pub(super) fn cri(text: &str, stream: &str, tag: char) -> String {
    format!("2026-03-02T10:00:00.5+01:00 {stream} {tag} {text}\n")
}

/// First line, last line and reason of each record.
fn spans(seen: &[Seen]) -> Vec<(u64, u64, Option<ReasonId>)> {
    let lines = |text: &str| text.matches('\n').count() as u64;
    seen.iter()
        .map(|(text, line, reason)| (*line, line + lines(text), *reason))
        .collect()
}

#[test]
fn pieces_of_both_streams_interleave() {
    let (a, b, c) = (event("a"), event("b"), event("c"));
    for write in [
        (|text: &str, stream: &str, is_last: bool| {
            docker(
                &format!("{text}{}", if is_last { "\n" } else { "" }),
                stream,
            )
        }) as fn(&str, &str, bool) -> String,
        |text, stream, is_last| cri(text, stream, if is_last { 'F' } else { 'P' }),
    ] {
        let capture = [
            write(&a[..20], "stdout", false),
            write(&c, "stderr", true),
            write(&b[..10], "stderr", false),
            write(&a[20..30], "stdout", false),
            "\n".to_owned(),
            write(&b[10..], "stderr", true),
            write(&a[30..], "stdout", true),
            write(&c, "stdout", true),
        ]
        .concat();
        let (seen, tally, _) = agreed(capture.as_bytes());
        assert_eq!(
            spans(&seen),
            [(1, 7, None), (2, 2, None), (3, 6, None), (8, 8, None)]
        );
        assert_eq!((tally.lines, tally.blank_lines), (8, 1));
    }
}

#[test]
fn an_unfinished_group_takes_no_other_record_with_it() {
    let (a, b) = (event("a"), event("b"));
    let cut_off = Some(reason::PAYLOAD_TRUNCATED);
    let broken = Some(reason::MALFORMED_JSON);
    for (capture, expected) in [
        // The capture ends.
        (docker(&a[..20], "stdout"), vec![(1, 1, cut_off)]),
        (
            cri(&a[..20], "stdout", 'P') + &cri(&a[20..30], "stdout", 'P'),
            vec![(1, 2, cut_off)],
        ),
        // The next line of the stream is a whole value.
        (
            docker(&a[..20], "stdout") + &docker(&(b.clone() + "\n"), "stdout"),
            vec![(1, 1, cut_off), (2, 2, None)],
        ),
        (
            cri(&a[..20], "stdout", 'P') + &cri(&b, "stdout", 'F'),
            vec![(1, 1, cut_off), (2, 2, None)],
        ),
        // A damaged line may be a lost piece.
        (
            docker(&a[..20], "stdout")
                + "{\"log\":\"x\n"
                + &docker(&(a[20..].to_owned() + "\n"), "stdout"),
            vec![(1, 1, cut_off), (2, 2, broken), (3, 3, broken)],
        ),
        // The head is missing.
        (
            docker(&(a[20..].to_owned() + "\n"), "stdout") + &docker(&(b.clone() + "\n"), "stdout"),
            vec![(1, 1, broken), (2, 2, None)],
        ),
    ] {
        let (seen, _, _) = agreed(capture.as_bytes());
        assert_eq!(spans(&seen), expected, "{capture}");
    }
}

#[test]
fn other_programs_lines_without_line_ends_are_not_joined() {
    let (a, b) = (event("a"), event("b"));
    let capture = [
        docker("starting up", "stdout"),
        docker(&a, "stdout"),
        docker("a short text", "stdout"),
        docker(&b, "stdout"),
    ]
    .concat();
    let (seen, _, _) = agreed(capture.as_bytes());
    let broken = Some(reason::MALFORMED_JSON);
    assert_eq!(
        spans(&seen),
        [(1, 1, broken), (2, 2, None), (3, 3, broken), (4, 4, None)]
    );
}

#[test]
fn a_line_of_exactly_one_piece_ends_with_a_line_end_alone() {
    let event = event(&"x".repeat(16 << 10));
    let event = event.replacen(&"x".repeat(EVENT.len() - 2), "", 1);
    assert_eq!(event.len(), 16 << 10);
    let capture = docker(&event, "stdout") + &docker("\n", "stdout");
    let input =
        Input::stream("pipe", Box::new(std::io::Cursor::new(capture.into_bytes()))).unwrap();
    let (records, _) = read_with(&input, CHUNK_BYTES, MAX_RECORD_BYTES);
    assert_eq!(records, [(1, 1, false)]);
}

#[test]
fn a_character_that_was_cut_in_two_is_whole_again() {
    let text = event("é");
    let at = text.find('é').unwrap() + 1;
    let head = b"2026-03-02T10:00:00.5Z stdout ";
    let capture = [
        head.as_slice(),
        b"P ",
        &text.as_bytes()[..at],
        b"\n",
        head,
        b"F ",
        &text.as_bytes()[at..],
        b"\n",
    ]
    .concat();
    let (seen, _, _) = agreed(&capture);
    assert_eq!(spans(&seen), [(1, 2, None)]);
}

#[test]
fn a_group_that_would_be_too_long_is_cut_off_and_what_follows_is_read() {
    let long = "x".repeat(LIMIT / 3);
    let piece = cri(&long, "stdout", 'P');
    let capture = piece.repeat(4) + &cri("end", "stdout", 'F') + &cri(&event("a"), "stderr", 'F');
    let (seen, _, _) = agreed(capture.as_bytes());
    let cut_off = Some(reason::PAYLOAD_TRUNCATED);
    let broken = Some(reason::MALFORMED_JSON);
    assert_eq!(
        spans(&seen),
        [(1, 2, cut_off), (3, 5, broken), (6, 6, None)]
    );
}

/// First line, line ends inside and whether it is unreadable, of each record.
fn read_with(
    input: &Input,
    chunk_bytes: usize,
    record_bytes: usize,
) -> (Vec<(u64, u64, bool)>, Vec<Outline>) {
    let text = include_str!("../../samples/contracts/consistency.json");
    let contract = Contract::from_bytes(text.as_bytes()).unwrap();
    let mut scratch = Scratch::new(&contract);
    let mut framer = Framer::with_sizes(input, chunk_bytes, record_bytes);
    let (mut records, mut outlines, mut lines) = (Vec::new(), Vec::new(), 0);
    while let Some(chunk) = framer.next_chunk().unwrap() {
        let arena = bumpalo::Bump::new();
        let tally = chunk.each(&contract, &mut scratch, &arena, |frame, record| {
            let place = frame.place(lines);
            let mut bytes = vec![0; place.length_bytes as usize];
            input.read_exact_at(place.offset_bytes, &mut bytes).unwrap();
            let ends = memchr::memchr_iter(b'\n', &bytes).count() as u64;
            let is_unreadable = matches!(record.body, crate::model::Body::Unreadable(_));
            records.push((place.line, ends, is_unreadable));
        });
        lines += tally.lines;
        outlines.push(chunk.outline(0));
        assert_eq!(outlines.last().unwrap().lines(), tally.lines);
    }
    (records, outlines)
}

#[test]
fn a_chunk_is_read_again_from_its_outline() {
    for capture in [
        "{\"a\":1}\n\n{\"b\":\n2}\n".to_owned(),
        "[{\"a\":1},\n{\"b\":2},\n{}]".to_owned(),
        "{\"a\":1}\0{\"b\":\n2}\0".to_owned(),
        format!("{}\n{{}}\n", "x".repeat(3 * LIMIT)),
    ] {
        let bytes = capture.into_bytes();
        let input = Input::stream("pipe", Box::new(std::io::Cursor::new(bytes))).unwrap();
        let (_, outlines) = read_with(&input, 8, usize::MAX >> 1);
        let (_, limited) = read_with(&input, 8, LIMIT);
        for outline in outlines.into_iter().chain(limited) {
            let before = format!("{outline:?}");
            let chunk = outline.read(&input, Vec::new()).unwrap();
            assert_eq!(format!("{:?}", chunk.outline(0)), before);
        }
    }
}

/// Lines that a log may have, pieces and whole ones, of both streams and both drivers, and others.
fn line() -> impl Strategy<Value = String> {
    let text = prop::sample::select(vec![
        "{\"a\":", "1}", "{}", "x", "", "{\"b\":[", "]}", "[1]",
    ]);
    let stream = prop::sample::select(vec!["stdout", "stderr"]);
    prop_oneof![
        8 => (text.clone(), stream.clone(), any::<bool>()).prop_map(|(text, stream, is_last)| {
            docker(&format!("{text}{}", if is_last { "\n" } else { "" }), stream)
        }),
        8 => (text, stream, prop::sample::select(vec!['P', 'F']))
            .prop_map(|(text, stream, tag)| cri(text, stream, tag)),
        1 => Just("{\"event\":{}}\n".to_owned()),
        1 => Just("\r\n".to_owned()),
        1 => Just("{\"log\":\"x\n".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn where_a_chunk_ends_changes_nothing(lines in prop::collection::vec(line(), 1..120)) {
        let capture = "{}\n".to_owned() + &lines.concat();
        let (seen, _, _) = agreed(capture.as_bytes());
        let begins: Vec<u64> = seen.iter().map(|(_, line, _)| *line).collect();
        let mut sorted = begins.clone();
        sorted.sort_unstable();
        prop_assert_eq!(begins, sorted, "places never go back");
    }
}
