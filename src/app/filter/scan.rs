//! The steps that pass a filter, found in portions from the first step on, so that a long capture
//! stops no key. What history knows is tested here; what only the bytes tell is asked outside, and
//! only of those steps that pass the rest.
//!
//! ```text
//! steps ──(history's tests)──▶ asked ──(answers, in order)──▶ hits
//! ```

use std::collections::VecDeque;

use crate::history::{EvidenceStatus, History, Step};
use crate::model::{Kind, RecordNo, State, StepNo, Subject};

use super::super::list::Focus;
use super::{BytesTerm, Filter, Pattern, Term, Test};

/// What a portion may cost, so that it is over within a part of a frame; in looks at a column.
const PORTION: usize = 60_000;

/// What a step costs that more than its state is asked of, beside one that is not.
const WHOLE_STEP: usize = 8;

/// What a leap costs over all that have another reason or finding.
const LEAP: usize = 60;

/// With so many marks not all of them have a place.
const MOST_MARKS: usize = super::super::marked::MOST;

/// Hits that are counted in a portion.
const COUNTED: usize = 8_000;

/// Steps that may wait for an answer.
const ASKED: usize = 100_000;

/// What is looked for. A scan that looks for the same need not begin anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::app) struct Wanted {
    pub(in crate::app) filter: Filter,
    /// Only steps about this.
    pub(in crate::app) focus: Option<Focus>,
    /// A record counts once, by its own step and not by its replay.
    pub(in crate::app) without_replays: bool,
    /// Which marks and which end of the capture the answers hold for, where they depend on them.
    pub(in crate::app) as_of: (u64, bool),
}

/// What a scan asks of the rest of the model.
#[derive(Clone, Copy)]
pub(in crate::app) struct Facts<'a> {
    pub(in crate::app) history: &'a History,
    pub(in crate::app) is_closed: &'a dyn Fn(StepNo) -> bool,
    pub(in crate::app) is_marked: &'a dyn Fn(&Step<'_>) -> bool,
    /// Where the marks stand, in order.
    pub(in crate::app) marked: &'a [StepNo],
    /// Whether a version that is missing is marked.
    pub(in crate::app) has_missing_marks: bool,
}

/// A scan under way, and what it has found.
#[derive(Clone, Debug)]
pub(in crate::app) struct Scan {
    pub(in crate::app) number: u64,
    wanted: Wanted,
    /// Tests of history, and tests of bytes.
    terms: Vec<Term>,
    bytes: Vec<BytesTerm>,
    /// All up to here was looked at.
    seen: StepNo,
    asked: VecDeque<StepNo>,
    hits: Vec<StepNo>,
    /// The last step when this scan last reached it.
    end: Option<StepNo>,
    /// Of so many hits it is known how many are to review.
    counted: usize,
    to_review: usize,
    /// How many of them nothing in the capture explains, marked or not.
    open: usize,
}

impl Scan {
    pub(in crate::app) fn new(number: u64, wanted: Wanted) -> Self {
        let (bytes, terms): (Vec<Term>, Vec<Term>) = wanted
            .filter
            .terms
            .iter()
            .cloned()
            .partition(|term| matches!(term.test, Test::Bytes(_)));
        let bytes = bytes
            .into_iter()
            .filter_map(|term| match term.test {
                Test::Bytes(test) => Some(BytesTerm {
                    is_negated: term.is_negated,
                    test,
                }),
                Test::State(_)
                | Test::Reason(_)
                | Test::Finding(_)
                | Test::Aggregate(_)
                | Test::Open
                | Test::Waiting
                | Test::Marked => None,
            })
            .collect();
        Self {
            number,
            wanted,
            terms,
            bytes,
            seen: StepNo(0),
            asked: VecDeque::new(),
            hits: Vec::new(),
            end: None,
            counted: 0,
            to_review: 0,
            open: 0,
        }
    }

    /// What it looks for.
    pub(in crate::app) fn wanted(&self) -> &Wanted {
        &self.wanted
    }

    /// The tests that only bytes can answer.
    pub(in crate::app) fn bytes(&self) -> &[BytesTerm] {
        &self.bytes
    }

    /// The steps found so far, in order.
    pub(in crate::app) fn hits(&self) -> &[StepNo] {
        &self.hits
    }

    /// Whether everything that is read so far was looked at.
    pub(in crate::app) fn is_done(&self, history: &History) -> bool {
        self.end == Some(history.last_step()) && self.asked.is_empty()
    }

