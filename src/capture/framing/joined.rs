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
//! Blocks of text whose lines a log keeps are groups as well (`streams`): the lines of one stream from a
//! title to where the block ends. A group of pieces outside of them is none of theirs.
//!
//! In a capture of lines the framer asks where a chunk may be cut, the walk which lines belong together;
//! both ask here. Behind values and blocks of text the framer asks for one stretch after the other.

use super::super::pieces::{Cutter, PIECE_BYTES, Piece, is_whole_docker, may_be};
use super::marks::line_length;
use super::streams::Blocks;
use super::{pretty, without_marks};

/// A record that is held back: where it begins and ends in the chunk, and the line ends before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) line: u64,
    /// The end of what was read together with it: lines that a block gave back are read as its.
    pub(super) reach: usize,
}

/// An open group.
#[derive(Debug)]
struct Open {
    cutter: Cutter,
    is_error: bool,
    /// Where its record begins, which is among those held.
    start: usize,
    /// It is a whole value as far as it goes: only a line end can be missing.
    is_value: bool,
}

/// Which lines of a chunk are joined.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joining {
    /// Bytes of lines that are held together at most.
    pub(super) most: usize,
    /// From this byte on a log's lines may be blocks of text, one line of them each.
    pub(super) blocks_from: usize,
}

/// The groups that are open, at most one a stream, and the blocks of text.
#[derive(Debug)]
pub(super) struct Joiner {
    open: Vec<Open>,
    blocks: Blocks,
    joining: Joining,
    /// In the order in which they begin.
    held: Vec<Held>,
    /// What blocks are done with, on its way there.
    done: Vec<Held>,
    /// Where the lines begin that are held together: no record lies on both sides.
    since: usize,
    /// The end of the records that were released.
    covered: usize,
}

impl Joiner {
    pub(super) fn new(joining: Joining) -> Self {
        Self {
            open: Vec::new(),
            blocks: Blocks::default(),
            joining,
            held: Vec::new(),
            done: Vec::new(),
            since: 0,
            covered: 0,
        }
    }

    /// Whether a line has nothing to do with any group: nearly every line of nearly every capture.
    #[inline]
    pub(super) fn passes(&self, line: &[u8], start: usize) -> bool {
        self.open.is_empty()
            && start < self.joining.blocks_from
            && (!may_be(line) || is_whole_docker(line))
    }

    /// Whether nothing is open.
    fn is_idle(&self) -> bool {
        self.open.is_empty() && self.blocks.is_empty()
    }

    /// Takes the next line: `start` is its first byte, `number` the line ends before it. False where
    /// it is a record, or nothing, by itself.
    pub(super) fn takes(&mut self, line: &[u8], start: usize, number: u64) -> bool {
        let trimmed = line.trim_ascii_end();
        if trimmed.is_empty() {
            return false;
        }
        let piece = Piece::of(trimmed);
        let end = start + trimmed.len();
        let place = Held {
            start,
            end,
            line: number,
            reach: end,
        };
        if self.is_idle() {
            self.since = start;
        } else if end.saturating_sub(self.since) > self.joining.most {
            self.close();
            self.since = start;
        }
        if pretty::begins(line) {
            // Before it a chunk may be cut, whether or not a value is whole there.
            self.close();
        } else if piece.is_none() {
            self.open.clear();
            self.blocks.end_runtimes(&mut self.done);
            self.settle();
        }
        let goes_on = piece.and_then(|piece| self.next_of(&piece));
        if start >= self.joining.blocks_from {
            let blocks = &mut self.blocks;
            let is_taken = blocks.takes(line, place, goes_on.is_some(), &mut self.done);
            self.settle();
            if is_taken {
                return true;
            }
        }
        let Some(piece) = piece else {
            return self.holds(place);
        };
        match goes_on {
            Some(index) => self.continues(index, end, piece.is_last),
            None => return self.begins(&piece, place),
        }
        true
    }

    /// Holds a record by itself, where something is open.
    fn holds(&mut self, place: Held) -> bool {
        let is_held = !self.is_idle();
        if is_held {
            self.held.push(place);
        }
        is_held
    }

    /// The open group that a piece goes on with. One of its stream that it does not is closed.
    fn next_of(&mut self, piece: &Piece<'_>) -> Option<usize> {
        let mut open = self.open.iter();
        let mine =
            open.position(|open| (open.cutter, open.is_error) == (piece.cutter, piece.is_error))?;
        let goes_on = if self.open.get(mine)?.is_value {
            piece.is_blank()
        } else {
            !piece.is_record()
        };
        if !goes_on {
            self.open.remove(mine);
        }
        goes_on.then_some(mine)
    }

    /// Adds a piece to an open group.
    fn continues(&mut self, index: usize, end: usize, is_last: bool) {
        let Some(start) = self.open.get(index).map(|open| open.start) else {
            return;
        };
        let at = self.held.partition_point(|held| held.start < start);
        if let Some(held) = self.held.get_mut(at) {
            held.end = end;
            held.reach = end;
        }
        if is_last {
            self.open.remove(index);
        }
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
        if opens {
            self.open.push(Open {
                cutter: piece.cutter,
                is_error: piece.is_error,
                start: held.start,
                is_value,
            });
        }
        self.holds(held)
    }

