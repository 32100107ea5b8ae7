//! Is this exchange ready for production? What the capture shows, and what the contract says.

use super::{SignOf, WaitingSigns};
use crate::history::History;
use crate::model::{FindingCode, State, StepNo};

/// What the checklist and the contract's view know of the contract in force.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContractFacts {
    /// Its name.
    pub name: String,
    /// Where it comes from, in words.
    pub origin: String,
    /// SHA-256 of its text, in hexadecimal.
    pub sha256: String,
    /// Its text.
    pub text: String,
    /// What it says in words: labels, and what stands beside each.
    pub words: Vec<(&'static str, String)>,
    /// The accepted schema versions, if it checks them.
    pub accepted: Option<String>,
    /// How many fields are read, and how many of those have declared types.
    pub reads: usize,
    /// Reads with declared types.
    pub typed_reads: usize,
    /// Reads with a declared default.
    pub defaults: usize,
    /// The consumer's id.
    pub consumer: String,
    /// The result's version.
    pub result_version: i64,
    /// How long receipts are kept, in days.
    pub retention_days: Option<u64>,
    /// How many events may wait for one aggregate.
    pub deferral_limit: usize,
    /// The outside reasons that lead to a compensation.
    pub compensation_reasons: Vec<String>,
    /// The step in a compensation's key.
    pub compensation_step: String,
    /// The action that the gate guards.
    pub gate_action: Option<String>,
}

/// One point of the checklist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What has to be so.
    pub point: &'static str,
    /// What speaks for it, part by part.
    pub answers: Vec<(String, Answer)>,
}

/// What is known of one part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A step of this capture shows it.
    Shown(StepNo),
    /// The contract in force says it.
    Stated,
    /// No step of this capture shows it.
    NotShown,
    /// The contract in force does not say it.
    NotStated,
}

impl Check {
    /// Whether every part is shown or stated.
    pub fn holds(&self) -> bool {
        self.answers
            .iter()
            .all(|(_, answer)| matches!(answer, Answer::Shown(_) | Answer::Stated))
    }
}

struct Facts<'a> {
    history: &'a History,
    contract: &'a ContractFacts,
}

impl Facts<'_> {
    fn shown(&self, what: &str, sign: SignOf) -> (String, Answer) {
        let seen = sign.seen(self.history, WaitingSigns::default());
        (
            what.to_owned(),
            seen.map_or(Answer::NotShown, |sign| Answer::Shown(sign.first)),
        )
    }

    fn stated(what: impl Into<String>, holds: bool) -> (String, Answer) {
        (
            what.into(),
            if holds {
                Answer::Stated
            } else {
                Answer::NotStated
            },
        )
    }
}

/// The checklist, answered.
pub fn checklist(history: &History, contract: &ContractFacts) -> Vec<Check> {
    let facts = Facts { history, contract };
    let mut checks = facts.contract_checks();
    checks.extend(facts.identity_checks());
    checks.extend(facts.order_checks());
    checks.extend(facts.owner_checks());
    checks
}

