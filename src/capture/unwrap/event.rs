//! A CloudEvent put together from a transport's headers and payload: binary mode (CloudEvents Kafka,
//! HTTP, AMQP, MQTT, NATS and Pub/Sub bindings).

use std::borrow::Cow;
use std::str::Utf8Error;

use bumpalo::Bump;
use bumpalo::collections::String as BumpString;

use super::super::pieces::ends_early;
use super::super::skip::is_value;
use super::super::token::skip_plain;
use super::layer::Inner;
use crate::model::reason;

/// Puts an event together member by member.
pub(super) struct EventText<'a> {
    text: BumpString<'a>,
    /// The payload ends in the middle of a JSON value.
    is_cut: bool,
}

/// What a payload is, as far as its transport knows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Payload<'a> {
    /// There is none.
    Absent,
    /// A text.
    Text(&'a str),
    /// Bytes.
    Bytes(&'a [u8]),
    /// A value as it is spelled in JSON.
    Json(&'a str),
}

impl<'a> EventText<'a> {
    pub(super) fn new(arena: &'a Bump) -> Self {
        let mut text = BumpString::with_capacity_in(512, arena);
        text.push('{');
        Self {
            text,
            is_cut: false,
        }
    }

    fn name(&mut self, name: &str) {
        if self.text.len() > 1 {
            self.text.push(',');
        }
        quoted(name, &mut self.text);
        self.text.push(':');
    }

    /// A member that is a string.
    pub(super) fn string(&mut self, name: &str, value: &str) {
        self.name(name);
        quoted(value, &mut self.text);
    }

    /// A member that is a string, where there is one.
    pub(super) fn maybe(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.string(name, value);
        }
    }

    /// A member as it is spelled in JSON.
    pub(super) fn raw(&mut self, name: &str, json: &str) {
        self.name(name);
        self.text.push_str(json);
    }

    /// The payload as `data` (CloudEvents JSON format, section 3.1): a JSON value where the content
    /// type is absent or JSON and it is one, a string where it is text, else `data_base64`. Where it
    /// should be JSON, begins like an object or array and ends inside it, it was cut off: then there
    /// is no event.
    pub(super) fn data(&mut self, payload: Payload<'_>, content_type: Option<&str>) {
        let may_be_json = content_type.is_none_or(is_json);
        let text = match payload {
            Payload::Absent => return,
            Payload::Json(json) => {
                self.raw("data", json);
                return;
            }
            Payload::Text(text) => text,
            Payload::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => text,
                Err(fault) => {
                    self.is_cut |= may_be_json && ends_inside(bytes, fault);
                    self.base64(bytes);
                    return;
                }
            },
        };
        if may_be_json && is_value(text) {
            self.raw("data", text);
        } else {
            self.is_cut |= may_be_json && ends_early(text);
            self.string("data", text);
        }
    }

    /// The payload as `data_base64`.
    pub(super) fn base64(&mut self, bytes: &[u8]) {
        use base64::Engine as _;
        let encoded = base64::engine::general_purpose::STANDARD.encode(bytes);
        self.string("data_base64", &encoded);
    }

    /// The event, or that its payload was cut off.
    pub(super) fn finish(mut self) -> Inner<'a> {
        if self.is_cut {
            return Inner::Nothing(reason::PAYLOAD_TRUNCATED);
        }
        self.text.push('}');
        Inner::Event(self.text.into_bump_str())
    }
}

/// Whether bytes end in the middle of a character, and of a JSON value before it.
fn ends_inside(bytes: &[u8], fault: Utf8Error) -> bool {
    let whole = bytes.get(..fault.valid_up_to());
    let text = whole.and_then(|whole| std::str::from_utf8(whole).ok());
    fault.error_len().is_none() && text.is_some_and(ends_early)
}

/// Whether a content type is JSON: `application/json`, `text/json`, anything `+json`; compared
/// without case and parameters (CloudEvents JSON format, section 3.1.1).
pub fn is_json(content_type: &str) -> bool {
    let media = content_type.split(';').next().unwrap_or_default().trim();
    let media = media.to_ascii_lowercase();
    media.ends_with("/json") || media.ends_with("+json")
}

/// Whether a content type says that the payload is a whole CloudEvent (structured mode).
pub(super) fn is_structured(content_type: &str) -> bool {
    let prefix = "application/cloudevents";
    content_type
        .trim_start()
        .get(..prefix.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(prefix))
}

/// Puts together the event whose attributes are headers with one of these prefixes. `None` where no
/// header has `id`, `source`, `type` or `specversion`: then it is no CloudEvent in binary mode. A payload
/// that was cut off makes none either, and is told.
/// Header names are compared without case; `content-type` is `datacontenttype`.
pub(super) fn from_headers<'a, 'h>(
    headers: impl Iterator<Item = (&'h str, Cow<'h, str>)> + Clone,
    prefixes: &[&str],
    payload: Payload<'_>,
    arena: &'a Bump,
) -> Option<Inner<'a>> {
    let attribute = |name: &'h str| {
        prefixes.iter().find_map(|prefix| {
            let (head, rest) = name.split_at_checked(prefix.len())?;
            (head.eq_ignore_ascii_case(prefix) && !rest.is_empty()).then_some(rest)
        })
    };
    let is_required = |name: &str| {
        ["id", "source", "type", "specversion"]
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known))
    };
    let mut attributes = headers.clone().filter_map(|(name, _)| attribute(name));
    if !attributes.any(is_required) {
        return None;
    }
    let mut event = EventText::new(arena);
    let mut content_type = None;
    for (name, value) in headers {
        if let Some(attribute) = attribute(name) {
            if attribute.bytes().any(|byte| byte.is_ascii_uppercase()) {
                event.string(&attribute.to_ascii_lowercase(), &value);
            } else {
                event.string(attribute, &value);
            }
            if attribute.eq_ignore_ascii_case("datacontenttype") {
                content_type = Some(value);
            }
        } else if name.eq_ignore_ascii_case("content-type")
            || name.eq_ignore_ascii_case("content_type")
        {
            event.string("datacontenttype", &value);
            content_type = Some(value);
        }
    }
    event.data(payload, content_type.as_deref());
    Some(event.finish())
}

