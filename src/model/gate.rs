//! The gate: may a risky action (shipping) go ahead? One rule, asked by history and engine alike
//! (contract.md, "The owner's side", Gate).

/// What the contract says of the gate, with the owner's final status that shuts it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GateRule {
    /// The action that the gate guards.
    pub action: String,
    /// Projection states in which the action may go ahead.
    pub projection_states: Vec<String>,
    /// Owner's statuses in which the action may go ahead.
    pub owner_statuses: Vec<String>,
    /// States that mean the action has happened.
    pub done_states: Vec<String>,
    /// Whether the contract has versions to compare.
    pub has_versions: bool,
}

/// Why a gate is shut. Declared in the order of their names, which is the order of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GateReason {
    /// The order id stands under more than one source.
    AmbiguousSource,
    /// Something is still deferred for the aggregate.
    DeferredEvents,
    /// A review of the order is open.
    OpenReview,
    /// The owner contradicted itself.
    OwnerConflict,
    /// The owner's status does not allow the action.
    OwnerStatus,
    /// Nothing is known of the order on the consumer's side.
    ProjectionMissing,
    /// The projection's state does not allow the action.
    ProjectionState,
    /// Two facts claimed one version of the aggregate.
    VersionConflict,
    /// Owner and projection stand at different versions.
    VersionMismatch,
}

impl GateReason {
    /// The name in the trace document.
    pub fn name(self) -> &'static str {
        match self {
            Self::AmbiguousSource => "ambiguous-source",
            Self::DeferredEvents => "deferred-events",
            Self::OpenReview => "open-review",
            Self::OwnerConflict => "owner-conflict",
            Self::OwnerStatus => "owner-status",
            Self::ProjectionMissing => "projection-missing",
            Self::ProjectionState => "projection-state",
            Self::VersionConflict => "version-conflict",
            Self::VersionMismatch => "version-mismatch",
        }
    }
}

/// One side of the comparison: the projection under the order's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GateCandidate<'a> {
    /// The projection's version, where it has one.
    pub version: Option<u64>,
    /// The projection's state, where it has one.
    pub state: Option<&'a str>,
    /// Whether anything waits for the aggregate.
    pub has_deferred: bool,
    /// Whether two facts claimed one of its versions.
    pub has_conflict: bool,
}

/// Everything the gate looks at for one order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GateFacts<'a> {
    /// The owner's status.
    pub owner_status: &'a str,
    /// The owner's version.
    pub owner_version: u64,
    /// Whether the owner stated two statuses for one version.
    pub owner_conflict: bool,
    /// Whether any review of the order is open.
    pub open_review: bool,
    /// How many sources have something under that id.
    pub candidates: usize,
    /// The one candidate, where there is exactly one.
    pub candidate: Option<GateCandidate<'a>>,
}

impl GateRule {
    /// Why the gate is shut, in the order of the reasons' names; empty means the action may go ahead.
    pub fn reasons(&self, facts: &GateFacts<'_>) -> Vec<GateReason> {
        let mut reasons = Vec::new();
        let mut hold = |reason, holds: bool| {
            if holds {
                reasons.push(reason);
            }
        };
        let allows = |list: &[String], word: &str| list.iter().any(|allowed| allowed == word);
        hold(
            GateReason::OwnerStatus,
            !allows(&self.owner_statuses, facts.owner_status),
        );
        hold(GateReason::OwnerConflict, facts.owner_conflict);
        hold(GateReason::ProjectionMissing, facts.candidates == 0);
        hold(GateReason::AmbiguousSource, facts.candidates > 1);
        hold(GateReason::OpenReview, facts.open_review);
        if let Some(candidate) = facts.candidate.filter(|_| facts.candidates == 1) {
            let same_version = candidate.version == Some(facts.owner_version);
            hold(
                GateReason::VersionMismatch,
                self.has_versions && !same_version,
            );
            let state_allows = candidate
                .state
                .is_some_and(|state| allows(&self.projection_states, state));
            hold(GateReason::ProjectionState, !state_allows);
            hold(GateReason::DeferredEvents, candidate.has_deferred);
            hold(GateReason::VersionConflict, candidate.has_conflict);
        }
        reasons.sort_unstable();
        reasons
    }
}
