//! Logs of clouds that no other shape knows (Datadog, Azure Monitor, Google Cloud Logging, a program's
//! own): an object with exactly one member that holds an event, as text or as a value. It takes nothing
//! that another shape claims.

use super::super::super::super::json::{MAX_DEPTH, read};
use super::super::super::super::tape::{Doc, NodeKind};
use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::registry;
use super::super::super::registry::{Shape, ToldBy};
use crate::model::{Instant, reason};

pub(super) const SHAPE: Shape = Shape {
    name: "generic-log",
    told_by: ToldBy::Otherwise(fits),
    unwrap,
};

/// Where a line may be.
const LINES: [&[&str]; 9] = [
    &["message"],
    &["msg"],
    &["log"],
    &["textPayload"],
    &["jsonPayload"],
    &["jsonPayload", "message"],
    &["jsonPayload", "msg"],
    &["attributes", "message"],
    &["content", "message"],
];

/// What says when it was logged. `receiveTimestamp` is when Google's log took it.
const TIMES: [&[&str]; 6] = [
    &["timestamp"],
    &["time"],
    &["@timestamp"],
    &["ts"],
    &["attributes", "timestamp"],
    &["content", "timestamp"],
];

/// The one member that holds an event.
fn held<'a>(layer: Layer<'a, '_>) -> Option<&'a str> {
    let mut found = LINES.iter().filter_map(|names| {
        let index = layer.at(names)?;
        let kind = layer.doc.kind(index)?;
        let text = match kind {
            NodeKind::String => layer.string(index)?.trim(),
            NodeKind::Object => layer.doc.raw(index),
            NodeKind::Array
            | NodeKind::Number
            | NodeKind::True
            | NodeKind::False
            | NodeKind::Null => return None,
        };
        is_known(layer, text).then_some(text)
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Whether a text is an event, or one in a wrapper that is known.
fn is_known(layer: Layer<'_, '_>, text: &str) -> bool {
    let mut nodes = Vec::new();
    if !text.starts_with('{') || read(text, MAX_DEPTH, &mut nodes).is_err() {
        return false;
    }
    registry().knows_for_sure(Layer::new(Doc::new(text, &nodes), layer.arena, false))
}

fn fits(layer: Layer<'_, '_>) -> bool {
    held(layer).is_some()
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let time = TIMES
        .iter()
        .find_map(|names| layer.string_at(names).and_then(Instant::parse));
    around.received(time);
    match held(layer) {
        Some(text) => Inner::Text(text),
        None => Inner::Nothing(reason::NO_PAYLOAD),
    }
}
