//! Logs of containers and clusters, with records among their lines.

mod ansi;
mod cloudwatch;
mod cloudwatch_packed;
mod compose;
mod cri;
mod docker;
mod elasticsearch;
mod generic;
mod insights;
mod journald;
mod kubectl;
mod log_line;
mod logcli;
mod logcli_text;
mod moment;
mod otlp;
mod row;
mod stern;
mod stern_extjson;
mod stern_text;

use super::super::layer::{Inner, Layer};
use super::super::registry::{Container, Shape};
use crate::model::reason;

/// This group's shapes.
pub(super) const ALL: &[&Shape] = &[
    &docker::SHAPE,
    &cri::SHAPE,
    &kubectl::SHAPE,
    &stern::SHAPE,
    &stern_extjson::SHAPE,
    &stern_text::SHAPE,
    &compose::SHAPE,
    &logcli::SHAPE,
    &logcli_text::SHAPE,
    &elasticsearch::SHAPE,
    &cloudwatch::SHAPE,
    &cloudwatch_packed::SHAPE,
    &insights::SHAPE,
    &otlp::SHAPE,
    &journald::SHAPE,
    &row::SHAPE,
    &generic::SHAPE,
    &log_line::SHAPE,
];

/// This group's objects that hold an array of records.
pub(super) const CONTAINERS: &[Container] = &[
    elasticsearch::HITS,
    cloudwatch::EVENTS,
    cloudwatch::LOG_EVENTS,
    insights::RESULTS,
    otlp::RECORDS,
    otlp::OLDER_RECORDS,
    generic::PAGE,
    generic::LOGS,
    generic::RESULTS,
    row::TABLES,
    row::ROWS,
    row::LOKI,
    row::LOKI_STREAMS,
];

/// The records in a text that holds several.
pub(super) fn elements_of_text(text: &str) -> Option<Vec<(usize, usize)>> {
    log_line::several(text)
}

/// The range of a container's member that says that its records are not all.
pub(super) fn told_beside(container: &Container, layer: Layer<'_, '_>) -> Option<(usize, usize)> {
    let member = match container.name {
        name if name == cloudwatch::EVENTS.name => cloudwatch::more(layer),
        name if name == insights::RESULTS.name => insights::unfinished(layer),
        _ => None,
    };
    let (key, value) = member?;
    let start = layer.doc.node(key)?.start as usize;
    Some((start, layer.doc.node(value)?.end as usize))
}

/// A member of the wrapper, its name and value by index.
fn member(layer: Layer<'_, '_>, name: &str) -> Option<(usize, usize)> {
    let doc = layer.doc;
    let mut members = doc.members(super::super::super::tape::Doc::ROOT);
    members.find(|(key, _)| doc.node(*key).is_some_and(|key| doc.string_is(key, name)))
}

/// A line of a log as what it holds, without the line end that some keep.
fn line(text: Option<&str>) -> Inner<'_> {
    match text {
        Some(text) => Inner::Text(text.trim_end_matches(['\r', '\n'])),
        None => Inner::Nothing(reason::NO_PAYLOAD),
    }
}

/// Whether a text begins like a JSON object or array: what is worth taking out of a line of text.
fn begins_value(text: &str) -> bool {
    text.starts_with(['{', '['])
}

/// The first word of a text, and what follows the one space behind it.
fn word(text: &str) -> Option<(&str, &str)> {
    let (word, rest) = text.split_once(' ')?;
    (!word.is_empty()).then_some((word, rest))
}

/// Whether a word is a name as Kubernetes allows it (RFC 1123: lower case, digits, `-` and `.`).
fn is_name(word: &str) -> bool {
    let allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.');
    let begins = word.bytes().next().is_some_and(|byte| byte != b'-');
    begins && word.bytes().all(allowed)
}
