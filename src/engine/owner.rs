//! The owner's side: what it states of an order, and what an outside party's "no" leads to.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::pipeline::Decision;
use super::{Engine, Recall};
use crate::model::{
    Effect, Finding, FindingCode, OrderId, ReasonId, RecordNo, State, Statement, Subject, WordId,
    reason,
};

/// A review by what it is one per: key, why, and the outside reason.
#[derive(Clone, Copy, Debug)]
struct ReviewNow {
    key_version: u64,
    why: ReasonId,
    reason: WordId,
    occurrences: u32,
}

/// What the owner's side knows of an order now.
#[derive(Debug, Default)]
pub(super) struct OrderNow {
    stated: Option<(WordId, u64)>,
    has_conflict: bool,
    /// Compensations by the version in their key, with the record that led to each.
    compensations: HashMap<u64, RecordNo, FixedState>,
    reviews: Vec<ReviewNow>,
}

impl OrderNow {
    pub(super) fn status(&self) -> Option<WordId> {
        self.stated.map(|(status, _)| status)
    }

    pub(super) fn has_conflict(&self) -> bool {
        self.has_conflict
    }

    pub(super) fn has_reviews(&self) -> bool {
        !self.reviews.is_empty()
    }

    fn review(&mut self, key_version: u64, why: ReasonId, reason: WordId) -> u32 {
        let same = |review: &&mut ReviewNow| {
            (review.key_version, review.why, review.reason) == (key_version, why, reason)
        };
        if let Some(review) = self.reviews.iter_mut().find(same) {
            review.occurrences = review.occurrences.saturating_add(1);
            return review.occurrences;
        }
        self.reviews.push(ReviewNow {
            key_version,
            why,
            reason,
            occurrences: 1,
        });
        1
    }
}

/// Orders by index.
#[derive(Debug, Default)]
pub(super) struct Orders {
    by_id: HashMap<OrderId, OrderNow, FixedState>,
}

impl Orders {
    pub(super) fn get(&self, id: OrderId) -> Option<&OrderNow> {
        self.by_id.get(&id)
    }

    fn get_mut(&mut self, id: OrderId) -> &mut OrderNow {
        self.by_id.entry(id).or_default()
    }
}

impl Engine {
    /// `order`: the owner states status and version. Only a newer version is taken over.
    pub(super) fn order(
        &mut self,
        record: RecordNo,
        statement: &Statement<'_>,
        findings: &mut Vec<Finding>,
        effects: &mut Vec<Effect>,
        recall: &mut impl Recall,
    ) -> Decision {
        let subject = order_subject(statement, recall);
        let mut decision = Decision::new(statement.kind, record, subject, State::OrderRecorded);
        let Some((id, status, version)) = complete(statement, subject, recall) else {
            return decision.refused(statement.refused);
        };
        decision.version = Some(version);
        let order = self.orders.get_mut(id);
        match order.stated {
            Some((_, known)) if version < known => {
                findings.push(Finding {
                    code: FindingCode::OwnerVersionWentBack,
                    record: None,
                });
            }
            Some((known_status, known)) if version == known => {
                if known_status != status {
                    findings.push(Finding {
                        code: FindingCode::OwnerVersionConflict,
                        record: None,
                    });
                    order.has_conflict = true;
                    effects.push(Effect::OrderConflict);
                }
            }
            Some(_) | None => {
                order.stated = Some((status, version));
                effects.push(Effect::Order { status, version });
            }
        }
        decision
    }

