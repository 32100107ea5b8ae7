//! Questions about two records, or a record and a key, that only their bytes can answer.

use bumpalo::Bump;

use super::desk::Desk;
use super::digest::Digest;
use super::follow::{Layouts, Stop, Walk};
use super::json::{MAX_DEPTH, read};
use super::judge::Subject;
use super::plan::{Places, Plan, Slot};
use super::shape::shape;
use super::start::Beginnings;
use super::tape::{Doc, Node, NodeKind};
use super::unwrap::{self, Around, Asked, Off};
use super::value;
use crate::contract::Contract;
use crate::model::{Instant, Kind};

/// Room for comparing two records, kept from one comparison to the next.
#[derive(Clone, Debug)]
pub struct Comparison {
    plan: Plan,
    asked: Asked,
    layouts: Layouts,
    left: Side,
    right: Side,
    desk: Desk,
}

/// Room for one of the two: as it lies there, and what is inside its wrappers.
#[derive(Clone, Debug, Default)]
struct Side {
    bare: Room,
    inside: Room,
    wrappers: unwrap::Room,
    beginnings: Beginnings,
}

#[derive(Clone, Debug, Default)]
struct Room {
    nodes: Vec<Node>,
    places: Places,
}

/// What two deliveries' identities are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// They are two events.
    Other,
    /// They are one event.
    Same,
    /// They are one event, and its content is spelled alike.
    SameAndAlike,
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
        Self::asking(contract, Asked::default())
    }

    /// The same, with wrappers taken off as asked.
    pub fn asking(contract: &Contract, asked: Asked) -> Self {
        let plan = Plan::new(contract);
        Self {
            layouts: Layouts::new(&plan),
            plan,
            asked: Asked {
                inside: contract.reads_inside,
                ..asked
            },
            left: Side::default(),
            right: Side::default(),
            desk: Desk::default(),
        }
    }

    /// Whether two deliveries have the same content (contract.md, "Same content"). False where one
    /// of them is no delivery. The contract is the one that the room was made for.
    pub fn same_content(&mut self, a: &[u8], b: &[u8], contract: &Contract) -> bool {
        // A repeat's content usually is byte for byte the same; only another one is taken apart.
        let alike = self.compare(a, b, (contract, Depth::Places), alike);
        alike
            || self.compare(a, b, (contract, Depth::Whole), |one, other| {
                let equal = |(left, right)| match (left, right) {
                    (None, None) => true,
                    (Some(left), Some(right)) => value::equal(one.doc, left, other.doc, right),
                    _ => false,
                };
                compared(one).zip(compared(other)).all(equal)
            })
    }

    /// Whether two deliveries have the same identity (source, id), compared decoded, byte for byte. Of
    /// two that have, it is also told whether their contents are spelled alike: then they are the same,
    /// and nobody needs to open both again to ask.
    pub fn same_key(&mut self, a: &[u8], b: &[u8], contract: &Contract) -> Identity {
        let mut spelled_alike = false;
        let is_same = self.compare(a, b, (contract, Depth::Places), |one, other| {
            let same = |slot: Slot| {
                let (left, right) = (one.string(slot), other.string(slot));
                left.is_some() && left == right
            };
            let is_same = same(one.plan.id) && same(one.plan.source);
            spelled_alike = is_same && alike(one, other);
            is_same
        });
        match (is_same, spelled_alike) {
            (false, _) => Identity::Other,
            (true, false) => Identity::Same,
            (true, true) => Identity::SameAndAlike,
        }
    }

    /// The event's own `time`, where it is a valid time.
    pub fn event_time(&mut self, bytes: &[u8], contract: &Contract) -> Option<Instant> {
        let (opener, layouts, [left, _], arena) = self.split(contract, Depth::Places);
        let event = left.event(bytes, opener, layouts, arena)?;
        Instant::parse(&event.string(event.plan.time)?)
    }

    /// What opening one record or two takes.
    fn split<'t>(
        &'t mut self,
        contract: &'t Contract,
        depth: Depth,
    ) -> (Opener<'t>, &'t mut Layouts, [&'t mut Side; 2], &'t Bump) {
        let opener = Opener {
            plan: &self.plan,
            contract,
            asked: self.asked,
            depth,
        };
        let sides = [&mut self.left, &mut self.right];
        (opener, &mut self.layouts, sides, self.desk.cleared())
    }

    fn compare(
        &mut self,
        a: &[u8],
        b: &[u8],
        (contract, depth): (&Contract, Depth),
        ask: impl FnOnce(Subject<'_, '_>, Subject<'_, '_>) -> bool,
    ) -> bool {
        let (opener, layouts, [left, right], arena) = self.split(contract, depth);
        let a = left.event(a, opener, layouts, arena);
        let b = a.and_then(|_| right.event(b, opener, layouts, arena));
        a.zip(b).is_some_and(|(a, b)| ask(a, b))
    }
}

