//! What clouds' transports share: a message is headers and a payload, often in Base64, and may be a
//! CloudEvent in structured mode, one in binary mode, or anything else.

use std::borrow::Cow;

use bumpalo::Bump;

use super::super::super::super::json::{MAX_DEPTH, read};
use super::super::super::super::tape::{Doc, NodeKind};
use super::super::super::around::{Around, Header};
use super::super::super::decode::base64;
use super::super::super::event::{Payload, from_headers, is_structured};
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::registry;
use crate::model::{ReasonId, reason};

/// A header's name before the attribute's: HTTP's and Pub/Sub's spelling, Kafka's, which queues that
/// allow no hyphen borrow, and the two of AMQP (CloudEvents AMQP binding, section 3.1.3.1).
const PREFIXES: [&str; 4] = ["ce-", "ce_", "cloudEvents_", "cloudEvents:"];

/// What is inside a message. A content type that says so makes it structured mode, whatever else the
/// headers say (CloudEvents HTTP binding, section 3).
pub(super) fn message<'a>(
    layer: Layer<'a, '_>,
    headers: Vec<Header<'a>>,
    payload: Payload<'a>,
    around: &mut Around<'a>,
) -> Inner<'a> {
    let named = headers
        .iter()
        .filter_map(|(name, value)| Some((name.as_ref(), Cow::Borrowed(value.as_deref()?))));
    let mut types = named.clone().filter(|(name, _)| is_content_type(name));
    let event = if types.any(|(_, value)| is_structured(&value)) {
        None
    } else {
        from_headers(named, &PREFIXES, payload, layer.arena)
    };
    if layer.facts {
        around.headers.extend(headers);
    }
    event.unwrap_or_else(|| inside(payload))
}

/// A payload that is no event's data.
pub(super) fn inside(payload: Payload<'_>) -> Inner<'_> {
    match payload {
        Payload::Absent => Inner::Nothing(reason::NO_PAYLOAD),
        Payload::Text(text) | Payload::Json(text) => Inner::Text(text),
        Payload::Bytes(bytes) => Inner::Bytes(bytes),
    }
}

fn is_content_type(name: &str) -> bool {
    name.eq_ignore_ascii_case("content-type") || name.eq_ignore_ascii_case("content_type")
}

/// A payload that stands as it is: a text, or a value where the tool has read it already.
pub(super) fn plain<'a>(layer: Layer<'a, '_>, index: Option<usize>) -> Payload<'a> {
    let Some(index) = index.filter(|index| !layer.is_null(Some(*index))) else {
        return Payload::Absent;
    };
    match layer.string(index) {
        Some("") => Payload::Absent,
        Some(text) => Payload::Text(text),
        None => Payload::Json(layer.doc.raw(index)),
    }
}

/// A payload in Base64. Errors: it is none.
pub(super) fn encoded<'a>(
    layer: Layer<'a, '_>,
    index: Option<usize>,
    around: &mut Around<'a>,
) -> Result<Payload<'a>, ReasonId> {
    let Some(index) = index.filter(|index| !layer.is_null(Some(*index))) else {
        return Ok(Payload::Absent);
    };
    let text = layer.string(index);
    match text.and_then(|text| base64(text, layer.arena)) {
        Some([]) => Ok(Payload::Absent),
        Some(bytes) => Ok(Payload::Bytes(bytes)),
        None => {
            around.remarks.push("the payload is no Base64");
            Err(reason::PAYLOAD_NOT_DECODED)
        }
    }
}

/// Headers as an object of objects: `{"name": {"stringValue": "value"}}`, where the value stands in
/// the first of these members that is there.
pub(super) fn attributes<'a>(
    layer: Layer<'a, '_>,
    object: Option<usize>,
    values: &[&str],
) -> Vec<Header<'a>> {
    let members = object.map(|object| layer.doc.members(object));
    let headers = members.into_iter().flatten().filter_map(|(key, value)| {
        let named = |name: &&str| layer.doc.member(value, name);
        let mut found = values.iter().filter_map(named);
        let value = found.find_map(|index| layer.scalar(index));
        Some((Cow::Borrowed(layer.string(key)?), value))
    });
    headers.collect()
}

