//! What is deferred right now, by aggregate and version, and by key.
//!
//! A million events may wait for one aggregate, all with one key or all for one version, and each
//! question below still costs a look-up or two: waiters of one version and waiters of one key are
//! linked lists through one arena, and tables say where each list begins.

use std::collections::BTreeMap;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::{Candidate, Key, Recall};
use crate::model::compact::{Column, TagTable, hash_of};
use crate::model::{AggregateId, Instant, RecordNo, StepNo, WordId};

/// The place of a waiter among all; `NOBODY` where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place(u32);

const NOBODY: Place = Place(u32::MAX);

/// One event that waits.
#[derive(Clone, Copy, Debug)]
struct Waiter {
    aggregate: AggregateId,
    record: RecordNo,
    key_hash: u64,
    version: u64,
    state: WordId,
    /// Deliveries of it so far, the first included.
    deliveries: u32,
    /// The step that deferred it, where its replay explains that; else 0.
    explains: StepNo,
    /// The next one for this version; of a free place, the next free one.
    next_of_version: Place,
    /// The one before it with this key; before the first stands the last.
    before_of_key: Place,
    next_of_key: Place,
}

/// An event that waited, with the steps that its replay explains.
#[derive(Debug)]
pub(super) struct Released {
    pub(super) event: Candidate,
    pub(super) explains: Vec<StepNo>,
}

/// What waits for one aggregate: the first and the last for each version.
#[derive(Debug, Default)]
struct Waiters {
    by_version: BTreeMap<u64, (Place, Place)>,
    count: usize,
}

/// What waits.
#[derive(Debug)]
pub(super) struct Waiting {
    waiters: Column<Waiter>,
    free: Place,
    aggregates: HashMap<AggregateId, Waiters, FixedState>,
    /// The first waiter of each key that waits for an aggregate.
    keys: TagTable,
    /// By key and version, waiters of keys with several.
    keys_and_versions: TagTable,
    /// By version and content, the first waiters with it, for versions with several.
    contents: TagTable,
    content_hashes: HashMap<Place, u64, FixedState>,
    /// The steps of repeats, which a replay explains too.
    repeats: HashMap<Place, Vec<StepNo>, FixedState>,
    /// Kept only where receipts expire.
    received_at: HashMap<Place, Instant, FixedState>,
}

impl Default for Waiting {
    fn default() -> Self {
        Self {
            waiters: Column::default(),
            free: NOBODY,
            aggregates: HashMap::default(),
            keys: TagTable::default(),
            keys_and_versions: TagTable::default(),
            contents: TagTable::default(),
            content_hashes: HashMap::default(),
            repeats: HashMap::default(),
            received_at: HashMap::default(),
        }
    }
}

/// What waits already with the key of an event.
#[derive(Clone, Copy, Debug)]
pub(super) struct SameKey {
    /// The first to arrive.
    first: Place,
    /// The one for the event's own version.
    pub(super) repeated: Option<Place>,
}

/// Who waits for the version of an event already.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rivals {
    /// The first to arrive.
    pub(super) first: RecordNo,
    /// The first with the event's content.
    pub(super) same_fact: Option<RecordNo>,
    hash: u64,
}

impl Waiting {
    /// How many wait for an aggregate.
    pub(super) fn count(&self, id: AggregateId) -> usize {
        self.aggregates.get(&id).map_or(0, |waiters| waiters.count)
    }

    /// The lowest version at or below `limit` that something waits for.
    pub(super) fn lowest_until(&self, id: AggregateId, limit: u64) -> Option<u64> {
        let by_version = &self.aggregates.get(&id)?.by_version;
        by_version
            .range(..=limit)
            .next()
            .map(|(version, _)| *version)
    }

    fn get(&self, place: Place) -> Option<Waiter> {
        self.waiters.get(place.0 as usize)
    }

    fn get_mut(&mut self, place: Place) -> Option<&mut Waiter> {
        self.waiters.get_mut(place.0 as usize)
    }

    /// The record of a waiter.
    pub(super) fn record(&self, place: Place) -> Option<RecordNo> {
        self.get(place).map(|waiter| waiter.record)
    }

    /// What waits for the event's aggregate with its key.
    pub(super) fn with_key(&self, event: &Candidate, recall: &mut impl Recall) -> Option<SameKey> {
        let is_it = |place| {
            let waiter = self.get(Place(place)).filter(|waiter| {
                waiter.aggregate == event.aggregate && waiter.key_hash == event.key.hash
            });
            // Equal keys make one list, so its first one speaks for all.
            waiter.is_some_and(|waiter| recall.same_key(waiter.record, event.key.record))
        };
        let hash = key_hash(event.aggregate, event.key.hash);
        let first = Place(self.keys.find(hash, is_it)?);
        let waiter = self.get(first)?;
        let repeated = if waiter.version == event.version {
            Some(first)
        } else if waiter.next_of_key == NOBODY {
            None
        } else {
            self.of_key_and_version(event, recall)
        };
        Some(SameKey { first, repeated })
    }

