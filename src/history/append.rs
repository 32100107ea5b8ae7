//! How a record's place and the engine's outcomes become part of the run.

use super::owner::Compensation;
use super::troubles::Carrier;
use super::{History, Replay, length, pack, pack_subject, unpack};
use crate::model::compact::hash_of;
use crate::model::{
    AggregateId, Effect, OrderId, Outcome, Place, RecordNo, StepNo, Subject, WordId,
};

/// Steps between two counts by state.
pub(super) const COUNT_EVERY: u32 = 1_024;

impl History {
    /// Notes where the next record lies; its number comes back.
    pub fn append_record(&mut self, place: Place) -> RecordNo {
        self.records.push(place);
        self.last_record()
    }

    /// Appends a step; its number comes back.
    pub fn append(&mut self, outcome: &Outcome<'_>) -> StepNo {
        self.count_states();
        let step = self.last_step().after();
        let steps = &mut self.steps;
        steps
            .kinds_and_states
            .push(pack(outcome.kind, outcome.state));
        steps.subjects.push(pack_subject(outcome.subject));
        steps.versions.push(step.0, outcome.version);
        if let Some(reason) = outcome.reason {
            steps.reasons.push(step.0, reason);
        }
        if let Some(first) = outcome.first {
            steps.firsts.push(step.0, first);
        }
        if let Some(count) = outcome.count {
            steps.counts.push(step.0, count);
        }
        if let Some(released_by) = outcome.released_by {
            let replay = Replay {
                record: outcome.record,
                released_by,
            };
            steps.replays.push(step.0, replay);
        }
        if !outcome.findings.is_empty() {
            steps
                .finding_starts
                .push(step.0, length(steps.findings.len()));
            steps.findings.extend_from_slice(outcome.findings);
        }
        steps.signs.note(step, outcome);
        self.link(step, outcome);
        for effect in outcome.effects {
            self.take_effect(step, outcome, effect);
        }
        step
    }

    /// Makes the step the last of its subject, with the state that it gives to it.
    fn link(&mut self, step: StepNo, outcome: &Outcome<'_>) {
        let links = &mut self.steps.links;
        let mut effects = outcome.effects.iter();
        match outcome.subject {
            Subject::Aggregate(id) => {
                let word = effects.find_map(|effect| {
                    if let Effect::Change { state, .. } = effect {
                        Some(*state)
                    } else {
                        None
                    }
                });
                self.aggregates.append(id.0, step, word, links);
            }
            Subject::Order(id) => {
                let word = effects.find_map(|effect| {
                    if let Effect::Order { status, .. } = effect {
                        Some(*status)
                    } else {
                        None
                    }
                });
                self.owner.pasts.append(id.0, step, word, links);
            }
            Subject::Unknown => links.push(StepNo(0), None),
        }
    }

    fn take_effect(&mut self, step: StepNo, outcome: &Outcome<'_>, effect: &Effect) {
        match (*effect, outcome.subject) {
            (Effect::Change { assumed, .. }, Subject::Aggregate(_)) => {
                if assumed {
                    self.steps.assumed.push(step.0);
                }
            }
            (Effect::Hold, Subject::Aggregate(id)) => {
                self.troubles.change(id, |trouble| trouble.held.open(step));
            }
            (Effect::Release { record }, Subject::Aggregate(id)) => self.release(id, record, step),
            (Effect::Carry { cause }, Subject::Aggregate(id)) => {
                if let Some(version) = outcome.version {
                    self.carry(id, version, Carrier { step, cause });
                }
            }
            (Effect::Conflict, Subject::Aggregate(id)) => {
                self.troubles.change(id, |trouble| trouble.conflict(step));
            }
            (Effect::OrderConflict, Subject::Order(id)) => self.owner.contradict(id, step),
            (
                Effect::Compensation {
                    key_version,
                    reason,
                },
                Subject::Order(id),
            ) => {
                self.compensate(id, outcome.record, step, (key_version, reason));
            }
            (
                Effect::Review {
                    key_version,
                    why,
                    reason,
                },
                Subject::Order(id),
            ) => self.owner.review(id, step, (key_version, why, reason)),
            (Effect::Evidence { by_person }, _) => self.evidence.open(step, by_person),
            (Effect::Resolve { step: earlier }, _) => self.evidence.resolve(earlier, step),
            // What an order is put to stands in its step's own columns. An effect on the other side
            // than the step's subject has nothing to change.
            (_, Subject::Unknown | Subject::Aggregate(_) | Subject::Order(_)) => {}
        }
    }

