//! What is inside an event's `data`, for a contract that says `readInside`: JSON in a string, JSON in
//! `data_base64`, or a whole event in an event. Without that word a string stays a string (CloudEvents
//! JSON format, section 3.1.2).

use bumpalo::collections::String as BumpString;

use super::super::json::{MAX_DEPTH, read};
use super::super::tape::{Doc, NodeKind};
use super::decode;
use super::layer::Layer;

/// The record's text with what was inside in its place, and what that is called on the wrap path.
pub(super) fn inside<'a>(layer: Layer<'a, '_>) -> Option<(&'static str, &'a str)> {
    let doc = layer.doc;
    let native = doc.member(Doc::ROOT, "event");
    let is_bare = doc.member(Doc::ROOT, "specversion").is_some();
    let event = native.filter(|_| !is_bare).unwrap_or(Doc::ROOT);
    let (key, data) = doc.members(event).find(|(key, _)| {
        let name = doc.string(*key);
        name.is_some_and(|name| name == "data" || name == "data_base64")
    })?;
    let name = doc.string(key)?;
    if name == "data" && doc.is(data, NodeKind::Object) {
        doc.member(data, "specversion")?;
        return Some(("cloudevent", replaced(layer, event, event, doc.raw(data))?));
    }
    let text = layer.string(data)?;
    let (wrapper, json) = if name == "data" {
        ("json-string", text)
    } else {
        let bytes = decode::base64(text, layer.arena)?;
        ("base64", std::str::from_utf8(bytes).ok()?)
    };
    let looks_like_it = json.trim_start().starts_with(['{', '[']);
    let is_json = looks_like_it && read(json.trim(), MAX_DEPTH, &mut Vec::new()).is_ok();
    if !is_json {
        return None;
    }
    let mut member = BumpString::with_capacity_in(json.len() + 8, layer.arena);
    member.push_str("\"data\":");
    member.push_str(json.trim());
    Some((wrapper, replaced(layer, key, data, member.into_bump_str())?))
}

/// The record's text with another text from the start of one value to the end of another.
fn replaced<'a>(layer: Layer<'a, '_>, from: usize, to: usize, with: &str) -> Option<&'a str> {
    let start = layer.doc.node(from)?.start as usize;
    let end = layer.doc.node(to)?.end as usize;
    let (head, tail) = (layer.text.get(..start)?, layer.text.get(end..)?);
    let length = head.len() + with.len() + tail.len();
    let mut text = BumpString::with_capacity_in(length, layer.arena);
    text.push_str(head);
    text.push_str(with);
    text.push_str(tail);
    Some(text.into_bump_str())
}
