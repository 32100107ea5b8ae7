//! `docker compose logs` and `docker service logs`: `svc-1  | line`, the name in colours on a terminal,
//! with `--timestamps` a time before the line (which is then taken off as kubectl's is).

use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::{Head, Wrapper, ansi, begins_value, block, is_block};
use crate::model::{Instant, reason};

pub(super) const SHAPE: Shape = Shape {
    name: "compose",
    told_by: ToldBy::Text(fits),
    unwrap,
};

fn fits(text: &str) -> bool {
    if is_block(text, Wrapper::Compose) {
        return true;
    }
    let text = ansi::stripped(text);
    Head::compose(&text).is_some_and(|Head { rest: line, .. }| {
        let is_timed =
            |(time, line): (&str, &str)| Instant::parse(time).is_some() && begins_value(line);
        begins_value(line) || line.split_once(' ').is_some_and(is_timed)
    })
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    if is_block(layer.text, Wrapper::Compose) {
        return block(layer, around);
    }
    let text: &'a str = match ansi::stripped(layer.text) {
        std::borrow::Cow::Borrowed(text) => text,
        std::borrow::Cow::Owned(text) => layer.arena.alloc_str(&text),
    };
    let Some(head) = Head::compose(text) else {
        return Inner::Nothing(reason::NO_PAYLOAD);
    };
    if layer.facts {
        around.channel = Some(head.name.into());
    }
    Inner::Text(head.rest)
}
