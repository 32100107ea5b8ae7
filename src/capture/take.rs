//! One record's bytes, taken apart: the first stage, and all that one record and the contract alone
//! decide.

use std::borrow::Cow;

use bumpalo::Bump;

use super::desk::{Desk, kept};
use super::digest::Digest;
use super::follow::{Layouts, Stop, Walk};
use super::json::{MAX_DEPTH, is_deeper_than, read};
use super::judge::{Facts, Subject, judge};
use super::plan::{Places, Plan};
use super::same;
use super::shape::{Shape, shape};
use super::start::Beginnings;
use super::tape::{Doc, Node, NodeKind};
use super::unwrap::{self, Around, Asked, Off};
use super::{conformance, number, statement};
use crate::contract::Contract;
use crate::model::compact::hash_of;
use crate::model::{
    Body, Delivery, Instant, Kind, Passage, ReasonId, Record, RecordFindings, reason,
};

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
    /// Room for taking wrappers off, and how that is done.
    pub(super) room: unwrap::Room,
    /// How wrappers are taken off.
    pub(super) asked: Asked,
    beginnings: Beginnings,
    desk: Desk,
}

/// A record's bytes taken apart.
#[derive(Clone, Debug)]
pub enum Taken<'a> {
    /// One record.
    One(Record<'a>),
    /// Several: the ranges of their bytes.
    Many(Vec<(usize, usize)>),
}

impl Scratch {
    /// Room for one worker, for one contract.
    pub fn new(contract: &Contract) -> Self {
        Self::asking(contract, Asked::default())
    }

    /// The same, with wrappers taken off as asked.
    pub fn asking(contract: &Contract, asked: Asked) -> Self {
        let plan = Plan::new(contract);
        Self {
            layouts: Layouts::new(&plan),
            plan,
            nodes: Vec::new(),
            places: Places::default(),
            room: unwrap::Room::default(),
            asked: Asked {
                inside: contract.reads_inside,
                ..asked
            },
            beginnings: Beginnings::default(),
            desk: Desk::default(),
            records_likely: 0,
        }
    }

    /// Follows a delivery; what it finds is then in the nodes and places.
    fn walk(&mut self, text: &str) -> Result<Shape, Stop> {
        let Self {
            plan,
            layouts,
            nodes,
            places,
            ..
        } = self;
        Walk::new(text, plan, layouts, nodes, places).delivery()
    }
}

/// Takes a record apart, its wrappers off first where it has any. `is_utf8`: its bytes are known to
/// be. What is kept of what was inside lives in `arena`.
pub fn take_off_and_apart<'a>(
    bytes: &'a [u8],
    text: Option<&'a str>,
    contract: &Contract,
    scratch: &mut Scratch,
    arena: &'a Bump,
) -> Taken<'a> {
    let opens_first = scratch.asked.always_opens() || scratch.beginnings.tell_wrappers(bytes);
    if opens_first {
        // Reading it as an event first would be a second reading of nearly every record.
        if let Some(taken) = take_off((bytes, text), contract, scratch, arena) {
            return taken;
        }
    }
    let mut record = match text {
        Some(text) => take_apart_text(text, contract, scratch),
        None => take_apart(bytes, contract, scratch),
    };
    let may_be = match record.body {
        Body::Unreadable(why) => may_be_wrapped(why, bytes),
        Body::Delivery(_) | Body::Statement(_) => {
            scratch.beginnings.of_bare(bytes);
            false
        }
    };
    if opens_first || !may_be {
        be_strict(&mut record, bytes, scratch);
        return Taken::One(record);
    }
    take_off((bytes, text), contract, scratch, arena).unwrap_or(Taken::One(record))
}

