//! The rule behind what came of a step, in words, with the part of contract.md that says so. Each
//! state, kind of reason and finding has its words here once.

use crate::model::{FindingCode, Rule, State};

/// A part of contract.md.
const PROCESSING: &str = "Processing";
const OWNER: &str = "The owner's side";

/// What a state means, and where contract.md says so.
pub(super) fn of_state(state: State) -> (&'static str, &'static str) {
    match state {
        State::Unreadable => (
            "The bytes cannot be taken apart as one JSON object. Nothing of them is interpreted, \
             and the records around them stay.",
            "Processing, stage 0",
        ),
        State::OtherConsumer => (
            "The wrapper names another consumer, so this one does not look at the event.",
            "Processing, addressee",
        ),
        State::Rejected => (
            "The input breaks the contract. A refused input has no receipt and no effect, so the \
             same input, corrected, can be applied later.",
            PROCESSING,
        ),
        State::ContractUpdateRequired => (
            "The input may be right, but this contract does not know it yet. No receipt and no \
             effect: once the contract does, the same input can be applied.",
            PROCESSING,
        ),
        State::DuplicateSuppressed => (
            "The ledger has a receipt for this consumer, source and id: it was applied before, \
             and applying it again would double its effect.",
            "Processing, stage 3",
        ),
        State::EventTypeIgnored => (
            "The contract says to ignore types that it does not name.",
            "Processing, stage 4",
        ),
        State::Deferred => (
            "An earlier version is missing, so the event is kept unapplied, without a receipt. It \
             is replayed once the gap closes; no timer or retry ever closes it.",
            "Deferral and release",
        ),
        State::DeferralLimitReached => (
            "So many events wait for this aggregate already that no further one is kept.",
            "Deferral and release",
        ),
        State::SameVersionRejected => (
            "The aggregate stands at this version already, by another event: which of the two is \
             the fact, only a person can say.",
            "Processing, stage 5",
        ),
        State::StaleIgnored => (
            "A later version was applied before, so this one comes too late to change anything.",
            "Processing, stage 5",
        ),
        State::Applied => (
            "Version = current + 1, and every stage passed: the effect happened, and its receipt \
             is in the ledger.",
            "Processing, stage 6",
        ),
        State::OrderRecorded
        | State::CompensationRecorded
        | State::CompensationAlreadyRecorded
        | State::ManualReview
        | State::BaselineRecorded => (of_owner(state), OWNER),
    }
}

/// What a state means for a fact that came before under another id.
pub(super) fn of_same_fact(state: State) -> (&'static str, &'static str) {
    if state == State::SameVersionRejected {
        return (
            "The aggregate stands at this version already, by an event with the same content: it is \
             the same fact under a new id, and nothing is lost. The producer should keep its id over \
             retries.",
            "Processing, stage 5",
        );
    }
    of_state(state)
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "only the states of the owner's side come here"
)]
fn of_owner(state: State) -> &'static str {
    match state {
        State::OrderRecorded => {
            "The owner states status and version. A version above the known one is taken over; a \
             lower one, or another status for the same version, is not."
        }
        State::CompensationRecorded => {
            "A known reason, the owner's own version and a status that allows it: the owner decides \
             once under this key. Nothing is rolled back."
        }
        State::CompensationAlreadyRecorded => {
            "This compensation key was decided before, so the refusal changes nothing."
        }
        State::ManualReview => {
            "What is known does not prove that compensating is right, so a person has to look. The \
             key is not used up."
        }
        _ => {
            "An operator states where the projection stood when the capture began; what waits at or \
             below it is released."
        }
    }
}

/// What a reason means.
pub(super) fn of_reason(name: &str) -> String {
    let fixed = FIXED.iter().find(|(known, _)| *known == name);
    if let Some((_, words)) = fixed {
        return (*words).to_owned();
    }
    let field = |prefix: &str| name.strip_prefix(prefix).map(str::to_owned);
    if let Some(field) = field("missing-") {
        return format!("{field} is absent, null or no value of the kind that is required.");
    }
    if let Some(field) = field("invalid-") {
        return format!("{field} is no integer, or out of the range that the contract allows.");
    }
    if let Some(field) = field("unexpected-type-of-") {
        return format!("{field} has another JSON type than the contract declares.");
    }
    if let Some(field) = field("unknown-value-of-") {
        return format!("{field} has a value that the contract does not name.");
    }
    if name.starts_with("source-outside-") {
        return "The source begins with none of the boundary's prefixes.".to_owned();
    }
    if let Some(rule) = Rule::named(name) {
        return format!("{} (CloudEvents, {})", rule.meaning(), rule.place());
    }
    "The contract's own reason.".to_owned()
}

