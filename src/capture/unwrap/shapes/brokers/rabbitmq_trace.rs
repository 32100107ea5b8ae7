//! RabbitMQ's tracing plugin with its JSON format: an object a line, the payload in Base64
//! (rabbitmq-tracing `rabbit_tracing_consumer.erl`).

use super::rabbitmq::{PREFIXES, attempt, headers};
use super::{
    Around, Inner, Instant, Layer, Shape, ToldBy, any, base64_payload, message, plain, stood,
};
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "rabbitmq-trace",
    told_by: ToldBy::Keys {
        has: &["type", "routed_queues", "routing_keys", "payload"],
        lacks: &["payload_encoding"],
        fits: any,
    },
    unwrap,
};

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    around.received(layer.string_at(&["timestamp"]).and_then(Instant::parse));
    around.remarks.push(match layer.string_at(&["type"]) {
        Some("published") => {
            "traced as it was published: the same message is traced again when a consumer gets it"
        }
        Some("received") => {
            "traced as a consumer got it: the same message was traced before, when it was published"
        }
        _ => "a message is traced twice: published, and received by a consumer",
    });
    if layer.facts {
        let queue = layer.fact(&["queue"]).filter(|queue| queue != "none");
        stood(around, queue.or_else(|| layer.fact(&["exchange"])), None);
        around.key = layer
            .member("routing_keys")
            .and_then(|keys| layer.doc.elements(keys).next())
            .and_then(|key| plain(layer, key));
    }
    let Ok(payload) = base64_payload(layer, layer.member("payload")) else {
        return Inner::Nothing(reason::PAYLOAD_NOT_DECODED);
    };
    let content_type = layer.string_at(&["properties", "content_type"]);
    let headers = headers(layer, &["properties", "headers"]);
    attempt(layer, &["properties", "headers"], &headers, around);
    message(layer, headers, content_type, &PREFIXES, payload, around)
}
