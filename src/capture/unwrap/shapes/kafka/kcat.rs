//! `kcat -J`: one message a line, the payload as a string, headers as one flat list of names and
//! values (kcat's `json.c`). `ts`, `tstype`, `headers` and, in old versions, `broker` may be absent.

use super::{
    Around, Clock, Doc, Inner, Layer, Message, NodeKind, PRODUCERS_CLOCK, Shape, ToldBy, any,
    headers, message, millis, payload_of, reason, refused, tell, text_or_json,
};

pub(super) const SHAPE: Shape = Shape {
    name: "kcat",
    told_by: ToldBy::Keys {
        has: &["topic", "partition", "offset", "payload"],
        lacks: &["timestamp"],
        fits: any,
    },
    unwrap,
};

#[derive(Default)]
struct Members {
    topic: Option<usize>,
    key: Option<usize>,
    payload: Option<usize>,
    headers: Option<usize>,
    time: Option<usize>,
    time_type: Option<usize>,
    payload_error: Option<usize>,
    key_error: Option<usize>,
    schema: Option<usize>,
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let doc = layer.doc;
    let mut members = Members::default();
    for (key, value) in doc.members(Doc::ROOT) {
        let Some(name) = doc.node(key).map(|node| doc.string_bytes(node)) else {
            continue;
        };
        match name {
            b"topic" => members.topic = Some(value),
            b"key" => members.key = Some(value),
            b"payload" => members.payload = Some(value),
            b"headers" => members.headers = Some(value),
            b"ts" => members.time = Some(value),
            b"tstype" => members.time_type = Some(value),
            b"payload_error" => members.payload_error = Some(value),
            b"key_error" => members.key_error = Some(value),
            b"value_schema_id" => members.schema = Some(value),
            b"partition" if layer.facts => around.partition = layer.scalar(value),
            b"offset" if layer.facts => around.offset = layer.scalar(value),
            _ => {}
        }
    }
    time(layer, &members, around);
    if !layer.is_null(members.key_error) {
        tell(
            layer,
            around,
            "kcat could not decode the key, and wrote null",
        );
    }
    if !layer.is_null(members.schema) {
        tell(
            layer,
            around,
            "kcat decoded the payload with a registry's schema",
        );
    }
    let headers = members
        .headers
        .map_or_else(Vec::new, |list| headers::flat(layer, list));
    // Without headers there is no event that they would go into.
    let is_named = layer.facts || !headers.is_empty();
    let (topic, key) = (members.topic, members.key);
    let (topic, key) = (topic.filter(|_| is_named), key.filter(|_| is_named));
    let parts = Message {
        topic: topic.and_then(|topic| layer.scalar(topic)),
        key: key.and_then(|key| text_or_json(layer, key)),
        headers,
        payload: payload_of(layer, members.payload),
    };
    // A payload that kcat could not decode stands as null beside its error: no tombstone, and an
    // event of its headers alone would pass for one without data.
    if !layer.is_null(members.payload_error) && layer.is_null(members.payload) {
        tell(
            layer,
            around,
            "kcat could not decode the payload, and wrote null: no tombstone",
        );
        return refused(layer, parts, reason::PAYLOAD_NOT_DECODED, around);
    }
    message(layer, parts, around)
}

/// A `tstype` of `unknown` has a 0 beside it, which is no time; −1 comes from old clients.
fn time<'a>(layer: Layer<'a, '_>, members: &Members, around: &mut Around<'a>) {
    let time_type = members.time_type.and_then(|index| layer.string(index));
    if time_type == Some("unknown") {
        return;
    }
    let number = members
        .time
        .filter(|index| layer.doc.is(*index, NodeKind::Number));
    let Some(text) = number.map(|index| layer.doc.raw(index)) else {
        return;
    };
    around.received_as(text, Clock::Millis);
    if layer.facts && time_type == Some("create") && millis(text).is_some() {
        tell(layer, around, PRODUCERS_CLOCK);
    }
}
