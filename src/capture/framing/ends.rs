//! Where a block of text ends: behind its JSON value, where it has one, for nothing of it can follow.
//! What stands below is looked at again. Only a text's end is not known: it goes on to the next block,
//! to a line that a listed tool prints beside its records, or to a line that is a record by itself.

use super::super::json::{FaultKind, read_prefix};
use super::super::unwrap::is_known;
use super::chunk::is_separator;
use super::cut::is_title_within;
use super::marks::{
    Reading, Scanner, Tool, is_context, is_nats, is_nats_reply, is_nats_stored, line_length, trim,
};
use super::{messages, noise};

/// What is known of an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::capture) enum End {
    /// It is here, whatever follows.
    At(usize),
    /// It is where something else begins, from here on.
    Open(usize),
    /// More must be read.
    More,
}

/// A JSON object or array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// It ends here.
    Whole(usize),
    /// It may go on beyond what has been read.
    Unfinished,
    /// There is none, or it is damaged.
    None,
}

/// The object or array that begins at a byte.
pub(super) fn value(bytes: &[u8], at: usize, ended: bool) -> Value {
    let rest = bytes.get(at..).unwrap_or_default();
    if !matches!(rest.first(), Some(b'{' | b'[')) {
        return Value::None;
    }
    match read_prefix(rest, u32::MAX, &mut Vec::new()) {
        Ok(length) => Value::Whole(at + length),
        Err(fault) if fault.kind == FaultKind::UnexpectedEnd && !ended => Value::Unfinished,
        Err(_) => Value::None,
    }
}

/// Whether nothing follows on the line; `None`: more must be read.
pub(super) fn rest_is_blank(bytes: &[u8], at: usize, ended: bool) -> Option<bool> {
    let rest = bytes.get(at..).unwrap_or_default();
    let is_blank = |byte: &u8| *byte != b'\n' && is_separator(*byte);
    match rest.iter().find(|byte| !is_blank(byte)) {
        Some(byte) => Some(*byte == b'\n'),
        None => ended.then_some(true),
    }
}

/// Whether a line belongs to no block: a listed tool prints it beside its records, or it is one.
pub(super) fn is_stray(line: &[u8]) -> bool {
    match line.first() {
        Some(b'{') => is_known(trim(line)),
        Some(_) => noise::is_noise(line),
        None => false,
    }
}

/// The length of the block that begins here; `None`: more must be read.
pub(super) fn block_end(tool: Tool, bytes: &[u8], ended: bool) -> Option<usize> {
    let end = match tool {
        Tool::EventDisplay => event_display(bytes, ended),
        Tool::Nats => nats(bytes, ended),
        Tool::Pulsar => pulsar(bytes, ended),
        Tool::Http => messages::block(bytes, ended),
    };
    let end = match end {
        End::At(end) => Some(end),
        End::Open(from) => Scanner::within(tool, from, true).next(bytes, ended),
        End::More => None,
    };
    end.or_else(|| ended.then_some(bytes.len()))
}

/// The lines from a byte on, each with where it begins and where the next one does.
pub(super) struct Lines<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) ended: bool,
}

impl<'a> Lines<'a> {
    /// `None`: the bytes end before the line does.
    fn next(&mut self) -> Option<(usize, &'a [u8])> {
        let rest = self.bytes.get(self.at..)?;
        let length = line_length(rest, self.ended)?;
        let start = self.at;
        self.at = (start + length + 1).min(self.bytes.len());
        Some((start, rest.get(..length)?))
    }

    /// The first line that is not blank.
    fn next_text(&mut self) -> Option<(usize, &'a [u8])> {
        loop {
            let (start, line) = self.next()?;
            if !trim(line).is_empty() {
                return Some((start, line));
            }
        }
    }
}

/// A body that may be a JSON value and begins at a byte, with nothing behind it on its last line;
/// `below` is where the next line begins.
fn body(bytes: &[u8], at: usize, below: usize, ended: bool) -> End {
    match value(bytes, at, ended) {
        Value::Whole(end) => match rest_is_blank(bytes, end, ended) {
            Some(true) => End::At(end),
            Some(false) => behind_line(bytes, end, ended),
            None => End::More,
        },
        Value::Unfinished => End::More,
        Value::None => End::Open(below),
    }
}

/// A text goes on below the line that a byte is on.
pub(super) fn behind_line(bytes: &[u8], at: usize, ended: bool) -> End {
    match memchr::memchr(b'\n', bytes.get(at..).unwrap_or_default()) {
        Some(length) => End::Open(at + length + 1),
        None if ended => End::At(bytes.len()),
        None => End::More,
    }
}

/// Banner, titles, indented attributes, `Data,` and the data, which is indented too where it is JSON.
fn event_display(bytes: &[u8], ended: bool) -> End {
    display(bytes, false, ended)
}

/// The rest of such a block, from a line of its attributes or a title below them on.
pub(super) fn block_rest(bytes: &[u8], ended: bool) -> End {
    display(bytes, true, ended)
}

