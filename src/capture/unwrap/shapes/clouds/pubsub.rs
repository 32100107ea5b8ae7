//! Pub/Sub: the body of a push request, or one element of a pull, as `gcloud pubsub subscriptions
//! pull --format=json` and the REST interface give it (Pub/Sub documentation, "Push subscriptions",
//! "PubsubMessage", "ReceivedMessage"; CloudEvents Pub/Sub binding). A push body has each id and time
//! twice, in two spellings.

use std::borrow::Cow;

use super::super::super::around::{Around, Header};
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::clock::time_at;
use super::message::{count, encoded, is_object, message, position, remark};

pub(super) const SHAPE: Shape = Shape {
    name: "pubsub",
    told_by: ToldBy::Keys {
        has: &["message"],
        lacks: &["specversion"],
        fits,
    },
    unwrap,
};

fn fits(layer: Layer<'_, '_>) -> bool {
    let is_delivered = ["subscription", "ackId"]
        .iter()
        .any(|name| layer.string_at(&[name]).is_some());
    is_delivered && is_object(layer, "message")
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    // Without a dead-letter policy nobody counts.
    around.attempt = count(layer, &["deliveryAttempt"]).or(around.attempt);
    if around.received_at().is_none() {
        let published = time_at(layer, &["message", "publishTime"]);
        around.received(published.or_else(|| time_at(layer, &["message", "publish_time"])));
        if around.received_at().is_some() {
            remark(
                layer,
                around,
                "received-at is when it was published: Pub/Sub tells no other time",
            );
        }
    }
    if layer.facts {
        facts(layer, around);
    }
    let attributes = layer.at(&["message", "attributes"]);
    let members = attributes.map(|object| layer.doc.members(object));
    let headers: Vec<Header<'a>> = members
        .into_iter()
        .flatten()
        .filter_map(|(key, value)| Some((Cow::Borrowed(layer.string(key)?), layer.scalar(value))))
        .collect();
    match encoded(layer, layer.at(&["message", "data"]), around) {
        Ok(payload) => message(layer, headers, payload, around),
        Err(why) => Inner::Nothing(why),
    }
}

fn facts<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) {
    let subscription = layer.fact(&["subscription"]);
    let id = layer.fact(&["message", "messageId"]);
    let id = id.or_else(|| layer.fact(&["message", "message_id"]));
    position(around, [subscription, None, id]);
    let key = layer.fact(&["message", "orderingKey"]);
    let key = key.filter(|key| !key.is_empty());
    if key.is_none() {
        remark(
            layer,
            around,
            "Pub/Sub keeps no order without an ordering key",
        );
    }
    around.key = key.or(around.key.take());
}