    fn of_key_and_version(&self, event: &Candidate, recall: &mut impl Recall) -> Option<Place> {
        let is_it = |place| {
            let waiter = self.get(Place(place)).filter(|waiter| {
                waiter.aggregate == event.aggregate
                    && waiter.version == event.version
                    && waiter.key_hash == event.key.hash
            });
            waiter.is_some_and(|waiter| recall.same_key(waiter.record, event.key.record))
        };
        let hash = hash_of((event.aggregate.0, event.key.hash, event.version));
        self.keys_and_versions.find(hash, is_it).map(Place)
    }

    /// The first waiter with the event's key and another version or other content.
    pub(super) fn reused(
        &self,
        same: SameKey,
        event: &Candidate,
        recall: &mut impl Recall,
    ) -> Option<RecordNo> {
        let first = self.get(same.first)?;
        if first.version != event.version || !recall.same_content(first.record, event.key.record) {
            return Some(first.record);
        }
        // A key waits once for a version, so whatever follows waits for another one.
        self.record(first.next_of_key)
    }

    /// One more delivery of what waits already; how many there were so far comes back.
    pub(super) fn repeat(&mut self, place: Place) -> u32 {
        self.get_mut(place).map_or(1, |waiter| {
            waiter.deliveries = waiter.deliveries.saturating_add(1);
            waiter.deliveries
        })
    }

    /// Who waits for the event's version already.
    pub(super) fn rivals(&mut self, event: &Candidate, recall: &mut impl Recall) -> Option<Rivals> {
        let waiters = self.aggregates.get(&event.aggregate)?;
        let (place, last) = *waiters.by_version.get(&event.version)?;
        let first = self.record(place)?;
        if place == last && !self.content_hashes.contains_key(&place) {
            let hash = contents_hash(event, recall.content_hash(first));
            self.contents.insert(hash, place.0);
            self.content_hashes.insert(place, hash);
        }
        let hash = contents_hash(event, recall.content_hash(event.key.record));
        let is_it = |place| {
            let waiter = self.get(Place(place)).filter(|waiter| {
                waiter.aggregate == event.aggregate && waiter.version == event.version
            });
            waiter.is_some_and(|waiter| recall.same_content(waiter.record, event.key.record))
        };
        let same_fact = self.contents.find(hash, is_it).map(Place);
        Some(Rivals {
            first,
            same_fact: same_fact.and_then(|place| self.record(place)),
            hash,
        })
    }

    /// One more waits: `same` waits with its key already, `rivals` for its version.
    pub(super) fn push(
        &mut self,
        event: &Candidate,
        same: Option<SameKey>,
        rivals: Option<Rivals>,
        keeps_time: bool,
    ) -> Place {
        let place = self.place(event);
        if let Some(at) = event.key.received_at.filter(|_| keeps_time) {
            self.received_at.insert(place, at);
        }
        if let Some(rivals) = rivals.filter(|rivals| rivals.same_fact.is_none()) {
            self.contents.insert(rivals.hash, place.0);
            self.content_hashes.insert(place, rivals.hash);
        }
        let waiters = self.aggregates.entry(event.aggregate).or_default();
        waiters.count += 1;
        let ends = waiters
            .by_version
            .entry(event.version)
            .or_insert((place, place));
        let before = std::mem::replace(&mut ends.1, place);
        if before != place
            && let Some(before) = self.get_mut(before)
        {
            before.next_of_version = place;
        }
        match same {
            None => self
                .keys
                .insert(key_hash(event.aggregate, event.key.hash), place.0),
            Some(same) => self.link_key(same.first, place),
        }
        place
    }

    /// Puts a waiter last in its key's list. The first one's `before` is the last.
    fn link_key(&mut self, first: Place, place: Place) {
        let (Some(head), Some(waiter)) = (self.get(first), self.get(place)) else {
            return;
        };
        let hash = key_version_hash(&head);
        if head.next_of_key == NOBODY
            && self
                .keys_and_versions
                .find(hash, |known| known == first.0)
                .is_none()
        {
            self.keys_and_versions.insert(hash, first.0);
        }
        self.keys_and_versions
            .insert(key_version_hash(&waiter), place.0);
        let last = head.before_of_key;
        if let Some(last) = self.get_mut(last) {
            last.next_of_key = place;
        }
        if let Some(waiter) = self.get_mut(place) {
            waiter.before_of_key = last;
        }
        if let Some(head) = self.get_mut(first) {
            head.before_of_key = place;
        }
    }

