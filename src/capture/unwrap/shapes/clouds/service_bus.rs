//! A Service Bus message as Service Bus Explorer saves it: every property in camel case and sorted,
//! those that could not be read as null, the user's as a list (its `MessageSerializationHelper.cs`).
//! A body that is JSON stands as a value, unless asked otherwise. And as the SDKs' messages are written
//! as JSON: the user's properties are an object there, `applicationProperties` (azure-sdk-for-js,
//! `ServiceBusReceivedMessage`).

use std::borrow::Cow;

use super::super::super::around::{Around, Header};
use super::super::super::event::Payload;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::clock::time_at;
use super::message::{count, is_object, message, note, plain, position, remark};

pub(super) const SHAPE: Shape = Shape {
    name: "service-bus",
    told_by: ToldBy::Keys {
        has: &["body", "messageId", "sequenceNumber", "enqueuedTimeUtc"],
        lacks: &["specversion", "eventSource"],
        fits,
    },
    unwrap,
};

/// The SDKs count deliveries only of what was received to be settled.
fn fits(layer: Layer<'_, '_>) -> bool {
    layer.member("deliveryCount").is_some() || is_object(layer, PROPERTIES)
}

/// What the SDKs call the user's properties.
const PROPERTIES: &str = "applicationProperties";

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    around.attempt = count(layer, &["deliveryCount"]).or(around.attempt);
    if around.received_at().is_none() {
        around.received(time_at(layer, &["enqueuedTimeUtc"]));
        if around.received_at().is_some() {
            remark(
                layer,
                around,
                "received-at is when it was enqueued: no receive time is there",
            );
        }
    }
    let mut headers: Vec<Header<'a>> = Vec::new();
    if let Some(content_type) = layer.string_at(&["contentType"]) {
        headers.push((
            Cow::Borrowed("content-type"),
            Some(Cow::Borrowed(content_type)),
        ));
    }
    properties(layer, &mut headers);
    let payload = plain(layer, layer.member("body"));
    if layer.facts {
        facts(layer, &headers, payload, around);
    }
    message(layer, headers, payload, around)
}

/// The user's properties, as a list or as an object.
fn properties<'a>(layer: Layer<'a, '_>, headers: &mut Vec<Header<'a>>) {
    let properties = layer.member("properties");
    let properties = properties.map(|list| layer.doc.elements(list));
    for property in properties.into_iter().flatten() {
        let either = |names: [&str; 2]| {
            let found = |name: &&str| layer.doc.member(property, name);
            names.iter().find_map(found)
        };
        let name = either(["key", "Key"]).and_then(|at| layer.string(at));
        let value = either(["value", "Value"]).and_then(|at| layer.scalar(at));
        if let Some(name) = name {
            headers.push((Cow::Borrowed(name), value));
        }
    }
    let properties = layer.member(PROPERTIES);
    let properties = properties.map(|object| layer.doc.members(object));
    for (name, value) in properties.into_iter().flatten() {
        if let Some(name) = layer.string(name) {
            headers.push((Cow::Borrowed(name), layer.scalar(value)));
        }
    }
}

fn facts<'a>(
    layer: Layer<'a, '_>,
    headers: &[Header<'a>],
    payload: Payload<'a>,
    around: &mut Around<'a>,
) {
    let key = layer.fact(&["sessionId"]);
    let key = key.or_else(|| layer.fact(&["partitionKey"]));
    around.key = key.or(around.key.take());
    position(around, [None, None, layer.fact(&["sequenceNumber"])]);
    note(layer, "label", &["label"], around);
    note(layer, "deadLetterSource", &["deadLetterSource"], around);
    if headers.iter().any(|(name, _)| name == "DeadLetterReason") {
        remark(layer, around, "read from a dead-letter queue");
    }
    if matches!(payload, Payload::Json(_)) {
        remark(
            layer,
            around,
            "the body was read and written again: its dates and numbers may be spelled otherwise",
        );
    }
}
