//! A line of a program's own log with an event at its end, whatever stands before it:
//! `2026-03-02 09:00:00.123  INFO 1 --- [main] c.e.Listener : received {"specversion":…}`.
//!
//! There are as many layouts as programs, so the line is told by its end alone: a JSON object that runs
//! to it, and is an event or a wrapper that is known. Where an object is damaged or cut off, nothing
//! inside it is looked for. It takes nothing that another shape claims.

use bumpalo::Bump;

use super::super::super::super::json::{FaultKind, MAX_DEPTH, read_prefix, skip_whitespace};
use super::super::super::super::pieces;
use super::super::super::super::tape::Doc;
use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy, registry};
use super::word;
use crate::model::{Instant, reason};

pub(super) const SHAPE: Shape = Shape {
    name: "log-line",
    told_by: ToldBy::OtherwiseText(fits),
    unwrap,
};

/// The object at the line's end, set off from what stands before it, as no serialiser's prefix is. That
/// may hold braces as well: `{}`, or `{traceId=…}`.
fn object(line: &str) -> Option<&str> {
    let bytes = line.as_bytes();
    if line.starts_with('{') || line.contains('\n') {
        return None;
    }
    let mut nodes = Vec::new();
    let mut at = 0;
    loop {
        at += memchr::memchr(b'{', bytes.get(at..)?)?;
        let rest = bytes.get(at..)?;
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        if !before.is_some_and(|byte| b" \t=:>|]".contains(byte)) {
            at += 1;
            continue;
        }
        match read_prefix(rest, MAX_DEPTH, &mut nodes) {
            Ok(end) if skip_whitespace(rest, end) == rest.len() => return line.get(at..),
            Ok(end) => at += end,
            // No name of a member follows the brace: it begins no JSON object.
            Err(fault)
                if fault.kind == FaultKind::ExpectedName
                    && fault.offset_bytes == skip_whitespace(rest, 1) =>
            {
                at += 1;
            }
            Err(_) => return None,
        }
    }
}

fn fits(line: &str) -> bool {
    let arena = Bump::new();
    let mut nodes = Vec::new();
    object(line).is_some_and(|object| {
        read_prefix(object.as_bytes(), MAX_DEPTH, &mut nodes).is_ok()
            && registry().knows(Layer::new(Doc::new(object, &nodes), &arena, false))
    })
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    // A time without its offset from UTC is no moment.
    let time = word(layer.text).filter(|(word, _)| pieces::begins_with_date(word.as_bytes()));
    around.received(time.and_then(|(word, _)| Instant::parse(word)));
    match object(layer.text) {
        Some(object) => Inner::Text(object.trim_ascii_end()),
        None => Inner::Nothing(reason::NO_PAYLOAD),
    }
}
