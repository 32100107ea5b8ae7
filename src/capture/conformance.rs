//! What of the CloudEvents specification an event breaks: looked at where someone looks at the event,
//! never while a capture loads, unless `--strict` asks for it.

use std::borrow::Cow;

use base64::Engine as _;
use fluent_uri::{Uri, UriRef};
use mediatype::MediaType;

use super::json::{MAX_DEPTH, read};
use super::number;
use super::tape::{Doc, NodeKind};
use super::value::has_duplicate;
use crate::model::{Instant, Rule};

/// What everyone who passes an event on must carry (CloudEvents, "Size Limits").
const CARRIED_BYTES: usize = 64 << 10;

/// What an attribute's name may have at most (CloudEvents, "Attribute Naming Convention").
const NAME_MAX: usize = 20;

/// The rules that the event at `event` breaks, each once, in the order of [`Rule::ALL`].
pub(super) fn broken(doc: Doc<'_, '_>, event: usize) -> Vec<Rule> {
    let mut event = Event {
        doc,
        event,
        broken: Vec::new(),
    };
    event.required();
    event.optional();
    event.attributes();
    event.payload();
    event.extensions();
    let mut broken = event.broken;
    broken.sort_unstable();
    broken.dedup();
    broken
}

struct Event<'a, 't> {
    doc: Doc<'a, 't>,
    event: usize,
    broken: Vec<Rule>,
}

