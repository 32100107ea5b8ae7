//! The owner's side: what it states of an order, and what an outside party's "no" leads to.

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};

use super::decision::Decision;
use super::{Engine, Recall};
use crate::model::compact::Column;
use crate::model::{
    Effect, Finding, FindingCode, OrderId, ReasonId, RecordNo, State, Statement, Subject, WordId,
    reason,
};

/// What the owner's side knows of an order now.
#[derive(Clone, Copy, Debug, Default)]
struct OrderNow {
    version: u64,
    /// One more than the status' word; 0 until the owner has stated one.
    status: u32,
    has_conflict: bool,
    has_reviews: bool,
}

/// A review by what it is one per: order, version of the key, why, and the outside reason.
type ReviewKey = (OrderId, u64, ReasonId, WordId);

/// Orders by index.
#[derive(Debug, Default)]
pub(super) struct Orders {
    now: Column<OrderNow>,
    /// The refusals that led to compensations, by the version in their key.
    compensations: HashMap<(OrderId, u64), RecordNo, FixedState>,
    /// How often each review came up.
    reviews: HashMap<ReviewKey, u32, FixedState>,
    /// Keys that any review is open for.
    reviewed: HashSet<(OrderId, u64), FixedState>,
}

impl Orders {
    fn now(&self, id: OrderId) -> OrderNow {
        self.now.get(id.0 as usize).unwrap_or_default()
    }

    fn change(&mut self, id: OrderId, change: impl FnOnce(&mut OrderNow)) {
        if let Some(now) = self.now.slot(id.0 as usize, OrderNow::default()) {
            change(now);
        }
    }

    fn stated(&self, id: OrderId) -> Option<(WordId, u64)> {
        let now = self.now(id);
        Some((WordId(now.status.checked_sub(1)?), now.version))
    }

    fn state(&mut self, id: OrderId, status: WordId, version: u64) {
        self.change(id, |now| {
            now.status = status.0.saturating_add(1);
            now.version = version;
        });
    }

    /// The owner's status of an order.
    pub(super) fn status(&self, id: OrderId) -> Option<WordId> {
        self.stated(id).map(|(status, _)| status)
    }

    /// Whether the owner stated two statuses for one version.
    pub(super) fn has_conflict(&self, id: OrderId) -> bool {
        self.now(id).has_conflict
    }

    /// Whether a review of the order is open.
    pub(super) fn has_reviews(&self, id: OrderId) -> bool {
        self.now(id).has_reviews
    }

    fn review(&mut self, key: ReviewKey) -> u32 {
        self.change(key.0, |now| now.has_reviews = true);
        self.reviewed.insert((key.0, key.1));
        let occurrences = self.reviews.entry(key).or_insert(0);
        *occurrences = occurrences.saturating_add(1);
        *occurrences
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
        match self.orders.stated(id) {
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
                    self.orders.change(id, |now| now.has_conflict = true);
                    effects.push(Effect::OrderConflict);
                }
            }
            Some(_) | None => {
                self.orders.state(id, status, version);
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
        let why = self.objection(id, reason, key_version, recall);
        if let Some(first) = self.orders.compensations.get(&(id, key_version)) {
            decision.state = State::CompensationAlreadyRecorded;
            decision.first = Some(*first);
            return decision;
        }
        if let Some(why) = why {
            decision.state = State::ManualReview;
            decision.reason = Some(why);
            decision.count = Some(self.orders.review((id, key_version, why, reason)));
            effects.push(Effect::Review {
                key_version,
                why,
                reason,
            });
            return decision;
        }
        if self.orders.reviewed.contains(&(id, key_version)) {
            findings.push(Finding {
                code: FindingCode::ReviewStillOpen,
                record: None,
            });
        }
        let to = self.contract.compensation.to.as_deref();
        let status = recall.word(to.unwrap_or_default());
        // The last version there is has none after it; the order then stays at it.
        let version = key_version.saturating_add(1);
        self.orders.state(id, status, version);
        self.orders.compensations.insert((id, key_version), record);
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
        let Some((status, version)) = self.orders.stated(id) else {
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
        if self.aggregates.state(id).is_some() {
            return decision.refused(Some(reason::BASELINE_AFTER_EVENTS));
        }
        let state = recall.word(state);
        self.aggregates.set_state(id, state);
        self.aggregates.set_next(id, version.checked_add(1));
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
