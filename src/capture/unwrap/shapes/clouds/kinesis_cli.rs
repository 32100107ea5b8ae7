//! Kinesis as `aws kinesis get-records` gives it: one element of `Records`, names in Pascal case, the
//! arrival as seconds or RFC 3339, as the version of the tool will have it (Kinesis API reference,
//! `Record`). Neither stream nor shard is told.

use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy, any};
use super::clock::seconds_or_time;
use super::kinesis::data;
use super::message::position;

pub(super) const SHAPE: Shape = Shape {
    name: "kinesis-cli",
    told_by: ToldBy::Keys {
        has: &["SequenceNumber", "Data", "PartitionKey"],
        lacks: &[],
        fits: any,
    },
    unwrap,
};

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let arrived = layer.member("ApproximateArrivalTimestamp");
    around.received(arrived.and_then(|at| seconds_or_time(layer, at)));
    if layer.facts {
        position(around, [None, None, layer.fact(&["SequenceNumber"])]);
        around.key = layer.fact(&["PartitionKey"]).or(around.key.take());
    }
    data(layer, layer.member("Data"), around)
}
