//! What a person should know about a step, beside its state (contract.md, "Findings").

use super::ids::RecordNo;

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Information; never evidence by itself.
    Information,
    /// Someone should look.
    Warning,
    /// Two facts contradict each other.
    Conflict,
}

impl Severity {
    /// Whether a step with such a finding is evidence that a person closes.
    pub fn needs_person(self) -> bool {
        self != Self::Information
    }
}

macro_rules! finding_codes {
    ($($variant:ident, $name:literal, $severity:ident, $doc:literal;)*) => {
        /// The code of a finding. Declared in the order of their names, which is the order of output.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum FindingCode {
            $(#[doc = $doc] $variant,)*
        }

        impl FindingCode {
            /// Every code, by name.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name in the trace document.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// How much it weighs.
            pub fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }

            /// What it says, in words.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $doc,)* }
            }
        }
    };
}

finding_codes! {
    ActionAgainstGate, "action-against-gate", Conflict, "The risky action happened although the gate was shut.";
    AtOrBelowBaseline, "at-or-below-baseline", Information, "The version is not above the baseline, and nobody known holds it.";
    BaselineAssumed, "baseline-assumed", Information, "The starting version was assumed from the first event seen.";
    DataschemaMismatch, "dataschema-mismatch", Warning, "The number at the end of dataschema is not the payload's schema version.";
    DefaultUsed, "default-used", Information, "A declared default stood in for an absent field.";
    DeferredVersionConflict, "deferred-version-conflict", Conflict, "Another event with other content already waits for this version.";
    EventIdReused, "event-id-reused", Conflict, "The same source and id carried other content before.";
    LateVersionConflict, "late-version-conflict", Conflict, "Another event with other content was applied under this older version.";
    NearMissAggregate, "near-miss-aggregate", Warning, "The aggregate's id differs only in spelling from an earlier one.";
    NearMissSource, "near-miss-source", Warning, "The source differs only in spelling from an earlier one.";
    NoBaseline, "no-baseline", Information, "Nothing is known of this aggregate from before the capture.";
    OwnerVersionConflict, "owner-version-conflict", Conflict, "The owner states another status for the version it already stated.";
    OwnerVersionWentBack, "owner-version-went-back", Warning, "The owner states an older version than before.";
    PossibleVersionReset, "possible-version-reset", Warning, "A later fact carries the first version again: the aggregate may have been made anew.";
    ReceiptExpired, "receipt-expired", Warning, "The receipt is older than the consumer keeps them, so it no longer suppresses a repeat.";
    ReceivedAtWentBack, "received-at-went-back", Information, "This record was received before the record above it.";
    RecognisedByVersion, "recognised-by-version", Information, "The receipt had expired, but the version's holder has the same source and id.";
    ReviewStillOpen, "review-still-open", Warning, "A compensation was decided while a review for its key is open.";
    SameFactNewId, "same-fact-new-id", Warning, "The same content came before under another id: a retry that made a new id.";
    SourceDiffersOnlyByCase, "source-differs-only-by-case", Warning, "The source would be inside the boundary but for its spelling.";
    SubjectMismatch, "subject-mismatch", Warning, "The subject is not the aggregate's id.";
    VersionBeyondDouble, "version-beyond-double", Warning, "The version is above 2^53 - 1, where many JSON readers round.";
}

/// A finding on a step, with the earlier record it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Finding {
    /// What was found.
    pub code: FindingCode,
    /// The earlier record it speaks of.
    pub record: Option<RecordNo>,
}
