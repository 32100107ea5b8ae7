//! The reference capture is what it says it is: its shares, its size, and the truth beside it.
//!
//! Small enough for every test run; the program that makes the large ones and measures is
//! `reference.rs` beside this.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod generate;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::Command;

use generate::{Class, Expected, generate};
use serde_json::Value;

const SEED: u64 = 417;
const DELIVERIES: u64 = 20_000;
/// The smallest size that something is promised for.
const COMPARED_DELIVERIES: u64 = 100_000;

fn reference() -> Vec<(String, Expected)> {
    generate(SEED, DELIVERIES).collect()
}

#[test]
fn a_seed_is_a_capture() {
    let lines = |seed| generate(seed, 500).collect::<Vec<_>>();
    assert_eq!(lines(1), lines(1));
    assert_ne!(lines(1), lines(2));
}

#[test]
fn the_shares_are_as_promised() {
    let all = reference();
    let mut shares: BTreeMap<&str, u32> = BTreeMap::new();
    for (_, expected) in &all {
        let name = match expected.class {
            Class::Fact => "fact",
            Class::Late => "late",
            Class::Duplicate => "duplicate",
            Class::UnknownSchema => "unknown schema",
            Class::BadEnvelope(_) => "bad envelope",
            Class::Conflict => "conflict",
            Class::Stale => "stale",
        };
        *shares.entry(name).or_default() += 1;
    }
    // Of 100,000, with room for chance: four standard deviations of a share this small.
    let promised = [
        ("late", 2_000.0),
        ("duplicate", 3_000.0),
        ("unknown schema", 500.0),
        ("bad envelope", 200.0),
        ("conflict", 100.0),
        ("stale", 100.0),
    ];
    for (name, per_100_000) in promised {
        let wanted = per_100_000 / 5.0;
        let found = f64::from(shares[name]);
        let room = 4.0 * f64::sqrt(wanted);
        assert!(
            (found - wanted).abs() < room,
            "{name}: {found}, not {wanted} ± {room}"
        );
    }
    let orders: BTreeSet<u64> = all.iter().map(|(_, expected)| expected.order).collect();
    assert!(
        (4_300..4_700).contains(&orders.len()),
        "{} orders",
        orders.len()
    );
    let bytes: usize = all.iter().map(|(line, _)| line.len() + 1).sum();
    assert!(
        (620..660).contains(&(bytes / all.len())),
        "{} bytes each",
        bytes / all.len()
    );
}

#[test]
fn every_line_says_what_the_truth_says_of_it() {
    for (line, expected) in reference() {
        let record: Value = serde_json::from_str(&line).unwrap();
        let event = &record["event"];
        assert_eq!(event["data"]["orderVersion"], expected.version, "{line}");
        assert_eq!(
            event["data"]["orderId"],
            format!("order-{:08}", expected.order)
        );
        let reason = match () {
            () if event["id"].is_null() => Some("missing-id"),
            () if event["subject"].is_null() => Some("missing-subject"),
            () if event["specversion"] != "1.0" => Some("unsupported-context-version"),
            () if !event["source"]
                .as_str()
                .unwrap()
                .starts_with("urn:checkout:") =>
            {
                Some("source-outside-orders-boundary")
            }
            () if !event["data"]["schemaVersion"].is_number() => Some("missing-schema-version"),
            () if event["data"]["schemaVersion"] == 3 => Some("schema-version-not-accepted"),
            () => None,
        };
        assert_eq!(reason, expected.reason, "{line}");
    }
}

#[test]
fn the_truth_holds_together() {
    let all = reference();
    let mut states: BTreeMap<&str, u32> = BTreeMap::new();
    let mut applied: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    let mut identities: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
    let mut waiting: BTreeSet<u64> = BTreeSet::new();
    for (line, expected) in &all {
        let record: Value = serde_json::from_str(line).unwrap();
        let id = record["event"]["id"].to_string();
        let released = expected.releases.iter().copied();
        for (number, state) in released.chain([(expected.record, expected.state)]) {
            *states.entry(state).or_default() += 1;
            let version = all[usize::try_from(number - 1).unwrap()].1.version;
            if state == "event-applied" {
                applied.entry(expected.order).or_default().push(version);
            }
            if number != expected.record {
                assert!(
                    waiting.remove(&number),
                    "r{number} is released and did not wait"
                );
            }
        }
        let is_applied = expected.state == "event-applied";
        if is_applied || expected.state == "deferred-version-gap" {
            let is_first = identities.entry(expected.order).or_default().insert(id);
            assert!(is_first || !is_applied, "applied twice: {line}");
            if is_first && !is_applied {
                waiting.insert(expected.record);
            }
        }
    }
    for (order, mut versions) in applied {
        versions.sort_unstable();
        let up_to = u64::try_from(versions.len()).unwrap();
        assert_eq!(versions, (1..=up_to).collect::<Vec<_>>(), "order {order}");
    }
    assert!(!waiting.is_empty(), "some gaps never close");
    let kinds: Vec<&str> = states.into_keys().collect();
    assert_eq!(
        kinds,
        [
            "contract-update-required",
            "deferred-version-gap",
            "duplicate-or-replay-suppressed",
            "event-applied",
            "rejected",
            "same-version-event-rejected",
            "stale-event-ignored",
        ]
    );
}

/// The program agrees with the truth on every step of a hundred thousand deliveries: record, kind,
/// state and reason.
#[test]
fn the_program_agrees_with_the_truth() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reference.jsonl");
    let mut capture = BufWriter::new(File::create(&path).unwrap());
    let mut all = Vec::new();
    for (line, expected) in generate(SEED, COMPARED_DELIVERIES) {
        writeln!(capture, "{line}").unwrap();
        all.push(expected);
    }
    drop(capture.into_inner().unwrap());
    let output = Command::new(env!("CARGO_BIN_EXE_replayscope"))
        .args(["trace", "--format", "jsonl"])
        .arg(&path)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let mut steps = text.lines().map(|line| {
        let step: Value = serde_json::from_str(line).unwrap();
        ["record", "kind", "state", "reason"].map(|name| step[name].clone())
    });
    for expected in &all {
        let (record, state, reason) = (expected.record, expected.state, expected.reason);
        let delivery = [
            record.into(),
            "delivery".into(),
            state.into(),
            reason.into(),
        ];
        assert_eq!(steps.next(), Some(delivery), "{expected:?}");
        for (waited, state) in &expected.releases {
            let replay = [
                (*waited).into(),
                "replay".into(),
                (*state).into(),
                Value::Null,
            ];
            assert_eq!(steps.next(), Some(replay), "released by {expected:?}");
        }
    }
    assert_eq!(steps.next(), None);
}
