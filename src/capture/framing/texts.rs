//! Text between values, as where a log or a tool's text was put behind pretty-printed JSON: which lines of
//! it are records by themselves.
//!
//! Behind a whole value each of them is: a line has a shape of its own, and takes nothing from the next
//! one. Behind a damaged value lines may as well be what is left of it, and stay together up to a line
//! that may be a record.

use super::super::json::{read_prefix, skip_plain};
use super::super::{logged, pieces};
use super::chunk::is_separator;
use super::ends::block_end;
use super::marks::{
    Told, begins, is_banner, is_context, is_nats, is_nats_stored, is_pulsar, is_request, is_status,
    is_validation, line_length, trim,
};
use super::messages::header;
use super::noise::is_noise;
use super::without_marks;

/// How far into a line it is looked for an object. Headers may stand before it.
const LOOKED_AT_BYTES: usize = 8 << 10;

/// What is known of the text at the start of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Text {
    /// It is a record of so many bytes, its line end included.
    Record(usize),
    /// It is a value, or a part of one.
    None,
    /// More must be read to know.
    More,
}

/// What begins with a line, behind its blanks. `is_damaged`: what stands before may go on here;
/// `in_headers`: the line above looks like a header, and this one is told whether it does.
pub(super) fn text(rest: &[u8], is_damaged: bool, in_headers: &mut bool, ended: bool) -> Text {
    let Some(is_text) = may_be_text(rest, ended) else {
        return Text::More;
    };
    if !is_text {
        return Text::None;
    }
    match begins(rest, *in_headers, ended) {
        Told::Blocks(tool) => {
            return block_end(tool, rest, ended).map_or(Text::More, Text::Record);
        }
        Told::Open if !ended => return Text::More,
        Told::Logged | Told::Other | Told::Open => {}
    }
    let Some(length) = line_length(rest, ended) else {
        return Text::More;
    };
    let line = rest.get(..length).unwrap_or(rest);
    let fits = match line.first() {
        Some(b'"') => !is_damaged,
        _ => !is_damaged || may_be_record(line, 0, true) == Some(true),
    };
    if !fits {
        return Text::None;
    }
    *in_headers = header(line).is_some();
    Text::Record((length + 1).min(rest.len()))
}

/// Whether a line is no value nor a part of one; `None`: more must be read to know.
fn may_be_text(rest: &[u8], ended: bool) -> Option<bool> {
    let end = match rest.first() {
        None | Some(b'{' | b'}' | b']' | b',' | b':') => return Some(false),
        Some(b'[') => return text_in_brackets(rest, ended),
        Some(b'"') => string_end(rest, ended)?,
        Some(_) => {
            let end = word(rest, ended)?;
            if !is_scalar(rest.get(..end)) {
                return Some(true);
            }
            end
        }
    };
    let behind = rest.get(end..).unwrap_or_default();
    let blanks = behind
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'));
    let behind = behind.get(blanks.count()..).unwrap_or_default();
    match behind.first() {
        None => ended.then_some(false),
        Some(b'{' | b'[' | b'"' | b',' | b'}' | b']') => Some(false),
        Some(byte) if is_separator(*byte) => Some(false),
        Some(_) => Some(!is_scalar(behind.get(..word(behind, ended)?))),
    }
}

/// Whether a line begins with a text in brackets: `[pod/…]`, `[#1] Received`, `[main] INFO`,
/// `[2026-03-02 09:00:00]`.
fn text_in_brackets(rest: &[u8], ended: bool) -> Option<bool> {
    let inside = rest.get(1..).unwrap_or_default();
    let Some(first) = inside.first() else {
        return ended.then_some(false);
    };
    if !(first.is_ascii_alphanumeric() || *first == b'#') {
        return Some(false);
    }
    let end = word(inside, ended)?;
    Some(!is_scalar(inside.get(..end)))
}

