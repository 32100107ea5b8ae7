//! What a record is: a bare event, a native record, or neither (contract.md, "What is a record").

use super::plan::{Places, Plan};
use super::tape::{Doc, NodeKind};
use super::value::{NameWatch, has_duplicate};
use crate::model::{Kind, ReasonId, reason};

/// A readable record: what it holds, and the members around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Delivery, order, refusal or baseline.
    pub kind: Kind,
    /// Index of the event, or of the owner's or operator's object.
    pub body: usize,
    /// The members around a native record's body; none around a bare event.
    pub wrapper: Wrapper,
}

/// The members that a native record may have beside its body, by index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wrapper {
    /// `receivedAt`
    pub received_at: Option<usize>,
    /// `attempt`
    pub attempt: Option<usize>,
    /// `consumer`
    pub consumer: Option<usize>,
    /// `note`, a caption for people.
    pub note: Option<usize>,
}

/// The record's own members that matter.
#[derive(Default)]
struct Outer {
    has_specversion: bool,
    has_id: bool,
    has_source: bool,
    has_type: bool,
    event: Option<usize>,
    order: Option<usize>,
    refusal: Option<usize>,
    baseline: Option<usize>,
    wrapper: Wrapper,
}

/// Tells what a record is, and where the contract's places are in its event. Errors: why it is
/// unreadable; the tests run in the order of the contract's table.
pub fn shape(doc: Doc<'_, '_>, plan: &Plan, places: &mut Places) -> Result<Shape, ReasonId> {
    if !doc.is(Doc::ROOT, NodeKind::Object) {
        return Err(reason::NOT_AN_OBJECT);
    }
    let outer = outer(doc).ok_or(reason::DUPLICATE_KEY)?;
    let natives = [
        (Kind::Delivery, outer.event),
        (Kind::Order, outer.order),
        (Kind::Refusal, outer.refusal),
        (Kind::Baseline, outer.baseline),
    ];
    let mut present = natives
        .into_iter()
        .filter_map(|(kind, body)| Some((kind, body?)));
    let first = present.next();
    let bare = outer.has_specversion
        || (first.is_none() && outer.has_id && outer.has_source && outer.has_type);
    if bare {
        if plan.resolve(doc, Doc::ROOT, places) {
            return Err(reason::DUPLICATE_KEY);
        }
        return Ok(Shape {
            kind: Kind::Delivery,
            body: Doc::ROOT,
            wrapper: Wrapper::default(),
        });
    }
    for (kind, body) in natives {
        let Some(body) = body.filter(|body| doc.is(*body, NodeKind::Object)) else {
            continue;
        };
        let twice = if kind == Kind::Delivery {
            plan.resolve(doc, body, places)
        } else {
            has_duplicate(doc, body)
        };
        if twice {
            return Err(reason::DUPLICATE_KEY);
        }
    }
    let Some((kind, body)) = first else {
        return Err(reason::NOT_A_DELIVERY);
    };
    if present.next().is_some() {
        return Err(reason::AMBIGUOUS_RECORD);
    }
    if !doc.is(body, NodeKind::Object) {
        return Err(reason::NOT_AN_OBJECT);
    }
    Ok(Shape {
        kind,
        body,
        wrapper: outer.wrapper,
    })
}

/// Walks the record's own members; nothing where one stands twice.
fn outer(doc: Doc<'_, '_>) -> Option<Outer> {
    let mut outer = Outer::default();
    let mut watch = NameWatch::default();
    for (key, value) in doc.members(Doc::ROOT) {
        if watch.sees_again(doc, Doc::ROOT, key) {
            return None;
        }
        let node = doc.node(key)?;
        let decoded;
        let name = if node.escaped {
            decoded = doc.decoded(node);
            decoded.as_bytes()
        } else {
            doc.string_bytes(node)
        };
        match name {
            b"specversion" => outer.has_specversion = true,
            b"id" => outer.has_id = true,
            b"source" => outer.has_source = true,
            b"type" => outer.has_type = true,
            b"event" => outer.event = Some(value),
            b"order" => outer.order = Some(value),
            b"refusal" => outer.refusal = Some(value),
            b"baseline" => outer.baseline = Some(value),
            b"receivedAt" => outer.wrapper.received_at = Some(value),
            b"attempt" => outer.wrapper.attempt = Some(value),
            b"consumer" => outer.wrapper.consumer = Some(value),
            b"note" => outer.wrapper.note = Some(value),
            _ => {}
        }
    }
    Some(outer)
}
