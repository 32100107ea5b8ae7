//! What all Kafka tools share: a message is headers and a payload, and may be a CloudEvent in binary
//! mode (`ce_` headers), one in structured mode, or anything else (CloudEvents Kafka binding).

mod akhq;
mod confluent;
mod connect;
mod console;
mod debezium;
mod dump_log;
mod fields;
mod headers;
mod kafka_ui;
mod kafkactl;
mod kcat;
pub(in super::super) mod kcat_format;
mod outbox;
mod redpanda;
mod rpk;

use std::borrow::Cow;

use bumpalo::Bump;

use super::super::super::json::{MAX_DEPTH, read, read_prefix};
use super::super::super::tape::{Doc, NodeKind};
use super::super::around::{Around, Clock, Header};
use super::super::decode::{millis, unescape};
use super::super::event::{EventText, Payload, from_headers, is_structured};
use super::super::layer::{Inner, Layer};
use super::super::plain::{Inside, Plain, Spellings};
use super::super::registry::{Container, Shape, ToldBy, any};
use crate::model::{Instant, ReasonId, reason};

/// This group's shapes.
pub(super) const ALL: &[&Shape] = &[
    &kcat::SHAPE,
    &rpk::SHAPE,
    &kafka_ui::SHAPE,
    &akhq::SHAPE,
    &redpanda::SHAPE,
    &kafkactl::SHAPE,
    &console::SHAPE,
    &confluent::SHAPE,
    &dump_log::SHAPE,
    &connect::SHAPE,
    &debezium::SHAPE,
];

/// The quick way through `kcat -J`.
pub(super) const PLAIN: (&Shape, &Plain) = (&kcat::SHAPE, &kcat::PLAIN);

/// This group's objects that hold an array of records.
pub(super) const CONTAINERS: &[Container] = &[];

/// A header's name before the attribute's. Some producers use HTTP's spelling.
const PREFIXES: [&str; 2] = ["ce_", "ce-"];

/// Why a message without a value holds no event.
const TOMBSTONE: &str = "the message has no value, or an empty one: a tombstone";

/// Of messages whose time was set by who wrote them.
const PRODUCERS_CLOCK: &str =
    "the message's time is the producer's clock (CreateTime), not when it arrived";

/// Of payloads that a schema registry's serializer wrote.
const WIRE_FORMAT: &str =
    "a schema's id stands before the payload's bytes (Confluent's wire format)";

/// A message as a tool shows it.
struct Message<'a> {
    topic: Option<Cow<'a, str>>,
    key: Option<Cow<'a, str>>,
    headers: Vec<Header<'a>>,
    payload: Payload<'a>,
}

/// Says something to people, where they are looking.
fn tell(layer: Layer<'_, '_>, around: &mut Around<'_>, remark: &'static str) {
    if layer.facts && !around.remarks.contains(&remark) {
        around.remarks.push(remark);
    }
}

/// A text before and behind its first tab. Most texts that are asked have none.
fn split_tab(text: &str) -> Option<(&str, &str)> {
    let (before, behind) = text.split_at_checked(memchr::memchr(b'\t', text.as_bytes())?)?;
    Some((before, behind.get(1..)?))
}

/// What is inside a message, and its topic, key and headers for people.
fn message<'a>(layer: Layer<'a, '_>, message: Message<'a>, around: &mut Around<'a>) -> Inner<'a> {
    let inner = inside(layer, &message, around);
    finished(layer, message, inner, around)
}

/// A message whose payload is not to be had, for this reason.
fn refused<'a>(
    layer: Layer<'a, '_>,
    message: Message<'a>,
    why: ReasonId,
    around: &mut Around<'a>,
) -> Inner<'a> {
    finished(layer, message, Inner::Nothing(why), around)
}

fn finished<'a>(
    layer: Layer<'a, '_>,
    message: Message<'a>,
    inner: Inner<'a>,
    around: &mut Around<'a>,
) -> Inner<'a> {
    if layer.facts {
        around.channel = message.topic.or(around.channel.take());
        around.key = message.key.or(around.key.take());
        if !message.headers.is_empty() {
            around.headers = message.headers;
        }
    }
    inner
}

