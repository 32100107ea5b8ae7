//! Hits of Elasticsearch and OpenSearch: a search's `hits.hits`, or one hit a line as elasticdump
//! writes them. The line is in `_source.message`, `.log` or `.event.original`, or the document is the
//! event itself. Numbers keep their text, also those beyond 64 bits (elasticdump's samples have some).

use super::super::super::super::tape::{Doc, NodeKind};
use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::Container;
use super::super::super::registry::{Shape, ToldBy};
use super::begins_value;
use crate::model::{Instant, reason};

pub(super) const SHAPE: Shape = Shape {
    name: "elasticsearch",
    told_by: ToldBy::Keys {
        has: &["_source", "_index"],
        lacks: &[],
        fits,
    },
    unwrap,
};

/// A search's answer.
pub(super) const HITS: Container = Container {
    name: "elasticsearch",
    way: &["hits", "hits", "*"],
};

const LINES: [&[&str]; 3] = [
    &["_source", "message"],
    &["_source", "log"],
    &["_source", "event", "original"],
];

fn fits(layer: Layer<'_, '_>) -> bool {
    let source = layer.member("_source");
    source.is_some_and(|source| layer.doc.is(source, NodeKind::Object))
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let time = layer.string_at(&["_source", "@timestamp"]);
    around.received(time.and_then(Instant::parse));
    around.channel = layer.fact(&["_index"]);
    around.offset = layer.fact(&["_id"]);
    let lines = LINES.iter().filter_map(|names| layer.string_at(names));
    if let Some(text) = lines.clone().find(|text| begins_value(text)) {
        return super::line(Some(text));
    }
    // A document that has none of them may be what was indexed.
    match layer.member("_source") {
        Some(source) if is_record(layer.doc, source) => Inner::Text(layer.doc.raw(source)),
        _ => match lines.clone().next() {
            Some(text) => super::line(Some(text)),
            None => Inner::Nothing(reason::NO_PAYLOAD),
        },
    }
}

/// Whether a document has the names of a record by itself.
fn is_record(doc: Doc<'_, '_>, at: usize) -> bool {
    let has = |name: &str| doc.member(at, name).is_some();
    let is_event = has("specversion") || ["id", "source", "type"].into_iter().all(has);
    // ECS has an `event` of its own, about the line.
    let is_delivery = doc.follow(at, &["event", "specversion"]).is_some();
    let is_statement = ["order", "refusal", "baseline"].into_iter().any(|name| {
        doc.member(at, name)
            .is_some_and(|body| doc.is(body, NodeKind::Object))
    });
    is_event || is_delivery || (is_statement && !has("@timestamp"))
}
