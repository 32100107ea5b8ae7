//! Values one after the other, or in one array: where each of them ends, damaged ones too.
//!
//! No byte is lost: what is not whitespace, and not an array's bracket or comma, belongs to a record.
//! A damaged value ends where its brackets say, or where a line begins the next value or another record;
//! either way its neighbours survive. Text behind a value is looked at line by line (`texts`), and lines
//! of a log are joined there as elsewhere (`joined`). The result does not depend on how much has been read, only on the bytes.

use super::super::bytes::{CaptureError, UTF8_BOM};
use super::super::json::{FaultKind, MAX_DEPTH, read_prefix};
use super::super::tape::Node;
use super::batch::batch;
use super::chunk::{Chunk, Layout, is_separator};
use super::detect::Framing;
use super::joined::{Stretch, stretch};
use super::marks::{Told, begins, line_length};
use super::matching::Matcher;
use super::noise::{self, Sight};
use super::scanning::{Scanned, scanned};
use super::sections;
use super::texts::{
    Inside, Text, leading_blanks, may_be_record, opening, record_inside, string_end, text,
};
use super::watch::Watch;
use super::window::Window;
use super::{SLACK_BYTES, without_marks};

/// Levels that are followed strictly. Deeper values are unreadable whatever they are, and a limit
/// bounds the cost where each damaged value takes the next one for a part of itself.
const LEVELS: u32 = MAX_DEPTH + 1;

/// How far behind the next value's likely beginning a damaged value's own end is still looked for.
const LOOKAHEAD_BYTES: usize = 8 << 10;

/// The state between values.
#[derive(Clone, Debug)]
pub(super) struct Values {
    framing: Framing,
    started: bool,
    in_array: bool,
    /// Leading whitespace of the line at hand.
    indent: usize,
    /// Nothing but whitespace has been on that line yet.
    leading: bool,
    /// What stood before was damaged, and may go on: so may the first value, which the capture's begin
    /// may have cut.
    is_damaged: bool,
    /// A whole object or array was among them: no text block that comes later turns the capture.
    has_whole: bool,
    /// The line above looks like a header and begins no block.
    in_headers: bool,
    /// Bytes of lines that are joined at most.
    most_bytes: usize,
    ended: bool,
    nodes: Vec<Node>,
}

/// What a scan of the window found.
struct Scan {
    ranges: Vec<(usize, usize)>,
    consumed: usize,
}

impl Values {
    pub(super) fn new(framing: Framing) -> Self {
        Self {
            framing,
            started: false,
            in_array: false,
            indent: 0,
            leading: true,
            is_damaged: true,
            has_whole: false,
            in_headers: false,
            most_bytes: 0,
            ended: false,
            nodes: Vec::new(),
        }
    }

    pub(super) fn framing(&self) -> Framing {
        self.framing
    }

    pub(super) fn unclosed_array(&self) -> bool {
        self.ended && self.in_array
    }

    pub(super) fn next_chunk(
        &mut self,
        window: &mut Window<'_>,
        watch: &mut Watch,
        chunk_bytes: usize,
        keep_bytes: usize,
    ) -> Result<Option<Chunk>, CaptureError> {
        self.most_bytes = keep_bytes - SLACK_BYTES;
        let offset_bytes = window.offset_bytes();
        let scan = |bytes: &[u8], ended| {
            let share = watch.look_and_share(bytes, offset_bytes, ended);
            let before = bytes.get(..share.length).unwrap_or(bytes);
            let mut trial = self.clone();
            let mut scan = trial.scan(before, ended || share.is_all);
            if share.is_all && trial.has_whole {
                scan = self.scan(bytes, ended);
            } else {
                *self = trial;
            }
            if self.has_whole {
                watch.stop();
            }
            (scan.ranges, scan.consumed)
        };
        match scanned(window, chunk_bytes, keep_bytes, scan)? {
            Scanned::Chunk(chunk) => Ok(Some(chunk)),
            Scanned::TooLong => self.cut_or_pass(window, chunk_bytes, keep_bytes).map(Some),
            Scanned::End => {
                self.ended = true;
                Ok(None)
            }
        }
    }

