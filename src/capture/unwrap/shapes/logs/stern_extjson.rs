//! `stern -o extjson`: `"pod": "…", "container": "…", "message": …`, where the message is a JSON value
//! if the line was one. Some versions write no braces around it, and colours inside the strings; with
//! braces it is an object like any (`-o ppextjson` too).

use super::super::super::super::json::{MAX_DEPTH, read};
use super::super::super::super::tape::Doc;
use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::ansi;
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "stern-extjson",
    told_by: ToldBy::KeysOrText {
        has: &["pod", "container", "message"],
        lacks: &["podName"],
        fits: super::super::super::registry::any,
        text: is_members,
    },
    unwrap,
};

fn is_members(text: &str) -> bool {
    let begins = text.starts_with("\"pod\": \"") || text.starts_with("\"namespace\": \"");
    begins && text.contains("\"message\": ")
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    if layer.is_json {
        return message(layer, around);
    }
    let text = ansi::stripped(layer.text);
    let text = layer.arena.alloc_str(&format!("{{{text}}}"));
    let mut nodes = Vec::new();
    if read(text, MAX_DEPTH, &mut nodes).is_err() {
        return Inner::Nothing(reason::MALFORMED_JSON);
    }
    let layer = Layer::new(Doc::new(text, &nodes), layer.arena, layer.facts);
    message(layer, around)
}

fn message<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    around.channel = layer.fact(&["pod"]);
    match layer.member("message") {
        Some(message) => Inner::Text(layer.payload(message)),
        None => Inner::Nothing(reason::NO_PAYLOAD),
    }
}
