//! A step's stages in words: what each looked at, the rule it applies, and what came out.
//!
//! Nothing is decided here. The outcome is the history's, the inputs are the record's, and where both
//! say something of a stage, it is the history that is told.

use super::explain_owner;
use crate::capture::Look;
use crate::contract::Contract;
use crate::history::{History, Step};
use crate::model::{
    AggregateId, FindingCode, Kind, Passage, Place, Stage, StageView, State, StepNo, Subject,
    Verdict,
};

const PROCESSING: &str = "the contract, Processing";

/// Everything that a stage's words are made of; `of_file` is empty where there is only one.
pub(super) struct Scene<'a> {
    pub(super) history: &'a History,
    pub(super) contract: &'a Contract,
    pub(super) step: &'a Step<'a>,
    pub(super) seen: &'a Look,
    pub(super) place: Place,
    pub(super) of_file: &'a str,
}

/// The stages of an event, or the checks of an owner's record.
pub(super) fn stages(
    history: &History,
    contract: &Contract,
    step: &Step<'_>,
    seen: &Look,
    (place, of_file): (Place, &str),
) -> Vec<StageView> {
    let scene = Scene {
        history,
        contract,
        step,
        seen,
        place,
        of_file,
    };
    match step.kind {
        Kind::Order | Kind::Refusal | Kind::Baseline => explain_owner::checks(&scene),
        Kind::Delivery | Kind::Replay | Kind::Unreadable => {
            let last = scene.deciding_stage();
            Stage::ALL
                .iter()
                .map(|stage| scene.stage(*stage, last))
                .collect()
        }
    }
}

/// What one stage says.
struct Words {
    inputs: String,
    rule: String,
    outcome: String,
}

