//! Captures of text blocks: a record is everything from one line that begins a block to the next
//! such line (capture.md, "Framing").
//!
//! A damaged block ends where the next one begins, so its neighbours survive. What stands before the
//! first block is a record too, unless it is the tool's own log: then it goes with the first block.

use super::super::bytes::CaptureError;
use super::chunk::{Chunk, Layout, is_separator};
use super::detect::Framing;
use super::marks::{Scanner, Tool, is_own_log, trim};
use super::window::Window;

/// Below this many bytes an unfinished block is looked at again whenever something comes; above it,
/// only when half as much again has come, so that a long one through a pipe stays linear.
const EAGER_BYTES: usize = 1 << 20;

/// The blocks of one tool.
#[derive(Debug)]
pub(super) struct Sections {
    tool: Tool,
}

impl Sections {
    pub(super) fn new(tool: Tool) -> Self {
        Self { tool }
    }

    pub(super) fn framing(&self) -> Framing {
        Framing::Blocks(self.tool)
    }

    /// The window begins where the capture or a block does; a chunk ends before the last block that
    /// has begun.
    pub(super) fn next_chunk(
        &self,
        window: &mut Window<'_>,
        chunk_bytes: usize,
        keep_bytes: usize,
    ) -> Result<Option<Chunk>, CaptureError> {
        let mut scan_at = if window.is_slow() { 1 } else { chunk_bytes };
        loop {
            let ended = window.has_ended();
            let filled = window.filled();
            let length = filled.len();
            if length > 0 && (ended || length >= scan_at) {
                let borders = self.borders(filled, ended);
                let cut = if ended {
                    length
                } else {
                    borders.last().copied().unwrap_or(0)
                };
                if cut > 0 {
                    let layout = Layout::Listed(ranges(filled, &borders, cut));
                    return Ok(Some(window.cut(cut, layout)));
                }
                if length > keep_bytes {
                    return self.pass(window, chunk_bytes).map(Some);
                }
                scan_at = if length < EAGER_BYTES {
                    length + 1
                } else {
                    length + length / 2
                };
            }
            if !window.read_more(chunk_bytes)? && window.filled().is_empty() {
                return Ok(None);
            }
        }
    }

    /// Where the records behind the first begin.
    fn borders(&self, bytes: &[u8], ended: bool) -> Vec<usize> {
        let mut scanner = Scanner::new(self.tool);
        let mut borders = Vec::new();
        while let Some(start) = scanner.next(bytes, ended) {
            let before = bytes.get(..start).unwrap_or_default();
            if start > 0 && !(borders.is_empty() && self.is_preface(before)) {
                borders.push(start);
            }
        }
        borders
    }

    /// Whether nothing but the tool's own log stands here.
    fn is_preface(&self, bytes: &[u8]) -> bool {
        bytes
            .split(|byte| *byte == b'\n')
            .map(trim)
            .all(|line| line.is_empty() || is_own_log(self.tool, line))
    }

    /// Passes over a block that is longer than a record may be, without keeping it.
    fn pass(&self, window: &mut Window<'_>, chunk_bytes: usize) -> Result<Chunk, CaptureError> {
        let offset_bytes = window.offset_bytes();
        let mut scanner = Scanner::new(self.tool);
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
}

/// More than any run of headers that is looked at.
const UNFINISHED_BYTES: usize = 256 << 10;

/// The records between the borders, without what surrounds them.
fn ranges(bytes: &[u8], borders: &[usize], cut: usize) -> Vec<(usize, usize)> {
    let mut ranges = Vec::new();
    let mut start = 0;
    for end in borders.iter().copied().chain([cut]) {
        let block = bytes.get(start..end).unwrap_or_default();
        let first = block.iter().position(|byte| !is_separator(*byte));
        let last = block.iter().rposition(|byte| !is_separator(*byte));
        if let (Some(first), Some(last)) = (first, last) {
            ranges.push((start + first, start + last + 1));
        }
        start = end;
    }
    ranges
}

#[cfg(test)]
#[path = "sections_tests.rs"]
mod tests;
