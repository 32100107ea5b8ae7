//! Brokers, event stores and webhooks.
//!
//! A transport hands out what it carries. A store or a sender whose rows are events but no
//! CloudEvents gets one put together; where it has no source of its own, the tool's name stands in,
//! because an identity is a pair (contract.md, "Words"), and a remark says so. A version that counts up
//! within a stream is then `/aggregateversion`, whatever the store calls it.

mod amqp;
mod axon;
mod event_display;
mod github;
mod http;
mod http_json;
mod kurrent;
mod marten;
mod mosquitto;
mod mosquitto_text;
mod nats;
mod nats_dump;
mod nats_get;
mod nats_stored;
mod nats_text;
mod pulsar;
mod rabbitmq;
mod rabbitmq_trace;
mod rabtap;
mod stripe;
mod text;

use std::borrow::Cow;

use super::super::super::framing::marks;
use super::super::super::json::{MAX_DEPTH, read};
use super::super::super::pieces::ends_early;
use super::super::super::tape::{Doc, Node, NodeKind};
use super::super::around::{Around, Header};
use super::super::decode::{self, seconds};
use super::super::event::{EventText, Payload, from_headers, is_json, is_structured};
use super::super::layer::{Inner, Layer};
use super::super::registry::{Container, Shape, ToldBy, any};
use crate::model::{Instant, reason};

/// This group's shapes.
pub(super) const ALL: &[&Shape] = &[
    &rabbitmq::SHAPE,
    &rabbitmq_trace::SHAPE,
    &rabtap::SHAPE,
    &amqp::SHAPE,
    &nats_get::SHAPE,
    &nats_dump::SHAPE,
    &mosquitto::SHAPE,
    &mosquitto_text::SHAPE,
    &stripe::SHAPE,
    &github::SHAPE,
    &http_json::SHAPE,
    &marten::SHAPE,
    &axon::SHAPE,
    &kurrent::SHAPE,
    &event_display::SHAPE,
    &http::SHAPE,
    &nats_text::SHAPE,
    &nats_stored::SHAPE,
    &pulsar::SHAPE,
];

/// This group's objects that hold an array of records.
pub(super) const CONTAINERS: &[Container] = &[
    Container {
        name: "kurrent-feed",
        way: &["entries", "*"],
    },
    Container {
        name: "stripe-list",
        way: &["data", "*"],
    },
];

/// The records in a text that holds several: the ranges of their bytes.
pub(in super::super) fn elements_of_text(text: &str) -> Option<Vec<(usize, usize)>> {
    http::batch(text)
}

/// What is inside a message: an event in binary mode, else its payload. `content_type` is the
/// transport's own, where it is no header.
fn message<'a>(
    layer: Layer<'a, '_>,
    headers: Vec<Header<'a>>,
    content_type: Option<&'a str>,
    prefixes: &[&str],
    payload: Payload<'a>,
    around: &mut Around<'a>,
) -> Inner<'a> {
    let event = {
        let is_repeated = |name: &str| content_type.is_some() && is_content_type(name);
        let own = content_type.map(|value| ("content-type", Cow::Borrowed(value)));
        let named = headers
            .iter()
            .filter(|(name, _)| !is_repeated(name))
            .filter_map(|(name, value)| Some((name.as_ref(), Cow::Borrowed(value.as_deref()?))))
            .chain(own);
        from_headers(named, prefixes, payload, layer.arena)
    };
    if layer.facts {
        around.headers.extend(headers);
    }
    event.unwrap_or_else(|| carried(payload))
}

/// Where the message stood. A position is one wrapper's as a whole: a channel of one with the number of
/// another is nowhere; the wrapper nearest to the event counts, where it knows one.
fn stood<'a>(around: &mut Around<'a>, channel: Option<Cow<'a, str>>, offset: Option<Cow<'a, str>>) {
    if channel.is_some() || offset.is_some() {
        around.channel = channel;
        around.partition = None;
        around.offset = offset;
    }
}