    /// The step already stands in its columns, and with it what the compensation puts the order to.
    fn compensate(&mut self, id: OrderId, record: RecordNo, step: StepNo, key: (u64, WordId)) {
        let Some(now) = self.owner_order(id, step) else {
            return;
        };
        self.owner.compensate(Compensation {
            step,
            record,
            order: id,
            key_version: key.0,
            reason: key.1,
            status: now.status,
            version: now.version,
        });
    }

    fn release(&mut self, id: AggregateId, record: RecordNo, step: StepNo) {
        let Some(held_step) = self.step_of_record(record) else {
            return;
        };
        self.troubles
            .change(id, |trouble| trouble.held.close(held_step, step));
    }

    fn carry(&mut self, id: AggregateId, version: u64, carrier: Carrier) {
        let steps = &self.steps;
        self.troubles.change(id, |trouble| {
            trouble.carry(carrier.step, version, |step| steps.versions.get(step.0));
        });
        let key = (id, version);
        self.troubles
            .carriers
            .push(key, carrier, |step| steps.carried(step) == Some(key));
    }

    fn count_states(&mut self) {
        let steps = &mut self.steps;
        let done = steps.kinds_and_states.len();
        if !done.is_multiple_of(COUNT_EVERY as usize) {
            return;
        }
        let mut counts = steps.state_counts.last().unwrap_or_default();
        let start = done.saturating_sub(COUNT_EVERY as usize);
        for packed in steps.kinds_and_states.stretch(start, done) {
            if let Some(count) = counts.get_mut(unpack(*packed).1 as usize) {
                *count += 1;
            }
        }
        steps.state_counts.push(counts);
    }
}

/// Names are kept once; a name gets its index when it is first seen.
impl History {
    /// The aggregate with this source and id.
    pub fn intern_aggregate(&mut self, source: &str, name: &str) -> AggregateId {
        self.intern_likely(source, name, hash_of(name), None)
    }

    /// The same, where the hash of the id ([`hash_of`]) is known already, and perhaps the aggregate
    /// that it is likely to be.
    pub fn intern_likely(
        &mut self,
        source: &str,
        name: &str,
        hash: u64,
        likely: Option<AggregateId>,
    ) -> AggregateId {
        let source = self.names.source(source);
        let aggregates = &mut self.names.aggregates;
        likely
            .filter(|id| aggregates.is_named(*id, source, name))
            .unwrap_or_else(|| aggregates.intern_hashed(source, name, hash))
    }

    /// A part of what finding an aggregate by its id's hash needs, to bring it near: see `session`'s
    /// look ahead.
    #[inline]
    pub fn touch_name(&self, hash: u64) -> u64 {
        self.names.aggregates.touch_name(hash)
    }

    /// The aggregate that an id with this hash most likely is; a hash alone is no identity.
    #[inline]
    pub fn likely_aggregate(&self, hash: u64) -> Option<AggregateId> {
        self.names.aggregates.likely(hash)
    }

    /// A part of what comparing an aggregate and adding a step to it needs.
    #[inline]
    pub fn touch_aggregate(&self, id: AggregateId) -> u64 {
        self.names.aggregates.touch(id) ^ self.aggregates.touch(id.0)
    }

    /// The order with this id on the owner's side.
    pub fn intern_order(&mut self, name: &str) -> OrderId {
        self.names.order(name)
    }

    /// A word: a state, a status or an outside reason.
    pub fn intern_word(&mut self, word: &str) -> WordId {
        self.names.word(word)
    }
}
