//! RabbitMQ on Amazon MQ as a Lambda function gets it: one element of
//! `rmqMessagesByQueue."queue::vhost"`, data in Base64, a header's text as an array of bytes (AWS
//! Lambda, "Using Lambda with Amazon MQ"). The queue stands around the messages, not in them.

use std::borrow::Cow;

use super::super::super::super::tape::NodeKind;
use super::super::super::around::{Around, Header};
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::clock::locale_text;
use super::message::{encoded, is_object, message, note, remark, signed_bytes};

pub(super) const SHAPE: Shape = Shape {
    name: "lambda-rabbitmq",
    told_by: ToldBy::Keys {
        has: &["basicProperties", "redelivered", "data"],
        lacks: &["specversion", "source", "type"],
        fits: |layer| is_object(layer, "basicProperties"),
    },
    unwrap,
};

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    if let Some(text) = layer.string_at(&["basicProperties", "timestamp"]) {
        let time = locale_text(text);
        around.received(time);
        let words = if time.is_some() {
            "received-at is the sender's time, written in a locale without a zone: read as UTC"
        } else {
            "the sender's time is written in a locale that is not known here, and left out"
        };
        remark(layer, around, words);
    }
    let redelivered = layer.member("redelivered");
    if redelivered.is_some_and(|at| layer.doc.is(at, NodeKind::True)) {
        remark(
            layer,
            around,
            "delivered before, the broker does not say how often",
        );
    }
    let mut headers: Vec<Header<'a>> = Vec::new();
    let content_type = layer.string_at(&["basicProperties", "contentType"]);
    if let Some(content_type) = content_type {
        headers.push((
            Cow::Borrowed("content-type"),
            Some(Cow::Borrowed(content_type)),
        ));
    }
    let own = layer.at(&["basicProperties", "headers"]);
    let members = own.map(|object| layer.doc.members(object));
    for (key, value) in members.into_iter().flatten() {
        let Some(name) = layer.string(key) else {
            continue;
        };
        let bytes = layer.doc.member(value, "bytes");
        let text = bytes.and_then(|bytes| signed_bytes(layer, bytes));
        let text = text.or_else(|| layer.scalar(value));
        headers.push((Cow::Borrowed(name), text));
    }
    note(
        layer,
        "message_id",
        &["basicProperties", "messageId"],
        around,
    );
    note(layer, "type", &["basicProperties", "type"], around);
    match encoded(layer, layer.member("data"), around) {
        Ok(payload) => message(layer, headers, payload, around),
        Err(why) => Inner::Nothing(why),
    }
}