/// How a record is opened.
#[derive(Clone, Copy)]
struct Opener<'t> {
    plan: &'t Plan,
    contract: &'t Contract,
    asked: Asked,
    depth: Depth,
}

impl Side {
    /// The event in a record, its wrappers off.
    fn event<'a, 't>(
        &'t mut self,
        bytes: &'a [u8],
        opener: Opener<'t>,
        layouts: &mut Layouts,
        arena: &'a Bump,
    ) -> Option<Subject<'a, 't>> {
        let Self {
            bare,
            inside,
            wrappers,
            beginnings,
        } = self;
        let is_forced = opener.asked.always_opens();
        let opens_first = is_forced || beginnings.tell_wrappers(bytes);
        if !opens_first && let Some(text) = opener.delivery(bytes, layouts, bare) {
            beginnings.of_bare(bytes);
            return Some(opener.subject(text, bare));
        }
        let mut walked = None;
        let around = &mut Around::default();
        let found = unwrap::off(
            (bytes, None),
            opener.asked,
            wrappers,
            arena,
            around,
            |text| {
                let walk = opener.walk(text, layouts, inside);
                walked = (walk == Ok(Kind::Delivery)).then_some(text);
                walked.is_some()
            },
        );
        match found {
            Off::Bare if !opens_first => None,
            Off::Bare => {
                let text = opener.delivery(bytes, layouts, bare)?;
                beginnings.of_bare(bytes);
                Some(opener.subject(text, bare))
            }
            Off::Many(_) => None,
            Off::One(inner) => {
                beginnings.of_wrapped(bytes);
                let inner = inner.ok()?;
                let text = walked.or_else(|| opener.delivery(inner, layouts, inside))?;
                Some(opener.subject(text, inside))
            }
        }
    }
}

impl<'t> Opener<'t> {
    /// The text of a delivery, whose places are then in the room.
    fn delivery<'a>(
        self,
        bytes: &'a [u8],
        layouts: &mut Layouts,
        room: &mut Room,
    ) -> Option<&'a str> {
        let text = simdutf8::basic::from_utf8(bytes).ok()?;
        let kind = match self.walk(text, layouts, room) {
            Ok(kind) => kind,
            Err(Stop::Fault) => return None,
            Err(Stop::Unsure) => {
                let Room { nodes, places } = room;
                read(text, MAX_DEPTH, nodes).ok()?;
                shape(Doc::new(text, nodes), self.plan, places).ok()?.kind
            }
        };
        (kind == Kind::Delivery).then_some(text)
    }

    /// Follows a delivery, where that is enough.
    fn walk(self, text: &str, layouts: &mut Layouts, room: &mut Room) -> Result<Kind, Stop> {
        let Room { nodes, places } = room;
        match self.depth {
            Depth::Places => {
                let walk = Walk::new(text, self.plan, layouts, nodes, places);
                walk.delivery().map(|shape| shape.kind)
            }
            Depth::Whole => Err(Stop::Unsure),
        }
    }

    /// What was read last in a room.
    fn subject<'a>(self, text: &'a str, room: &'t Room) -> Subject<'a, 't> {
        Subject {
            doc: Doc::new(text, &room.nodes),
            plan: self.plan,
            places: &room.places,
            contract: self.contract,
        }
    }
}

/// Whether what "same content" compares is spelled alike, byte for byte.
fn alike(one: Subject<'_, '_>, other: Subject<'_, '_>) -> bool {
    let alike = |(left, right)| match (left, right) {
        (None, None) => true,
        (Some(left), Some(right)) => one.doc.raw(left) == other.doc.raw(right),
        _ => false,
    };
    compared(one).zip(compared(other)).all(alike)
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
