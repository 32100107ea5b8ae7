//! RabbitMQ's management API, `POST /api/queues/…/get` and `rabbitmqadmin get -f raw_json`: an array of
//! messages (rabbitmq-management `rabbit_mgmt_wm_queue_get.erl`). And what all of RabbitMQ's shapes
//! share: properties and headers of AMQP 0-9-1.

use std::borrow::Cow;

use super::{
    Around, Header, Inner, Instant, Layer, NodeKind, Payload, Shape, ToldBy, any, base64_payload,
    header, members, message, seconds, stood,
};
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "rabbitmq",
    told_by: ToldBy::Keys {
        has: &["payload", "payload_encoding", "routing_key", "exchange"],
        lacks: &[],
        fits: any,
    },
    unwrap,
};

/// Consumers should take both (CloudEvents AMQP binding, section 3.1.3.1).
pub(super) const PREFIXES: [&str; 2] = ["cloudEvents_", "cloudEvents:"];

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    place(layer, &["exchange"], &["routing_key"], around);
    if layer
        .at(&["redelivered"])
        .is_some_and(|index| layer.doc.is(index, NodeKind::True))
    {
        around
            .remarks
            .push("delivered before (redelivered), how often RabbitMQ does not say");
    }
    let payload = layer.member("payload");
    let is_base64 = layer.string_at(&["payload_encoding"]) == Some("base64");
    let payload = if is_base64 {
        base64_payload(layer, payload)
    } else {
        text_payload(layer, payload)
    };
    let Ok(payload) = payload else {
        return Inner::Nothing(reason::PAYLOAD_NOT_DECODED);
    };
    let whole: Option<usize> = layer
        .member("payload_bytes")
        .and_then(|index| layer.digits(index)?.parse().ok());
    if whole.is_some_and(|whole| whole > length(payload)) {
        around
            .remarks
            .push("the payload was cut off: payload_bytes counts more than there are (truncate)");
        return Inner::Nothing(reason::PAYLOAD_TRUNCATED);
    }
    let content_type = layer.string_at(&["properties", "content_type"]);
    let headers = headers(layer, &["properties", "headers"]);
    attempt(layer, &["properties", "headers"], &headers, around);
    message(layer, headers, content_type, &PREFIXES, payload, around)
}

fn text_payload<'a>(layer: Layer<'a, '_>, index: Option<usize>) -> Result<Payload<'a>, ()> {
    match index.and_then(|index| layer.string(index)) {
        Some("") => Ok(Payload::Absent),
        Some(text) => Ok(Payload::Text(text)),
        None if layer.is_null(index) => Ok(Payload::Absent),
        None => Err(()),
    }
}

fn length(payload: Payload<'_>) -> usize {
    match payload {
        Payload::Absent => 0,
        Payload::Text(text) | Payload::Json(text) => text.len(),
        Payload::Bytes(bytes) => bytes.len(),
    }
}

/// Where the message was sent to: through the default exchange the key is the queue.
pub(super) fn place<'a>(
    layer: Layer<'a, '_>,
    exchange: &[&str],
    routing_key: &[&str],
    around: &mut Around<'a>,
) {
    let exchange = layer.fact(exchange).filter(|name| !name.is_empty());
    stood(around, exchange.or_else(|| layer.fact(routing_key)), None);
    around.key = layer.fact(routing_key);
}

/// The headers; a time among a CloudEvent's attributes may be AMQP's own, in seconds.
pub(super) fn headers<'a>(layer: Layer<'a, '_>, way: &[&str]) -> Vec<Header<'a>> {
    let mut headers = members(layer, layer.at(way));
    for (name, value) in &mut headers {
        let is_time = PREFIXES.iter().any(|prefix| {
            name.get(..prefix.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(prefix))
                && name.get(prefix.len()..) == Some("time")
        });
        if is_time && let Some(moment) = value.as_deref().and_then(seconds) {
            *value = Some(Cow::Owned(Instant::rfc3339(moment)));
        }
    }
    headers
}

/// Which delivery it was: a quorum queue counts those that failed before, dead-lettering how often the
/// message came back; either way this one is the next.
pub(super) fn attempt<'a>(
    layer: Layer<'a, '_>,
    way: &[&str],
    headers: &[Header<'_>],
    around: &mut Around<'a>,
) {
    let counted = header(headers, "x-delivery-count").and_then(|count| count.parse().ok());
    let count: Option<u64> = counted.or_else(|| {
        let deaths = layer.doc.member(layer.at(way)?, "x-death")?;
        let counts = layer.doc.elements(deaths).filter_map(|death| {
            let count = layer.doc.member(death, "count")?;
            layer.digits(count)?.parse::<u64>().ok()
        });
        counts.max()
    });
    if let Some(attempt) = count.and_then(|count| count.checked_add(1)) {
        around.attempt = Some(layer.arena.alloc_str(&attempt.to_string()));
    }
}
