//! Captures of text blocks (capture.md, "Framing"): a record is everything from the line that begins a
//! block to where its JSON value ends, and where it has none, to what begins next.
//!
//! Whatever stands between blocks belongs to none of them: noise where a listed tool prints it, else a
//! record of its own, a value or a line; another tool's block begins there too. So a block takes nothing
//! from what follows it, and a damaged one ends before its neighbours.

use super::super::bytes::CaptureError;
use super::SLACK_BYTES;
use super::batch::batch;
use super::chunk::{Chunk, Layout, is_separator};
use super::cut::{self, Rest};
use super::detect::Framing;
use super::ends::{Value, block_end, rest_is_blank, value};
use super::joined::{Stretch, stretch};
use super::marks::{Scanner, Told, Tool, begins, line_length, trim};
use super::messages::{header, is_request, is_status};
use super::noise::{self, Sight};
use super::scanning::{Scanned, scanned};
use super::window::Window;

/// Lines of something else before the rest of a block: looking for it has to end somewhere.
const LINES_BEFORE: u32 = 32;

/// The blocks of a capture, told by the first one's tool.
#[derive(Debug)]
pub(super) struct Sections {
    tool: Tool,
    /// The line above looks like a header and belongs to no block: a run of such lines is looked
    /// through once.
    in_headers: bool,
    /// The capture may have begun inside a block: so many more records are looked at for its rest.
    may_be_cut: u32,
}

/// What a scan of the window found.
#[derive(Debug, Default)]
struct Scan {
    ranges: Vec<(usize, usize)>,
    consumed: usize,
}

impl Sections {
    pub(super) fn new(tool: Tool) -> Self {
        Self {
            tool,
            in_headers: false,
            may_be_cut: 0,
        }
    }

    /// At the capture's start, which may lie inside a block.
    pub(super) fn at_start(tool: Tool) -> Self {
        Self {
            may_be_cut: if tool == Tool::EventDisplay {
                LINES_BEFORE
            } else {
                0
            },
            ..Self::new(tool)
        }
    }

    pub(super) fn framing(&self) -> Framing {
        Framing::Blocks(self.tool)
    }

    /// The window begins where a record does, or something between records.
    pub(super) fn next_chunk(
        &mut self,
        window: &mut Window<'_>,
        chunk_bytes: usize,
        keep_bytes: usize,
    ) -> Result<Option<Chunk>, CaptureError> {
        let most_bytes = keep_bytes - SLACK_BYTES;
        let scan = |bytes: &[u8], ended| {
            let scan = self.scan(bytes, ended, usize::MAX, most_bytes);
            (scan.ranges, scan.consumed)
        };
        match scanned(window, chunk_bytes, keep_bytes, scan)? {
            Scanned::Chunk(chunk) => Ok(Some(chunk)),
            Scanned::TooLong => self.cut_or_pass(window, chunk_bytes, keep_bytes).map(Some),
            Scanned::End => Ok(None),
        }
    }

    /// The records at the start, `most` of them at most. Lines that are joined have so many bytes.
    fn scan(&mut self, bytes: &[u8], ended: bool, most: usize, most_bytes: usize) -> Scan {
        let mut scan = Scan::default();
        let mut found = 0;
        while found < most {
            let rest = bytes.get(scan.consumed..).unwrap_or_default();
            let blank = rest.iter().take_while(|byte| is_separator(**byte)).count();
            let start = scan.consumed + blank;
            let is_below_blank =
                memchr::memchr_iter(b'\n', rest.get(..blank).unwrap_or_default()).count() > 0;
            self.in_headers &= !is_below_blank;
            let rest = bytes.get(start..).unwrap_or_default();
            if rest.is_empty() {
                if ended {
                    scan.consumed = bytes.len();
                }
                return scan;
            }
            match noise::sight(rest, ended) {
                Sight::Noise(length) => {
                    scan.consumed = start + length;
                    continue;
                }
                Sight::Unfinished => return scan,
                Sight::Other => {}
            }
            match stretch(rest, most_bytes, ended) {
                Stretch::More => return scan,
                Stretch::Records(records, length) => {
                    let records = records.into_iter();
                    let records = records.map(|(from, to)| (start + from, start + to));
                    scan.ranges.extend(records);
                    self.in_headers = false;
                    scan.consumed = start + length;
                    found += 1;
                    continue;
                }
                Stretch::None => {}
            }
            let told = begins(rest, self.in_headers, ended);
            let is_lone = told == Told::Other;
            let end = match told {
                Told::Blocks(tool) => block_end(tool, rest, ended),
                Told::Logged | Told::Other => {
                    let line = bytes.get(scan.consumed..).unwrap_or_default();
                    self.beside_end(line, blank, ended)
                }
                Told::Open => None,
            };
            let Some(length) = end else {
                return scan;
            };
            // A scan always moves on.
            let length = length.max(1);
            let record = rest.get(..length).unwrap_or(rest);
            self.in_headers = is_lone && header(record).is_some();
            self.may_be_cut = if is_lone {
                self.may_be_cut.saturating_sub(1)
            } else {
                0
            };
            list(record, start, &mut scan.ranges);
            scan.consumed = start + length;
            found += 1;
        }
        scan
    }

