//! Open evidence by what it is: counted in small portions, so that a long capture stops no key.

use std::collections::BTreeMap;

use crate::history::History;
use crate::model::{FindingCode, ReasonId, State, StepNo};

/// Pieces of evidence counted at a time.
const PORTION: usize = 20_000;

/// What a person would call a piece of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// A finding that weighs more than the state, with the state.
    Finding(FindingCode, State),
    /// The state, with its reason.
    State(State, Option<ReasonId>),
}

impl Why {
    /// Why a step is evidence.
    pub(super) fn of(history: &History, step: StepNo) -> Option<Self> {
        let step = history.step(step)?;
        Some(match step.heaviest_finding() {
            Some(code) => Self::Finding(code, step.state),
            None => Self::State(step.state, step.reason),
        })
    }
}

/// The count so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    counts: BTreeMap<Why, (u32, StepNo)>,
    next: StepNo,
    at: StepNo,
    is_done: bool,
}

impl Tally {
    /// Whether everything is counted.
    pub(super) fn is_done(&self) -> bool {
        self.is_done
    }

    /// Counts on, as of the end of what is read; what grew meanwhile is counted from the start.
    pub(super) fn count(&mut self, history: &History, is_closed: impl Fn(StepNo) -> bool) {
        let at = history.last_step();
        if self.at != at {
            *self = Self {
                at,
                ..Self::default()
            };
        }
        for _ in 0..PORTION {
            let Some(step) = history.next_open_evidence(self.next, at) else {
                self.is_done = true;
                return;
            };
            self.next = step;
            if let Some(why) = Why::of(history, step).filter(|_| !is_closed(step)) {
                self.counts.entry(why).or_insert((0, step)).0 += 1;
            }
        }
    }

    /// What there is with how much of it and its first step, the most first.
    pub(super) fn by_count(&self) -> Vec<(Why, u32, StepNo)> {
        let counts = self.counts.iter();
        let mut rows: Vec<_> = counts
            .map(|(why, (count, first))| (*why, *count, *first))
            .collect();
        rows.sort_by_key(|(_, count, first)| (std::cmp::Reverse(*count), *first));
        rows
    }
}
