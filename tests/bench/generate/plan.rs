//! What goes wrong with an order, planned when it is begun.

use super::random::Random;

/// How often something happens to a version of an order, in 100,000. An order has about four parts
/// in a hundred more deliveries than versions, and its last delivery cannot be overtaken; the rates
/// make up for that, so that the shares of all deliveries come out as promised.
mod rate {
    pub(super) const DUPLICATE: u64 = 3_120;
    pub(super) const OVERTAKEN: u64 = 2_700;
    pub(super) const UNKNOWN_SCHEMA: u64 = 520;
    pub(super) const BAD_ENVELOPE: u64 = 208;
    pub(super) const CONFLICT: u64 = 104;
    pub(super) const STALE: u64 = 134;
    pub(super) const NEVER_SENT: u64 = 50;
    /// Of the refused ones: those that nobody sends again, mended.
    pub(super) const NEVER_MENDED: u64 = 20_000;
}

/// What a delivery is meant to be. What comes of it also depends on how its order stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Class {
    /// A version of the order, in its turn.
    Fact,
    /// A version that a later one has overtaken.
    Late,
    /// A fact delivered again: same source, id and content.
    Duplicate,
    /// A schema version that the contract does not accept, under the fact's id.
    UnknownSchema,
    /// An envelope that the contract refuses.
    BadEnvelope(Flaw),
    /// Another fact for a version that has one: other id, other content.
    Conflict,
    /// An earlier fact under a new id.
    Stale,
}

impl Class {
    /// What is wrong with its envelope, if anything is.
    pub(super) fn flaw(self) -> Option<Flaw> {
        if let Self::BadEnvelope(flaw) = self {
            return Some(flaw);
        }
        None
    }
}

/// What is wrong with an envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Flaw {
    /// No id.
    MissingId,
    /// The subject is null, which is the same as absent.
    MissingSubject,
    /// CloudEvents 0.3.
    OldContextVersion,
    /// A source that is not the boundary's.
    SourceOutside,
    /// The schema version is a string.
    SchemaVersionNoInteger,
}

impl Flaw {
    const ALL: [Self; 5] = [
        Self::MissingId,
        Self::MissingSubject,
        Self::OldContextVersion,
        Self::SourceOutside,
        Self::SchemaVersionNoInteger,
    ];
}

/// A delivery to come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Planned {
    pub(super) version: u64,
    pub(super) class: Class,
}

/// The deliveries of one order.
pub(super) fn order(random: &mut Random) -> Vec<Planned> {
    let mut planned = Vec::with_capacity(8);
    for version in 1..=3 + random.below(4) {
        let mut add = |class| planned.push(Planned { version, class });
        let flaw = Flaw::ALL[random.index(5)];
        let refused = if random.happens(rate::UNKNOWN_SCHEMA) {
            Some(Class::UnknownSchema)
        } else if random.happens(rate::BAD_ENVELOPE) {
            Some(Class::BadEnvelope(flaw))
        } else {
            None
        };
        refused.into_iter().for_each(&mut add);
        let lost = match refused {
            Some(_) => rate::NEVER_MENDED,
            None => rate::NEVER_SENT,
        };
        if !random.happens(lost) {
            add(Class::Fact);
        }
        if random.happens(rate::CONFLICT) {
            add(Class::Conflict);
        }
        if version > 1 && random.happens(rate::STALE) {
            let version = 1 + random.below(version - 1);
            let class = Class::Stale;
            planned.push(Planned { version, class });
        }
    }
    overtake(&mut planned, random);
    repeat(&mut planned, random);
    planned
}

/// Lets facts be overtaken by the next one.
fn overtake(planned: &mut [Planned], random: &mut Random) {
    let mut at = 1;
    while at < planned.len() {
        let facts = [planned[at - 1].class, planned[at].class] == [Class::Fact; 2];
        if facts && random.happens(rate::OVERTAKEN) {
            planned[at - 1].class = Class::Late;
            planned.swap(at - 1, at);
            at += 1;
        }
        at += 1;
    }
}

/// Delivers facts again, up to three places later.
fn repeat(planned: &mut Vec<Planned>, random: &mut Random) {
    let mut at = 0;
    while at < planned.len() {
        let is_fact = matches!(planned[at].class, Class::Fact | Class::Late);
        if is_fact && random.happens(rate::DUPLICATE) {
            let class = Class::Duplicate;
            let copy = Planned {
                class,
                ..planned[at]
            };
            let place = at + 1 + random.index(3);
            planned.insert(place.min(planned.len()), copy);
        }
        at += 1;
    }
}