    /// The length, behind so many blank bytes, of what no title begins: the rest of a block that the
    /// capture begins inside of, else what belongs to none. `None`: more must be read.
    fn beside_end(&self, bytes: &[u8], blank: usize, ended: bool) -> Option<usize> {
        let (blanks, rest) = bytes.split_at_checked(blank)?;
        if self.may_be_cut == 0 || rest.first() == Some(&b'{') {
            return lone_end(rest, ended);
        }
        let indent = blanks
            .iter()
            .rev()
            .take_while(|byte| **byte != b'\n')
            .count();
        let line = bytes.get(blank - indent..).unwrap_or_default();
        match cut::rest_of_block(line, self.may_be_cut == LINES_BEFORE, ended) {
            Rest::At(end) => Some(end.saturating_sub(indent)),
            Rest::Not => lone_end(rest, ended),
            Rest::More => None,
        }
    }

    /// A record beyond the limit: cut where it ends by what is there (it only said that it is longer),
    /// else passed over without being kept.
    fn cut_or_pass(
        &mut self,
        window: &mut Window<'_>,
        chunk_bytes: usize,
        keep_bytes: usize,
    ) -> Result<Chunk, CaptureError> {
        let kept = window.filled().get(..keep_bytes).unwrap_or_default();
        let first = self.scan(kept, true, 1, keep_bytes - SLACK_BYTES);
        if first.consumed < keep_bytes && first.consumed > 0 {
            return Ok(window.cut(first.consumed, Layout::Listed(first.ranges)));
        }
        let tool = match begins(kept, false, true) {
            Told::Blocks(tool) => tool,
            Told::Logged | Told::Other | Told::Open => self.tool,
        };
        pass(tool, window, chunk_bytes)
    }
}

/// Lists a record without what surrounds it; an array of objects between blocks as a batch of them.
fn list(record: &[u8], start: usize, ranges: &mut Vec<(usize, usize)>) {
    if record.first() == Some(&b'[')
        && let Some(elements) = batch(record, &mut Vec::new())
    {
        let elements = elements.into_iter();
        ranges.extend(elements.map(|(from, to)| (start + from, start + to)));
        return;
    }
    let last = record.iter().rposition(|byte| !is_separator(*byte));
    ranges.push((start, start + last.map_or(record.len(), |last| last + 1)));
}

/// The length of what belongs to no block: a JSON value, else a line. `None`: more must be read.
fn lone_end(rest: &[u8], ended: bool) -> Option<usize> {
    match value(rest, 0, ended) {
        Value::Unfinished => None,
        Value::Whole(end) if is_followed(rest, end, ended)? => Some(end),
        Value::Whole(_) | Value::None => line_length(rest, ended).map(|length| length + 1),
    }
    .map(|end| end.min(rest.len()))
}

/// Whether a value can be a record by itself: its line ends, or something begins behind it.
fn is_followed(rest: &[u8], end: usize, ended: bool) -> Option<bool> {
    if rest_is_blank(rest, end, ended)? {
        return Some(true);
    }
    let behind = rest.get(end..).unwrap_or_default();
    let length = line_length(behind, ended)?;
    let behind = trim(behind.get(..length).unwrap_or_default());
    Some(matches!(behind.first(), Some(b'{' | b'[')) || is_request(behind) || is_status(behind))
}

/// Passes over a block that is longer than a record may be, without keeping it.
pub(super) fn pass(
    tool: Tool,
    window: &mut Window<'_>,
    chunk_bytes: usize,
) -> Result<Chunk, CaptureError> {
    let offset_bytes = window.offset_bytes();
    let mut scanner = Scanner::new(tool);
    let mut length_bytes = 0u64;
    let mut lines = 0;
    loop {
        let filled = window.filled();
        let ended = window.has_ended();
        let mut next = scanner.next(filled, ended);
        if length_bytes == 0 && next == Some(0) {
            next = scanner.next(filled, ended);
        }
        // Where a line or a run of headers is unfinished, what it turns out to be decides.
        let unfinished = filled.len().saturating_sub(scanner.at);
        let passed = match next {
            Some(next) => next,
            None if ended || unfinished > chunk_bytes.max(UNFINISHED_BYTES) => filled.len(),
            None => scanner.at.min(filled.len()),
        };
        let piece = filled.get(..passed).unwrap_or_default();
        lines += memchr::memchr_iter(b'\n', piece).count() as u64;
        length_bytes += passed as u64;
        window.pass(passed);
        if next.is_some() || !window.read_more(chunk_bytes)? && window.filled().is_empty() {
            return Ok(Chunk::too_long(offset_bytes, length_bytes, lines));
        }
        scanner.passed(passed);
    }
}

/// More than any run of headers that is looked at.
const UNFINISHED_BYTES: usize = 256 << 10;

#[cfg(test)]
#[path = "sections_tests.rs"]
mod tests;