fn inside<'a>(layer: Layer<'a, '_>, message: &Message<'a>, around: &mut Around<'a>) -> Inner<'a> {
    let payload = match decoded(layer, message.payload, around) {
        Ok(payload) => payload,
        Err(nothing) => return nothing,
    };
    if !message.headers.is_empty() && !is_structured_mode(&message.headers) {
        let named = attributes(&message.headers);
        if let Some(event) = from_headers(named, &PREFIXES, payload, layer.arena) {
            return event;
        }
        if let Some(event) = outbox::event(layer, message, payload, around) {
            return event;
        }
    }
    match payload {
        Payload::Absent => {
            tell(layer, around, TOMBSTONE);
            Inner::Nothing(reason::NO_PAYLOAD)
        }
        Payload::Text(text) => match text_in_text(layer, text) {
            Some(inner) => {
                tell(layer, around, "the value is a JSON string that holds JSON");
                Inner::Text(inner)
            }
            None => Inner::Text(text),
        },
        Payload::Json(text) => Inner::Text(text),
        Payload::Bytes(bytes) => Inner::Bytes(bytes),
    }
}

/// The headers that have a value, each name and value once: a producer's retry or an interceptor may
/// add the same header again, which says nothing new. Two values for one name stay two, and the
/// event is then refused for it.
fn attributes<'h>(
    headers: &'h [Header<'_>],
) -> impl Iterator<Item = (&'h str, Cow<'h, str>)> + Clone {
    // No message has so many headers; one that was made to have them must not cost their square.
    const MOST_COMPARED: usize = 64;
    headers.iter().enumerate().filter_map(|(index, header)| {
        let value = header.1.as_deref()?;
        let mut before = headers.iter().take(index.min(MOST_COMPARED));
        let again = before.any(|(name, earlier)| {
            name.eq_ignore_ascii_case(&header.0) && earlier.as_deref() == Some(value)
        });
        (!again).then_some((header.0.as_ref(), Cow::Borrowed(value)))
    })
}

/// Whether the content type says that the payload is the whole event. Then it counts, whatever other
/// headers say.
fn is_structured_mode(headers: &[Header<'_>]) -> bool {
    headers.iter().any(|(name, value)| {
        let is_type = name.eq_ignore_ascii_case("content-type");
        is_type && value.as_deref().is_some_and(is_structured)
    })
}

/// The payload behind a schema registry's five bytes: a zero and the schema's id, highest byte
/// first. What follows is JSON, or something that needs the schema to be read. Tools that show bytes
/// as text may have put one character for several bytes of the id.
fn decoded<'a>(
    layer: Layer<'a, '_>,
    payload: Payload<'a>,
    around: &mut Around<'a>,
) -> Result<Payload<'a>, Inner<'a>> {
    const HEAD: usize = 5;
    let text = match payload {
        Payload::Text("") => return Ok(Payload::Absent),
        Payload::Text(text) if text.starts_with('\0') => text,
        Payload::Bytes(bytes) if bytes.first() == Some(&0) => {
            tell(layer, around, WIRE_FORMAT);
            let json = bytes.get(HEAD..).filter(|rest| rest.starts_with(b"{"));
            let json = json.and_then(|rest| std::str::from_utf8(rest).ok());
            return json
                .map(Payload::Text)
                .ok_or(Inner::Nothing(reason::PAYLOAD_NOT_DECODED));
        }
        Payload::Absent | Payload::Text(_) | Payload::Bytes(_) | Payload::Json(_) => {
            return Ok(payload);
        }
    };
    tell(layer, around, WIRE_FORMAT);
    let brace = text.char_indices().take(HEAD + 1).find(|(_, c)| *c == '{');
    let json = brace.and_then(|(at, _)| text.get(at..));
    json.map(Payload::Text)
        .ok_or(Inner::Nothing(reason::PAYLOAD_NOT_DECODED))
}

/// The object's text in a text that is one JSON string, which is how Kafka Connect's JSON converter
/// writes a value that was a string before.
fn text_in_text<'a>(layer: Layer<'a, '_>, text: &'a str) -> Option<&'a str> {
    let raw = text.trim().strip_prefix('"')?.strip_suffix('"')?;
    read(text.trim(), MAX_DEPTH, &mut Vec::new()).ok()?;
    let inner = unescape(raw, layer.arena);
    inner.trim_start().starts_with('{').then_some(inner)
}

/// A member as text, and any other value as it is spelled; nothing for null.
fn text_or_json<'a>(layer: Layer<'a, '_>, index: usize) -> Option<Cow<'a, str>> {
    let is_null = layer.is_null(Some(index));
    (!is_null).then(|| Cow::Borrowed(layer.payload(index)))
}

/// A member as payload: text, a JSON value, or nothing.
fn payload_of<'a>(layer: Layer<'a, '_>, index: Option<usize>) -> Payload<'a> {
    match index {
        Some(index) if !layer.is_null(Some(index)) => match layer.string(index) {
            Some(text) => Payload::Text(text),
            None => Payload::Json(layer.doc.raw(index)),
        },
        _ => Payload::Absent,
    }
}
