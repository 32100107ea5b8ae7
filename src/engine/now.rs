//! What the engine knows of every aggregate now: twelve bytes each, what hardly any has aside.

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

use crate::model::compact::Column;
use crate::model::{AggregateId, RecordNo, WordId};

/// All aggregates by index.
#[derive(Debug, Default)]
pub(super) struct Aggregates {
    first_version: Option<u64>,
    now: Column<Now>,
    /// Next versions that have no room in a row.
    large: HashMap<AggregateId, u64, FixedState>,
    /// Those whose version two facts claim.
    conflicts: HashSet<AggregateId, FixedState>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Now {
    /// The version that is next, as below, and the two flags.
    next: u32,
    /// One more than the state's word; 0 until something was applied or stated.
    state: u32,
    /// The first record of an event that passed the envelope and carried it, or 0.
    learned: u32,
}

const WAITING: u32 = 1 << 31;
const REFUSED: u32 = 1 << 30;
const FLAGS: u32 = WAITING | REFUSED;
/// Nothing was applied, stated or assumed: the contract's first version is next.
const FIRST: u32 = 0;
/// None: the last version there is was applied.
const ENDED: u32 = 1;
/// It stands in `large`.
const LARGE: u32 = 2;
/// Any other version stands here with this added.
const SMALL: u32 = 3;

impl Aggregates {
    /// None yet, under a contract with this first version.
    pub(super) fn new(first_version: Option<u64>) -> Self {
        Self {
            first_version,
            ..Self::default()
        }
    }

    fn now(&self, id: AggregateId) -> Now {
        self.now.get(id.0 as usize).unwrap_or_default()
    }

    fn change(&mut self, id: AggregateId, change: impl FnOnce(&mut Now)) {
        if let Some(now) = self.now.slot(id.0 as usize, Now::default()) {
            change(now);
        }
    }

    /// A part of an aggregate's row, so that it is at hand.
    #[inline]
    pub(super) fn touch(&self, id: AggregateId) -> u64 {
        let now = self.now.get_ref(id.0 as usize);
        now.map_or(0, |now| u64::from(now.next))
    }

    /// The version that is next; `None` after the last version there is.
    pub(super) fn next(&self, id: AggregateId) -> Option<u64> {
        match self.now(id).next & !FLAGS {
            FIRST => self.first_version,
            ENDED => None,
            LARGE => self.large.get(&id).copied(),
            small => Some(u64::from(small - SMALL)),
        }
    }

    /// Makes a version the next one.
    pub(super) fn set_next(&mut self, id: AggregateId, next: Option<u64>) {
        let small = next
            .and_then(|next| u32::try_from(next).ok()?.checked_add(SMALL))
            .filter(|small| *small < REFUSED);
        let code = match (next, small) {
            (None, _) => ENDED,
            (_, Some(small)) => small,
            (Some(large), None) => {
                self.large.insert(id, large);
                LARGE
            }
        };
        self.change(id, |now| now.next = now.next & FLAGS | code);
    }

    /// The state, once something was applied or stated.
    pub(super) fn state(&self, id: AggregateId) -> Option<WordId> {
        self.now(id).state.checked_sub(1).map(WordId)
    }

    /// Puts an aggregate to a state.
    pub(super) fn set_state(&mut self, id: AggregateId, state: WordId) {
        self.change(id, |now| now.state = state.0.saturating_add(1));
    }

    /// Whether anything waits for an aggregate.
    pub(super) fn is_waiting(&self, id: AggregateId) -> bool {
        self.now(id).next & WAITING != 0
    }

    /// Notes whether anything waits for an aggregate.
    pub(super) fn set_waiting(&mut self, id: AggregateId, is_waiting: bool) {
        let bit = if is_waiting { WAITING } else { 0 };
        self.change(id, |now| now.next = now.next & !WAITING | bit);
    }

    /// Whether any delivery was refused that carried a version of an aggregate.
    pub(super) fn was_refused(&self, id: AggregateId) -> bool {
        self.now(id).next & REFUSED != 0
    }

    /// Notes that a delivery was refused that carried a version of an aggregate.
    pub(super) fn set_refused(&mut self, id: AggregateId) {
        self.change(id, |now| now.next |= REFUSED);
    }

    /// The first record of an event that passed the envelope and carried an aggregate.
    pub(super) fn learned_at(&self, id: AggregateId) -> Option<RecordNo> {
        let learned = self.now(id).learned;
        (learned != 0).then_some(RecordNo(learned))
    }

    /// Notes the first record of an event that passed the envelope and carried an aggregate.
    pub(super) fn learn(&mut self, id: AggregateId, record: RecordNo) {
        self.change(id, |now| now.learned = record.0);
    }

    /// Whether two facts claim one version of an aggregate.
    pub(super) fn has_conflict(&self, id: AggregateId) -> bool {
        !self.conflicts.is_empty() && self.conflicts.contains(&id)
    }

    /// Notes that two facts claim one version; whether that is new.
    pub(super) fn begin_conflict(&mut self, id: AggregateId) -> bool {
        self.conflicts.insert(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_every_size_come_back() {
        let mut all = Aggregates::new(Some(1));
        let id = AggregateId(70);
        assert_eq!(all.next(id), Some(1));
        for is_waiting in [false, true] {
            assert_eq!(all.was_refused(id), is_waiting);
            for next in [
                None,
                Some(0),
                Some(1_073_741_820),
                Some(1_073_741_821),
                Some(u64::from(u32::MAX)),
                Some(u64::MAX),
                Some(5),
            ] {
                all.set_waiting(id, is_waiting);
                all.set_next(id, next);
                assert_eq!(all.next(id), next);
                assert_eq!(all.is_waiting(id), is_waiting);
            }
            all.set_refused(id);
        }
        all.set_waiting(id, false);
        assert_eq!(all.learned_at(id), None);
        all.learn(id, RecordNo(4));
        assert_eq!(all.learned_at(id), Some(RecordNo(4)));
        assert_eq!(all.next(id), Some(5));
        assert_eq!(all.next(AggregateId(69)), Some(1));
        assert_eq!(all.next(AggregateId(71)), Some(1));
    }

    #[test]
    fn a_conflict_begins_once() {
        let mut all = Aggregates::default();
        let id = AggregateId(3);
        assert!(!all.has_conflict(id));
        assert!(all.begin_conflict(id));
        assert!(!all.begin_conflict(id));
        assert!(all.has_conflict(id));
        assert_eq!(all.state(id), None);
        all.set_state(id, WordId(0));
        assert_eq!(all.state(id), Some(WordId(0)));
    }
}
