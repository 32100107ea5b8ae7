//! `verify`, and what marks do to `check` and `trace`.

use std::fs;

use replayscope::review::Disposition;
use serde_json::Value;

use super::common::{Bench, conflict_and_gap, event};

fn closed() -> Bench {
    let bench = Bench::new(&conflict_and_gap());
    bench.mark(3, Disposition::Explained, "two payments");
    bench.mark(4, Disposition::AcceptedAsIs, "");
    bench
}

fn open_steps(bench: &Bench) -> (Vec<Value>, String) {
    let ran = bench.run("trace", &["--format", "json"]);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    (
        document["evidence"]["open"].as_array().unwrap().clone(),
        ran.err,
    )
}

#[test]
fn marks_that_close_count_as_resolving() {
    let bench = Bench::new(&conflict_and_gap());
    assert_eq!(bench.run("check", &[]).code, 1);
    bench.mark(3, Disposition::Explained, "");
    let one = bench.run("check", &[]);
    assert_eq!((one.code, one.err.as_str()), (1, ""));
    assert!(
        one.out.contains("evidence: 1 open, 1 resolved"),
        "{}",
        one.out
    );
    bench.mark(4, Disposition::ManualReview, "");
    assert_eq!(bench.run("check", &[]).code, 1, "that keeps it open");
    bench.mark(4, Disposition::AcceptedAsIs, "");
    let all = bench.run("check", &[]);
    assert_eq!((all.code, all.err.as_str()), (0, ""));
    assert_eq!(open_steps(&bench).0, Vec::<Value>::new());
    let table = bench.run("trace", &[]).out;
    assert!(table.contains("evidence: 0 open, 2 resolved"), "{table}");
    let before = bench.run("trace", &["--format", "json", "--at", "3"]).out;
    assert!(
        before.contains("\"evidence\": {\"open\":[],\"resolved\":[3]}"),
        "{before}"
    );
}

#[test]
fn a_case_elsewhere_is_named_and_a_missing_one_is_told() {
    let bench = closed();
    fs::rename(bench.case(), bench.path("INC-417")).unwrap();
    assert_eq!(
        bench.run("check", &[]).code,
        1,
        "no case beside the capture"
    );
    assert_eq!(bench.run("check", &["--case", "INC-417"]).code, 0);
    assert_eq!(bench.run_piped("check", &["--case", "INC-417"]).code, 0);
    let missing = bench.run("check", &["--case", "INC-418"]);
    assert_eq!(missing.code, 1);
    assert!(
        missing.err.contains("INC-418: there is no such case file"),
        "{}",
        missing.err
    );
    assert_eq!(bench.run("check", &["--case", "."]).code, 2);
    assert_eq!(
        bench.names(),
        ["INC-417", "orders.jsonl"],
        "nothing is made by looking"
    );
}

#[test]
fn a_broken_case_closes_nothing_and_is_told() {
    let bench = closed();
    let mut bytes = fs::read(bench.case()).unwrap();
    let at = bytes.len() / 2;
    bytes[at] ^= 1;
    fs::write(bench.case(), &bytes).unwrap();
    let ran = bench.run("check", &[]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("broken at line 2"), "{}", ran.err);
    let (open, err) = open_steps(&bench);
    assert_eq!(open, [3, 4]);
    assert!(err.contains("no mark of it closes any evidence"), "{err}");
    let report = bench.run("report", &[]);
    assert!(report.out.contains("NOT VERIFIED"), "{}", report.out);
    assert!(report.err.contains("broken at line 2"), "{}", report.err);
    assert_eq!(
        fs::read(bench.case()).unwrap(),
        bytes,
        "it is left as it is"
    );
}

#[test]
fn a_grown_capture_keeps_what_was_said_of_the_same_bytes() {
    let bench = closed();
    let mut bytes = fs::read(bench.capture()).unwrap();
    let more = event("evt-9", "order-9", 1, "accepted").to_string();
    bytes.extend_from_slice(more.as_bytes());
    fs::write(bench.capture(), &bytes).unwrap();
    let grown = bench.run("check", &[]);
    assert_eq!(grown.code, 0, "{}", grown.out);
    assert!(
        grown.err.contains("another capture or other content"),
        "{}",
        grown.err
    );
    assert_eq!(bench.run("verify", &[]).code, 1);

    // One byte of a marked record: the mark speaks of other bytes now.
    let text = String::from_utf8(bytes).unwrap();
    fs::write(bench.capture(), text.replace("evt-2b", "evt-2c")).unwrap();
    let changed = bench.run("check", &[]);
    assert_eq!(changed.code, 1);
    assert!(
        changed.err.contains("1 marks were made on other bytes"),
        "{}",
        changed.err
    );
}

