//! Where in the run things happened: counts over equal parts, for the picture.

use std::collections::BTreeSet;

use super::super::document::Prefix;
use super::model::{Part, Timeline};
use crate::model::{State, StepNo};

/// As many parts as the picture has columns.
const PARTS: u32 = 120;

/// Counts a run up to the prefix's step. `open` are the steps of open evidence, in order.
pub(super) fn timeline(
    prefix: &Prefix<'_>,
    open: &[StepNo],
    marked: &BTreeSet<StepNo>,
) -> Timeline {
    let steps = prefix.at.0;
    let parts = steps.min(PARTS);
    let end_of = |part: u32| {
        let end = u64::from(steps) * u64::from(part) / u64::from(parts.max(1));
        StepNo(u32::try_from(end).unwrap_or(u32::MAX))
    };
    let count = |part: u32| {
        let (before, last) = (end_of(part), end_of(part + 1));
        let mut counted = Part {
            first: before.after().0,
            last: last.0,
            ..Part::default()
        };
        let counts_before = prefix.history.state_counts(before);
        let counts = prefix.history.state_counts(last);
        for ((state, now), then) in State::ALL.iter().zip(counts).zip(counts_before) {
            *column(&mut counted, *state) += now - then;
        }
        let until = |step: StepNo| open.partition_point(|open| *open <= step);
        counted.open = u32::try_from(until(last) - until(before)).unwrap_or(u32::MAX);
        counted
    };
    Timeline {
        parts: (0..parts).map(count).collect(),
        marked: marked.iter().map(|step| step.0).collect(),
    }
}

fn column(part: &mut Part, state: State) -> &mut u32 {
    match state {
        State::Applied => &mut part.applied,
        State::Unreadable
        | State::Rejected
        | State::ContractUpdateRequired
        | State::Deferred
        | State::DeferralLimitReached
        | State::SameVersionRejected => &mut part.held_or_refused,
        State::OtherConsumer
        | State::DuplicateSuppressed
        | State::EventTypeIgnored
        | State::StaleIgnored => &mut part.routine,
        State::OrderRecorded
        | State::CompensationRecorded
        | State::CompensationAlreadyRecorded
        | State::ManualReview
        | State::BaselineRecorded => &mut part.owner,
    }
}
