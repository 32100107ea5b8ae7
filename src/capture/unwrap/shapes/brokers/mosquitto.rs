//! `mosquitto_sub -F %j` and `%J`: `{"tst":…,"topic":…,"qos":1,"payload":…}`, MQTT 5 properties beside it
//! (mosquitto `sub_client_output.c`). CloudEvents in binary mode have user properties without a prefix
//! (CloudEvents MQTT binding, section 3.1); sdk-go writes `ce-` all the same.

use super::{
    Around, Header, Inner, Instant, Layer, NodeKind, Payload, Shape, ToldBy, any, header, members,
    message, spelled_moment, stood,
};
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "mosquitto",
    told_by: ToldBy::Keys {
        has: &["tst", "topic", "qos", "payload"],
        lacks: &["partition"],
        fits: any,
    },
    unwrap,
};

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let at = layer.string_at(&["tst"]).map(spelled_moment);
    around.received(at.as_deref().and_then(Instant::parse));
    stood(around, layer.fact(&["topic"]), None);
    if layer
        .member("retain")
        .is_some_and(|index| layer.doc.raw(index) == "1")
    {
        around
            .remarks
            .push("retained: the broker kept it, and sent it because somebody subscribed");
    }
    let payload = match payload(layer) {
        Ok(payload) => payload,
        Err(why) => return Inner::Nothing(why),
    };
    let properties = members(layer, layer.at(&["properties", "user-properties"]));
    let content_type = layer.string_at(&["properties", "content-type"]);
    // Bare names may be anybody's; they are attributes where they say so.
    let is_bare = header(&properties, "specversion").is_some();
    let prefixes: &[&str] = if is_bare { &["ce-", ""] } else { &["ce-"] };
    let (attributes, others): (Vec<_>, Vec<_>) = properties
        .into_iter()
        .partition(|property| !is_bare || is_attribute(property));
    if layer.facts {
        around.headers.extend(others);
    }
    message(layer, attributes, content_type, prefixes, payload, around)
}

/// Attributes' names have small letters and digits only.
fn is_attribute((name, _): &Header<'_>) -> bool {
    name.bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// A text, a JSON value (`%J`), or the bytes of what is no printable text.
fn payload<'a>(layer: Layer<'a, '_>) -> Result<Payload<'a>, crate::model::ReasonId> {
    let Some(index) = layer
        .member("payload")
        .filter(|index| !layer.is_null(Some(*index)))
    else {
        return Ok(Payload::Absent);
    };
    let whole = layer
        .member("payloadlen")
        .and_then(|index| layer.doc.raw(index).parse::<usize>().ok());
    if let Some(text) = layer.string(index) {
        return match whole {
            Some(whole) if whole > text.len() => Err(reason::PAYLOAD_TRUNCATED),
            _ if text.is_empty() => Ok(Payload::Absent),
            _ => Ok(Payload::Text(text)),
        };
    }
    let is_array = layer.doc.is(index, NodeKind::Array);
    let bytes: Option<Vec<u8>> = layer
        .doc
        .elements(index)
        .map(|byte| layer.doc.raw(byte).parse().ok())
        .collect();
    // A JSON value that is an array of small numbers is shorter than its text.
    match (is_array, bytes) {
        (true, Some(bytes)) if whole == Some(bytes.len()) => {
            Ok(Payload::Bytes(layer.arena.alloc_slice_copy(&bytes)))
        }
        _ => Ok(Payload::Json(layer.doc.raw(index))),
    }
}
