//! Rows of Marten's `mt_events` (Marten's documentation, "Event store"): `version` counts up in its
//! stream, `seq_id` over all streams. A stream is an aggregate. There is no source; `marten` stands in.

use super::{
    Around, EventText, Inner, Layer, Payload, Shape, ToldBy, any, plain, spelled_moment, stood,
};

pub(super) const SHAPE: Shape = Shape {
    name: "marten",
    told_by: ToldBy::Keys {
        has: &["seq_id", "stream_id", "version", "type"],
        lacks: &["source", "globalIndex"],
        fits: any,
    },
    unwrap,
};

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    stood(around, None, layer.fact(&["seq_id"]));
    around
        .remarks
        .push("Marten's rows have no source: `marten` stands in for it");
    let mut event = EventText::new(layer.arena);
    event.string("specversion", "1.0");
    event.maybe("id", layer.string_at(&["id"]));
    event.string("source", "marten");
    event.maybe("type", layer.string_at(&["type"]));
    let stream = layer
        .member("stream_id")
        .and_then(|index| plain(layer, index));
    event.maybe("subject", stream.as_deref());
    let time = layer.string_at(&["timestamp"]).map(spelled_moment);
    event.maybe("time", time.as_deref());
    if let Some(version) = layer.member("version") {
        event.raw("aggregateversion", layer.doc.raw(version));
    }
    event.maybe("tenantid", layer.string_at(&["tenant_id"]));
    stored_data(layer, layer.member("data"), &mut event);
    event.finish()
}

/// A payload column: the JSON itself, or its text.
pub(super) fn stored_data(layer: Layer<'_, '_>, data: Option<usize>, event: &mut EventText<'_>) {
    let Some(data) = data else {
        return;
    };
    match layer.string(data) {
        Some(text) => event.data(Payload::Text(text), None),
        None => event.data(Payload::Json(layer.doc.raw(data)), None),
    }
}
