//! Tests of where a capture's bytes come from.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use super::*;
use std::io::Write;

fn file_with(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    file
}

#[test]
fn utf16_captures_name_the_way_out() {
    for bytes in [&b"\xff\xfe{\0"[..], b"\xfe\xff\0{"] {
        let file = file_with(bytes);
        let message = Input::open(file.path()).unwrap_err().to_string();
        assert!(message.contains("iconv -f UTF-16"), "{message}");
    }
}

#[test]
fn archives_name_the_way_out() {
    let mut tar = b"orders.jsonl".to_vec();
    tar.resize(257, 0);
    tar.extend_from_slice(b"ustar\x0000");
    tar.resize(1024, b' ');
    for (bytes, wanted) in [
        (
            b"\xfd7zXZ\0\0\x04".as_slice(),
            "is xz; open it with: xz -dc < ",
        ),
        (b"BZh91AY&SY", "is bzip2; open it with: bzip2 -dc < "),
        (b"PK\x03\x04\x14\0", "is zip; open it with: unzip -p "),
        (&tar, "is tar; open it with: tar -xOf - < "),
    ] {
        let file = file_with(bytes);
        let message = Input::open(file.path()).unwrap_err().to_string();
        let command = message.ends_with(" | replayscope -");
        assert!(message.contains(wanted) && command, "{message}");
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

/// Gives what it has, then fails as a broken disk does.
struct Broken(&'static [u8]);

impl Read for Broken {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::from_raw_os_error(5)),
            filled => Ok(filled),
        }
    }
}

#[test]
fn what_came_before_an_error_stays() {
    let input = Input::stream("pipe", Box::new(Broken(b"0123456789"))).unwrap();
    let mut buffer = [0; 20];
    let mut at = 0;
    while let filled @ 1.. = input.read_next(at, &mut buffer).unwrap() {
        at += filled as u64;
    }
    assert_eq!((at, input.has_ended()), (10, true));
    let told = input.fault().unwrap().to_string();
    assert!(
        told.starts_with("pipe: ") && told.contains("error 5"),
        "{told}"
    );
    input.read_exact_at(3, &mut buffer[..4]).unwrap();
    assert_eq!(&buffer[..4], b"3456");
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
