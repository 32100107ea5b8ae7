//! As-of questions about the owner's side: orders, compensations, reviews, and the gate.

use super::owner::{Compensation, OwnerOrder, Review};
use super::projection::Standing;
use super::{History, length};
use crate::model::gate::GateCandidate;
use crate::model::{AggregateId, GateFacts, GateReason, OrderId, State, StepNo};

/// The gate of one order as of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// Why it is shut; empty means that the action may go ahead.
    pub reasons: Vec<GateReason>,
    /// The one projection under the order's id, where there is exactly one.
    pub candidate: Option<AggregateId>,
}

impl History {
    /// What the owner's order stands at as of step `at`; `None` while the owner has said nothing.
    pub fn owner_order(&self, id: OrderId, at: StepNo) -> Option<OwnerOrder> {
        let past = self.owner.pasts.get(id.0, &self.steps.links)?;
        let step = self.step(past.change(at)?)?;
        let version = step.version?;
        Some(OwnerOrder {
            step: step.number,
            status: self.steps.links.word(step.number)?,
            version: if step.state == State::CompensationRecorded {
                // The last version there is has none after it; the order then stays at it.
                version.saturating_add(1)
            } else {
                version
            },
        })
    }

    /// Since which step the owner contradicts itself, as of step `at`.
    pub fn owner_conflict(&self, id: OrderId, at: StepNo) -> Option<StepNo> {
        self.owner.conflict_since(id, at)
    }

    /// Every order that the owner has spoken of by the end of step `at`, in the order first named.
    pub fn known_orders(&self, at: StepNo) -> impl Iterator<Item = OrderId> + '_ {
        self.orders()
            .filter(move |id| self.owner_order(*id, at).is_some())
    }

    /// The compensation ledger as of step `at`, in order.
    pub fn compensations(&self, at: StepNo) -> &[Compensation] {
        let all = &self.owner.compensations;
        let count = all.partition_point(|compensation| compensation.step <= at);
        all.get(..count).unwrap_or(&[])
    }

    /// The compensations of one order as of step `at`.
    pub fn compensations_of(&self, id: OrderId, at: StepNo) -> impl Iterator<Item = &Compensation> {
        let all = self.owner.compensations_of(id);
        all.take_while(move |compensation| compensation.step <= at)
    }

    /// The reviews of one order that are open as of step `at`, in the order they came up.
    pub fn reviews_of(&self, id: OrderId, at: StepNo) -> Vec<Review> {
        self.owner.reviews_of(id, at).collect()
    }

    /// Every order that has a name, whether the owner spoke of it or only a refusal did.
    pub fn orders(&self) -> impl Iterator<Item = OrderId> + use<> {
        (0..length(self.owner.pasts.len())).map(OrderId)
    }

    /// The gate of an order as of step `at`: `None` without a gate in the contract, and for an order
    /// that the owner has not spoken of.
    pub fn gate(&self, id: OrderId, at: StepNo) -> Option<Gate> {
        let rule = self.terms.gate.as_ref()?;
        let owner = self.owner_order(id, at)?;
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
            owner_conflict: self.owner_conflict(id, at).is_some(),
            open_review: self.owner.reviews_of(id, at).next().is_some(),
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
