//! Tests of the way from text to contract: what is read, and where every kind of error points.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use super::error::{FILE_BYTES_MAX, Problem};
use super::rules::{Contract, JsonType, OtherTypes, StateRule, TypePattern};
use super::test_support::{BROKEN, WHOLE, shared};

fn refused(bytes: &[u8]) -> super::ContractError {
    Contract::from_bytes(bytes).err().unwrap()
}

#[test]
fn every_member_arrives() {
    let contract = Contract::from_bytes(WHOLE.as_bytes()).unwrap();
    let name = |reason| contract.vocabulary.name(reason);
    assert_eq!(contract.other_types, OtherTypes::Ignore);
    assert_eq!(
        contract.schema_version.as_ref().unwrap().accepted,
        [1, 2, 3]
    );
    assert_eq!(contract.aggregate.default.as_deref(), Some("none"));
    assert_eq!(contract.receipt_retention_days, Some(2));
    assert_eq!(contract.deferral_limit, 3);
    assert_eq!(
        contract.compensation_key("o", 7),
        "compensation:o:payment:v7"
    );
    assert_eq!(contract.extension_pointers, ["partitionkey"]);
    assert_eq!(contract.gate.as_ref().unwrap().done_states, ["y"]);
    let texts: Vec<_> = contract.pointers.iter().map(|p| p.text.as_str()).collect();
    let expected = [
        "/data/v",
        "/partitionkey",
        "/data/n",
        "/data/z",
        "/data/a",
        "/data/theState",
    ];
    assert_eq!(texts, expected);

    let first = &contract.events[0];
    assert_eq!(first.pattern, TypePattern::Exact("t".to_owned()));
    assert_eq!(first.state, StateRule::Is("s".to_owned()));
    let names: Vec<_> = first.reads.iter().map(|read| read.name.as_str()).collect();
    assert_eq!(names, ["z", "a"], "file order");
    let read = &first.reads[0];
    assert_eq!(&*read.default.as_ref().unwrap().json, "null");
    let values: Vec<_> = read
        .values
        .iter()
        .flatten()
        .map(|value| &*value.json)
        .collect();
    assert_eq!(values, ["\"x\"", "1.0", "18446744073709551617"]);
    assert_eq!(read.types, [JsonType::String]);
    assert_eq!(name(read.missing), "missing-z");
    assert_eq!(name(read.unexpected_type), "unexpected-type-of-z");
    assert_eq!(name(read.unknown_value), "unknown-value-of-z");
    assert_eq!(first.reads[1].types, [JsonType::Integer, JsonType::Null]);
    assert!(first.reads[1].default.is_none() && first.reads[1].values.is_none());

    let StateRule::From {
        unknown, values, ..
    } = &contract.events[1].state
    else {
        panic!("a state from a pointer");
    };
    assert_eq!(name(*unknown), "unknown-value-of-the-state");
    assert_eq!(*values, Some(vec![("x".to_owned(), "y".to_owned())]));
}

#[test]
fn every_error_points_at_its_member() {
    for broken in BROKEN {
        let (text, line, column) = broken.text();
        let error = refused(text.as_bytes());
        let place = format!("{error} in {}", broken.put);
        assert_eq!(error.path, broken.path, "{place}");
        assert!(error.to_string().contains(broken.says), "{place}");
        assert_eq!((error.line, error.column), (line, column), "{place}");
    }
}

#[test]
fn null_is_absent_only_where_the_page_says_so() {
    let text = WHOLE
        .replace(r#""schemaVersion": {"pointer": "/data/v", "accepted": [1, 2.0, 3e0], "unknown": "contract-update-required"}"#, r#""schemaVersion": null"#)
        .replace(r#""version": {"pointer": "/data/n", "first": 1}"#, r#""version": null"#);
    let contract = Contract::from_bytes(text.as_bytes()).unwrap();
    assert!(contract.schema_version.is_none() && contract.version.is_none());
    assert!(!contract.gate.unwrap().has_versions);
}

#[test]
fn the_first_matching_rule_wins() {
    let text = WHOLE.replace(r#""type": "t""#, r#""type": "u1""#);
    let contract = Contract::from_bytes(text.as_bytes()).unwrap();
    let state = |event_type| {
        contract
            .event_rule(event_type)
            .map(|rule| rule.pattern.to_string())
    };
    assert_eq!(state("u1").as_deref(), Some("u1"));
    assert_eq!(state("u12").as_deref(), Some("u*"));
    assert_eq!(state("u").as_deref(), Some("u*"));
    assert_eq!(state("U1"), None);
}

#[test]
fn hostile_files_are_errors() {
    assert_eq!(refused(b"").problem, Problem::Empty);
    assert_eq!(refused("\u{feff}".as_bytes()).problem, Problem::Empty);
    let error = refused(b"{\n  \"a\": \"\xff\"}");
    assert_eq!(
        (error.problem, error.line, error.column),
        (Problem::NotUtf8, 2, 9)
    );
    let deep = "[".repeat(FILE_BYTES_MAX);
    assert_eq!(refused(deep.as_bytes()).problem, Problem::TooDeep);
    let large = " ".repeat(FILE_BYTES_MAX + 1);
    assert_eq!(refused(large.as_bytes()).problem, Problem::TooLarge);
    let root = refused(b"[]");
    assert_eq!((root.path.as_str(), root.line, root.column), ("", 1, 1));
    assert_eq!(
        root.to_string(),
        "line 1, column 1: invalid type: array, expected an object"
    );
}

#[test]
fn more_names_than_reasons_are_an_error() {
    use std::fmt::Write as _;
    let mut reads = String::new();
    for index in 0..4000 {
        let _ = write!(reads, "\"r{index}\": {{\"pointer\": \"/r{index}\"}}, ");
    }
    let text = WHOLE.replace(
        r#""a": {"pointer": "/data/a""#,
        &format!("{reads}{}", r#""a": {"pointer": "/data/a""#),
    );
    let error = refused(text.as_bytes());
    assert_eq!(error.problem, Problem::TooManyNames);
    assert!(error.path.starts_with("/events/0/reads/r"), "{error}");
}

#[test]
fn a_byte_order_mark_is_tolerated() {
    assert!(Contract::from_bytes(format!("\u{feff}{WHOLE}").as_bytes()).is_ok());
}

#[test]
fn the_published_cases_are_usable() {
    let Some(folder) = shared("cases") else {
        return;
    };
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.to_string_lossy().ends_with(".contract.json") {
            let outcome = Contract::from_bytes(&std::fs::read(&path).unwrap());
            assert!(outcome.is_ok(), "{}: {outcome:?}", path.display());
            seen += 1;
        }
    }
    assert!(seen > 0);
}
