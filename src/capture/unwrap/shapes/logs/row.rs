//! A row of a table of log lines: an array with exactly one text in it that is an event, or a wrapper
//! that is known, or, where none is, exactly one that ends in an event (`log_line`). Loki's streams (`values`: time and line), tables of Azure's Log Analytics (`rows`, whose
//! columns are named elsewhere) and Splunk's `rows` are such.

use super::super::super::super::tape::{Doc, NodeKind};
use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Container, Shape, ToldBy};
use super::generic::{ends_in_event, is_known};
use super::moment::moment;
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "log-row",
    told_by: ToldBy::ValueOrText(fits, |_| false),
    unwrap,
};

/// Azure's Log Analytics, and its other answers to a query.
pub(super) const TABLES: Container = Container {
    name: "tables",
    way: &["tables", "*", "rows", "*"],
};

/// Splunk's `json_rows`.
pub(super) const ROWS: Container = Container {
    name: "rows",
    way: &["rows", "*"],
};

/// What Loki answers to a query.
pub(super) const LOKI: Container = Container {
    name: "loki",
    way: &["data", "result", "*", "values", "*"],
};

/// What is pushed to Loki.
pub(super) const LOKI_STREAMS: Container = Container {
    name: "loki-streams",
    way: &["streams", "*", "values", "*"],
};

/// The one element that holds an event.
fn held<'a>(layer: Layer<'a, '_>) -> Option<&'a str> {
    for holds in [is_known, ends_in_event] {
        let elements = layer.doc.elements(Doc::ROOT);
        let mut found = elements.filter_map(|element| {
            let text = layer.string(element)?.trim();
            holds(layer, text).then_some(text)
        });
        if let Some(first) = found.next() {
            return found.next().is_none().then_some(first);
        }
    }
    None
}

fn fits(layer: Layer<'_, '_>) -> bool {
    layer.doc.is(Doc::ROOT, NodeKind::Array) && held(layer).is_some()
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let mut elements = layer.doc.elements(Doc::ROOT);
    let time = elements.find_map(|element| moment(layer.digits(element)?));
    around.received(time);
    match held(layer) {
        Some(text) => Inner::Text(text),
        None => Inner::Nothing(reason::NO_PAYLOAD),
    }
}
