//! Entries of a stream's Atom feed in JSON, EventStoreDB's and Kurrent's (`application/vnd.eventstore.atom+json`
//! with `embed=body`): newest first, numbered from 0 in their stream, the data a text that holds JSON.
//! There is no source; `kurrent` stands in.

use super::marten::stored_data;
use super::{Around, EventText, Inner, Layer, Shape, ToldBy, any, spelled_moment, stood};

pub(super) const SHAPE: Shape = Shape {
    name: "kurrent",
    told_by: ToldBy::Keys {
        has: &["eventId", "eventType", "eventNumber", "streamId"],
        lacks: &["eventSource", "source"],
        fits: any,
    },
    unwrap,
};

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let channel = layer
        .fact(&["positionStreamId"])
        .or_else(|| layer.fact(&["streamId"]));
    let offset = layer
        .fact(&["positionEventNumber"])
        .or_else(|| layer.fact(&["eventNumber"]));
    stood(around, channel, offset);
    around.remarks.extend([
        "an Atom feed lists the newest first",
        "Kurrent's events have no source: `kurrent` stands in for it",
    ]);
    let data = layer
        .member("data")
        .filter(|data| !layer.is_null(Some(*data)));
    if data.is_none() {
        around
            .remarks
            .push("the entry has no data: ask for the feed with embed=body");
    }
    let mut event = EventText::new(layer.arena);
    event.string("specversion", "1.0");
    event.maybe("id", layer.string_at(&["eventId"]));
    event.string("source", "kurrent");
    event.maybe("type", layer.string_at(&["eventType"]));
    event.maybe("subject", layer.string_at(&["streamId"]));
    let time = layer.string_at(&["updated"]).map(spelled_moment);
    event.maybe("time", time.as_deref());
    if let Some(number) = layer.member("eventNumber") {
        event.raw("aggregateversion", layer.doc.raw(number));
    }
    stored_data(layer, data, &mut event);
    event.finish()
}
