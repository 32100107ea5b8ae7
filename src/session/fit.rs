//! A capture that fits its contract badly: nearly everything is refused for one reason. Whoever looks
//! must hear that first, before any single step.

use crate::history::History;
use crate::model::{FindingCode, ReasonId, State};

/// Below this many refused steps a capture is judged step by step.
const FEWEST: u32 = 3;

/// How badly a capture fits, and by what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadFit {
    /// The one reason.
    pub reason: ReasonId,
    /// Steps refused for it.
    pub refused: u32,
    /// Steps so far.
    pub steps: u32,
}

/// Whether nine in ten steps so far were refused for one reason.
pub fn bad_fit(history: &History) -> Option<BadFit> {
    let (reason, refused) = history.commonest_reason()?;
    let steps = history.last_step().0;
    let badly = refused >= FEWEST && u64::from(refused) * 10 >= u64::from(steps) * 9;
    badly.then_some(BadFit {
        reason,
        refused,
        steps,
    })
}

/// Whether the capture starts in mid-stream: half of its steps wait from the first record on.
fn starts_in_mid_stream(history: &History) -> bool {
    let steps = u64::from(history.last_step().0);
    let of = |sign: Option<crate::history::Sign>| sign.map_or(0, |sign| u64::from(sign.count));
    let strangers = of(history.finding_sign(FindingCode::NoBaseline));
    let deferred = of(history.state_sign(State::Deferred));
    strangers >= u64::from(FEWEST) && deferred * 2 >= steps
}

/// The same in words, with the way out.
pub fn bad_fit_text(history: &History, contract_name: &str) -> Option<String> {
    if starts_in_mid_stream(history) {
        return Some(
            "half of the steps or more wait for an earlier version: the capture seems to start in \
             mid-stream; state a baseline record, or start with --baseline first-seen"
                .to_owned(),
        );
    }
    let fit = bad_fit(history)?;
    let reason = history.reason_name(fit.reason);
    let unreadable = history
        .state_counts(history.last_step())
        .get(State::Unreadable as usize)
        .is_some_and(|count| *count >= fit.refused);
    let way_out = if unreadable {
        "replayscope reads CloudEvents and its own records as JSON: is this another format?"
    } else {
        "if these events are meant to be read, name their contract with --contract (cloudevents fits any CloudEvents capture)"
    };
    Some(format!(
        "{} of {} steps are refused for one reason, {reason}: this capture hardly fits the contract {contract_name}; {way_out}",
        fit.refused, fit.steps
    ))
}
