//! A capture that fits its contract badly: nearly everything is refused for one reason. Whoever looks
//! must hear that first, before any single step.

use crate::history::History;
use crate::model::{FindingCode, ReasonId, State, reason};

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

/// Where to look when records could not be read.
const FORMATS: &str = "replayscope trace FILE --explain-format tells what was tried, and the README \
                       which formats open";

/// The same where a template was given.
const TEMPLATE: &str = "give --kcat-format the very template that kcat -f was given; replayscope trace FILE \
                        --explain-format tells what was expected where";

/// What is wrong with the capture as a whole, and the way out.
struct Misfit {
    problem: String,
    way_out: &'static str,
}

fn misfit(history: &History, contract_name: &str) -> Option<Misfit> {
    if starts_in_mid_stream(history) {
        return Some(Misfit {
            problem: "half of the steps or more wait for an earlier version: the capture seems to \
                      start in mid-stream"
                .to_owned(),
            way_out: "start with --baseline first-seen, or state a baseline record",
        });
    }
    let fit = bad_fit(history)?;
    let is_template = fit.reason == reason::TEMPLATE_MISMATCH;
    let fitted = if is_template {
        "the template".to_owned()
    } else {
        format!("the contract {contract_name}")
    };
    let way_out = if is_template {
        TEMPLATE
    } else if unreadable(history) >= fit.refused {
        FORMATS
    } else {
        "name the events' contract with --contract (cloudevents fits any CloudEvents capture), or let \
         replayscope contract init FILE propose one"
    };
    Some(Misfit {
        problem: format!(
            "{} of {} steps are refused for one reason, {}: this capture hardly fits {fitted}",
            fit.refused,
            fit.steps,
            history.reason_name(fit.reason),
        ),
        way_out,
    })
}

fn unreadable(history: &History) -> u32 {
    let counts = history.state_counts(history.last_step());
    counts.get(State::Unreadable as usize).copied().unwrap_or(0)
}

/// The same in words, with the way out.
pub fn bad_fit_text(history: &History, contract_name: &str) -> Option<String> {
    let Misfit { problem, way_out } = misfit(history, contract_name)?;
    Some(format!("{problem}; {way_out}"))
}

/// The same for a line that may be cut at its end: the way out first.
pub fn bad_fit_notice(history: &History, contract_name: &str) -> Option<String> {
    let Misfit { problem, way_out } = misfit(history, contract_name)?;
    Some(format!("{way_out}: {problem}"))
}

/// What to say of a capture none of whose records could be read.
pub fn unread_text(history: &History) -> Option<String> {
    let records = history.last_record().0;
    let is_so = records > 0 && unreadable(history) == records;
    let what = match records {
        1 => "the one record could not be read".to_owned(),
        _ => format!("none of the {records} records could be read"),
    };
    let is_template = history
        .commonest_reason()
        .is_some_and(|(why, _)| why == reason::TEMPLATE_MISMATCH);
    let way_out = if is_template { TEMPLATE } else { FORMATS };
    is_so.then(|| format!("{what}: {way_out}"))
}
