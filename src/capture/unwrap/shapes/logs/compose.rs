//! `docker compose logs` and `docker service logs`: `svc-1  | line`, the name in colours on a terminal,
//! with `--timestamps` a time before the line (which is then taken off as kubectl's is).

use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::{ansi, begins_value};
use crate::model::{Instant, reason};

pub(super) const SHAPE: Shape = Shape {
    name: "compose",
    told_by: ToldBy::Text(fits),
    unwrap,
};

/// The container's name, and its line.
fn parts(text: &str) -> Option<(&str, &str)> {
    let (name, line) = text.split_once("| ")?;
    let name = name.strip_suffix(' ')?.trim_end_matches(' ');
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '@');
    (!name.is_empty() && name.chars().all(allowed)).then_some((name, line))
}

fn fits(text: &str) -> bool {
    let text = ansi::stripped(text);
    parts(&text).is_some_and(|(_, line)| {
        let is_timed =
            |(time, line): (&str, &str)| Instant::parse(time).is_some() && begins_value(line);
        begins_value(line) || line.split_once(' ').is_some_and(is_timed)
    })
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let text: &'a str = match ansi::stripped(layer.text) {
        std::borrow::Cow::Borrowed(text) => text,
        std::borrow::Cow::Owned(text) => layer.arena.alloc_str(&text),
    };
    let Some((name, line)) = parts(text) else {
        return Inner::Nothing(reason::NO_PAYLOAD);
    };
    if layer.facts {
        around.channel = Some(name.into());
    }
    Inner::Text(line)
}
