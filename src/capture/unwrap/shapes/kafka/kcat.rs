//! `kcat -J`: one message a line, the payload as a string, headers as one flat list of names and
//! values (kcat's `json.c`). `ts`, `tstype`, `headers` and, in old versions, `broker` may be absent.

use super::{
    Around, Clock, Inner, Inside, Layer, Message, NodeKind, PRODUCERS_CLOCK, Plain, Shape,
    Spellings, ToldBy, any, headers, message, millis, payload_of, reason, refused, tell,
    text_or_json,
};

pub(super) const SHAPE: Shape = Shape {
    name: "kcat",
    told_by: ToldBy::Keys {
        has: &["topic", "partition", "offset", "payload"],
        lacks: &["timestamp"],
        fits: any,
    },
    unwrap,
};

pub(super) static PLAIN: Plain = Plain {
    names: &["payload", "headers", "ts", "tstype"],
    take: take_plain,
};

/// A payload that begins like an object, and no headers that make another event of it.
fn take_plain<'t, 'a>(spellings: &Spellings<'t>, payload: &'a str) -> Option<Inside<'t, 'a>> {
    let [_, headers, time, time_type, ..] = *spellings;
    // An escape in the type of time is for others to read.
    let is_plain = payload.starts_with('{')
        && !names_attributes(headers.as_bytes())
        && !time_type.contains('\\');
    let is_timed = time.starts_with(|c: char| c.is_ascii_digit()) && time_type != r#""unknown""#;
    is_plain.then_some(Inside {
        text: payload,
        received: is_timed.then_some((time, Clock::Millis)),
    })
}

/// Whether headers may be a CloudEvent's in binary mode, or those of Debezium's outbox: some text in them
/// begins like an attribute's name or is `id`, whatever the case, or has an escape.
fn names_attributes(headers: &[u8]) -> bool {
    memchr::memchr2_iter(b'"', b'\\', headers).any(|at| {
        let behind = headers.get(at + 1..).unwrap_or_default();
        let begins = |name: &[u8]| {
            let head = behind.get(..name.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(name))
        };
        headers.get(at) == Some(&b'\\') || begins(b"ce_") || begins(b"ce-") || begins(b"id\"")
    })
}

/// What is read of it.
static NAMES: [&str; 7] = [
    "topic",
    "key",
    "payload",
    "headers",
    "ts",
    "tstype",
    "payload_error",
];

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let [topic, key, payload, headers, at, time_type, error] = layer.members(&NAMES);
    time(layer, (at, time_type), around);
    if layer.facts {
        tell_facts(layer, around);
    }
    let headers = headers.map_or_else(Vec::new, |list| headers::flat(layer, list));
    // Without headers there is no event that they would go into.
    let is_named = layer.facts || !headers.is_empty();
    let (topic, key) = (topic.filter(|_| is_named), key.filter(|_| is_named));
    let parts = Message {
        topic: topic.and_then(|topic| layer.scalar(topic)),
        key: key.and_then(|key| text_or_json(layer, key)),
        headers,
        payload: payload_of(layer, payload),
    };
    // A payload that kcat could not decode stands as null beside its error: no tombstone, and an
    // event of its headers alone would pass for one without data.
    if !layer.is_null(error) && layer.is_null(payload) {
        tell(
            layer,
            around,
            "kcat could not decode the payload, and wrote null: no tombstone",
        );
        return refused(layer, parts, reason::PAYLOAD_NOT_DECODED, around);
    }
    message(layer, parts, around)
}

/// What only people are told.
fn tell_facts<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) {
    let scalar = |name| layer.scalar(layer.member(name)?);
    around.partition = scalar("partition").or(around.partition.take());
    around.offset = scalar("offset").or(around.offset.take());
    if !layer.is_null(layer.member("key_error")) {
        tell(
            layer,
            around,
            "kcat could not decode the key, and wrote null",
        );
    }
    if !layer.is_null(layer.member("value_schema_id")) {
        tell(
            layer,
            around,
            "kcat decoded the payload with a registry's schema",
        );
    }
}

/// A `tstype` of `unknown` has a 0 beside it, which is no time; −1 comes from old clients.
fn time<'a>(
    layer: Layer<'a, '_>,
    (at, time_type): (Option<usize>, Option<usize>),
    around: &mut Around<'a>,
) {
    let time_type = time_type.and_then(|index| layer.string(index));
    let number = at.filter(|index| layer.doc.is(*index, NodeKind::Number));
    let Some(number) = number.filter(|_| time_type != Some("unknown")) else {
        return;
    };
    let at = layer.doc.raw(number);
    around.received_as(at, Clock::Millis);
    if layer.facts && time_type == Some("create") && millis(at).is_some() {
        tell(layer, around, PRODUCERS_CLOCK);
    }
}
