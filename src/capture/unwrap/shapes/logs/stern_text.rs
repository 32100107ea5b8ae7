//! Stern's default output: `POD CONTAINER line`, with `--all-namespaces` `NAMESPACE POD CONTAINER line`,
//! and with `--timestamps` a time before the line; in colours where they were asked for.

use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::{Head, Wrapper, ansi, begins_value, block, is_block, is_pod};
use crate::model::{Instant, reason};

pub(super) const SHAPE: Shape = Shape {
    name: "stern-text",
    told_by: ToldBy::Text(fits),
    unwrap,
};

/// Two words before a brace stand in many a program's log.
fn head(text: &str) -> Option<Head<'_>> {
    Head::stern(text).filter(|head| is_pod(head.channel))
}

fn fits(text: &str) -> bool {
    if is_block(text, Wrapper::SternText) {
        return true;
    }
    let text = ansi::stripped(text);
    head(&text).is_some_and(|head| begins_value(head.rest))
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    if is_block(layer.text, Wrapper::SternText) {
        return block(layer, around);
    }
    let text: &'a str = match ansi::stripped(layer.text) {
        std::borrow::Cow::Borrowed(text) => text,
        std::borrow::Cow::Owned(text) => layer.arena.alloc_str(&text),
    };
    let Some(head) = head(text) else {
        return Inner::Nothing(reason::NO_PAYLOAD);
    };
    around.received(head.time.and_then(Instant::parse));
    if layer.facts {
        around.channel = Some(head.channel.into());
    }
    Inner::Text(head.rest)
}