impl Facts<'_> {
    fn contract_checks(&self) -> Vec<Check> {
        let contract = self.contract;
        let accepted = contract.accepted.as_deref();
        vec![
            Check {
                point: "Envelope, payload schema and the fact's own time are named",
                answers: vec![
                    Self::stated("the envelope's attributes are required", true),
                    Self::stated("the payload names its schema version", accepted.is_some()),
                ],
            },
            Check {
                point: "Accepted versions, fields with types, defaults, result version and consumer id are written down",
                answers: vec![
                    Self::stated(
                        format!("accepted: {}", accepted.unwrap_or("not checked")),
                        accepted.is_some(),
                    ),
                    Self::stated(
                        format!(
                            "{} of {} fields read have types",
                            contract.typed_reads, contract.reads
                        ),
                        contract.reads > 0 && contract.typed_reads == contract.reads,
                    ),
                    Self::stated(format!("{} defaults declared", contract.defaults), true),
                    Self::stated(
                        format!(
                            "result version {}, for {}",
                            contract.result_version, contract.consumer
                        ),
                        !contract.consumer.is_empty(),
                    ),
                ],
            },
        ]
    }

    fn identity_checks(&self) -> Vec<Check> {
        let unknown_schema = SignOf::Reason("schema-version-not-accepted");
        vec![
            Check {
                point: "Identity is kept over retries",
                answers: vec![self.shown(
                    "a repeat under the same source and id",
                    SignOf::State(State::DuplicateSuppressed),
                )],
            },
            Check {
                point: "A first delivery records one result, a repeat none; an unknown version is refused without effect",
                answers: vec![
                    self.shown("a first delivery", SignOf::State(State::Applied)),
                    self.shown("a repeat", SignOf::State(State::DuplicateSuppressed)),
                    self.shown("an unknown schema version", unknown_schema),
                ],
            },
            Check {
                point: "Old schema with the new consumer, and new schema with the old one, are both tried",
                answers: vec![
                    self.shown(
                        "an old event, a default standing in",
                        SignOf::Finding(FindingCode::DefaultUsed),
                    ),
                    self.shown("a new event, refused", unknown_schema),
                ],
            },
            Check {
                point: "A change of meaning is tried",
                answers: vec![
                    self.shown("an unknown value", SignOf::FieldReason("unknown-value-of-")),
                ],
            },
            Check {
                point: "A controlled replay gets no new id",
                answers: vec![self.shown("a replay under its own id", SignOf::Replay)],
            },
        ]
    }

    fn order_checks(&self) -> Vec<Check> {
        let has_versions = self.history.terms().has_versions;
        let retention = self.contract.retention_days;
        vec![
            Check {
                point: "The owner states its order and a version of its own, not made from arrival time",
                answers: vec![
                    self.shown("the owner's statement", SignOf::State(State::OrderRecorded)),
                ],
            },
            Check {
                point: "Id and version stand apart, each with its place and lifetime",
                answers: vec![
                    Self::stated("the contract names the version's place", has_versions),
                    Self::stated(
                        retention.map_or_else(
                            || "receipts are kept for ever".to_owned(),
                            |days| format!("receipts are kept for {days} days"),
                        ),
                        true,
                    ),
                ],
            },
            Check {
                point: "A gap keeps evidence and changes nothing, and how much may wait is decided",
                answers: vec![
                    self.shown("a deferred event", SignOf::State(State::Deferred)),
                    Self::stated(
                        format!(
                            "at most {} wait for one aggregate",
                            self.contract.deferral_limit
                        ),
                        has_versions,
                    ),
                ],
            },
        ]
    }

    fn owner_checks(&self) -> Vec<Check> {
        let reasons = &self.contract.compensation_reasons;
        let action = self.contract.gate_action.as_deref();
        vec![
            Check {
                point: "Only named reasons compensate; an unknown failure never does",
                answers: vec![
                    Self::stated(
                        format!("reasons: {}", reasons.join(", ")),
                        !reasons.is_empty(),
                    ),
                    self.shown(
                        "an unknown reason, reviewed",
                        SignOf::Reason("unknown-reason"),
                    ),
                ],
            },
            Check {
                point: "One decision for each compensation key",
                answers: vec![
                    self.shown("a decision", SignOf::State(State::CompensationRecorded)),
                    self.shown(
                        "its repeat, not decided again",
                        SignOf::State(State::CompensationAlreadyRecorded),
                    ),
                ],
            },
            Check {
                point: "The risky action is shut without equal versions and evidence",
                answers: vec![Self::stated(
                    action.map_or_else(
                        || "no gate".to_owned(),
                        |action| format!("a gate guards {action}"),
                    ),
                    action.is_some(),
                )],
            },
            Check {
                point: "Only then the real database, broker and APIs, tested on their real failures",
                answers: vec![("no capture can show this".to_owned(), Answer::NotShown)],
            },
        ]
    }
}