/// A text in Base64, as a person reads it: what is no text stays in Base64.
pub(super) fn readable<'a>(layer: Layer<'a, '_>, index: usize) -> Option<Cow<'a, str>> {
    let text = layer.string(index)?;
    let bytes = base64(text, layer.arena);
    let decoded = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok());
    Some(Cow::Borrowed(decoded.unwrap_or(text)))
}

/// An array of bytes as Java writes them: signed, so that 228 is −28. What is no such array is none.
pub(super) fn signed_bytes<'a>(layer: Layer<'a, '_>, array: usize) -> Option<Cow<'a, str>> {
    if !layer.doc.is(array, NodeKind::Array) {
        return None;
    }
    let numbers = layer.doc.elements(array);
    let bytes: Option<Vec<u8>> = numbers
        .map(|index| {
            let number: i16 = layer.doc.raw(index).parse().ok()?;
            if !(-128..=255).contains(&number) {
                return None;
            }
            u8::try_from(number.rem_euclid(256)).ok()
        })
        .collect();
    Some(Cow::Owned(String::from_utf8_lossy(&bytes?).into_owned()))
}

/// A text that a member holds, where it is not empty.
pub(super) fn filled<'a>(layer: Layer<'a, '_>, names: &[&str]) -> Option<&'a str> {
    layer.string_at(names).filter(|text| !text.is_empty())
}

/// Whether a member of the wrapper is this text.
pub(super) fn is(layer: Layer<'_, '_>, name: &str, wanted: &str) -> bool {
    let node = layer.member(name).and_then(|index| layer.doc.node(index));
    node.is_some_and(|node| node.kind == NodeKind::String && layer.doc.string_is(node, wanted))
}

/// How often a message was delivered, as it is spelled. None where nobody counted, and for 0, which
/// some write for that: a message that was only peeked at, a subscription without a policy.
pub(super) fn count<'a>(layer: Layer<'a, '_>, names: &[&str]) -> Option<&'a str> {
    let text = layer.digits(layer.at(names)?)?;
    let is_count = text.bytes().all(|byte| byte.is_ascii_digit());
    (is_count && !text.is_empty() && text != "0").then_some(text)
}

/// Adds a fact of the wrapper to the headers that a person is shown.
pub(super) fn note<'a>(
    layer: Layer<'a, '_>,
    name: &'static str,
    names: &[&str],
    around: &mut Around<'a>,
) {
    if let Some(value) = layer.fact(names).filter(|value| !value.is_empty()) {
        around.headers.push((Cow::Borrowed(name), Some(value)));
    }
}

/// Where a message stood: its channel, its partition, its offset. A position is one wrapper's as a
/// whole, for the shard of one with the number of another is nowhere; the wrapper nearest to the event
/// counts, where it knows one.
pub(super) fn position<'a>(around: &mut Around<'a>, place: [Option<Cow<'a, str>>; 3]) {
    let [channel, partition, offset] = place;
    if channel.is_some() || offset.is_some() {
        around.channel = channel;
        around.partition = partition;
        around.offset = offset;
    }
}

/// Says something that only people read.
pub(super) fn remark(layer: Layer<'_, '_>, around: &mut Around<'_>, words: &'static str) {
    if layer.facts {
        around.remarks.push(words);
    }
}

/// Whether a value is an object.
pub(super) fn is_object(layer: Layer<'_, '_>, name: &str) -> bool {
    layer
        .member(name)
        .is_some_and(|index| layer.doc.is(index, NodeKind::Object))
}

/// Whether a text is an event, or one in a wrapper that is known.
pub(super) fn is_event(text: &str, arena: &Bump) -> bool {
    let mut nodes = Vec::new();
    text.starts_with('{')
        && read(text, MAX_DEPTH, &mut nodes).is_ok()
        && registry().knows_for_sure(Layer::new(Doc::new(text, &nodes), arena, false))
}
