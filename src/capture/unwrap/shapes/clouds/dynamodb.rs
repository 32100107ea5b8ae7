//! A change in a DynamoDB stream, the same from Lambda and from `aws dynamodbstreams get-records`
//! (DynamoDB Streams API reference, `Record`). Keys and images stay in DynamoDB's typed JSON: a
//! number is `{"N": "1"}`, a text, and no number. Where an item holds an event as a text, an outbox, the
//! change is what was delivered all the same, and people are told.

use super::super::super::super::tape::NodeKind;
use super::super::super::around::Around;
use super::super::super::event::EventText;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::clock::seconds_or_time;
use super::message::{filled, is, is_event, is_object, position, remark};

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
        if holds_event(layer) {
            remark(
                layer,
                around,
                "an attribute of the item is a whole event by itself; what is read here is the change of the item",
            );
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

/// Whether an attribute of the new item is a text that is an event.
fn holds_event(layer: Layer<'_, '_>) -> bool {
    let Some(item) = layer.at(&["dynamodb", "NewImage"]) else {
        return false;
    };
    let mut attributes = layer.doc.members(item);
    attributes.any(|(_, attribute)| {
        let text = layer.doc.member(attribute, "S");
        let text = text.and_then(|text| layer.string(text));
        text.is_some_and(|text| is_event(text, layer.arena))
    })
}
