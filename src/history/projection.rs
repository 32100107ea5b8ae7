//! As-of questions about one aggregate: where it stands, what waits, why, and what was receipted.

use super::evidence::EvidenceStatus;
use super::pasts::{Past, earlier};
use super::troubles::{Carrier, Trouble};
use super::{History, length};
use crate::model::{
    AggregateId, Cause, GapCarrier, GapCause, Kind, RecordNo, State, StepNo, WordId,
};

/// What a projection's position rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nothing was applied, stated or assumed.
    Nothing,
    /// An operator stated it, and nothing was applied since.
    Stated,
    /// The last change was an apply.
    Applied,
}

/// Where an aggregate stands as of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Projection {
    /// What that rests on.
    pub standing: Standing,
    /// The version, where the contract has versions and something stands.
    pub version: Option<u64>,
    /// The state, where something stands.
    pub state: Option<WordId>,
    /// The step that brought it there.
    pub step: Option<StepNo>,
    /// The version that was assumed to start from: one below the first event seen, so −1 is possible.
    pub assumed: Option<i128>,
}

/// An event that waits as of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Held {
    /// The version it waits with.
    pub version: u64,
    /// Its record.
    pub record: RecordNo,
    /// The step that deferred it.
    pub step: StepNo,
}

impl History {
    fn past(&self, id: AggregateId) -> Option<Past<'_>> {
        self.aggregates.get(id.0, &self.steps.links)
    }

    fn trouble(&self, id: AggregateId) -> Option<&Trouble> {
        self.troubles.get(id)
    }

    fn version_at(&self, step: StepNo) -> Option<u64> {
        self.steps.versions.get(step.0)
    }

    fn is_baseline(&self, step: StepNo) -> bool {
        self.kind_of(step) == Some(Kind::Baseline)
    }

    fn carriers(
        &self,
        id: AggregateId,
        version: u64,
        at: StepNo,
    ) -> impl Iterator<Item = Carrier> + '_ {
        let key = (id, version);
        let is_same = move |step| self.steps.carried(step) == Some(key);
        self.troubles.carriers.until(key, at, is_same)
    }

    /// Where an aggregate stands as of step `at`.
    pub fn projection(&self, id: AggregateId, at: StepNo) -> Projection {
        let nothing = Projection {
            standing: Standing::Nothing,
            version: None,
            state: None,
            step: None,
            assumed: None,
        };
        let Some((past, change)) = self
            .past(id)
            .and_then(|past| Some((past, past.change(at)?)))
        else {
            return nothing;
        };
        let assumed = past
            .nth_change(0)
            .filter(|first| self.steps.assumed.binary_search(first.0).is_some())
            .and_then(|step| self.version_at(step))
            .map(|version| i128::from(version) - 1);
        Projection {
            standing: if self.is_baseline(change) {
                Standing::Stated
            } else {
                Standing::Applied
            },
            version: self.version_at(change).filter(|_| self.terms.has_versions),
            state: self.steps.links.word(change),
            step: Some(change),
            assumed,
        }
    }

    /// The version that is next for an aggregate as of step `at`: `None` without versions, and after
    /// the last version there is.
    pub fn next_version(&self, id: AggregateId, at: StepNo) -> Option<u64> {
        if !self.terms.has_versions {
            return None;
        }
        match self.projection(id, at) {
            Projection {
                standing: Standing::Nothing,
                ..
            } => Some(self.terms.first_version),
            Projection { version, .. } => version?.checked_add(1),
        }
    }

    /// Whether an aggregate waits as of step `at`, and for which version.
    pub fn waiting_for(&self, id: AggregateId, at: StepNo) -> Option<u64> {
        let trouble = self.trouble(id)?;
        let next = self.next_version(id, at)?;
        let carried_above = trouble
            .largest_carried_at(at)
            .is_some_and(|step| self.version_at(step) >= Some(next));
        let waits = carried_above || trouble.held.first_open(at).is_some();
        waits.then_some(next)
    }

    /// Every aggregate that waits as of step `at`, with the version it waits for, in the order first
    /// seen. Who waits was in trouble once, and few are.
    pub fn waiting_aggregates(&self, at: StepNo) -> Vec<(AggregateId, u64)> {
        let mut troubled = self.troubles.ids().to_vec();
        troubled.sort_unstable();
        let waiting = troubled.into_iter();
        waiting
            .filter_map(|id| Some((id, self.waiting_for(id, at)?)))
            .collect()
    }

    /// Since which step an aggregate waits as of step `at`: the oldest event that is deferred for it,
    /// or the first delivery that carried the missing version in vain, whichever came first.
    pub fn waiting_since(&self, id: AggregateId, at: StepNo) -> Option<StepNo> {
        let next = self.waiting_for(id, at)?;
        let trouble = self.trouble(id)?;
        let held = trouble.held.first_open(at);
        let carried = self.carriers(id, next, at).next();
        earlier(held, carried.map(|carrier| carrier.step)).or_else(|| {
            let steps = trouble.largest_carried.as_slice();
            let below = steps.partition_point(|step| self.version_at(*step) < Some(next));
            steps.get(below).copied()
        })
    }

    /// How many events are deferred for an aggregate as of step `at`, counted up to `most`.
    pub fn deferred_count(&self, id: AggregateId, at: StepNo, most: usize) -> usize {
        self.trouble(id)
            .map_or(0, |trouble| trouble.held.open_at(at).take(most).count())
    }

    /// What is deferred for an aggregate as of step `at`, by version, then arrival.
    pub fn deferred(&self, id: AggregateId, at: StepNo) -> Vec<Held> {
        let Some(trouble) = self.trouble(id) else {
            return Vec::new();
        };
        let steps = trouble.held.open_at(at);
        let mut held: Vec<Held> = steps.filter_map(|step| self.held_at(step)).collect();
        held.sort_unstable();
        held
    }

    /// The same of the first `most` that arrived, and whether there are more: for a screen, which has
    /// room for few, where a million may wait.
    pub fn deferred_first(&self, id: AggregateId, at: StepNo, most: usize) -> (Vec<Held>, bool) {
        let Some(trouble) = self.trouble(id) else {
            return (Vec::new(), false);
        };
        let mut steps = trouble.held.open_at(at);
        let mut held: Vec<Held> = steps
            .by_ref()
            .take(most)
            .filter_map(|step| self.held_at(step))
            .collect();
        held.sort_unstable();
        (held, steps.next().is_some())
    }

    fn held_at(&self, step: StepNo) -> Option<Held> {
        Some(Held {
            version: self.version_at(step)?,
            record: self.record_of(step)?,
            step,
        })
    }

    /// Whether anything is deferred for an aggregate as of step `at`.
    pub fn has_deferred(&self, id: AggregateId, at: StepNo) -> bool {
        self.trouble(id)
            .is_some_and(|trouble| trouble.held.first_open(at).is_some())
    }

    /// Why the version that an aggregate waits for is missing as of step `at`, by record; empty where
    /// it does not wait.
    pub fn gap_causes(&self, id: AggregateId, at: StepNo) -> Vec<GapCause> {
        let Some(waiting_for) = self.waiting_for(id, at) else {
            return Vec::new();
        };
        let carriers = self.carriers(id, waiting_for, at);
        let mut causes: Vec<GapCause> = carriers
            .filter_map(|carrier| {
                let step = self.step(carrier.step)?;
                let carrier_step = GapCarrier {
                    record: step.record,
                    step: step.number,
                    state: step.state,
                    reason: step.reason,
                };
                Some(GapCause {
                    cause: carrier.cause,
                    carrier: Some(carrier_step),
                })
            })
            .collect();
        causes.sort_by_key(|cause| cause.carrier.map(|carrier| carrier.record));
        if causes.is_empty() {
            let waits_itself = self
                .deferred(id, at)
                .first()
                .is_some_and(|held| held.version == waiting_for);
            let cause = if waits_itself {
                Cause::BeingReleased
            } else {
                Cause::NeverSeen
            };
            causes.push(GapCause {
                cause,
                carrier: None,
            });
        }
        causes
    }

    /// Since which step two facts claim one version of an aggregate, as of step `at`.
    pub fn version_conflict(&self, id: AggregateId, at: StepNo) -> Option<StepNo> {
        self.trouble(id)?.conflict_at(at)
    }

    /// The record that was applied as this version of an aggregate, so far.
    pub fn holder(&self, id: AggregateId, version: u64) -> Option<RecordNo> {
        // An aggregate's versions only rise.
        let reaches = |step| self.version_at(step) <= Some(version);
        let step = self.past(id)?.last_change_where(reaches)?;
        let holds = self.version_at(step) == Some(version)
            && self.kind_of(step).is_some_and(Kind::is_event);
        if holds { self.record_of(step) } else { None }
    }

    /// The steps so far that carried a version of an aggregate and were refused, and that an apply of
    /// that version still explains; in order.
    pub fn refused(&self, id: AggregateId, version: u64) -> impl Iterator<Item = StepNo> + '_ {
        let last = self.last_step();
        let carriers = self.carriers(id, version, last);
        carriers
            .filter(|carrier| carrier.cause == Cause::NotAccepted)
            .map(|carrier| carrier.step)
            .filter(move |step| {
                let status = self.evidence_status(*step, last);
                status == EvidenceStatus::Open { by_person: false }
            })
    }

    /// The record that was applied last to an aggregate, so far.
    pub fn last_applied(&self, id: AggregateId) -> Option<RecordNo> {
        // Only the first change of an aggregate can be a baseline, and then nothing was applied.
        let last = self.past(id)?.change(self.last_step())?;
        let is_event = self.kind_of(last).is_some_and(Kind::is_event);
        if is_event { self.record_of(last) } else { None }
    }
}

