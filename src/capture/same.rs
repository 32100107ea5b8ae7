//! Questions about two records, or a record and a key, that only their bytes can answer.

use super::digest::Digest;
use super::follow::{Layouts, Stop, Walk};
use super::json::{MAX_DEPTH, read};
use super::judge::Subject;
use super::plan::{Places, Plan, Slot};
use super::shape::shape;
use super::tape::{Doc, Node, NodeKind};
use super::value;
use crate::contract::Contract;
use crate::model::{Instant, Kind};

/// Room for comparing two records, kept from one comparison to the next.
#[derive(Clone, Debug)]
pub struct Comparison {
    plan: Plan,
    layouts: Layouts,
    left: Opened,
    right: Opened,
}

#[derive(Clone, Debug, Default)]
struct Opened {
    nodes: Vec<Node>,
    places: Places,
}

/// How much of a record is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// Its places, and of objects and arrays at them the spelling.
    Places,
    /// Everything in it.
    Whole,
}

impl Comparison {
    /// Room for one thread, for one contract.
    pub fn new(contract: &Contract) -> Self {
        let plan = Plan::new(contract);
        Self {
            layouts: Layouts::new(&plan),
            plan,
            left: Opened::default(),
            right: Opened::default(),
        }
    }

    /// Whether two deliveries have the same content (contract.md, "Same content"). False where one
    /// of them is no delivery. The contract is the one that the room was made for.
    pub fn same_content(&mut self, a: &[u8], b: &[u8], contract: &Contract) -> bool {
        // A repeat's content usually is byte for byte the same; only another one is taken apart.
        let Some((one, other)) = self.both(a, b, contract, Depth::Places) else {
            return false;
        };
        let alike = |(left, right)| match (left, right) {
            (None, None) => true,
            (Some(left), Some(right)) => one.doc.raw(left) == other.doc.raw(right),
            _ => false,
        };
        if compared(one).zip(compared(other)).all(alike) {
            return true;
        }
        let Some((one, other)) = self.both(a, b, contract, Depth::Whole) else {
            return false;
        };
        let equal = |(left, right)| match (left, right) {
            (None, None) => true,
            (Some(left), Some(right)) => value::equal(one.doc, left, other.doc, right),
            _ => false,
        };
        compared(one).zip(compared(other)).all(equal)
    }

    /// Whether two deliveries have the same identity (source, id), compared decoded, byte for byte.
    pub fn same_key(&mut self, a: &[u8], b: &[u8], contract: &Contract) -> bool {
        let Some((one, other)) = self.both(a, b, contract, Depth::Places) else {
            return false;
        };
        let same = |slot: Slot| {
            let (left, right) = (one.string(slot), other.string(slot));
            left.is_some() && left == right
        };
        same(one.plan.id) && same(one.plan.source)
    }

    /// The event's own `time`, where it is a valid time.
    pub fn event_time(&mut self, bytes: &[u8], contract: &Contract) -> Option<Instant> {
        let Self {
            plan,
            layouts,
            left,
            ..
        } = self;
        let event = opened(bytes, plan, layouts, contract, left, Depth::Places)?;
        Instant::parse(&event.string(event.plan.time)?)
    }

    fn both<'a, 't>(
        &'t mut self,
        a: &'a [u8],
        b: &'a [u8],
        contract: &'t Contract,
        depth: Depth,
    ) -> Option<(Subject<'a, 't>, Subject<'a, 't>)> {
        let Self {
            plan,
            layouts,
            left,
            right,
        } = self;
        let one = opened(a, plan, layouts, contract, left, depth)?;
        let other = opened(b, plan, layouts, contract, right, depth)?;
        Some((one, other))
    }
}

/// A hash of what "same content" compares: the same content has the same hash.
pub fn content_hash(event: Subject<'_, '_>) -> u64 {
    let mut digest = Digest::default();
    for found in compared(event) {
        match found {
            Some(index) => {
                digest.number(1);
                value::feed(event.doc, index, &mut digest);
            }
            None => digest.number(0),
        }
    }
    digest.finish()
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
    layouts: &mut Layouts,
    contract: &'t Contract,
    room: &'t mut Opened,
    depth: Depth,
) -> Option<Subject<'a, 't>> {
    let text = simdutf8::basic::from_utf8(bytes).ok()?;
    let Opened { nodes, places } = room;
    let walked = match depth {
        Depth::Places => Walk::new(text, plan, layouts, nodes, places).delivery(),
        Depth::Whole => Err(Stop::Unsure),
    };
    let kind = match walked {
        Ok(shape) => shape.kind,
        Err(Stop::Fault) => return None,
        Err(Stop::Unsure) => {
            read(text, MAX_DEPTH, nodes).ok()?;
            shape(Doc::new(text, nodes), plan, places).ok()?.kind
        }
    };
    (kind == Kind::Delivery).then_some(Subject {
        doc: Doc::new(text, nodes),
        plan,
        places,
        contract,
    })
}
