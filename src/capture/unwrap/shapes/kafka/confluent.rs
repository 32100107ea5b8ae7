//! `confluent kafka topic consume`: a message's value on a line, its headers on the next.
//!
//! ```text
//! KEY ⇥ Timestamp:MS Partition:N Offset:N ⇥ VALUE
//! % Headers: [name="value" name="value"]
//! ```
//!
//! Without `--full-header` Go's client shows 50 bytes of a long header and says how many more there
//! were. An attribute that was cut off is none: it is left out, and where the identity was, the event
//! cannot be told.

use super::fields::{Prefix, field_length, is_json, read_prefix_fields};
use super::headers::of_go;
use super::{
    Around, Cow, Inner, Layer, Message, Payload, Shape, ToldBy, message, reason, refused,
    split_tab, tell,
};

pub(super) const SHAPE: Shape = Shape {
    name: "confluent",
    told_by: ToldBy::Text(is_confluents),
    unwrap,
};

/// How the line of headers begins.
const HEADERS: &str = "\n% Headers: [";

/// Whether a text is this tool's.
pub(super) fn is_confluents(text: &str) -> bool {
    let (line, headers) = halves(text);
    headers.is_some() || prefix_at(line).is_some()
}

/// The value's line or lines, and the headers'.
fn halves(text: &str) -> (&str, Option<&str>) {
    let at = memchr::memmem::rfind(text.as_bytes(), HEADERS.as_bytes());
    match at.and_then(|at| text.split_at_checked(at)) {
        Some((line, headers)) => (
            line.trim_end_matches('\r'),
            headers.get(HEADERS.len() - 1..).map(str::trim_end),
        ),
        None => (text, None),
    }
}

/// Where the fields before the value begin: at the start, or behind a key and its tab.
fn prefix_at(line: &str) -> Option<usize> {
    let begins = |at: usize| {
        let text = line.get(at..).unwrap_or_default();
        let fields = split_tab(text).map_or(text, |(fields, _)| fields);
        let is_timed = fields.starts_with("Timestamp:");
        let is_placed = fields.starts_with("Partition:") && fields.contains(" Offset:");
        let mut each = fields.split(' ');
        (is_timed || is_placed) && each.all(|field| field_length(field) == Some(field.len()))
    };
    let behind_key = memchr::memchr(b'\t', line.as_bytes()).map(|tab| tab + 1);
    [Some(0), behind_key]
        .into_iter()
        .flatten()
        .find(|at| begins(*at))
}

/// The key, the fields, and the value.
fn parts(line: &str) -> (Option<&str>, Prefix<'_>, &str) {
    match prefix_at(line) {
        Some(at) => {
            let (key, rest) = line.split_at_checked(at).unwrap_or(("", line));
            let (prefix, value) = read_prefix_fields(rest);
            (key.strip_suffix('\t'), prefix, value)
        }
        None => match line.split_once('\t').filter(|_| !is_json(line)) {
            Some((key, value)) => (Some(key), Prefix::default(), value),
            None => (None, Prefix::default(), line),
        },
    }
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let (line, list) = halves(layer.text);
    let (key, prefix, value) = parts(line);
    around.received(prefix.time);
    if layer.facts {
        around.partition = prefix.partition.map(Cow::Borrowed);
        around.offset = prefix.offset.map(Cow::Borrowed);
    }
    let mut headers = Vec::new();
    let mut is_identity_cut = false;
    for found in list.map(of_go).unwrap_or_default() {
        let (name, value) = found.header;
        if found.is_cut {
            let cut = ["ce_id", "ce_source", "ce_type", "ce_specversion"];
            is_identity_cut |= cut.iter().any(|wanted| name.eq_ignore_ascii_case(wanted));
            tell(
                layer,
                around,
                "a header was cut off at 50 bytes and is left out; --full-header shows it whole",
            );
        } else {
            headers.push((name, value));
        }
    }
    let parts = Message {
        topic: None,
        key: key.filter(|key| *key != "null").map(Cow::Borrowed),
        headers,
        // The tool writes nothing where there is no value, and where it is empty.
        payload: Payload::Text(value),
    };
    if is_identity_cut {
        return refused(layer, parts, reason::PAYLOAD_TRUNCATED, around);
    }
    message(layer, parts, around)
}