impl<'a> Event<'a, '_> {
    fn breaks(&mut self, rule: Rule, is_broken: bool) {
        if is_broken {
            self.broken.push(rule);
        }
    }

    /// A member that is there: null is the same as absent (JSON format, section 2.2).
    fn present(&self, name: &str) -> Option<usize> {
        let found = self.doc.member(self.event, name)?;
        (!self.doc.is(found, NodeKind::Null)).then_some(found)
    }

    fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        self.doc.string(self.present(name)?)
    }

    /// Whether something stands there that is no text, or an empty one.
    fn is_unfilled(&self, name: &str) -> bool {
        self.text(name).is_none_or(|text| text.is_empty())
    }

    fn required(&mut self) {
        let names = ["id", "source", "specversion", "type"];
        let unfilled = names.iter().any(|name| self.is_unfilled(name));
        self.breaks(Rule::RequiredAttribute, unfilled);
        let version = self.text("specversion");
        self.breaks(Rule::SpecVersion, version.is_some_and(|text| text != "1.0"));
        let source = self.text("source").filter(|text| !text.is_empty());
        self.breaks(
            Rule::Source,
            source.is_some_and(|text| UriRef::parse(&*text).is_err()),
        );
    }

    fn optional(&mut self) {
        let names = ["subject", "dataschema", "datacontenttype"];
        let is_empty = |name: &&str| self.present(name).is_some() && self.is_unfilled(name);
        let is_any_empty = names.iter().any(is_empty);
        self.breaks(Rule::EmptyAttribute, is_any_empty);
        let filled = |name: &str| self.text(name).filter(|text| !text.is_empty());
        let schema = filled("dataschema").is_some_and(|text| Uri::parse(&*text).is_err());
        let content =
            filled("datacontenttype").is_some_and(|text| MediaType::parse(&text).is_err());
        let time =
            self.present("time").is_some() && !self.text("time").is_some_and(|text| is_time(&text));
        self.breaks(Rule::DataSchema, schema);
        self.breaks(Rule::DataContentType, content);
        self.breaks(Rule::Time, time);
    }

    /// What holds for every attribute, extensions among them.
    fn attributes(&mut self) {
        self.breaks(
            Rule::DuplicateAttribute,
            has_duplicate(self.doc, self.event),
        );
        for (key, value) in self.doc.members(self.event) {
            let Some(name) = self.doc.string(key) else {
                continue;
            };
            if name == "data" || name == "data_base64" {
                continue;
            }
            let is_plain = name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
            self.breaks(Rule::AttributeName, !is_plain || name.is_empty());
            self.breaks(Rule::LongName, name.chars().count() > NAME_MAX);
            let of_no_type = match self.doc.kind(value) {
                Some(NodeKind::Object | NodeKind::Array) | None => true,
                Some(NodeKind::Number) => !is_integer(self.doc.raw(value)),
                Some(NodeKind::String | NodeKind::True | NodeKind::False | NodeKind::Null) => false,
            };
            self.breaks(Rule::AttributeType, of_no_type);
            let text = self.doc.string(value).unwrap_or_default();
            self.breaks(Rule::Characters, text.chars().any(is_no_character));
        }
    }

    fn payload(&mut self) {
        // `data: null` is a payload that is null, so it counts as there (JSON format, 3.1.1).
        let has_data = self.doc.member(self.event, "data");
        let encoded = self.present("data_base64");
        self.breaks(Rule::TwoPayloads, has_data.is_some() && encoded.is_some());
        let is_base64 = |index| {
            let text = self.doc.string(index);
            text.is_some_and(|text| {
                base64::engine::general_purpose::STANDARD
                    .decode(&*text)
                    .is_ok()
            })
        };
        let is_undecodable = encoded.is_some_and(|index| !is_base64(index));
        self.breaks(Rule::Base64, is_undecodable);
        let Some(data) = has_data else {
            return;
        };
        if let Some(text) = self.doc.string(data) {
            let content_type = self.text("datacontenttype");
            let is_json = content_type.is_none_or(|content| super::unwrap::is_json(&content));
            self.breaks(Rule::JsonInString, is_json && holds_json(&text));
        }
        let is_event = self.doc.member(data, "specversion").is_some();
        self.breaks(Rule::Nested, is_event);
        let length = self.doc.raw(self.event).len();
        self.breaks(Rule::Large, length > CARRIED_BYTES);
    }

    fn extensions(&mut self) {
        let sequence = self.present("sequence");
        let is_integer_type = self
            .text("sequencetype")
            .is_some_and(|text| text == "Integer");
        let is_bad = sequence.is_some()
            && self.text("sequence").is_none_or(|text| {
                text.is_empty() || is_integer_type && text.parse::<i32>().is_err()
            });
        self.breaks(Rule::Sequence, is_bad);
        let names = ["partitionkey", "traceparent"];
        let is_empty = |name: &&str| self.present(name).is_some() && self.is_unfilled(name);
        let is_any_empty = names.iter().any(is_empty);
        self.breaks(Rule::EmptyExtension, is_any_empty);
        let recorded = self.present("recordedtime").is_some()
            && !self.text("recordedtime").is_some_and(|text| is_time(&text));
        self.breaks(Rule::RecordedTime, recorded);
    }
}

/// RFC 3339 with its leap second, which the contract counts as no time.
fn is_time(text: &str) -> bool {
    let is_leap = text.get(17..19) == Some("60");
    let at_59 = || {
        let (head, tail) = text.split_at_checked(17)?;
        Some(format!("{head}59{}", tail.get(2..)?))
    };
    Instant::parse(text).is_some()
        || is_leap && at_59().is_some_and(|text| Instant::parse(&text).is_some())
}

/// A number of the type system's only kind: an integer within 32 bits, signed.
fn is_integer(spelling: &str) -> bool {
    number::signed(spelling).is_some_and(|number| i32::try_from(number).is_ok())
}

/// A text that is a JSON object or array.
fn holds_json(text: &str) -> bool {
    let looks_like_it = text.trim_start().starts_with(['{', '[']);
    looks_like_it && read(text.trim(), MAX_DEPTH, &mut Vec::new()).is_ok()
}

