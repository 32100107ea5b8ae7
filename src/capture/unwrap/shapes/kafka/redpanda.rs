//! Redpanda Console's download of messages: an array of `{"partitionID", "offset", "timestamp",
//! "headers": [{"key", "value": {"payload"}}], "key": {"payload"}, "value": {"payload", "encoding",
//! "isPayloadNull", "schemaId"}}`. There is no topic.

use super::{
    Around, Cow, Inner, Layer, Message, NodeKind, Payload, Shape, ToldBy, headers, message,
    payload_of, reason, refused, tell, text_or_json,
};

pub(super) const SHAPE: Shape = Shape {
    name: "redpanda-console",
    told_by: ToldBy::Keys {
        has: &["partitionID", "offset", "value"],
        lacks: &[],
        fits,
    },
    unwrap,
};

fn fits(layer: Layer<'_, '_>) -> bool {
    let names = ["payload", "isPayloadNull", "encoding"];
    names
        .iter()
        .any(|name| layer.at(&["value", name]).is_some())
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let time = layer.member("timestamp");
    around.received(time.and_then(|time| layer.millis_or_time(time)));
    if layer.facts {
        around.partition = layer.fact(&["partitionID"]);
        around.offset = layer.fact(&["offset"]);
    }
    if !layer.is_null(layer.at(&["value", "schemaId"])) {
        tell(
            layer,
            around,
            "the console decoded the value with a registry's schema",
        );
    }
    let encoding = layer.string_at(&["value", "encoding"]);
    if encoding == Some("binary") {
        tell(
            layer,
            around,
            "the console found that the value is no text, so what it shows may not be what was sent",
        );
    }
    let payload = if is_true(layer, "isPayloadNull") || encoding == Some("null") {
        Payload::Absent
    } else {
        payload_of(layer, layer.at(&["value", "payload"]))
    };
    let key: Option<Cow<'a, str>> = layer
        .at(&["key", "payload"])
        .and_then(|key| text_or_json(layer, key));
    let parts = Message {
        topic: None,
        key,
        headers: headers::pairs(layer, layer.member("headers")),
        payload,
    };
    if is_true(layer, "isPayloadTooLarge") {
        tell(
            layer,
            around,
            "the value was too large for the console, which left it out",
        );
        return refused(layer, parts, reason::PAYLOAD_TRUNCATED, around);
    }
    message(layer, parts, around)
}

fn is_true(layer: Layer<'_, '_>, name: &str) -> bool {
    let member = layer.at(&["value", name]);
    member.is_some_and(|member| layer.doc.is(member, NodeKind::True))
}
