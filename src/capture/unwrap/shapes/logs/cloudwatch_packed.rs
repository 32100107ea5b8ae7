//! What CloudWatch Logs hands to a Lambda function: `{"awslogs":{"data":"…"}}`, Base64 of gzip of a batch
//! of events. A record is one range of the capture's bytes, and the events of a batch have none, so only a
//! batch of one is opened. Of any other the command that unpacks it is said, and what it prints can be
//! opened.

use std::io::Read as _;

use flate2::read::MultiGzDecoder;

use super::super::super::super::json::{MAX_DEPTH, read};
use super::super::super::super::tape::Doc;
use super::super::super::around::Around;
use super::super::super::decode;
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

/// A batch that unpacks to more has several events: one may have 1 MiB, escaped twice at the worst.
const MOST_BYTES: u64 = 8 << 20;

fn fits(layer: Layer<'_, '_>) -> bool {
    layer.string_at(&["awslogs", "data"]).is_some()
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    if let Some(event) = only_event(layer) {
        return Inner::Text(event);
    }
    around.remarks.push(
        "a packed batch of log events: unpack it with `jq -r .awslogs.data CAPTURE | while read -r line; do echo \"$line\" | base64 -d | gzip -dc; echo; done`, and open what that prints",
    );
    Inner::Nothing(reason::PAYLOAD_NOT_DECODED)
}

/// The event of a batch of one.
fn only_event<'a>(layer: Layer<'a, '_>) -> Option<&'a str> {
    let packed = decode::base64(layer.string_at(&["awslogs", "data"])?, layer.arena)?;
    let mut text = String::new();
    let mut unpacked = MultiGzDecoder::new(packed).take(MOST_BYTES + 1);
    let length = unpacked.read_to_string(&mut text).ok()?;
    if length as u64 > MOST_BYTES {
        return None;
    }
    let mut nodes = Vec::new();
    read(&text, MAX_DEPTH, &mut nodes).ok()?;
    let doc = Doc::new(&text, &nodes);
    let mut events = doc.elements(doc.member(Doc::ROOT, "logEvents")?);
    let only = events.next().filter(|_| events.next().is_none())?;
    Some(layer.arena.alloc_str(doc.raw(only)))
}
