//! Apply: the effect with its receipt, and what a person should know of it.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::{Candidate, Engine, Recall};
use crate::model::{AggregateId, Effect, Finding, FindingCode, RecordNo};

/// What was applied to an aggregate without versions, by content: the first record, and the first
/// with another key than that one, which together answer "which other id came first?".
#[derive(Debug, Default)]
pub(super) struct Contents {
    first: HashMap<(AggregateId, u64), (RecordNo, Option<RecordNo>), FixedState>,
}

impl Contents {
    /// The first record under another id with the same content; `event` is remembered.
    fn first_under_other_id(
        &mut self,
        event: &Candidate,
        recall: &mut impl Recall,
    ) -> Option<RecordNo> {
        let record = event.key.record;
        let slot = (event.aggregate, event.content_hash);
        let Some((first, second)) = self.first.get_mut(&slot) else {
            self.first.insert(slot, (record, None));
            return None;
        };
        // A hash alone is no identity.
        if !recall.same_content(*first, record) {
            return None;
        }
        if recall.same_key(*first, record) {
            return *second;
        }
        second.get_or_insert(record);
        Some(*first)
    }
}

impl Engine {
    /// The stage for one event: everything changes here or nothing does.
    pub(super) fn apply(
        &mut self,
        event: &Candidate,
        assumed: bool,
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
        self.open.explain(event, has_versions, recall, effects);
        self.write_receipt(&event.key, recall);
        let now = self.now(event.aggregate);
        now.state = Some(event.state);
        if has_versions {
            now.next = event.version.checked_add(1);
        }
    }

    /// Whether the risky action happens with this apply although something speaks against it.
    fn is_against_gate(&mut self, event: &Candidate, recall: &impl Recall) -> bool {
        let now = *self.now(event.aggregate);
        let Some(gate) = &self.contract.gate else {
            return false;
        };
        let lists =
            |list: &[String], word| list.iter().any(|listed| listed == recall.word_text(word));
        let was_done = now
            .state
            .is_some_and(|state| lists(&gate.done_states, state));
        if !lists(&gate.done_states, event.state) || was_done {
            return false;
        }
        let was_ready = now
            .state
            .is_some_and(|state| lists(&gate.projection_states, state));
        let order = recall.find_order(recall.name_of(event.aggregate));
        let owner_objects = order
            .and_then(|order| self.orders.get(order))
            .is_some_and(|order| {
                let compensated = self.contract.compensation.to.as_deref();
                let is_compensated = order
                    .status()
                    .is_some_and(|status| Some(recall.word_text(status)) == compensated);
                order.has_reviews() || order.has_conflict() || is_compensated
            });
        now.has_conflict || !was_ready || owner_objects
    }
}
