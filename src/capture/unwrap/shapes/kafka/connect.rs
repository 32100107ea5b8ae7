//! Kafka Connect's JSON converter with schemas: `{"schema": {…}, "payload": …}`.

use super::{Around, Inner, Layer, Payload, Shape, TOMBSTONE, ToldBy, reason, tell};

pub(super) const SHAPE: Shape = Shape {
    name: "connect-json",
    told_by: ToldBy::Keys {
        has: &["schema", "payload"],
        lacks: &["topic", "offset"],
        fits,
    },
    unwrap,
};

fn fits(layer: Layer<'_, '_>) -> bool {
    let schema = layer.member("schema");
    layer.is_null(schema) || layer.string_at(&["schema", "type"]).is_some()
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    match super::payload_of(layer, layer.member("payload")) {
        Payload::Text(text) | Payload::Json(text) => Inner::Text(text),
        Payload::Absent | Payload::Bytes(_) => {
            tell(layer, around, TOMBSTONE);
            Inner::Nothing(reason::NO_PAYLOAD)
        }
    }
}
