//! One step looked at closely: its event's text, the stages with what they saw, its bytes as a tree.
//!
//! Plain owned values, made where bytes and contract are at hand and drawn where neither is. Texts
//! come out of the capture as they are: whoever shows them makes them safe.

use super::ids::{Place, RecordNo, StepNo};

/// What can be read of a record, whatever became of it (cli.md, "What can be read is there").
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventText {
    /// `source`, where it is a string.
    pub source: Option<String>,
    /// `id`, where it is a string.
    pub id: Option<String>,
    /// `type`, where it is a string.
    pub event_type: Option<String>,
    /// `subject`, where it is a string.
    pub subject: Option<String>,
    /// The event's own `time`, where it is a string.
    pub time: Option<String>,
    /// `receivedAt` of a native record, where it is a string.
    pub received_at: Option<String>,
    /// `attempt` of a native record, as it is written.
    pub attempt: Option<String>,
    /// `consumer` of a native record, where it is a string.
    pub consumer: Option<String>,
    /// `note` of a native record: a caption for people.
    pub note: Option<String>,
    /// The schema version, where it is an integer within 64 bits.
    pub schema_version: Option<i64>,
    /// The aggregate, where it is a non-empty string, or its default.
    pub aggregate: Option<String>,
    /// The version, where it is an integer in 0 … 2^64 − 1.
    pub version: Option<u64>,
}

/// What the wrappers around an event say of its delivery (capture.md, "Shape").
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transport {
    /// The wrappers, outermost first.
    pub path: Vec<&'static str>,
    /// Topic, queue, stream or subscription.
    pub channel: Option<String>,
    /// Partition or shard.
    pub partition: Option<String>,
    /// Offset or sequence number, as it is spelled.
    pub offset: Option<String>,
    /// The message's key.
    pub key: Option<String>,
    /// Headers in their order; a value may be null.
    pub headers: Vec<(String, Option<String>)>,
    /// What a person should know of the wrappers.
    pub remarks: Vec<&'static str>,
}

/// How a stage, or one of an owner's checks, ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It passed, and the next one ran.
    Passed,
    /// It decided, and the step ended well: applied, recorded, replayed.
    Decided,
    /// It decided that the step has no effect for now or for good.
    Stopped,
    /// An earlier one decided.
    NotReached,
}

/// One stage, or one of an owner's checks, with what it saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageView {
    /// The stage's short name.
    pub name: &'static str,
    /// How it ended.
    pub verdict: Verdict,
    /// What it looked at, in words.
    pub inputs: String,
    /// The rule it applies, in words.
    pub rule: String,
    /// What came out, in words.
    pub outcome: String,
    /// The part of contract.md that says so.
    pub source: &'static str,
}

/// What a value in the tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TreeKind {
    /// An object; its members follow one level deeper.
    Object,
    /// An array; its elements follow one level deeper.
    Array,
    /// A string.
    String,
    /// A number, in its own spelling.
    Number,
    /// `true`, `false` or `null`.
    Literal,
}

/// One line of the event's tree, parents before children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeNode {
    /// 0 for the record itself.
    pub depth: u16,
    /// The member's name, decoded, or the element's index.
    pub key: Option<String>,
    /// What it is.
    pub kind: TreeKind,
    /// A scalar's JSON text as it is written; empty for objects and arrays.
    pub text: String,
    /// How many members or elements it has.
    pub children: usize,
    /// Index of the first node after this one and all below it.
    pub next: usize,
}

/// Where and why a record could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadFault {
    /// The file, where the capture has several; what cannot be shown is spelled as escapes.
    pub file: Option<String>,
    /// Line in the capture or its file, from 1.
    pub line: u64,
    /// Column in characters' bytes on that line, from 1.
    pub column: u64,
    /// What is wrong there.
    pub message: String,
}

/// One step looked at closely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The step.
    pub step: StepNo,
    /// Its record.
    pub record: RecordNo,
    /// Where the record lies in its file.
    pub place: Place,
    /// The file that it is in, where the capture has several; what cannot be shown is spelled as
    /// escapes.
    pub file: Option<String>,
    /// What can be read of it.
    pub event: EventText,
    /// The stages or checks in order.
    pub stages: Vec<StageView>,
    /// The record as a tree; empty where it is not JSON.
    pub tree: Vec<TreeNode>,
    /// What the event breaks of the CloudEvents specification.
    pub conformance: Vec<super::conformance::Rule>,
    /// What its wrappers say, where it has any; the tree is then of what is inside them.
    pub transport: Option<Transport>,
    /// The record's bytes, or the first part of a very long one.
    pub raw: Vec<u8>,
    /// Why it could not be read.
    pub fault: Option<ReadFault>,
    /// Set where the bytes could not be read again, or are no longer what was decided on.
    pub unverified: Option<String>,
}

/// What the list shows of a record beside its step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowText {
    /// Whether the bytes are no longer those that were decided on: then nothing else is said.
    pub is_unverified: bool,
    /// Received-at, or the event's own time.
    pub time: Option<super::instant::Instant>,
    /// Whether that is the event's own time because no received-at could be read.
    pub is_own_time: bool,
    /// The caption.
    pub note: Option<String>,
    /// The event's id.
    pub id: Option<String>,
}
