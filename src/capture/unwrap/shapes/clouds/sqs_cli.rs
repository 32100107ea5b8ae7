//! SQS as `aws sqs receive-message` and the SDKs give it: one element of `Messages`, names in Pascal
//! case, attributes only where they were asked for (SQS API reference, `Message`).

use super::super::super::super::tape::NodeKind;
use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::message::{attributes, message, plain};
use super::sqs::delivery;

pub(super) const SHAPE: Shape = Shape {
    name: "sqs-cli",
    told_by: ToldBy::Keys {
        has: &["MessageId"],
        lacks: &[],
        fits: is_message,
    },
    unwrap,
};

/// The digest tells a message. `--query` leaves it out easily, but not what is wanted of a message: a
/// text.
fn is_message(layer: Layer<'_, '_>) -> bool {
    let is_text = |body| layer.doc.is(body, NodeKind::String);
    layer.member("MD5OfBody").is_some() || layer.member("Body").is_some_and(is_text)
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    delivery(layer, "Attributes", around);
    let headers = attributes(
        layer,
        layer.member("MessageAttributes"),
        &["StringValue", "BinaryValue"],
    );
    message(layer, headers, plain(layer, layer.member("Body")), around)
}