    /// Finds whole values from the window's start on.
    fn scan(&mut self, bytes: &[u8], ended: bool) -> Scan {
        let mut scan = Scan {
            ranges: Vec::new(),
            consumed: 0,
        };
        loop {
            let start = scan.consumed;
            let rest = bytes.get(start..).unwrap_or_default();
            match self.noise(rest, ended) {
                Sight::Noise(length) => {
                    (self.indent, self.leading) = (0, true);
                    scan.consumed += length;
                    continue;
                }
                Sight::Unfinished => return scan,
                Sight::Other => {}
            }
            scan.consumed = self.skip(bytes, start);
            // A line of noise may begin behind what was passed over.
            if scan.consumed > start {
                continue;
            }
            if rest.is_empty() {
                return scan;
            }
            match self.stretch(rest, ended) {
                Stretch::More => return scan,
                Stretch::Records(records, length) => {
                    let records = records.into_iter();
                    let records = records.map(|(from, to)| (start + from, start + to));
                    scan.ranges.extend(records);
                    scan.consumed = start + length;
                    continue;
                }
                Stretch::None => {}
            }
            let Some(length) = self.value_end(rest, ended) else {
                return scan;
            };
            // Nothing ends where it begins; a scan always moves on.
            let length = length.max(1);
            let value = rest.get(..length).unwrap_or(rest);
            self.list(value, start, &mut scan.ranges);
            self.started = true;
            self.passed(value);
            scan.consumed = start + length;
        }
    }

    /// Whether a line of noise begins here, between values.
    fn noise(&self, rest: &[u8], ended: bool) -> Sight {
        if self.leading && !self.in_array {
            noise::sight(rest, ended)
        } else {
            Sight::Other
        }
    }

    /// Whether a line of text may begin here: between values, or behind a file without a last line end.
    fn may_be_text(&self) -> bool {
        !self.in_array && (self.leading || !self.is_damaged)
    }

    /// Lines of a log that are joined, between values.
    fn stretch(&mut self, rest: &[u8], ended: bool) -> Stretch {
        if !self.may_be_text() {
            return Stretch::None;
        }
        let found = stretch(rest, self.most_bytes, ended);
        if matches!(found, Stretch::Records(..)) {
            (self.started, self.is_damaged, self.in_headers) = (true, false, false);
            (self.indent, self.leading) = (0, true);
        }
        found
    }

    /// Lists a value as a record; an array of objects between values as a batch of them.
    fn list(&self, value: &[u8], start: usize, ranges: &mut Vec<(usize, usize)>) {
        let is_array = value.first() == Some(&b'[') && !self.in_array;
        let elements = if is_array {
            batch(value, &mut Vec::new())
        } else {
            None
        };
        if let Some(elements) = elements {
            let elements = elements.into_iter();
            ranges.extend(elements.map(|(from, to)| (start + from, start + to)));
            return;
        }
        let kept = value
            .iter()
            .rposition(|byte| !(is_separator(*byte) || self.in_array && *byte == b','))
            .map_or(value.len(), |last| last + 1);
        ranges.push((start, start + kept));
    }

