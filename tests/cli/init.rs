//! `contract init`: the contract it proposes finds what was planted in a capture it knows nothing of.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::run;

/// Parcels, each with three versions; nothing is named as in the built-in contracts.
fn parcels() -> Vec<Value> {
    let mut log = Vec::new();
    for parcel in 0..60 {
        for (version, phase) in ["registered", "moving", "handed-over"].iter().enumerate() {
            log.push(json!({
                "specversion": "1.0", "id": format!("p{parcel}-{version}"), "source": "https://parcels.test/depot/north",
                "type": "parcel.moved", "time": "2026-03-02T09:00:00Z", "weightClass": "b",
                "data": {"schema_version": 4, "parcel": {"id": format!("P-{parcel}"), "revision": version},
                         "phase": phase, "grams": 100 + parcel * 7, "route": ["a", "b"]},
            }));
        }
    }
    log
}

fn write(path: &Path, log: &[Value], wrap: impl Fn(usize, String) -> String) {
    let mut text = String::new();
    for (number, event) in log.iter().enumerate() {
        writeln!(text, "{}", wrap(number, event.to_string())).unwrap();
    }
    std::fs::write(path, text).unwrap();
}

/// A version that never came, a schema nobody knows, a foreign source, two facts for one version, and
/// a delivery that came twice.
fn plant(log: &mut Vec<Value>) {
    log[10]["data"]["schema_version"] = json!(9);
    log[41]["source"] = json!("https://elsewhere.test/depot");
    let mut other = log[20].clone();
    other["id"] = json!("another");
    other["data"]["grams"] = json!(1);
    log.push(other);
    log.push(log[30].clone());
    log.remove(100);
}

fn found(capture: &Path) -> Value {
    let contract = capture.with_extension("contract.json");
    let (from, to) = (capture.to_str().unwrap(), contract.to_str().unwrap());
    let ran = run(&["contract", "init", from, "--output", to]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("/data/parcel/revision, 11"), "{}", ran.err);
    let checked = run(&["contract", "check", to]);
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
    run(&["check", from, "--format", "json"]).expect(1).json()
}

#[test]
fn the_proposed_contract_finds_what_was_planted() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = parcels();
    plant(&mut log);
    let bare = folder.path().join("parcels.jsonl");
    write(&bare, &log, |_, event| event);
    let summary = found(&bare);
    let counts = &summary["counts"];
    assert_eq!(counts["contract-update-required"], 1, "{counts}");
    assert_eq!(counts["rejected"], 1, "{counts}");
    assert_eq!(counts["duplicate-or-replay-suppressed"], 1, "{counts}");
    assert_eq!(
        summary["aggregates"].as_array().unwrap().len(),
        3,
        "{summary}"
    );

    let wrapped = folder.path().join("dump.jsonl");
    write(&wrapped, &log, |offset, event| {
        json!({"topic": "parcels", "partition": 0, "offset": offset, "payload": event}).to_string()
    });
    assert_eq!(found(&wrapped)["counts"], *counts);
}

#[test]
fn what_is_inside_strings_is_proposed_to_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = parcels();
    for event in &mut log {
        event["data"] = event["data"].to_string().into();
    }
    let path = folder.path().join("strings.jsonl");
    write(&path, &log, |_, event| event);
    let ran = run(&["contract", "init", path.to_str().unwrap()]);
    let contract = ran.json();
    assert_eq!(contract["readInside"], true);
    assert_eq!(
        contract["version"],
        json!({"pointer": "/data/parcel/revision", "first": 0})
    );
    assert_eq!(contract["aggregate"], json!({"pointer": "/data/parcel/id"}));
    assert_eq!(contract["events"][0]["state"]["pointer"], "/data/phase");
}

#[test]
fn nothing_is_proposed_from_nothing_and_nothing_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("noise.jsonl");
    std::fs::write(&path, "hello\n{\"a\":1}\n").unwrap();
    let ran = run(&["contract", "init", path.to_str().unwrap()]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(
        ran.err.contains("none of the 2 records is an event"),
        "{}",
        ran.err
    );
    let log = folder.path().join("log.jsonl");
    write(&log, &parcels(), |_, event| event);
    let ran = run(&[
        "contract",
        "init",
        log.to_str().unwrap(),
        "--output",
        path.to_str().unwrap(),
    ]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("--force replaces it"), "{}", ran.err);
}

/// What is said on standard error of a proposal from these events.
fn notes(log: &[Value]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("few.jsonl");
    write(&path, log, |_, event| event);
    let ran = run(&["contract", "init", path.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.err
}

#[test]
fn the_only_one_of_a_few_is_asked_about() {
    let mut few = parcels();
    few.truncate(7);
    few[3]["data"]["schema_version"] = json!(9);
    few[4]["source"] = json!("urn:foreign:x");
    few[5]["type"] = json!("parcel.lost");
    few.push(few[6].clone());
    let told = notes(&few);
    for note in [
        "from 8 records: 7 different events, 1 repeat, ",
        "/depot/north (6), urn:foreign:x (only 1 of 7: is it meant?)",
        "/data/schema_version is 4 (6); too few to be the rule, so not accepted: 9 (only 1 of 7: is it meant?)",
        "events: parcel.moved (6), parcel.lost (only 1 of 7: is it meant?)",
    ] {
        assert!(told.contains(note), "{note}: {told}");
    }
    // Behind a prefix that is the rule it is asked about too.
    few[4]["source"] = json!("https://parcels.test/depot/south");
    let told = notes(&few);
    let note = "/depot/ (7); only 1 of 7 is from https://parcels.test/depot/south: is it meant?";
    assert!(told.contains(note), "{told}");
    let mut gap = parcels();
    gap.truncate(12);
    gap.remove(1);
    assert!(notes(&gap).contains("\n1 aggregate waits for a version"));
    // Of many, or where nothing is common, nobody is asked.
    let mut many = parcels();
    many[3]["type"] = json!("parcel.lost");
    assert!(!notes(&many).contains("is it meant"));
    assert!(!notes(&many[2..5]).contains("is it meant"));
}

#[test]
fn schema_versions_that_are_texts_are_shown_and_not_checked() {
    let mut few = parcels();
    few.truncate(6);
    for event in &mut few {
        event["data"]["schema_version"] = json!("1.0");
    }
    few[2]["data"]["schema_version"] = json!("2.0");
    let told = notes(&few);
    let note = "/data/schema_version is a text, 1.0 (5), 2.0 (only 1 of 6: is it meant?); \
                a contract can check integers only";
    assert!(told.contains(note), "{told}");
}
