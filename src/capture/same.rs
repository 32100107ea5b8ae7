//! Questions about two records, or a record and a key, that only their bytes can answer.

use std::hash::Hasher;

use super::json::{MAX_DEPTH, read};
use super::judge::Subject;
use super::plan::{Places, Plan, Slot};
use super::shape::{Shape, shape};
use super::tape::{Doc, Node, NodeKind};
use super::value::{self, hasher};
use crate::contract::Contract;
use crate::model::{Instant, Kind};

/// Room for comparing two records, kept from one comparison to the next.
#[derive(Clone, Debug)]
pub struct Comparison {
    plan: Plan,
    left: Opened,
    right: Opened,
}

#[derive(Clone, Debug, Default)]
struct Opened {
    nodes: Vec<Node>,
    places: Places,
}

impl Comparison {
    /// Room for one thread, for one contract.
    pub fn new(contract: &Contract) -> Self {
        Self {
            plan: Plan::new(contract),
            left: Opened::default(),
            right: Opened::default(),
        }
    }

    /// Whether two deliveries have the same content (contract.md, "Same content"). False where one
    /// of them is no delivery. The contract is the one that the room was made for.
    pub fn same_content(&mut self, a: &[u8], b: &[u8], contract: &Contract) -> bool {
        let Self { plan, left, right } = self;
        let (Some(a), Some(b)) = (
            opened(a, plan, contract, left),
            opened(b, plan, contract, right),
        ) else {
            return false;
        };
        compared(a)
            .zip(compared(b))
            .all(|(left, right)| match (left, right) {
                (None, None) => true,
                (Some(left), Some(right)) => value::equal(a.doc, left, b.doc, right),
                _ => false,
            })
    }
}

impl Comparison {
    /// Whether two deliveries have the same identity (source, id), compared decoded, byte for byte.
    pub fn same_key(&mut self, a: &[u8], b: &[u8], contract: &Contract) -> bool {
        let Self { plan, left, right } = self;
        let (Some(a), Some(b)) = (
            opened(a, plan, contract, left),
            opened(b, plan, contract, right),
        ) else {
            return false;
        };
        let same = |slot: Slot| {
            let (one, other) = (a.string(slot), b.string(slot));
            one.is_some() && one == other
        };
        same(a.plan.id) && same(a.plan.source)
    }

    /// The event's own `time`, where it is a valid time.
    pub fn event_time(&mut self, bytes: &[u8], contract: &Contract) -> Option<Instant> {
        let Self { plan, left, .. } = self;
        let event = opened(bytes, plan, contract, left)?;
        Instant::parse(&event.string(event.plan.time)?)
    }
}

/// A hash of what "same content" compares: the same content has the same hash.
pub fn content_hash(event: Subject<'_, '_>) -> u64 {
    let mut hasher = hasher();
    for found in compared(event) {
        match found {
            Some(index) => {
                hasher.write_u8(1);
                value::feed(event.doc, index, &mut hasher);
            }
            None => hasher.write_u8(0),
        }
    }
    hasher.finish()
}

/// What is compared, in a fixed order: where null is the same as absent, null is left out.
fn compared<'a, 't>(event: Subject<'a, 't>) -> impl Iterator<Item = Option<usize>> + use<'a, 't> {
    let Subject {
        doc, plan, places, ..
    } = event;
    let context = [plan.event_type, plan.subject, plan.dataschema];
    let payload = [plan.data, plan.data_base64];
    let get = move |slot: Slot| places.get(slot);
    context
        .into_iter()
        .map(move |slot| get(slot).filter(|index| !doc.is(*index, NodeKind::Null)))
        .chain(payload.into_iter().map(get))
        .chain(plan.extensions.iter().map(move |slot| get(*slot)))
}

fn opened<'a, 't>(
    bytes: &'a [u8],
    plan: &'t Plan,
    contract: &'t Contract,
    room: &'t mut Opened,
) -> Option<Subject<'a, 't>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let Opened { nodes, places } = room;
    read(text, MAX_DEPTH, nodes).ok()?;
    let doc = Doc::new(text, nodes);
    let Shape { kind, .. } = shape(doc, plan, places).ok()?;
    (kind == Kind::Delivery).then_some(Subject {
        doc,
        plan,
        places,
        contract,
    })
}
