//! Firehose as a transforming Lambda function gets it: one element of `records`, milliseconds where
//! Kinesis has seconds (Data Firehose developer guide, "Data transformation"). Where a queue's record
//! was put into it by a function, the data is Base64 of Base64.

use super::super::super::around::Around;
use super::super::super::decode::base64;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy, any};
use super::clock::millis_at;
use super::kinesis::data;
use super::message::{position, remark};

pub(super) const SHAPE: Shape = Shape {
    name: "firehose",
    told_by: ToldBy::Keys {
        has: &["recordId", "approximateArrivalTimestamp", "data"],
        lacks: &["specversion", "source", "type"],
        fits: any,
    },
    unwrap,
};

const KINESIS: &str = "kinesisRecordMetadata";

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    around.received(millis_at(layer, &["approximateArrivalTimestamp"]));
    if layer.facts {
        let shard = layer.fact(&[KINESIS, "shardId"]);
        let sequence = layer.fact(&[KINESIS, "sequenceNumber"]);
        let sequence = sequence.or_else(|| layer.fact(&["recordId"]));
        position(around, [None, shard, sequence]);
        let key = layer.fact(&[KINESIS, "partitionKey"]);
        around.key = key.or(around.key.take());
    }
    match data(layer, layer.member("data"), around) {
        Inner::Bytes(bytes) => Inner::Bytes(twice(layer, bytes, around)),
        inner @ (Inner::Text(_) | Inner::Event(_) | Inner::Nothing(_)) => inner,
    }
}

/// What is inside, should it be an object in Base64 again; else what it was.
fn twice<'a>(layer: Layer<'a, '_>, bytes: &'a [u8], around: &mut Around<'a>) -> &'a [u8] {
    // `{` and a space, a quote or a line end behind it begin like this in Base64.
    let may_be = bytes.starts_with(b"ey") || bytes.starts_with(b"ew");
    let text = std::str::from_utf8(bytes).ok().filter(|_| may_be);
    let decoded = text.and_then(|text| base64(text.trim_ascii(), layer.arena));
    match decoded {
        Some(object) if object.starts_with(b"{") => {
            remark(layer, around, "the data was Base64 twice over");
            object
        }
        _ => bytes,
    }
}
