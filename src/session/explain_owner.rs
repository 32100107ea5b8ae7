//! The checks of the owner's records in words: an order's statement, a refusal's six, a baseline's.

use super::explain::Scene;
use crate::history::History;
use crate::model::{Kind, ReasonId, StageView, State, Subject, Verdict, reason};

const OWNERS_SIDE: &str = "the contract, The owner's side";

/// One check: its name, what it looks at, the rule, and whether it is the one that decided.
struct Check {
    name: &'static str,
    inputs: String,
    rule: String,
    decides: bool,
    passed: &'static str,
}

/// The checks of an owner's or operator's record, in the order they are made.
pub(super) fn checks(scene: &Scene<'_>) -> Vec<StageView> {
    let checks = match scene.step.kind {
        Kind::Refusal => refusal(scene),
        Kind::Baseline => baseline(scene),
        Kind::Order | Kind::Delivery | Kind::Replay | Kind::Unreadable => order(scene),
    };
    let mut views = vec![scene.read_view()];
    let mut decided = false;
    for check in checks {
        let verdict = if decided {
            Verdict::NotReached
        } else if check.decides {
            if ended_well(scene.step.state) {
                Verdict::Decided
            } else {
                Verdict::Stopped
            }
        } else {
            Verdict::Passed
        };
        let outcome = match verdict {
            Verdict::NotReached => "not reached".to_owned(),
            Verdict::Passed => check.passed.to_owned(),
            Verdict::Decided | Verdict::Stopped => outcome(scene),
        };
        decided |= check.decides;
        views.push(StageView {
            name: check.name,
            verdict,
            inputs: check.inputs,
            rule: check.rule,
            outcome,
            source: OWNERS_SIDE,
        });
    }
    views
}

fn ended_well(state: State) -> bool {
    matches!(
        state,
        State::OrderRecorded | State::CompensationRecorded | State::BaselineRecorded
    )
}

fn outcome(scene: &Scene<'_>) -> String {
    let state = scene.step.state.name();
    let reason = scene
        .step
        .reason
        .map(|reason| scene.history.reason_name(reason));
    let first = scene
        .step
        .first
        .map_or_else(String::new, |first| format!(" by {first}"));
    let count = scene
        .step
        .count
        .map_or_else(String::new, |count| format!(", occurrence {count}"));
    match reason {
        Some(reason) => format!("{state}: {reason}{count}"),
        None => format!("{state}{first}{}", change(scene)),
    }
}

/// What became of the owner's order, or of the projection.
fn change(scene: &Scene<'_>) -> String {
    let (history, at) = (scene.history, scene.step.number);
    match scene.step.subject {
        Subject::Order(id) => {
            let now = history.owner_order(id, at).filter(|now| now.step == at);
            now.map_or_else(String::new, |now| {
                format!(": {} v{}", history.word(now.status), now.version)
            })
        }
        Subject::Aggregate(id) => {
            let state = history.projection(id, at).state;
            state.map_or_else(String::new, |state| format!(": {}", history.word(state)))
        }
        Subject::Unknown => String::new(),
    }
}

fn members(scene: &Scene<'_>, names: &str) -> Check {
    Check {
        name: "members",
        inputs: about(scene),
        rule: format!("{names} are there and of their types"),
        decides: scene.step.state == State::Rejected
            && is_missing(scene.history, scene.step.reason),
        passed: "all there",
    }
}

fn is_missing(history: &History, reason: Option<ReasonId>) -> bool {
    reason.is_some_and(|reason| history.reason_name(reason).starts_with("missing-"))
}

fn about(scene: &Scene<'_>) -> String {
    let name = scene.seen.text.aggregate.as_deref().unwrap_or("?");
    let version = scene
        .seen
        .text
        .version
        .map_or_else(|| "no version".to_owned(), |version| format!("v{version}"));
    format!("{name} {version}")
}

