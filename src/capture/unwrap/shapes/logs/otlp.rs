//! OpenTelemetry logs as JSON (OTLP/JSON, the collector's file exporter): `resourceLogs[]` holds
//! `scopeLogs[]` holds `logRecords[]`. The line is `body.stringValue`, or `body.kvlistValue`, which is
//! written as the JSON object that it was. Nanoseconds and integers are strings; a time of 0 is none.

use bumpalo::collections::String as BumpString;

use super::super::super::super::json::{MAX_DEPTH, read};
use super::super::super::super::tape::NodeKind;
use super::super::super::around::Around;
use super::super::super::decode::{base64, nanos};
use super::super::super::event::quoted;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::Container;
use super::super::super::registry::{Shape, ToldBy};
use super::line;
use crate::model::{Instant, reason};

pub(super) const SHAPE: Shape = Shape {
    name: "otlp",
    told_by: ToldBy::Keys {
        has: &["body"],
        lacks: &["messageId", "eventSource", "receiptHandle"],
        fits,
    },
    unwrap,
};

/// One export.
pub(super) const RECORDS: Container = Container {
    name: "otlp",
    way: &["resourceLogs", "*", "scopeLogs", "*", "logRecords", "*"],
};

/// The same before 2022.
pub(super) const OLDER_RECORDS: Container = Container {
    name: "otlp",
    way: &[
        "resourceLogs",
        "*",
        "instrumentationLibraryLogs",
        "*",
        "logRecords",
        "*",
    ],
};

const TIMES: [&str; 2] = ["timeUnixNano", "observedTimeUnixNano"];
const BODIES: [&str; 3] = ["stringValue", "kvlistValue", "bytesValue"];

fn fits(layer: Layer<'_, '_>) -> bool {
    let is_timed = TIMES.iter().any(|name| layer.member(name).is_some());
    is_timed
        && BODIES
            .iter()
            .any(|name| layer.at(&["body", name]).is_some())
}

fn time(layer: Layer<'_, '_>) -> Option<Instant> {
    TIMES.iter().find_map(|name| {
        let text = layer.digits(layer.member(name)?)?;
        nanos(text).filter(|_| text != "0")
    })
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    around.received(time(layer));
    if let Some(text) = layer.string_at(&["body", "stringValue"]) {
        return line(Some(text));
    }
    if let Some(text) = layer.string_at(&["body", "bytesValue"]) {
        return match base64(text, layer.arena) {
            Some(bytes) => Inner::Bytes(bytes),
            None => Inner::Nothing(reason::PAYLOAD_NOT_DECODED),
        };
    }
    let Some(body) = layer.member("body") else {
        return Inner::Nothing(reason::NO_PAYLOAD);
    };
    let mut text = BumpString::new_in(layer.arena);
    match write(layer, body, &mut text) {
        Some(()) => Inner::Text(text.into_bump_str()),
        None => Inner::Nothing(reason::PAYLOAD_NOT_DECODED),
    }
}

/// Writes an `AnyValue` as the JSON value that it stands for; nothing where it stands for none. The
/// reader's limit on nesting is this one's too.
fn write(layer: Layer<'_, '_>, at: usize, text: &mut BumpString<'_>) -> Option<()> {
    let doc = layer.doc;
    let mut members = doc.members(at);
    let Some((key, value)) = members.next() else {
        text.push_str("null");
        return doc.is(at, NodeKind::Object).then_some(());
    };
    if members.next().is_some() {
        return None;
    }
    match doc.string(key)?.as_ref() {
        "stringValue" | "bytesValue" => quoted(layer.string(value)?, text),
        "intValue" | "doubleValue" => {
            let digits = layer.digits(value)?;
            // Infinity and NaN are strings here, and no numbers in JSON.
            read(digits, MAX_DEPTH, &mut Vec::new()).ok()?;
            text.push_str(digits);
        }
        "boolValue" => text.push_str(doc.raw(value)),
        "arrayValue" => {
            let values = doc.member(value, "values");
            text.push('[');
            for (number, element) in values
                .map(|at| doc.elements(at))
                .into_iter()
                .flatten()
                .enumerate()
            {
                if number > 0 {
                    text.push(',');
                }
                write(layer, element, text)?;
            }
            text.push(']');
        }
        "kvlistValue" => {
            let values = doc.member(value, "values");
            text.push('{');
            for (number, element) in values
                .map(|at| doc.elements(at))
                .into_iter()
                .flatten()
                .enumerate()
            {
                if number > 0 {
                    text.push(',');
                }
                quoted(layer.string(doc.member(element, "key")?)?, text);
                text.push(':');
                match doc.member(element, "value") {
                    Some(value) => write(layer, value, text)?,
                    None => text.push_str("null"),
                }
            }
            text.push('}');
        }
        _ => return None,
    }
    Some(())
}
