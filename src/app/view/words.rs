//! States, reasons, causes and gates in the words of the screen: each said in one place.

use crate::history::{Gate, History, Step};
use crate::model::{
    Cause, FindingCode, GapCause, GateReason, Kind, OrderId, ReasonId, State, StepNo, Subject,
    reason,
};

use super::super::class::Class;
use super::super::line::Line;
use super::super::role::Role;
use super::super::tally::Why;

/// What a step came to: sign, word, and what goes with it.
pub(super) fn outcome(history: &History, step: &Step<'_>) -> Line {
    let class = Class::of(step.state);
    let role = Role::Class(class);
    let line = Line::own(role, format!("{} ", class.sign()));
    with_finding(line.join(decided(history, step, role)), step, role)
}

fn with_finding(line: Line, step: &Step<'_>, role: Role) -> Line {
    match step.heaviest_finding() {
        Some(code) if !is_told(step.state, code) => line.with(role, format!(", {}", code.name())),
        Some(_) | None => line,
    }
}

/// The same where there is little room: the sign says the state, and the words what decided.
pub(super) fn outcome_in_short(history: &History, step: &Step<'_>) -> Line {
    let class = Class::of(step.state);
    let role = Role::Class(class);
    let line = Line::own(role, format!("{} ", class.sign()));
    let reason = step.reason.map(|reason| history.reason_name(reason));
    let first = step.first.map(|record| record.to_string());
    let is_new_id = has(step, FindingCode::SameFactNewId);
    let line = match (step.state, reason, first) {
        (State::Deferred, ..) => line.join(waits(history, step, role)),
        (
            State::Rejected
            | State::ContractUpdateRequired
            | State::ManualReview
            | State::Unreadable,
            Some(reason),
            _,
        ) => line.with(role, reason),
        (State::DeferralLimitReached, ..) => line.with(role, "too many wait"),
        (State::SameVersionRejected, _, Some(first)) if is_new_id => {
            line.with(role, format!("same as {first}, new id"))
        }
        (State::SameVersionRejected, _, Some(first)) => {
            line.with(role, format!("same version as {first}"))
        }
        (State::StaleIgnored, ..) => line.with(role, "stale"),
        (State::OtherConsumer, ..) => line.with(role, "other consumer"),
        (State::EventTypeIgnored, ..) => line.with(role, "type ignored"),
        (State::OrderRecorded | State::CompensationRecorded, ..) => {
            let words = owner_after(history, step).text();
            // Safe already: it was one line's text.
            line.with(role, words.trim_start_matches(": "))
        }
        (State::CompensationAlreadyRecorded, _, Some(first)) => {
            line.with(role, format!("decided by {first}"))
        }
        _ => line.join(decided(history, step, role)),
    };
    with_finding(line, step, role)
}

/// When what a delivery deferred was replayed.
pub(super) fn replayed_at(history: &History, step: &Step<'_>) -> Option<StepNo> {
    let is_deferral = step.state == State::Deferred && step.kind == Kind::Delivery;
    let waits = is_deferral.then(|| step.first.unwrap_or(step.record))?;
    history.replay_of_record(waits)
}

fn decided(history: &History, step: &Step<'_>, role: Role) -> Line {
    let first = step
        .first
        .map_or_else(|| "an earlier one".to_owned(), |record| record.to_string());
    let reason = step.reason.map_or("", |reason| history.reason_name(reason));
    match step.state {
        State::Applied => applied(history, step, role),
        State::Deferred => deferred(history, step, role),
        State::DuplicateSuppressed => {
            Line::own(role, "duplicate").with(Role::Text, format!(" of {first}"))
        }
        State::SameVersionRejected if has(step, FindingCode::SameFactNewId) => {
            Line::own(role, "same version").with(Role::Text, format!(" as {first}, new id"))
        }
        State::SameVersionRejected if step.first.is_some() => {
            Line::own(role, "same version").with(Role::Text, format!(" as {first}, other content"))
        }
        State::SameVersionRejected => {
            Line::own(role, "same version").with(Role::Text, " as the projection")
        }
        State::StaleIgnored => Line::own(role, "stale").with(Role::Text, stale(history, step)),
        State::Rejected => Line::own(role, "refused").with(Role::Text, format!(": {reason}")),
        State::ContractUpdateRequired => {
            Line::own(role, "contract update").with(Role::Text, format!(": {reason}"))
        }
        State::DeferralLimitReached => {
            Line::own(role, "refused").with(Role::Text, ": too many wait already")
        }
        State::OtherConsumer => {
            Line::own(role, "ignored").with(Role::Text, ": for another consumer")
        }
        State::EventTypeIgnored => {
            Line::own(role, "ignored").with(Role::Text, ": of no interest by its type")
        }
        State::Unreadable => Line::own(role, "unreadable").with(Role::Text, format!(": {reason}")),
        State::ManualReview => Line::own(role, "review").with(Role::Text, format!(": {reason}")),
        State::OrderRecorded => Line::own(role, "recorded").join(owner_after(history, step)),
        State::CompensationRecorded => {
            Line::own(role, "compensation").join(owner_after(history, step))
        }
        State::CompensationAlreadyRecorded => {
            Line::own(role, "compensation").with(Role::Text, format!(" decided already by {first}"))
        }
        State::BaselineRecorded => Line::own(role, "recorded").with(Role::Text, " as the baseline"),
    }
}

