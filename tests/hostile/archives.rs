//! Compressed captures that are damaged, cut off, or made to hurt: what can be read of them is decided,
//! what cannot is told, and nothing out of them reaches a terminal as it is.

use std::io::Write;

use flate2::{Compression, GzBuilder};

use super::common::{assert_harmless, built_in, print, print_table, records, run};

const STEPS: usize = 12;

fn lines() -> Vec<String> {
    let line = |version: usize| {
        let data = format!(
            r#"{{"schemaVersion":1,"orderId":"o","orderVersion":{version},"status":"paid"}}"#
        );
        format!(
            r#"{{"specversion":"1.0","id":"e{version}","source":"urn:checkout:orders","type":"com.example.order.status.changed","subject":"o","data":{data}}}"#
        )
    };
    (1..=STEPS).map(line).collect()
}

fn text() -> Vec<u8> {
    lines().join("\n").into_bytes()
}

fn gzipped(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzBuilder::new()
        .filename("\u{1b}[2J\u{202e}.jsonl")
        .comment("\u{1b}]0;mine\u{7}")
        .extra(b"\x1b[31m".to_vec())
        .write(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zstded(text: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// Runs over what is faulty: the records are those of the text before the fault, the last of them
/// perhaps a piece, which is never taken for a whole one.
fn run_over_faulty(bytes: &[u8], about: &str) -> usize {
    let run = run(bytes, &built_in("consistency"));
    let told = run
        .failure()
        .unwrap_or_else(|| panic!("{about}: nothing told"));
    assert_harmless(&told, about);
    assert_eq!(told.lines().count(), 1, "{told}");
    let table = print_table(&run);
    assert_harmless(&table, about);
    let came = records(&run);
    let text = text();
    let read = came.join(&b'\n');
    assert!(text.starts_with(&read), "{about}: other text came");
    let whole = lines();
    let pieces = came
        .iter()
        .zip(&whole)
        .filter(|(record, line)| record.as_slice() != line.as_bytes())
        .count();
    assert!(pieces <= 1, "{about}");
    assert_eq!(
        table.matches("malformed").count() > 0,
        pieces == 1,
        "{about}\n{table}"
    );
    came.len()
}

#[test]
fn cut_at_every_byte() {
    for (bytes, shortest) in [(gzipped(&text()), 2), (zstded(&text()), 4)] {
        let mut most = 0;
        for length in shortest..bytes.len() {
            let came = run_over_faulty(&bytes[..length], &format!("cut at {length}"));
            assert!(came >= most, "less came of more: {length}");
            most = came;
        }
        assert_eq!(most, STEPS);
        let run = run(&bytes, &built_in("consistency"));
        assert_eq!(run.failure(), None);
        assert_harmless(&print(&run).table, "whole");
    }
}

#[test]
fn garbage_behind_the_last_member_is_told_and_the_members_stay() {
    let tails: [&[u8]; 5] = [
        b"{\"specversion\":\"1.0\"}",
        b"\x1f\x8b",
        b"\x1f\x8b\x07\0\0\0\0\0\0\0",
        b"\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff\xff",
        b"\x1b[2J",
    ];
    for tail in tails {
        for archive in [gzipped(&text()), zstded(&text())] {
            let bytes = [&archive[..], tail].concat();
            assert_eq!(run_over_faulty(&bytes, &format!("{tail:?}")), STEPS);
        }
    }
}

#[test]
fn archives_made_to_hurt() {
    let endless_name = [&b"\x1f\x8b\x08\x08\0\0\0\0\0\0"[..], &vec![b'a'; 1 << 20]].concat();
    let stored = [&b"\x1f\x8b\x08\0\0\0\0\0\0\0"[..], b"\x00\xff\xff\x00\x00"].concat();
    let bad_lengths = [&b"\x1f\x8b\x08\0\0\0\0\0\0\0"[..], b"\x00\xff\xff\xff\xff"].concat();
    let huge_skip = b"\x50\x2a\x4d\x18\xff\xff\xff\xff".to_vec();
    let wide = b"\x28\xb5\x2f\xfd\x00\xff\x01\x00\x00".to_vec();
    let dictionary = b"\x28\xb5\x2f\xfd\x03\x50\xff\xff\xff\xff\x01\x00\x00".to_vec();
    for bytes in [
        endless_name,
        stored,
        bad_lengths,
        huge_skip,
        wide,
        dictionary,
    ] {
        assert_eq!(run_over_faulty(&bytes, &format!("{:x?}", &bytes[..8])), 0);
    }
    // Empty frames and members without end cost time, and nothing else.
    let many = gzipped(b"").repeat(20_000);
    let run = run(&many, &built_in("consistency"));
    assert_eq!((run.failure(), run.history().last_record().0), (None, 0));
}
