//! What is deferred right now, by aggregate and version, and by key.

use std::collections::BTreeMap;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::{Candidate, Recall};
use crate::model::{AggregateId, RecordNo, StepNo};

/// One event that waits.
#[derive(Clone, Debug)]
pub(super) struct Waiter {
    pub(super) event: Candidate,
    /// Deliveries of it so far, the first included.
    pub(super) deliveries: u32,
    /// The steps that its replay explains: its own and its repeats'.
    pub(super) evidence: Vec<StepNo>,
}

/// What waits for one aggregate.
#[derive(Debug, Default)]
pub(super) struct Waiters {
    by_version: BTreeMap<u64, Vec<Waiter>>,
    /// Versions that a key hash waits at; what it hits is compared on the bytes.
    versions_of_key: HashMap<u64, Vec<u64>, FixedState>,
    count: usize,
}

/// What waits, by aggregate.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    aggregates: HashMap<AggregateId, Waiters, FixedState>,
}

impl Waiting {
    pub(super) fn of(&self, id: AggregateId) -> Option<&Waiters> {
        self.aggregates.get(&id).filter(|waiters| waiters.count > 0)
    }

    pub(super) fn of_mut(&mut self, id: AggregateId) -> &mut Waiters {
        self.aggregates.entry(id).or_default()
    }
}

impl Waiters {
    /// How many wait.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Those that wait for one version, in arrival order.
    pub(super) fn at(&self, version: u64) -> &[Waiter] {
        self.by_version.get(&version).map_or(&[], Vec::as_slice)
    }

    /// The lowest version at or below `limit` that something waits for.
    pub(super) fn lowest_until(&self, limit: u64) -> Option<u64> {
        self.by_version
            .range(..=limit)
            .next()
            .map(|(version, _)| *version)
    }

    /// Those with the same key as `event`: the version and record of each, by record.
    pub(super) fn with_key(
        &self,
        event: &Candidate,
        recall: &mut impl Recall,
    ) -> Vec<(u64, RecordNo)> {
        let Some(versions) = self.versions_of_key.get(&event.key.hash) else {
            return Vec::new();
        };
        let mut found: Vec<(u64, RecordNo)> = Vec::new();
        for version in versions {
            for waiter in self.at(*version) {
                let hit = waiter.event.key.hash == event.key.hash;
                if hit && recall.same_key(waiter.event.key.record, event.key.record) {
                    found.push((*version, waiter.event.key.record));
                }
            }
        }
        found.sort_by_key(|(_, record)| *record);
        found.dedup();
        found
    }

    /// One more waits.
    pub(super) fn push(&mut self, waiter: Waiter) {
        let version = waiter.event.version;
        let versions = self
            .versions_of_key
            .entry(waiter.event.key.hash)
            .or_default();
        if !versions.contains(&version) {
            versions.push(version);
        }
        self.by_version.entry(version).or_default().push(waiter);
        self.count += 1;
    }

    /// The waiter with this record.
    pub(super) fn get_mut(&mut self, version: u64, record: RecordNo) -> Option<&mut Waiter> {
        let waiters = self.by_version.get_mut(&version)?;
        waiters
            .iter_mut()
            .find(|waiter| waiter.event.key.record == record)
    }

    /// Takes all that wait for one version, in arrival order.
    pub(super) fn take(&mut self, version: u64) -> Vec<Waiter> {
        let taken = self.by_version.remove(&version).unwrap_or_default();
        for waiter in &taken {
            if let Some(versions) = self.versions_of_key.get_mut(&waiter.event.key.hash) {
                versions.retain(|known| *known != version);
                if versions.is_empty() {
                    self.versions_of_key.remove(&waiter.event.key.hash);
                }
            }
        }
        self.count -= taken.len();
        taken
    }
}
