//! What a report says, before any format: also the shape of its JSON, whose names are a promise.
//!
//! Texts are as they stand in the capture and the case, bounded in length; every writer makes them
//! safe in its own way. Numbers of steps and records count from 1.
#![allow(
    clippy::struct_field_names,
    reason = "the names are those of the trace document"
)]

use serde::Serialize;

/// An incident report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Version of this shape.
    pub report: u32,
    /// When it was made: UTC, RFC 3339.
    pub made_at: String,
    /// Version of the program.
    pub tool: String,
    /// The capture that was read.
    pub capture: Capture,
    /// The contract in force.
    pub contract: Contract,
    /// The case file; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<CaseFile>,
    /// Whether payload values are shown.
    pub payload: Payload,
    /// How many steps there are.
    pub steps: u32,
    /// Steps by state, those that occur.
    pub counts: Vec<Count>,
    /// Findings by code, those that occur.
    pub findings: Vec<FindingCount>,
    /// How much evidence there is.
    pub evidence: Evidence,
    /// Open evidence by heaviest finding, state and reason, the commonest first, with what nobody has marked.
    pub open: Vec<OpenGroup>,
    /// Aggregates that wait, those with most deferred first.
    pub waiting: Listed<Waiting>,
    /// Gates that are shut.
    pub gates: Gates,
    /// What people marked, in the order they did.
    pub marks: Listed<Marked>,
    /// Comments, stated baselines and closings in the case file, in order.
    pub remarks: Listed<Remark>,
    /// Where in the run things happened.
    pub timeline: Timeline,
}

/// Things of which only so many are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Listed<T> {
    /// How many there are.
    pub total: usize,
    /// The first of them.
    pub listed: Vec<T>,
}

/// The capture that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Capture {
    /// The path as given.
    pub path: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// How many bytes.
    pub bytes: u64,
    /// How many records.
    pub records: u32,
    /// How it is framed.
    pub format: String,
}

/// The contract in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Contract {
    /// Its name.
    pub name: String,
    /// The consumer it is for.
    pub consumer: String,
    /// SHA-256 of its file.
    pub sha256: String,
    /// Where it comes from.
    pub origin: &'static str,
    /// `first-seen` where baselines were assumed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline_policy: Option<&'static str>,
}

/// The case file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaseFile {
    /// Its path.
    pub path: String,
    /// How many entries hold.
    pub entries: u64,
    /// SHA-256 of its last line that holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// Whether chain, capture, contract and the bytes of every mark were verified without difference.
    pub verified: bool,
    /// What differs.
    pub differences: Vec<String>,
    /// Whether its marks may close evidence; they do not where the file is broken.
    pub marks_count: bool,
    /// Whether an operator closed the case, and nothing was marked since.
    pub closed: bool,
}

/// Whether payload values are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Payload {
    /// They are.
    pub included: bool,
    /// How many fields of the records in this report were masked.
    pub masked_fields: u64,
}

/// How many steps came to a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Count {
    /// The state.
    pub state: &'static str,
    /// How many steps.
    pub steps: u32,
}

/// How often a finding was raised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FindingCount {
    /// Its code.
    pub code: &'static str,
    /// `conflict`, `warning` or `information`.
    pub severity: &'static str,
    /// How often.
    pub raised: u64,
    /// What it says.
    pub meaning: &'static str,
}

/// How much evidence there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// Still open.
    pub open: usize,
    /// Of those, marked with a disposition that keeps them open, or by a mark that does not count.
    pub open_and_marked: usize,
    /// Explained by a later step.
    pub resolved_by_steps: usize,
    /// Closed by a person's mark.
    pub closed_by_marks: usize,
}

/// Open evidence of one name and reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpenGroup {
    /// What it is called: the heaviest finding with the state, or the state alone.
    #[serde(skip)]
    pub name: String,
    /// The state.
    pub state: &'static str,
    /// The heaviest finding, where one needs a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finding: Option<&'static str>,
    /// The reason, where the state has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How many steps.
    pub open: usize,
    /// How many of them are marked.
    pub marked: usize,
    /// The first of them.
    pub first: u32,
    /// Those that nobody marked.
    pub unmarked: Listed<Item>,
}

/// An aggregate that waits for a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Waiting {
    /// Its source.
    pub source: String,
    /// Its id.
    pub aggregate: String,
    /// Where it stands.
    #[serde(flatten)]
    pub stand: Stand,
    /// The version that is missing; absent where it no longer waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting_for: Option<u64>,
    /// How many events wait.
    pub deferred: usize,
    /// The record that has waited longest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since_record: Option<u32>,
    /// Why the version is missing.
    pub gap_causes: Vec<GapCause>,
}

