//! AMQP 1.0 messages as Python's clients print them: `application_properties` beside the body, a
//! CloudEvent's attributes among them (CloudEvents AMQP binding, section 3.1).

use super::rabbitmq::{PREFIXES, headers};
use super::{Around, Inner, Layer, Payload, Shape, ToldBy, any, message, stood};

pub(super) const SHAPE: Shape = Shape {
    name: "amqp",
    told_by: ToldBy::Keys {
        has: &["application_properties", "body"],
        lacks: &["XRabtapReceivedTimestamp", "payload_encoding"],
        fits: any,
    },
    unwrap,
};

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let body = layer.member("body");
    let payload = match body {
        Some(body) if !layer.is_null(Some(body)) => match layer.string(body) {
            Some("") => Payload::Absent,
            Some(text) => Payload::Text(text),
            None => Payload::Json(layer.doc.raw(body)),
        },
        _ => Payload::Absent,
    };
    let content_type = layer
        .string_at(&["content_type"])
        .or_else(|| layer.string_at(&["properties", "content_type"]));
    stood(around, layer.fact(&["address"]), None);
    // The header's count is of deliveries that failed before (AMQP 1.0, section 3.2.1).
    let failed = layer
        .at(&["delivery_count"])
        .or_else(|| layer.at(&["header", "delivery_count"]));
    let count = failed.and_then(|index| layer.digits(index)?.parse::<u64>().ok());
    if let Some(attempt) = count.and_then(|count| count.checked_add(1)) {
        around.attempt = Some(layer.arena.alloc_str(&attempt.to_string()));
    }
    let headers = headers(layer, &["application_properties"]);
    message(layer, headers, content_type, &PREFIXES, payload, around)
}
