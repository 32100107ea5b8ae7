//! GitHub's webhook deliveries, as `gh api …/hooks/N/deliveries` lists them and `…/deliveries/ID` shows
//! one with request and response (GitHub's REST reference, "Repository webhooks").
//!
//! The guid is the event's id: every redelivery and every hook gets the same. `id` is the delivery's.
//! There is no source; an identity needs one, so `github` stands in.

use super::{
    Around, EventText, Inner, Instant, Layer, NodeKind, Payload, Shape, ToldBy, any, members, stood,
};

pub(super) const SHAPE: Shape = Shape {
    name: "github",
    told_by: ToldBy::Keys {
        has: &["guid", "delivered_at", "redelivery", "event"],
        lacks: &[],
        fits: any,
    },
    unwrap,
};

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    around.received(layer.string_at(&["delivered_at"]).and_then(Instant::parse));
    stood(around, None, layer.fact(&["id"]));
    if layer.facts {
        around.headers = members(layer, layer.at(&["request", "headers"]));
    }
    let redelivery = layer.member("redelivery");
    if redelivery.is_some_and(|index| layer.doc.is(index, NodeKind::True)) {
        around
            .remarks
            .push("a redelivery: this guid has been delivered before");
    }
    let payload = layer
        .at(&["request", "payload"])
        .filter(|payload| !layer.is_null(Some(*payload)))
        .map(|payload| layer.doc.raw(payload));
    if payload.is_none() {
        around
            .remarks
            .push("a list of deliveries has no payloads: ask for each delivery by its id");
    }
    event(
        layer,
        layer.string_at(&["guid"]),
        layer.string_at(&["event"]),
        layer.string_at(&["action"]),
        payload,
        around,
    )
}

/// The event of a delivery.
pub(super) fn event<'a>(
    layer: Layer<'a, '_>,
    guid: Option<&str>,
    name: Option<&str>,
    action: Option<&str>,
    payload: Option<&str>,
    around: &mut Around<'a>,
) -> Inner<'a> {
    around
        .remarks
        .push("GitHub's deliveries have no source: `github` stands in for it");
    let mut event = EventText::new(layer.arena);
    event.string("specversion", "1.0");
    event.maybe("id", guid);
    event.string("source", "github");
    match (name, action) {
        (Some(name), Some(action)) => event.string("type", &format!("{name}.{action}")),
        (name, _) => event.maybe("type", name),
    }
    event.data(payload.map_or(Payload::Absent, Payload::Json), None);
    event.finish()
}