/// Code points that a string of the type system must not have.
fn is_no_character(character: char) -> bool {
    let code = u32::from(character);
    character.is_control() || (0xFDD0..=0xFDEF).contains(&code) || code & 0xFFFE == 0xFFFE
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn of(changes: &str) -> Vec<Rule> {
        let text =
            format!(r#"{{"specversion":"1.0","id":"a","source":"/orders","type":"t"{changes}}}"#);
        of_event(&text)
    }

    fn of_event(text: &str) -> Vec<Rule> {
        let mut nodes = Vec::new();
        read(text, MAX_DEPTH, &mut nodes).unwrap();
        broken(Doc::new(text, &nodes), Doc::ROOT)
    }

    #[test]
    fn what_the_specification_allows_is_not_told() {
        for changes in [
            "",
            r#","time":"2026-03-02T09:00:05.1234567Z","subject":"s","dataschema":"https://a.test/s""#,
            r#","time":"2016-12-31t23:59:60z""#,
            r#","datacontenttype":"application/json; charset=utf-8","data":{"a":[1.5]}"#,
            r#","datacontenttype":"text/plain","data":"{\"a\":1}""#,
            r#","data":"no json","ext1":true,"ext2":-2147483648,"ext3":null"#,
            r#","data_base64":"/wA=","sequence":"7","sequencetype":"Integer","traceparent":"t""#,
            r#","time":null,"subject":null"#,
        ] {
            assert_eq!(of(changes), [], "{changes}");
        }
    }

    #[test]
    fn each_rule_is_told_where_it_is_broken() {
        let long = format!(r#","{}":"x""#, "a".repeat(21));
        let large = format!(r#","data":"{}""#, "x".repeat(CARRIED_BYTES));
        for (changes, rule) in [
            (r#","subject":"""#, Rule::EmptyAttribute),
            (r#","dataschema":"relative/only""#, Rule::DataSchema),
            (r#","datacontenttype":"xyz""#, Rule::DataContentType),
            (r#","time":"2026-03-02 09:00:05Z""#, Rule::Time),
            (r#","time":5"#, Rule::Time),
            (r#","time":"2026-03-02T09:00:05""#, Rule::Time),
            (r#","iodebeziumtxId":"5""#, Rule::AttributeName),
            (r#","a-b":"5""#, Rule::AttributeName),
            (long.as_str(), Rule::LongName),
            (r#","ext":{}"#, Rule::AttributeType),
            (r#","ext":1.5"#, Rule::AttributeType),
            (r#","ext":2147483648"#, Rule::AttributeType),
            (r#","subject":"a\u0007b""#, Rule::Characters),
            (r#","subject":"\ufffe""#, Rule::Characters),
            (r#","ext":"a","ext":"b""#, Rule::DuplicateAttribute),
            (r#","data":null,"data_base64":"AA==""#, Rule::TwoPayloads),
            (r#","data_base64":"no base64!""#, Rule::Base64),
            (r#","sequence":"""#, Rule::Sequence),
            (
                r#","sequence":"x","sequencetype":"Integer""#,
                Rule::Sequence,
            ),
            (r#","traceparent":"""#, Rule::EmptyExtension),
            (r#","recordedtime":"now""#, Rule::RecordedTime),
            (r#","data":"{\"a\":1}""#, Rule::JsonInString),
            (r#","data":{"specversion":"1.0"}"#, Rule::Nested),
            (large.as_str(), Rule::Large),
        ] {
            assert_eq!(of(changes), [rule], "{changes}");
        }
    }

    #[test]
    fn required_attributes() {
        for (text, rules) in [
            (r#"{"specversion":"1.0"}"#, &[Rule::RequiredAttribute][..]),
            (
                r#"{"specversion":"0.3","id":"a","source":"a b","type":"t"}"#,
                &[Rule::SpecVersion, Rule::Source],
            ),
            (
                r#"{"specversion":"1.0","id":null,"source":"a","type":"t"}"#,
                &[Rule::RequiredAttribute],
            ),
        ] {
            assert_eq!(of_event(text), rules, "{text}");
        }
    }
}