/// Where a projection, or an owner's order, stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stand {
    /// The version; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// The state or status; absent where nothing stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
}

/// Why a version is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GapCause {
    /// The cause.
    pub cause: &'static str,
    /// The delivery that carried the version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<u32>,
    /// What it came to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<&'static str>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Gates, as of the last step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Gates {
    /// The action that they guard; absent where the contract has no gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// How many are open.
    pub allowed: usize,
    /// Those that are shut.
    pub shut: Listed<Gate>,
}

/// A gate that is shut.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Gate {
    /// The order.
    pub aggregate: String,
    /// Why.
    pub reasons: Vec<&'static str>,
}

/// One step as it is told of in a report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// The step.
    pub step: u32,
    /// Its record.
    pub record: u32,
    /// The file that the record is in, where the capture has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Where the record starts in the capture or its file.
    pub line: u64,
    /// Delivery, replay, order, refusal, baseline, unreadable.
    pub kind: &'static str,
    /// What it is called as evidence: the heaviest finding with the state, or the state alone.
    #[serde(skip)]
    pub name: String,
    /// What it came to.
    pub state: &'static str,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What was found.
    pub findings: Vec<Finding>,
    /// The record that holds the receipt, the version, the waiting entry or the compensation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<u32>,
    /// The identity.
    pub event: Event,
    /// Where the projection (or the owner's order) stood before the step.
    pub before: Stand,
    /// Where it stood after it.
    pub after: Stand,
    /// For a deferred event: what its aggregate waits for as of the last step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting_for: Option<u64>,
    /// Why that is missing.
    pub gap_causes: Vec<GapCause>,
    /// Payload fields, where they are shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub payload: Vec<Field>,
    /// Payload fields that are not listed because there are too many.
    #[serde(skip_serializing_if = "is_zero")]
    pub payload_left_out: usize,
    /// Payload fields that are masked.
    pub masked_fields: usize,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands out references"
)]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A finding of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Its code.
    pub code: &'static str,
    /// The earlier record it speaks of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<u32>,
}

/// What identifies a record's event or statement, where it can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// `source`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// `id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// `type`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub event_type: Option<String>,
    /// `subject`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// `time`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// `receivedAt`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub received_at: Option<String>,
    /// The aggregate, or the order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate: Option<String>,
    /// The version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// The schema version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema_version: Option<i64>,
    /// A refusal's reason, where the contract knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused_for: Option<String>,
}

/// A payload field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Field {
    /// JSON pointer into the record; empty for the bytes of one that is no JSON.
    pub pointer: String,
    /// The value as JSON, in its own spelling.
    pub value: String,
}

/// A mark, with what it is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Marked {
    /// Its entry in the case file.
    pub entry: u64,
    /// What was decided, by name.
    pub disposition: &'static str,
    /// The same in words.
    #[serde(skip)]
    pub label: &'static str,
    /// Whether it closes the evidence.
    pub closes: bool,
    /// Why, in the operator's words.
    pub note: String,
    /// Who.
    pub operator: String,
    /// When: UTC, RFC 3339.
    pub time: String,
    /// What the step had come to when it was marked, where that differs from what it comes to now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marked_as: Option<String>,
    /// How what it was made on differs from what is read now.
    pub stale: Vec<&'static str>,
    /// The step; absent where there is no such record, and for other marks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<Item>,
    /// What it is about, in words, where it is no step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The aggregate, for a mark on a missing version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Missing>,
}

/// A missing version that was marked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// The version that the mark is about.
    pub version: u64,
    /// How its aggregate stands now.
    pub aggregate: Waiting,
}

/// An entry of the case that decides nothing about a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// Its entry in the case file.
    pub entry: u64,
    /// Comment, baseline or closed.
    pub kind: &'static str,
    /// What it is about, in words.
    pub about: String,
    /// The operator's words.
    pub note: String,
    /// Who.
    pub operator: String,
    /// When: UTC, RFC 3339.
    pub time: String,
}

/// The run in equal parts, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Timeline {
    /// The parts.
    pub parts: Vec<Part>,
    /// Steps that are marked, in order.
    pub marked: Vec<u32>,
}

/// One part of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// Its first step.
    pub first: u32,
    /// Its last step.
    pub last: u32,
    /// Applied.
    pub applied: u32,
    /// Deferred, refused, in conflict or unreadable.
    pub held_or_refused: u32,
    /// Duplicates, stale and ignored events, other consumers' events.
    pub routine: u32,
    /// The owner's records and baselines.
    pub owner: u32,
    /// Of all these, still open as evidence.
    pub open: u32,
}
