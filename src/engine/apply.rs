//! Apply: the effect with its receipt, and what a person should know of it.

use super::{Candidate, Engine, Recall};
use crate::model::compact::{Column, TagTable, hash_of};
use crate::model::{AggregateId, Effect, Finding, FindingCode, GateRule, RecordNo, WordId};

/// What was applied to an aggregate without versions, by content: the first record, and the first
/// with another key than that one, which together answer "which other id came first?".
#[derive(Debug, Default)]
pub(super) struct Contents {
    contents: Column<Content>,
    table: TagTable,
}

#[derive(Clone, Copy, Debug)]
struct Content {
    aggregate: AggregateId,
    first: RecordNo,
    /// `RecordNo(0)` while there is none.
    other: RecordNo,
}

impl Contents {
    /// The first record under another id with the same content; `event` is remembered.
    fn first_under_other_id(
        &mut self,
        event: &Candidate,
        recall: &mut impl Recall,
    ) -> Option<RecordNo> {
        let record = event.key.record;
        let hash = hash_of((event.aggregate.0, event.content_hash));
        // A hash alone is no identity.
        let is_it = |index| {
            let known: Option<Content> = self.contents.get(index as usize);
            known.is_some_and(|known| {
                known.aggregate == event.aggregate && recall.same_content(known.first, record)
            })
        };
        let Some(index) = self.table.find(hash, is_it) else {
            let index = u32::try_from(self.contents.len()).unwrap_or(u32::MAX);
            self.contents.push(Content {
                aggregate: event.aggregate,
                first: record,
                other: RecordNo(0),
            });
            self.table.insert(hash, index);
            return None;
        };
        let known = self.contents.get_mut(index as usize)?;
        if recall.same_key(known.first, record) {
            return Some(known.other).filter(|other| other.0 != 0);
        }
        if known.other.0 == 0 {
            known.other = record;
        }
        Some(known.first)
    }
}

/// What the contract's gate says of each state, asked for once.
#[derive(Debug, Default)]
pub(super) struct GateWords {
    known: Vec<Option<GateWord>>,
}

/// What the gate says of one state.
#[derive(Clone, Copy, Debug, Default)]
struct GateWord {
    /// The risky action has happened.
    is_done: bool,
    /// It may happen.
    is_ready: bool,
}

impl GateWords {
    fn of(&mut self, word: WordId, rule: &GateRule, recall: &impl Recall) -> GateWord {
        let index = word.0 as usize;
        if let Some(Some(known)) = self.known.get(index) {
            return *known;
        }
        let text = recall.word_text(word);
        let lists = |list: &[String]| list.iter().any(|listed| listed == text);
        let found = GateWord {
            is_done: lists(&rule.done_states),
            is_ready: lists(&rule.projection_states),
        };
        // A capture may name more states than are worth keeping.
        if index < MOST_KEPT {
            if self.known.len() <= index {
                self.known.resize(index + 1, None);
            }
            if let Some(slot) = self.known.get_mut(index) {
                *slot = Some(found);
            }
        }
        found
    }
}

const MOST_KEPT: usize = 1_024;

impl Engine {
    /// The stage for one event: everything changes here or nothing does. Its baseline may have been
    /// assumed, and a receipt of its key may have expired.
    pub(super) fn apply(
        &mut self,
        event: &Candidate,
        (assumed, has_expired): (bool, bool),
        recall: &mut impl Recall,
        findings: &mut Vec<Finding>,
        effects: &mut Vec<Effect>,
    ) {
        if self.is_against_gate(event, recall) {
            findings.push(Finding {
                code: FindingCode::ActionAgainstGate,
                record: None,
            });
        }
        let has_versions = self.contract.version.is_some();
        if !has_versions && let Some(first) = self.contents.first_under_other_id(event, recall) {
            findings.push(Finding {
                code: FindingCode::SameFactNewId,
                record: Some(first),
            });
        }
        effects.push(Effect::Change {
            state: event.state,
            assumed,
        });
        let was_refused = has_versions && self.aggregates.was_refused(event.aggregate);
        self.open.explain(event, was_refused, recall, effects);
        self.write_receipt(&event.key, has_expired, recall);
        self.aggregates.set_state(event.aggregate, event.state);
        if has_versions {
            self.aggregates
                .set_next(event.aggregate, event.version.checked_add(1));
        }
    }

    /// Whether the risky action happens with this apply although something speaks against it.
    fn is_against_gate(&mut self, event: &Candidate, recall: &impl Recall) -> bool {
        let Some(rule) = &self.contract.gate else {
            return false;
        };
        if !self.gate_words.of(event.state, rule, recall).is_done {
            return false;
        }
        let state = self.aggregates.state(event.aggregate);
        let stood = state.map(|state| self.gate_words.of(state, rule, recall));
        let stood = stood.unwrap_or_default();
        if stood.is_done {
            return false;
        }
        let was_ready = stood.is_ready;
        let order = recall.find_order(recall.name_of(event.aggregate));
        let owner_objects = order.is_some_and(|id| {
            let compensated = self.contract.compensation.to.as_deref();
            let status = self.orders.status(id);
            self.orders.has_reviews(id)
                || self.orders.has_conflict(id)
                || status.is_some_and(|status| Some(recall.word_text(status)) == compensated)
        });
        self.aggregates.has_conflict(event.aggregate) || !was_ready || owner_objects
    }
}
