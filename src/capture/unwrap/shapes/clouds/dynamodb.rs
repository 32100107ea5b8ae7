//! A change in a DynamoDB stream, the same from Lambda and from `aws dynamodbstreams get-records`
//! (DynamoDB Streams API reference, `Record`). Keys and images stay in DynamoDB's typed JSON: a
//! number is `{"N": "1"}`, a text, and no number.

use super::super::super::super::tape::NodeKind;
use super::super::super::around::Around;
use super::super::super::event::EventText;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::clock::seconds_or_time;
use super::message::{filled, is, is_object, position, remark};

pub(super) const SHAPE: Shape = Shape {
    name: "dynamodb",
    told_by: ToldBy::Keys {
        has: &["eventID", "eventName", "dynamodb"],
        lacks: &["kinesis"],
        fits: |layer| is(layer, "eventSource", "aws:dynamodb") && is_object(layer, "dynamodb"),
    },
    unwrap,
};

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let created = layer.at(&["dynamodb", "ApproximateCreationDateTime"]);
    around.received(created.and_then(|at| seconds_or_time(layer, at)));
    let images: Vec<_> = ["Keys", "NewImage", "OldImage"]
        .into_iter()
        .filter_map(|name| Some((name, layer.at(&["dynamodb", name])?)))
        .filter(|(_, at)| !layer.doc.is(*at, NodeKind::Null))
        .collect();
    if layer.facts {
        let stream = layer.fact(&["eventSourceARN"]);
        let sequence = layer.fact(&["dynamodb", "SequenceNumber"]);
        position(around, [stream, None, sequence]);
        let principal = layer.string_at(&["userIdentity", "principalId"]);
        if principal == Some("dynamodb.amazonaws.com") {
            remark(
                layer,
                around,
                "removed because its time to live had passed, by no application",
            );
        }
        if images.iter().all(|(name, _)| *name == "Keys") {
            remark(layer, around, "the stream holds keys only, no images");
        }
    }
    let mut event = EventText::new(layer.arena);
    event.string("specversion", "1.0");
    event.maybe("id", filled(layer, &["eventID"]));
    // Only Lambda says which stream it was.
    event.maybe("source", filled(layer, &["eventSourceARN"]));
    event.maybe("type", filled(layer, &["eventName"]));
    let members: Vec<_> = images
        .iter()
        .map(|(name, at)| format!("\"{name}\":{}", layer.doc.raw(*at)))
        .collect();
    event.raw("data", &format!("{{{}}}", members.join(",")));
    event.finish()
}
