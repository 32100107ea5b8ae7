//! A pretty-printed value in a capture of lines, as where two files were put together: it begins with a
//! line that is `{`, goes on over lines that are indented, and ends with a line that is `}`.
//!
//! Only a whole value is taken as one. A line that is damaged stays a record by itself, and never takes
//! a line below it that begins a record: that is not indented.
//!
//! The framer asks where a chunk may be cut, the walk where a value ends; both ask here.

use super::super::json::read_prefix;
use super::without_marks;

/// Whether a line, without its line end, may begin such a value.
#[inline]
pub(super) fn begins(line: &[u8]) -> bool {
    matches!(line, b"{" | b"{\r")
}

fn is_indented(line: &[u8]) -> bool {
    matches!(line.first(), Some(b' ' | b'\t'))
}

/// The length of the whole value that begins here, with a line of which [`begins`] holds. It has `most`
/// bytes at most.
pub(super) fn length(bytes: &[u8], most: usize) -> Option<usize> {
    let mut at = memchr::memchr(b'\n', bytes)? + 1;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let line = rest.get(..end).unwrap_or_default();
        if at > most || line.is_empty() {
            return None;
        }
        if !is_indented(line) {
            let length = at + 1;
            let value = bytes.get(..length)?;
            let is_end = line.trim_ascii_end() == b"}" && length <= most;
            // Depth is no question of framing, as for any other value.
            let read = || read_prefix(value, u32::MAX, &mut Vec::new());
            return (is_end && read() == Ok(length)).then_some(length);
        }
        at += end + 1;
    }
}

/// Finds where such a value may be open.
#[derive(Debug, Default)]
pub(super) struct Open {
    /// Behind this line end it was looked last.
    looked: usize,
    /// What was found there.
    since: Option<usize>,
}

impl Open {
    /// Where the value begins that may be open behind the line end before `end`. `bytes` may only have
    /// grown since the last question.
    pub(super) fn since(&mut self, bytes: &[u8], end: usize) -> Option<usize> {
        let mut at = end;
        self.since = loop {
            if at <= self.looked {
                break self.since;
            }
            let lines = bytes.get(..at - 1).unwrap_or_default();
            let start = memchr::memrchr(b'\n', lines).map_or(0, |end| end + 1);
            let line = lines.get(start..).unwrap_or_default();
            if !is_indented(line) {
                break begins(without_marks(line)).then_some(start);
            }
            at = start;
        };
        self.looked = end;
        self.since
    }
}
