//! Knative's event-display, and whatever prints sdk-go's `Event.String()` (sdk-go `event.go`,
//! `eventcontext_v1.go`):
//!
//! ```text
//! ☁️  cloudevents.Event
//! Validation: valid
//! Context Attributes,
//!   specversion: 1.0
//!   …
//! Extensions,
//!   knativearrivaltime: 2026-03-01T08:00:00Z
//! Data,
//!   { … }
//! ```
//!
//! Banner and validation may be absent. Every value is printed as text, so extensions are strings
//! again, as they are in binary mode.

use super::text::Lines;
use super::{
    Around, EventText, Inner, Instant, Layer, Payload, Shape, ToldBy, ends_early, is_json,
    is_json_value, marks,
};
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "event-display",
    told_by: ToldBy::Text(fits),
    unwrap,
};

fn fits(text: &str) -> bool {
    // The titles above the context are few, but a validation's errors may take some lines.
    let mut lines = Lines::new(text).filter(|line| !line.trim().is_empty());
    let Some(first) = lines.next().map(str::as_bytes) else {
        return false;
    };
    marks::is_context(first)
        || is_cut(text)
        || (marks::is_banner(first) || marks::is_validation(first))
            && lines.any(|line| marks::is_context(line.as_bytes()))
}

/// Whether a text is the rest of a block: attributes, if any, above a title that stands below them.
fn is_cut(text: &str) -> bool {
    let mut is_first = true;
    let mut lines = Lines::new(text.trim_start());
    while let Some(line) = lines.next() {
        // Alone, it may be anybody's.
        if marks::is_title_within(line.as_bytes()) {
            return !is_first || !lines.rest.trim().is_empty();
        }
        let is_its =
            marks::is_attribute(line.as_bytes()) || is_first && marks::is_pair(line.as_bytes());
        if !is_its {
            return false;
        }
        is_first = false;
    }
    false
}

/// Passes over the titles.
fn above_context(lines: &mut Lines<'_>, around: &mut Around<'_>) {
    for line in lines {
        if marks::is_context(line.as_bytes()) {
            break;
        }
        if line.trim() == "Validation: invalid" {
            around.remarks.push("event-display found the event invalid");
        }
    }
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let is_cut = is_cut(layer.text);
    // Only the titles are missing above the first attribute that is printed.
    if is_cut && !layer.text.trim_start().starts_with("specversion:") {
        around
            .remarks
            .push("the capture begins inside this event's block: the lines above are not in it");
        return Inner::Nothing(reason::PAYLOAD_TRUNCATED);
    }
    let mut lines = Lines::new(layer.text);
    if !is_cut {
        above_context(&mut lines, around);
    }
    let mut event = EventText::new(layer.arena);
    let mut content_type = None;
    let mut indent = "";
    let mut is_dead = false;
    while let Some(line) = lines.next() {
        let (is_text, is_binary) = (line.trim() == "Data,", line.trim() == "Data (binary),");
        if is_text || is_binary {
            let is_whole = data(&mut event, lines.rest, indent, content_type, is_binary);
            if !is_whole {
                around
                    .remarks
                    .push("the data is no whole JSON, though its content type says so");
            }
            break;
        }
        let Some((name, value)) = line.split_once(':') else {
            continue;
        };
        indent = name
            .get(..name.len() - name.trim_start().len())
            .unwrap_or("");
        let (name, value) = (name.trim(), value.strip_prefix(' ').unwrap_or(value));
        event.string(name, value);
        if name == "datacontenttype" {
            content_type = Some(value);
        } else if name.eq_ignore_ascii_case("knativearrivaltime") {
            around.received(Instant::parse(value));
        }
        is_dead |= name.starts_with("knativeerror");
    }
    if is_dead {
        around.remarks.push(
            "a dead letter: the knativeerror extensions say where it could not be delivered, and why",
        );
    }
    event.finish()
}

/// JSON is printed pretty, anything else as it is behind the first line's indentation. False where it
/// should be JSON and is none.
fn data(
    event: &mut EventText<'_>,
    rest: &str,
    indent: &str,
    content_type: Option<&str>,
    is_binary: bool,
) -> bool {
    let text = rest.trim_end_matches(['\r', '\n']);
    let text = text.strip_prefix(indent).unwrap_or(text);
    let json = text.trim();
    if content_type.is_none_or(is_json) && is_json_value(json) {
        event.data(Payload::Json(json), None);
    } else if is_binary && !(content_type.is_none_or(is_json) && ends_early(json)) {
        event.base64(text.as_bytes());
    } else {
        event.data(Payload::Text(text), content_type);
        return !content_type.is_some_and(is_json);
    }
    true
}