/// A payload by itself.
fn carried(payload: Payload<'_>) -> Inner<'_> {
    match payload {
        Payload::Absent | Payload::Text("") | Payload::Bytes([]) => {
            Inner::Nothing(reason::NO_PAYLOAD)
        }
        Payload::Text(text) | Payload::Json(text) => Inner::Text(text),
        Payload::Bytes(bytes) => Inner::Bytes(bytes),
    }
}

fn is_content_type(name: &str) -> bool {
    name.eq_ignore_ascii_case("content-type") || name.eq_ignore_ascii_case("content_type")
}

/// A member that is Base64; `Err`: it is something else. Null and absent are no payload.
fn base64_payload<'a>(layer: Layer<'a, '_>, index: Option<usize>) -> Result<Payload<'a>, ()> {
    if layer.is_null(index) {
        return Ok(Payload::Absent);
    }
    let text = index.and_then(|index| layer.string(index)).ok_or(())?;
    let bytes = decode::base64(text, layer.arena).ok_or(())?;
    Ok(if bytes.is_empty() {
        Payload::Absent
    } else {
        Payload::Bytes(bytes)
    })
}

/// A value that is text, number or truth value, as text: header values come as any of them.
fn plain<'a>(layer: Layer<'a, '_>, index: usize) -> Option<Cow<'a, str>> {
    match layer.doc.kind(index)? {
        NodeKind::True | NodeKind::False => Some(Cow::Borrowed(layer.doc.raw(index))),
        NodeKind::String | NodeKind::Number => layer.scalar(index),
        NodeKind::Object | NodeKind::Array | NodeKind::Null => None,
    }
}

/// The members of an object as headers.
fn members<'a>(layer: Layer<'a, '_>, object: Option<usize>) -> Vec<Header<'a>> {
    let Some(object) = object else {
        return Vec::new();
    };
    let named = layer.doc.members(object).filter_map(|(key, value)| {
        let name = layer.string(key)?;
        Some((Cow::Borrowed(name), plain(layer, value)))
    });
    named.collect()
}

/// The first header of a name, compared without case.
fn header<'h>(headers: &'h [Header<'_>], wanted: &str) -> Option<&'h str> {
    let found = headers
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(wanted));
    found.and_then(|(_, value)| value.as_deref())
}

/// Whether a text is one whole JSON value.
fn is_json_value(text: &str) -> bool {
    let mut nodes: Vec<Node> = Vec::new();
    read(text, MAX_DEPTH, &mut nodes).is_ok()
}

/// A moment in the spelling of a database or a tool, as RFC 3339: a blank for the `T`, an offset
/// without its colon or its minutes. Anything else stays as it is spelled.
fn spelled_moment(text: &str) -> String {
    if Instant::parse(text).is_some() {
        return text.to_owned();
    }
    let mended = mended(text).filter(|mended| Instant::parse(mended).is_some());
    mended.unwrap_or_else(|| text.to_owned())
}

fn mended(text: &str) -> Option<String> {
    let (date, clock) = text.split_at_checked(10)?;
    let clock = clock.strip_prefix(['T', 't', ' '])?;
    let sign = clock.rfind(['+', '-'])?;
    let (clock, offset) = clock.split_at_checked(sign)?;
    // mosquitto writes a `Z` before the offset.
    let clock = clock.trim_end_matches(['Z', ' ']);
    let (sign, digits) = offset.split_at_checked(1)?;
    let (hours, minutes) = digits.split_at_checked(2)?;
    let minutes = match minutes.trim_start_matches(':') {
        "" => "00",
        minutes => minutes,
    };
    Some(format!("{date}T{clock}{sign}{hours}:{minutes}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_databases_and_tools() {
        for (text, wanted) in [
            ("2026-03-01T08:00:00Z", "2026-03-01T08:00:00Z"),
            ("2026-03-01 08:00:00.5+00", "2026-03-01T08:00:00.5+00:00"),
            ("2026-03-01 08:00:00-03:30", "2026-03-01T08:00:00-03:30"),
            (
                "2026-03-01T08:00:00.123456Z+0100",
                "2026-03-01T08:00:00.123456+01:00",
            ),
            ("2026-03-01 08:00:00", "2026-03-01 08:00:00"),
            ("yesterday", "yesterday"),
            ("", ""),
        ] {
            assert_eq!(spelled_moment(text), wanted);
        }
    }
}
