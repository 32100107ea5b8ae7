//! The contract file as it is written (contract.md, "The contract file"): the types that read it,
//! which are also what the JSON Schema is made of. Comments on members are texts of the schema.

use super::wire::{Integer, Object, OneOrMore, Ordered, Word, present};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::value::RawValue;

/// What one consumer accepts, reads and creates.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(rename = "Consumer contract")]
pub(crate) struct ContractFile {
    /// The consumer's id. A new suffix (`@2`) makes every event new to it.
    #[schemars(length(min = 1))]
    pub(crate) consumer: String,
    /// Version of what the consumer creates; it goes into every receipt.
    pub(crate) result_version: Integer<i64>,
    /// Which sources the consumer takes events from.
    pub(crate) boundary: Object<BoundaryFile>,
    /// Attributes that every event must have. Default: id, source, type, subject, specversion.
    #[serde(default, deserialize_with = "present")]
    #[schemars(with = "Object<EnvelopeFile>")]
    pub(crate) envelope: Option<Object<EnvelopeFile>>,
    /// Where the schema version is and which are accepted. Absent or null: not checked.
    pub(crate) schema_version: Option<Object<SchemaVersionFile>>,
    /// Where the aggregate's id is.
    pub(crate) aggregate: Object<AggregateFile>,
    /// Where the aggregate's version is. Absent or null: every new event applies.
    pub(crate) version: Option<Object<VersionFile>>,
    /// What an event of a type gets that no rule names. Default: refuse.
    #[serde(default, deserialize_with = "present")]
    #[schemars(with = "Word<OtherTypesFile>")]
    pub(crate) other_types: Option<Word<OtherTypesFile>>,
    /// What is read of each event type, and the state it leads to. The first match wins.
    #[schemars(length(min = 1))]
    pub(crate) events: Vec<Object<EventFile>>,
    /// Notes for people: what a guess rests on, who decided what. Not looked at.
    #[serde(default, deserialize_with = "present")]
    #[schemars(with = "Vec<String>")]
    #[expect(
        dead_code,
        reason = "they are for whoever reads the file; reading them checks them"
    )]
    pub(crate) notes: Option<Vec<String>>,
    /// Whether JSON inside a string `data`, or inside `data_base64`, is read as the payload, and an
    /// event inside an event as the event. Default: false, a string is a string.
    #[serde(default, deserialize_with = "present")]
    #[schemars(with = "bool")]
    pub(crate) read_inside: Option<bool>,
    /// How long a receipt keeps its event from being applied again, in days. Default: for ever.
    #[serde(default, deserialize_with = "present")]
    #[schemars(with = "Integer<u64>")]
    pub(crate) receipt_retention_days: Option<Integer<u64>>,
    /// How much may wait for missing versions.
    #[serde(default, deserialize_with = "present")]
    #[schemars(with = "Object<DeferralFile>")]
    pub(crate) deferral: Option<Object<DeferralFile>>,
    /// When a risky action may go ahead. Default: no gates.
    #[serde(default, deserialize_with = "present")]
    #[schemars(with = "Object<GateFile>")]
    pub(crate) gate: Option<Object<GateFile>>,
    /// Which refusals the owner compensates, and how. Default: no reason is known.
    #[serde(default, deserialize_with = "present")]
    #[schemars(with = "Object<CompensationFile>")]
    pub(crate) compensation: Option<Object<CompensationFile>>,
}

/// Which sources are the consumer's.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "boundary")]
pub(crate) struct BoundaryFile {
    /// Name in the reason `source-outside-<name>-boundary`.
    #[schemars(length(min = 1))]
    pub(crate) name: String,
    /// Prefixes of sources; the empty one lets every source in.
    #[schemars(length(min = 1))]
    pub(crate) sources: Vec<String>,
}

/// Required attributes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "envelope")]
pub(crate) struct EnvelopeFile {
    /// Names of attributes in the order they are tested, with id, source, type and specversion.
    #[schemars(inner(length(min = 1)), extend("uniqueItems" = true, "allOf" = [
        { "contains": { "const": "id" } },
        { "contains": { "const": "source" } },
        { "contains": { "const": "type" } },
        { "contains": { "const": "specversion" } }
    ]))]
    pub(crate) required: Vec<String>,
}

/// Accepted schema versions.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "schemaVersion")]
pub(crate) struct SchemaVersionFile {
    /// Where the schema version is.
    pub(crate) pointer: PointerText,
    /// The versions that this consumer can read.
    #[schemars(length(min = 1))]
    pub(crate) accepted: Vec<Integer<i64>>,
    /// What an event of another version gets.
    #[expect(
        dead_code,
        reason = "there is only one answer yet; reading it checks it"
    )]
    pub(crate) unknown: Word<UnknownVersionFile>,
}

/// The one answer to an unknown schema version.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub(crate) enum UnknownVersionFile {
    ContractUpdateRequired,
}

