//! How a record's place and the engine's outcomes become part of the run.

use super::aggregate::{Carrier, Change};
use super::owner::{Compensation, OrderPast, OwnerOrder};
use super::{History, aggregate, length, pack, pack_subject, unpack};
use crate::model::{
    AggregateId, Effect, OrderId, Outcome, Place, RecordNo, State, StepNo, Subject, WordId,
};

/// Steps between two counts by state.
pub(super) const COUNT_EVERY: u32 = 1_024;

impl History {
    /// Notes where the next record lies; its number comes back.
    pub fn append_record(&mut self, place: Place) -> RecordNo {
        self.records.offsets.push(place.offset_bytes);
        self.records.lengths.push(place.length_bytes);
        let record = self.last_record();
        self.records.lines.push(record.0, place.line);
        record
    }

    /// Appends a step; its number comes back.
    pub fn append(&mut self, outcome: &Outcome<'_>) -> StepNo {
        self.count_states();
        let step = self.last_step().after();
        let steps = &mut self.steps;
        steps.records.push(outcome.record.0);
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
            steps.released_by.push(step.0, released_by);
        }
        if !outcome.findings.is_empty() {
            steps
                .finding_starts
                .push(step.0, length(steps.findings.len()));
            steps.findings.extend_from_slice(outcome.findings);
        }
        steps.signs.note(step, outcome);
        let mut changed = false;
        for effect in outcome.effects {
            changed |= matches!(effect, Effect::Change { .. });
            self.take_effect(step, outcome, effect);
        }
        match outcome.subject {
            Subject::Aggregate(id) if !changed => self.past_mut(id, |past| past.others.push(step)),
            Subject::Order(id) => self.order_mut(id, |order| order.steps.push(step)),
            Subject::Aggregate(_) | Subject::Unknown => {}
        }
        step
    }

    fn take_effect(&mut self, step: StepNo, outcome: &Outcome<'_>, effect: &Effect) {
        match (*effect, outcome.subject) {
            (Effect::Change { state, assumed }, Subject::Aggregate(id)) => {
                self.past_mut(id, |past| past.changes.push(Change { step, state }));
                if assumed {
                    self.steps.assumed.push(step);
                }
                if outcome.state == State::Applied {
                    self.receipts.push(step);
                }
            }
            (Effect::Hold, Subject::Aggregate(id)) => self.past_mut(id, |past| {
                let trouble = past.trouble_mut();
                trouble.held.open(step);
                trouble.held_steps.push(step);
            }),
            (Effect::Release { record }, Subject::Aggregate(id)) => self.release(id, record, step),
            (Effect::Carry { cause }, Subject::Aggregate(id)) => {
                if let Some(version) = outcome.version {
                    self.past_mut(id, |past| {
                        past.trouble_mut().carry(version, Carrier { step, cause });
                    });
                }
            }
            (Effect::Conflict, Subject::Aggregate(id)) => self.past_mut(id, |past| {
                past.trouble_mut().conflict_since.get_or_insert(step);
            }),
            (Effect::Order { status, version }, Subject::Order(id)) => {
                self.order_mut(id, |order| {
                    order.changes.push(OwnerOrder {
                        step,
                        status,
                        version,
                    });
                });
            }
            (Effect::OrderConflict, Subject::Order(id)) => self.order_mut(id, |order| {
                order.conflict_since.get_or_insert(step);
            }),
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
            ) => {
                self.order_mut(id, |order| order.review(step, key_version, why, reason));
            }
            (Effect::Evidence { by_person }, _) => self.evidence.open(step, by_person),
            (Effect::Resolve { step: earlier }, _) => self.evidence.resolve(earlier, step),
            // An effect on the other side than the step's subject has nothing to change.
            (_, Subject::Unknown | Subject::Aggregate(_) | Subject::Order(_)) => {}
        }
    }

    /// The compensation's own `Order` effect comes before it, so the order already stands at it.
    fn compensate(&mut self, id: OrderId, record: RecordNo, step: StepNo, key: (u64, WordId)) {
        let index = self.compensations.len();
        let Some(now) = self
            .orders
            .get(id.0 as usize)
            .and_then(|order| order.current(step))
        else {
            return;
        };
        self.compensations.push(Compensation {
            step,
            record,
            order: id,
            key_version: key.0,
            reason: key.1,
            status: now.status,
            version: now.version,
        });
        self.order_mut(id, |order| order.compensations.push(index));
    }

    fn release(&mut self, id: AggregateId, record: RecordNo, step: StepNo) {
        let Some(held_step) = self.step_of_record(record) else {
            return;
        };
        self.past_mut(id, |past| {
            let trouble = past.trouble_mut();
            if let Some(index) = trouble.held.beginning_at(held_step) {
                trouble.held.close(index, step);
            }
        });
    }

    fn past_mut(&mut self, id: AggregateId, change: impl FnOnce(&mut aggregate::Past)) {
        let index = id.0 as usize;
        if self.aggregates.len() <= index {
            self.aggregates
                .resize_with(index + 1, aggregate::Past::default);
        }
        if let Some(past) = self.aggregates.get_mut(index) {
            let was_troubled = past.trouble.is_some();
            change(past);
            if past.trouble.is_some() && !was_troubled {
                self.troubled.push(id);
            }
        }
    }

    fn order_mut(&mut self, id: OrderId, change: impl FnOnce(&mut OrderPast)) {
        let index = id.0 as usize;
        if self.orders.len() <= index {
            self.orders.resize_with(index + 1, OrderPast::default);
        }
        if let Some(order) = self.orders.get_mut(index) {
            change(order);
        }
    }

    fn count_states(&mut self) {
        let steps = &mut self.steps;
        let done = length(steps.records.len());
        if !done.is_multiple_of(COUNT_EVERY) {
            return;
        }
        let mut counts = steps.state_counts.last().copied().unwrap_or_default();
        let start = done.saturating_sub(COUNT_EVERY) as usize;
        for packed in steps.kinds_and_states.iter().skip(start) {
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
        let source = self.names.source(source);
        self.names.aggregates.intern(source, name)
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
