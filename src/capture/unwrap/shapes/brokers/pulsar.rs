//! `pulsar-client consume`: a boundary, then `key:[…], properties:[a=b, c=d], content:…`; older ones
//! print the content alone (`AbstractCmdConsume.java`). There is no topic, message id or time.

use std::borrow::Cow;

use super::super::super::super::framing::Tool;
use super::text::Lines;
use super::{Around, Header, Inner, Layer, Payload, Shape, ToldBy, is_json_value, marks, message};
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "pulsar",
    told_by: ToldBy::Text(fits),
    unwrap,
};

fn fits(text: &str) -> bool {
    below_boundary(text).is_some()
}

/// What follows the boundary, below nothing but the tool's own log.
fn below_boundary(text: &str) -> Option<&str> {
    let mut lines = Lines::new(text);
    while let Some(line) = lines.next() {
        if marks::is_pulsar(line.as_bytes()) {
            return Some(lines.rest);
        }
        if !line.trim().is_empty() && !marks::is_own_log(Tool::Pulsar, line.as_bytes()) {
            return None;
        }
    }
    None
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let text = without_log(below_boundary(layer.text).unwrap_or_default());
    let is_log = |line: &str| marks::is_own_log(Tool::Pulsar, line.as_bytes());
    if Lines::new(layer.text).any(is_log) {
        around
            .remarks
            .push("lines of the tool's own log stand around the message");
    }
    let (key, properties, content) = parts(text);
    around.key = key.map(Cow::Borrowed);
    let payload = match content {
        "" => Payload::Absent,
        "null" => {
            around
                .remarks
                .push("pulsar-client prints null for a message without a value");
            Payload::Absent
        }
        content if is_struct(content) => {
            around
                .remarks
                .push("pulsar-client printed the decoded value as Java does, not as it was sent");
            return Inner::Nothing(reason::PAYLOAD_NOT_DECODED);
        }
        content => Payload::Text(content),
    };
    message(
        layer,
        headers(properties),
        None,
        &["ce-", "ce_"],
        payload,
        around,
    )
}

/// Key, properties and content; a key may hold anything, so the first `], properties:[` ends it.
fn parts(text: &str) -> (Option<&str>, &str, &str) {
    let split = text.strip_prefix("key:[").and_then(|rest| {
        let (key, rest) = rest.split_once("], ")?;
        if let Some(content) = rest.strip_prefix("content:") {
            return Some((key, "", content));
        }
        let rest = rest.strip_prefix("properties:[")?;
        let (properties, content) = rest.split_once("], content:")?;
        Some((key, properties, content))
    });
    match split {
        Some((key, properties, content)) => {
            (Some(key).filter(|key| *key != "null"), properties, content)
        }
        None => (None, "", text),
    }
}

/// `a=b, c=d`: a piece without an equals sign belongs to the value before it.
fn headers(text: &str) -> Vec<Header<'_>> {
    let mut found: Vec<Header<'_>> = Vec::new();
    for piece in text.split(", ").filter(|piece| !piece.is_empty()) {
        match (piece.split_once('='), found.last_mut()) {
            (Some((name, value)), _) => {
                found.push((Cow::Borrowed(name), Some(Cow::Borrowed(value))));
            }
            (None, Some((_, Some(value)))) => {
                let value = value.to_mut();
                value.push_str(", ");
                value.push_str(piece);
            }
            (None, _) => {}
        }
    }
    found
}

/// Java's `{name=value, …}`.
fn is_struct(content: &str) -> bool {
    let Some(rest) = content.strip_prefix('{') else {
        return false;
    };
    let name = rest
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        .count();
    name > 0 && rest.as_bytes().get(name) == Some(&b'=') && !is_json_value(content)
}

/// The message without what the client logged below it.
fn without_log(text: &str) -> &str {
    let mut lines = Lines::new(text);
    while let Some(line) = lines.peek() {
        if marks::is_own_log(Tool::Pulsar, line.as_bytes()) {
            let end = text.len() - lines.rest.len();
            return text.get(..end).unwrap_or(text).trim();
        }
        lines.next();
    }
    text.trim()
}