    fn place(&mut self, event: &Candidate) -> Place {
        let waiter = |place| Waiter {
            aggregate: event.aggregate,
            record: event.key.record,
            key_hash: event.key.hash,
            version: event.version,
            state: event.state,
            deliveries: 1,
            explains: StepNo(0),
            next_of_version: NOBODY,
            before_of_key: place,
            next_of_key: NOBODY,
        };
        if let Some(free) = self.get(self.free) {
            let place = std::mem::replace(&mut self.free, free.next_of_version);
            if let Some(slot) = self.get_mut(place) {
                *slot = waiter(place);
            }
            return place;
        }
        let place = Place(u32::try_from(self.waiters.len()).unwrap_or(u32::MAX));
        self.waiters.push(waiter(place));
        place
    }

    /// Notes that the replay of a waiter explains this step: its own, or a repeat's.
    pub(super) fn explain(&mut self, place: Place, step: StepNo) {
        let Some(waiter) = self.get_mut(place) else {
            return;
        };
        if waiter.deliveries == 1 {
            waiter.explains = step;
        } else {
            self.repeats.entry(place).or_default().push(step);
        }
    }

    /// Takes all that wait for one version, in arrival order.
    pub(super) fn take(&mut self, id: AggregateId, version: u64) -> Vec<Released> {
        let Some(waiters) = self.aggregates.get_mut(&id) else {
            return Vec::new();
        };
        let Some((first, _)) = waiters.by_version.remove(&version) else {
            return Vec::new();
        };
        let mut released = Vec::new();
        let mut next = first;
        while let Some(waiter) = self.get(next) {
            released.push(self.release(next, waiter));
            next = waiter.next_of_version;
        }
        if let Some(waiters) = self.aggregates.get_mut(&id) {
            waiters.count -= released.len();
            if waiters.count == 0 {
                self.aggregates.remove(&id);
            }
        }
        released
    }

    /// Takes one out of every table and list but its version's, and frees its place.
    fn release(&mut self, place: Place, waiter: Waiter) -> Released {
        self.unlink_key(place, waiter);
        if let Some(hash) = self.content_hashes.remove(&place) {
            self.contents.remove(hash, |known| known == place.0);
        }
        let own = Some(waiter.explains).filter(|step| step.0 != 0);
        let repeats = self.repeats.remove(&place).unwrap_or_default();
        let received_at = self.received_at.remove(&place);
        let free = std::mem::replace(&mut self.free, place);
        if let Some(slot) = self.get_mut(place) {
            slot.next_of_version = free;
        }
        Released {
            event: Candidate {
                key: Key {
                    record: waiter.record,
                    hash: waiter.key_hash,
                    received_at,
                },
                aggregate: waiter.aggregate,
                version: waiter.version,
                // Only events of a contract without versions have one, and those never wait.
                content_hash: 0,
                state: waiter.state,
            },
            explains: own.into_iter().chain(repeats).collect(),
        }
    }

    fn unlink_key(&mut self, place: Place, waiter: Waiter) {
        if !self.keys_and_versions.is_empty() {
            let hash = key_version_hash(&waiter);
            self.keys_and_versions
                .remove(hash, |known| known == place.0);
        }
        let hash = key_hash(waiter.aggregate, waiter.key_hash);
        let is_first = |known: u32| known == place.0;
        let (before, next) = (waiter.before_of_key, waiter.next_of_key);
        if self.keys.find(hash, is_first).is_some() {
            if next == NOBODY {
                self.keys.remove(hash, is_first);
            } else {
                self.keys.replace(hash, next.0, is_first);
            }
        } else if let Some(before) = self.get_mut(before) {
            before.next_of_key = next;
        }
        // Whoever pointed back to this one: the next one, or the first one where this was the last.
        let points_here = |known| {
            let known = self.get(Place(known));
            known.is_some_and(|known| known.before_of_key == place)
        };
        let after = if next == NOBODY {
            self.keys.find(hash, points_here).map(Place)
        } else {
            Some(next)
        };
        if let Some(after) = after.and_then(|after| self.get_mut(after)) {
            after.before_of_key = before;
        }
    }
}

fn key_hash(aggregate: AggregateId, hash: u64) -> u64 {
    hash_of((aggregate.0, hash))
}

fn key_version_hash(waiter: &Waiter) -> u64 {
    hash_of((waiter.aggregate.0, waiter.key_hash, waiter.version))
}

fn contents_hash(event: &Candidate, content_hash: u64) -> u64 {
    hash_of((event.aggregate.0, event.version, content_hash))
}

#[cfg(test)]
#[path = "waiting_tests.rs"]
mod tests;
