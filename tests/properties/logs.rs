//! Random logs with every anomaly: few orders, few ids and few versions, so that they collide.

use proptest::prelude::*;
use serde_json::{Value, json};

/// One of several texts.
fn one_of(texts: &'static [&'static str]) -> impl Strategy<Value = &'static str> + Clone {
    prop::sample::select(texts)
}

fn schema_version() -> impl Strategy<Value = Value> {
    prop_oneof![
        12 => Just(json!(1)),
        2 => Just(json!(2)),
        2 => Just(json!(3)),
        1 => Just(json!("1")),
        1 => Just(Value::Null),
    ]
}

fn version() -> impl Strategy<Value = Value> {
    prop_oneof![
        24 => (1u64..=6).prop_map(|version| json!(version)),
        1 => Just(json!(0)),
        1 => Just(json!(2.0)),
        1 => Just(json!("2")),
        1 => Just(json!(u64::MAX)),
        1 => Just(Value::Null),
    ]
}

/// An event's members, before anything is left out.
fn event() -> impl Strategy<Value = Value> {
    let ids = one_of(&["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", ""]);
    let sources = prop_oneof![
        20 => Just("urn:checkout:orders"),
        2 => Just("urn:checkout:ORDERS"),
        1 => Just("urn:billing:orders"),
        1 => Just("Urn:checkout:orders"),
    ];
    let types = prop_oneof![
        16 => Just("com.example.order.status.changed"),
        2 => Just("training.order.paid"),
        1 => Just("com.example.order.noted"),
    ];
    let orders = one_of(&[
        "order-1", "order-1", "order-1", "order-2", "order-3", "Order-1",
    ]);
    let statuses = one_of(&[
        "accepted",
        "paid",
        "reserved",
        "packed",
        "shipped",
        "cancelled",
        "on-hold",
    ]);
    let times = prop_oneof![
        Just("2026-03-01T09:00:00Z"),
        Just("2026-03-02T09:00:00Z"),
        Just("yesterday"),
    ];
    (ids, sources, types, orders, statuses, times, schema_version(), version()).prop_map(
        |(id, source, event_type, order, status, time, schema, version)| {
            json!({
                "specversion": "1.0", "id": id, "source": source, "type": event_type, "subject": order,
                "time": time, "dataschema": "https://example.test/schemas/order-status/1",
                "data": {"schemaVersion": schema, "orderId": order, "orderVersion": version, "status": status},
            })
        },
    )
}

/// An event with perhaps one member missing.
fn damaged_event() -> impl Strategy<Value = Value> {
    let missing = prop_oneof![
        30 => Just(""),
        1 => Just("id"),
        1 => Just("type"),
        1 => Just("subject"),
        1 => Just("specversion"),
        1 => Just("data"),
    ];
    (event(), missing).prop_map(|(mut event, missing)| {
        if let Some(members) = event.as_object_mut() {
            members.remove(missing);
        }
        event
    })
}

fn received_at() -> impl Strategy<Value = Value> {
    prop_oneof![
        8 => (0u32..400_000).prop_map(|seconds| {
            let (day, rest) = (1 + seconds / 86_400, seconds % 86_400);
            json!(format!("2026-03-{day:02}T{:02}:{:02}:{:02}Z", rest / 3_600, rest / 60 % 60, rest % 60))
        }),
        1 => Just(json!("soon")),
        1 => Just(Value::Null),
    ]
}

fn native(name: &'static str, body: impl Strategy<Value = Value>) -> impl Strategy<Value = String> {
    let consumer =
        prop_oneof![12 => Just(""), 1 => Just("mailer@1"), 1 => Just("orders-projection@1")];
    (body, received_at(), consumer).prop_map(move |(body, received_at, consumer)| {
        let mut record = json!({ "receivedAt": received_at, name: body });
        if !consumer.is_empty() {
            record["consumer"] = json!(consumer);
        }
        record.to_string()
    })
}

fn owners() -> impl Strategy<Value = String> {
    let orders = one_of(&["order-1", "order-2", "order-3"]);
    let statuses = one_of(&["accepted", "paid", "reserved", "packed", "cancelled"]);
    let reasons = one_of(&["training-reservation-rejected", "reservation-timeout"]);
    let versions = 0u64..=6;
    prop_oneof![
        native("order", (orders.clone(), statuses, versions.clone()).prop_map(
            |(id, status, version)| json!({"id": id, "status": status, "version": version})
        )),
        native("refusal", (orders.clone(), reasons, versions.clone()).prop_map(
            |(id, reason, version)| json!({"orderId": id, "orderVersion": version, "reason": reason})
        )),
        native("baseline", (orders, versions).prop_map(|(aggregate, version)| {
            json!({"source": "urn:checkout:orders", "aggregate": aggregate, "version": version, "state": "paid"})
        })),
    ]
}

fn junk() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("no json at all".to_owned()),
        Just("[1, 2]".to_owned()),
        Just("{}".to_owned()),
        Just("{\"event\": {}, \"order\": {}}".to_owned()),
        Just("{\"event\": {\"id\": \"a\", \"id\": \"b\", \"specversion\": \"1.0\"}}".to_owned()),
        Just("{\"order\": {\"id\": \"order-1\"}}".to_owned()),
    ]
}

/// One line of a log.
pub fn record() -> impl Strategy<Value = String> {
    prop_oneof![
        10 => damaged_event().prop_map(|event| event.to_string()),
        10 => native("event", damaged_event()),
        4 => owners(),
        1 => junk(),
    ]
}

/// A whole log. Its first line is an object, which makes it a log of lines however long it is.
pub fn log() -> impl Strategy<Value = Vec<String>> {
    let first = damaged_event().prop_map(|event| event.to_string());
    (first, prop::collection::vec(record(), 0..60)).prop_map(|(first, mut rest)| {
        rest.insert(0, first);
        rest
    })
}

/// Every version of some orders once, each with its own id and content, in any order.
pub fn conflict_free() -> impl Strategy<Value = (Vec<String>, Vec<String>)> {
    let orders = prop::collection::vec(1u64..=6, 1..5);
    orders.prop_flat_map(|versions| {
        let statuses = ["accepted", "paid", "reserved", "packed", "shipped", "delivered"];
        let mut lines = Vec::new();
        for (order, last) in versions.iter().enumerate() {
            for (version, status) in (1..=*last).zip(statuses) {
                lines.push(
                    json!({
                        "specversion": "1.0", "id": format!("e{order}-{version}"), "source": "urn:checkout:orders",
                        "type": "com.example.order.status.changed", "subject": format!("order-{order}"),
                        "data": {"schemaVersion": 1, "orderId": format!("order-{order}"), "orderVersion": version,
                                 "status": status},
                    })
                    .to_string(),
                );
            }
        }
        (Just(lines.clone()), Just(lines).prop_shuffle())
    })
}