fn applied(history: &History, step: &Step<'_>, role: Role) -> Line {
    let line = Line::own(role, "applied");
    let root = step.released_by.and_then(|root| history.step(root));
    match root {
        Some(root) => line.with(Role::Text, format!(", released by {}", root.record)),
        None => line,
    }
}

fn deferred(history: &History, step: &Step<'_>, role: Role) -> Line {
    let waits = waits(history, step, Role::Text);
    if waits.cells() == 0 {
        return Line::own(role, "deferred");
    }
    Line::own(role, "deferred")
        .with(Role::Text, ", ")
        .join(waits)
}

/// What a deferred event waits for.
fn waits(history: &History, step: &Step<'_>, role: Role) -> Line {
    let next = match step.subject {
        Subject::Aggregate(id) => history.next_version(id, step.number),
        Subject::Order(_) | Subject::Unknown => None,
    };
    let Some(version) = next else {
        return Line::default();
    };
    let line = Line::own(role, format!("waits for v{version}"));
    match step.count {
        Some(count) if count > 1 => line.with(Role::Text, format!(", delivery {count}")),
        Some(_) | None => line,
    }
}

fn stale(history: &History, step: &Step<'_>) -> String {
    let version = match step.subject {
        Subject::Aggregate(id) => history.projection(id, step.number).version,
        Subject::Order(_) | Subject::Unknown => None,
    };
    version.map_or_else(String::new, |version| {
        format!(", projection is at v{version}")
    })
}

fn owner_after(history: &History, step: &Step<'_>) -> Line {
    let Subject::Order(id) = step.subject else {
        return Line::default();
    };
    let taken = history
        .owner_order(id, step.number)
        .filter(|order| order.step == step.number);
    match taken {
        Some(order) => Line::own(Role::Text, ": ")
            .value(Role::Text, history.word(order.status))
            .with(Role::Text, format!(" v{}", order.version)),
        None => not_taken(history, step, id),
    }
}

/// What the owner's order stays at, where a record of it changes nothing: it is no news, or the
/// owner contradicts itself.
fn not_taken(history: &History, step: &Step<'_>, id: OrderId) -> Line {
    let words = if has(step, FindingCode::OwnerVersionConflict) {
        ": another status; stays "
    } else if has(step, FindingCode::OwnerVersionWentBack) {
        ": older; stays "
    } else {
        ": as known, "
    };
    let line = Line::own(Role::Text, words);
    match history.owner_order(id, step.number) {
        Some(order) => line
            .value(Role::Text, history.word(order.status))
            .with(Role::Text, format!(" v{}", order.version)),
        None => line.with(Role::Text, "unknown"),
    }
}

fn has(step: &Step<'_>, code: FindingCode) -> bool {
    step.findings.iter().any(|finding| finding.code == code)
}

/// Whether the state's own words say it already.
fn is_told(state: State, code: FindingCode) -> bool {
    matches!(
        (state, code),
        (State::SameVersionRejected, FindingCode::SameFactNewId)
            | (
                State::OrderRecorded,
                FindingCode::OwnerVersionConflict | FindingCode::OwnerVersionWentBack
            )
    )
}

/// What a state means for whoever has to explain it.
pub(super) fn state_meaning(state: State) -> &'static str {
    match state {
        State::Unreadable => "The bytes could not be taken apart: nobody knows what they said.",
        State::OtherConsumer => "Addressed to another consumer.",
        State::Rejected => "The input breaks the contract: no effect, no receipt.",
        State::ContractUpdateRequired => {
            "The contract does not know this yet: no effect, and it can be applied later."
        }
        State::DuplicateSuppressed => "Applied before, and not applied again.",
        State::EventTypeIgnored => "A type that the contract says to ignore.",
        State::Deferred => "Kept, not applied: an earlier version is missing.",
        State::DeferralLimitReached => "Turned away: too many wait for this aggregate already.",
        State::SameVersionRejected => "Another event holds this version already.",
        State::StaleIgnored => "Older than where the projection stands.",
        State::Applied => "Applied, with a receipt.",
        State::OrderRecorded => "The owner's statement was recorded.",
        State::CompensationRecorded => "The owner decided a compensation.",
        State::CompensationAlreadyRecorded => "This compensation had been decided before.",
        State::ManualReview => "The engine does not decide this: a person has to.",
        State::BaselineRecorded => "The stated baseline was taken over.",
    }
}

