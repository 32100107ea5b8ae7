//! kafka-ui and kafbat: a message saved to a file, `{"Value", "Offset", "Key", "Partition",
//! "Headers", "Timestamp"}`, in earlier builds `Content` for `Value`. There is no topic, and of
//! several headers of one name one is left.

use super::{
    Around, Doc, Inner, Instant, Layer, Message, Shape, ToldBy, headers, message, payload_of,
    text_or_json,
};

pub(super) const SHAPE: Shape = Shape {
    name: "kafka-ui",
    told_by: ToldBy::Keys {
        has: &["Offset", "Partition"],
        lacks: &[],
        fits,
    },
    unwrap,
};

/// kafkactl has the same names, and `Partition` first.
pub(super) fn begins_with_partition(layer: Layer<'_, '_>) -> bool {
    let mut members = layer.doc.members(Doc::ROOT);
    let first = members.next().and_then(|(key, _)| layer.string(key));
    first == Some("Partition")
}

fn fits(layer: Layer<'_, '_>) -> bool {
    let is_shown = ["Value", "Content"]
        .iter()
        .any(|name| layer.member(name).is_some());
    is_shown && !begins_with_partition(layer)
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    unwrap_pascal_case(layer, around)
}

/// What kafka-ui and kafkactl have in common.
pub(super) fn unwrap_pascal_case<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    around.received(layer.string_at(&["Timestamp"]).and_then(Instant::parse));
    if layer.facts {
        around.partition = layer.fact(&["Partition"]);
        around.offset = layer.fact(&["Offset"]);
    }
    let value = layer.member("Value").or_else(|| layer.member("Content"));
    let parts = Message {
        topic: None,
        key: layer.member("Key").and_then(|key| text_or_json(layer, key)),
        headers: headers::object(layer, layer.member("Headers")),
        payload: payload_of(layer, value),
    };
    message(layer, parts, around)
}
