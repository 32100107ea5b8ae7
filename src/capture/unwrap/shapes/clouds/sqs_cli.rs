//! SQS as `aws sqs receive-message` and the SDKs give it: one element of `Messages`, names in Pascal
//! case, attributes only where they were asked for (SQS API reference, `Message`).

use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy, any};
use super::message::{attributes, message, plain};
use super::sqs::delivery;

pub(super) const SHAPE: Shape = Shape {
    name: "sqs-cli",
    told_by: ToldBy::Keys {
        has: &["MessageId", "MD5OfBody"],
        lacks: &[],
        fits: any,
    },
    unwrap,
};

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    delivery(layer, "Attributes", around);
    let headers = attributes(
        layer,
        layer.member("MessageAttributes"),
        &["StringValue", "BinaryValue"],
    );
    message(layer, headers, plain(layer, layer.member("Body")), around)
}
