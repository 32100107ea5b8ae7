//! An SNS envelope: the body of a queue's message without raw delivery, or of an HTTP request
//! (SNS developer guide, "Parsing message formats"). Lambda has the same one under `Sns`, and spells
//! some addresses `…Url` instead of `…URL`; nothing here depends on them.

use std::borrow::Cow;

use super::super::super::super::tape::Doc;
use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy, any};
use super::message::{attributes, message, plain, position, remark};
use crate::model::{Instant, reason};

pub(super) const SHAPE: Shape = Shape {
    name: "sns",
    told_by: ToldBy::Keys {
        has: &["Type", "TopicArn", "Message"],
        lacks: &[],
        fits: any,
    },
    unwrap: |layer, around| envelope(layer, Doc::ROOT, around),
};

/// What is in an envelope, which may lie deeper than the record itself.
pub(super) fn envelope<'a>(
    layer: Layer<'a, '_>,
    envelope: usize,
    around: &mut Around<'a>,
) -> Inner<'a> {
    let member = |name| layer.doc.member(envelope, name);
    let text = |name| member(name).and_then(|index| layer.string(index));
    // A queue around it has received it itself.
    if around.received_at().is_none() {
        around.received(text("Timestamp").and_then(Instant::parse));
        if around.received_at().is_some() {
            remark(
                layer,
                around,
                "received-at is when it was published: SNS tells no other time",
            );
        }
    }
    if layer.facts {
        let fact = |name| member(name).and_then(|index| layer.scalar(index));
        // The consumer reads from its queue, where there is one, and many queues share a topic.
        if around.channel.is_none() && around.offset.is_none() {
            position(around, [fact("TopicArn"), None, fact("SequenceNumber")]);
        }
        for name in ["TopicArn", "Subject"] {
            if let Some(text) = text(name) {
                let header = (Cow::Borrowed(name), Some(Cow::Borrowed(text)));
                around.headers.push(header);
            }
        }
    }
    if matches!(
        text("Type"),
        Some("SubscriptionConfirmation" | "UnsubscribeConfirmation")
    ) {
        around
            .remarks
            .push("a handshake of SNS about a subscription, no event");
        return Inner::Nothing(reason::NO_PAYLOAD);
    }
    let headers = attributes(layer, member("MessageAttributes"), &["Value"]);
    message(layer, headers, plain(layer, member("Message")), around)
}