#[test]
fn a_whole_case_is_proven_and_its_head_hash_printed() {
    let bench = closed();
    let ran = bench.run("verify", &[]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let head = bench.json(&[])["case"]["head"].as_str().unwrap().to_owned();
    assert!(
        ran.out.contains(&format!("head hash  {head}")),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("2 entries hold"), "{}", ran.out);
    assert!(ran.out.contains("\nproven: "), "{}", ran.out);
    assert!(ran.out.contains("not signed"), "{}", ran.out);
    assert_eq!(
        bench
            .run_piped("verify", &["--case", "orders.jsonl.case.jsonl"])
            .code,
        0
    );
    let help = bench.run("verify", &["--help"]).out;
    for said in [
        "NOT SIGNED",
        "forge",
        "taken away from its end",
        "head hash",
    ] {
        assert!(help.contains(said), "{said}");
    }
}

#[test]
fn what_cannot_be_verified_has_its_own_exit_code() {
    let bench = Bench::new(&conflict_and_gap());
    let none = bench.run("verify", &[]);
    assert_eq!(none.code, 1);
    assert!(
        none.err.contains("no such case file, so nothing is proven"),
        "{}",
        none.err
    );
    assert_eq!(bench.names(), ["orders.jsonl"]);
    assert_eq!(bench.run("verify", &["--case", "."]).code, 2);
    assert_eq!(bench.run_piped("verify", &[]).code, 2);
    fs::write(bench.case(), "\u{1b}[31mno case\n").unwrap();
    let other = bench.run("verify", &[]);
    assert_eq!(other.code, 1);
    assert!(other.out.contains("no case file"), "{}", other.out);
    fs::remove_file(bench.capture()).unwrap();
    assert_eq!(bench.run("verify", &[]).code, 2);
}

#[test]
fn another_contract_is_a_difference() {
    let bench = closed();
    let ran = bench.run("verify", &["--contract", "cloudevents"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.out.contains("differs    the contract cloudevents"),
        "{}",
        ran.out
    );
}

#[test]
fn every_changed_byte_of_a_capture_is_noticed() {
    let record = r#"{"specversion":"1.0","id":"e","source":"urn:checkout:o","type":"t","data":{"orderId":"1"}}"#;
    let bench = Bench::with_bytes(record.as_bytes());
    bench.mark(1, Disposition::ManualReview, "");
    assert_eq!(bench.run("verify", &[]).code, 0);
    let mut bytes = record.as_bytes().to_vec();
    for at in 0..bytes.len() {
        bytes[at] ^= 1;
        fs::write(bench.capture(), &bytes).unwrap();
        let ran = bench.run("verify", &[]);
        assert_eq!(ran.code, 1, "byte {at}: {}", ran.out);
        assert!(
            ran.out.contains("differs    the capture's content"),
            "byte {at}"
        );
        bytes[at] ^= 1;
    }
    fs::write(bench.capture(), &bytes).unwrap();
    assert_eq!(bench.run("verify", &[]).code, 0);
    fs::write(bench.capture(), &bytes[1..]).unwrap();
    assert_eq!(bench.run("verify", &[]).code, 1, "a byte less");
}

#[test]
fn changed_bytes_of_a_case_file_are_noticed() {
    let bench = closed();
    let whole = fs::read(bench.case()).unwrap();
    let places = (0..whole.len()).step_by(whole.len() / 40);
    for at in places.chain([whole.len() - 1]) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(bench.case(), &bytes).unwrap();
        let ran = bench.run("verify", &[]);
        assert_eq!(ran.code, 1, "byte {at}: {}", ran.out);
        assert!(ran.out.contains("NOT PROVEN"), "byte {at}: {}", ran.out);
    }
}
