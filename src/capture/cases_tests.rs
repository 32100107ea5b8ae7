//! Tests against the published cases: what one record and the contract alone decide of each step.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, and says when it skips"
)]

use std::borrow::Cow;

use super::look::{Look, look};
use super::take::{Scratch, take_apart};
use crate::contract::Contract;
use crate::model::{Body, FindingCode, Passage, ReasonId, Record};

/// The verdict of the record alone, against each published case's first look at the record.
#[test]
fn published_cases() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root
        .ancestors()
        .map(|above| above.join("shared/cases"))
        .find(|folder| folder.exists());
    let Some(folder) = folder else {
        eprintln!("skipped: the published cases are not there");
        return;
    };
    let mut looked_at = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let Some(stem) = path.to_str().and_then(|path| path.strip_suffix(".jsonl")) else {
            continue;
        };
        let built_in = include_bytes!("../../samples/contracts/consistency.json");
        let own = std::fs::read(format!("{stem}.contract.json"));
        let contract = Contract::from_bytes(&own.unwrap_or(built_in.to_vec())).unwrap();
        let capture = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<_> = capture.lines().collect();
        let expected = std::fs::read_to_string(format!("{stem}.expected.json")).unwrap();
        let expected: serde_json::Value = serde_json::from_str(&expected).unwrap();
        let mut scratch = Scratch::new(&contract);
        for step in expected["steps"].as_array().unwrap() {
            if step["kind"] != "replay" {
                let line = usize::try_from(step["line"].as_u64().unwrap()).unwrap();
                let record = take_apart(lines[line - 1].as_bytes(), &contract, &mut scratch);
                agrees(&record, step, &contract, stem);
                let seen = look(lines[line - 1].as_bytes(), &contract, &mut scratch);
                shows(&seen, step, stem);
                looked_at += 1;
            }
        }
    }
    assert!(looked_at > 100);
}

fn agrees(record: &Record<'_>, step: &serde_json::Value, contract: &Contract, case: &str) {
    let place = format!("{case} step {}", step["step"]);
    let name = |reason: ReasonId| contract.vocabulary.name(reason).to_owned();
    let text = |value: &Option<Cow<'_, str>>| value.as_deref().map(str::to_owned);
    let wanted = |key: &str| step[key].as_str().map(str::to_owned);
    match &record.body {
        Body::Unreadable(reason) => assert_eq!(Some(name(*reason)), wanted("reason"), "{place}"),
        Body::Statement(statement) => {
            assert_eq!(
                Some(statement.kind.name().to_owned()),
                wanted("kind"),
                "{place}"
            );
            assert_eq!(text(&statement.aggregate), wanted("aggregate"), "{place}");
            assert_eq!(statement.version, step["version"].as_u64(), "{place}");
            if let Some(refused) = statement.refused {
                assert_eq!(Some(name(refused)), wanted("reason"), "{place}");
            }
        }
        Body::Delivery(delivery) => {
            assert_eq!(text(&delivery.source), wanted("source"), "{place}");
            assert_eq!(text(&delivery.id), wanted("id"), "{place}");
            assert_eq!(text(&delivery.aggregate), wanted("aggregate"), "{place}");
            assert_eq!(delivery.version, step["version"].as_u64(), "{place}");
            let state = wanted("state").unwrap();
            let suppressed = state == "duplicate-or-replay-suppressed";
            let (expected, reason) = match delivery.passage {
                Passage::OtherConsumer => ("other-consumer", None),
                Passage::EnvelopeRejected(reason) => ("rejected", Some(name(reason))),
                Passage::SchemaNotAccepted => (
                    "contract-update-required",
                    Some("schema-version-not-accepted".to_owned()),
                ),
                _ if suppressed => (&*state, None),
                Passage::TypeIgnored => ("event-type-ignored", None),
                Passage::PayloadRejected(reason) => ("rejected", Some(name(reason))),
                Passage::PayloadUnknown(reason) => ("contract-update-required", Some(name(reason))),
                Passage::Whole => (&*state, None),
            };
            assert_eq!((expected, reason), (&*state, wanted("reason")), "{place}");
            if state == "event-applied" {
                let to = step["projection"]["state"].as_str();
                assert_eq!(delivery.state.as_deref(), to, "{place}");
            }
            let alone = [
                "dataschema-mismatch",
                "default-used",
                "source-differs-only-by-case",
                "subject-mismatch",
                "version-beyond-double",
            ];
            let found: Vec<_> = delivery.findings.codes().map(FindingCode::name).collect();
            let expected: Vec<_> = step["findings"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(|finding| finding["code"].as_str())
                .filter(|code| alone.contains(code))
                .collect();
            if !suppressed {
                assert_eq!(found, expected, "{place}");
            }
        }
    }
}

fn shows(seen: &Look, step: &serde_json::Value, case: &str) {
    let place = format!("{case} step {}", step["step"]);
    for (shown, key) in [
        (&seen.text.source, "source"),
        (&seen.text.id, "id"),
        (&seen.text.event_type, "type"),
        (&seen.text.subject, "subject"),
        (&seen.text.time, "time"),
        (&seen.text.received_at, "receivedAt"),
        (&seen.text.aggregate, "aggregate"),
    ] {
        assert_eq!(shown.as_deref(), step[key].as_str(), "{place} {key}");
    }
    assert_eq!(seen.text.version, step["version"].as_u64(), "{place}");
    assert_eq!(
        seen.text.schema_version,
        step["schemaVersion"].as_i64(),
        "{place}"
    );
    assert_eq!(
        seen.unreadable.is_some(),
        step["kind"] == "unreadable",
        "{place}"
    );
}