    /// Ends all groups and blocks, finished or not.
    pub(super) fn close(&mut self) {
        self.open.clear();
        self.blocks.end_all(&mut self.done);
        self.settle();
    }

    /// Puts what the blocks are done with among what is held, in order. It is nearly always the last.
    fn settle(&mut self) {
        let Some(first) = self.done.iter().map(|done| done.start).min() else {
            return;
        };
        let behind = self.held.partition_point(|held| held.start < first);
        self.done.extend(self.held.drain(behind..));
        self.done.sort_unstable_by_key(|held| held.start);
        self.held.append(&mut self.done);
    }

    /// The records that were held and that nothing open lies before.
    pub(super) fn released(&mut self) -> Vec<Held> {
        let pieces = self.open.iter().map(|open| open.start);
        let first = pieces.chain(self.blocks.first()).min();
        let count = match first {
            None => self.held.len(),
            Some(first) => self.held.partition_point(|held| held.start < first),
        };
        let released: Vec<_> = self.held.drain(..count).collect();
        for held in &released {
            if held.start >= self.covered {
                self.since = self.since.max(held.start);
            }
            self.covered = self.covered.max(held.reach);
        }
        if let Some(first) = first.filter(|first| *first >= self.covered) {
            self.since = self.since.max(first);
        }
        released
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
    pub(super) fn new() -> Self {
        let none = Joining {
            most: 0,
            blocks_from: usize::MAX,
        };
        Self {
            joiner: Joiner::new(none),
            pretty: pretty::Open::default(),
            seen: 0,
            safe: 0,
        }
    }

    /// The last place at or before `end`, which is behind a line end, where nothing is torn apart.
    /// `bytes` may only have grown since the last question, and where blocks begin to be looked for may
    /// only have become known where bytes came since.
    pub(super) fn before(&mut self, bytes: &[u8], end: usize, joining: Joining) -> Option<usize> {
        self.joiner.joining = joining;
        // A value's first line is no log line: before it no group is open.
        if let Some(since) = self.pretty.since(bytes, end) {
            return (since > 0).then_some(since);
        }
        let lines = bytes.get(..end).unwrap_or(bytes);
        // Behind a line that is no log line no group is open, whatever came before.
        let last = lines.strip_suffix(b"\n").unwrap_or(lines);
        let begin = memchr::memrchr(b'\n', last).map_or(0, |before| before + 1);
        let last = without_marks(last.get(begin..).unwrap_or_default());
        if end <= joining.blocks_from && !last.trim_ascii().is_empty() && !may_be(last) {
            return Some(end);
        }
        while let Some(rest) = lines.get(self.seen..).filter(|rest| !rest.is_empty()) {
            let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
            let line = rest.get(..length).unwrap_or_default();
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            let line = without_marks(line);
            if !self.joiner.passes(line, self.seen) {
                self.joiner.takes(line, self.seen, 0);
                self.joiner.released();
            }
            self.seen += length;
            // Before the first line that is held together with others nothing is open either.
            self.safe = if self.joiner.is_idle() {
                self.seen
            } else {
                self.safe.max(self.joiner.since)
            };
        }
        (self.safe > 0).then_some(self.safe)
    }
}

/// What lines that are joined begin here, in a capture that is none of lines.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stretch {
    /// None.
    None,
    /// These records, in as many bytes; one may lie inside another.
    Records(Vec<(usize, usize)>, usize),
    /// More must be read to know.
    More,
}

/// The pieces at the start, up to where none of their groups is open. Lines that are held together have
/// `most` bytes at most.
pub(super) fn stretch(bytes: &[u8], most: usize, ended: bool) -> Stretch {
    if !may_be(bytes) {
        return Stretch::None;
    }
    let mut joiner = Joiner::new(Joining {
        most,
        blocks_from: 0,
    });
    let mut records = Vec::new();
    let mut at = 0;
    let end = loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let length = line_length(rest, ended);
        if length.is_none() && !ended && bytes.len() <= most {
            return Stretch::More;
        }
        let line = length.and_then(|length| rest.get(..length));
        let trimmed = line.map(<[u8]>::trim_ascii_end).unwrap_or_default();
        let Some(line) = line.filter(|_| at + trimmed.len() <= most) else {
            break at;
        };
        let is_piece = || may_be(line) && Piece::of(trimmed).is_some();
        if !(trimmed.is_empty() || is_piece() && joiner.takes(line, at, 0)) {
            break at;
        }
        at = (at + line.len() + 1).min(bytes.len());
        records.extend(joiner.released());
        if joiner.is_idle() {
            break at;
        }
        if joiner.since > 0 {
            // Nothing lies on both sides: what is still open is looked at again from there.
            break joiner.since;
        }
    };
    joiner.close();
    records.extend(joiner.released());
    let records = records.into_iter().filter(|held| held.start < end);
    let records: Vec<_> = records.map(|held| (held.start, held.end)).collect();
    if records.is_empty() {
        return Stretch::None;
    }
    Stretch::Records(records, end)
}
