//! What all Kafka tools share: a message is headers and a payload, and may be a CloudEvent in binary
//! mode (`ce_` headers), one in structured mode, or anything else (CloudEvents Kafka binding).

mod kcat;

use std::borrow::Cow;

use super::super::around::{Around, Header};
use super::super::event::{Payload, from_headers};
use super::super::layer::{Inner, Layer};
use super::super::registry::{Container, Shape};
use crate::model::reason;

/// This group's shapes.
pub(super) const ALL: &[&Shape] = &[&kcat::SHAPE];

/// This group's objects that hold an array of records.
pub(super) const CONTAINERS: &[Container] = &[];

/// A header's name before the attribute's. Some producers use HTTP's spelling.
const PREFIXES: [&str; 2] = ["ce_", "ce-"];

/// What is inside a message.
fn message<'a>(
    layer: Layer<'a, '_>,
    headers: Vec<Header<'a>>,
    payload: Payload<'a>,
    around: &mut Around<'a>,
) -> Inner<'a> {
    let named = headers.iter().filter_map(|(name, value)| {
        let value = value.as_deref()?;
        Some((name.as_ref(), Cow::Borrowed(value)))
    });
    let event = from_headers(named, &PREFIXES, payload, layer.arena);
    if layer.facts {
        around.headers = headers;
    }
    if let Some(event) = event {
        return Inner::Event(event);
    }
    match payload {
        Payload::Absent => Inner::Nothing(reason::NO_PAYLOAD),
        Payload::Text(text) | Payload::Json(text) => Inner::Text(text),
        Payload::Bytes(bytes) => Inner::Bytes(bytes),
    }
}
