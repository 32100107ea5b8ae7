//! Kinesis as a Lambda function gets it: one element of `Records`, the data under `kinesis` in Base64
//! (AWS Lambda, "Using Lambda to process records from Amazon Kinesis Data Streams"). The shard is
//! what `eventID` begins with; a sequence number has 56 digits and stays a text.

use std::borrow::Cow;

use super::super::super::around::Around;
use super::super::super::event::Payload;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::clock::seconds_or_time;
use super::message::{encoded, inside, is, position};
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "kinesis",
    told_by: ToldBy::Keys {
        has: &["eventSource", "kinesis"],
        lacks: &[],
        fits: |layer| is(layer, "eventSource", "aws:kinesis"),
    },
    unwrap,
};

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let arrived = layer.at(&["kinesis", "approximateArrivalTimestamp"]);
    around.received(arrived.and_then(|at| seconds_or_time(layer, at)));
    if layer.facts {
        let stream = layer.fact(&["eventSourceARN"]);
        let id = layer.string_at(&["eventID"]);
        let shard = id.and_then(|id| id.split_once(':')).map(|(shard, _)| shard);
        let sequence = layer.fact(&["kinesis", "sequenceNumber"]);
        position(around, [stream, shard.map(Cow::Borrowed), sequence]);
        let key = layer.fact(&["kinesis", "partitionKey"]);
        around.key = key.or(around.key.take());
    }
    data(layer, layer.at(&["kinesis", "data"]), around)
}

/// The first bytes of what the Kinesis Producer Library packs (its `aggregation-format.md`).
const PACKED: &[u8] = &[0xF3, 0x89, 0x9A, 0xC2];

/// What is in a record's data.
pub(super) fn data<'a>(
    layer: Layer<'a, '_>,
    index: Option<usize>,
    around: &mut Around<'a>,
) -> Inner<'a> {
    match encoded(layer, index, around) {
        Ok(Payload::Bytes(bytes)) if bytes.starts_with(PACKED) => {
            around
                .remarks
                .push("several records in one, packed by the Kinesis Producer Library");
            Inner::Nothing(reason::PAYLOAD_NOT_DECODED)
        }
        Ok(payload) => inside(payload),
        Err(why) => Inner::Nothing(why),
    }
}
