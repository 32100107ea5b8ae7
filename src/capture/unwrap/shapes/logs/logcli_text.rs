//! Loki's `logcli` without `-o`: `TIME {app="web", …} line`, in colours on a terminal, the labels padded;
//! newest first. What it prints beside them (the query's address, common labels) goes to standard error.

use super::super::super::super::pieces;
use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::{ansi, word};
use crate::model::{Instant, reason};

pub(super) const SHAPE: Shape = Shape {
    name: "logcli-text",
    told_by: ToldBy::Text(fits),
    unwrap,
};

/// Loki's labels at the head of a text, and what follows them: `{}`, or `{name="…", name="…"}`, which no
/// JSON object looks like. Without labels of its own a line has `{}` and a space.
pub(super) fn labels(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('{')?;
    if let Some(rest) = inner.strip_prefix("} ") {
        return Some(("{}", rest));
    }
    let name = inner.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    if name.len() == inner.len() || !name.starts_with("=\"") {
        return None;
    }
    let mut is_quoted = false;
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_quoted,
            b'"' => is_quoted = !is_quoted,
            b'}' if !is_quoted => return text.split_at_checked(at + 1),
            _ => {}
        }
    }
    None
}

fn parts(text: &str) -> Option<(&str, &str, &str)> {
    let (time, rest) = word(text)?;
    if !pieces::begins_with_date(time.as_bytes()) {
        return None;
    }
    let (labels, line) = labels(rest.trim_start())?;
    Some((time, labels, line.trim_start()))
}

fn fits(text: &str) -> bool {
    let text = ansi::stripped(text);
    parts(&text).is_some_and(|(time, _, _)| Instant::parse(time).is_some())
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let text: &'a str = match ansi::stripped(layer.text) {
        std::borrow::Cow::Borrowed(text) => text,
        std::borrow::Cow::Owned(text) => layer.arena.alloc_str(&text),
    };
    let Some((time, labels, line)) = parts(text) else {
        return Inner::Nothing(reason::NO_PAYLOAD);
    };
    around.received(Instant::parse(time));
    if layer.facts {
        around.channel = Some(labels.into());
    }
    Inner::Text(line)
}
