//! `rpk topic consume`: one object a message, pretty-printed and concatenated by default, headers as
//! pairs (rpk's `consume.go`). `key` is left out where it is null or empty, `value` of a tombstone;
//! with `--meta-only` there is a `value_size` in its place.

use super::{
    Around, Inner, Layer, Message, NodeKind, Shape, ToldBy, headers, message, millis, payload_of,
    reason, refused, tell, text_or_json,
};

pub(super) const SHAPE: Shape = Shape {
    name: "rpk",
    told_by: ToldBy::Keys {
        has: &["topic", "partition", "offset", "timestamp"],
        lacks: &["payload", "timestampType", "keySchemaId", "valueSchemaId"],
        fits,
    },
    unwrap,
};

fn fits(layer: Layer<'_, '_>) -> bool {
    let time = layer.member("timestamp");
    time.is_some_and(|time| layer.doc.is(time, NodeKind::Number))
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let time = layer.member("timestamp");
    around.received(time.and_then(|time| millis(layer.doc.raw(time))));
    if layer.facts {
        around.partition = layer.fact(&["partition"]);
        around.offset = layer.fact(&["offset"]);
    }
    let value = layer.member("value");
    let parts = Message {
        topic: layer.member("topic").and_then(|topic| layer.scalar(topic)),
        key: layer.member("key").and_then(|key| text_or_json(layer, key)),
        headers: headers::pairs(layer, layer.member("headers")),
        payload: payload_of(layer, value),
    };
    let size = layer.member("value_size").filter(|_| layer.is_null(value));
    if size.is_some_and(|size| layer.doc.raw(size) != "0") {
        tell(
            layer,
            around,
            "written with --meta-only: rpk left the value out",
        );
        return refused(layer, parts, reason::PAYLOAD_NOT_DECODED, around);
    }
    // Bytes that are no text were made U+FFFD, so the payload may not be what was sent.
    let text = value.and_then(|value| layer.string(value));
    if layer.facts && text.is_some_and(|text| text.contains(char::REPLACEMENT_CHARACTER)) {
        tell(
            layer,
            around,
            "the value has bytes that are no text; rpk put U+FFFD in their place",
        );
    }
    message(layer, parts, around)
}
