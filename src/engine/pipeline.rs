//! The one place that branches over the stages and puts a step together.

use super::decision::Decision;
use super::dedup::Dedup;
use super::evidence::{Closer, closer_of_event};
use super::gaps::cause_of;
use super::version::Order;
use super::{Candidate, Engine, Key, Recall};
use crate::model::{
    AggregateId, Body, Cause, Delivery, Effect, Finding, FindingCode, Kind, Outcome, Passage,
    Record, RecordNo, Severity, State, Statement, StepNo, Subject,
};

/// Lists that every step fills anew.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    findings: Vec<Finding>,
    effects: Vec<Effect>,
}

/// Where an event that runs through the later stages comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source<'a> {
    /// It was delivered; how far it gets by itself is already known.
    Delivery,
    /// It waited, and its gap closed.
    Replay {
        /// The step that began the cascade.
        released_by: StepNo,
        /// The steps that this replay explains.
        explains: &'a [StepNo],
    },
}

impl Engine {
    /// Decides on the next record and appends what came of it: one step, and one for each event that
    /// it releases. Never fails: every record gets a state.
    pub fn take(&mut self, record: RecordNo, input: &Record<'_>, recall: &mut impl Recall) {
        self.scratch.findings.clear();
        self.scratch.effects.clear();
        self.compare_received_at(input);
        match &input.body {
            Body::Unreadable(why) => {
                let decision = Decision::new(
                    Kind::Unreadable,
                    record,
                    Subject::Unknown,
                    State::Unreadable,
                )
                .because(State::Unreadable, *why);
                self.append(decision, Closer::Person, recall);
            }
            Body::Delivery(delivery) => self.delivery(record, input, delivery, recall),
            Body::Statement(statement) => self.statement(record, statement, recall),
        }
    }

    fn compare_received_at(&mut self, input: &Record<'_>) {
        let Some(now) = input.received_at else {
            return;
        };
        if self.last_received_at.is_some_and(|last| now < last) {
            let finding = Finding {
                code: FindingCode::ReceivedAtWentBack,
                record: None,
            };
            self.scratch.findings.push(finding);
        }
        self.last_received_at = Some(now);
    }

    fn delivery(
        &mut self,
        record: RecordNo,
        input: &Record<'_>,
        delivery: &Delivery<'_>,
        recall: &mut impl Recall,
    ) {
        let source = delivery.source.as_deref().unwrap_or("");
        let aggregate = delivery
            .aggregate
            .as_deref()
            .map(|name| recall.aggregate_hashed(source, name, delivery.aggregate_hash));
        let found = delivery
            .findings
            .codes()
            .map(|code| Finding { code, record: None });
        self.scratch.findings.extend(found);
        if !matches!(
            delivery.passage,
            Passage::OtherConsumer | Passage::EnvelopeRejected(_)
        ) {
            self.learn(source, aggregate, record, recall);
        }
        let key = Key {
            record,
            hash: delivery.key_hash,
            received_at: input.received_at,
        };
        if let (Passage::Whole, Some(aggregate), Some(state)) =
            (delivery.passage, aggregate, delivery.state.as_deref())
        {
            let event = Candidate {
                key,
                aggregate,
                version: delivery.version.unwrap_or(0),
                content_hash: delivery.content_hash,
                state: recall.word(state),
            };
            self.event(&event, Source::Delivery, recall);
            return;
        }
        self.refused_delivery(key, delivery, aggregate, recall);
    }

    /// Learns how the source and the aggregate are spelled, the first time that they are seen.
    fn learn(
        &mut self,
        source: &str,
        aggregate: Option<AggregateId>,
        record: RecordNo,
        recall: &impl Recall,
    ) {
        if aggregate.is_some_and(|id| self.aggregates.learned_at(id).is_some()) {
            return;
        }
        let findings = &mut self.scratch.findings;
        let seen = (source, aggregate);
        self.near_misses
            .learn(seen, record, &self.aggregates, recall, findings);
        if let Some(id) = aggregate {
            self.aggregates.learn(id, record);
        }
    }

