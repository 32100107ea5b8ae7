//! The walk against the reader that keeps every node: the same record, whatever the text.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says when it skips"
)]

use proptest::prelude::*;

use super::super::json::{MAX_DEPTH, read};
use super::super::skip::value_end;
use super::super::take::{Scratch, take_apart, take_apart_text, take_apart_whole};
use super::super::token::skip_whitespace;
use crate::contract::Contract;
use crate::model::Body;

/// Pointers into arrays, long names, and values that are compared whole.
const ODD: &str = r#"{
  "consumer": "c@1", "resultVersion": 1,
  "boundary": {"name": "b", "sources": ["urn:"]},
  "aggregate": {"pointer": "/data/lines/1/sku", "default": "none"},
  "version": {"pointer": "/data/lines/0/n", "first": 1},
  "otherTypes": "ignore",
  "events": [{"type": "com*", "reads": {
    "z": {"pointer": "/data/z", "values": [{"a": [1]}, [], "x", null], "default": null},
    "long": {"pointer": "/data/a-name-of-more-than-sixteen-bytes/x", "default": 1},
    "slash": {"pointer": "/data/a~1b", "default": 1},
    "extension": {"pointer": "/partitionkey", "default": 1}
  }, "state": {"is": "s"}}]
}"#;

/// Every contract that the repository has, and an odd one.
fn contracts() -> Vec<Contract> {
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let mut texts = vec![ODD.as_bytes().to_vec()];
    for folder in ["contracts", "cases", "."] {
        for entry in std::fs::read_dir(samples.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let is_contract = name.ends_with(".contract.json");
            if is_contract || folder == "contracts" {
                texts.push(std::fs::read(&path).unwrap());
            }
        }
    }
    assert!(texts.len() > 8);
    texts
        .iter()
        .map(|text| Contract::from_bytes(text).unwrap())
        .collect()
}

/// A contract with room that lives as long as the test, so that layouts are learned and unlearned.
struct Bench {
    contract: Contract,
    scratch: Scratch,
}

fn benches() -> Vec<Bench> {
    let make = |contract| Bench {
        scratch: Scratch::new(&contract),
        contract,
    };
    contracts().into_iter().map(make).collect()
}

/// The same record both ways; whether it is readable.
fn agree(text: &str, bench: &mut Bench) -> bool {
    let Bench { contract, scratch } = bench;
    let walked = take_apart_text(text, contract, scratch);
    let whole = take_apart_whole(text, contract, &mut Scratch::new(contract));
    assert_eq!(walked, whole, "{} {text}", contract.consumer);
    !matches!(walked.body, Body::Unreadable(_))
}

/// Whether the text is one value for whoever passes over it, and for the reader: never two answers.
fn is_accepted(text: &str) -> bool {
    let bytes = text.as_bytes();
    let end = value_end(bytes, skip_whitespace(bytes, 0), 0);
    let passed = end.is_some_and(|end| skip_whitespace(bytes, end) == bytes.len());
    let is_read = read(text, MAX_DEPTH, &mut Vec::new()).is_ok();
    assert_eq!(passed, is_read, "{text}");
    is_read
}

/// A value at each kind of place: not asked for, asked for, hashed, in the wrapper.
fn surroundings(value: &str) -> Vec<String> {
    let head = r#""specversion":"1.0","id":"i","source":"urn:checkout:orders","type":"com.x""#;
    let data = r#""schemaVersion":1,"orderId":"o","orderVersion":1,"status":"paid""#;
    vec![
        value.to_owned(),
        format!("{{{head},\"data\":{value}}}"),
        format!("{{\"data\":{value},{head}}}"),
        format!("{{\"event\":{{{head},\"data\":{{{data},\"x\":{value}}}}}}}"),
        format!("{{\"event\":{{{head},\"data\":{{\"z\":{value},{data}}}}}}}"),
        format!("{{\"receivedAt\":{value},\"event\":{{{head},\"data\":{{{data}}}}}}}"),
        format!("{{\"other\":{value},\"event\":{{{head},\"subject\":{value}}},\"note\":{value}}}"),
        format!("{{\"event\":{value},\"receivedAt\":\"2026-03-02T09:00:05Z\"}}"),
        format!("{{\"event\":{{{head},\"data\":{{\"lines\":[{{\"n\":{value}}},{value}]}}}}}}"),
    ]
}

