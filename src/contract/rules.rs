//! The compiled contract: what capture and engine ask while a run goes on. Every reason that the
//! contract's names can give is interned here, once.

use super::pointer::Pointer;
use crate::model::{GateRule, ReasonId, Vocabulary};

/// One consumer's contract, checked and ready to be asked (contract.md, "The contract file").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The consumer's id, part of every receipt's key.
    pub consumer: String,
    /// Version of what the consumer creates, part of every receipt.
    pub result_version: i64,
    /// Which sources are the consumer's.
    pub boundary: Boundary,
    /// `source-outside-<name>-boundary`.
    pub outside_boundary: ReasonId,
    /// Attributes that must be non-empty strings, in the order they are tested.
    pub required: Vec<RequiredAttribute>,
    /// The accepted schema versions; absent: not checked.
    pub schema_version: Option<SchemaVersion>,
    /// Where the aggregate's id is.
    pub aggregate: AggregateRule,
    /// Where the aggregate's version is; absent: every new event applies and replaces the state.
    pub version: Option<VersionRule>,
    /// What an event of a type gets that no rule names.
    pub other_types: OtherTypes,
    /// Rules by event type; the first match wins.
    pub events: Vec<EventRule>,
    /// Whether a payload that is JSON in a string, in Base64 or in an inner event is read.
    pub reads_inside: bool,
    /// Age in days above which a receipt no longer suppresses; absent: never.
    pub receipt_retention_days: Option<u64>,
    /// How many events may wait for one aggregate; 0: none.
    pub deferral_limit: usize,
    /// The gate; absent: no gates.
    pub gate: Option<GateRule>,
    /// The owner's compensation.
    pub compensation: Compensation,
    /// All reasons, the fixed ones and those of this contract.
    pub vocabulary: Vocabulary,
    /// Every different pointer of the file, in the order first met: the duplicate-key rule looks
    /// at the objects that they go through.
    pub pointers: Vec<Pointer>,
    /// CloudEvents extension attributes that a pointer goes through, in the order first met: the
    /// "same content" rule compares them.
    pub extension_pointers: Vec<String>,
}

/// Which sources are the consumer's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boundary {
    /// The boundary's name in reasons.
    pub name: String,
    /// Prefixes of sources, byte for byte.
    pub sources: Vec<String>,
}

/// One required envelope attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequiredAttribute {
    /// The attribute's name.
    pub name: String,
    /// `missing-<field>`.
    pub missing: ReasonId,
}

/// Where the schema version is, and which are accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaVersion {
    /// Where it is.
    pub pointer: Pointer,
    /// The accepted versions, in file order.
    pub accepted: Vec<i64>,
    /// `missing-<field>`.
    pub missing: ReasonId,
}

/// Where the aggregate's id is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AggregateRule {
    /// Where it is.
    pub pointer: Pointer,
    /// Stands in where it is absent or null; never empty.
    pub default: Option<String>,
    /// `missing-<field>`.
    pub missing: ReasonId,
}

/// Where the aggregate's version is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionRule {
    /// Where it is.
    pub pointer: Pointer,
    /// The lowest version there is; an aggregate with nothing applied stands one below it, which
    /// for 0 is no `u64`.
    pub first: u64,
    /// `missing-<field>`.
    pub missing: ReasonId,
    /// `invalid-<field>`.
    pub invalid: ReasonId,
}

/// What an event of an unnamed type gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OtherTypes {
    /// `contract-update-required`.
    #[default]
    Refuse,
    /// `event-type-ignored`.
    Ignore,
}

/// What is read of an event type, and the state it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRule {
    /// Which types the rule is for.
    pub pattern: TypePattern,
    /// The fields, in file order.
    pub reads: Vec<Read>,
    /// The state.
    pub state: StateRule,
}

/// Which event types a rule is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypePattern {
    /// This one.
    Exact(String),
    /// All that start so (a trailing `*` in the file).
    Prefix(String),
}

/// One field that a rule reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// Its name in the receipt's result.
    pub name: String,
    /// Where it is.
    pub pointer: Pointer,
    /// Stands in for an absent member (null is a value), and for nothing else.
    pub default: Option<DeclaredValue>,
    /// The types that are understood; empty: any.
    pub types: Vec<JsonType>,
    /// The values that are understood; absent: any.
    pub values: Option<Vec<DeclaredValue>>,
    /// `missing-<field>`.
    pub missing: ReasonId,
    /// `unexpected-type-of-<field>`.
    pub unexpected_type: ReasonId,
    /// `unknown-value-of-<field>`.
    pub unknown_value: ReasonId,
}

/// A value out of the contract as its JSON text: an `f64` would lose digits, and values are
/// compared exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredValue {
    /// One JSON value, valid and without space around it.
    pub json: Box<str>,
}

/// A type of JSON value, as a contract names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonType {
    /// A string.
    String,
    /// A number with an integral value, however it is spelled.
    Integer,
    /// Any number.
    Number,
    /// True or false.
    Boolean,
    /// An object.
    Object,
    /// An array.
    Array,
    /// Null.
    Null,
}

/// The state that an event leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateRule {
    /// Always this one.
    Is(String),
    /// The string at a place of the event.
    From {
        /// Where it is.
        pointer: Pointer,
        /// The words that are understood and the state each leads to, in file order; absent: every
        /// word is its own state.
        values: Option<Vec<(String, String)>>,
        /// `unknown-value-of-<field>`.
        unknown: ReasonId,
    },
}

/// Which refusals the owner compensates, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compensation {
    /// Reasons that prove a refusal; none where the file has no compensation.
    pub reasons: Vec<String>,
    /// The owner's statuses that can be compensated.
    pub from: Vec<String>,
    /// The status that a compensation leads to; absent where the file has no compensation.
    pub to: Option<String>,
    /// The step in the compensation key.
    pub step: String,
}

impl Contract {
    /// The first rule for an event type, which is compared byte for byte.
    pub fn event_rule(&self, event_type: &str) -> Option<&EventRule> {
        self.events
            .iter()
            .find(|rule| rule.pattern.matches(event_type))
    }

    /// Whether events of this schema version can be read; always where versions are not checked.
    pub fn accepts_schema(&self, version: i64) -> bool {
        self.schema_version
            .as_ref()
            .is_none_or(|rule| rule.accepted.contains(&version))
    }

    /// Whether a source starts with one of the boundary's prefixes.
    pub fn within_boundary(&self, source: &str) -> bool {
        self.boundary
            .sources
            .iter()
            .any(|prefix| source.starts_with(prefix.as_str()))
    }

    /// The key under which a compensation is decided once: `compensation:<order>:<step>:v<version>`,
    /// with the version that the refusal names.
    pub fn compensation_key(&self, order: &str, version: u64) -> String {
        format!("compensation:{order}:{}:v{version}", self.compensation.step)
    }
}

impl TypePattern {
    /// Whether the rule is for this event type.
    pub fn matches(&self, event_type: &str) -> bool {
        match self {
            Self::Exact(wanted) => event_type == wanted,
            Self::Prefix(prefix) => event_type.starts_with(prefix.as_str()),
        }
    }
}

impl std::fmt::Display for TypePattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exact(wanted) => f.write_str(wanted),
            Self::Prefix(prefix) => write!(f, "{prefix}*"),
        }
    }
}

impl JsonType {
    /// The word in a contract.
    pub fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Object => "object",
            Self::Array => "array",
            Self::Null => "null",
        }
    }
}