/// Where the word at the start ends.
fn word(rest: &[u8], ended: bool) -> Option<usize> {
    let is_end = |byte: &u8| is_separator(*byte) || b",[]{}\"".contains(byte);
    let end = rest.iter().position(is_end);
    end.or_else(|| ended.then_some(rest.len()))
}

fn is_scalar(word: Option<&[u8]>) -> bool {
    word.is_some_and(|word| read_prefix(word, 1, &mut Vec::new()) == Ok(word.len()))
}

/// Whether the line at the start, no further to the right than `indent`, is no part of a pretty-printed
/// value and may be a record: it has an object, or is what a listed tool writes. `None`: more must be
/// read to know.
pub(super) fn may_be_record(rest: &[u8], indent: usize, ended: bool) -> Option<bool> {
    let blanks = leading_blanks(rest);
    let Some(first) = rest.get(blanks) else {
        return ended.then_some(false);
    };
    if blanks > indent || b"{}],:\"\r\n".contains(first) {
        return Some(false);
    }
    let head = rest.get(..LOOKED_AT_BYTES);
    let looked_at = head.unwrap_or(rest);
    let end = memchr::memchr(b'\n', looked_at);
    if end.is_none() && head.is_none() && !ended {
        return None;
    }
    let line = trim(looked_at.get(..end.unwrap_or(looked_at.len()))?);
    if *first == b'[' && text_in_brackets(line, true) != Some(true) {
        return Some(false);
    }
    let is_title = is_banner(line)
        || is_validation(line)
        || is_context(line)
        || is_nats(line)
        || is_nats_stored(line)
        || is_pulsar(line)
        || is_request(line)
        || is_status(line);
    Some(
        is_title
            || memchr::memchr(b'{', line).is_some()
            || pieces::begins_with_date(line)
            || logged::begins(line).is_some()
            || is_noise(line),
    )
}

/// Where in a damaged value a line may be a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    /// Here: the value ends before it.
    At(usize),
    /// Nowhere.
    None,
    /// More must be read to know.
    More,
}

/// The first line before `until` that is no part of the damaged value at the start, and may be a record.
/// What stands before `line` has been looked at.
pub(super) fn record_inside(
    rest: &[u8],
    line: &mut usize,
    until: usize,
    indent: usize,
    ended: bool,
) -> Inside {
    loop {
        let lines = rest.get(*line..until).unwrap_or_default();
        let end = memchr::memchr(b'\n', lines);
        let Some(start) = end.map(|end| *line + end + 1).filter(|at| *at < until) else {
            return Inside::None;
        };
        let below = without_marks(rest.get(start..).unwrap_or_default());
        match may_be_record(below, indent, ended) {
            Some(true) => return Inside::At(start),
            Some(false) => *line = start,
            None => return Inside::More,
        }
    }
}

/// Where a string ends, whose closing quote may be lost: it cannot go on in the next line. `None`: more
/// must be read to know.
pub(super) fn string_end(rest: &[u8], ended: bool) -> Option<usize> {
    let mut at = 1;
    loop {
        at = skip_plain(rest, at);
        match rest.get(at) {
            Some(b'"') => return Some(at + 1),
            Some(b'\n') => return Some(at),
            Some(b'\\') if rest.get(at + 1) != Some(&b'\n') => at += 2,
            Some(_) => at += 1,
            None => return ended.then_some(rest.len()),
        }
    }
}

/// Blanks at a line's beginning.
pub(super) fn leading_blanks(line: &[u8]) -> usize {
    line.iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

/// How a value begins: its brace and first name.
pub(super) fn opening(value: &[u8]) -> Option<&[u8]> {
    const NAME_MAX: usize = 128;
    let head = value.get(..NAME_MAX).unwrap_or(value);
    let quote = memchr::memchr(b'"', head)?;
    let name = quote + 1 + memchr::memchr(b'"', head.get(quote + 1..)?)?;
    head.get(..=name)
}