    /// Up to where it is known which steps pass.
    pub(in crate::app) fn known_until(&self) -> StepNo {
        self.asked.front().map_or(self.seen, |step| step.before())
    }

    /// How many of the hits are to review, once all of them were counted.
    pub(in crate::app) fn to_review(&self) -> Option<usize> {
        (self.counted == self.hits.len()).then_some(self.to_review)
    }

    /// What is to review changed: counted again.
    pub(in crate::app) fn recount(&mut self) {
        self.counted = 0;
        self.to_review = 0;
        self.open = 0;
    }

    /// How many of the hits nothing in the capture explains, once all of them were counted.
    pub(in crate::app) fn open(&self) -> Option<usize> {
        (self.counted == self.hits.len()).then_some(self.open)
    }

    /// Whether there is anything left to look at or to count.
    pub(in crate::app) fn wants_more(&self, history: &History) -> bool {
        !self.is_done(history) || self.counted < self.hits.len()
    }

    /// Looks at the next portion. The records come back that have to be looked at outside; their
    /// answers come with [`Scan::answer`], in the same order.
    pub(in crate::app) fn advance(&mut self, facts: &Facts<'_>) -> Vec<RecordNo> {
        let last = facts.history.last_step();
        let mut ask = Vec::new();
        let leaps = |term: &Term| matches!(term.test, Test::Reason(_) | Test::Finding(_));
        let cost = if self.is_told_by_state() {
            1
        } else if self.terms.iter().any(leaps) {
            LEAP
        } else {
            WHOLE_STEP
        };
        for _ in 0..PORTION / cost {
            if self.asked.len() >= ASKED {
                break;
            }
            let Some(step) = self.candidate(facts, last) else {
                self.seen = last;
                self.end = Some(last);
                break;
            };
            self.seen = step;
            if !self.passes(step, facts) {
                continue;
            }
            if self.bytes.is_empty() {
                self.hits.push(step);
            } else if let Some((record, ..)) = facts.history.outline(step) {
                self.asked.push_back(step);
                ask.push(record);
            }
        }
        self.count(facts);
        ask
    }

    /// Whether a step's state alone says whether it passes, as far as history knows.
    fn is_told_by_state(&self) -> bool {
        let is_state = |term: &Term| matches!(term.test, Test::State(_));
        self.terms.iter().all(is_state)
    }

    /// Takes in what the bytes of the records asked about say, in the order of the questions.
    pub(in crate::app) fn answer(&mut self, passes: &[bool]) {
        for passes in passes {
            let Some(step) = self.asked.pop_front() else {
                return;
            };
            if *passes {
                self.hits.push(step);
            }
        }
    }

    /// The next step that may pass. Each test that history has an index for leaps to the next step
    /// that passes it; none before the farthest of them can pass all.
    fn candidate(&self, facts: &Facts<'_>, last: StepNo) -> Option<StepNo> {
        let (history, from) = (facts.history, self.seen);
        let mut farthest = from.after();
        if let Some(focus) = &self.wanted.focus {
            farthest = history.neighbour(&focus.name, focus.id, from, true)?;
        }
        for term in self.terms.iter().filter(|term| !term.is_negated) {
            farthest = farthest.max(leap(&term.test, facts, from)?);
        }
        Some(farthest).filter(|step| *step <= last)
    }

    fn passes(&self, step: StepNo, facts: &Facts<'_>) -> bool {
        let Some((_, kind, state)) = facts.history.outline(step) else {
            return false;
        };
        if self.wanted.without_replays && kind == Kind::Replay {
            return false;
        }
        let of_state = |term: &Term| match &term.test {
            Test::State(states) => is_one_of(states, state) != term.is_negated,
            Test::Reason(_)
            | Test::Finding(_)
            | Test::Aggregate(_)
            | Test::Open
            | Test::Waiting
            | Test::Marked
            | Test::Bytes(_) => true,
        };
        if !self.terms.iter().all(of_state) {
            return false;
        }
        if self.is_told_by_state() {
            return true;
        }
        facts.history.step(step).is_some_and(|step| {
            let mut terms = self.terms.iter();
            terms.all(|term| holds(&term.test, &step, facts) != term.is_negated)
        })
    }

    /// A portion of the hits, looked at for what is to review.
    fn count(&mut self, facts: &Facts<'_>) {
        let last = facts.history.last_step();
        let until = self.hits.len().min(self.counted + COUNTED);
        let fresh = self.hits.get(self.counted..until).unwrap_or_default();
        for step in fresh {
            let status = facts.history.evidence_status(*step, last);
            if matches!(status, EvidenceStatus::Open { .. }) {
                self.open += 1;
                self.to_review += usize::from(!(facts.is_closed)(*step));
            }
        }
        self.counted = until;
    }
}

