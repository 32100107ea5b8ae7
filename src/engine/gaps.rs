//! Which deliveries leave a gap: they carried a version and were neither applied nor deferred
//! (contract.md, "Why it waits").

use crate::model::{Cause, State};

/// Why a step that carried a version leaves a gap; `None` where it does not.
pub(super) fn cause_of(state: State, other_content: bool) -> Option<Cause> {
    match state {
        State::Rejected | State::ContractUpdateRequired | State::DeferralLimitReached => {
            Some(Cause::NotAccepted)
        }
        State::DuplicateSuppressed => other_content.then_some(Cause::SuppressedAsIdReuse),
        State::EventTypeIgnored => Some(Cause::Ignored),
        State::Unreadable
        | State::OtherConsumer
        | State::Deferred
        | State::SameVersionRejected
        | State::StaleIgnored
        | State::Applied
        | State::OrderRecorded
        | State::CompensationRecorded
        | State::CompensationAlreadyRecorded
        | State::ManualReview
        | State::BaselineRecorded => None,
    }
}
