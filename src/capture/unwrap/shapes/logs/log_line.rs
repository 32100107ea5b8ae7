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
use crate::model::{Instant, reason};

pub(super) const SHAPE: Shape = Shape {
    name: "log-line",
    told_by: ToldBy::OtherwiseText(fits),
    unwrap,
};

/// The objects in a line, each set off from what stands before it, as no serialiser's prefix is; that may
/// hold braces as well: `{}`, or `{traceId=…}`. Nothing where one is damaged. An object ends before the
/// blanks behind it.
fn objects(line: &str) -> Option<Vec<(usize, usize)>> {
    let bytes = line.as_bytes();
    if line.starts_with('{') || line.contains('\n') {
        return None;
    }
    let mut nodes = Vec::new();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = bytes.get(at..).and_then(|rest| memchr::memchr(b'{', rest)) {
        at += next;
        let rest = bytes.get(at..)?;
        if !is_set_off(bytes.get(..at)?) {
            at += 1;
            continue;
        }
        match read_prefix(rest, MAX_DEPTH, &mut nodes) {
            Ok(end) => {
                found.push((at, at + end));
                at += end;
            }
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
    Some(found)
}

/// Whether an object can begin behind this. RFC 5424 has a byte order mark before a message.
fn is_set_off(before: &[u8]) -> bool {
    let last = before.last();
    last.is_some_and(|byte| b" \t=:>|]".contains(byte)) || before.ends_with("\u{feff}".as_bytes())
}

/// The objects of a line that ends with the last of them.
fn objects_to_end(line: &str) -> Option<Vec<(usize, usize)>> {
    let found = objects(line)?;
    let (_, end) = found.last()?;
    let is_end = line.get(*end..)?.trim_ascii().is_empty();
    is_end.then_some(found)
}

/// Whether an object in a line is an event, or a wrapper that is known.
fn is_known(line: &str, (start, end): (usize, usize)) -> bool {
    let Some(object) = line.get(start..end) else {
        return false;
    };
    let arena = Bump::new();
    let mut nodes = Vec::new();
    read_prefix(object.as_bytes(), MAX_DEPTH, &mut nodes).is_ok()
        && registry().knows(Layer::new(Doc::new(object, &nodes), &arena, false))
}

/// The parts of a line that has several events, each with what stands before it: a stream whose messages
/// have no line ends between them (RFC 6587, octet counting). None is passed over for the last one.
pub(super) fn several(line: &str) -> Option<Vec<(usize, usize)>> {
    let mut found = objects_to_end(line)?;
    let last = found.last().copied()?;
    found.retain(|object| is_known(line, *object));
    if found.len() < 2 || found.last() != Some(&last) {
        return None;
    }
    let mut from = 0;
    let part = |(_, end): (usize, usize)| {
        let before = line.get(from..end)?;
        let start = from + before.len() - before.trim_ascii_start().len();
        from = end;
        Some((start, end))
    };
    found.into_iter().map(part).collect()
}

/// Whether a line ends in an event, and holds no other.
pub(super) fn fits(line: &str) -> bool {
    let Some(mut found) = objects_to_end(line) else {
        return false;
    };
    let last = found.pop();
    last.is_some_and(|last| is_known(line, last))
        && !found.into_iter().any(|object| is_known(line, object))
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    // A time without its offset from UTC is no moment. RFC 5424 has its priority before it.
    let mut words = layer.text.split([' ', '\t']).take(2);
    let time = words.find(|word| pieces::begins_with_date(word.as_bytes()));
    around.received(time.and_then(Instant::parse));
    let last = objects_to_end(layer.text).and_then(|mut found| found.pop());
    match last.and_then(|(start, end)| layer.text.get(start..end)) {
        Some(object) => Inner::Text(object),
        None => Inner::Nothing(reason::NO_PAYLOAD),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_several_events_is_taken_apart() {
        let event = r#"{"specversion":"1.0","id":"a"}"#;
        let other = r#"{"attempt":2}"#;
        for (line, parts) in [
            (format!("57 <14>1 - {event}57 <14>1 - {event}"), 2),
            (format!("a {event} b {other} c {event}"), 2),
            (format!("a {other} b {event}"), 0),
            (format!("a {event} b {other}"), 0),
            (format!("a {event} b {event} c"), 0),
            (format!("{event} {event}"), 0),
        ] {
            let found = several(&line);
            let found: Vec<_> = found.into_iter().flatten().collect();
            assert_eq!(found.len(), parts, "{line}");
            let is_whole = |(from, to): &(usize, usize)| line.get(*from..*to).is_some_and(fits);
            assert!(found.iter().all(is_whole), "{line}");
        }
        assert!(fits(&format!("<14>1 - host - - - - \u{feff}{event}")));
    }
}
