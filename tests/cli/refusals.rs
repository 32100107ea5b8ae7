//! Captures that cannot be read: exit 2, nothing on standard output, and the way out.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use super::common::{event, folder_with, lines, run_on};

const COMMANDS: [&str; 4] = [
    "trace",
    "trace --format json",
    "trace --format jsonl",
    "check",
];

#[test]
fn a_missing_file_and_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    for command in COMMANDS {
        let ran = run_on(command, &folder.path().join("orders.jsonl"), &[]).expect(2);
        assert!(
            ran.err.contains("orders.jsonl: no such file"),
            "{}",
            ran.err
        );
        assert_eq!(ran.out, "");
        let ran = run_on(command, folder.path(), &[]).expect(2);
        assert!(
            ran.err.contains("is a directory; name the files in it"),
            "{}",
            ran.err
        );
        assert_eq!(ran.out, "");
    }
}

#[test]
fn utf_16_names_the_program_that_converts_it() {
    let text: Vec<u8> = "\u{feff}{}\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let (_folder, path) = folder_with("orders.jsonl", &text);
    for command in COMMANDS {
        let ran = run_on(command, &path, &[]).expect(2);
        assert!(ran.err.contains("is UTF-16"), "{}", ran.err);
        assert!(
            ran.err.contains("iconv -f UTF-16 -t UTF-8 < "),
            "{}",
            ran.err
        );
        assert_eq!(ran.out, "");
    }
}

#[test]
fn file_names_are_shown_safely_and_never_alike() {
    let text = lines(&[event("a", 1, "accepted")]);
    let names: [&[u8]; 6] = [
        b"a\x1b[31m.jsonl",
        b"a\\u{1b}[31m.jsonl",
        b"a\nb.jsonl",
        "a\u{202e}lnosj.jsonl".as_bytes(),
        b"a\xff.jsonl",
        b"a\\xff.jsonl",
    ];
    let mut heads = std::collections::BTreeSet::new();
    let mut errors = std::collections::BTreeSet::new();
    let folder = tempfile::tempdir().unwrap();
    for name in names {
        let path = folder.path().join(OsStr::from_bytes(name));
        let missing = run_on("check", &path, &[]).expect(2).err;
        std::fs::write(&path, &text).unwrap();
        let out = run_on("check", &path, &[]).expect(0).out;
        for printed in [&out, &missing] {
            let unsafe_one = printed
                .chars()
                .find(|character| character.is_control() && *character != '\n');
            assert_eq!(unsafe_one, None, "{printed:?}");
            assert!(!printed.contains('\u{202e}'), "{printed:?}");
        }
        assert_eq!(missing.lines().count(), 1, "{missing:?}");
        heads.insert(out.lines().next().unwrap().to_owned());
        errors.insert(missing);
        run_on("trace", &path, &[]).expect(0);
    }
    assert_eq!(heads.len(), names.len(), "{heads:#?}");
    assert_eq!(errors.len(), names.len(), "{errors:#?}");
}

#[test]
fn a_full_disk_behind_standard_output_is_an_error() {
    let (_folder, path) = folder_with("a.jsonl", lines(&[event("a", 1, "accepted")]).as_bytes());
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
        return;
    };
    for command in COMMANDS {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_replayscope"))
            .args(command.split(' '))
            .arg(&path)
            .stdout(full.try_clone().unwrap())
            .stderr(std::process::Stdio::piped())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{command}");
        assert!(!output.stderr.is_empty(), "{command}");
    }
}
