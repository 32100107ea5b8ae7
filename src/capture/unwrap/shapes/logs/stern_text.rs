//! Stern's default output: `POD CONTAINER line`, with `--all-namespaces` `NAMESPACE POD CONTAINER line`,
//! and with `--timestamps` a time before the line; in colours where they were asked for.

use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::{ansi, begins_value, is_name, word};
use crate::model::{Instant, reason};

pub(super) const SHAPE: Shape = Shape {
    name: "stern-text",
    told_by: ToldBy::Text(fits),
    unwrap,
};

/// The pod's name, the time, and the line.
fn parts(text: &str) -> Option<(&str, Option<&str>, &str)> {
    let (first, rest) = word(text)?;
    let (second, rest) = word(rest)?;
    if !is_name(first) || !is_name(second) {
        return None;
    }
    let (pod, rest) = match word(rest) {
        Some((third, rest)) if is_name(third) => (second, rest),
        _ => (first, rest),
    };
    // Two words before a brace stand in many a program's log; a pod's name has a number or a hash.
    if !pod.contains('-') || !pod.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    match word(rest) {
        Some((time, rest)) if Instant::parse(time).is_some() => Some((pod, Some(time), rest)),
        _ => Some((pod, None, rest)),
    }
}

fn fits(text: &str) -> bool {
    let text = ansi::stripped(text);
    parts(&text).is_some_and(|(_, _, line)| begins_value(line))
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let text: &'a str = match ansi::stripped(layer.text) {
        std::borrow::Cow::Borrowed(text) => text,
        std::borrow::Cow::Owned(text) => layer.arena.alloc_str(&text),
    };
    let Some((pod, time, line)) = parts(text) else {
        return Inner::Nothing(reason::NO_PAYLOAD);
    };
    around.received(time.and_then(Instant::parse));
    if layer.facts {
        around.channel = Some(pod.into());
    }
    Inner::Text(line)
}
