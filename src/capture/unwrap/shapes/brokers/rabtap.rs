//! rabtap's JSON: AMQP's properties by their Go names, the body in Base64 (rabtap
//! `rabtap_persistent_message.go`, which never copies the delivery's `Redelivered`).

use super::rabbitmq::{PREFIXES, attempt, headers, place};
use super::{Around, Inner, Instant, Layer, Shape, ToldBy, any, base64_payload, message};
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "rabtap",
    told_by: ToldBy::Keys {
        has: &["XRabtapReceivedTimestamp", "Body"],
        lacks: &[],
        fits: any,
    },
    unwrap,
};

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let received = layer.string_at(&["XRabtapReceivedTimestamp"]);
    around.received(received.and_then(Instant::parse));
    place(layer, &["Exchange"], &["RoutingKey"], around);
    around
        .remarks
        .push("rabtap writes Redelivered as false always: it proves no first delivery");
    let Ok(payload) = base64_payload(layer, layer.member("Body")) else {
        return Inner::Nothing(reason::PAYLOAD_NOT_DECODED);
    };
    let content_type = layer
        .string_at(&["ContentType"])
        .filter(|content_type| !content_type.is_empty());
    let headers = headers(layer, &["Headers"]);
    attempt(layer, &["Headers"], &headers, around);
    message(layer, headers, content_type, &PREFIXES, payload, around)
}
