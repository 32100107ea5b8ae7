//! The owner's side by step: what it stated of each order, what it decided, what a person must.

use crate::model::{OrderId, ReasonId, RecordNo, StepNo, WordId};

/// What the owner's order stood at from some step on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnerOrder {
    /// The step that brought it.
    pub step: StepNo,
    /// The owner's status.
    pub status: WordId,
    /// The owner's version.
    pub version: u64,
}

/// A compensation in the owner's ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compensation {
    /// The step that decided it.
    pub step: StepNo,
    /// The refusal that led to it.
    pub record: RecordNo,
    /// The order.
    pub order: OrderId,
    /// The version in its key: the one that the refusal named.
    pub key_version: u64,
    /// The outside reason.
    pub reason: WordId,
    /// The order's status from then on.
    pub status: WordId,
    /// The order's version from then on.
    pub version: u64,
}

/// A review that is open as of some step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Review {
    /// The order.
    pub order: OrderId,
    /// The version in its key.
    pub key_version: u64,
    /// Why the engine does not decide.
    pub why: ReasonId,
    /// The outside reason.
    pub reason: WordId,
    /// How often it came up so far.
    pub occurrences: usize,
    /// The step at which it first came up.
    pub first_step: StepNo,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReviewPast {
    pub(super) key_version: u64,
    pub(super) why: ReasonId,
    pub(super) reason: WordId,
    pub(super) steps: Vec<StepNo>,
}

/// Everything of one order on the owner's side, by step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct OrderPast {
    pub(super) changes: Vec<OwnerOrder>,
    pub(super) conflict_since: Option<StepNo>,
    pub(super) reviews: Vec<ReviewPast>,
    /// Indexes into the history's compensations.
    pub(super) compensations: Vec<usize>,
    pub(super) steps: Vec<StepNo>,
}

impl OrderPast {
    pub(super) fn current(&self, at: StepNo) -> Option<OwnerOrder> {
        let count = self.changes.partition_point(|change| change.step <= at);
        self.changes.get(count.checked_sub(1)?).copied()
    }

    pub(super) fn in_conflict(&self, at: StepNo) -> bool {
        self.conflict_since.is_some_and(|since| since <= at)
    }

    pub(super) fn review(&mut self, step: StepNo, key_version: u64, why: ReasonId, reason: WordId) {
        let same = |review: &&mut ReviewPast| {
            (review.key_version, review.why, review.reason) == (key_version, why, reason)
        };
        match self.reviews.iter_mut().find(same) {
            Some(review) => review.steps.push(step),
            None => self.reviews.push(ReviewPast {
                key_version,
                why,
                reason,
                steps: vec![step],
            }),
        }
    }
}
