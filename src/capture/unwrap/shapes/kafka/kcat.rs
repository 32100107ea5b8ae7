//! `kcat -J`: one message a line, the payload as a string, headers as one flat list of names and
//! values (kcat's `json.c`).

use std::borrow::Cow;

use super::super::super::super::tape::Doc;
use super::super::super::around::{Around, Header};
use super::super::super::decode::millis;
use super::super::super::event::Payload;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy, any};
use super::message;
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "kcat",
    told_by: ToldBy::Keys {
        has: &["topic", "partition", "offset", "payload"],
        lacks: &["timestamp"],
        fits: any,
    },
    unwrap,
};

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let mut payload = None;
    let mut headers = None;
    let mut has_error = false;
    let doc = layer.doc;
    for (key, value) in doc.members(Doc::ROOT) {
        let Some(name) = doc.node(key).map(|node| doc.string_bytes(node)) else {
            continue;
        };
        match name {
            b"payload" => payload = Some(value),
            b"headers" => headers = Some(value),
            b"payload_error" => has_error = !layer.is_null(Some(value)),
            b"ts" => around.received(millis(doc.raw(value))),
            b"topic" if layer.facts => around.channel = layer.scalar(value),
            b"partition" if layer.facts => around.partition = layer.scalar(value),
            b"offset" if layer.facts => around.offset = layer.scalar(value),
            b"key" if layer.facts => around.key = layer.scalar(value),
            _ => {}
        }
    }
    // A payload that kcat could not decode stands as null beside its error: no tombstone.
    if has_error && layer.is_null(payload) {
        around
            .remarks
            .push("kcat could not decode the payload, and wrote null");
        return Inner::Nothing(reason::PAYLOAD_NOT_DECODED);
    }
    let headers = headers.map_or_else(Vec::new, |headers| flat_headers(layer, headers));
    let payload = match payload {
        Some(value) if !layer.is_null(Some(value)) => match layer.string(value) {
            Some(text) => Payload::Text(text),
            // `-s value=avro` writes the decoded value itself.
            None => Payload::Json(doc.raw(value)),
        },
        _ => Payload::Absent,
    };
    message(layer, headers, payload, around)
}

/// `["name", "value", "name", null, …]`
fn flat_headers<'a>(layer: Layer<'a, '_>, headers: usize) -> Vec<Header<'a>> {
    let mut elements = layer.doc.elements(headers);
    let mut list = Vec::new();
    while let Some(name) = elements.next() {
        let value = elements.next().and_then(|value| layer.scalar(value));
        if let Some(name) = layer.string(name) {
            list.push((Cow::Borrowed(name), value));
        }
    }
    list
}
