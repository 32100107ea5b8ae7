//! What of the CloudEvents specification an event breaks (CloudEvents 1.0.2 and its JSON format).
//!
//! None of it changes what the contract says of a delivery: a broken time breaks no version. `--strict`
//! makes a refusal of what the specification demands.

use super::ids::ReasonId;
use super::reason;

macro_rules! rules {
    ($($variant:ident, $reason:ident, $name:literal, $is_must:literal, $place:literal, $doc:literal;)*) => {
        /// A rule of the specification. Declared in the order in which they are told.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Rule {
            $(#[doc = $doc] $variant,)*
        }

        impl Rule {
            /// Every rule.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The reason that `--strict` gives; its name is the rule's.
            pub fn reason(self) -> ReasonId {
                match self { $(Self::$variant => reason::$reason,)* }
            }

            /// Its name, which is the reason's.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The rule of a name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|rule| rule.name() == name)
            }

            /// Whether the specification demands it, rather than advises.
            pub fn is_must(self) -> bool {
                match self { $(Self::$variant => $is_must,)* }
            }

            /// Where the specification says so.
            pub fn place(self) -> &'static str {
                match self { $(Self::$variant => $place,)* }
            }

            /// What is broken, in words.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $doc,)* }
            }
        }
    };
}

rules! {
    RequiredAttribute, CE_REQUIRED_ATTRIBUTE, "ce-required-attribute", true, "REQUIRED Attributes", "One of id, source, specversion and type is missing, empty or no string.";
    SpecVersion, CE_SPECVERSION, "ce-specversion", true, "specversion", "specversion is not 1.0.";
    Source, CE_SOURCE, "ce-source", true, "source", "source is no URI-reference.";
    EmptyAttribute, CE_EMPTY_ATTRIBUTE, "ce-empty-attribute", true, "OPTIONAL Attributes", "subject, dataschema or datacontenttype is empty or no string.";
    DataSchema, CE_DATASCHEMA, "ce-dataschema", true, "dataschema", "dataschema is no absolute URI.";
    DataContentType, CE_DATACONTENTTYPE, "ce-datacontenttype", true, "datacontenttype", "datacontenttype is no media type.";
    Time, CE_TIME, "ce-time", true, "time", "time is not as RFC 3339 writes it.";
    AttributeName, CE_ATTRIBUTE_NAME, "ce-attribute-name", true, "Attribute Naming Convention", "An attribute's name has other characters than a-z and 0-9.";
    LongName, CE_LONG_NAME, "ce-long-name", false, "Attribute Naming Convention", "An attribute's name is longer than 20 characters.";
    AttributeType, CE_ATTRIBUTE_TYPE, "ce-attribute-type", true, "Type System", "An attribute is an object, an array, or a number that is no 32-bit integer.";
    Characters, CE_CHARACTERS, "ce-characters", true, "Type System", "An attribute holds a control character or a code point that is no character.";
    DuplicateAttribute, CE_DUPLICATE_ATTRIBUTE, "ce-duplicate-attribute", true, "Context Attributes", "An attribute stands twice.";
    TwoPayloads, CE_TWO_PAYLOADS, "ce-two-payloads", true, "JSON format, 3.1", "data and data_base64 are both there.";
    Base64, CE_BASE64, "ce-base64", true, "JSON format, 3.1", "data_base64 is no Base64.";
    Sequence, CE_SEQUENCE, "ce-sequence", true, "the sequence extension", "sequence is empty, or not what sequencetype says.";
    EmptyExtension, CE_EMPTY_EXTENSION, "ce-empty-extension", true, "the partitioning and tracing extensions", "partitionkey or traceparent is empty.";
    RecordedTime, CE_RECORDEDTIME, "ce-recordedtime", true, "the recordedtime extension", "recordedtime is not as RFC 3339 writes it.";
    JsonInString, CE_JSON_IN_STRING, "ce-json-in-string", false, "JSON format, 3.1.2", "data is a string that holds JSON: it is a string, unless the contract says readInside.";
    Nested, CE_NESTED, "ce-nested", false, "data", "data is a CloudEvent itself: something put one into another.";
    Large, CE_LARGE, "ce-large", false, "Size Limits", "The event is larger than the 64 KiB that everyone must carry.";
}

#[cfg(test)]
mod tests {
    use super::super::reason::Vocabulary;
    use super::*;

    #[test]
    fn a_rule_has_the_name_of_its_reason() {
        let names = Vocabulary::default();
        for rule in Rule::ALL {
            assert_eq!(names.name(rule.reason()), rule.name());
            assert_eq!(Rule::named(rule.name()), Some(*rule));
        }
    }
}
