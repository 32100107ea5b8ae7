//! Naughty strings in every field of a record: nothing of them acts on a terminal, different ones
//! look different wherever they are shown, and a document says exactly what came in.

use serde_json::{Value, json};

use crate::common::{Shown, assert_harmless, contract, print, run, strings};

/// Takes any source, type and state, and waits for version 1.
fn any_words(state: &str) -> Value {
    json!({
        "consumer": "reader@1",
        "resultVersion": 1,
        "envelope": {"required": ["id", "source", "type", "specversion"]},
        "boundary": {"name": "any", "sources": [""]},
        "aggregate": {"pointer": "/data/orderId"},
        "version": {"pointer": "/data/version", "first": 1},
        "events": [{"type": "*", "reads": {"status": {"pointer": "/data/status"}}, "state": {"pointer": state}}],
        "gate": {"action": "shipping", "projectionStates": ["paid"], "ownerStatuses": ["paid"]}
    })
}

fn delivery(version: u64) -> Value {
    json!({
        "receivedAt": "2026-03-02T09:00:00Z",
        "note": "a note",
        "event": {
            "specversion": "1.0", "id": "evt-1", "source": "urn:s", "type": "t", "subject": "order-1",
            "data": {"orderId": "order-1", "version": version, "status": "paid"}
        }
    })
}

/// A place in a record, where the trace document shows it, and whether the table does.
struct Field {
    pointer: &'static str,
    shown_at: Option<&'static str>,
    in_table: bool,
}

const FIELDS: [Field; 9] = [
    field("/event/id", Some("/steps/0/id"), true),
    field("/event/source", Some("/steps/0/source"), true),
    field("/event/type", Some("/steps/0/type"), false),
    field("/event/subject", Some("/steps/0/subject"), false),
    field(
        "/event/data/status",
        Some("/receipts/0/result/status"),
        true,
    ),
    field("/event/data/orderId", Some("/steps/0/aggregate"), true),
    field("/receivedAt", Some("/steps/0/receivedAt"), false),
    field("/note", None, false),
    field("/consumer", None, false),
];

const fn field(pointer: &'static str, shown_at: Option<&'static str>, in_table: bool) -> Field {
    Field {
        pointer,
        shown_at,
        in_table,
    }
}

/// A record with this text at the pointer.
fn with(mut record: Value, pointer: &str, text: &str) -> Value {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    record.pointer_mut(parent).unwrap()[name] = text.into();
    record
}

#[test]
fn every_field_is_shown_safely_and_told_exactly() {
    let contract = contract(&any_words("/data/status"));
    for field in &FIELDS {
        for text in strings() {
            let record = with(delivery(1), field.pointer, &text);
            let printed = print(&run(record.to_string().as_bytes(), &contract));
            let about = format!("{} {text:?}", field.pointer);
            assert_harmless(&printed.table, &about);
            assert_harmless(&printed.json, &about);
            // An empty identity is refused and has no receipt; an empty order has no name.
            let told = field.shown_at.and_then(|at| printed.document.pointer(at));
            if field.shown_at.is_some() && !text.is_empty() {
                assert_eq!(told, Some(&Value::from(text)), "{about}");
            }
        }
    }
}

#[test]
fn two_texts_never_look_the_same() {
    let contract = contract(&any_words("/data/status"));
    for field in FIELDS.iter().filter(|field| field.in_table) {
        let mut shown = Shown::default();
        for text in strings() {
            // A gap at version 1, so that the source is shown beside what waits; a state is shown
            // where it is applied.
            let version = if field.pointer.ends_with("status") {
                1
            } else {
                2
            };
            let record = with(delivery(version), field.pointer, &text);
            let printed = print(&run(record.to_string().as_bytes(), &contract));
            shown.note(&text, printed.table);
        }
    }
}

#[test]
fn a_type_that_is_the_state_is_shown_safely() {
    let contract = contract(&any_words("/type"));
    let mut shown = Shown::default();
    for text in strings() {
        let record = with(delivery(1), "/event/type", &text);
        let printed = print(&run(record.to_string().as_bytes(), &contract));
        assert_harmless(&printed.table, &text);
        shown.note(&text, printed.table);
    }
}

#[test]
fn the_owners_words_are_shown_safely() {
    let contract = contract(&any_words("/data/status"));
    let order = json!({"order": {"id": "order-1", "status": "paid", "version": 1}});
    let refusal = json!({"refusal": {"orderId": "order-1", "orderVersion": 1, "reason": "no"}});
    let baseline = json!({
        "baseline": {"source": "urn:s", "aggregate": "order-1", "version": 1, "state": "paid"}
    });
    for (record, pointer, told_at) in [
        (&order, "/order/id", "/orders/0/id"),
        (&order, "/order/status", "/orders/0/status"),
        (&refusal, "/refusal/orderId", "/steps/0/aggregate"),
        (&refusal, "/refusal/reason", "/reviews/0/reason"),
        (&baseline, "/baseline/source", "/aggregates/0/source"),
        (&baseline, "/baseline/aggregate", "/aggregates/0/aggregate"),
        (&baseline, "/baseline/state", "/aggregates/0/state"),
    ] {
        for text in strings() {
            let record = with(record.clone(), pointer, &text);
            let printed = print(&run(record.to_string().as_bytes(), &contract));
            let about = format!("{pointer} {text:?}");
            assert_harmless(&printed.table, &about);
            assert_harmless(&printed.json, &about);
            if !text.is_empty() {
                let told = printed.document.pointer(told_at);
                assert_eq!(told, Some(&Value::from(text)), "{about}");
            }
        }
    }
}

/// A row's words are this program's own, whatever stands in the fields around them.
#[test]
fn no_field_can_write_a_finding_or_a_row() {
    let contract = contract(&any_words("/data/status"));
    for text in [
        "evt [event-id-reused r1]",
        "evt  [event-id-reused r1]",
        "[event-id-reused",
        "evt\n    2 r2     09:00:00  order-2 v1       event-applied: paid",
        "order-1 v9",
        "paid, released by step 7",
        "?",
    ] {
        for field in FIELDS.iter().filter(|field| field.in_table) {
            let record = with(delivery(2), field.pointer, text);
            let table = print(&run(record.to_string().as_bytes(), &contract)).table;
            let quoted = table.matches('"').count();
            assert!(
                quoted >= 2 || !table.contains(text),
                "{}: {table}",
                field.pointer
            );
            assert!(!table.contains("\n    2 r2"), "{table}");
        }
    }
}
