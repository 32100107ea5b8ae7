//! The owner's side: what it states of an order, and what an outside party's "no" leads to.

use super::decision::Decision;
use super::{Engine, Recall};
use crate::model::compact::{Column, TagTable, hash_of};
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ReviewKey {
    order: OrderId,
    version: u64,
    why: ReasonId,
    reason: WordId,
}

/// A compensation by its key, with the refusal that led to it.
#[derive(Clone, Copy, Debug)]
struct Compensated {
    order: OrderId,
    version: u64,
    record: RecordNo,
}

/// Orders by index.
#[derive(Debug, Default)]
pub(super) struct Orders {
    now: Column<OrderNow>,
    compensations: Column<Compensated>,
    compensation_table: TagTable,
    /// Every review, with how often it came up.
    reviews: Column<(ReviewKey, u32)>,
    review_table: TagTable,
    /// The first review of every order and version.
    reviewed: TagTable,
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

    /// The refusal that led to the compensation under this key.
    fn compensated(&self, order: OrderId, version: u64) -> Option<RecordNo> {
        let get = |index: u32| self.compensations.get(index as usize);
        let is_it = |index| {
            get(index).is_some_and(|known| (known.order, known.version) == (order, version))
        };
        let found = self
            .compensation_table
            .find(key_hash(order, version), is_it);
        get(found?).map(|known| known.record)
    }

    fn compensate(&mut self, order: OrderId, version: u64, record: RecordNo) {
        self.compensation_table
            .insert(key_hash(order, version), index_of(self.compensations.len()));
        self.compensations.push(Compensated {
            order,
            version,
            record,
        });
    }

    /// Whether any review is open for this key.
    fn is_reviewed(&self, order: OrderId, version: u64) -> bool {
        let is_it = |index: u32| {
            let known = self.reviews.get(index as usize);
            known.is_some_and(|(known, _)| (known.order, known.version) == (order, version))
        };
        self.reviewed
            .find(key_hash(order, version), is_it)
            .is_some()
    }

    /// Notes that a review came up; how often it has so far comes back.
    fn review(&mut self, key: ReviewKey) -> u32 {
        let hash = hash_of((key.order.0, key.version, key.why.0, key.reason.0));
        let is_it = |index: u32| {
            let known = self.reviews.get(index as usize);
            known.is_some_and(|(known, _)| known == key)
        };
        if let Some(index) = self.review_table.find(hash, is_it) {
            let known = self.reviews.get_mut(index as usize);
            return known.map_or(1, |(_, occurrences)| {
                *occurrences = occurrences.saturating_add(1);
                *occurrences
            });
        }
        let index = index_of(self.reviews.len());
        if !self.is_reviewed(key.order, key.version) {
            self.reviewed
                .insert(key_hash(key.order, key.version), index);
        }
        self.change(key.order, |now| now.has_reviews = true);
        self.reviews.push((key, 1));
        self.review_table.insert(hash, index);
        1
    }
}

fn key_hash(order: OrderId, version: u64) -> u64 {
    hash_of((order.0, version))
}

fn index_of(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
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
        if let Some(first) = self.orders.compensated(id, key_version) {
            decision.state = State::CompensationAlreadyRecorded;
            decision.first = Some(first);
            return decision;
        }
        if let Some(why) = why {
            decision.state = State::ManualReview;
            decision.reason = Some(why);
            decision.count = Some(self.orders.review(ReviewKey {
                order: id,
                version: key_version,
                why,
                reason,
            }));
            effects.push(Effect::Review {
                key_version,
                why,
                reason,
            });
            return decision;
        }
        if self.orders.is_reviewed(id, key_version) {
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
        self.orders.compensate(id, key_version, record);
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
