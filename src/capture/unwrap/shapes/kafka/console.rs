//! kafka-console-consumer's text: what was asked for, with tabs between, nothing escaped (Kafka's
//! `DefaultMessageFormatter`).
//!
//! ```text
//! since 2.7:  CreateTime:MS ⇥ Partition:N ⇥ Offset:N ⇥ Delivery:N ⇥ HEADERS ⇥ KEY ⇥ VALUE
//! up to 2.6:  CreateTime:MS ⇥ KEY ⇥ VALUE ⇥ N
//! avro:       … KEY ⇥ SCHEMA ⇥ VALUE ⇥ SCHEMA
//! ```
//!
//! There is no topic, and which of the parts were asked for is known by their looks alone: a value is
//! the JSON at the end, a key is what stands before it, headers are what begins with a header's name.
//! A value may run over several lines; framing ends it where the next message begins.

use super::fields::{Prefix, field_length, is_json, is_number, json_length, read_prefix_fields};
use super::{
    Around, Cow, Inner, Instant, Layer, Message, PRODUCERS_CLOCK, Payload, Shape, ToldBy,
    confluent, headers, message, split_tab, tell,
};

pub(super) const SHAPE: Shape = Shape {
    name: "kafka-console-consumer",
    told_by: ToldBy::Text(fits),
    unwrap,
};

/// A key on a line without anything else that tells the tool is no longer than this.
const KEY_MAX: usize = 256;

fn fits(text: &str) -> bool {
    if confluent::is_confluents(text) {
        return false;
    }
    if field_length(text).is_some() {
        return true;
    }
    let Some((first, rest)) = split_tab(text) else {
        return false;
    };
    if first == "NO_HEADERS" || headers::leading_name(first).is_some_and(headers::is_known) {
        return true;
    }
    // Grafana's text download has a time there.
    if Instant::parse(first).is_some() {
        return false;
    }
    let is_key = first.len() <= KEY_MAX && (!first.contains([' ', '\n']) || is_json(first));
    is_key
        && parts(rest, false)
            .value
            .is_some_and(|value| json_length(value).is_some())
        || json_length(text).is_some_and(|length| old_partition(text, length).is_some())
}

/// What follows the prefix.
#[derive(Debug, Default, PartialEq, Eq)]
struct Parts<'a> {
    headers: Option<&'a str>,
    key: Option<&'a str>,
    value: Option<&'a str>,
    partition: Option<&'a str>,
    has_schemas: bool,
}

/// The partition of Kafka 2.6 and earlier: a number behind a value that ends at `length`.
fn old_partition(text: &str, length: usize) -> Option<&str> {
    let behind = text.get(length..)?.strip_prefix('\t')?;
    is_number(behind).then_some(behind)
}

/// Takes apart what follows the prefix; `may_have_more`: headers and a key may stand there.
fn parts(text: &str, may_have_more: bool) -> Parts<'_> {
    let mut parts = Parts::default();
    let mut rest = text;
    if may_have_more {
        take_headers(&mut rest, &mut parts);
        take_key(&mut rest, &mut parts);
    }
    let end = json_length(rest).unwrap_or(0);
    let trailing = old_partition(rest, end).or_else(|| rest.strip_prefix("null\t"));
    match trailing.filter(|number| is_number(number)) {
        Some(number) => {
            parts.value = rest.get(..rest.len() - number.len() - 1);
            parts.partition = Some(number);
        }
        None => parts.value = Some(rest),
    }
    parts
}

fn take_headers<'a>(rest: &mut &'a str, parts: &mut Parts<'a>) {
    let Some((first, behind)) = split_tab(rest) else {
        return;
    };
    let name = headers::leading_name(first);
    let is_known = first == "NO_HEADERS" || name.is_some_and(headers::is_known);
    // A key may look like a header (`order:417`): it is one if nothing else can be the key.
    let is_likely = name.is_some() && !is_json(behind) && behind.contains('\t');
    if is_known || is_likely {
        parts.headers = Some(first);
        *rest = behind;
    }
}

fn take_key<'a>(rest: &mut &'a str, parts: &mut Parts<'a>) {
    // JSON may have tabs between its members; then it is the value, and no key was asked for.
    if is_json(rest) || json_length(rest).is_some_and(|end| old_partition(rest, end).is_some()) {
        return;
    }
    let Some((first, behind)) = split_tab(rest) else {
        return;
    };
    if first == "null" && is_number(behind) {
        return;
    }
    parts.key = Some(first);
    *rest = behind;
    if let Some((number, value)) = split_tab(behind)
        && is_number(number)
    {
        parts.has_schemas = true;
        *rest = value;
    }
}

/// Where none of so many braces begins the value, the line is damaged.
const MOST_TRIES: usize = 64;

