//! An SNS envelope: the body of a queue's message without raw delivery, or of an HTTP request
//! (SNS developer guide, "Parsing message formats"). Lambda has the same one under `Sns`, and spells
//! some addresses `…Url` instead of `…URL`; nothing here depends on them.

use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy, any};
use super::clock::time_at;
use super::message::{attributes, message, note, plain, remark};
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "sns",
    told_by: ToldBy::Keys {
        has: &["Type", "TopicArn", "Message"],
        lacks: &[],
        fits: any,
    },
    unwrap: |layer, around| envelope(layer, &[], around),
};

/// What is in an envelope that lies under these names.
pub(super) fn envelope<'a>(
    layer: Layer<'a, '_>,
    under: &[&str],
    around: &mut Around<'a>,
) -> Inner<'a> {
    let at = |name| {
        let mut names = under.to_vec();
        names.push(name);
        names
    };
    // A queue around it has received it itself.
    if around.received_at.is_none() {
        around.received(time_at(layer, &at("Timestamp")));
        if around.received_at.is_some() {
            remark(
                layer,
                around,
                "received-at is when it was published: SNS tells no other time",
            );
        }
    }
    if layer.facts {
        around.channel = layer.fact(&at("TopicArn")).or(around.channel.take());
        around.offset = layer.fact(&at("SequenceNumber")).or(around.offset.take());
        note(layer, "Subject", &at("Subject"), around);
    }
    let kind = layer.string_at(&at("Type"));
    if matches!(
        kind,
        Some("SubscriptionConfirmation" | "UnsubscribeConfirmation")
    ) {
        around
            .remarks
            .push("a handshake of SNS about a subscription, no event");
        return Inner::Nothing(reason::NO_PAYLOAD);
    }
    let headers = attributes(layer, layer.at(&at("MessageAttributes")), &["Value"]);
    message(
        layer,
        headers,
        plain(layer, layer.at(&at("Message"))),
        around,
    )
}
