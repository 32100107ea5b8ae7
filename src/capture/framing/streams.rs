//! The blocks that are open in a log, at most one a stream.
//!
//! A line belongs to the open block of its own stream, so blocks of two pods may lie between each other.
//! What cannot be told apart (one file of two containers, `kubectl logs --timestamps` of two without
//! `--prefix`) reads as one stream, and its blocks end where the next one's title comes.

use super::super::logged::{Stream, begins, is_blank, is_title};
use super::joined::Held;
use super::marks::trim;
use super::printed::{GivenBack, Printed};

/// A block whose stream logs nothing while others log so much is over: one that waits for its next line
/// would hold all of theirs.
const SILENT_BYTES: usize = 256 << 10;

/// Blocks that are open at once: the one that has been silent the longest is over when another begins.
const MOST_OPEN: usize = 16;

/// An open block.
#[derive(Debug)]
struct Open {
    stream: Stream,
    block: Printed,
    /// Its first line.
    first: Held,
    /// The end of its last line so far.
    end: usize,
    /// A line of it of which a piece is still to come.
    piece: Option<(Held, Vec<u8>)>,
}

/// The open blocks, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    open: Vec<Open>,
}

impl Blocks {
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Where the first of them begins.
    pub(super) fn first(&self) -> Option<usize> {
        self.open.iter().map(|open| open.first.start).min()
    }

    /// Takes a line that belongs to a block, begins one, or is blank in its wrapper, as between blocks
    /// that stand bare. Records that have ended are `done`, in any order. `is_piece`: it may be the rest of
    /// a line, and no title.
    pub(super) fn takes(
        &mut self,
        line: &[u8],
        place: Held,
        is_piece: bool,
        done: &mut Vec<Held>,
    ) -> bool {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        self.end_where(done, |open| {
            place.start.saturating_sub(open.end) > SILENT_BYTES
        });
        let mut streams = self.open.iter().enumerate();
        let found = streams.find_map(|(index, open)| Some((index, open.stream.text(line)?)));
        if let Some((index, (text, is_last))) = found {
            self.goes_on(index, place, &text, is_last, done);
            return true;
        }
        if is_piece {
            return false;
        }
        match begins(line) {
            Some(stream) => {
                let text = stream.text(line).map(|(text, _)| text.into_owned());
                self.begin(stream, place, &text.unwrap_or_default(), done);
                true
            }
            None => is_blank(line),
        }
    }

    /// Ends all blocks.
    pub(super) fn end_all(&mut self, done: &mut Vec<Held>) {
        self.end_where(done, |_| true);
    }

    /// Ends those blocks of whose stream each line has a wrapper, at a line that has none.
    pub(super) fn end_runtimes(&mut self, done: &mut Vec<Held>) {
        self.end_where(done, |open| open.stream.is_runtimes());
    }

    fn end_where(&mut self, done: &mut Vec<Held>, is_over: impl Fn(&Open) -> bool) {
        while let Some(index) = self.open.iter().position(&is_over) {
            let open = self.open.remove(index);
            let own = open.block.ends();
            // None of the lines can begin a block: a title would have ended this one before.
            for (place, text) in open.close(own, done) {
                if !trim(&text).is_empty() {
                    done.push(place);
                }
            }
        }
    }

    fn begin(&mut self, stream: Stream, place: Held, text: &[u8], done: &mut Vec<Held>) {
        if self.open.len() == MOST_OPEN {
            let oldest = self.open.iter().map(|open| open.end).min();
            self.end_where(done, |open| Some(open.end) == oldest);
        }
        let mut block = Printed::new();
        block.takes(place, text);
        self.open.push(Open {
            stream,
            block,
            first: place,
            end: place.end,
            piece: None,
        });
    }

    /// The next line of an open block's stream, or a piece of it.
    fn goes_on(
        &mut self,
        index: usize,
        place: Held,
        text: &[u8],
        is_last: bool,
        done: &mut Vec<Held>,
    ) {
        let Some(open) = self.open.get_mut(index) else {
            return;
        };
        open.end = place.end;
        let (place, text) = match open.piece.take() {
            Some((first, mut before)) => {
                before.extend_from_slice(text);
                let (end, reach) = (place.end, place.reach);
                let place = Held {
                    end,
                    reach,
                    ..first
                };
                (place, before)
            }
            None => (place, text.to_vec()),
        };
        if !is_last {
            open.piece = Some((place, text));
            return;
        }
        let Some(own) = open.block.takes(place, &text) else {
            return;
        };
        let open = self.open.remove(index);
        let stream = open.stream.clone();
        for (place, text) in open.close(own, done) {
            self.anew(&stream, place, &text, done);
        }
    }

    /// A line that an ended block gave back: the first of the next one, or a record by itself.
    fn anew(&mut self, stream: &Stream, place: Held, text: &[u8], done: &mut Vec<Held>) {
        let mut open = self.open.iter();
        let index = open.position(|open| open.stream == *stream);
        if let Some(index) = index {
            self.goes_on(index, place, text, true, done);
        } else if is_title(text) {
            self.begin(stream.clone(), place, text, done);
        } else if !trim(text).is_empty() {
            done.push(place);
        }
    }
}

impl Open {
    /// Ends the block: its record goes to the end of its last line. Answers the lines that are not its own.
    fn close(self, own: usize, done: &mut Vec<Held>) -> Vec<GivenBack> {
        let (end, mut lines) = self.block.split(own);
        lines.extend(self.piece);
        // A block that begins among them is read by itself again, as from its title on.
        let beside = lines.iter().take_while(|(_, text)| !is_title(text));
        let reach = beside.last().map_or(end, |(place, _)| place.end);
        let first = self.first;
        done.push(Held {
            end,
            reach,
            ..first
        });
        lines
    }
}
