//! What CloudWatch Logs hands to a Lambda function: `{"awslogs":{"data":"…"}}`, Base64 of gzip of a batch
//! of events. A record is one range of the capture's bytes, and the events of a batch have none, so they
//! are not taken apart here: the command that unpacks them is said, and what it prints can be opened.

use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "cloudwatch-packed",
    told_by: ToldBy::Keys {
        has: &["awslogs"],
        lacks: &[],
        fits,
    },
    unwrap,
};

fn fits(layer: Layer<'_, '_>) -> bool {
    layer.string_at(&["awslogs", "data"]).is_some()
}

fn unwrap<'a>(_: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    around.remarks.push(
        "a packed batch of log events: unpack it with `jq -r .awslogs.data CAPTURE | while read -r line; do echo \"$line\" | base64 -d | gzip -dc; echo; done`, and open what that prints",
    );
    Inner::Nothing(reason::PAYLOAD_NOT_DECODED)
}