    /// Passes over what stands between values, and keeps the state in step.
    fn skip(&mut self, bytes: &[u8], mut at: usize) -> usize {
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'\n' => {
                    self.indent = 0;
                    self.leading = true;
                    self.in_headers = false;
                }
                b' ' | b'\t' => self.indent += usize::from(self.leading),
                b'\r' | 0 | 0x1e => {}
                0xef if bytes
                    .get(at..)
                    .is_some_and(|rest| rest.starts_with(UTF8_BOM)) =>
                {
                    at += UTF8_BOM.len();
                    continue;
                }
                b',' if self.in_array => self.leading = false,
                b']' if self.in_array => {
                    self.in_array = false;
                    self.leading = false;
                    self.is_damaged = false;
                }
                b'[' if !self.started && self.framing == Framing::Array => {
                    self.started = true;
                    self.in_array = true;
                    self.leading = false;
                }
                _ => break,
            }
            at += 1;
        }
        at
    }

    /// Keeps the indentation in step with a value that was passed.
    fn passed(&mut self, value: &[u8]) {
        if let Some(last) = memchr::memrchr(b'\n', value) {
            let line = value.get(last + 1..).unwrap_or_default();
            self.indent = leading_blanks(line);
            self.leading = self.indent == line.len();
        } else {
            self.leading = false;
        }
    }

    /// The length of the value that begins here; `None`: more must be read to know.
    fn value_end(&mut self, rest: &[u8], ended: bool) -> Option<usize> {
        if self.may_be_text() {
            match text(rest, self.is_damaged, &mut self.in_headers, ended) {
                Text::Record(end) => {
                    self.is_damaged = false;
                    return Some(end);
                }
                Text::More => return None,
                Text::None => {}
            }
        }
        self.in_headers = false;
        match rest.first()? {
            b'{' | b'[' => self.bracketed_end(rest, ended),
            b'"' => string_end(rest, ended),
            b'}' | b']' | b',' | b':' => {
                let run = rest
                    .iter()
                    .position(|byte| !self.is_stray(*byte) && !is_separator(*byte));
                let end = run.or_else(|| ended.then_some(rest.len()))?;
                self.is_damaged = true;
                Some(end)
            }
            _ => self.junk_end(rest, ended),
        }
    }

    /// Punctuation that belongs to no value here.
    fn is_stray(&self, byte: u8) -> bool {
        matches!(byte, b'}' | b':') || (!self.in_array && matches!(byte, b']' | b','))
    }

    /// The strict reader ends a whole value. A damaged one ends where its brackets do, or before the
    /// line that begins the next value, whichever comes first.
    fn bracketed_end(&mut self, rest: &[u8], ended: bool) -> Option<usize> {
        let fault = match read_prefix(rest, LEVELS, &mut self.nodes) {
            Ok(end) => {
                (self.is_damaged, self.has_whole) = (false, true);
                return Some(end);
            }
            Err(fault) => fault,
        };
        let broken = fault.kind != FaultKind::UnexpectedEnd;
        if !broken && !ended {
            return None;
        }
        let opening = opening(rest).filter(|_| broken);
        let end = self.damaged_end(rest, opening, fault.offset_bytes, ended)?;
        self.is_damaged = true;
        Some(end)
    }

    /// Looks for a damaged value's end piece by piece, so that a capture full of them is not searched
    /// to its end for each. In a text without lines the next value is known by its `opening`, which a
    /// value inside this one may have too: then the brackets get a little longer to close.
    fn damaged_end(
        &self,
        rest: &[u8],
        opening: Option<&[u8]>,
        fault: usize,
        ended: bool,
    ) -> Option<usize> {
        let mut matcher = Matcher::new(self.indent, self.in_array, true);
        let mut next = None;
        let mut line = 0;
        let mut done = 0;
        let mut step = LOOKAHEAD_BYTES;
        loop {
            let until = next.map_or(done + step, |next: usize| next + LOOKAHEAD_BYTES);
            let until = until.max(done);
            let available = until.min(rest.len());
            let closed = matcher.feed(rest.get(done..available).unwrap_or_default());
            let searched = closed.unwrap_or(available);
            let inside = if self.in_array {
                Inside::None
            } else {
                record_inside(rest, &mut line, searched, self.indent, ended)
            };
            let text = match inside {
                Inside::At(text) => Some(text),
                Inside::None => None,
                Inside::More => return None,
            };
            let searched = text.unwrap_or(searched);
            if next.is_none() {
                // The opening may lie across two pieces.
                let back = opening.map_or(0, <[u8]>::len);
                let from = fault.max(done.saturating_sub(back)).max(1);
                next = opening.and_then(|opening| find(rest.get(from..searched)?, opening, from));
            }
            if let Some(text) = text {
                return Some(next.map_or(text, |next: usize| next.min(text)));
            }
            match (closed, next) {
                (Some(_), Some(next)) if matcher.closed_by_array => return Some(next),
                (Some(end), _) => return Some(end),
                // What is not there yet may still close it; deciding now would make the records
                // depend on how the bytes came.
                (None, _) if available < until => {
                    return ended.then_some(next.unwrap_or(rest.len()));
                }
                (None, Some(next)) if until >= next + LOOKAHEAD_BYTES => return Some(next),
                (None, _) => {}
            }
            done = available;
            step *= 2;
        }
    }

    /// What begins no value: to the end of its line; where it may be a part of a damaged value, through
    /// the lines below that begin none and no other record.
    fn junk_end(&self, rest: &[u8], ended: bool) -> Option<usize> {
        let token = rest.iter().position(|byte| {
            is_separator(*byte) || matches!(byte, b',' | b'[' | b']' | b'{' | b'}' | b'"')
        });
        let token = token.or_else(|| ended.then_some(rest.len()))?;
        let word = rest.get(..token).unwrap_or_default();
        if read_prefix(word, LEVELS, &mut Vec::new()) == Ok(token) {
            return Some(token);
        }
        if self.in_array {
            let end = rest
                .iter()
                .position(|byte| matches!(byte, b',' | b']' | b'{' | b'\n'));
            return end.or_else(|| ended.then_some(rest.len()));
        }
        if !self.is_damaged {
            return line_length(rest, ended).map(|length| (length + 1).min(rest.len()));
        }
        let mut end = 0;
        loop {
            let line = rest.get(end..).unwrap_or_default();
            let Some(length) = memchr::memchr(b'\n', line) else {
                return ended.then_some(rest.len());
            };
            end += length + 1;
            let below = without_marks(rest.get(end..).unwrap_or_default());
            let blanks = leading_blanks(below);
            match below.get(blanks) {
                None if !ended => return None,
                Some(b'{' | b'[') if blanks <= self.indent => return Some(end),
                _ if may_be_record(below, self.indent, ended)? => return Some(end),
                _ => {}
            }
        }
    }

    /// A value beyond the limit: cut where damage shows, else passed over without being kept.
    fn cut_or_pass(
        &mut self,
        window: &mut Window<'_>,
        chunk_bytes: usize,
        keep_bytes: usize,
    ) -> Result<Chunk, CaptureError> {
        let kept = window.filled().get(..keep_bytes).unwrap_or_default();
        if let Some(end) = self.value_end(kept, true)
            && end < keep_bytes
        {
            let mut ranges = Vec::new();
            let value = kept.get(..end).unwrap_or_default();
            self.list(value, 0, &mut ranges);
            let value = value.to_vec();
            self.passed(&value);
            return Ok(window.cut(end, Layout::Listed(ranges)));
        }
        if self.may_be_text()
            && let Told::Blocks(tool) = begins(kept, self.in_headers, true)
        {
            (self.started, self.is_damaged) = (true, false);
            (self.indent, self.leading) = (0, true);
            return sections::pass(tool, window, chunk_bytes);
        }
        let is_bracketed = matches!(kept.first(), Some(b'{' | b'['));
        let mut matcher = is_bracketed.then(|| Matcher::new(self.indent, self.in_array, false));
        let offset_bytes = window.offset_bytes();
        let mut length_bytes = 0u64;
        let mut lines = 0;
        loop {
            let filled = window.filled();
            let before = usize::try_from(length_bytes).unwrap_or(usize::MAX);
            let end = match &mut matcher {
                Some(matcher) => matcher.feed(filled).map(|end| end.saturating_sub(before)),
                None => memchr::memchr(b'\n', filled),
            };
            let passed = end.unwrap_or(filled.len());
            let piece = filled.get(..passed).unwrap_or_default();
            lines += memchr::memchr_iter(b'\n', piece).count() as u64;
            length_bytes += passed as u64;
            window.pass(passed);
            if end.is_some() || !window.read_more(chunk_bytes)? {
                self.started = true;
                self.leading = false;
                return Ok(Chunk::too_long(offset_bytes, length_bytes, lines));
            }
        }
    }
}

