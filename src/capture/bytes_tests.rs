//! Tests of where a capture's bytes come from.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use std::io::Write;

fn file_with(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    file
}

#[test]
fn compressed_and_utf16_captures_name_the_way_out() {
    for (bytes, way_out) in [
        (&b"\x1f\x8b\x08\x00"[..], "gzip -dc"),
        (b"\x28\xb5\x2f\xfd\x00", "zstd -dc"),
        (b"\xff\xfe{\0", "iconv -f UTF-16"),
        (b"\xfe\xff\0{", "iconv -f UTF-16"),
    ] {
        let file = file_with(bytes);
        let message = Input::open(file.path()).unwrap_err().to_string();
        assert!(message.contains(way_out), "{message}");
    }
}

#[test]
fn what_cannot_be_opened_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = Input::open(folder.path()).unwrap_err();
    assert!(matches!(error, CaptureError::Directory { .. }));
    let error = Input::open(&folder.path().join("a\u{1b}b")).unwrap_err();
    assert!(matches!(error, CaptureError::NotFound { .. }));
    assert!(error.to_string().contains("a\\u{1b}b"), "{error}");
}

#[test]
fn two_names_never_look_the_same() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let names: [&[u8]; 6] = [
        b"a\x1b",
        b"a\\u{1b}",
        b"a\xff",
        b"a\\xff",
        "a\u{fffd}".as_bytes(),
        "a\u{202e}".as_bytes(),
    ];
    let seen: std::collections::BTreeSet<String> = names
        .iter()
        .map(|name| shown(Path::new(OsStr::from_bytes(name))))
        .collect();
    assert_eq!(seen.len(), names.len(), "{seen:?}");
}

#[test]
fn a_command_to_copy_runs_nothing_that_a_name_says() {
    for (name, expected) in [
        ("orders.jsonl.gz", " < orders.jsonl.gz"),
        ("my orders.gz", " < 'my orders.gz'"),
        ("x;reboot #.gz", " < 'x;reboot #.gz'"),
        ("it's.gz", " < 'it'\\''s.gz'"),
        ("a\u{1b}[2J.gz", " < FILE"),
    ] {
        assert_eq!(argument(Path::new(name)), expected);
    }
}

#[test]
fn a_compressed_stream_has_no_name_to_open() {
    let error = check_stream_head("standard input", b"\x1f\x8b\x08\x00").unwrap_err();
    let text = "standard input: is compressed (gzip); open it with: gzip -dc | replayscope -";
    assert_eq!(error.to_string(), text);
}

#[test]
fn growing_and_shrinking_are_seen() {
    let mut file = file_with(b"0123456789");
    let input = Input::open(file.path()).unwrap();
    assert_eq!(input.change().unwrap(), None);
    file.write_all(b"ab").unwrap();
    assert_eq!(input.change().unwrap(), Some(Change::Grown(2)));
    let mut buffer = [0; 20];
    assert_eq!(input.read_next(0, &mut buffer).unwrap(), 10);
    file.as_file().set_len(4).unwrap();
    assert_eq!(input.change().unwrap(), Some(Change::Truncated(6)));
    let error = input.read_exact_at(2, &mut [0; 4]).unwrap_err();
    assert!(matches!(
        error,
        CaptureError::Truncated {
            offset_bytes: 4,
            ..
        }
    ));
}

#[test]
fn a_stream_can_be_read_again() {
    let input = Input::stream("pipe", Box::new(&b"0123456789"[..])).unwrap();
    let mut buffer = [0; 4];
    assert_eq!(input.read_next(0, &mut buffer).unwrap(), 4);
    assert!(!input.has_ended());
    assert_eq!(input.read_next(4, &mut [0; 20]).unwrap(), 6);
    assert_eq!(input.read_next(10, &mut buffer).unwrap(), 0);
    assert!(input.has_ended());
    input.read_exact_at(3, &mut buffer).unwrap();
    assert_eq!(&buffer, b"3456");
    assert_eq!(input.sha256().unwrap()[..4], [0x84, 0xd8, 0x98, 0x77]);
}
