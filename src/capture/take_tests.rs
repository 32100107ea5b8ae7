//! Tests of a record taken apart, one rule after the other.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use super::*;
use crate::capture::look::look;
use crate::capture::same::{Comparison, Identity};
use crate::model::{FindingCode, Passage, Statement};
use proptest::prelude::*;

fn built_in(name: &str) -> Contract {
    let text = match name {
        "consistency" => include_str!("../../samples/contracts/consistency.json"),
        "event-contract" => include_str!("../../samples/contracts/event-contract.json"),
        _ => include_str!("../../samples/contracts/cloudevents.json"),
    };
    Contract::from_bytes(text.as_bytes()).unwrap()
}

fn taken<'a>(text: &'a str, contract: &Contract) -> Record<'a> {
    take_apart(text.as_bytes(), contract, &mut Scratch::new(contract))
}

fn reason_of(bytes: &[u8]) -> Option<&'static str> {
    let contract = built_in("consistency");
    let record = take_apart(bytes, &contract, &mut Scratch::new(&contract));
    match record.body {
        Body::Unreadable(reason) => Some(Box::leak(
            contract.vocabulary.name(reason).to_owned().into_boxed_str(),
        )),
        Body::Delivery(_) | Body::Statement(_) => None,
    }
}

fn delivery_of<'a>(text: &'a str, contract: &Contract) -> Delivery<'a> {
    match taken(text, contract).body {
        Body::Delivery(delivery) => delivery,
        other @ (Body::Unreadable(_) | Body::Statement(_)) => panic!("{other:?}"),
    }
}

/// An event of the default contract with parts of its text replaced.
fn event(changes: &[(&str, &str)]) -> String {
    let mut text = r#"{"specversion":"1.0","id":"a","source":"urn:checkout:orders","type":"com.example.order.status.changed","subject":"o","dataschema":"https://x/1","time":"2026-03-02T09:00:05Z","data":{"schemaVersion":1,"orderId":"o","orderVersion":2,"status":"paid"}}"#.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    text
}

fn passage(changes: &[(&str, &str)]) -> String {
    let contract = built_in("consistency");
    let text = event(changes);
    let name = |reason| contract.vocabulary.name(reason).to_owned();
    match delivery_of(&text, &contract).passage {
        Passage::OtherConsumer => "other-consumer".to_owned(),
        Passage::EnvelopeRejected(reason) => format!("envelope {}", name(reason)),
        Passage::SchemaNotAccepted => "schema".to_owned(),
        Passage::TypeIgnored => "ignored".to_owned(),
        Passage::PayloadRejected(reason) => format!("rejected {}", name(reason)),
        Passage::PayloadUnknown(reason) => format!("unknown {}", name(reason)),
        Passage::Whole => "whole".to_owned(),
    }
}

fn findings(changes: &[(&str, &str)]) -> Vec<FindingCode> {
    let text = event(changes);
    delivery_of(&text, &built_in("consistency"))
        .findings
        .codes()
        .collect()
}

