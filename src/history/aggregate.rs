//! One aggregate's own past: what changed it, what else came for it, and why it waits.
//!
//! Every list here is in the order of the steps, so that "as of step s" is a binary search.

use std::collections::BTreeMap;

use super::intervals::Intervals;
use crate::model::{Cause, StepNo, WordId};

/// A step that gave the projection a new state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) step: StepNo,
    pub(super) state: WordId,
}

/// A delivery that carried a version in vain, by its last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Carrier {
    pub(super) step: StepNo,
    pub(super) cause: Cause,
}

/// What only an aggregate in trouble has: held events, refused versions, a conflict.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Trouble {
    /// When each event began and ended to wait.
    pub(super) held: Intervals,
    /// The step that deferred each of them, beside `held`.
    pub(super) held_steps: Vec<StepNo>,
    /// Deliveries without effect, by the version they carried.
    pub(super) carriers: BTreeMap<u64, Vec<Carrier>>,
    /// The largest version carried in vain so far, wherever it grew.
    pub(super) largest_carried: Vec<(StepNo, u64)>,
    /// The step since which two facts claim one version.
    pub(super) conflict_since: Option<StepNo>,
}

/// Everything of one aggregate, by step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Past {
    /// Steps that changed the projection.
    pub(super) changes: Vec<Change>,
    /// All other steps.
    pub(super) others: Vec<StepNo>,
    /// There only for an aggregate that was ever in trouble.
    pub(super) trouble: Option<Box<Trouble>>,
}

impl Past {
    /// The last change at or before `at`.
    pub(super) fn change(&self, at: StepNo) -> Option<Change> {
        let count = self.changes_until(at);
        self.changes.get(count.checked_sub(1)?).copied()
    }

    /// How many changes there were by the end of step `at`.
    pub(super) fn changes_until(&self, at: StepNo) -> usize {
        self.changes.partition_point(|change| change.step <= at)
    }

    /// The next step of this aggregate after `step`.
    pub(super) fn next(&self, step: StepNo) -> Option<StepNo> {
        let change = self
            .changes
            .get(self.changes_until(step))
            .map(|change| change.step);
        let other = self
            .others
            .get(self.others.partition_point(|other| *other <= step))
            .copied();
        earlier(change, other)
    }

    /// The step of this aggregate before `step`.
    pub(super) fn previous(&self, step: StepNo) -> Option<StepNo> {
        let change = self
            .changes
            .partition_point(|change| change.step < step)
            .checked_sub(1);
        let other = self
            .others
            .partition_point(|other| *other < step)
            .checked_sub(1);
        let change = change
            .and_then(|index| self.changes.get(index))
            .map(|change| change.step);
        let other = other.and_then(|index| self.others.get(index)).copied();
        change.max(other)
    }

    /// How many steps this aggregate had by the end of step `at`.
    pub(super) fn steps_until(&self, at: StepNo) -> usize {
        self.changes_until(at) + self.others.partition_point(|other| *other <= at)
    }

    pub(super) fn trouble_mut(&mut self) -> &mut Trouble {
        self.trouble.get_or_insert_default()
    }
}

/// The smaller of two that may be missing.
pub(super) fn earlier(one: Option<StepNo>, other: Option<StepNo>) -> Option<StepNo> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

impl Trouble {
    /// Notes a delivery that carried `version` in vain.
    pub(super) fn carry(&mut self, version: u64, carrier: Carrier) {
        self.carriers.entry(version).or_default().push(carrier);
        if self
            .largest_carried
            .last()
            .is_none_or(|(_, largest)| *largest < version)
        {
            self.largest_carried.push((carrier.step, version));
        }
    }

    /// The largest version carried in vain by the end of step `at`.
    pub(super) fn largest_carried_at(&self, at: StepNo) -> Option<u64> {
        let count = self
            .largest_carried
            .partition_point(|(step, _)| *step <= at);
        self.largest_carried
            .get(count.checked_sub(1)?)
            .map(|(_, version)| *version)
    }

    /// Those that carried `version` in vain by the end of step `at`, by step.
    pub(super) fn carriers_of(&self, version: u64, at: StepNo) -> &[Carrier] {
        let all = self.carriers.get(&version).map_or(&[][..], Vec::as_slice);
        let count = all.partition_point(|carrier| carrier.step <= at);
        all.get(..count).unwrap_or(&[])
    }
}