    /// A delivery that does not get past the stages that look at it alone, unless dedup stops it
    /// before the payload would.
    fn refused_delivery(
        &mut self,
        key: Key,
        delivery: &Delivery<'_>,
        aggregate: Option<AggregateId>,
        recall: &mut impl Recall,
    ) {
        let subject = aggregate.map_or(Subject::Unknown, Subject::Aggregate);
        let mut decision = Decision::new(Kind::Delivery, key.record, subject, State::OtherConsumer);
        decision.version = delivery.version;
        let mut findings = std::mem::take(&mut self.scratch.findings);
        let mut dedup = Dedup::Passes { has_expired: false };
        match delivery.passage {
            Passage::OtherConsumer | Passage::EnvelopeRejected(_) => {}
            Passage::SchemaNotAccepted => {
                let receipt = self.receipts.find(key.hash, key.record, recall);
                if let Some(first) =
                    receipt.filter(|first| !recall.same_content(*first, key.record))
                {
                    findings.push(Finding {
                        code: FindingCode::EventIdReused,
                        record: Some(first),
                    });
                }
            }
            Passage::TypeIgnored
            | Passage::PayloadRejected(_)
            | Passage::PayloadUnknown(_)
            | Passage::Whole => {
                dedup = self.dedup(&key, recall, &mut findings);
            }
        }
        self.scratch.findings = findings;
        let other_content = if let Dedup::Suppressed {
            first,
            other_content,
        } = dedup
        {
            decision.first = Some(first);
            decision.state = State::DuplicateSuppressed;
            other_content
        } else {
            decision = decision.stopped_by(delivery.passage);
            false
        };
        let carried = self.carried(delivery, aggregate);
        self.carry(decision.state, other_content, carried);
        let closer = closer_of_event(decision.state, &self.scratch.findings);
        let step = self.append(decision, closer, recall);
        if closer == Closer::Apply && delivery.key().is_some() {
            self.open.remember(step, key.record, key.hash);
        }
    }

    /// What a delivery carried, where a non-empty source, the aggregate and the version can be read.
    fn carried(
        &self,
        delivery: &Delivery<'_>,
        aggregate: Option<AggregateId>,
    ) -> Option<(AggregateId, u64)> {
        self.contract.version.as_ref()?;
        delivery
            .source
            .as_deref()
            .filter(|source| !source.is_empty())?;
        Some((aggregate?, delivery.version?))
    }

    fn carry(&mut self, state: State, other_content: bool, carried: Option<(AggregateId, u64)>) {
        if let Some(cause) = cause_of(state, other_content).filter(|_| carried.is_some()) {
            if let Some((id, _)) = carried.filter(|_| cause == Cause::NotAccepted) {
                self.aggregates.set_refused(id);
            }
            self.scratch.effects.push(Effect::Carry { cause });
        }
    }

    /// The stages that look at the past, for an event whose payload passes.
    pub(super) fn event(
        &mut self,
        event: &Candidate,
        source: Source<'_>,
        recall: &mut impl Recall,
    ) {
        let has_versions = self.contract.version.is_some();
        let mut findings = std::mem::take(&mut self.scratch.findings);
        let mut effects = std::mem::take(&mut self.scratch.effects);
        let kind = begin(event, source, &mut findings, &mut effects);
        let subject = Subject::Aggregate(event.aggregate);
        let mut decision = Decision::new(kind, event.key.record, subject, State::Applied);
        decision.version = has_versions.then_some(event.version);
        if let Source::Replay { released_by, .. } = source {
            decision.released_by = Some(released_by);
        }
        let other_content = match self.dedup(&event.key, recall, &mut findings) {
            Dedup::Suppressed {
                first,
                other_content: other,
            } => {
                decision.state = State::DuplicateSuppressed;
                decision.first = Some(first);
                // The payload stage comes after this one: what it would find was not found.
                findings.retain(|finding| !is_of_payload(finding.code));
                other
            }
            Dedup::Passes { has_expired } => {
                let order = if has_versions {
                    self.version(event, recall, &mut findings)
                } else {
                    Order::Next { assumed: false }
                };
                let other_content = self.settle(event, order, &mut decision, &mut effects);
                if let Order::Next { assumed } = order {
                    let begins = (assumed, has_expired);
                    self.apply(event, begins, recall, &mut findings, &mut effects);
                }
                other_content
            }
        };
        self.scratch.findings = findings;
        self.scratch.effects = effects;
        self.finish(event, decision, other_content, source, recall);
    }

    /// Turns the version stage's answer into a state; whether content differs comes back.
    fn settle(
        &mut self,
        event: &Candidate,
        order: Order,
        decision: &mut Decision,
        effects: &mut Vec<Effect>,
    ) -> bool {
        match order {
            Order::Next { .. } => false,
            Order::Gap { waiter } => {
                decision.state = State::Deferred;
                decision.waiter = Some(waiter);
                effects.push(Effect::Hold);
                false
            }
            Order::GapAgain {
                waiter,
                first,
                deliveries,
            } => {
                decision.state = State::Deferred;
                decision.waiter = Some(waiter);
                decision.first = first;
                decision.count = Some(deliveries);
                false
            }
            Order::Limit => {
                decision.state = State::DeferralLimitReached;
                false
            }
            Order::Same {
                holder,
                other_content,
            } => {
                decision.state = State::SameVersionRejected;
                decision.first = holder;
                if other_content {
                    self.conflict(event.aggregate, effects);
                }
                false
            }
            Order::Stale { holder } => {
                decision.state = State::StaleIgnored;
                decision.first = holder;
                false
            }
            Order::Recognised {
                holder,
                other_content,
            } => {
                decision.state = State::DuplicateSuppressed;
                decision.first = Some(holder);
                other_content
            }
        }
    }

