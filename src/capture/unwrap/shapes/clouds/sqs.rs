//! SQS as a Lambda function gets it: one element of `Records`, names in camel case (AWS Lambda,
//! "Using Lambda with Amazon SQS"). `messageId` is the transport's, never the event's.

use std::borrow::Cow;

use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::clock::millis_at;
use super::message::{attributes, count, is, message, note, plain, position, remark};

pub(super) const SHAPE: Shape = Shape {
    name: "sqs",
    told_by: ToldBy::Keys {
        has: &["messageId", "body", "eventSource"],
        lacks: &[],
        fits: |layer| is(layer, "eventSource", "aws:sqs"),
    },
    unwrap,
};

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    delivery(layer, "attributes", around);
    let headers = attributes(
        layer,
        layer.member("messageAttributes"),
        &["stringValue", "binaryValue"],
    );
    message(layer, headers, plain(layer, layer.member("body")), around)
}

/// What the queue says of this delivery, in an object of its attributes: all values are texts.
pub(super) fn delivery<'a>(layer: Layer<'a, '_>, object: &str, around: &mut Around<'a>) {
    let text = |name: &str| layer.at(&[object, name]).and_then(|at| layer.digits(at));
    let attempt = count(layer, &[object, "ApproximateReceiveCount"]);
    around.attempt = attempt.or(around.attempt);
    let first = millis_at(layer, &[object, "ApproximateFirstReceiveTimestamp"]);
    let sent = millis_at(layer, &[object, "SentTimestamp"]);
    around.received(first.or(sent));
    if !layer.facts {
        return;
    }
    if first.is_some() && attempt != Some("1") {
        around.remarks.push(if attempt.is_some() {
            "received-at is the first receive of this message, not this one"
        } else {
            "received-at is the first receive of this message, perhaps not this one"
        });
    }
    if first.is_none() && sent.is_some() {
        around
            .remarks
            .push("received-at is when the message was sent: no receive time is there");
    }
    if attempt.is_none() {
        remark(
            layer,
            around,
            "the count of receives is missing: receive-message gives it only where it is asked for",
        );
    }
    if text("DeadLetterQueueSourceArn").is_some() {
        remark(layer, around, "read from a dead-letter queue");
    }
    note(
        layer,
        "DeadLetterQueueSourceArn",
        &[object, "DeadLetterQueueSourceArn"],
        around,
    );
    let sequence = text("SequenceNumber").map(Cow::Borrowed);
    position(around, [layer.fact(&["eventSourceARN"]), None, sequence]);
    around.key = text("MessageGroupId")
        .map(Cow::Borrowed)
        .or(around.key.take());
}
