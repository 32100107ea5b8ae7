//! One record's bytes, taken apart: the first stage, and all that one record and the contract alone
//! decide.

use std::borrow::Cow;

use super::digest::Digest;
use super::follow::{Layouts, Stop, Walk};
use super::json::{MAX_DEPTH, is_deeper_than, read};
use super::judge::{Facts, Subject, judge};
use super::plan::{Places, Plan};
use super::same;
use super::shape::{Shape, shape};
use super::tape::{Doc, Node, NodeKind};
use super::{number, statement};
use crate::contract::Contract;
use crate::model::{Body, Delivery, Instant, Kind, ReasonId, Record, reason};

/// Bytes that a record may have (contract.md, stage 0).
pub const MAX_RECORD_BYTES: usize = 64 << 20;

/// What a worker keeps from record to record: the contract's places, and room for the nodes.
#[derive(Clone, Debug)]
pub struct Scratch {
    pub(super) plan: Plan,
    layouts: Layouts,
    pub(super) nodes: Vec<Node>,
    pub(super) places: Places,
    /// Records that a chunk is likely to have.
    pub(super) records_likely: usize,
}

impl Scratch {
    /// Room for one worker, for one contract.
    pub fn new(contract: &Contract) -> Self {
        let plan = Plan::new(contract);
        Self {
            layouts: Layouts::new(&plan),
            plan,
            nodes: Vec::new(),
            places: Places::default(),
            records_likely: 0,
        }
    }
}

/// Takes a record apart. `scratch` must have been made for this contract.
pub fn take_apart<'a>(bytes: &'a [u8], contract: &Contract, scratch: &mut Scratch) -> Record<'a> {
    if bytes.len() > MAX_RECORD_BYTES {
        return unreadable(reason::TOO_LONG);
    }
    match simdutf8::basic::from_utf8(bytes) {
        Ok(text) => take_apart_text(text, contract, scratch),
        Err(_) => unreadable(reason::NOT_UTF8),
    }
}

/// Takes a record apart whose bytes are known to be UTF-8.
pub fn take_apart_text<'a>(
    text: &'a str,
    contract: &Contract,
    scratch: &mut Scratch,
) -> Record<'a> {
    if text.len() > MAX_RECORD_BYTES {
        return unreadable(reason::TOO_LONG);
    }
    let Scratch {
        plan,
        layouts,
        nodes,
        places,
        ..
    } = &mut *scratch;
    match Walk::new(text, plan, layouts, nodes, places).delivery() {
        Ok(shape) => {
            let event = Subject {
                doc: Doc::new(text, nodes),
                plan,
                places,
                contract,
            };
            readable(event, shape)
        }
        Err(Stop::Fault) => unreadable(refused_text(text)),
        Err(Stop::Unsure) => take_apart_whole(text, contract, scratch),
    }
}

/// Takes a record apart with a node for everything in it: what the walk must agree with, and what
/// decides where the walk does not.
pub(super) fn take_apart_whole<'a>(
    text: &'a str,
    contract: &Contract,
    scratch: &mut Scratch,
) -> Record<'a> {
    let Scratch {
        plan,
        nodes,
        places,
        ..
    } = scratch;
    if read(text, MAX_DEPTH, nodes).is_err() {
        return unreadable(refused_text(text));
    }
    let doc = Doc::new(text, nodes);
    match shape(doc, plan, places) {
        Err(reason) => unreadable(reason),
        Ok(shape) => {
            let event = Subject {
                doc,
                plan,
                places,
                contract,
            };
            readable(event, shape)
        }
    }
}

/// Why a text that the reader refused is unreadable: too deep wins over malformed.
pub fn refused_text(text: &str) -> ReasonId {
    if is_deeper_than(text.as_bytes(), MAX_DEPTH) {
        reason::TOO_DEEP
    } else {
        reason::MALFORMED_JSON
    }
}

/// A record that cannot be taken apart.
pub fn unreadable<'a>(reason: ReasonId) -> Record<'a> {
    Record {
        received_at: None,
        body: Body::Unreadable(reason),
    }
}

fn readable<'a>(event: Subject<'a, '_>, shape: Shape) -> Record<'a> {
    let received_at = shape
        .wrapper
        .received_at
        .and_then(|found| event.doc.string(found))
        .and_then(|text| Instant::parse(&text));
    let body = if shape.kind == Kind::Delivery {
        Body::Delivery(delivery(event, shape.wrapper.consumer))
    } else {
        Body::Statement(statement::statement(event.doc, shape.kind, shape.body))
    };
    Record { received_at, body }
}

fn delivery<'a>(event: Subject<'a, '_>, consumer: Option<usize>) -> Delivery<'a> {
    let facts = Facts::of(event);
    let verdict = judge(event, &facts, consumer);
    let Facts {
        source,
        aggregate,
        version,
        ..
    } = facts;
    let id = event.string(event.plan.id);
    let key_hash = match (&source, &id) {
        (Some(source), Some(id)) if !source.is_empty() && !id.is_empty() => key_hash(source, id),
        _ => 0,
    };
    let content_hash = if event.contract.version.is_none() {
        same::content_hash(event)
    } else {
        0
    };
    Delivery {
        aggregate,
        version,
        key_hash,
        content_hash,
        passage: verdict.passage,
        state: verdict.state,
        findings: verdict.findings,
        source,
        id,
    }
}

/// The hash of an identity: a pair, never one text.
pub fn key_hash(source: &str, id: &str) -> u64 {
    let mut digest = Digest::default();
    digest.text(source.as_bytes());
    digest.text(id.as_bytes());
    digest.finish()
}

/// A member that is a non-empty string.
pub(super) fn filled<'a>(doc: Doc<'a, '_>, object: usize, name: &str) -> Option<Cow<'a, str>> {
    let text = doc.string(doc.member(object, name)?)?;
    (!text.is_empty()).then_some(text)
}

/// A member that is an integer in 0 … 2^64 − 1.
pub(super) fn unsigned(doc: Doc<'_, '_>, object: usize, name: &str) -> Option<u64> {
    let index = doc.member(object, name)?;
    if doc.is(index, NodeKind::Number) {
        number::unsigned(doc.raw(index))
    } else {
        None
    }
}

#[cfg(test)]
#[path = "take_tests.rs"]
mod tests;