fn known(scene: &Scene<'_>) -> String {
    let Subject::Order(id) = scene.step.subject else {
        return "no order".to_owned();
    };
    let before = scene.history.owner_order(id, scene.step.number.before());
    before.map_or_else(
        || "the owner has said nothing of it".to_owned(),
        |order| {
            format!(
                "the owner's order is {} v{}",
                scene.history.word(order.status),
                order.version
            )
        },
    )
}

fn order(scene: &Scene<'_>) -> Vec<Check> {
    vec![
        members(scene, "id, status and version"),
        Check {
            name: "version",
            inputs: format!("{}; {}", about(scene), known(scene)),
            rule: "a version above the known one is taken over; a lower one, or the same with another status, is not"
                .to_owned(),
            decides: true,
            passed: "",
        },
    ]
}

fn refusal(scene: &Scene<'_>) -> Vec<Check> {
    let version = scene.seen.text.version.unwrap_or(0);
    let order = scene.seen.text.aggregate.as_deref().unwrap_or("?");
    let compensation = &scene.contract.compensation;
    let because =
        |reason| scene.step.reason == Some(reason) && scene.step.state == State::ManualReview;
    let check = |name, inputs: String, rule: String, decides, passed| Check {
        name,
        inputs,
        rule,
        decides,
        passed,
    };
    vec![
        members(scene, "orderId, orderVersion and reason"),
        check(
            "key",
            scene.contract.compensation_key(order, version),
            "not decided yet under this key".to_owned(),
            scene.step.state == State::CompensationAlreadyRecorded,
            "not decided yet",
        ),
        check(
            "reason",
            "the refusal's reason".to_owned(),
            format!("one of {}", listed(&compensation.reasons)),
            because(reason::UNKNOWN_REASON),
            "a reason that proves a no",
        ),
        check(
            "owner",
            known(scene),
            "the owner has stated the order".to_owned(),
            because(reason::OWNER_UNKNOWN),
            "known",
        ),
        check(
            "version",
            format!("the refusal names v{version}; {}", known(scene)),
            "the same version".to_owned(),
            because(reason::VERSION_MISMATCH),
            "the same",
        ),
        check(
            "status",
            known(scene),
            format!("one of {}", listed(&compensation.from)),
            because(reason::OWNER_NOT_COMPENSABLE),
            "may be compensated",
        ),
        check(
            "record",
            format!("{order} v{version}"),
            format!(
                "status becomes {}, version + 1",
                compensation.to.as_deref().unwrap_or("nothing")
            ),
            scene.step.state == State::CompensationRecorded,
            "",
        ),
    ]
}

fn baseline(scene: &Scene<'_>) -> Vec<Check> {
    let because = |reason| scene.step.reason == Some(reason) && scene.step.state == State::Rejected;
    let source = scene
        .seen
        .text
        .source
        .as_deref()
        .unwrap_or("no source")
        .to_owned();
    let first = scene.contract.version.as_ref().map(|version| version.first);
    let check = |name, inputs: String, rule: &str, decides, passed| Check {
        name,
        inputs,
        rule: rule.to_owned(),
        decides,
        passed,
    };
    vec![
        members(scene, "source, aggregate, version and state"),
        check(
            "boundary",
            source,
            "within our boundary",
            because(scene.contract.outside_boundary),
            "ours",
        ),
        check(
            "versions",
            first.map_or_else(|| "none".to_owned(), |first| format!("from {first} on")),
            "the contract has versions",
            because(reason::CONTRACT_HAS_NO_VERSION),
            "it has",
        ),
        check(
            "floor",
            about(scene),
            "not below the first version less one",
            because(reason::INVALID_VERSION),
            "above it",
        ),
        check(
            "first",
            about(scene),
            "nothing applied, stated or assumed before",
            because(reason::BASELINE_AFTER_EVENTS),
            "nothing before",
        ),
        check(
            "record",
            about(scene),
            "the projection stands there; what waits at or below is released, then upwards",
            scene.step.state == State::BaselineRecorded,
            "",
        ),
    ]
}

fn listed(words: &[String]) -> String {
    if words.is_empty() {
        "none".to_owned()
    } else {
        words.join(", ")
    }
}