    /// `refusal`: the compensation decision, in the order of contract.md's six checks.
    pub(super) fn refusal(
        &mut self,
        record: RecordNo,
        statement: &Statement<'_>,
        findings: &mut Vec<Finding>,
        effects: &mut Vec<Effect>,
        recall: &mut impl Recall,
    ) -> Decision {
        let subject = order_subject(statement, recall);
        let mut decision =
            Decision::new(statement.kind, record, subject, State::CompensationRecorded);
        let Some((id, reason, key_version)) = complete(statement, subject, recall) else {
            return decision.refused(statement.refused);
        };
        let to = self.contract.compensation.to.clone().unwrap_or_default();
        let why = self.objection(id, reason, key_version, recall);
        let order = self.orders.get_mut(id);
        if let Some(first) = order.compensations.get(&key_version) {
            decision.state = State::CompensationAlreadyRecorded;
            decision.first = Some(*first);
            return decision;
        }
        if let Some(why) = why {
            decision.state = State::ManualReview;
            decision.reason = Some(why);
            decision.count = Some(order.review(key_version, why, reason));
            effects.push(Effect::Review {
                key_version,
                why,
                reason,
            });
            return decision;
        }
        if order
            .reviews
            .iter()
            .any(|review| review.key_version == key_version)
        {
            findings.push(Finding {
                code: FindingCode::ReviewStillOpen,
                record: None,
            });
        }
        let status = recall.word(&to);
        // The last version there is has none after it; the order then stays at it.
        let version = key_version.saturating_add(1);
        order.stated = Some((status, version));
        order.compensations.insert(key_version, record);
        effects.push(Effect::Order { status, version });
        effects.push(Effect::Compensation {
            key_version,
            reason,
        });
        decision
    }

    /// Why a refusal leads to a person and not to a compensation: the first that holds.
    fn objection(
        &self,
        id: OrderId,
        reason: WordId,
        key_version: u64,
        recall: &impl Recall,
    ) -> Option<ReasonId> {
        let lists =
            |list: &[String], word| list.iter().any(|listed| listed == recall.word_text(word));
        let compensation = &self.contract.compensation;
        if !lists(&compensation.reasons, reason) {
            return Some(reason::UNKNOWN_REASON);
        }
        let Some((status, version)) = self.orders.get(id).and_then(|order| order.stated) else {
            return Some(reason::OWNER_UNKNOWN);
        };
        if version != key_version {
            return Some(reason::VERSION_MISMATCH);
        }
        (!lists(&compensation.from, status)).then_some(reason::OWNER_NOT_COMPENSABLE)
    }

    /// `baseline`: an operator states where a projection stood when the capture began.
    pub(super) fn baseline(
        &mut self,
        record: RecordNo,
        statement: &Statement<'_>,
        effects: &mut Vec<Effect>,
        recall: &mut impl Recall,
    ) -> Decision {
        let name = statement.aggregate.as_deref();
        let source = statement.source.as_deref().unwrap_or("");
        let aggregate = name.map(|name| recall.aggregate(source, name));
        let subject = aggregate.map_or(Subject::Unknown, Subject::Aggregate);
        let mut decision = Decision::new(statement.kind, record, subject, State::BaselineRecorded);
        decision.version = statement.version;
        let (Some(id), Some(version), Some(state), None) = (
            aggregate,
            statement.version,
            statement.word.as_deref(),
            statement.refused,
        ) else {
            return decision.refused(statement.refused);
        };
        let first = self.first_version();
        if !self.contract.within_boundary(source) {
            return decision.refused(Some(self.contract.outside_boundary));
        }
        let Some(first) = first else {
            return decision.refused(Some(reason::CONTRACT_HAS_NO_VERSION));
        };
        if version < first.saturating_sub(1) {
            return decision.refused(Some(reason::INVALID_VERSION));
        }
        let now = self.now(id);
        if now.state.is_some() {
            return decision.refused(Some(reason::BASELINE_AFTER_EVENTS));
        }
        let state = recall.word(state);
        now.state = Some(state);
        now.next = version.checked_add(1);
        effects.push(Effect::Change {
            state,
            assumed: false,
        });
        decision
    }
}

fn order_subject(statement: &Statement<'_>, recall: &mut impl Recall) -> Subject {
    let name = statement.aggregate.as_deref();
    name.map_or(Subject::Unknown, |name| Subject::Order(recall.order(name)))
}

/// Order, word and version of a statement that has all its members.
fn complete(
    statement: &Statement<'_>,
    subject: Subject,
    recall: &mut impl Recall,
) -> Option<(OrderId, WordId, u64)> {
    let Subject::Order(id) = subject else {
        return None;
    };
    let word = statement
        .word
        .as_deref()
        .filter(|_| statement.refused.is_none())?;
    Some((id, recall.word(word), statement.version?))
}
