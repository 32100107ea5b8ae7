//! The Guide: symptom, cause, check, action; and whether this capture shows it, how often, and where
//! first. Beside it the readiness checklist, answered from the capture and the contract in force.
//!
//! Nothing is searched for here: the history keeps count of what it saw while it was appended to.

mod readiness;
mod symptoms;

use crate::history::{History, Sign};
use crate::model::{FindingCode, State, StepNo};

pub use readiness::{Answer, Check, ContractFacts, checklist};
pub use symptoms::SYMPTOMS;

/// Something to look for in a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignOf {
    /// A finding.
    Finding(FindingCode),
    /// A state.
    State(State),
    /// A version that another event with other content holds: the same content under a new id is
    /// none.
    OtherContent,
    /// A reason by its whole name.
    Reason(&'static str),
    /// Reasons about a field, by how their names begin; those about the envelope do not count.
    FieldReason(&'static str),
    /// A deferred event that was replayed.
    Replay,
    /// A receipt without a schema version.
    ReceiptWithoutSchema,
    /// An aggregate that waits.
    Waiting,
    /// An aggregate that waits with nothing applied to it yet.
    WaitingFromFirst,
}

/// One symptom with what to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symptom {
    /// What a person sees.
    pub symptom: &'static str,
    /// Why it happens.
    pub cause: &'static str,
    /// What to look at.
    pub check: &'static str,
    /// What to do.
    pub action: &'static str,
    /// How a capture shows it to a person who has to do something.
    pub signs: &'static [SignOf],
    /// How it shows that the consumer handled it by itself, with nothing left to do.
    pub handled: &'static [SignOf],
}

/// How a capture shows a symptom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// What a person has to look at.
    pub person: Option<Sign>,
    /// What the consumer handled by itself.
    pub handled: Option<Sign>,
}

/// Aggregates that wait, once they are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WaitingSigns {
    /// All of them.
    pub all: Option<Sign>,
    /// Those that nothing was applied to yet.
    pub from_first: Option<Sign>,
}

/// Reasons that an envelope can be refused for: they are about no field of a payload.
const ENVELOPE_REASONS: [&str; 8] = [
    "missing-id",
    "missing-source",
    "missing-type",
    "missing-subject",
    "missing-specversion",
    "missing-schema-version",
    "missing-status",
    "missing-version",
];

impl SignOf {
    /// How often the capture shows it so far, and where first. How many aggregates wait is no
    /// question for a moment: whoever asks has counted them before, or passes none.
    pub fn seen(self, history: &History, waiting: WaitingSigns) -> Option<Sign> {
        match self {
            Self::Finding(code) => history.finding_sign(code),
            Self::State(state) => history.state_sign(state),
            Self::OtherContent => history.other_content_sign(),
            Self::Reason(name) => history.reason_sign(history.terms().vocabulary.find(name)?),
            Self::FieldReason(prefix) => field_reasons(history, prefix),
            Self::Replay => history.replay_sign(),
            Self::ReceiptWithoutSchema if history.terms().has_schema_version => None,
            Self::ReceiptWithoutSchema => history.state_sign(State::Applied),
            Self::Waiting => waiting.all,
            Self::WaitingFromFirst => waiting.from_first,
        }
    }

    /// Whether a reason is about a payload's field and begins so.
    pub(super) fn is_field_reason(name: &str, prefix: &str) -> bool {
        name.starts_with(prefix) && !ENVELOPE_REASONS.contains(&name)
    }

    /// The sign's name, as it stands in the trace document.
    pub fn name(self) -> String {
        match self {
            Self::Finding(code) => code.name().to_owned(),
            Self::State(state) => state.name().to_owned(),
            Self::OtherContent => "same-version-event-rejected with other content".to_owned(),
            Self::Reason(name) => name.to_owned(),
            Self::FieldReason(prefix) => format!("{prefix}…"),
            Self::Replay => "replayed".to_owned(),
            Self::ReceiptWithoutSchema => "receipts without a schema version".to_owned(),
            Self::Waiting => "aggregates that wait".to_owned(),
            Self::WaitingFromFirst => "of them with nothing applied yet".to_owned(),
        }
    }
}

impl Symptom {
    /// How often the capture shows it so far, and where first; `waiting` as for [`SignOf::seen`].
    pub fn seen(&self, history: &History, waiting: WaitingSigns) -> Seen {
        let of = |signs: &[SignOf]| {
            let signs = signs.iter();
            together(signs.filter_map(|sign| sign.seen(history, waiting)))
        };
        Seen {
            person: of(self.signs),
            handled: of(self.handled),
        }
    }
}

/// Several signs as one.
fn together(signs: impl Iterator<Item = Sign>) -> Option<Sign> {
    signs.reduce(|one, other| Sign {
        count: one.count.saturating_add(other.count),
        first: one.first.min(other.first),
    })
}

fn field_reasons(history: &History, prefix: &str) -> Option<Sign> {
    let of_fields = history
        .reasons_seen()
        .filter(|(reason, _)| SignOf::is_field_reason(history.reason_name(*reason), prefix));
    together(of_fields.map(|(_, sign)| sign))
}

/// Deferred events that are looked at for the lowest version.
const LOOKED_AT: usize = 1_000;

/// The step that shows why an aggregate waits: the first cause that a record carries, or the first
/// event that is deferred for it.
pub fn first_step(history: &History, id: crate::model::AggregateId, at: StepNo) -> Option<StepNo> {
    let causes = history.gap_causes(id, at);
    let carried = causes
        .iter()
        .find_map(|cause| cause.carrier.map(|carrier| carrier.step));
    let held = || {
        history
            .deferred_first(id, at, LOOKED_AT)
            .0
            .first()
            .map(|held| held.step)
    };
    carried.or_else(held)
}