impl Scene<'_> {
    fn deciding_stage(&self) -> Stage {
        let passage = self.seen.refused.as_ref().map(|refused| refused.passage);
        let by_version = self
            .step
            .findings
            .iter()
            .any(|finding| finding.code == FindingCode::RecognisedByVersion);
        match self.step.state {
            State::Unreadable => Stage::Read,
            State::OtherConsumer => Stage::Addressee,
            State::Rejected | State::ContractUpdateRequired => match passage {
                Some(Passage::EnvelopeRejected(_)) => Stage::Envelope,
                Some(Passage::SchemaNotAccepted) => Stage::Schema,
                _ => Stage::Payload,
            },
            State::EventTypeIgnored => Stage::Payload,
            State::DuplicateSuppressed if by_version => Stage::Version,
            State::DuplicateSuppressed => Stage::Dedup,
            State::Deferred
            | State::DeferralLimitReached
            | State::SameVersionRejected
            | State::StaleIgnored => Stage::Version,
            State::Applied
            | State::OrderRecorded
            | State::CompensationRecorded
            | State::CompensationAlreadyRecorded
            | State::ManualReview
            | State::BaselineRecorded => Stage::Replay,
        }
    }

    fn stage(&self, stage: Stage, last: Stage) -> StageView {
        let verdict = match stage.cmp(&last) {
            std::cmp::Ordering::Less if stage == Stage::Apply => Verdict::Decided,
            std::cmp::Ordering::Less => Verdict::Passed,
            std::cmp::Ordering::Equal if stage == Stage::Replay => Verdict::Passed,
            std::cmp::Ordering::Equal => Verdict::Stopped,
            std::cmp::Ordering::Greater => Verdict::NotReached,
        };
        let stopped = verdict == Verdict::Stopped;
        let words = match stage {
            Stage::Read => self.read(stopped),
            Stage::Addressee => self.addressee(stopped),
            Stage::Envelope => self.envelope(stopped),
            Stage::Schema => self.schema(stopped),
            Stage::Dedup => self.dedup(stopped),
            Stage::Payload => self.payload(stopped),
            Stage::Version => self.version(stopped),
            Stage::Apply => self.apply(),
            Stage::Replay => self.replay(),
        };
        let outcome = if verdict == Verdict::NotReached {
            "not reached".to_owned()
        } else {
            words.outcome
        };
        StageView {
            name: stage.name(),
            verdict,
            inputs: words.inputs,
            rule: words.rule,
            outcome,
            source: PROCESSING,
        }
    }

    /// The reason of a refusal, with the field and what stands there.
    fn refusal(&self) -> String {
        let reason = self
            .step
            .reason
            .map_or("", |reason| self.history.reason_name(reason));
        let state = self.step.state.name();
        let about = self
            .seen
            .refused
            .as_ref()
            .filter(|refused| !refused.pointer.is_empty());
        let found = about.map_or_else(String::new, |refused| {
            let found = refused.found.as_deref().unwrap_or("nothing");
            format!(": {} is {}", refused.pointer, shortened(found))
        });
        if reason.is_empty() {
            state.to_owned()
        } else {
            format!("{state}, {reason}{found}")
        }
    }

    /// The read stage of an owner's record, which always passed.
    pub(super) fn read_view(&self) -> StageView {
        self.stage(Stage::Read, Stage::Addressee)
    }

    fn read(&self, stopped: bool) -> Words {
        let Place {
            offset_bytes,
            length_bytes,
            line,
        } = self.place;
        let of_file = self.of_file;
        let outcome = if stopped {
            let message = self.seen.in_words();
            let at = self.seen.unreadable.as_ref().and_then(|why| why.at);
            let at = at.map_or_else(String::new, |at| {
                let line = line + at.lines_down;
                format!(" at line {line}{of_file}, column {}", at.column)
            });
            let message = message.map_or_else(String::new, |message| format!(": {message}"));
            let reason = self
                .step
                .reason
                .map_or("", |reason| self.history.reason_name(reason));
            format!("unreadable, {reason}{message}{at}")
        } else if self.seen.text.received_at.is_some()
            || self.seen.text.consumer.is_some()
            || self.seen.text.note.is_some()
        {
            "a native record".to_owned()
        } else {
            "an event".to_owned()
        };
        Words {
            inputs: format!(
                "{length_bytes} bytes on line {line}{of_file}, from byte {offset_bytes}"
            ),
            rule: "one JSON object that can be taken apart".to_owned(),
            outcome,
        }
    }

    fn addressee(&self, stopped: bool) -> Words {
        let consumer = self.seen.text.consumer.as_deref();
        Words {
            inputs: consumer.map_or_else(
                || "no consumer named".to_owned(),
                |name| format!("consumer {name}"),
            ),
            rule: format!("no consumer named, or {}", self.contract.consumer),
            outcome: if stopped {
                "meant for another consumer".to_owned()
            } else {
                "meant for us".to_owned()
            },
        }
    }

    fn envelope(&self, stopped: bool) -> Words {
        let text = &self.seen.text;
        let shown = |name: &str, value: &Option<String>| match value.as_deref() {
            None => format!("{name} missing"),
            Some("") => format!("{name} empty"),
            Some(value) => format!("{name} {value}"),
        };
        let inputs = [
            shown("id", &text.id),
            shown("source", &text.source),
            shown("type", &text.event_type),
            shown("subject", &text.subject),
        ];
        let required: Vec<&str> = self
            .contract
            .required
            .iter()
            .map(|attribute| attribute.name.as_str())
            .collect();
        let boundary = self.contract.boundary.sources.join(" or ");
        let boundary = if boundary.is_empty() {
            String::new()
        } else {
            format!("; source within {boundary}")
        };
        Words {
            inputs: inputs.join(", "),
            rule: format!(
                "{} are there; specversion is 1.0{boundary}",
                required.join(", ")
            ),
            outcome: if stopped {
                self.refusal()
            } else {
                "complete, and from our side".to_owned()
            },
        }
    }

    fn schema(&self, stopped: bool) -> Words {
        let Some(rule) = &self.contract.schema_version else {
            let nothing = "the contract has no schema version".to_owned();
            return Words {
                inputs: String::new(),
                rule: nothing.clone(),
                outcome: nothing,
            };
        };
        let accepted: Vec<String> = rule.accepted.iter().map(ToString::to_string).collect();
        let version = self
            .seen
            .text
            .schema_version
            .map_or_else(|| "missing".to_owned(), |version| version.to_string());
        Words {
            inputs: format!("{} is {version}", rule.pointer.text),
            rule: format!("one of {}", accepted.join(", ")),
            outcome: if stopped {
                "contract-update-required: this schema version is not accepted".to_owned()
            } else {
                "accepted".to_owned()
            },
        }
    }

    fn dedup(&self, stopped: bool) -> Words {
        let source = self.seen.text.source.as_deref().unwrap_or("?");
        let id = self.seen.text.id.as_deref().unwrap_or("?");
        let finding = |code| {
            self.step
                .findings
                .iter()
                .find(|finding| finding.code == code)
        };
        let expired = finding(FindingCode::ReceiptExpired).and_then(|finding| finding.record);
        let outcome = if stopped {
            let first = self.first();
            match finding(FindingCode::EventIdReused) {
                Some(_) => {
                    format!("{first} has the receipt, but its content was other: a fact is lost")
                }
                None => format!("{first} has the receipt: applied before, suppressed"),
            }
        } else if let Some(record) = expired {
            format!("the receipt of {record} has expired: it no longer suppresses")
        } else {
            "no receipt yet".to_owned()
        };
        Words {
            inputs: format!("({}, {source}, {id})", self.contract.consumer),
            rule: "no receipt for this consumer, source and id".to_owned(),
            outcome,
        }
    }

    fn payload(&self, stopped: bool) -> Words {
        let reads: Vec<String> = self
            .seen
            .reads
            .iter()
            .map(|(name, json)| format!("{name} {}", shortened(json)))
            .collect();
        let outcome = if stopped && self.step.state == State::EventTypeIgnored {
            "a type that the contract ignores".to_owned()
        } else if stopped {
            self.refusal()
        } else if self
            .step
            .findings
            .iter()
            .any(|finding| finding.code == FindingCode::DefaultUsed)
        {
            "every field as the contract says; a default stood in".to_owned()
        } else {
            "every field as the contract says".to_owned()
        };
        Words {
            inputs: format!(
                "{}: {}",
                self.seen.text.event_type.as_deref().unwrap_or("no type"),
                reads.join(", ")
            ),
            rule: "a type the contract names; its fields there, of their types and values"
                .to_owned(),
            outcome,
        }
    }

    fn version(&self, stopped: bool) -> Words {
        if self.contract.version.is_none() {
            let nothing = "the contract has no versions: every new event is next".to_owned();
            return Words {
                inputs: String::new(),
                rule: nothing.clone(),
                outcome: "next".to_owned(),
            };
        }
        let event = self
            .seen
            .text
            .version
            .map_or_else(|| "none".to_owned(), |version| format!("v{version}"));
        let before = self.step.number.before();
        let current = self
            .aggregate()
            .and_then(|id| self.history.projection(id, before).version);
        let current =
            current.map_or_else(|| "has nothing".to_owned(), |version| format!("v{version}"));
        Words {
            inputs: format!("projection {current}, event {event}"),
            rule: "the event's version is the projection's plus one".to_owned(),
            outcome: if stopped {
                self.out_of_order()
            } else {
                "next".to_owned()
            },
        }
    }

    fn out_of_order(&self) -> String {
        let next = self
            .aggregate()
            .and_then(|id| self.history.next_version(id, self.step.number));
        let next = next.map_or_else(
            || "an earlier version".to_owned(),
            |version| format!("v{version}"),
        );
        let first = self.first();
        match self.step.state {
            State::Deferred => match (self.step.first, self.step.count) {
                (Some(_), Some(count)) => {
                    format!("waits for {next} already, as {first}; delivery {count}")
                }
                _ => format!("{next} is missing: held, waits"),
            },
            State::DeferralLimitReached => {
                format!(
                    "{next} is missing, and {} wait already: turned away",
                    self.contract.deferral_limit
                )
            }
            State::SameVersionRejected => match self.step.first {
                Some(_) => format!("{first} holds this version: rejected"),
                None => "the baseline stands at this version: rejected".to_owned(),
            },
            State::StaleIgnored => match self.step.first {
                Some(_) => format!("older than the projection; {first} holds it: ignored"),
                None => "older than the projection: ignored".to_owned(),
            },
            State::Unreadable
            | State::OtherConsumer
            | State::Rejected
            | State::ContractUpdateRequired
            | State::DuplicateSuppressed
            | State::EventTypeIgnored
            | State::Applied
            | State::OrderRecorded
            | State::CompensationRecorded
            | State::CompensationAlreadyRecorded
            | State::ManualReview
            | State::BaselineRecorded => {
                format!("{first} holds this version with the same source and id: suppressed")
            }
        }
    }

    fn apply(&self) -> Words {
        let Some(id) = self.aggregate() else {
            return Words {
                inputs: String::new(),
                rule: String::new(),
                outcome: String::new(),
            };
        };
        let state = |at: StepNo| {
            let projection = self.history.projection(id, at);
            let version = projection
                .version
                .map_or_else(String::new, |version| format!("v{version} "));
            projection.state.map_or_else(
                || "nothing".to_owned(),
                |state| format!("{version}{}", self.history.word(state)),
            )
        };
        Words {
            inputs: format!("projection {}", state(self.step.number.before())),
            rule: "the effect and its receipt, both or neither".to_owned(),
            outcome: format!(
                "{}; receipt with result version {}",
                state(self.step.number),
                self.contract.result_version
            ),
        }
    }

    fn replay(&self) -> Words {
        let rule =
            "what waits for the next version runs again, whole, under the same identity".to_owned();
        if let Some(by) = self.step.released_by {
            let inputs = format!("released by step {by}");
            return Words {
                inputs,
                rule,
                outcome: "the cascade that released it goes on".to_owned(),
            };
        }
        let released: Vec<StepNo> = self.history.released_by(self.step.number).take(4).collect();
        let next = self
            .aggregate()
            .and_then(|id| self.history.next_version(id, self.step.number));
        let inputs = next.map_or_else(String::new, |version| format!("what waits for v{version}"));
        let outcome = match released.as_slice() {
            [] => "nothing waits for it".to_owned(),
            [only] => format!("1 replayed, step {only}"),
            [first, ..] => format!("{} replayed, from step {first}", self.count_released()),
        };
        Words {
            inputs,
            rule,
            outcome,
        }
    }

    fn count_released(&self) -> usize {
        self.history.released_by(self.step.number).count()
    }

    fn aggregate(&self) -> Option<AggregateId> {
        match self.step.subject {
            Subject::Aggregate(id) => Some(id),
            Subject::Order(_) | Subject::Unknown => None,
        }
    }

    fn first(&self) -> String {
        self.step.first.map_or_else(
            || "an earlier record".to_owned(),
            |record| record.to_string(),
        )
    }
}

/// A value's JSON text, cut where it would fill the screen; the tree has it whole.
fn shortened(json: &str) -> String {
    const MOST: usize = 60;
    match json.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", json.get(..at).unwrap_or("")),
        None => json.to_owned(),
    }
}