/// Lists the elements of an array that cannot be read as a whole; answers where it ends. `start` is
/// behind its bracket, which stands on a line with this much leading whitespace. `next` may know better
/// where an element ends: it is given the text from there on, and the length that the brackets say.
pub(super) fn elements<'b>(
    bytes: &'b [u8],
    start: usize,
    indent: usize,
    ranges: &mut Vec<(usize, usize)>,
    mut next: impl FnMut(&'b [u8], usize) -> usize,
) -> usize {
    let mut values = Values::new(Framing::Array);
    (values.started, values.in_array) = (true, true);
    (values.indent, values.leading) = (indent, false);
    let mut at = start;
    loop {
        let begin = values.skip(bytes, at);
        let rest = bytes.get(begin..).unwrap_or_default();
        if !values.in_array {
            // The bracket, and blanks behind it, were passed over.
            return begin;
        }
        if rest.is_empty() {
            return bytes.len();
        }
        let length = values.value_end(rest, true).unwrap_or(rest.len()).max(1);
        let length = next(rest, length).max(1);
        let value = rest.get(..length).unwrap_or(rest);
        values.list(value, begin, ranges);
        values.passed(value);
        at = begin + length;
    }
}

fn find(bytes: &[u8], wanted: &[u8], offset: usize) -> Option<usize> {
    memchr::memmem::find(bytes, wanted).map(|found| offset + found)
}