/// The same where every tab was pasted as spaces.
fn pasted(text: &str) -> Parts<'_> {
    let begins = |at: &usize| {
        let before = text.get(..*at).unwrap_or_default();
        let value = text.get(*at..).unwrap_or_default();
        (before.is_empty() || before.ends_with(' ')) && is_json(value)
    };
    let mut braces = text.match_indices('{').map(|(at, _)| at).take(MOST_TRIES);
    let at = braces.find(begins);
    let at = at.or_else(|| text.ends_with("null").then(|| text.len() - 4));
    let Some((before, value)) = at.and_then(|at| text.split_at_checked(at)) else {
        return Parts {
            value: Some(text),
            ..Parts::default()
        };
    };
    let mut parts = Parts {
        value: Some(value),
        ..Parts::default()
    };
    let before = before.trim_end_matches(' ');
    let is_headers = before.starts_with("NO_HEADERS")
        || headers::leading_name(before).is_some_and(headers::is_known);
    match before.rsplit_once(' ').filter(|_| is_headers) {
        Some((names, key)) => {
            parts.headers = Some(names.trim_end_matches(' '));
            parts.key = Some(key);
        }
        None if is_headers => parts.headers = Some(before),
        None if before.is_empty() => {}
        None => parts.key = Some(before),
    }
    parts
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let (prefix, rest) = read_prefix_fields(layer.text);
    let is_pasted = !rest.is_empty() && rest.len() < layer.text.len() && !layer.text.contains('\t');
    let parts = if is_pasted {
        pasted(rest)
    } else {
        parts(rest, true)
    };
    if is_pasted {
        tell(
            layer,
            around,
            "its tabs were pasted as spaces, so its parts are told by their looks",
        );
    }
    note(layer, prefix, &parts, around);
    let (headers, is_guess) = parts.headers.map(headers::of_console).unwrap_or_default();
    if is_guess {
        tell(
            layer,
            around,
            "the consumer escapes nothing in headers: where one of them ends is a guess",
        );
    }
    let value = parts.value.unwrap_or_default();
    if value == "null" {
        tell(
            layer,
            around,
            "null stands for no value; a value that is this word looks the same",
        );
    }
    let key = parts.key.filter(|key| *key != "null").map(Cow::Borrowed);
    let parts = Message {
        topic: None,
        key,
        headers,
        payload: payload(value),
    };
    message(layer, parts, around)
}

fn payload(value: &str) -> Payload<'_> {
    match value {
        "null" => Payload::Absent,
        text => Payload::Text(text),
    }
}

fn note<'a>(layer: Layer<'a, '_>, prefix: Prefix<'a>, parts: &Parts<'a>, around: &mut Around<'a>) {
    around.received(prefix.time);
    around.attempt = prefix.attempt.or(around.attempt);
    if prefix.is_producers_clock {
        tell(layer, around, PRODUCERS_CLOCK);
    }
    // Behind a value with a partition before it, a number can only be the value's schema.
    let is_schema = parts.has_schemas || prefix.partition.is_some();
    if parts.partition.is_some() && is_schema {
        tell(
            layer,
            around,
            "a schema's id stands behind the value: a registry's schema decoded it",
        );
    }
    if layer.facts {
        let old = parts.partition.filter(|_| !is_schema);
        around.partition = prefix.partition.or(old).map(Cow::Borrowed);
        around.offset = prefix.offset.map(Cow::Borrowed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_line_are_told_by_their_looks() {
        let whole = |headers, key, value| Parts {
            headers,
            key,
            value: Some(value),
            ..Parts::default()
        };
        for (text, wanted) in [
            ("{\"a\":1}", whole(None, None, "{\"a\":1}")),
            ("{\t\"a\":1}", whole(None, None, "{\t\"a\":1}")),
            ("k\t{\"a\":1}", whole(None, Some("k"), "{\"a\":1}")),
            (
                "order:4\t{\"a\":1}",
                whole(None, Some("order:4"), "{\"a\":1}"),
            ),
            ("null\tnull", whole(None, Some("null"), "null")),
            (
                "{\"id\":1}\t{\"a\":1}",
                whole(None, Some("{\"id\":1}"), "{\"a\":1}"),
            ),
            (
                "x:1,y:2\tk\t{\"a\":1}",
                whole(Some("x:1,y:2"), Some("k"), "{\"a\":1}"),
            ),
            ("ce_id:1\t{}", whole(Some("ce_id:1"), None, "{}")),
            (
                "NO_HEADERS\tk\ta\tb",
                whole(Some("NO_HEADERS"), Some("k"), "a\tb"),
            ),
        ] {
            assert_eq!(parts(text, true), wanted, "{text}");
        }
        let old = Parts {
            key: Some("k"),
            value: Some("{}"),
            partition: Some("2"),
            ..Parts::default()
        };
        assert_eq!(parts("k\t{}\t2", true), old);
        let avro = Parts {
            has_schemas: true,
            ..old
        };
        assert_eq!(parts("k\t7\t{}\t2", true), avro);
        assert_eq!(
            pasted("ce_id:a b,ce_type:c k   {\"a\":1}"),
            whole(Some("ce_id:a b,ce_type:c"), Some("k"), "{\"a\":1}")
        );
    }

    #[test]
    fn other_texts_are_no_consumers() {
        for text in [
            "plain text",
            "2026-03-02T09:00:00Z\tINFO\t{\"a\":1}",
            "a b\t{}",
        ] {
            assert!(!fits(text), "{text}");
        }
    }
}