const FIXED: [(&str, &str); 21] = [
    ("too-long", "A record may have 64 MiB."),
    ("not-utf8", "JSON is UTF-8; some byte here is not."),
    ("too-deep", "A record may nest 128 levels deep."),
    ("malformed-json", "It is not JSON (RFC 8259)."),
    (
        "not-an-object",
        "A record, and its event or owner's member, is a JSON object.",
    ),
    (
        "duplicate-key",
        "A member that the contract may look at stands twice; which of the two counts, nobody can say.",
    ),
    (
        "ambiguous-record",
        "A record has one of event, order, refusal and baseline.",
    ),
    (
        "not-a-delivery",
        "It is neither a CloudEvent nor a record with event, order, refusal or baseline.",
    ),
    (
        "no-payload",
        "The wrapper around it is known, and holds no event: a tombstone, an empty message.",
    ),
    (
        "payload-not-decoded",
        "The tool that wrote the capture could not decode the payload, so nobody can here.",
    ),
    (
        "payload-truncated",
        "The tool that wrote the capture cut the payload off; a part is never taken for the whole.",
    ),
    (
        "too-many-wrappers",
        "At most six wrappers are taken off one record.",
    ),
    (
        "template-mismatch",
        "The record is not as the template given with --kcat-format says, so where its payload is, \
         nobody can say.",
    ),
    (
        "unsupported-context-version",
        "specversion has to be exactly 1.0.",
    ),
    (
        "schema-version-not-accepted",
        "The contract lists the payload's schema versions, and this is none of them. It is looked \
         at before deduplication, so that an unknown version is never taken for a repeat.",
    ),
    ("unknown-event-type", "The contract names no such type."),
    (
        "unknown-reason",
        "The contract does not name this reason: a timeout, say, proves nothing.",
    ),
    (
        "owner-unknown",
        "The owner has not spoken of this order before.",
    ),
    (
        "version-mismatch",
        "The refusal speaks of another version of the order than the owner's.",
    ),
    (
        "owner-not-compensable",
        "The owner's status is none from which the order can be compensated.",
    ),
    (
        "baseline-after-events",
        "A baseline speaks of the time before the capture: here something was applied, stated or \
         assumed before it.",
    ),
];

/// When a finding is raised; its meaning stands with its code.
pub(super) fn of_finding(code: FindingCode) -> &'static str {
    match code {
        FindingCode::ActionAgainstGate => {
            "Raised at apply, when the new state is the risky action's and the gate was not open."
        }
        FindingCode::AtOrBelowBaseline => {
            "Raised at the version stage, for the same or an older version without a known holder."
        }
        FindingCode::BaselineAssumed => "Raised under --baseline first-seen, for the first event.",
        FindingCode::DataschemaMismatch => {
            "Raised after the envelope, when dataschema ends in another number than schemaVersion."
        }
        FindingCode::DefaultUsed => "Raised when a read was absent and has a declared default.",
        FindingCode::DeferredVersionConflict => {
            "Raised at a first deferral, when others wait for this version, none with this content."
        }
        FindingCode::EventIdReused => {
            "Raised where the key's latest receipt, or what waits under it, has other content."
        }
        FindingCode::LateVersionConflict => {
            "Raised for a stale event, when another id with other content holds its version."
        }
        FindingCode::NearMissAggregate | FindingCode::NearMissSource => {
            "Raised at the first sight of a spelling that equals an earlier one after NFKC and case \
             folding."
        }
        FindingCode::NoBaseline => {
            "Raised at a first deferral, with nothing applied, stated or assumed before."
        }
        FindingCode::OwnerVersionConflict => {
            "Raised when the owner states the known version with another status."
        }
        FindingCode::OwnerVersionWentBack => {
            "Raised when the owner states a version below the known one."
        }
        FindingCode::PossibleVersionReset => {
            "Raised when the first version comes again, under another id and with a later time."
        }
        FindingCode::ReceiptExpired => {
            "Raised at deduplication, when the receipt is older than receiptRetentionDays."
        }
        FindingCode::ReceivedAtWentBack => {
            "Raised when receivedAt is earlier than that of the record before; the order of the \
             capture counts, never the time."
        }
        FindingCode::RecognisedByVersion => {
            "Raised where an expired receipt let a repeat pass, and the version's holder has its key."
        }
        FindingCode::ReviewStillOpen => {
            "Raised when a compensation is recorded while a review for its key is open."
        }
        FindingCode::SameFactNewId => {
            "Raised when another id holds, or waits for, this version with the same content."
        }
        FindingCode::SourceDiffersOnlyByCase => {
            "Raised at the envelope, for a source outside of the boundary that is inside once folded."
        }
        FindingCode::SubjectMismatch => "Raised when subject is not the aggregate's id.",
        FindingCode::VersionBeyondDouble => "Raised when a version is above 2^53 - 1.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Vocabulary;

    #[test]
    fn every_state_reason_and_finding_has_words() {
        for state in State::ALL {
            let (words, place) = of_state(state);
            assert!(words.ends_with('.') && !place.is_empty(), "{state:?}");
        }
        for (_, name) in Vocabulary::default().names() {
            let words = of_reason(name);
            let is_own = words != "The contract's own reason." || name.starts_with("contract-");
            assert!(is_own, "{name}");
        }
        for code in FindingCode::ALL {
            assert!(of_finding(*code).ends_with('.'), "{code:?}");
        }
        assert!(of_reason("unknown-value-of-status").starts_with("status has a value"));
        assert!(of_reason("source-outside-checkout-boundary").contains("prefixes"));
    }
}
