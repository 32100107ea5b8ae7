//! What the engine says of a step: its outcome with the effects that go with it, and why an
//! aggregate waits.

use super::finding::Finding;
use super::ids::{AggregateId, OrderId, ReasonId, RecordNo, StepNo, WordId};
use super::state::{Kind, State};

/// What a step is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// Nothing that could be read.
    Unknown,
    /// An aggregate of some source (a source that could not be read is the empty one).
    Aggregate(AggregateId),
    /// An order on the owner's side, which has no source.
    Order(OrderId),
}

/// One decision of the engine, ready to be appended to a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome<'a> {
    /// What was decided on.
    pub kind: Kind,
    /// The record, the replayed one's own for a replay.
    pub record: RecordNo,
    /// What it came to.
    pub state: State,
    /// Why, where the state has a reason.
    pub reason: Option<ReasonId>,
    /// What it is about.
    pub subject: Subject,
    /// The version it carries, where that can be read.
    pub version: Option<u64>,
    /// The record that holds the receipt, the version, the waiting entry or the compensation.
    pub first: Option<RecordNo>,
    /// Deliveries of a waiting event so far, or occurrences of a review so far.
    pub count: Option<u32>,
    /// The step that began the cascade, for a replay.
    pub released_by: Option<StepNo>,
    /// What was found, sorted by code, then record.
    pub findings: &'a [Finding],
    /// What changes.
    pub effects: &'a [Effect],
}

/// One change that a step brings. A closed list: whatever is not here cannot change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The step's aggregate takes over the step's version and this state: an apply, which also
    /// writes the receipt, or a stated baseline.
    Change {
        /// The projection's new state.
        state: WordId,
        /// Whether a baseline one below this step's version was assumed first.
        assumed: bool,
    },
    /// The step's event now waits for its version.
    Hold,
    /// The waiting record is being replayed by this step and waits no longer.
    Release {
        /// The record that waited.
        record: RecordNo,
    },
    /// The step's event carried its version without being applied or deferred.
    Carry {
        /// Why that leaves a gap.
        cause: Cause,
    },
    /// Two facts claim one version of the step's aggregate.
    Conflict,
    /// The owner's order takes over this status and version.
    Order {
        /// The owner's status.
        status: WordId,
        /// The owner's version.
        version: u64,
    },
    /// The owner stated two statuses for one version.
    OrderConflict,
    /// A compensation was decided under the key of this refused version.
    Compensation {
        /// The version that the refusal named.
        key_version: u64,
        /// The outside reason.
        reason: WordId,
    },
    /// A person has to decide on the step's order.
    Review {
        /// The version that the refusal named.
        key_version: u64,
        /// Why the engine does not decide.
        why: ReasonId,
        /// The outside reason.
        reason: WordId,
    },
    /// The step is evidence.
    Evidence {
        /// Whether only a person's mark closes it.
        by_person: bool,
    },
    /// An earlier step's evidence is resolved by this step.
    Resolve {
        /// The earlier step.
        step: StepNo,
    },
}

/// Why a delivery that carried the version waited for did not close the gap (contract.md, "Why it
/// waits").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cause {
    /// Refused, or turned away at the deferral limit.
    NotAccepted,
    /// Suppressed although its content differs from what the id carried before.
    SuppressedAsIdReuse,
    /// Of a type that the contract ignores.
    Ignored,
    /// No delivery in the capture carried this version.
    NeverSeen,
    /// It waits itself and is about to be replayed.
    BeingReleased,
}

impl Cause {
    /// The name in the trace document.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotAccepted => "not-accepted",
            Self::SuppressedAsIdReuse => "suppressed-as-id-reuse",
            Self::Ignored => "ignored",
            Self::NeverSeen => "never-seen",
            Self::BeingReleased => "being-released",
        }
    }
}

/// One reason why a version is missing; `record` and what follows are there where a delivery carried
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GapCause {
    /// Why.
    pub cause: Cause,
    /// The delivery that carried the version.
    pub carrier: Option<GapCarrier>,
}

/// A delivery that carried the missing version without effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GapCarrier {
    /// The record.
    pub record: RecordNo,
    /// Its last step.
    pub step: StepNo,
    /// What that step came to.
    pub state: State,
    /// Why, where the state has a reason.
    pub reason: Option<ReasonId>,
}
