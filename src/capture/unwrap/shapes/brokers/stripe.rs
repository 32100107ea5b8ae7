//! Stripe's events, as webhooks and the API have them: `{"id":"evt_…","object":"event","type":…}`
//! (Stripe's API reference, "The Event object").
//!
//! There is no source; an identity needs one, so the connected account stands in, or `stripe`.

use super::{Around, EventText, Inner, Instant, Layer, Payload, Shape, ToldBy, seconds};

pub(super) const SHAPE: Shape = Shape {
    name: "stripe",
    told_by: ToldBy::Keys {
        has: &["object", "type", "data", "created"],
        lacks: &["source"],
        fits,
    },
    unwrap,
};

fn fits(layer: Layer<'_, '_>) -> bool {
    layer.string_at(&["object"]) == Some("event")
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let account = layer
        .string_at(&["account"])
        .filter(|account| !account.is_empty());
    around.remarks.push(if account.is_some() {
        "Stripe's events have no source: the account stands in for it"
    } else {
        "Stripe's events have no source: `stripe` stands in for it"
    });
    let mut event = EventText::new(layer.arena);
    event.string("specversion", "1.0");
    event.maybe("id", layer.string_at(&["id"]));
    event.string("source", account.unwrap_or("stripe"));
    event.maybe("type", layer.string_at(&["type"]));
    let created = layer
        .member("created")
        .and_then(|created| seconds(layer.doc.raw(created)));
    event.maybe("time", created.map(Instant::rfc3339).as_deref());
    event.maybe("subject", layer.string_at(&["data", "object", "id"]));
    event.maybe("apiversion", layer.string_at(&["api_version"]));
    if let Some(data) = layer.member("data") {
        event.data(Payload::Json(layer.doc.raw(data)), None);
    }
    event.finish()
}