    fn finish(
        &mut self,
        event: &Candidate,
        decision: Decision,
        other_content: bool,
        source: Source<'_>,
        recall: &mut impl Recall,
    ) {
        let carried = self
            .contract
            .version
            .as_ref()
            .map(|_| (event.aggregate, event.version));
        self.carry(decision.state, other_content, carried);
        let closer = closer_of_event(decision.state, &self.scratch.findings);
        let step = self.append(decision, closer, recall);
        match closer {
            Closer::Apply => {
                self.open.remember(step, event.key.record, event.key.hash);
            }
            Closer::Replay => {
                if let Some(waiter) = decision.waiter {
                    self.waiting.explain(waiter, step);
                }
            }
            Closer::Nobody | Closer::Person => {}
        }
        if decision.state == State::Applied && matches!(source, Source::Delivery) {
            self.cascade(event.aggregate, step, recall);
        }
    }

    fn statement(&mut self, record: RecordNo, statement: &Statement<'_>, recall: &mut impl Recall) {
        let mut findings = std::mem::take(&mut self.scratch.findings);
        let mut effects = std::mem::take(&mut self.scratch.effects);
        let mut decision = match statement.kind {
            Kind::Refusal => self.refusal(record, statement, &mut findings, &mut effects, recall),
            Kind::Baseline => self.baseline(record, statement, &mut effects, recall),
            Kind::Order | Kind::Delivery | Kind::Replay | Kind::Unreadable => {
                self.order(record, statement, &mut findings, &mut effects, recall)
            }
        };
        decision.version = statement.version;
        self.scratch.findings = findings;
        self.scratch.effects = effects;
        let closer = match closer_of_event(decision.state, &self.scratch.findings) {
            // An owner's record is never applied again, so only a person explains it.
            Closer::Apply | Closer::Replay | Closer::Person => Closer::Person,
            Closer::Nobody => Closer::Nobody,
        };
        let step = self.append(decision, closer, recall);
        if let (State::BaselineRecorded, Subject::Aggregate(id), Some(version)) =
            (decision.state, decision.subject, decision.version)
        {
            self.release_until(id, version, step, recall);
        }
    }

    /// Notes, once, that two facts claim one version.
    fn conflict(&mut self, id: AggregateId, effects: &mut Vec<Effect>) {
        if self.aggregates.begin_conflict(id) {
            effects.push(Effect::Conflict);
        }
    }

    /// Appends the step with what the scratch lists hold.
    fn append(&mut self, decision: Decision, closer: Closer, recall: &mut impl Recall) -> StepNo {
        let mut findings = std::mem::take(&mut self.scratch.findings);
        let mut effects = std::mem::take(&mut self.scratch.effects);
        findings.sort_unstable();
        findings.dedup();
        if let Subject::Aggregate(id) = decision.subject
            && findings.iter().any(is_version_conflict)
        {
            self.conflict(id, &mut effects);
        }
        if closer != Closer::Nobody {
            effects.push(Effect::Evidence {
                by_person: closer == Closer::Person,
            });
        }
        let step = recall.append(&Outcome {
            kind: decision.kind,
            record: decision.record,
            state: decision.state,
            reason: decision.reason,
            subject: decision.subject,
            version: decision.version,
            first: decision.first,
            count: decision.count,
            released_by: decision.released_by,
            findings: &findings,
            effects: &effects,
        });
        findings.clear();
        effects.clear();
        self.scratch.findings = findings;
        self.scratch.effects = effects;
        step
    }
}

/// Findings of the payload stage, which a record shows before dedup could stop it.
fn is_of_payload(code: FindingCode) -> bool {
    matches!(
        code,
        FindingCode::DefaultUsed | FindingCode::SubjectMismatch | FindingCode::VersionBeyondDouble
    )
}

/// A conflict finding other than action-against-gate puts a version conflict on the aggregate.
fn is_version_conflict(finding: &Finding) -> bool {
    finding.code.severity() == Severity::Conflict && finding.code != FindingCode::ActionAgainstGate
}

/// What a replay brings with it before any stage runs.
fn begin(
    event: &Candidate,
    source: Source<'_>,
    findings: &mut Vec<Finding>,
    effects: &mut Vec<Effect>,
) -> Kind {
    match source {
        Source::Delivery => Kind::Delivery,
        Source::Replay { explains, .. } => {
            findings.clear();
            effects.clear();
            effects.push(Effect::Release {
                record: event.key.record,
            });
            effects.extend(explains.iter().map(|step| Effect::Resolve { step: *step }));
            Kind::Replay
        }
    }
}
