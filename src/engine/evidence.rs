//! Which steps someone has to explain, and which later applies explain them (contract.md, "Evidence").

use super::{Candidate, Recall};
use crate::model::compact::{Column, TagTable};
use crate::model::{Effect, Finding, RecordNo, State, StepNo};

/// What can close a piece of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closer {
    /// It is none.
    Nobody,
    /// A person's mark.
    Person,
    /// A later apply of the same key, or of the same version.
    Apply,
    /// The replay of what waits.
    Replay,
}

/// What closes a delivery's or replay's step.
pub(super) fn closer_of_event(state: State, findings: &[Finding]) -> Closer {
    if findings
        .iter()
        .any(|finding| finding.code.severity().needs_person())
    {
        return Closer::Person;
    }
    match state {
        State::Unreadable | State::SameVersionRejected | State::ManualReview => Closer::Person,
        State::Rejected | State::ContractUpdateRequired | State::DeferralLimitReached => {
            Closer::Apply
        }
        State::Deferred => Closer::Replay,
        State::OtherConsumer
        | State::DuplicateSuppressed
        | State::EventTypeIgnored
        | State::StaleIgnored
        | State::Applied
        | State::OrderRecorded
        | State::CompensationRecorded
        | State::CompensationAlreadyRecorded
        | State::BaselineRecorded => Closer::Nobody,
    }
}

/// Evidence that an apply of the same key can still close. What an apply of the same version closes
/// the run itself says: see [`Recall::refused`].
#[derive(Debug, Default)]
pub(super) struct OpenEvidence {
    refused: Column<Refused>,
    /// The latest of each key hash.
    by_key: TagTable,
    /// A bit for every key hash that was ever refused, by a part of it: nearly every apply asks for
    /// one that never was, and sees it here, near by. Empty until there is one.
    refused_bits: Vec<u64>,
    /// Places whose evidence is closed, linked like the others.
    free: u32,
}

/// A refused delivery.
#[derive(Clone, Copy, Debug)]
struct Refused {
    step: StepNo,
    record: RecordNo,
    /// One more than the place of the one before with this key hash, or 0.
    before: u32,
}

/// Words of the bits: 64 KiB, so that ten million records with the usual refusals still leave most
/// bits clear.
const BIT_WORDS: usize = 1 << 13;

/// The word and the bit of a key hash.
fn bit(key_hash: u64) -> (usize, u64) {
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a part of the hash is meant"
    )]
    let word = (key_hash >> 6) as usize % BIT_WORDS;
    (word, 1 << (key_hash % 64))
}

impl OpenEvidence {
    /// Whether a key with this hash may have been refused.
    #[inline]
    fn may_have(&self, key_hash: u64) -> bool {
        let (word, bit) = bit(key_hash);
        self.refused_bits
            .get(word)
            .is_some_and(|bits| bits & bit != 0)
    }

    /// Remembers a refused delivery by its key. What it carried stands in the run.
    pub(super) fn remember(&mut self, step: StepNo, record: RecordNo, key_hash: u64) {
        if self.refused_bits.is_empty() {
            self.refused_bits.resize(BIT_WORDS, 0);
        }
        let (word, bit) = bit(key_hash);
        if let Some(bits) = self.refused_bits.get_mut(word) {
            *bits |= bit;
        }
        let before = self.by_key.find(key_hash, |_| true);
        let refused = Refused {
            step,
            record,
            before: before.map_or(0, |before| before + 1),
        };
        let place = self.keep(refused);
        if !self.by_key.replace(key_hash, place, |_| true) {
            self.by_key.insert(key_hash, place);
        }
    }

    fn keep(&mut self, refused: Refused) -> u32 {
        if let Some(place) = self.free.checked_sub(1)
            && let Some(slot) = self.refused.get_mut(place as usize)
        {
            self.free = std::mem::replace(slot, refused).before;
            return place;
        }
        self.refused.push(refused);
        u32::try_from(self.refused.len() - 1).unwrap_or(u32::MAX)
    }

    /// What the apply of `event` explains. `was_refused` tells whether any delivery was refused that
    /// carried a version of its aggregate. A step may be named twice; it is resolved once.
    pub(super) fn explain(
        &mut self,
        event: &Candidate,
        was_refused: bool,
        recall: &mut impl Recall,
        effects: &mut Vec<Effect>,
    ) {
        if was_refused {
            recall.refused(event.aggregate, event.version, &mut |step| {
                effects.push(Effect::Resolve { step });
            });
        }
        let hash = event.key.hash;
        if !self.may_have(hash) {
            return;
        }
        let Some(latest) = self.by_key.find(hash, |_| true) else {
            return;
        };
        let begun = effects.len();
        // Refused deliveries that stay: of another key, with part of the hash the same.
        let mut kept = 0;
        let mut next = latest + 1;
        while let Some(place) = next.checked_sub(1) {
            let Some(slot) = self.refused.get_mut(place as usize) else {
                break;
            };
            let Refused {
                step,
                record,
                before,
            } = *slot;
            if recall.same_key(record, event.key.record) {
                effects.push(Effect::Resolve { step });
                slot.before = std::mem::replace(&mut self.free, next);
            } else {
                slot.before = std::mem::replace(&mut kept, next);
            }
            next = before;
        }
        if let Some(closed) = effects.get_mut(begun..) {
            closed.reverse();
        }
        match kept.checked_sub(1) {
            Some(latest) => {
                self.by_key.replace(hash, latest, |_| true);
            }
            None => {
                self.by_key.remove(hash, |_| true);
            }
        }
    }
}