/// Why a person has to decide a refusal.
pub(super) fn review_meaning(why: ReasonId) -> &'static str {
    match why {
        reason::UNKNOWN_REASON => {
            "The contract does not know this reason: it proves no refusal, so nothing is cancelled."
        }
        reason::OWNER_UNKNOWN => "The owner has said nothing of this order.",
        reason::VERSION_MISMATCH => {
            "The refusal names another version than the one that the owner's order is at."
        }
        reason::OWNER_NOT_COMPENSABLE => "The order's status does not allow a compensation.",
        _ => "The refusal could not be acted on.",
    }
}

/// Why something is evidence, for the summary.
pub(super) fn why(history: &History, why: Why) -> Line {
    match why {
        Why::Finding(code, state) => Line::own(Role::Class(Class::Conflict), code.name())
            .with(Role::Text, format!(" ({})", state.name())),
        Why::State(state, reason) => {
            let role = Role::Class(Class::of(state));
            let line = Line::own(role, state.name());
            match reason {
                Some(reason) => {
                    line.with(Role::Text, format!(": {}", reason_name(history, reason)))
                }
                None => line,
            }
        }
    }
}

fn reason_name(history: &History, reason: ReasonId) -> &str {
    history.reason_name(reason)
}

/// Why the version that is waited for is missing; `comes` says that it may still come later.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what else carried it was refused"
)]
pub(super) fn gap_cause(history: &History, cause: &GapCause, version: u64, comes: bool) -> Line {
    let waits = Line::own(Role::Class(Class::Deferred), format!("for v{version}"));
    let Some(carrier) = cause.carrier else {
        let words = if cause.cause == Cause::BeingReleased {
            ", which is being replayed"
        } else if comes {
            ", not seen so far"
        } else {
            ", never seen in this capture"
        };
        return waits.with(Role::Text, words);
    };
    let what = match cause.cause {
        Cause::SuppressedAsIdReuse => "was suppressed: its id had other content",
        Cause::Ignored => "was ignored by its type",
        Cause::NotAccepted | Cause::NeverSeen | Cause::BeingReleased => match carrier.state {
            State::DeferralLimitReached => "was turned away: too many waited",
            State::ContractUpdateRequired => "needs a contract update",
            _ => "was refused",
        },
    };
    let line = waits
        .with(Role::Text, ": ")
        .with(Role::Changed, carrier.record.to_string())
        // In the middle, so that it never stands alone on a line of its own.
        .with(Role::Key, " (gd)")
        .with(Role::Text, format!(" {what}"));
    let line = match carrier.reason {
        Some(reason) => line.with(Role::Text, format!(", {}", history.reason_name(reason))),
        None => line,
    };
    line.leads_to(Some(carrier.step))
}

/// Why a gate is shut, in words.
pub(super) fn gate_reason(
    history: &History,
    gate: &Gate,
    order: OrderId,
    reason: GateReason,
    at: StepNo,
) -> String {
    let projection = gate
        .candidate
        .map(|candidate| history.projection(candidate, at));
    let owner = history.owner_order(order, at);
    match reason {
        GateReason::OwnerStatus => {
            let status = owner.map_or("nothing", |order| history.word(order.status));
            format!("owner {status}")
        }
        GateReason::VersionMismatch => {
            let owner = owner.map_or(0, |order| order.version);
            match projection.and_then(|projection| projection.version) {
                Some(version) => format!("owner v{owner}, projection v{version}"),
                None => format!("owner v{owner}, projection without version"),
            }
        }
        GateReason::ProjectionState => {
            let state = projection.and_then(|projection| projection.state);
            match state {
                Some(state) => format!("projection {}", history.word(state)),
                None => "projection without state".to_owned(),
            }
        }
        GateReason::DeferredEvents => "events deferred".to_owned(),
        GateReason::VersionConflict => "version conflict".to_owned(),
        GateReason::OpenReview => "review open".to_owned(),
        GateReason::OwnerConflict => "owner contradicts itself".to_owned(),
        GateReason::ProjectionMissing => "no projection".to_owned(),
        GateReason::AmbiguousSource => "several sources".to_owned(),
    }
}

/// What keys do with a text that was there before.
pub(super) fn preselected_help() -> Line {
    Line::own(Role::Dim, "typing replaces; arrows edit; ")
        .with(Role::Key, "Ctrl-u")
        .with(Role::Dim, " clears")
}

/// What a filter can say.
pub(super) fn filter_help(width: usize) -> Line {
    let keys = "state: reason: finding: aggregate: id: source: type: after: before:";
    let line = Line::own(Role::Text, keys);
    let rest = " waiting marked open -not, or any words";
    if line.cells() + rest.len() <= width {
        line.with(Role::Text, rest)
    } else {
        line.with(Role::Text, " waiting").with(Role::Key, " Tab")
    }
}
