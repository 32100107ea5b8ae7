//! CloudWatch Logs Insights, `aws logs get-query-results`: `results` holds one array a row, of
//! `{"field":"@message","value":"…"}`. Only the fields that the query asked for are there. While the query
//! ran (`status` is not `Complete`) the rows are not all: the status is then a record that says so.

use super::super::super::super::tape::{Doc, NodeKind};
use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::Container;
use super::super::super::registry::{Shape, ToldBy};
use super::{beside, line};
use crate::model::{Instant, reason};

pub(super) const SHAPE: Shape = Shape {
    name: "cloudwatch-insights",
    told_by: ToldBy::ValueOrText(is_row, is_status),
    unwrap,
};

/// A query's results.
pub(super) const RESULTS: Container = Container {
    name: "cloudwatch-insights",
    way: &[ARRAY, "*"],
};

fn is_row(layer: Layer<'_, '_>) -> bool {
    let doc = layer.doc;
    let is_field = |element| {
        doc.member(element, "field")
            .is_some_and(|field| doc.is(field, NodeKind::String))
    };
    doc.elements(Doc::ROOT).next().is_some() && doc.elements(Doc::ROOT).all(is_field)
}

/// Where the records are.
const ARRAY: &str = "results";

fn is_status(text: &str) -> bool {
    beside::is_told(text, ARRAY, unfinished)
}

/// The range of what says that the records are not all.
pub(super) fn told(layer: Layer<'_, '_>) -> Option<(usize, usize)> {
    beside::range(layer, ARRAY, unfinished)
}

/// The status of a query that had not ended, or not well.
pub(super) fn unfinished(layer: Layer<'_, '_>) -> Option<(usize, usize)> {
    let status = layer.string_at(&["status"])?;
    super::member(layer, "status").filter(|_| status != "Complete")
}

/// The value of a row's field.
fn field<'a>(layer: Layer<'a, '_>, name: &str) -> Option<&'a str> {
    let doc = layer.doc;
    let mut fields = doc.elements(Doc::ROOT);
    let found = fields.find(|element| {
        let field = doc
            .member(*element, "field")
            .and_then(|field| layer.string(field));
        field == Some(name)
    })?;
    layer.string(doc.member(found, "value")?)
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    if !layer.is_json {
        around
            .remarks
            .push("the Insights query had not completed: these results are not all");
        return Inner::Nothing(reason::PAYLOAD_TRUNCATED);
    }
    // In UTC, with a space: 2026-03-02 09:00:00.123.
    let time = field(layer, "@timestamp").and_then(|time| {
        let (day, clock) = time.split_once(' ')?;
        Instant::parse(&format!("{day}T{clock}Z"))
    });
    around.received(time);
    if layer.facts {
        around.channel = field(layer, "@logStream").map(Into::into);
        around.offset = field(layer, "@ptr").map(Into::into);
    }
    let message = field(layer, "@message");
    if message.is_none() {
        around.remarks.push(
            "the Insights query did not ask for @message, so the event is not in its results",
        );
    }
    line(message)
}
