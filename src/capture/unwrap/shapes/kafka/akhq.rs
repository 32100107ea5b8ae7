//! AKHQ's download of a topic's messages: an array of `{"partition", "offset", "timestamp",
//! "keySchemaId", "valueSchemaId", "headers": [{"key", "value"}], "key", "value"}`; the time is ISO
//! 8601 in the server's zone, what is empty may be left out. There is no topic.

use super::{
    Around, Inner, Layer, Message, Shape, ToldBy, headers, message, payload_of, tell, text_or_json,
};
use crate::model::Instant;

pub(super) const SHAPE: Shape = Shape {
    name: "akhq",
    told_by: ToldBy::Keys {
        has: &["partition", "offset", "timestamp"],
        lacks: &["topic", "payload"],
        fits,
    },
    unwrap,
};

fn fits(layer: Layer<'_, '_>) -> bool {
    let parts = ["key", "value", "headers"];
    layer.string_at(&["timestamp"]).is_some()
        && parts.iter().any(|name| layer.member(name).is_some())
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let time = layer.string_at(&["timestamp"]);
    let at = time.and_then(Instant::parse);
    around.received(at);
    if time.is_some() && at.is_none() {
        tell(
            layer,
            around,
            "its time has no zone, so when it arrived is not known",
        );
    }
    if layer.facts {
        around.partition = layer.fact(&["partition"]);
        around.offset = layer.fact(&["offset"]);
    }
    if !layer.is_null(layer.member("valueSchemaId")) {
        tell(
            layer,
            around,
            "AKHQ decoded the value with a registry's schema",
        );
    }
    let parts = Message {
        topic: None,
        key: layer.member("key").and_then(|key| text_or_json(layer, key)),
        headers: headers::pairs(layer, layer.member("headers")),
        payload: payload_of(layer, layer.member("value")),
    };
    message(layer, parts, around)
}
