//! The owner's side by step: what it stated of each order, what it decided, what a person must.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::pasts::Pasts;
use crate::model::compact::{Column, TagTable, hash_of};
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

/// The owner's side of all orders, by step.
#[derive(Clone, Debug, Default)]
pub(super) struct Owner {
    pub(super) pasts: Pasts,
    pub(super) compensations: Vec<Compensation>,
    compensations_of: Chains,
    reviews: Column<ReviewPast>,
    reviews_of: Chains,
    /// Reviews by order, version, why and reason.
    review_table: TagTable,
    /// Since which step the owner contradicts itself, where it does.
    conflicts: HashMap<OrderId, StepNo, FixedState>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct ReviewPast {
    order: OrderId,
    key_version: u64,
    why: ReasonId,
    reason: WordId,
    first_step: StepNo,
    /// The steps at which it came up again.
    again: Vec<StepNo>,
}

/// Lists by order: each entry's next one, and the first and last of every order that has any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Chains {
    ends: HashMap<OrderId, (u32, u32), FixedState>,
    next: Column<u32>,
}

impl PartialEq for Owner {
    fn eq(&self, other: &Self) -> bool {
        self.pasts == other.pasts
            && self.compensations == other.compensations
            && self.reviews == other.reviews
            && self.conflicts == other.conflicts
    }
}

impl Eq for Owner {}

impl Chains {
    /// Gives the next entry of all to an order.
    fn push(&mut self, order: OrderId) {
        let index = super::length(self.next.len());
        self.next.push(0);
        let ends = self.ends.entry(order).or_insert((index, index));
        let before = std::mem::replace(&mut ends.1, index);
        if before != index
            && let Some(next) = self.next.get_mut(before as usize)
        {
            *next = index;
        }
    }

    /// The entries of an order, in order.
    fn of(&self, order: OrderId) -> impl Iterator<Item = usize> + '_ {
        let first = self.ends.get(&order).map(|(first, _)| *first as usize);
        // The first entry of all follows none, so 0 is no next one.
        std::iter::successors(first, |index| {
            let next = self.next.get(*index)?;
            (next != 0).then_some(next as usize)
        })
    }
}

impl Owner {
    /// Notes a compensation in the ledger.
    pub(super) fn compensate(&mut self, compensation: Compensation) {
        self.compensations.push(compensation);
        self.compensations_of.push(compensation.order);
    }

    /// The compensations of an order, in order.
    pub(super) fn compensations_of(&self, id: OrderId) -> impl Iterator<Item = &Compensation> {
        self.compensations_of
            .of(id)
            .filter_map(|index| self.compensations.get(index))
    }

    /// Notes that the owner contradicts itself from `step` on, if it did not before.
    pub(super) fn contradict(&mut self, id: OrderId, step: StepNo) {
        self.conflicts.entry(id).or_insert(step);
    }

    /// Since which step the owner contradicts itself, as of `at`.
    pub(super) fn conflict_since(&self, id: OrderId, at: StepNo) -> Option<StepNo> {
        self.conflicts
            .get(&id)
            .copied()
            .filter(|since| *since <= at)
    }

    /// Notes that a review came up, for the first time or again.
    pub(super) fn review(&mut self, order: OrderId, step: StepNo, about: (u64, ReasonId, WordId)) {
        let (key_version, why, reason) = about;
        let hash = hash_of((order.0, key_version, why.0, reason.0));
        let known = self.review_table.find(hash, |index| {
            let review = self.reviews.get_ref(index as usize);
            review.is_some_and(|review| {
                review.order == order && (review.key_version, review.why, review.reason) == about
            })
        });
        if let Some(index) = known {
            if let Some(review) = self.reviews.get_mut(index as usize) {
                review.again.push(step);
            }
            return;
        }
        self.review_table
            .insert(hash, super::length(self.reviews.len()));
        self.reviews.push(ReviewPast {
            order,
            key_version,
            why,
            reason,
            first_step: step,
            again: Vec::new(),
        });
        self.reviews_of.push(order);
    }

    /// The reviews of an order that have come up by the end of step `at`, in that order.
    pub(super) fn reviews_of(&self, id: OrderId, at: StepNo) -> impl Iterator<Item = Review> + '_ {
        let reviews = self
            .reviews_of
            .of(id)
            .filter_map(|index| self.reviews.get_ref(index));
        reviews
            .take_while(move |review| review.first_step <= at)
            .map(move |review| Review {
                order: id,
                key_version: review.key_version,
                why: review.why,
                reason: review.reason,
                occurrences: 1 + review.again.partition_point(|step| *step <= at),
                first_step: review.first_step,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_of_several_orders_stay_apart() {
        let mut chains = Chains::default();
        for order in [2, 0, 2, 2, 1, 0] {
            chains.push(OrderId(order));
        }
        let of = |order| chains.of(OrderId(order)).collect::<Vec<_>>();
        assert_eq!(of(0), [1, 5]);
        assert_eq!(of(1), [4]);
        assert_eq!(of(2), [0, 2, 3]);
        assert_eq!(of(3), [0usize; 0]);
    }

    #[test]
    fn a_review_that_comes_up_again_is_the_same_one() {
        let mut owner = Owner::default();
        let about = (3, ReasonId(1), WordId(0));
        let other = (4, ReasonId(1), WordId(0));
        for (step, about) in [(1, about), (2, other), (5, about)] {
            owner.review(OrderId(0), StepNo(step), about);
        }
        owner.review(OrderId(1), StepNo(6), about);
        let at = |step| {
            let reviews = owner.reviews_of(OrderId(0), StepNo(step));
            reviews
                .map(|review| (review.key_version, review.occurrences))
                .collect::<Vec<_>>()
        };
        assert_eq!(at(0), []);
        assert_eq!(at(1), [(3, 1)]);
        assert_eq!(at(4), [(3, 1), (4, 1)]);
        assert_eq!(at(6), [(3, 2), (4, 1)]);
    }
}