#[test]
fn the_read_tests_run_in_the_tables_order() {
    let deep = format!("{{\"event\":{}", "[".repeat(200));
    let deep_and_whole = format!("{}{}", "[".repeat(129), "]".repeat(129));
    for (bytes, reason) in [
        (&b"\xff[[["[..], "not-utf8"),
        (deep.as_bytes(), "too-deep"),
        (deep_and_whole.as_bytes(), "too-deep"),
        (br#"{"event":{"a":"\udc00"}}"#, "malformed-json"),
        (br#"{"a":1,"a":2"#, "malformed-json"),
        (b"[1]", "not-an-object"),
        (br#"{"event":1,"event":2}"#, "duplicate-key"),
        (
            br#"{"event":5,"order":{"id":1,"\u0069d":2}}"#,
            "duplicate-key",
        ),
        (
            br#"{"event":{"data":{"orderId":1,"orderId":2}},"order":5}"#,
            "duplicate-key",
        ),
        (br#"{"event":5,"order":{}}"#, "ambiguous-record"),
        (br#"{"event":null}"#, "not-an-object"),
        (br#"{"baseline":[]}"#, "not-an-object"),
        (br#"{"x":{"orderId":1,"orderId":2}}"#, "not-a-delivery"),
        (br#"{"id":1,"source":2}"#, "not-a-delivery"),
        (
            br#"{"id":1,"source":2,"type":3,"data":{"x":1,"x":2}}"#,
            "duplicate-key",
        ),
    ] {
        assert_eq!(
            reason_of(bytes),
            Some(reason),
            "{}",
            String::from_utf8_lossy(bytes)
        );
    }
    for bytes in [
        &br#"{"specversion":null,"event":{"a":1,"a":2}}"#[..],
        br#"{"id":1,"source":2,"type":3}"#,
        br#"{"event":{"data":{"more":{"x":1,"x":2}}}}"#,
        br#"{"event":{"subject":{"x":1,"x":2}}}"#,
    ] {
        assert_eq!(reason_of(bytes), None, "{}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn a_pointer_ends_at_a_checked_object() {
    // cloudevents reads the subject; what is in data is nobody's business there.
    let contract = built_in("cloudevents");
    let pointed = &contract.aggregate.pointer.text;
    assert_eq!(pointed, "/subject");
    let twice = r#"{"specversion":"1.0","subject":{"x":1,"x":2}}"#;
    let record = taken(twice, &contract);
    assert_eq!(record.body, Body::Unreadable(reason::DUPLICATE_KEY));
    let elsewhere = r#"{"specversion":"1.0","data":{"x":1,"x":2}}"#;
    assert!(matches!(
        taken(elsewhere, &contract).body,
        Body::Delivery(_)
    ));
}

const UNKNOWN_TYPE: (&str, &str) = ("com.example.order.status.changed", "t");

/// What is changed in a good event, and how far it gets then.
type Stop = (&'static [(&'static str, &'static str)], &'static str);

const STOPS: &[Stop] = &[
    (&[], "whole"),
    (
        &[(r#""id":"a""#, r#""id":"""#), ("1.0", "2")],
        "envelope missing-id",
    ),
    (&[(r#""id":"a""#, r#""id":7"#)], "envelope missing-id"),
    (&[(r#""subject":"o","#, "")], "envelope missing-subject"),
    (
        &[("1.0", "1.0.2"), ("urn:", "urx:")],
        "envelope unsupported-context-version",
    ),
    (&[(r#""1.0""#, r#""\u0031.0""#)], "whole"),
    (
        &[("urn:", "urx:"), ("schemaVersion", "x")],
        "envelope source-outside-orders-boundary",
    ),
    (
        &[(r#""schemaVersion":1"#, r#""schemaVersion":1.5"#)],
        "envelope missing-schema-version",
    ),
    (
        &[(
            r#""schemaVersion":1"#,
            r#""schemaVersion":9223372036854775808"#,
        )],
        "envelope missing-schema-version",
    ),
    (
        &[
            (r#""schemaVersion":1"#, r#""schemaVersion":9"#),
            UNKNOWN_TYPE,
        ],
        "schema",
    ),
    (
        &[UNKNOWN_TYPE, ("orderId", "x")],
        "unknown unknown-event-type",
    ),
    (
        &[(r#""orderId":"o""#, r#""orderId":"""#)],
        "rejected missing-order-id",
    ),
    (
        &[
            (r#""orderId":"o""#, r#""orderId":5"#),
            ("orderVersion", "x"),
        ],
        "rejected missing-order-id",
    ),
    (
        &[(r#""orderVersion":2"#, r#""orderVersion":null"#)],
        "rejected missing-order-version",
    ),
    (
        &[(r#""orderVersion":2"#, r#""orderVersion":"2""#)],
        "rejected invalid-order-version",
    ),
    (
        &[(r#""orderVersion":2"#, r#""orderVersion":0"#)],
        "rejected invalid-order-version",
    ),
    (
        &[(r#""orderVersion":2"#, r#""orderVersion":1e400"#)],
        "rejected invalid-order-version",
    ),
    (
        &[(
            r#""orderVersion":2"#,
            r#""orderVersion":18446744073709551615"#,
        )],
        "whole",
    ),
    (
        &[(
            r#""orderVersion":2"#,
            r#""orderVersion":18446744073709551616"#,
        )],
        "rejected invalid-order-version",
    ),
    (
        &[(r#""status":"paid""#, r#""x":1"#)],
        "rejected missing-status",
    ),
    (
        &[(r#""paid""#, "null")],
        "unknown unexpected-type-of-status",
    ),
    (
        &[(r#""paid""#, r#""gone""#)],
        "unknown unknown-value-of-status",
    ),
    (&[(r#""paid""#, r#""p\u0061id""#)], "whole"),
];

#[test]
fn the_stages_stop_at_the_first_that_decides() {
    for (changes, expected) in STOPS {
        assert_eq!(passage(changes), *expected, "{changes:?}");
    }
}

#[test]
fn one_record_shows_its_findings() {
    use FindingCode::*;
    for (changes, expected) in [
        (&[][..], &[][..]),
        (&[("https://x/1", "https://x/0001")], &[]),
        (&[("https://x/1", "https://x/v2")], &[]),
        (&[("https://x/1", "2")], &[]),
        (&[("https://x/1", "https://x/2")], &[DataschemaMismatch]),
        (
            &[("https://x/1", "https://x/99999999999999999999")],
            &[DataschemaMismatch],
        ),
        // After the envelope, also where schema refuses.
        (
            &[(r#""schemaVersion":1"#, r#""schemaVersion":9"#)],
            &[DataschemaMismatch],
        ),
        (&[("https://x/1", "https://x/2"), ("urn:", "urx:")], &[]),
        (
            &[("urn:checkout", "URN:Checkout")],
            &[SourceDiffersOnlyByCase],
        ),
        (
            &[(r#""subject":"o""#, r#""subject":"p""#)],
            &[SubjectMismatch],
        ),
        (
            &[(r#""subject":"o""#, r#""subject":"p""#), ("paid", "gone")],
            &[],
        ),
        (
            &[(r#""orderVersion":2"#, r#""orderVersion":9007199254740991"#)],
            &[],
        ),
        (
            &[(r#""orderVersion":2"#, r#""orderVersion":9007199254740992"#)],
            &[VersionBeyondDouble],
        ),
    ] {
        assert_eq!(findings(changes), expected, "{changes:?}");
    }
}

#[test]
fn identities_are_pairs_of_decoded_texts() {
    let contract = built_in("consistency");
    let plain = event(&[]);
    let escaped = event(&[(r#""id":"a""#, r#""id":"\u0061""#)]);
    let other = event(&[(r#""id":"a""#, r#""id":"A""#)]);
    let hash = |text: &str| delivery_of(text, &contract).key_hash;
    assert_eq!(hash(&plain), hash(&escaped));
    assert_ne!(hash(&plain), hash(&other));
    assert_ne!(key_hash("urn:a", "b:1"), key_hash("urn:a:b", "1"));
    let mut room = Comparison::new(&contract);
    let mut same_key = |a: &str, b: &str| room.same_key(a.as_bytes(), b.as_bytes(), &contract);
    assert_eq!(same_key(&escaped, &plain), Identity::SameAndAlike);
    assert_eq!(same_key(&other, &plain), Identity::Other);
    let native = format!(r#"{{"event":{escaped}}}"#);
    assert_eq!(same_key(&native, &plain), Identity::SameAndAlike);
    let spelled_otherwise = plain.replace(r#""data":{"#, r#""data":{ "#);
    assert_ne!(spelled_otherwise, plain);
    assert_eq!(same_key(&spelled_otherwise, &plain), Identity::Same);
    assert_eq!(hash(&event(&[(r#""id":"a""#, r#""id":"""#)])), 0);
}

fn same_content(a: &[u8], b: &[u8], contract: &Contract) -> bool {
    Comparison::new(contract).same_content(a, b, contract)
}

#[test]
fn what_counts_as_content() {
    let contract = built_in("event-contract");
    let plain = event(&[]);
    for (changes, same) in [
        (&[("09:00:05", "10:00:00")][..], true),
        (&[(r#""id":"a""#, r#""id":"b""#)], true),
        (&[(r#""id":"a""#, r#""id":"a","ext":1"#)], true),
        (
            &[(
                r#""schemaVersion":1,"orderId":"o""#,
                r#""orderId":"\u006f","schemaVersion":1e0"#,
            )],
            true,
        ),
        (&[(r#""dataschema":"https://x/1","#, "")], false),
        (&[(r#""id":"a""#, r#""id":"a","data_base64":null"#)], false),
        (&[("paid", "gone")], false),
        (&[(r#""subject":"o""#, r#""subject":"p""#)], false),
    ] {
        let text = event(changes);
        let bytes = text.as_bytes();
        assert_eq!(
            same_content(plain.as_bytes(), bytes, &contract),
            same,
            "{changes:?}"
        );
        let (a, b) = (
            delivery_of(&plain, &contract),
            delivery_of(&text, &contract),
        );
        assert_eq!(a.content_hash == b.content_hash, same, "{changes:?}");
    }
    let absent = event(&[(r#""dataschema":"https://x/1","#, "")]);
    let null = event(&[(r#""https://x/1""#, "null")]);
    assert!(same_content(absent.as_bytes(), null.as_bytes(), &contract));
    assert_eq!(
        delivery_of(&plain, &built_in("consistency")).content_hash,
        0
    );
}

#[test]
fn statements_miss_their_members_in_order() {
    let contract = built_in("consistency");
    for (text, reason) in [
        (r#"{"order":{}}"#, Some("missing-id")),
        (r#"{"order":{"id":"o"}}"#, Some("missing-status")),
        (
            r#"{"order":{"id":"o","status":"s","version":-1}}"#,
            Some("missing-version"),
        ),
        (r#"{"order":{"id":"o","status":"s","version":0}}"#, None),
        (
            r#"{"refusal":{"refusalId":5,"orderId":""}}"#,
            Some("missing-order-id"),
        ),
        (
            r#"{"refusal":{"orderId":"o","orderVersion":"2"}}"#,
            Some("missing-order-version"),
        ),
        (
            r#"{"refusal":{"orderId":"o","orderVersion":2}}"#,
            Some("missing-reason"),
        ),
        (r#"{"baseline":{}}"#, Some("missing-source")),
        (r#"{"baseline":{"source":"s"}}"#, Some("missing-aggregate")),
        (
            r#"{"baseline":{"source":"s","aggregate":"a"}}"#,
            Some("missing-version"),
        ),
        (
            r#"{"consumer":"x","baseline":{"source":"s","aggregate":"a","version":1.0}}"#,
            Some("missing-state"),
        ),
    ] {
        let Body::Statement(Statement { refused, .. }) = taken(text, &contract).body else {
            panic!("{text}");
        };
        let refused = refused.map(|reason| contract.vocabulary.name(reason));
        assert_eq!(refused, reason, "{text}");
    }
}

#[test]
fn received_at_is_a_native_records() {
    let contract = built_in("consistency");
    let native = r#"{"receivedAt":"1970-01-01T00:00:01Z","event":{}}"#;
    assert_eq!(taken(native, &contract).received_at.unwrap().seconds, 1);
    let bare = r#"{"receivedAt":"1970-01-01T00:00:01Z","specversion":"1.0"}"#;
    assert_eq!(taken(bare, &contract).received_at, None);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_taken_apart_the_same_way_twice(
        bytes in proptest::collection::vec(any::<u8>(), 0..80),
        cut in 0usize..300,
        flip in 0usize..300,
        to in any::<u8>(),
    ) {
        let contract = built_in("consistency");
        let mut scratch = Scratch::new(&contract);
        let mut damaged = event(&[]).into_bytes();
        if let Some(byte) = damaged.get_mut(flip) {
            *byte = to;
        }
        damaged.truncate(damaged.len().saturating_sub(cut.saturating_sub(200)));
        for bytes in [bytes, damaged] {
            let first = take_apart(&bytes, &contract, &mut scratch);
            let second = take_apart(&bytes, &contract, &mut Scratch::new(&contract));
            prop_assert_eq!(&first, &second);
            let seen = look(&bytes, &contract, &mut scratch);
            let unreadable = matches!(first.body, Body::Unreadable(_));
            prop_assert_eq!(seen.unreadable.is_some(), unreadable);
        }
    }
}
