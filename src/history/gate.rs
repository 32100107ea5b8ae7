//! As-of questions about the owner's side: orders, compensations, reviews, and the gate.

use super::owner::{Compensation, OrderPast, OwnerOrder, Review};
use super::projection::Standing;
use super::{History, length};
use crate::model::gate::GateCandidate;
use crate::model::{AggregateId, GateFacts, GateReason, OrderId, StepNo};

/// The gate of one order as of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// Why it is shut; empty means that the action may go ahead.
    pub reasons: Vec<GateReason>,
    /// The one projection under the order's id, where there is exactly one.
    pub candidate: Option<AggregateId>,
}

impl History {
    fn order_past(&self, id: OrderId) -> Option<&OrderPast> {
        self.orders.get(id.0 as usize)
    }

    /// What the owner's order stands at as of step `at`; `None` while the owner has said nothing.
    pub fn owner_order(&self, id: OrderId, at: StepNo) -> Option<OwnerOrder> {
        self.order_past(id)?.current(at)
    }

    /// Since which step the owner contradicts itself, as of step `at`.
    pub fn owner_conflict(&self, id: OrderId, at: StepNo) -> Option<StepNo> {
        self.order_past(id)?
            .conflict_since
            .filter(|since| *since <= at)
    }

    /// Every order that the owner has spoken of by the end of step `at`, in the order first named.
    pub fn known_orders(&self, at: StepNo) -> impl Iterator<Item = OrderId> + '_ {
        (0..length(self.orders.len()))
            .map(OrderId)
            .filter(move |id| self.owner_order(*id, at).is_some())
    }

    /// The compensation ledger as of step `at`, in order.
    pub fn compensations(&self, at: StepNo) -> &[Compensation] {
        let count = self
            .compensations
            .partition_point(|compensation| compensation.step <= at);
        self.compensations.get(..count).unwrap_or(&[])
    }

    /// The compensations of one order as of step `at`.
    pub fn compensations_of(&self, id: OrderId, at: StepNo) -> impl Iterator<Item = &Compensation> {
        let indexes = self
            .order_past(id)
            .map_or(&[][..], |order| order.compensations.as_slice());
        let all = indexes
            .iter()
            .filter_map(|index| self.compensations.get(*index));
        all.take_while(move |compensation| compensation.step <= at)
    }

    /// The reviews of one order that are open as of step `at`, in the order they came up.
    pub fn reviews_of(&self, id: OrderId, at: StepNo) -> Vec<Review> {
        let reviews = self
            .order_past(id)
            .map_or(&[][..], |order| order.reviews.as_slice());
        reviews
            .iter()
            .filter_map(|review| {
                let first_step = *review.steps.first().filter(|step| **step <= at)?;
                Some(Review {
                    order: id,
                    key_version: review.key_version,
                    why: review.why,
                    reason: review.reason,
                    occurrences: review.steps.partition_point(|step| *step <= at),
                    first_step,
                })
            })
            .collect()
    }

    /// Every order that has a name, whether the owner spoke of it or only a refusal did.
    pub fn orders(&self) -> impl Iterator<Item = OrderId> {
        (0..length(self.orders.len())).map(OrderId)
    }

    /// The gate of an order as of step `at`: `None` without a gate in the contract, and for an order
    /// that the owner has not spoken of.
    pub fn gate(&self, id: OrderId, at: StepNo) -> Option<Gate> {
        let rule = self.terms.gate.as_ref()?;
        let past = self.order_past(id)?;
        let owner = past.current(at)?;
        let name = self.order_name(id);
        let candidates: Vec<AggregateId> = self
            .aggregates_named(name)
            .filter(|id| self.is_candidate(*id, at))
            .collect();
        let candidate = match candidates.as_slice() {
            [only] => Some(*only),
            _ => None,
        };
        let facts = GateFacts {
            owner_status: self.word(owner.status),
            owner_version: owner.version,
            owner_conflict: past.in_conflict(at),
            open_review: past
                .reviews
                .iter()
                .any(|review| review.steps.first().is_some_and(|step| *step <= at)),
            candidates: candidates.len(),
            candidate: candidate.map(|id| self.gate_candidate(id, at)),
        };
        Some(Gate {
            reasons: rule.reasons(&facts),
            candidate,
        })
    }

    fn is_candidate(&self, id: AggregateId, at: StepNo) -> bool {
        self.projection(id, at).standing != Standing::Nothing || self.has_deferred(id, at)
    }

    fn gate_candidate(&self, id: AggregateId, at: StepNo) -> GateCandidate<'_> {
        let projection = self.projection(id, at);
        GateCandidate {
            version: projection.version,
            state: projection.state.map(|state| self.word(state)),
            has_deferred: self.has_deferred(id, at),
            has_conflict: self.version_conflict(id, at).is_some(),
        }
    }
}
