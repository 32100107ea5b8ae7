//! A Debezium change event, `{"before", "after", "source", "op", "ts_ms"}`, as a CloudEvent with the
//! attributes of Debezium's own CloudEvents converter: `type`
//! `io.debezium.connector.CONNECTOR.DataChangeEvent`, `source` NAME/DB/TABLE, the whole change as
//! `data`, and `iodebeziumop`, `iodebeziumtable`.
//!
//! A change has no id. One is put together from where the change stands in the database's log, the
//! operation and a digest of the row, which are the same each time the change is delivered: rows of a
//! snapshot all stand at one place, so may rows that were inserted together, and an update of a primary
//! key is a delete and a create at one place. A change without any place gets no id; a snapshot's row
//! does, since it stands for itself.

use std::fmt::Write as _;

use bumpalo::collections::String as BumpString;
use sha2::{Digest as _, Sha256};

use super::{
    Around, Cow, Doc, EventText, Inner, Instant, Layer, NodeKind, Shape, ToldBy, millis, tell,
};

pub(super) const SHAPE: Shape = Shape {
    name: "debezium",
    told_by: ToldBy::Keys {
        has: &["op", "source"],
        lacks: &["specversion", "topic", "payload"],
        fits,
    },
    unwrap,
};

/// What tells a change's place in the log of each kind of database.
const PLACES: [&str; 13] = [
    "lsn",
    "txId",
    "file",
    "pos",
    "row",
    "commit_lsn",
    "change_lsn",
    "event_serial_no",
    "scn",
    "rs_id",
    "ssn",
    "ord",
    "h",
];

fn fits(layer: Layer<'_, '_>) -> bool {
    let source = layer.member("source");
    let is_source = source.is_some_and(|source| layer.doc.is(source, NodeKind::Object));
    let is_operation = layer.string_at(&["op"]).is_some();
    let is_change = ["before", "after", "ts_ms"]
        .iter()
        .any(|name| layer.member(name).is_some());
    is_source && is_operation && is_change
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let operation = layer.string_at(&["op"]).unwrap_or_default();
    let is_snapshot = operation == "r";
    let at = |names: &[&str]| layer.at(names).and_then(|index| moment(layer, index));
    around.received(at(&["ts_ms"]));
    if layer.facts {
        remarks(layer, operation, around);
        let text = |name: &str| layer.at(&["source", name]).and_then(|at| layer.scalar(at));
        let position = || {
            text("lsn")
                .or_else(|| text("pos"))
                .or_else(|| text("sequence"))
        };
        around.offset = around.offset.take().or_else(position);
        around.channel = around.channel.take().or_else(|| text("name"));
    }
    let mut event = EventText::new(layer.arena);
    event.string("specversion", "1.0");
    let id = identity(layer, operation, is_snapshot);
    let remark = match id {
        Some(_) => {
            "its id was put together from the change's place in the database's log and its row"
        }
        None => "the change does not say where it stands in the database's log, so it has no id",
    };
    tell(layer, around, remark);
    event.maybe("id", id);
    event.maybe("source", source(layer));
    if let Some(connector) = layer.string_at(&["source", "connector"]) {
        let mut name = BumpString::from_str_in("io.debezium.connector.", layer.arena);
        name.push_str(connector);
        name.push_str(".DataChangeEvent");
        event.string("type", &name);
    }
    if let Some(time) = at(&["source", "ts_ms"]) {
        event.string("time", &time.rfc3339());
    }
    event.string("datacontenttype", "application/json");
    event.string("iodebeziumop", operation);
    event.maybe("iodebeziumtable", table(layer));
    event.raw("data", layer.doc.raw(Doc::ROOT));
    event.finish()
}

fn moment(layer: Layer<'_, '_>, index: usize) -> Option<Instant> {
    let is_number = layer.doc.is(index, NodeKind::Number);
    // A database that knows no time for the change says 0.
    let text = layer.doc.raw(index);
    if is_number && text != "0" {
        millis(text)
    } else {
        None
    }
}

fn remarks(layer: Layer<'_, '_>, operation: &str, around: &mut Around<'_>) {
    if operation == "r" {
        tell(
            layer,
            around,
            "a snapshot's row: what stood there when the snapshot was made, and no change",
        );
    }
    let is_null = |name| layer.is_null(layer.member(name));
    if operation == "d" && is_null("before") && is_null("after") {
        tell(
            layer,
            around,
            "a delete that does not say what was deleted (the table's replica identity)",
        );
    }
}

fn table<'a>(layer: Layer<'a, '_>) -> Option<&'a str> {
    let name = |name| layer.string_at(&["source", name]);
    name("table").or_else(|| name("collection"))
}

/// `NAME/DB/TABLE`, and `NAME/DB/SCHEMA.TABLE` where the database has schemas: two of them may have a
/// table of the same name.
fn source<'a>(layer: Layer<'a, '_>) -> Option<&'a str> {
    let name = |name| layer.string_at(&["source", name]);
    let mut text = BumpString::from_str_in(name("name")?, layer.arena);
    if let Some(database) = name("db").filter(|database| !database.is_empty()) {
        text.push('/');
        text.push_str(database);
    }
    if let Some(table) = table(layer) {
        text.push('/');
        if let Some(schema) = name("schema").filter(|schema| !schema.is_empty()) {
            text.push_str(schema);
            text.push('.');
        }
        text.push_str(table);
    }
    Some(text.into_bump_str())
}

fn identity<'a>(layer: Layer<'a, '_>, operation: &str, is_snapshot: bool) -> Option<&'a str> {
    let source = layer.member("source")?;
    let mut text = BumpString::from_str_in("op:", layer.arena);
    text.push_str(operation);
    let mut has_place = false;
    for name in PLACES {
        let value = layer.doc.member(source, name);
        let value: Option<Cow<'a, str>> = value.and_then(|value| layer.scalar(value));
        if let Some(value) = value {
            text.push(';');
            text.push_str(name);
            text.push(':');
            text.push_str(&value);
            // A transaction has many changes.
            has_place |= name != "txId";
        }
    }
    let mut digest = Sha256::new();
    for name in ["before", "after"] {
        digest.update(layer.member(name).map_or("", |row| layer.doc.raw(row)));
        digest.update([0]);
    }
    text.push_str(";row:");
    for byte in digest.finalize().iter().take(8) {
        // Writing to memory cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    (has_place || is_snapshot).then(|| text.into_bump_str())
}
