//! `kafka-dump-log --print-data-log`: a segment's records, one a line.
//!
//! ```text
//! | offset: 3 CreateTime: 1772442000003 keySize: 9 valueSize: 80 sequence: -1 headerKeys: [ce_id] key: K payload: VALUE
//! ```
//!
//! Of headers only the names are printed, so a CloudEvent in binary mode cannot be had back.

use super::{
    Around, Cow, Inner, Layer, Message, PRODUCERS_CLOCK, Payload, Shape, ToldBy, message, millis,
    reason, refused, tell,
};

pub(super) const SHAPE: Shape = Shape {
    name: "kafka-dump-log",
    told_by: ToldBy::Text(fits),
    unwrap,
};

/// What both names and values stand behind.
const HEADER_KEYS: &str = " headerKeys: [";

fn fits(text: &str) -> bool {
    let record = text.strip_prefix("| ").unwrap_or(text);
    let is_numbered = record
        .strip_prefix("offset: ")
        .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
    is_numbered && (record.contains(HEADER_KEYS) || record.contains(" payload: "))
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let text = layer.text;
    let (head, names, tail) = thirds(text);
    let number = |name: &str| {
        let (_, rest) = head.split_once(name)?;
        rest.split(' ').next()
    };
    let created = number("CreateTime: ").and_then(millis);
    around.received(created.or_else(|| number("LogAppendTime: ").and_then(millis)));
    if created.is_some() {
        tell(layer, around, PRODUCERS_CLOCK);
    }
    if layer.facts {
        around.offset = number("offset: ").map(Cow::Borrowed);
    }
    let names: Vec<&str> = names
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect();
    if !names.is_empty() {
        tell(
            layer,
            around,
            "kafka-dump-log prints the names of headers and not their values",
        );
    }
    let (key, payload) = key_and_payload(
        tail,
        number("valueSize: ").or_else(|| number("valuesize: ")),
    );
    let nameless = names.iter().map(|name| (Cow::Borrowed(*name), None));
    let parts = Message {
        topic: None,
        key: key.map(Cow::Borrowed),
        headers: nameless.collect(),
        payload: payload.map_or(Payload::Absent, Payload::Text),
    };
    // Its payload is the event's data alone, which may look like an event and is none.
    let mut names = names.iter();
    if payload.is_some() && names.any(|name| name.to_ascii_lowercase().starts_with("ce_")) {
        return refused(layer, parts, reason::PAYLOAD_NOT_DECODED, around);
    }
    message(layer, parts, around)
}

/// What stands before the names of headers, these names, and what stands behind. Records from before
/// Kafka 0.11 have none.
fn thirds(text: &str) -> (&str, &str, &str) {
    if let Some((head, rest)) = text.split_once(HEADER_KEYS) {
        let (names, tail) = rest.split_once(']').unwrap_or((rest, ""));
        return (head, names, tail);
    }
    let at = text.find(" payload: ").unwrap_or(text.len());
    let (head, tail) = text.split_at_checked(at).unwrap_or((text, ""));
    (head, "", tail)
}

/// ` key: K payload: V`, either of which may be missing. A key may hold what looks like the payload's
/// beginning; the value's size says which it is.
fn key_and_payload<'a>(tail: &'a str, size: Option<&str>) -> (Option<&'a str>, Option<&'a str>) {
    const PAYLOAD: &str = "payload: ";
    let tail = tail.trim_start_matches(' ');
    let keyed = tail.strip_prefix("key: ");
    if let (None, Some(payload)) = (keyed, tail.strip_prefix(PAYLOAD)) {
        return (None, Some(payload));
    }
    let Some(keyed) = keyed else {
        return (None, None);
    };
    let size: Option<usize> = size.and_then(|size| size.parse().ok());
    let mut ways = keyed.match_indices(" payload: ").map(|(at, _)| {
        let (key, rest) = keyed.split_at_checked(at).unwrap_or((keyed, ""));
        (key, rest.get(PAYLOAD.len() + 1..).unwrap_or_default())
    });
    let first = ways.next();
    let fits = |way: &(&str, &str)| Some(way.1.len()) == size;
    let found = first.filter(fits).or_else(|| ways.find(fits)).or(first);
    match found {
        Some((key, payload)) => (Some(key), Some(payload)),
        None => (Some(keyed), None),
    }
}
