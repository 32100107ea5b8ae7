//! Loki's `logcli` without `-o`: `TIME {app="web", …} line`, in colours on a terminal, the labels padded;
//! newest first. What it prints beside them (the query's address, common labels) goes to standard error.

use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::{Head, Wrapper, ansi, block, is_block};
use crate::model::{Instant, reason};

pub(super) const SHAPE: Shape = Shape {
    name: "logcli-text",
    told_by: ToldBy::Text(fits),
    unwrap,
};

fn fits(text: &str) -> bool {
    if is_block(text, Wrapper::LogcliText) {
        return true;
    }
    let text = ansi::stripped(text);
    Head::logcli(&text).is_some()
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    if is_block(layer.text, Wrapper::LogcliText) {
        return block(layer, around);
    }
    let text: &'a str = match ansi::stripped(layer.text) {
        std::borrow::Cow::Borrowed(text) => text,
        std::borrow::Cow::Owned(text) => layer.arena.alloc_str(&text),
    };
    let Some(head) = Head::logcli(text) else {
        return Inner::Nothing(reason::NO_PAYLOAD);
    };
    around.received(head.time.and_then(Instant::parse));
    if layer.facts {
        around.channel = Some(head.channel.into());
    }
    Inner::Text(head.rest)
}
