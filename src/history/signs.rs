//! How often something was seen so far, and where first: what the Guide asks of a capture.

use super::History;
use crate::model::{AggregateId, Finding, FindingCode, Outcome, ReasonId, State, StepNo};

/// How often something was seen, and where first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sign {
    /// Steps that show it.
    pub count: u32,
    /// The first of them.
    pub first: StepNo,
}

/// Signs by what they are of, as of the last step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Signs {
    findings: Vec<Option<Sign>>,
    reasons: Vec<Option<Sign>>,
    states: Vec<Option<Sign>>,
    replays: Option<Sign>,
    /// Versions that an event with other content holds.
    other_content: Option<Sign>,
}

fn note(signs: &mut Vec<Option<Sign>>, index: usize, step: StepNo) {
    if signs.len() <= index {
        signs.resize(index + 1, None);
    }
    if let Some(sign) = signs.get_mut(index) {
        see(sign, step);
    }
}

fn see(sign: &mut Option<Sign>, step: StepNo) {
    match sign {
        Some(sign) => sign.count += 1,
        None => {
            *sign = Some(Sign {
                count: 1,
                first: step,
            });
        }
    }
}

impl Signs {
    pub(super) fn note(&mut self, step: StepNo, outcome: &Outcome<'_>) {
        note(&mut self.states, outcome.state as usize, step);
        if let Some(reason) = outcome.reason {
            note(&mut self.reasons, usize::from(reason.0), step);
        }
        for finding in outcome.findings {
            note(&mut self.findings, finding.code as usize, step);
        }
        let is_same_fact = |finding: &Finding| finding.code == FindingCode::SameFactNewId;
        if outcome.state == State::SameVersionRejected && !outcome.findings.iter().any(is_same_fact)
        {
            see(&mut self.other_content, step);
        }
        if outcome.released_by.is_some() {
            see(&mut self.replays, step);
        }
    }
}

impl History {
    /// How often a finding was seen, and where first.
    pub fn finding_sign(&self, code: FindingCode) -> Option<Sign> {
        self.steps
            .signs
            .findings
            .get(code as usize)
            .copied()
            .flatten()
    }

    /// How often a state was seen, and where first.
    pub fn state_sign(&self, state: State) -> Option<Sign> {
        self.steps
            .signs
            .states
            .get(state as usize)
            .copied()
            .flatten()
    }

    /// How often a reason was seen, and where first.
    pub fn reason_sign(&self, reason: ReasonId) -> Option<Sign> {
        self.steps
            .signs
            .reasons
            .get(usize::from(reason.0))
            .copied()
            .flatten()
    }

    /// How often a version was refused that another event with other content holds.
    pub fn other_content_sign(&self) -> Option<Sign> {
        self.steps.signs.other_content
    }

    /// The next step after `from` whose version another event with other content holds.
    pub fn next_other_content(&self, from: StepNo) -> Option<StepNo> {
        let is_same_fact = |finding: &Finding| finding.code == FindingCode::SameFactNewId;
        let mut at = from;
        loop {
            at = self.find_state(at, true, &[State::SameVersionRejected])?;
            if !self.findings(at).iter().any(is_same_fact) {
                return Some(at);
            }
        }
    }

    /// How many events were replayed, and the first replay.
    pub fn replay_sign(&self) -> Option<Sign> {
        self.steps.signs.replays
    }

    /// The next replay after a step.
    pub fn next_replay(&self, from: StepNo) -> Option<StepNo> {
        let replays = self.steps.replays.steps();
        let next = replays.partition_point(|step| step <= from.0);
        replays.get(next).map(StepNo)
    }

    /// The next step after `from` whose reason is wanted, among the next `most` that have a reason.
    pub fn next_reason(
        &self,
        from: StepNo,
        wanted: impl Fn(ReasonId) -> bool,
        most: usize,
    ) -> Option<StepNo> {
        let steps = self.steps.reasons.steps();
        let next = steps.partition_point(|step| step <= from.0);
        let mut later = (next..steps.len()).take(most);
        let found = later.find(|index| self.steps.reasons.value(*index).is_some_and(&wanted));
        steps.get(found?).map(StepNo)
    }

    /// The next step after `from` with a finding, among the next `most` that have any.
    pub fn next_finding(&self, from: StepNo, code: FindingCode, most: usize) -> Option<StepNo> {
        let steps = self.steps.finding_starts.steps();
        let next = steps.partition_point(|step| step <= from.0);
        let later = steps.iter_from(next).take(most).map(StepNo);
        let has = |step: &StepNo| {
            let found = self.findings(*step);
            found.iter().any(|finding| finding.code == code)
        };
        later.into_iter().find(has)
    }

    /// Every reason that was seen so far.
    pub fn reasons_seen(&self) -> impl Iterator<Item = (ReasonId, Sign)> + '_ {
        let signs = self.steps.signs.reasons.iter().zip(0u16..);
        signs.filter_map(|(sign, index)| Some((ReasonId(index), (*sign)?)))
    }

    /// The reason that most steps have so far, with how many do.
    pub fn commonest_reason(&self) -> Option<(ReasonId, u32)> {
        let most = self.reasons_seen().max_by_key(|(_, sign)| sign.count)?;
        Some((most.0, most.1.count))
    }

    /// Aggregates that ever deferred, carried a version in vain or came into conflict, in the order
    /// they did: whatever waits is among them.
    pub fn troubled_aggregates(&self) -> &[AggregateId] {
        self.troubles.ids()
    }
}
