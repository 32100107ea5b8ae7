//! Why a step was refused: a closed list of fixed reasons, and those that name a contract's fields.

use super::ids::ReasonId;

macro_rules! fixed_reasons {
    ($($constant:ident, $name:literal, $doc:literal;)*) => {
        fixed_reasons!(@number 0u16; $($constant, $name, $doc;)*);
        const FIXED: &[&str] = &[$($name,)*];
    };
    (@number $n:expr; $constant:ident, $name:literal, $doc:literal; $($rest:tt)*) => {
        #[doc = $doc]
        pub const $constant: ReasonId = ReasonId($n);
        fixed_reasons!(@number $n + 1u16; $($rest)*);
    };
    (@number $n:expr;) => {};
}

fixed_reasons! {
    TOO_LONG, "too-long", "The record is longer than 64 MiB.";
    NOT_UTF8, "not-utf8", "The record is not UTF-8.";
    TOO_DEEP, "too-deep", "The record nests deeper than 128 levels.";
    MALFORMED_JSON, "malformed-json", "The record is not JSON (RFC 8259).";
    NOT_AN_OBJECT, "not-an-object", "The record, or its event or owner's member, is no object.";
    DUPLICATE_KEY, "duplicate-key", "A member that the contract may look at stands twice.";
    AMBIGUOUS_RECORD, "ambiguous-record", "More than one of event, order, refusal and baseline.";
    NOT_A_DELIVERY, "not-a-delivery", "Neither a native record nor a CloudEvent.";
    UNSUPPORTED_CONTEXT_VERSION, "unsupported-context-version", "specversion is not 1.0.";
    SCHEMA_VERSION_NOT_ACCEPTED, "schema-version-not-accepted", "The contract does not accept this schema version.";
    UNKNOWN_EVENT_TYPE, "unknown-event-type", "The contract names no such event type.";
    CONTRACT_HAS_NO_VERSION, "contract-has-no-version", "A baseline needs a contract with versions.";
    INVALID_VERSION, "invalid-version", "The baseline's version lies below first - 1.";
    BASELINE_AFTER_EVENTS, "baseline-after-events", "Something was applied, stated or assumed before.";
    UNKNOWN_REASON, "unknown-reason", "The contract does not know this reason: it proves nothing.";
    OWNER_UNKNOWN, "owner-unknown", "The owner has said nothing of this order.";
    VERSION_MISMATCH, "version-mismatch", "The owner's order is at another version than the refusal.";
    OWNER_NOT_COMPENSABLE, "owner-not-compensable", "The order's status does not allow a compensation.";
    MISSING_ID, "missing-id", "No id.";
    MISSING_STATUS, "missing-status", "No status.";
    MISSING_VERSION, "missing-version", "No version.";
    MISSING_ORDER_ID, "missing-order-id", "No order id.";
    MISSING_ORDER_VERSION, "missing-order-version", "No order version.";
    MISSING_REASON, "missing-reason", "No reason.";
    MISSING_SOURCE, "missing-source", "No source.";
    MISSING_AGGREGATE, "missing-aggregate", "No aggregate.";
    MISSING_STATE, "missing-state", "No state.";
    NO_PAYLOAD, "no-payload", "The wrapper is known and holds nothing: a tombstone, an empty message.";
    PAYLOAD_NOT_DECODED, "payload-not-decoded", "The tool that wrote the wrapper could not decode the payload.";
    PAYLOAD_TRUNCATED, "payload-truncated", "The tool that wrote the wrapper cut the payload off.";
    TOO_MANY_WRAPPERS, "too-many-wrappers", "More than six wrappers, one in the other.";
    TEMPLATE_MISMATCH, "template-mismatch", "The record is not as the template says that wrote it.";
    CE_REQUIRED_ATTRIBUTE, "ce-required-attribute", "One of id, source, specversion and type is missing, empty or no string.";
    CE_SPECVERSION, "ce-specversion", "specversion is not 1.0.";
    CE_SOURCE, "ce-source", "source is no URI-reference.";
    CE_EMPTY_ATTRIBUTE, "ce-empty-attribute", "subject, dataschema or datacontenttype is empty or no string.";
    CE_DATASCHEMA, "ce-dataschema", "dataschema is no absolute URI.";
    CE_DATACONTENTTYPE, "ce-datacontenttype", "datacontenttype is no media type.";
    CE_TIME, "ce-time", "time is not as RFC 3339 writes it.";
    CE_ATTRIBUTE_NAME, "ce-attribute-name", "An attribute's name has other characters than a-z and 0-9.";
    CE_LONG_NAME, "ce-long-name", "An attribute's name is longer than 20 characters.";
    CE_ATTRIBUTE_TYPE, "ce-attribute-type", "An attribute is an object, an array, or a number that is no 32-bit integer.";
    CE_CHARACTERS, "ce-characters", "An attribute holds a control character or a code point that is no character.";
    CE_DUPLICATE_ATTRIBUTE, "ce-duplicate-attribute", "An attribute stands twice.";
    CE_TWO_PAYLOADS, "ce-two-payloads", "data and data_base64 are both there.";
    CE_BASE64, "ce-base64", "data_base64 is no Base64.";
    CE_SEQUENCE, "ce-sequence", "sequence is empty, or not what sequencetype says.";
    CE_EMPTY_EXTENSION, "ce-empty-extension", "partitionkey or traceparent is empty.";
    CE_RECORDEDTIME, "ce-recordedtime", "recordedtime is not as RFC 3339 writes it.";
    CE_JSON_IN_STRING, "ce-json-in-string", "data is a string that holds JSON: it is a string, unless the contract says readInside.";
    CE_NESTED, "ce-nested", "data is a CloudEvent itself: something put one into another.";
    CE_LARGE, "ce-large", "The event is larger than the 64 KiB that everyone must carry.";
}

/// Every reason that one run can give, by index: the fixed ones first, then those that name the
/// contract's boundary and fields. One per contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    names: Vec<String>,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self {
            names: FIXED.iter().map(|name| (*name).to_owned()).collect(),
        }
    }
}

impl Vocabulary {
    /// The index of a reason, added if it is new. A contract has far fewer fields than there are
    /// indexes; a full table answers with its last entry.
    pub fn intern(&mut self, name: &str) -> ReasonId {
        let found = self.names.iter().position(|known| known == name);
        let index = found.unwrap_or_else(|| {
            if self.names.len() < usize::from(u16::MAX) {
                self.names.push(name.to_owned());
            }
            self.names.len() - 1
        });
        ReasonId(u16::try_from(index).unwrap_or(u16::MAX))
    }

    /// The reason's name in the trace document.
    pub fn name(&self, reason: ReasonId) -> &str {
        self.names
            .get(usize::from(reason.0))
            .map_or("unknown", String::as_str)
    }

    /// Every reason with its index, in the order of indexes.
    pub fn names(&self) -> impl Iterator<Item = (ReasonId, &str)> {
        let indexes = 0..=u16::MAX;
        let names = self.names.iter().map(String::as_str);
        indexes.map(ReasonId).zip(names)
    }

    /// The index of a reason by its name.
    pub fn find(&self, name: &str) -> Option<ReasonId> {
        let index = self.names.iter().position(|known| known == name)?;
        u16::try_from(index).ok().map(ReasonId)
    }
}
