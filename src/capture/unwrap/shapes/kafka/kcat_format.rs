//! `kcat -f`: a message as a template of the user's wrote it, which has to be given again
//! (`--kcat-format`). It is told by that alone, so it is in no list of shapes.
//!
//! kcat escapes nothing. Headers are `k=v,k=v`, `NULL` for null; a null key or payload is nothing, or
//! `NULL` under `-Z`.

use super::super::super::super::template::{Fit, Template, Value};
use super::{
    Around, Bump, Cow, Inner, Layer, Message, Payload, headers, message, millis, reason, tell,
};

/// Its name on the wrap path.
pub(in super::super::super) const NAME: &str = "kcat-format";

/// Takes a record apart by its template.
pub(in super::super::super) fn unwrap<'a>(
    record: &'a [u8],
    template: &'static Template,
    (arena, facts): (&'a Bump, bool),
    around: &mut Around<'a>,
) -> Inner<'a> {
    around.path.push(NAME);
    let layer = Layer::text("", arena, facts);
    let fields = match template.fit(record, true) {
        Fit::Whole { fields, next, .. } if next == record.len() => fields,
        Fit::Whole { .. } | Fit::More => return misfit(layer, template.missed(usize::MAX), around),
        Fit::Not { part } => return misfit(layer, template.missed(part), around),
    };
    let text = |bytes: &'a [u8]| String::from_utf8_lossy(bytes);
    let digits = |bytes: Option<&'a [u8]>| bytes.and_then(|bytes| std::str::from_utf8(bytes).ok());
    let time = digits(fields.time).and_then(millis);
    around.received(time);
    if time.is_some() {
        tell(
            layer,
            around,
            "%T is the producer's clock or the broker's: a template does not say whose",
        );
    }
    if facts {
        around.partition = digits(fields.partition).map(Cow::Borrowed);
        around.offset = digits(fields.offset).map(Cow::Borrowed);
    }
    let listed = fields.headers.map(text).unwrap_or_default();
    let listed = match listed {
        Cow::Borrowed(text) => text,
        Cow::Owned(text) => arena.alloc_str(&text),
    };
    let (headers, is_guess) = headers::of_kcat(listed);
    if is_guess {
        tell(
            layer,
            around,
            "kcat escapes nothing in headers: where one of them ends is a guess",
        );
    }
    if fields
        .payload
        .is_some_and(|payload| payload.is_null() && payload.length.is_none())
    {
        tell(
            layer,
            around,
            "NULL stands for no value; a value that is this word looks the same",
        );
    }
    let parts = Message {
        topic: fields.topic.map(text),
        key: fields
            .key
            .filter(|key| !key.is_null())
            .map(|key| text(key.bytes)),
        headers,
        payload: payload(fields.payload),
    };
    message(layer, parts, around)
}

fn payload(value: Option<Value<'_>>) -> Payload<'_> {
    match value {
        Some(value) if !value.is_null() => match std::str::from_utf8(value.bytes) {
            Ok(text) => Payload::Text(text),
            Err(_) => Payload::Bytes(value.bytes),
        },
        Some(_) | None => Payload::Absent,
    }
}

/// A record that the template does not fit, and what was expected.
fn misfit<'a>(layer: Layer<'a, '_>, words: &'static str, around: &mut Around<'a>) -> Inner<'a> {
    tell(layer, around, words);
    Inner::Nothing(reason::TEMPLATE_MISMATCH)
}
