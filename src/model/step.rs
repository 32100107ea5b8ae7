//! What a step leaves behind, beyond its state: why an aggregate waits.

use super::ids::{ReasonId, RecordNo, StepNo};
use super::state::State;

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