/// The aggregate's id.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "aggregate")]
pub(crate) struct AggregateFile {
    /// Where the aggregate's id is.
    pub(crate) pointer: PointerText,
    /// The id of an event that has none there (absent or null).
    #[serde(default, deserialize_with = "present")]
    #[schemars(with = "String", length(min = 1))]
    pub(crate) default: Option<String>,
}

/// The aggregate's version.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "version")]
pub(crate) struct VersionFile {
    /// Where the aggregate's version is.
    pub(crate) pointer: PointerText,
    /// The version of an aggregate's first event.
    pub(crate) first: Integer<u64>,
}

/// What an event of an unnamed type gets.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub(crate) enum OtherTypesFile {
    Refuse,
    Ignore,
}

/// One event type, or several with one prefix.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "event")]
pub(crate) struct EventFile {
    /// The type; with a trailing `*` every type that starts so.
    #[serde(rename = "type")]
    #[schemars(length(min = 1))]
    pub(crate) event_type: String,
    /// What is read, in this order; it is the receipt's result.
    #[serde(default, deserialize_with = "present")]
    #[schemars(with = "Ordered<Object<ReadFile>>")]
    pub(crate) reads: Option<Ordered<Object<ReadFile>>>,
    /// The state that the event leads to.
    pub(crate) state: Object<StateFile>,
}

/// One field that is read.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "read")]
pub(crate) struct ReadFile {
    /// Where the field is.
    pub(crate) pointer: PointerText,
    /// What stands in where the field is absent.
    #[serde(default, deserialize_with = "present")]
    #[schemars(with = "serde_json::Value")]
    pub(crate) default: Option<Box<RawValue>>,
    /// The types that are understood. Default: any.
    #[serde(default, rename = "type", deserialize_with = "present")]
    #[schemars(with = "OneOrMore<TypeFile>")]
    pub(crate) types: Option<OneOrMore<TypeFile>>,
    /// The values that are understood. Default: any.
    #[serde(default, deserialize_with = "present")]
    #[schemars(with = "Vec<serde_json::Value>", length(min = 1))]
    pub(crate) values: Option<Vec<Box<RawValue>>>,
}

/// A type of JSON value. Any integral number is an integer, every integer is a number.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "type")]
pub(crate) enum TypeFile {
    String,
    Integer,
    Number,
    Boolean,
    Object,
    Array,
    Null,
}

/// Where the state comes from: one of `is` and `pointer`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "state", extend("oneOf" = [
    { "required": ["is"], "properties": { "pointer": false, "values": false } },
    { "required": ["pointer"], "properties": { "is": false } }
]))]
pub(crate) struct StateFile {
    /// The state, always.
    #[serde(default, deserialize_with = "present")]
    #[schemars(with = "String", length(min = 1))]
    pub(crate) is: Option<String>,
    /// Where the state is, a non-empty string.
    #[serde(default, deserialize_with = "present")]
    #[schemars(with = "PointerText")]
    pub(crate) pointer: Option<PointerText>,
    /// The words that are understood there, and the state each leads to. Default: the word itself.
    #[serde(default, deserialize_with = "present")]
    #[schemars(with = "Ordered<String>", extend("minProperties" = 1, "additionalProperties" = {
        "type": "string", "minLength": 1
    }))]
    pub(crate) values: Option<Ordered<String>>,
}

/// How much may wait.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(rename = "deferral")]
pub(crate) struct DeferralFile {
    /// How many events may wait for one aggregate. Without this object 1000; with 0 nothing waits.
    pub(crate) limit_per_aggregate: Integer<u64>,
}

/// When a risky action may go ahead.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(rename = "gate")]
pub(crate) struct GateFile {
    /// What the gate guards.
    #[schemars(length(min = 1))]
    pub(crate) action: String,
    /// States of the projection in which it may go ahead.
    pub(crate) projection_states: Vec<String>,
    /// The owner's statuses in which it may go ahead.
    pub(crate) owner_statuses: Vec<String>,
    /// States that mean it has happened.
    #[serde(default, deserialize_with = "present")]
    #[schemars(with = "Vec<String>")]
    pub(crate) done_states: Option<Vec<String>>,
}

/// The owner's decision after a refusal.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "compensation")]
pub(crate) struct CompensationFile {
    /// Reasons of a refusal that prove it; a timeout never does.
    pub(crate) reasons: Vec<String>,
    /// The owner's statuses that can be compensated.
    pub(crate) from: Vec<String>,
    /// The status that a compensation leads to.
    #[schemars(length(min = 1))]
    pub(crate) to: String,
    /// The step that is compensated; part of the compensation key.
    #[schemars(length(min = 1))]
    pub(crate) step: String,
}

/// A JSON pointer (RFC 6901) into the event.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(rename = "pointer")]
pub(crate) struct PointerText(
    #[schemars(regex(pattern = r"^(/([^~/]|~[01])*)+$"))] pub(crate) String,
);