/// The next step after `from` that may pass a test.
fn leap(test: &Test, facts: &Facts<'_>, from: StepNo) -> Option<StepNo> {
    let history = facts.history;
    match test {
        Test::State(states) => history.find_state(from, true, states),
        Test::Open => history.next_open_evidence(from, history.last_step()),
        Test::Waiting => history.find_state(from, true, &MAY_WAIT),
        Test::Reason(reasons) => {
            history.next_reason(from, |reason| reasons.contains(&reason), usize::MAX)
        }
        Test::Finding(codes) => {
            let seen = codes
                .iter()
                .filter(|code| history.finding_sign(**code).is_some());
            let next = seen.filter_map(|code| history.next_finding(from, *code, usize::MAX));
            next.min()
        }
        Test::Aggregate(patterns) => {
            let exact: Option<Vec<&str>> = patterns.iter().map(Pattern::exact).collect();
            match exact {
                Some(names) => {
                    let next = names
                        .iter()
                        .filter_map(|name| next_named(history, name, from));
                    next.min()
                }
                None => Some(from.after()),
            }
        }
        Test::Marked if facts.marked.len() >= MOST_MARKS => Some(from.after()),
        Test::Marked => {
            // A mark on a missing version shows on every event that waits for it.
            let waits = (facts.has_missing_marks)
                .then(|| history.find_state(from, true, &[State::Deferred]))
                .flatten();
            next_of(facts.marked, from, true)
                .into_iter()
                .chain(waits)
                .min()
        }
        Test::Bytes(_) => Some(from.after()),
    }
}

/// The next step about an aggregate or order of such an id, under whatever source.
fn next_named(history: &History, name: &str, from: StepNo) -> Option<StepNo> {
    let ids = history.aggregates_named(name).map(Some).chain([None]);
    let next = ids.filter_map(|id| history.neighbour(name, id, from, true));
    next.min()
}

fn is_to_review(step: StepNo, at: StepNo, facts: &Facts<'_>) -> bool {
    let status = facts.history.evidence_status(step, at);
    matches!(status, EvidenceStatus::Open { .. }) && !(facts.is_closed)(step)
}

fn holds(test: &Test, step: &Step<'_>, facts: &Facts<'_>) -> bool {
    let history = facts.history;
    match test {
        Test::State(states) => is_one_of(states, step.state),
        Test::Reason(reasons) => step.reason.is_some_and(|reason| reasons.contains(&reason)),
        Test::Finding(codes) => step
            .findings
            .iter()
            .any(|finding| codes.contains(&finding.code)),
        Test::Aggregate(patterns) => history
            .subject_name(step.subject)
            .is_some_and(|name| patterns.iter().any(|pattern| pattern.fits(name))),
        Test::Waiting => is_waiting(history, step),
        Test::Open => is_to_review(step.number, history.last_step(), facts),
        Test::Marked => (facts.is_marked)(step),
        // Asked outside.
        Test::Bytes(_) => true,
    }
}

/// States of what waits, or of what carried a version in vain.
const MAY_WAIT: [State; 6] = [
    State::Deferred,
    State::DeferralLimitReached,
    State::Rejected,
    State::ContractUpdateRequired,
    State::DuplicateSuppressed,
    State::EventTypeIgnored,
];

/// Whether a step is deferred still, or a cause of the gap, of an aggregate that waits now.
fn is_waiting(history: &History, step: &Step<'_>) -> bool {
    let Subject::Aggregate(id) = step.subject else {
        return false;
    };
    let last = history.last_step();
    if history.waiting_for(id, last).is_none() {
        return false;
    }
    let is_held = step.state == State::Deferred
        && step.kind == Kind::Delivery
        && history
            .replay_of_record(step.first.unwrap_or(step.record))
            .is_none();
    is_held
        || history.gap_causes(id, last).iter().any(|cause| {
            cause
                .carrier
                .is_some_and(|carrier| carrier.step == step.number)
        })
}

fn is_one_of(states: &[State], state: State) -> bool {
    states.contains(&state)
}

/// The next of some sorted steps after a step, or the last before it.
pub(in crate::app) fn next_of(steps: &[StepNo], from: StepNo, forward: bool) -> Option<StepNo> {
    if forward {
        steps
            .get(steps.partition_point(|step| *step <= from))
            .copied()
    } else {
        let before = steps.partition_point(|step| *step < from);
        steps.get(before.checked_sub(1)?).copied()
    }
}
