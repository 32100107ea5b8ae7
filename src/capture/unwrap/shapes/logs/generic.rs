//! Logs of clouds and shippers that no other shape knows (Datadog, Azure Monitor, Google Cloud Logging,
//! Splunk, Vector, Fluent Bit, a program's own): an object with exactly one member that holds an event, as
//! text or as a value, or, where none does, exactly one whose text ends in an event, as a line of text may
//! (`log_line`). It takes nothing that another shape claims.
//!
//! Where a log's line usually is, anything that is known may be inside. Under any other name it has to be
//! a CloudEvent: an `order` that lies deep in somebody's document is no statement of the owner.

use super::super::super::super::json::{MAX_DEPTH, read};
use super::super::super::super::tape::{Doc, NodeKind};
use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::registry;
use super::super::super::registry::{Container, Shape, ToldBy};
use super::{log_line, moment::moment_at};
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "generic-log",
    told_by: ToldBy::Otherwise(fits),
    unwrap,
};

/// A page of Datadog's search; an empty one is told by what stands beside.
pub(super) const PAGE: Container = Container {
    name: "log-page",
    way: &["data", "*"],
};

/// The same of Datadog's older search, and of others.
pub(super) const LOGS: Container = Container {
    name: "logs",
    way: &["logs", "*"],
};

/// Splunk's search, whose empty one is told by what stands beside.
pub(super) const RESULTS: Container = Container {
    name: "splunk",
    way: &["results", "*"],
};

/// Where a line may be.
const LINES: [&[&str]; 13] = [
    &["message"],
    &["msg"],
    &["log"],
    &["textPayload"],
    &["jsonPayload"],
    &["jsonPayload", "message"],
    &["jsonPayload", "msg"],
    &["attributes", "message"],
    &["content", "message"],
    &["Message"],
    &["LogMessage"],
    &["_raw"],
    &["result", "_raw"],
];

/// What says when it was logged. `receiveTimestamp` is when Google's log took it.
const TIMES: [&[&str]; 10] = [
    &["timestamp"],
    &["time"],
    &["@timestamp"],
    &["ts"],
    &["date"],
    &["TimeGenerated"],
    &["_time"],
    &["attributes", "timestamp"],
    &["content", "timestamp"],
    &["result", "_time"],
];

/// What every CloudEvent has, and nearly nothing else.
const TELLING: &str = "specversion";

/// So deep an event is looked for, in objects only.
const MOST_LEVELS: u32 = 4;

/// Whether a text is what is looked for.
type Holds = fn(Layer<'_, '_>, &str) -> bool;

/// The one member that holds an event.
fn held<'a>(layer: Layer<'a, '_>) -> Option<&'a str> {
    let mut found = held_as(layer, is_known)?;
    if found.is_empty() {
        found = held_as(layer, ends_in_event)?;
    }
    match found.as_slice() {
        [only] => Some(only),
        _ => None,
    }
}

/// What holds an event where a line may be, else what does elsewhere; two where it is not said which
/// one was delivered. Nothing at all where the object holds records of a known kind: it is taken apart
/// into them.
fn held_as<'a>(layer: Layer<'a, '_>, holds: Holds) -> Option<Vec<&'a str>> {
    let lines = LINES.iter().filter_map(|names| {
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
        holds(layer, text).then_some(text)
    });
    let mut found: Vec<_> = lines.take(2).collect();
    if found.is_empty() && tells(layer.text) {
        look_for_events(layer, (Doc::ROOT, MOST_LEVELS), holds, &mut found);
        if found.len() == 1 && registry().elements(layer).is_some() {
            return None;
        }
    }
    Some(found)
}

/// Whether a text is an event, or one in a wrapper that is known.
pub(super) fn is_known(layer: Layer<'_, '_>, text: &str) -> bool {
    let mut nodes = Vec::new();
    if !text.starts_with('{') || read(text, MAX_DEPTH, &mut nodes).is_err() {
        return false;
    }
    registry().knows_for_sure(Layer::new(Doc::new(text, &nodes), layer.arena, false))
}

/// Whether a text is a line that ends in an event.
pub(super) fn ends_in_event(_: Layer<'_, '_>, text: &str) -> bool {
    text.ends_with('}') && log_line::fits(text)
}

fn tells(text: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), TELLING.as_bytes()).is_some()
}

/// CloudEvents under any names, up to two: then it is not said which one was delivered.
fn look_for_events<'a>(
    layer: Layer<'a, '_>,
    (at, levels): (usize, u32),
    holds: Holds,
    found: &mut Vec<&'a str>,
) {
    let doc = layer.doc;
    for (_, value) in doc.members(at) {
        if found.len() > 1 {
            return;
        }
        if doc.is(value, NodeKind::Object) {
            let is_event = doc.member(value, TELLING).is_some()
                || doc.follow(value, &["event", TELLING]).is_some();
            if is_event {
                found.push(doc.raw(value));
            } else if levels > 1 {
                look_for_events(layer, (value, levels - 1), holds, found);
            }
        } else if doc.is(value, NodeKind::String) && tells(doc.raw(value)) {
            let text = layer.string(value).unwrap_or_default().trim();
            if holds(layer, text) {
                found.push(text);
            }
        }
    }
}

fn fits(layer: Layer<'_, '_>) -> bool {
    held(layer).is_some()
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    around.received(TIMES.iter().find_map(|names| moment_at(layer, names)));
    match held(layer) {
        Some(text) => Inner::Text(text),
        None => Inner::Nothing(reason::NO_PAYLOAD),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use bumpalo::Bump;

    use super::*;

    fn is_generic(text: &str) -> bool {
        let (arena, mut nodes) = (Bump::new(), Vec::new());
        read(text, MAX_DEPTH, &mut nodes).unwrap();
        fits(Layer::new(Doc::new(text, &nodes), &arena, false))
    }

    #[test]
    fn one_member_may_end_in_an_event() {
        let event = r#"{\"specversion\":\"1.0\",\"id\":\"a\"}"#;
        for (text, wanted) in [
            (format!(r#"{{"msg":"got {event}"}}"#), true),
            (format!(r#"{{"anything":{{"else":"got {event} "}}}}"#), true),
            (
                format!(r#"{{"msg":"got {event}","log":"plain {{}}"}}"#),
                true,
            ),
            (format!(r#"{{"msg":"got {event}","log":"{event}"}}"#), true),
            (
                format!(r#"{{"msg":"got {event}","log":"got {event}"}}"#),
                false,
            ),
            (format!(r#"{{"msg":"got {event} and {event}"}}"#), false),
            (format!(r#"{{"msg":"got {event} in 3 ms"}}"#), false),
            (format!(r#"{{"msg":"got{event}"}}"#), false),
            (r#"{"msg":"got {}"}"#.to_owned(), false),
            (
                r#"{"anything":"got {\"order\":{\"id\":\"a\"}}"}"#.to_owned(),
                false,
            ),
        ] {
            assert_eq!(is_generic(&text), wanted, "{text}");
        }
    }

    #[test]
    fn containers_in_containers_do_not_double_the_work() {
        for event in [
            r#"{"specversion":"1.0","id":"a"}"#,
            r#""got {\"specversion\":\"1.0\",\"id\":\"a\"}""#,
        ] {
            let mut text = "1".to_owned();
            for _ in 0..60 {
                text = format!(r#"{{"x":{event},"data":[{text}]}}"#);
            }
            // It comes to an end, whatever it says.
            is_generic(&text);
        }
    }
}
