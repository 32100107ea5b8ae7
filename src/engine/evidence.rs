//! Which steps someone has to explain, and which later applies explain them (contract.md, "Evidence").

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::{Candidate, Recall};
use crate::model::{AggregateId, Effect, Finding, RecordNo, State, StepNo};

/// What can close a piece of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closer {
    /// It is none.
    Nobody,
    /// A person's mark.
    Person,
    /// A later apply of the same key, or of the same version.
    Apply,
    /// The replay of what waits.
    Replay,
}

/// What closes a delivery's or replay's step.
pub(super) fn closer_of_event(state: State, findings: &[Finding]) -> Closer {
    if findings
        .iter()
        .any(|finding| finding.code.severity().needs_person())
    {
        return Closer::Person;
    }
    match state {
        State::Unreadable | State::SameVersionRejected | State::ManualReview => Closer::Person,
        State::Rejected | State::ContractUpdateRequired | State::DeferralLimitReached => {
            Closer::Apply
        }
        State::Deferred => Closer::Replay,
        State::OtherConsumer
        | State::DuplicateSuppressed
        | State::EventTypeIgnored
        | State::StaleIgnored
        | State::Applied
        | State::OrderRecorded
        | State::CompensationRecorded
        | State::CompensationAlreadyRecorded
        | State::BaselineRecorded => Closer::Nobody,
    }
}

/// Evidence that an apply can still close.
#[derive(Debug, Default)]
pub(super) struct OpenEvidence {
    by_key: HashMap<u64, Vec<(StepNo, RecordNo)>, FixedState>,
    by_version: HashMap<(AggregateId, u64), Vec<StepNo>, FixedState>,
}

impl OpenEvidence {
    /// Remembers a refused delivery by its key and by what it carried, as far as they could be read.
    pub(super) fn remember(
        &mut self,
        step: StepNo,
        record: RecordNo,
        key_hash: Option<u64>,
        carried: Option<(AggregateId, u64)>,
    ) {
        if let Some(key_hash) = key_hash {
            self.by_key
                .entry(key_hash)
                .or_default()
                .push((step, record));
        }
        if let Some(carried) = carried {
            self.by_version.entry(carried).or_default().push(step);
        }
    }

    /// What the apply of `event` explains. A step may be named twice; it is resolved once.
    pub(super) fn explain(
        &mut self,
        event: &Candidate,
        has_versions: bool,
        recall: &mut impl Recall,
        effects: &mut Vec<Effect>,
    ) {
        if has_versions && !self.by_version.is_empty() {
            let steps = self.by_version.remove(&(event.aggregate, event.version));
            effects.extend(
                steps
                    .into_iter()
                    .flatten()
                    .map(|step| Effect::Resolve { step }),
            );
        }
        if self.by_key.is_empty() {
            return;
        }
        if let Some(refused) = self.by_key.get_mut(&event.key.hash) {
            refused.retain(|(step, record)| {
                let same = recall.same_key(*record, event.key.record);
                if same {
                    effects.push(Effect::Resolve { step: *step });
                }
                !same
            });
            if refused.is_empty() {
                self.by_key.remove(&event.key.hash);
            }
        }
    }
}
