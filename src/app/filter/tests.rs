//! Filters are read as they are meant, mistakes are named where they are, and nothing typed is ever
//! too much.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

use proptest::prelude::*;

use super::complete::complete;
use super::parse::parse;
use super::*;
use crate::model::Vocabulary;

fn read(text: &str) -> Vec<Term> {
    let reasons = Vocabulary::default();
    parse(text, &reasons)
        .unwrap_or_else(|mistake| panic!("{text}: {mistake:?}"))
        .terms
}

fn only(text: &str) -> Test {
    let mut terms = read(text);
    assert_eq!(terms.len(), 1, "{text}");
    terms.pop().unwrap().test
}

fn mistake(text: &str) -> (usize, String) {
    let reasons = Vocabulary::default();
    let mistake = parse(text, &reasons).expect_err(text);
    (mistake.at, mistake.expected)
}

#[test]
fn states_are_named_in_full_by_their_beginning_or_by_what_the_list_calls_them() {
    for text in [
        "state:deferred-version-gap",
        "state:deferred",
        "state:defer*gap",
    ] {
        assert_eq!(only(text), Test::State(vec![State::Deferred]), "{text}");
    }
    assert_eq!(only("state:applied"), Test::State(vec![State::Applied]));
    assert_eq!(
        only("state:conflict,stale"),
        Test::State(vec![State::SameVersionRejected, State::StaleIgnored])
    );
    // What begins alike is meant together; a full name means itself alone.
    let Test::State(both) = only("state:compensation") else {
        panic!("a state");
    };
    assert_eq!(both.len(), 2);
    assert_eq!(
        only("state:compensation-recorded"),
        Test::State(vec![State::CompensationRecorded])
    );
}

#[test]
fn reasons_and_findings_take_patterns() {
    let vocabulary = Vocabulary::default();
    let Test::Reason(found) = only("reason:missing-*") else {
        panic!("a reason");
    };
    let names: Vec<&str> = found.iter().map(|id| vocabulary.name(*id)).collect();
    assert!(names.contains(&"missing-id") && names.contains(&"missing-state"));
    assert!(names.iter().all(|name| name.starts_with("missing-")));
    assert_eq!(
        only("finding:event-id"),
        Test::Finding(vec![FindingCode::EventIdReused])
    );
}

#[test]
fn quotes_make_spaces_signs_and_stars_plain() {
    let word = |text: &str| Test::Bytes(BytesTest::Word(text.to_owned()));
    assert_eq!(only("\"two words\""), word("two words"));
    assert_eq!(only("\"urn:checkout\""), word("urn:checkout"));
    assert_eq!(only("\"open\""), word("open"));
    assert_eq!(only("\"-x\""), word("-x"));
    let Test::Aggregate(patterns) = only("aggregate:\"order *,1\"") else {
        panic!("an aggregate");
    };
    assert_eq!(patterns, [Pattern::literal("order *,1")]);
}

#[test]
fn a_minus_negates_one_term() {
    let terms = read("-state:applied paid -open after:09:00 marked");
    let negated: Vec<bool> = terms.iter().map(|term| term.is_negated).collect();
    assert_eq!(negated, [true, false, true, false, false]);
    assert_eq!(terms.get(2).unwrap().test, Test::Open);
    assert_eq!(terms.get(4).unwrap().test, Test::Marked);
    assert!(read("  ").is_empty());
}

#[test]
fn times_are_of_the_day_or_whole_moments() {
    let nine = TimeOfDay::parse("09:00").unwrap();
    assert_eq!(
        only("after:09:00"),
        Test::Bytes(BytesTest::After(When::OfDay(nine)))
    );
    let moment = Instant::parse("2026-03-02T09:00:05Z").unwrap();
    assert_eq!(
        only("before:2026-03-02T09:00:05Z"),
        Test::Bytes(BytesTest::Before(When::At(moment)))
    );
}

#[test]
fn a_mistake_names_its_place_and_what_was_expected() {
    for (text, at, expected) in [
        ("paid state:", 11, "a state here"),
        ("paid state:xyz", 11, "a state: deferred"),
        ("state:applied,xyz", 14, "a state"),
        ("state:applied,", 14, "a state here"),
        ("reason:nonsense", 7, "a reason of this contract"),
        ("sate:deferred", 0, "state, reason"),
        ("urn:checkout", 0, "quotes"),
        ("after:25:00", 6, "a time as 09:00"),
        ("x \"abc", 2, "closing"),
        ("- x", 0, "after -"),
        ("\"\"", 0, "between the quotes"),
        ("ü -finding:zz", 11, "a finding's code"),
    ] {
        let (found, words) = mistake(text);
        assert_eq!(found, at, "{text}: {words}");
        assert!(words.contains(expected), "{text}: {words}");
    }
}

#[test]
fn what_could_stand_at_the_cursor_is_offered() {
    let reasons = Vocabulary::default();
    let names = |text: &str| {
        let found = complete(text, text.chars().count(), &reasons);
        (found.start, found.names)
    };
    assert_eq!(names("st"), (0, vec!["state:".to_owned()]));
    assert_eq!(names("paid -ma"), (6, vec!["marked".to_owned()]));
    assert_eq!(
        names("state:applied,def"),
        (
            14,
            vec![
                "deferred-version-gap".to_owned(),
                "deferral-limit-reached".to_owned()
            ]
            .into_iter()
            .filter(|name| name.starts_with("def"))
            .collect()
        )
    );
    assert!(names("reason:missing-").1.len() > 5);
    assert_eq!(names("finding:event").1, ["event-id-reused"]);
    assert!(names("aggregate:").1.is_empty());
    assert!(names("\"st").1.is_empty());
    // In the middle, only what stands before the cursor counts.
    let middle = complete("st paid", 2, &reasons);
    assert_eq!(middle.names, ["state:"]);
}

#[test]
fn every_offered_name_is_understood() {
    let reasons = Vocabulary::default();
    for key in ["state", "reason", "finding"] {
        let text = format!("{key}:");
        let offered = complete(&text, text.len(), &reasons).names;
        assert!(!offered.is_empty());
        for name in offered {
            assert!(parse(&format!("{key}:{name}"), &reasons).is_ok(), "{name}");
        }
    }
}

proptest! {
    #[test]
    fn nothing_typed_is_too_much(
        text in "(?s)(state:|reason:|finding:|after:|-|\"|,|\\*|open|marked| |.){0,24}",
        cursor in 0usize..40,
    ) {
        let reasons = Vocabulary::default();
        let length = text.chars().count();
        if let Err(mistake) = parse(&text, &reasons) {
            prop_assert!(mistake.at <= length, "{text}: {mistake:?}");
            prop_assert!(!mistake.expected.is_empty());
        }
        let offered = complete(&text, cursor, &reasons);
        prop_assert!(offered.start <= length + 1);
    }
}
