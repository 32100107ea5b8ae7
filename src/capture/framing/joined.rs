//! Which lines of a capture are one record, where a log driver cut what a container wrote.
//!
//! A group is the pieces of one stream, from the first to the one that says it is the last. Pieces of
//! standard output and standard error may interleave; each stream has its own group, and whole lines
//! of the other stream may stand inside a group. While a group is open its lines are held; then they
//! come as records in the order of their first lines, so places never go back.
//!
//! ```text
//! line 1  stdout  {"spec           ┐ record 1: lines 1 to 4
//! line 2  stderr  warning          │ record 2: line 2
//! line 3  stderr  {"id":           │ record 3: lines 3 to 5
//! line 4  stdout  version":"1.0"}  ┘
//! line 5  stderr  "a"}
//! ```
//!
//! A group ends unfinished where the capture ends, where a line is no log line at all (a piece may be
//! lost in it), where the next line of its stream is an event by itself, and where it would be longer than
//! a record may be. It is a record then too, which its shape tells as cut off.
//!
//! The framer asks where a chunk may be cut, the walk which lines belong together; both ask here.

use super::super::pieces::{Cutter, PIECE_BYTES, Piece, is_whole_docker, may_be};
use super::{pretty, without_marks};

/// A record that is held back: where it begins and ends in the chunk, and the line ends before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) line: u64,
}

/// An open group.
#[derive(Debug)]
struct Open {
    cutter: Cutter,
    is_error: bool,
    /// Its record among those held.
    index: usize,
    /// It is a whole value as far as it goes: only a line end can be missing.
    is_value: bool,
}

/// The groups that are open, at most one a stream.
#[derive(Debug)]
pub(super) struct Joiner {
    open: Vec<Open>,
    held: Vec<Held>,
    /// Where the lines begin that are held together.
    since: usize,
    /// Bytes of them at most.
    most: usize,
}

impl Joiner {
    pub(super) fn new(most: usize) -> Self {
        Self {
            open: Vec::new(),
            held: Vec::new(),
            since: 0,
            most,
        }
    }

    /// Whether a line has nothing to do with any group: nearly every line of nearly every capture.
    #[inline]
    pub(super) fn passes(&self, line: &[u8]) -> bool {
        self.open.is_empty() && (!may_be(line) || is_whole_docker(line))
    }

    /// Takes the next line: `start` is its first byte, `number` the line ends before it. False where
    /// it is a record, or nothing, by itself.
    pub(super) fn takes(&mut self, line: &[u8], start: usize, number: u64) -> bool {
        let line = line.trim_ascii_end();
        if line.is_empty() {
            return false;
        }
        let Some(piece) = Piece::of(line) else {
            self.close();
            return false;
        };
        let end = start + line.len();
        if end.saturating_sub(self.since) > self.most {
            self.close();
        }
        let mine = self
            .open
            .iter()
            .position(|open| open.cutter == piece.cutter && open.is_error == piece.is_error);
        if let Some(mine) = mine
            && self.continues(mine, &piece, end)
        {
            return true;
        }
        self.begins(
            &piece,
            Held {
                start,
                end,
                line: number,
            },
        )
    }

    /// Whether a piece goes on with an open group; if not, that is closed.
    fn continues(&mut self, mine: usize, piece: &Piece<'_>, end: usize) -> bool {
        let Some(open) = self.open.get(mine) else {
            return false;
        };
        let goes_on = if open.is_value {
            piece.is_blank()
        } else {
            !piece.is_record()
        };
        let index = open.index;
        if goes_on && let Some(held) = self.held.get_mut(index) {
            held.end = end;
        }
        if !goes_on || piece.is_last {
            self.open.remove(mine);
        }
        goes_on
    }

    /// Whether a line has to be held, as the first of a group or because another one is open.
    fn begins(&mut self, piece: &Piece<'_>, held: Held) -> bool {
        let is_value = !piece.is_last && piece.is_value();
        let is_long = piece.text.len() >= PIECE_BYTES;
        let opens = !piece.is_last
            && match piece.cutter {
                Cutter::Cri => true,
                // Other programs write this shape without line ends: a whole value, or a short text,
                // is what they mean by a line.
                Cutter::Docker => is_long || (piece.begins_value() && !is_value),
            };
        if self.open.is_empty() {
            if !opens {
                return false;
            }
            self.since = held.start;
        }
        let index = self.held.len();
        self.held.push(held);
        if opens {
            self.open.push(Open {
                cutter: piece.cutter,
                is_error: piece.is_error,
                index,
                is_value,
            });
        }
        true
    }

    /// Ends all groups, finished or not.
    pub(super) fn close(&mut self) {
        self.open.clear();
    }

    /// The records that were held, once no group is open.
    pub(super) fn released(&mut self) -> Vec<Held> {
        if self.open.is_empty() {
            std::mem::take(&mut self.held)
        } else {
            Vec::new()
        }
    }
}

/// Finds where a chunk of lines may be cut: never inside a group, nor in a value over several lines.
#[derive(Debug)]
pub(super) struct Cut {
    joiner: Joiner,
    pretty: pretty::Open,
    /// Lines before this byte have been looked at.
    seen: usize,
    /// The last byte behind which no group is open.
    safe: usize,
}

impl Cut {
    pub(super) fn new(most: usize) -> Self {
        Self {
            joiner: Joiner::new(most),
            pretty: pretty::Open::default(),
            seen: 0,
            safe: 0,
        }
    }

    /// The last place at or before `end`, which is behind a line end, where nothing is torn apart.
    /// `bytes` may only have grown since the last question.
    pub(super) fn before(&mut self, bytes: &[u8], end: usize) -> Option<usize> {
        // A value's first line is no log line: before it no group is open.
        if let Some(since) = self.pretty.since(bytes, end) {
            return (since > 0).then_some(since);
        }
        let lines = bytes.get(..end).unwrap_or(bytes);
        // Behind a line that is no log line no group is open, whatever came before.
        let last = lines.strip_suffix(b"\n").unwrap_or(lines);
        let begin = memchr::memrchr(b'\n', last).map_or(0, |before| before + 1);
        let last = without_marks(last.get(begin..).unwrap_or_default());
        if !last.trim_ascii().is_empty() && !may_be(last) {
            return Some(end);
        }
        while let Some(rest) = lines.get(self.seen..).filter(|rest| !rest.is_empty()) {
            let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
            let line = rest.get(..length).unwrap_or_default();
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            let line = without_marks(line);
            if !self.joiner.passes(line) {
                self.joiner.takes(line, self.seen, 0);
                self.joiner.released();
            }
            self.seen += length;
            // Before the first line that is held together with others nothing is open either.
            self.safe = if self.joiner.open.is_empty() {
                self.seen
            } else {
                self.safe.max(self.joiner.since)
            };
        }
        (self.safe > 0).then_some(self.safe)
    }
}