/// Writes a JSON string.
pub(super) fn quoted(text: &str, into: &mut BumpString<'_>) {
    into.push('"');
    let mut rest = text;
    loop {
        let at = skip_plain(rest.as_bytes(), 0);
        if at == rest.len() {
            break;
        }
        let (plain, behind) = rest.split_at_checked(at).unwrap_or((rest, ""));
        into.push_str(plain);
        let mut characters = behind.chars();
        match characters.next() {
            Some('"') => into.push_str("\\\""),
            Some('\\') => into.push_str("\\\\"),
            Some('\n') => into.push_str("\\n"),
            Some('\r') => into.push_str("\\r"),
            Some('\t') => into.push_str("\\t"),
            Some(control) => {
                let code = u32::from(control);
                into.push_str("\\u00");
                for nibble in [code >> 4, code & 15] {
                    into.extend(char::from_digit(nibble, 16));
                }
            }
            None => {}
        }
        rest = characters.as_str();
    }
    into.push_str(rest);
    into.push('"');
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn event(headers: &[(&'static str, &'static str)], payload: Payload<'_>) -> Option<String> {
        let arena = Bump::new();
        let headers = headers
            .iter()
            .map(|(name, value)| (*name, Cow::Borrowed(*value)));
        match from_headers(headers, &["ce_", "ce-"], payload, &arena)? {
            Inner::Event(text) => Some(text.to_owned()),
            Inner::Nothing(reason::PAYLOAD_TRUNCATED) => Some("payload-truncated".to_owned()),
            Inner::Nothing(_) | Inner::Text(_) | Inner::Bytes(_) => None,
        }
    }

    #[test]
    fn headers_become_attributes_and_the_payload_data() {
        let headers = [
            ("ce_id", "a\"b"),
            ("Ce-Source", "urn:x"),
            ("content-type", "application/json"),
            ("trace", "t"),
        ];
        assert_eq!(
            event(&headers, Payload::Text("{\"n\":1.0}")).unwrap(),
            r#"{"id":"a\"b","source":"urn:x","datacontenttype":"application/json","data":{"n":1.0}}"#
        );
        assert_eq!(
            event(&headers, Payload::Text("{broken}")).unwrap(),
            r#"{"id":"a\"b","source":"urn:x","datacontenttype":"application/json","data":"{broken}"}"#
        );
        assert_eq!(
            event(&headers[..2], Payload::Bytes(b"\xff\x00")).unwrap(),
            r#"{"id":"a\"b","source":"urn:x","data_base64":"/wA="}"#
        );
        assert_eq!(
            event(&headers[..2], Payload::Absent).unwrap(),
            r#"{"id":"a\"b","source":"urn:x"}"#
        );
        assert_eq!(event(&headers[2..], Payload::Text("{}")), None);
    }

    #[test]
    fn text_content_stays_a_string_even_where_it_looks_like_json() {
        let headers = [("ce_id", "a"), ("content-type", "text/plain")];
        assert_eq!(
            event(&headers, Payload::Text("1\u{1}\n")).unwrap(),
            r#"{"id":"a","datacontenttype":"text/plain","data":"1\u0001\n"}"#
        );
    }

    #[test]
    fn a_payload_that_ends_inside_its_value_makes_no_event() {
        let json = [("ce_id", "a"), ("content-type", "application/json")];
        let text = [("ce_id", "a"), ("content-type", "text/plain")];
        for payload in [
            Payload::Text("{\"orde"),
            Payload::Text(" [1,"),
            Payload::Text("{"),
            Payload::Bytes(b"{\"orde"),
            Payload::Bytes(b"{\"n\":\"\xc3"),
        ] {
            for headers in [&json[..], &json[..1]] {
                let found = event(headers, payload).unwrap();
                assert_eq!(found, "payload-truncated", "{payload:?}");
            }
            assert_ne!(event(&text, payload).unwrap(), "payload-truncated");
        }
        for payload in [
            Payload::Text("{broken}"),
            Payload::Text("{\"a\":1}}"),
            Payload::Text("[INFO] plain"),
            Payload::Text("\"plain"),
            Payload::Text("tru"),
            Payload::Text(""),
            Payload::Bytes(b"{\"n\":\"\xc3\"}"),
            Payload::Bytes(b"\xc3"),
        ] {
            assert_ne!(
                event(&json, payload).unwrap(),
                "payload-truncated",
                "{payload:?}"
            );
        }
    }

    #[test]
    fn content_types() {
        for (text, json, structured) in [
            ("application/json", true, false),
            ("Application/JSON; charset=utf-8", true, false),
            ("application/cloudevents+json", true, true),
            ("APPLICATION/CloudEvents-batch+json", true, true),
            ("text/plain", false, false),
            ("", false, false),
        ] {
            assert_eq!(
                (is_json(text), is_structured(text)),
                (json, structured),
                "{text}"
            );
        }
    }
}
