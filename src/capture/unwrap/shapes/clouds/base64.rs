//! A payload that its producer put into Base64, because the queue takes text only (SQS, Azure's storage
//! queues), where no wrapper says so. It is told by what it decodes to: an event, or one in a wrapper that
//! is known. Anything else stays what it is. It takes nothing that another shape claims.

use bumpalo::Bump;

use super::super::super::around::Around;
use super::super::super::decode;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::message::is_event;
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "base64",
    told_by: ToldBy::OtherwiseText(fits),
    unwrap,
};

/// What is inside, where it is an object's text.
fn decoded<'a>(text: &str, arena: &'a Bump) -> Option<&'a str> {
    // A brace with a quote or a blank behind it begins with one of these in Base64.
    if !text.starts_with("ey") && !text.starts_with("ew") {
        return None;
    }
    let bytes = decode::base64(text.trim_end(), arena)?;
    std::str::from_utf8(bytes).ok()
}

fn fits(text: &str) -> bool {
    let arena = Bump::new();
    decoded(text, &arena).is_some_and(|inner| is_event(inner, &arena))
}

fn unwrap<'a>(layer: Layer<'a, '_>, _: &mut Around<'a>) -> Inner<'a> {
    match decoded(layer.text, layer.arena) {
        Some(inner) => Inner::Text(inner),
        None => Inner::Nothing(reason::PAYLOAD_NOT_DECODED),
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;

    use super::*;

    #[test]
    fn only_what_decodes_to_an_event_is_taken() {
        let encode = |text: &str| base64::engine::general_purpose::STANDARD.encode(text);
        let event = r#"{"specversion":"1.0","id":"a"}"#;
        assert!(fits(&encode(event)));
        assert!(fits(&encode(&format!("{event}\n"))));
        assert!(fits(encode(event).trim_end_matches('=')));
        for text in [
            encode(r#"{"a":1}"#),
            encode(event.trim_end_matches('}')),
            encode(&format!("{event} x")),
            encode("plain"),
            format!("{} x", encode(event)),
            event.to_owned(),
            "eyJ".to_owned(),
            "e".to_owned(),
            String::new(),
        ] {
            assert!(!fits(&text), "{text}");
        }
    }
}
