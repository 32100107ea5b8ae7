//! What led to a step, and what a step led to: where `gd` and `gr` go.

use crate::history::{History, OwnerOrder, Step};
use crate::model::{
    AggregateId, Finding, FindingCode, GapCarrier, Kind, RecordNo, State, StepNo, Subject, reason,
};

/// A step that a key leads to, and what it has to do with where one comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) step: StepNo,
    pub(super) why: &'static str,
}

/// Which way one goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Causes,
    Released,
}

/// Several targets, of which each press of the key shows the next.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    pub(super) way: Way,
    pub(super) targets: Vec<Target>,
    pub(super) at: usize,
}

/// Targets that are kept of one step.
const MOST: usize = 1_000;

struct Causes<'a> {
    history: &'a History,
    step: &'a Step<'a>,
    at: StepNo,
    targets: Vec<Target>,
}

/// What led to a step, as of step `at`, the nearest first. Empty where its own content alone did.
pub(super) fn causes(history: &History, step: &Step<'_>, at: StepNo) -> Vec<Target> {
    let mut causes = Causes {
        history,
        step,
        at,
        targets: Vec::new(),
    };
    causes.against_action();
    causes.add(step.released_by, "began the cascade that released this");
    causes.of_state();
    for finding in step.findings {
        let named = finding.record.and_then(|record| causes.before(record));
        causes.add(named, "is what its finding speaks of");
    }
    if causes.targets.is_empty()
        && let Subject::Aggregate(id) = step.subject
    {
        causes.of_gap(id, at);
    }
    causes.targets
}

impl Causes<'_> {
    fn add(&mut self, step: Option<StepNo>, why: &'static str) {
        let Some(found) = step.filter(|found| *found != self.step.number) else {
            return;
        };
        let known = self.targets.iter().any(|target| target.step == found);
        if !known && self.targets.len() < MOST {
            self.targets.push(Target { step: found, why });
        }
    }

    /// The step that a record stood for when this step was taken.
    fn before(&self, record: RecordNo) -> Option<StepNo> {
        self.history
            .latest_step_of_record(record, self.step.number.before())
    }

    /// What the gate saw that speaks against the action of this step.
    fn against_action(&mut self) {
        for (step, why) in against_action(self.history, self.step) {
            self.add(Some(step), why);
        }
    }

    fn of_state(&mut self) {
        let first = self.step.first.and_then(|record| self.before(record));
        match self.step.state {
            State::Deferred | State::DeferralLimitReached => {
                if let Subject::Aggregate(id) = self.step.subject {
                    self.of_deferral(id);
                }
                self.add(first, "waits already with the same source and id");
            }
            State::DuplicateSuppressed => self.add(first, "holds the receipt"),
            State::SameVersionRejected | State::StaleIgnored => {
                self.add(first, "holds this version");
            }
            State::CompensationAlreadyRecorded => self.add(first, "decided this key"),
            State::ManualReview => self.of_review(),
            State::Unreadable
            | State::OtherConsumer
            | State::Rejected
            | State::ContractUpdateRequired
            | State::EventTypeIgnored
            | State::Applied
            | State::OrderRecorded
            | State::CompensationRecorded
            | State::BaselineRecorded => {}
        }
    }

    /// Whoever carried the missing version in vain, then whoever brought it.
    fn of_deferral(&mut self, id: AggregateId) {
        let now = self.step.number;
        let missing = self.history.next_version(id, now);
        self.of_gap(id, now);
        if self.history.waiting_for(id, self.at) == missing {
            self.of_gap(id, self.at);
        }
        let bringer = missing
            .and_then(|version| self.history.holder(id, version))
            .and_then(|record| self.history.latest_step_of_record(record, self.at));
        self.add(bringer, "brings the missing version");
    }

    fn of_gap(&mut self, id: AggregateId, at: StepNo) {
        for cause in self.history.gap_causes(id, at) {
            let step = cause.carrier.map(|carrier: GapCarrier| carrier.step);
            self.add(step, "carried the missing version in vain");
        }
    }

    fn of_review(&mut self) {
        let Subject::Order(id) = self.step.subject else {
            return;
        };
        let by_owner = [reason::VERSION_MISMATCH, reason::OWNER_NOT_COMPENSABLE];
        if self.step.reason.is_some_and(|why| by_owner.contains(&why)) {
            let order = self.history.owner_order(id, self.step.number.before());
            self.add(order.map(|order| order.step), "is where the owner stood");
        }
    }
}

/// What spoke against the risky action that a step took, in turn, each with the step that shows it;
/// empty for any other step. As of the step before, as the gate saw it.
pub(super) fn against_action(history: &History, step: &Step<'_>) -> Vec<(StepNo, &'static str)> {
    let is_against = |finding: &Finding| finding.code == FindingCode::ActionAgainstGate;
    let Subject::Aggregate(id) = step.subject else {
        return Vec::new();
    };
    let Some(rule) = history.terms().gate.as_ref() else {
        return Vec::new();
    };
    if !step.findings.iter().any(is_against) {
        return Vec::new();
    }
    let before = step.number.before();
    let mut steps = Vec::new();
    if let Some(order) = history.find_order(history.name_of(id)) {
        let stands = history.owner_order(order, before);
        let is_shut = |stands: &OwnerOrder| {
            let status = history.word(stands.status);
            !rule.owner_statuses.iter().any(|known| known == status)
        };
        if let Some(stands) = stands.filter(is_shut) {
            let decided = history
                .compensations_of(order, before)
                .any(|made| made.step == stands.step);
            let why = if decided {
                "is the owner's decision that the action went against"
            } else {
                "is the owner's statement that the action went against"
            };
            steps.push((stands.step, why));
        }
        let conflict = history.owner_conflict(order, before);
        steps.extend(conflict.map(|since| (since, "is where the owner contradicted itself")));
        let reviews = history.reviews_of(order, before);
        let opened = reviews.iter().map(|review| review.first_step);
        steps.extend(opened.map(|step| (step, "opened the review that no one had closed")));
    }
    let conflict = history.version_conflict(id, before);
    steps.extend(conflict.map(|since| (since, "is the version conflict that was not settled")));
    let projection = history.projection(id, before);
    let is_ready = projection.state.is_some_and(|state| {
        let state = history.word(state);
        rule.projection_states.iter().any(|known| known == state)
    });
    if let Some(stood) = projection.step.filter(|_| !is_ready) {
        steps.push((
            stood,
            "is where the projection stood, not ready for the action",
        ));
    }
    steps
}

/// What a step released, or for an event that waits the step at which it was replayed; as of step
/// `at`.
pub(super) fn released(history: &History, step: &Step<'_>, at: StepNo) -> Vec<Target> {
    let own_replay = (step.state == State::Deferred && step.kind == Kind::Delivery)
        .then(|| {
            let waits = step.first.unwrap_or(step.record);
            history.replay_of_record(waits)
        })
        .flatten();
    let target = |step, why| Target { step, why };
    let replays = history.released_by(step.number);
    own_replay
        .map(|step| target(step, "is its replay"))
        .into_iter()
        .chain(replays.map(|step| target(step, "was released")))
        .filter(|target| target.step <= at)
        .take(MOST)
        .collect()
}
