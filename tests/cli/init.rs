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

/// An order's event of few members.
fn order(id: &str, order: &str, version: u64, status: &str) -> Value {
    json!({
        "specversion": "1.0", "id": id, "source": "urn:shop:orders", "type": "order.changed",
        "data": {"orderId": order, "orderVersion": version, "status": status, "schemaVersion": 1},
    })
}

/// A gap, a conflict, a late event, an id used twice and a refused schema, in a dozen deliveries.
fn damaged() -> Vec<Value> {
    let mut log = vec![
        order("e1", "o-1", 1, "accepted"),
        order("e2", "o-1", 2, "paid"),
        order("e2", "o-1", 2, "paid"),
        order("e3", "o-2", 1, "accepted"),
        order("e4", "o-2", 3, "reserved"),
        order("e5", "o-1", 2, "cancelled"),
        order("e6", "o-3", 1, "accepted"),
        order("e7", "o-1", 3, "reserved"),
        order("e3", "o-2", 1, "cancelled"),
        order("e8", "o-4", 1, "accepted"),
        order("e9", "o-5", 1, "accepted"),
        order("e10", "o-5", 3, "reserved"),
        order("e11", "o-5", 2, "paid"),
    ];
    log[6]["data"]["schemaVersion"] = json!(9);
    log
}

/// The proposed contract, what is said of it, and what `check` counts under it.
fn proposed(log: &[Value]) -> (Value, String, Value) {
    let folder = tempfile::tempdir().unwrap();
    let capture = folder.path().join("log.jsonl");
    let contract = folder.path().join("log.contract.json");
    write(&capture, log, |_, event| event);
    let (from, to) = (capture.to_str().unwrap(), contract.to_str().unwrap());
    let ran = run(&["contract", "init", from, "--output", to]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let file = serde_json::from_slice(&std::fs::read(&contract).unwrap()).unwrap();
    let checked = run(&["check", from, "--format", "json"]).json();
    (file, ran.err, checked["counts"].clone())
}

#[test]
fn a_damaged_capture_shows_its_version_and_check_its_damage() {
    let (contract, told, counts) = proposed(&damaged());
    assert_eq!(contract["aggregate"], json!({"pointer": "/data/orderId"}));
    let version = json!({"pointer": "/data/orderVersion", "first": 1});
    assert_eq!(contract["version"], version);
    for note in [
        "at /data/orderVersion, 4 of 6 steps",
        "1 of them late (seen in 3 aggregates); 1 step over a number that is missing, \
         1 event with a number that another has too, the first at record 5, which goes from 1 to 3",
        "/data/schemaVersion is 1 (10); too few to be the rule, so not accepted: 9 (only 1 of 11",
    ] {
        assert!(told.contains(note), "{note}: {told}");
    }
    assert_eq!(counts["contract-update-required"], 1, "{counts}");
    assert_eq!(counts["same-version-event-rejected"], 1, "{counts}");
    assert_eq!(counts["deferred-version-gap"], 2, "{counts}");
    assert_eq!(counts["duplicate-or-replay-suppressed"], 2, "{counts}");
}

#[test]
fn one_aggregate_alone_is_one() {
    let versions = [1, 2, 2, 4];
    let event = |(at, version)| order(&format!("e{at}"), "o-1", version, "paid");
    let log: Vec<Value> = versions.into_iter().enumerate().map(event).collect();
    let (contract, told, counts) = proposed(&log);
    assert_eq!(contract["aggregate"], json!({"pointer": "/data/orderId"}));
    assert_eq!(contract["version"]["pointer"], "/data/orderVersion");
    assert!(told.contains("its name decided"), "{told}");
    assert_eq!(counts["deferred-version-gap"], 1, "{counts}");
    assert_eq!(counts["same-version-event-rejected"], 1, "{counts}");
    let unversioned: Vec<Value> = log
        .iter()
        .map(|event| {
            let mut event = event.clone();
            event["data"]
                .as_object_mut()
                .unwrap()
                .remove("orderVersion");
            event
        })
        .collect();
    let (contract, told, _) = proposed(&unversioned);
    assert_eq!(contract["version"], Value::Null);
    let note = "4 of 4 events have a text at /data/orderId, 1 different";
    assert!(told.contains(note), "{told}");
}

/// A change of a row, as Debezium writes it.
fn change(at: usize, after: &Value) -> Value {
    json!({
        "before": null, "after": after, "op": "c", "ts_ms": 1_772_442_000_000_u64,
        "source": {"version": "2.5", "connector": "postgresql", "name": "pg", "db": "shop",
                   "schema": "public", "table": "orders", "txId": 500 + at, "lsn": 9_000 + at},
        "transaction": {"id": "500", "total_order": at + 1, "data_collection_order": at + 1},
    })
}

fn changes(row: impl Fn(usize, usize) -> Value) -> Vec<Value> {
    let rows = (0..5).flat_map(|version| (0..4).map(move |order| (order, version)));
    let rows = rows.filter(|row| *row != (2, 3)).enumerate();
    rows.map(|(at, (order, version))| change(at, &row(order, version + 1)))
        .collect()
}

#[test]
fn what_debezium_counts_is_no_version() {
    let rows = |order, version| json!({"id": format!("o-{order}"), "version": version});
    let (contract, told, counts) = proposed(&changes(rows));
    assert_eq!(contract["aggregate"], json!({"pointer": "/data/after/id"}));
    let version = json!({"pointer": "/data/after/version", "first": 1});
    assert_eq!(contract["version"], version);
    assert!(!told.contains("/data/source") && !told.contains("/data/transaction"));
    assert_eq!(counts["deferred-version-gap"], 1, "{counts}");
    assert_eq!(counts["event-applied"], 18, "{counts}");
}

#[test]
fn a_version_that_no_contract_reads_is_a_near_miss() {
    let outbox = |order, version| {
        json!({"id": format!("u-{order}-{version}"), "aggregatetype": "order", "aggregateid": format!("o-{order}"),
               "payload": json!({"v": version}).to_string()})
    };
    let (contract, told, _) = proposed(&changes(outbox));
    let aggregate = json!({"pointer": "/data/after/aggregateid"});
    assert_eq!(contract["aggregate"], aggregate);
    assert_eq!(contract["version"], Value::Null);
    for note in [
        "a near miss: at /data/after/payload»/v, 14 of 15 steps",
        "the first at record 18, which goes from 3 to 5; \
         a contract does not look into JSON that a text holds",
    ] {
        assert!(told.contains(note), "{note}: {told}");
    }
    // Ids and versions of another type are named as well.
    let numbers = |order, version| json!({"id": order + 1, "version": version});
    let (contract, told, _) = proposed(&changes(numbers));
    assert_eq!(contract["version"], Value::Null);
    let note = "the aggregate there is a number, and a contract's aggregate is a text";
    assert!(
        told.contains("(/data/after/id)") && told.contains(note),
        "{told}"
    );
    let texts =
        |order, version: usize| json!({"id": format!("o-{order}"), "version": version.to_string()});
    let (contract, told, _) = proposed(&changes(texts));
    assert_eq!(contract["version"], Value::Null);
    let note = "it is a text, and a contract's version is an integer";
    assert!(
        told.contains("at /data/after/version, ") && told.contains(note),
        "{told}"
    );
}
