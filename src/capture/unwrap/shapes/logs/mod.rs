//! Logs of containers and clusters, with records among their lines.

mod beside;
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

use super::super::super::ansi;
use super::super::super::logged::{self, Head, Wrapper, is_pod, labels};
use super::super::around::Around;
use super::super::layer::{Inner, Layer};
use super::super::plain::Plain;
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

/// The quick way through docker's lines.
pub(super) const PLAIN: (&Shape, &Plain) = (&docker::SHAPE, &docker::PLAIN);

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

/// The range in a container of what says that its records are not all.
pub(super) fn told_beside(container: &Container, layer: Layer<'_, '_>) -> Option<(usize, usize)> {
    match container.name {
        name if name == cloudwatch::EVENTS.name => cloudwatch::told(layer),
        name if name == insights::RESULTS.name => insights::told(layer),
        _ => None,
    }
}

/// A member of the wrapper, its name and value by index.
fn member(layer: Layer<'_, '_>, name: &str) -> Option<(usize, usize)> {
    let doc = layer.doc;
    let mut members = doc.members(super::super::super::tape::Doc::ROOT);
    members.find(|(key, _)| doc.node(*key).is_some_and(|key| doc.string_is(key, name)))
}

/// Several lines that are one block of text, without what this wrapper put around each of them. When it
/// was logged is its first line's time: the printer's first word is the nearest to the delivery.
fn block<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let Some(joined) = logged::joined(layer.text.as_bytes()) else {
        return Inner::Nothing(reason::NO_PAYLOAD);
    };
    around.received(joined.layer.time.as_deref().and_then(moment::moment));
    if layer.facts && joined.layer.channel.is_some() {
        around.channel = joined.layer.channel.map(Into::into);
    }
    Inner::Bytes(layer.arena.alloc_slice_copy(&joined.text))
}

/// Whether a text is such a block in this wrapper.
fn is_block(text: &str, wrapper: Wrapper) -> bool {
    logged::is_block(text.as_bytes(), wrapper)
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
