//! The symptoms in the order a person is likely to meet them.

use super::{SignOf, Symptom};
use crate::model::{FindingCode, State};

/// What can be wrong, why, how to see it and what to do.
pub const SYMPTOMS: [Symptom; 15] = [
    Symptom {
        symptom: "One effect appeared twice",
        cause: "A repeat was not tied to its receipt, or a retry made a new id.",
        check: "Compare source and id with the consumer's key; compare the content under different ids.",
        action: "Suppress the repeat and keep the evidence; have the producer keep its id over retries.",
        signs: &[SignOf::Finding(FindingCode::SameFactNewId)],
        handled: &[SignOf::State(State::DuplicateSuppressed)],
    },
    Symptom {
        symptom: "An old consumer fails on a new message",
        cause: "A required field changed, or what it means did.",
        check: "Hold the writer's schema version against the accepted ones.",
        action: "Stop the input, or release an adapter that accepts the new version.",
        signs: &[SignOf::Reason("schema-version-not-accepted")],
        handled: &[],
    },
    Symptom {
        symptom: "A new consumer sees an empty field",
        cause: "The old schema had no such field.",
        check: "Is there an explicit default for it?",
        action: "Agree on a bounded default, or refuse the event.",
        signs: &[SignOf::FieldReason("missing-")],
        handled: &[SignOf::Finding(FindingCode::DefaultUsed)],
    },
    Symptom {
        symptom: "The JSON is valid and the result is wrong",
        cause: "The version stayed while the meaning changed: a unit, a currency, a list of values, rounding.",
        check: "Go through the fields that should be stable with the domain's owner.",
        action: "Raise the schema version; never guess a meaning.",
        signs: &[
            SignOf::FieldReason("unexpected-type-of-"),
            SignOf::FieldReason("unknown-value-of-"),
            SignOf::Finding(FindingCode::DataschemaMismatch),
        ],
        handled: &[],
    },
    Symptom {
        symptom: "Nobody knows which code wrote a record",
        cause: "The receipt does not say under which contract it was written.",
        check: "Look for inputSchemaVersion and resultVersion in the receipts.",
        action: "Add both before any controlled replay.",
        signs: &[SignOf::ReceiptWithoutSchema],
        handled: &[],
    },
    Symptom {
        symptom: "A projection never moves",
        cause: "The next version is missing: refused, ignored, suppressed, or never sent.",
        check: "Read the gap's causes.",
        action: "Bring the missing event, widen the contract, or let a person decide; never a timer.",
        signs: &[SignOf::Waiting],
        handled: &[],
    },
    Symptom {
        symptom: "A state went back, or would have",
        cause: "An older version arrived later, and order was taken from arrival or from time.",
        check: "Hold the event's version against the current one.",
        action: "Ignore what is stale, and ask who sends old versions.",
        signs: &[SignOf::Finding(FindingCode::LateVersionConflict)],
        handled: &[
            SignOf::State(State::StaleIgnored),
            SignOf::Finding(FindingCode::ReceivedAtWentBack),
        ],
    },
    Symptom {
        symptom: "A cancellation stands there without its reason",
        cause: "A later version was applied over a gap.",
        check: "Did the later version come before the one it builds on?",
        action: "Defer it, and replay in the order of the versions.",
        // The version stage applies nothing out of order, so every replay is one that was prevented.
        signs: &[],
        handled: &[SignOf::Replay],
    },
    Symptom {
        symptom: "Two different facts under one version",
        cause: "Two writers, a split brain, or a retry under a new key.",
        check: "Who holds the version, and is the content the same?",
        action: "A conflict of the contract: the owner decides which holds.",
        signs: &[
            SignOf::OtherContent,
            SignOf::Finding(FindingCode::DeferredVersionConflict),
        ],
        handled: &[],
    },
    Symptom {
        symptom: "One id, two facts",
        cause: "The producer uses ids again.",
        check: "Compare the content under the one key.",
        action: "The second was suppressed and its fact is lost: have the producer mended.",
        signs: &[SignOf::Finding(FindingCode::EventIdReused)],
        handled: &[],
    },
    Symptom {
        symptom: "Versions start again",
        cause: "The aggregate was made anew under its old id.",
        check: "First version, a later time, another id?",
        action: "A person states a new baseline.",
        signs: &[SignOf::Finding(FindingCode::PossibleVersionReset)],
        handled: &[],
    },
    Symptom {
        symptom: "A compensation was decided twice",
        cause: "The decision has no key.",
        check: "Look at the compensation key.",
        action: "Record the key with the decision; a key that is recorded decides nothing again.",
        signs: &[],
        handled: &[SignOf::State(State::CompensationAlreadyRecorded)],
    },
    Symptom {
        symptom: "A timeout was taken for a refusal",
        cause: "Unknown is not no: the reservation may exist.",
        check: "Read the reason that the outside party gave.",
        action: "Review or reconcile by hand; never cancel by itself.",
        signs: &[SignOf::Reason("unknown-reason")],
        handled: &[],
    },
    Symptom {
        symptom: "An action went ahead that should not have",
        cause: "The gate was not asked, or asked one side only.",
        check: "Owner's and projection's version and state, and the evidence that is open.",
        action: "Stop, and compare both sides.",
        signs: &[SignOf::Finding(FindingCode::ActionAgainstGate)],
        handled: &[],
    },
    Symptom {
        symptom: "Everything waits from the first record on",
        cause: "The capture starts in mid-stream.",
        check: "Which versions were seen first?",
        action: "State a baseline, or start with --baseline first-seen.",
        signs: &[SignOf::WaitingFromFirst],
        handled: &[SignOf::Finding(FindingCode::NoBaseline)],
    },
];