#[test]
fn json_test_suite_at_every_place() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root
        .ancestors()
        .map(|above| above.join("shared/hostile/jsontestsuite/test_parsing"))
        .find(|folder| folder.exists());
    let Some(entries) = folder.and_then(|folder| std::fs::read_dir(folder).ok()) else {
        eprintln!("skipped: JSONTestSuite is not there");
        return;
    };
    let mut benches = benches();
    for entry in entries {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        let Ok(text) = std::str::from_utf8(&bytes) else {
            continue;
        };
        is_accepted(text);
        for text in surroundings(text) {
            for bench in &mut benches {
                agree(&text, bench);
            }
        }
    }
}

#[test]
fn the_depth_ends_at_the_same_level_everywhere() {
    let mut benches = benches();
    for level in 120..=130 {
        let arrays = format!("{}{}", "[".repeat(level), "]".repeat(level));
        let objects = format!("{}1{}", r#"{"a":"#.repeat(level), "}".repeat(level));
        let unclosed = "[{\"a\":".repeat(level / 2);
        assert_eq!(is_accepted(&arrays), level <= 128);
        for value in [arrays, objects, unclosed] {
            for text in surroundings(&value) {
                for bench in &mut benches {
                    agree(&text, bench);
                }
            }
        }
    }
}

#[test]
fn more_names_than_are_remembered() {
    let mut benches = benches();
    let event = surroundings("1").remove(3);
    for bench in &mut benches {
        for round in 0..6 {
            let count = 60 + round;
            let names: Vec<_> = (0..count).map(|n| format!("\"{round}-{n}\":{n}")).collect();
            let many = names.join(",");
            for text in [
                format!("{{{many},{}", event.strip_prefix('{').unwrap()),
                event.replace("\"x\":1", &many),
                event.replace("\"x\":1", &format!("{many},\"{round}-0\":1")),
                event.replace("\"x\":1", "\"x\":1,\"\\u0078\":2"),
            ] {
                agree(&text, bench);
            }
            // What was forgotten is learned again, and the common record still reads.
            agree(&event, bench);
        }
    }
}

const NAMES: &[&str] = &[
    "id",
    "source",
    "type",
    "specversion",
    "subject",
    "time",
    "dataschema",
    "data",
    "data_base64",
    "event",
    "order",
    "refusal",
    "baseline",
    "receivedAt",
    "consumer",
    "schemaVersion",
    "orderId",
    "orderVersion",
    "status",
    "partitionkey",
    "lines",
    "sku",
    "n",
    "z",
    "a",
    "x",
    "",
    "é",
    "a-name-of-more-than-sixteen-bytes",
    "a-name-of-more-than-sixteen-byteS",
    "a/b",
    "fourteen-bytes",
    "exactly-thirteen",
];

const SCALARS: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "2.0",
    "20e-1",
    "1e400",
    "1.5",
    "9007199254740993",
    "18446744073709551616",
    "01",
    "1.",
    r#""""#,
    r#""1.0""#,
    r#""o""#,
    r#""paid""#,
    r#""x""#,
    r#""\u0070aid""#,
    r#""urn:checkout:orders""#,
    r#""URN:checkout:web""#,
    r#""com.example.order.status.changed""#,
    r#""https://example.test/schemas/order-status/2""#,
    r#""2026-03-02T09:00:05.123Z""#,
    r#""Zoë \"Zed\" Muster \ud83d\ude00""#,
    r#""\ud83d""#,
    r#""orders-projection@1""#,
    "\"a\tb\"",
];

fn name() -> impl Strategy<Value = String> {
    (proptest::sample::select(NAMES), 0..12u8).prop_map(|(name, spelling)| {
        let mut characters = name.chars();
        match (spelling, characters.next()) {
            (0, Some(first)) => format!("\"\\u{:04x}{}\"", first as u32, characters.as_str()),
            _ => format!("\"{name}\""),
        }
    })
}

fn blank() -> impl Strategy<Value = &'static str> {
    prop_oneof![6 => Just(""), 2 => Just(" "), 1 => Just("\r\n\t ")]
}

fn object(members: &[(String, String)], blank: &str) -> String {
    let members: Vec<_> = members
        .iter()
        .map(|(name, value)| format!("{name}{blank}:{blank}{value}"))
        .collect();
    let comma = format!("{blank},{blank}");
    format!("{{{blank}{}{blank}}}", members.join(&comma))
}

fn value() -> impl Strategy<Value = String> {
    let scalar = proptest::sample::select(SCALARS).prop_map(str::to_owned);
    scalar.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            (proptest::collection::vec(inner.clone(), 0..4), blank())
                .prop_map(|(elements, blank)| format!("[{blank}{}]", elements.join(","))),
            (proptest::collection::vec((name(), inner), 0..4), blank())
                .prop_map(|(members, blank)| object(&members, blank)),
        ]
    })
}