fn display(bytes: &[u8], mut in_context: bool, ended: bool) -> End {
    let mut lines = Lines {
        bytes,
        at: 0,
        ended,
    };
    let mut reading = Reading::new();
    let mut is_json = true;
    loop {
        let Some((start, line)) = lines.next() else {
            return End::More;
        };
        let trimmed = trim(line);
        if reading.event_display(trimmed) && start > 0 {
            return End::At(start);
        }
        if start > 0 && is_stray(line) {
            return End::At(start);
        }
        if is_context(trimmed) {
            in_context = true;
        } else if in_context && matches!(trimmed, b"Data," | b"Data (binary),") {
            return data(lines, reading, is_json);
        } else if let Some(value) = trimmed.strip_prefix(b"datacontenttype:") {
            is_json = memchr::memmem::find(value, b"json").is_some();
        } else if in_context && is_no_attribute(line) {
            // An attribute may have a line end inside.
            let mut below = Lines { ..lines };
            match below.next_text() {
                None if !ended => return End::More,
                Some((_, line)) if !is_no_attribute(line) => {}
                None | Some(_) => return End::At(start),
            }
        }
    }
}

/// Whether a line stands where event-display prints titles and attributes, and is neither.
pub(super) fn is_no_attribute(line: &[u8]) -> bool {
    let is_indented = line.first().is_none_or(|byte| is_separator(*byte));
    !is_indented && !is_title_within(trim(line))
}

/// The data below its title.
pub(super) fn data(mut lines: Lines<'_>, mut reading: Reading, is_json: bool) -> End {
    let Some((start, line)) = lines.next_text() else {
        return End::More;
    };
    let text = trim(line);
    if reading.event_display(text) {
        return End::At(start);
    }
    // A text is printed as it is: what looks like a value may be its first line.
    if is_json && read_prefix(text, u32::MAX, &mut Vec::new()) == Ok(text.len()) {
        return End::At(start + line.len());
    }
    let indent = line.iter().take_while(|byte| is_separator(**byte)).count();
    body(lines.bytes, start + indent, lines.at, lines.ended)
}

/// A title, headers and an empty line where there are headers, the message; the same again for a reply
/// that was matched to it.
fn nats(bytes: &[u8], ended: bool) -> End {
    let mut lines = Lines {
        bytes,
        at: 0,
        ended,
    };
    let Some((_, title)) = lines.next() else {
        return End::More;
    };
    if memchr::memmem::find(title, b"] Received on [").is_some()
        && let Some(quote) = memchr::memmem::find(title, b"]: '")
    {
        return oldest(bytes, title, quote + 4, lines.at, ended);
    }
    let may_be_answered = memchr::memmem::find(title, b" with reply \"").is_some();
    loop {
        let (start, line) = loop {
            let Some((start, line)) = lines.next_text() else {
                return End::More;
            };
            let text = trim(line);
            if is_nats(text) || is_nats_stored(text) || noise::is_noise(text) {
                return End::At(start);
            }
            if messages::header(text).is_none() {
                break (start, line);
            }
        };
        let indent = line.iter().take_while(|byte| is_separator(**byte)).count();
        let end = match body(bytes, start + indent, lines.at, ended) {
            End::At(end) if may_be_answered => end,
            end @ (End::At(_) | End::Open(_) | End::More) => return end,
        };
        lines.at = end;
        match lines.next_text() {
            None if !ended => return End::More,
            Some((_, line)) if is_nats_reply(line) => {}
            None | Some(_) => return End::At(end),
        }
    }
}

/// `[#1] Received on [orders]: '…'`: what ends its line with the quote is all.
fn oldest(bytes: &[u8], title: &[u8], message: usize, below: usize, ended: bool) -> End {
    match value(bytes, message, ended) {
        Value::Whole(end) => {
            let quoted = bytes.get(end) == Some(&b'\'');
            match rest_is_blank(bytes, end + 1, ended) {
                _ if end >= bytes.len() && !ended => End::More,
                Some(true) if quoted => End::At(end + 1),
                None => End::More,
                Some(_) => behind_line(bytes, end, ended),
            }
        }
        Value::Unfinished => End::More,
        Value::None if trim(title).ends_with(b"'") => End::At(title.len()),
        Value::None => End::Open(below),
    }
}

/// What stands before the content, where there is a key.
const CONTENT: &[u8] = b"], content:";

/// A boundary, then `key:[…], properties:[…], content:…`, or the content alone.
fn pulsar(bytes: &[u8], ended: bool) -> End {
    let mut lines = Lines {
        bytes,
        at: 0,
        ended,
    };
    let (Some(_), Some((start, line))) = (lines.next(), lines.next_text()) else {
        return End::More;
    };
    if super::marks::is_pulsar(trim(line)) || noise::is_noise(line) {
        return End::At(start);
    }
    let content = memchr::memmem::find(line, CONTENT).filter(|_| line.starts_with(b"key:["));
    let content = content.map_or(0, |at| at + CONTENT.len());
    body(bytes, start + content, lines.at, ended)
}
