//! Every log with an expected document gives exactly that document: whole values, compared as JSON.
//!
//! The project's own logs lie in `samples/`; further ones are read from `../shared/cases` where that
//! folder is there.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, and says what it compared"
)]

use std::path::{Path, PathBuf};

use replayscope::engine::BaselinePolicy;
use replayscope::export::Prefix;
use replayscope::session::{CaptureChoice, Facts, Reader, open};
use serde_json::Value;

/// The document of a log, without what names the file and the contract.
fn document(path: &Path, policy: BaselinePolicy) -> Value {
    let run = open(CaptureChoice::File(path), None, policy).unwrap();
    run.load(1);
    assert_eq!(run.failure(), None, "{}", path.display());
    let history = run.history();
    let reader = Reader::new(&run);
    let prefix = Prefix {
        history: &history,
        reader: &reader,
        at: history.last_step(),
        closed: &|_| false,
    };
    let mut out = Vec::new();
    prefix
        .write_trace(&Facts::of(&run, "log").unwrap(), &mut out)
        .unwrap();
    let mut document: Value = serde_json::from_slice(&out).unwrap();
    let members = document.as_object_mut().unwrap();
    members.remove("capture").unwrap();
    members.remove("contract").unwrap();
    document
}

/// Integral numbers are equal however they are spelled (contract.md, "Integers").
fn normal(value: Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(float)
                if !number.is_u64()
                    && !number.is_i64()
                    && float.fract() == 0.0
                    && float.abs() < 1e15 =>
            {
                #[allow(
                    clippy::cast_possible_truncation,
                    reason = "just checked to be a small integer"
                )]
                let integer = float as i64;
                Value::from(integer)
            }
            _ => Value::Number(number),
        },
        Value::Array(items) => Value::Array(items.into_iter().map(normal).collect()),
        Value::Object(members) => Value::Object(
            members
                .into_iter()
                .map(|(name, value)| (name, normal(value)))
                .collect(),
        ),
        other @ (Value::Null | Value::Bool(_) | Value::String(_)) => other,
    }
}

fn logs(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut logs = Vec::new();
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            logs.extend(self::logs(&path));
        } else if expected_of(&path, BaselinePolicy::None).exists() {
            logs.push(path);
        }
    }
    logs.sort();
    logs
}

/// `NAME.first-seen.expected.json` is what the log gives under `--baseline first-seen`.
fn expected_of(log: &Path, policy: BaselinePolicy) -> PathBuf {
    log.with_extension(match policy {
        BaselinePolicy::None => "expected.json",
        BaselinePolicy::FirstSeen => "first-seen.expected.json",
    })
}

/// Whether a log gives its document, under one policy; what differs is printed.
fn agrees(log: &Path, policy: BaselinePolicy) -> bool {
    let expected = std::fs::read(expected_of(log, policy)).unwrap();
    let expected = normal(serde_json::from_slice(&expected).unwrap());
    let found = normal(document(log, policy));
    for (name, wanted) in expected.as_object().unwrap() {
        if found.get(name) != Some(wanted) {
            println!(
                "{}, {policy:?}: {name}\n found    {}\n expected {wanted}",
                log.display(),
                found[name]
            );
        }
    }
    found == expected
}

fn compare_all(folder: &Path) -> usize {
    let logs = logs(folder);
    let mut different = Vec::new();
    let mut compared = 0;
    for log in &logs {
        for policy in [BaselinePolicy::None, BaselinePolicy::FirstSeen] {
            if expected_of(log, policy).exists() {
                compared += 1;
                if !agrees(log, policy) {
                    different.push((log, policy));
                }
            }
        }
    }
    assert!(different.is_empty(), "{different:#?}");
    compared
}

#[test]
fn every_sample_gives_its_document() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    assert!(compare_all(&samples) >= 36);
}

#[test]
fn every_shared_case_gives_its_document() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases");
    if !shared.is_dir() {
        println!("skipped: {} is not there", shared.display());
        return;
    }
    assert!(compare_all(&shared) > 0);
}