/// Refuses what breaks the CloudEvents specification, where that is asked for and the envelope has
/// passed so far.
fn be_strict(record: &mut Record<'_>, bytes: &[u8], scratch: &mut Scratch) {
    let Body::Delivery(delivery) = &mut record.body else {
        return;
    };
    let is_refused = matches!(
        delivery.passage,
        Passage::OtherConsumer | Passage::EnvelopeRejected(_)
    );
    if !scratch.asked.strict || is_refused {
        return;
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Scratch {
        plan,
        nodes,
        places,
        ..
    } = scratch;
    if read(text, MAX_DEPTH, nodes).is_err() {
        return;
    }
    let doc = Doc::new(text, nodes);
    let Ok(shape) = shape(doc, plan, places) else {
        return;
    };
    let broken = conformance::broken(doc, shape.body);
    if let Some(rule) = broken.into_iter().find(|rule| rule.is_must()) {
        delivery.passage = Passage::EnvelopeRejected(rule.reason());
        delivery.state = None;
        delivery.findings = RecordFindings::default();
    }
}

/// Whether what could not be read as an event may be a wrapper: it is whole JSON and no event, or no
/// JSON at all and does not even begin like it. What is not told apart here, a record that is opened
/// first would be: both orders must come to the same.
pub(super) fn may_be_wrapped(why: ReasonId, bytes: &[u8]) -> bool {
    match why {
        reason::NOT_A_DELIVERY | reason::NOT_AN_OBJECT | reason::AMBIGUOUS_RECORD => true,
        reason::MALFORMED_JSON | reason::TOO_DEEP => unwrap::is_no_json(bytes),
        reason::NOT_UTF8 => unwrap::may_be_cut_text(bytes),
        _ => false,
    }
}

fn take_off<'a>(
    (bytes, text): (&'a [u8], Option<&'a str>),
    contract: &Contract,
    scratch: &mut Scratch,
    arena: &'a Bump,
) -> Option<Taken<'a>> {
    if bytes.len() > MAX_RECORD_BYTES {
        return None;
    }
    let mut desk = std::mem::take(&mut scratch.desk);
    if let Some(text) = text
        && let Some(record) = plainly(text, contract, scratch, (desk.cleared(), arena))
    {
        scratch.desk = desk;
        return Some(Taken::One(record));
    }
    let taken = taken_off((bytes, text), contract, scratch, (desk.cleared(), arena));
    scratch.desk = desk;
    taken
}

/// The same the quick way, where that leads to an event.
fn plainly<'a>(
    text: &str,
    contract: &Contract,
    scratch: &mut Scratch,
    (desk, arena): (&Bump, &'a Bump),
) -> Option<Record<'a>> {
    let inside = scratch.room.plain(text, scratch.asked, desk)?;
    let shape = scratch.walk(inside.text).ok()?;
    scratch.room.was_plain();
    scratch.beginnings.of_wrapped(text.as_bytes());
    let mut record = readable(subject(inside.text, scratch, contract), shape);
    be_strict(&mut record, inside.text.as_bytes(), scratch);
    record.received_at = record.received_at.or_else(|| inside.received_at());
    Some(kept(record, arena))
}

/// The same, with what was inside on the desk, and what is kept of it in the arena.
fn taken_off<'a>(
    (bytes, text): (&[u8], Option<&str>),
    contract: &Contract,
    scratch: &mut Scratch,
    (desk, arena): (&Bump, &'a Bump),
) -> Option<Taken<'a>> {
    let Scratch {
        plan,
        layouts,
        nodes,
        places,
        room,
        asked,
        ..
    } = &mut *scratch;
    let mut walked = None;
    let mut around = Around::default();
    let opened = unwrap::off((bytes, text), *asked, room, desk, &mut around, |text| {
        let shape = Walk::new(text, plan, layouts, nodes, places).delivery();
        walked = shape.ok().map(|shape| (text, shape));
        walked.is_some()
    });
    if let Off::Bare = opened {
        return None;
    }
    scratch.beginnings.of_wrapped(bytes);
    let mut record = match opened {
        Off::Bare => return None,
        Off::Many(ranges) => return Some(Taken::Many(ranges)),
        Off::One(Err(why)) => unreadable(why),
        Off::One(Ok(inner)) => {
            let mut record = match walked {
                Some((text, shape)) => readable(subject(text, scratch, contract), shape),
                None => take_apart(inner, contract, scratch),
            };
            be_strict(&mut record, inner, scratch);
            record
        }
    };
    record.received_at = record.received_at.or_else(|| around.received_at());
    Some(Taken::One(kept(record, arena)))
}

/// What was read last.
fn subject<'a, 't>(text: &'a str, scratch: &'t Scratch, contract: &'t Contract) -> Subject<'a, 't> {
    Subject {
        doc: Doc::new(text, &scratch.nodes),
        plan: &scratch.plan,
        places: &scratch.places,
        contract,
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
    match scratch.walk(text) {
        Ok(shape) => readable(subject(text, scratch, contract), shape),
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
    match shape(Doc::new(text, nodes), plan, places) {
        Err(reason) => unreadable(reason),
        Ok(shape) => readable(subject(text, scratch, contract), shape),
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
    let aggregate_hash = aggregate.as_deref().map_or(0, hash_of);
    Delivery {
        aggregate,
        aggregate_hash,
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
#[path = "take_plain_tests.rs"]
mod plain_tests;

#[cfg(test)]
#[path = "take_tests.rs"]
mod tests;