/// The ledger.
impl History {
    /// How many receipts the ledger holds as of step `at`.
    pub fn receipt_count(&self, at: StepNo) -> usize {
        // Every apply writes its receipt, and nothing else does.
        let counts = self.state_counts(at);
        counts
            .get(State::Applied as usize)
            .map_or(0, |count| *count as usize)
    }

    /// The step that wrote a receipt, by its place in the ledger from 0.
    pub fn receipt(&self, index: usize) -> Option<StepNo> {
        self.nth_in_state(State::Applied, index)
    }

    /// How many receipts the ledger holds for an aggregate as of step `at`.
    pub fn receipt_count_of(&self, id: AggregateId, at: StepNo) -> usize {
        self.past(id).map_or(0, |past| {
            past.changes_until(at) - self.baselines_among(past, at)
        })
    }

    /// The step that wrote an aggregate's receipt, by its place among them from 0.
    pub fn receipt_of(&self, id: AggregateId, index: usize) -> Option<StepNo> {
        let past = self.past(id)?;
        let skipped = self.baselines_among(past, self.last_step());
        past.nth_change(index + skipped)
    }

    /// A baseline can only be an aggregate's first change.
    fn baselines_among(&self, past: Past<'_>, at: StepNo) -> usize {
        let first = past.nth_change(0).filter(|change| *change <= at);
        usize::from(first.is_some_and(|step| self.is_baseline(step)))
    }

    /// Every aggregate that something was applied, stated or assumed for, or that waits, as of step
    /// `at`, in the order first seen.
    pub fn listed_aggregates(&self, at: StepNo) -> impl Iterator<Item = AggregateId> + '_ {
        (0..length(self.aggregates.len()))
            .map(AggregateId)
            .filter(move |id| {
                self.projection(*id, at).standing != Standing::Nothing
                    || self.waiting_for(*id, at).is_some()
            })
    }
}