/// An object that mostly has the members it should, mostly with fitting values, and others beside.
fn like(base: &'static [(&'static str, &'static str)]) -> impl Strategy<Value = String> {
    let members = base.iter().map(|(name, fitting)| {
        let value = prop_oneof![9 => Just((*fitting).to_owned()), 1 => value()];
        (Just(format!("\"{name}\"")), value)
    });
    let others = proptest::collection::vec((name(), value()), 0..3);
    (members.collect::<Vec<_>>(), others, any::<usize>(), blank()).prop_map(
        |(mut members, others, order, blank)| {
            for (index, other) in others.into_iter().enumerate() {
                let place = (order >> (index * 8)) % (members.len() + 1);
                members.insert(place, other);
            }
            if order % 5 == 0 {
                members.remove((order >> 24) % members.len());
            }
            if order % 7 == 0 {
                members.rotate_left((order >> 32) % 3);
            }
            object(&members, blank)
        },
    )
}

fn event() -> impl Strategy<Value = String> {
    let data = like(&[
        ("schemaVersion", "1"),
        ("orderId", r#""o""#),
        ("orderVersion", "2"),
        ("status", r#""paid""#),
        ("lines", r#"[{"n":2,"sku":"a"},{"sku":"o","sku2":1}]"#),
        ("z", r#"{"a":[1.0]}"#),
    ]);
    let outer = like(&[
        ("specversion", r#""1.0""#),
        ("id", r#""evt-1""#),
        ("source", r#""urn:checkout:orders""#),
        ("type", r#""com.example.order.status.changed""#),
        ("subject", r#""o""#),
        ("dataschema", r#""https://x/1""#),
        ("data", "DATA"),
    ]);
    (outer, data).prop_map(|(outer, data)| outer.replace("DATA", &data))
}

fn record() -> impl Strategy<Value = String> {
    let native = like(&[
        ("receivedAt", r#""2026-03-02T09:00:05Z""#),
        ("attempt", "1"),
        ("event", "EVENT"),
        ("consumer", r#""orders-projection@1""#),
    ]);
    prop_oneof![
        event(),
        (native, event()).prop_map(|(native, event)| native.replace("EVENT", &event)),
        (name(), value()).prop_map(|(name, value)| object(&[(name, value)], "")),
    ]
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(128))]

    #[test]
    fn the_same_record_both_ways(
        records in proptest::collection::vec(record(), 1..8),
        at in any::<proptest::sample::Index>(),
        damage in r#"[\[\]{}",:\\0a ]{0,2}"#,
        cut in 0usize..3,
    ) {
        for bench in &mut benches() {
            for record in &records {
                agree(record, bench);
                let mut damaged: Vec<char> = record.chars().collect();
                let from = at.index(damaged.len());
                let to = (from + cut).min(damaged.len());
                damaged.splice(from..to, damage.chars());
                agree(&damaged.into_iter().collect::<String>(), bench);
            }
        }
    }

    #[test]
    fn one_verdict_on_json_like_text(text in r#"[\[\]{},:"\\ua0-9eE.+\- \ntruefalsn]{0,24}"#) {
        let is_accepted = is_accepted(&text);
        match serde_json::from_str::<serde_json::Value>(&text) {
            Ok(_) => prop_assert!(is_accepted, "{}", text),
            // No number is too large here.
            Err(error) if error.to_string().contains("number out of range") => {}
            Err(_) => prop_assert!(!is_accepted, "{}", text),
        }
        let place = format!("{{\"specversion\":\"1.0\",\"data\":{{\"z\":{text}}},\"x\":{text}}}");
        for bench in &mut benches() {
            agree(&place, bench);
        }
    }

    #[test]
    fn one_verdict_on_random_documents(document in value(), end in 0usize..3) {
        is_accepted(&document);
        let cut: String = document.chars().take(document.chars().count().saturating_sub(end)).collect();
        is_accepted(&cut);
    }

    #[test]
    fn one_verdict_on_random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..120)) {
        for bench in &mut benches() {
            let Bench { contract, scratch } = bench;
            let taken = take_apart(&bytes, contract, scratch);
            match std::str::from_utf8(&bytes) {
                Ok(text) => prop_assert_eq!(taken, take_apart_whole(text, contract, &mut scratch.clone())),
                Err(_) => prop_assert!(matches!(taken.body, Body::Unreadable(_))),
            }
        }
    }
}

#[test]
fn many_random_records_are_readable() {
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let mut benches = benches();
    let mut readable = 0;
    for _ in 0..300 {
        let text = record().new_tree(&mut runner).unwrap().current();
        readable += usize::from(benches.iter_mut().all(|bench| agree(&text, bench)));
    }
    assert!((50..300).contains(&readable), "{readable}");
}
