//! Rows of Axon 5's event store (Axon Framework, `AggregateEventEntry`): `aggregateSequenceNumber` counts
//! up in its aggregate from 0, and `version` is the message type's, which is the schema's: the opposite
//! of what Marten calls so. There is no source; `axon` stands in.

use super::marten::stored_data;
use super::{
    Around, EventText, Inner, Layer, Payload, Shape, ToldBy, any, decode, is_json_value, plain,
    spelled_moment, stood,
};

pub(super) const SHAPE: Shape = Shape {
    name: "axon",
    told_by: ToldBy::Keys {
        has: &[
            "globalIndex",
            "aggregateIdentifier",
            "aggregateSequenceNumber",
            "type",
        ],
        lacks: &["source"],
        fits: any,
    },
    unwrap,
};

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    stood(around, None, layer.fact(&["globalIndex"]));
    around
        .remarks
        .push("Axon's rows have no source: `axon` stands in for it");
    let mut event = EventText::new(layer.arena);
    event.string("specversion", "1.0");
    let id = layer
        .string_at(&["identifier"])
        .or_else(|| layer.string_at(&["eventIdentifier"]));
    event.maybe("id", id);
    event.string("source", "axon");
    event.maybe("type", layer.string_at(&["type"]));
    let aggregate = layer
        .member("aggregateIdentifier")
        .and_then(|index| plain(layer, index));
    event.maybe("subject", aggregate.as_deref());
    let time = layer
        .string_at(&["timestamp"])
        .or_else(|| layer.string_at(&["timeStamp"]))
        .map(spelled_moment);
    event.maybe("time", time.as_deref());
    for (name, member) in [
        ("aggregateversion", "aggregateSequenceNumber"),
        ("schemaversion", "version"),
    ] {
        if let Some(value) = layer.member(member) {
            event.raw(name, layer.doc.raw(value));
        }
    }
    event.maybe("aggregatetype", layer.string_at(&["aggregateType"]));
    let payload = layer.member("payload");
    match payload
        .and_then(|payload| layer.string(payload))
        .and_then(|text| bytes(layer, text))
    {
        Some(bytes) => event.data(Payload::Bytes(bytes), None),
        None => stored_data(layer, payload, &mut event),
    }
    event.finish()
}

/// The column holds bytes, which exports write in Base64 or as PostgreSQL does (`\x7b…`).
fn bytes<'a>(layer: Layer<'a, '_>, text: &str) -> Option<&'a [u8]> {
    if is_json_value(text) {
        return None;
    }
    let Some(digits) = text.strip_prefix("\\x") else {
        return decode::base64(text, layer.arena);
    };
    let (pairs, []) = digits.as_bytes().as_chunks::<2>() else {
        return None;
    };
    let bytes: Option<Vec<u8>> = pairs
        .iter()
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect();
    bytes.map(|bytes| &*layer.arena.alloc_slice_copy(&bytes))
}
