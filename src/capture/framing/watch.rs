//! Where text blocks begin in a capture that begins as something else, looked for in its head.
//!
//! A block whose lines stand in a log's wrappers is one record among lines. One that stands bare turns
//! the capture: a title alone on its line is in no JSON, so whatever was before it, from there on the
//! records are blocks, and what stands between them. A capture without either never asks again.

use super::super::logged::begins;
use super::marks::{Told, Tool, turns};
use super::window::Window;
use super::without_marks;

/// Looks at each line of the head once, in order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    /// The records before are lines, so that what is handed out ends where a line does.
    by_lines: bool,
    /// Lines that begin before this byte of the capture are looked at.
    reach: u64,
    /// Lines before this byte of the capture have been looked at.
    looked: u64,
    /// Up to this byte there is no line end behind them.
    searched: u64,
    /// The line that begins here may be a title: what is still to come decides.
    open: Option<u64>,
    /// The first title in a wrapper.
    from: Option<u64>,
    /// The first bare one.
    turn: Option<(u64, Tool)>,
}

/// How much of some bytes the framing before the turn may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    /// Its bytes.
    pub(super) length: usize,
    /// Blocks begin behind them: nothing more will come.
    pub(super) is_all: bool,
}

/// What the first line of the window is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    /// This tool's title.
    Turns(Tool),
    /// More must be read to know.
    Open,
    /// Anything else.
    Other,
}

impl Watch {
    /// Looks at lines that begin before this byte of the capture.
    pub(super) fn new(by_lines: bool, reach: u64) -> Self {
        Self {
            by_lines,
            reach,
            looked: 0,
            searched: 0,
            open: None,
            from: None,
            turn: None,
        }
    }

    /// Looks at what was read since; answers from which of its bytes on blocks in wrappers are looked
    /// for.
    #[inline]
    pub(super) fn look(&mut self, window: &Window<'_>) -> usize {
        let offset_bytes = window.offset_bytes();
        if self.is_looking() {
            self.look_at(window.filled(), offset_bytes, window.has_ended());
        }
        let from = self.from.map(|from| from.saturating_sub(offset_bytes));
        from.and_then(|from| usize::try_from(from).ok())
            .unwrap_or(usize::MAX)
    }

    /// How much of some bytes comes before the turn, as far as was looked.
    pub(super) fn share(&self, length: usize, offset_bytes: u64) -> Share {
        let turn = self.turn.map(|(turn, _)| turn);
        let until = turn.or(self.open).map(|at| at.saturating_sub(offset_bytes));
        let until = until.and_then(|until| usize::try_from(until).ok());
        Share {
            length: until.map_or(length, |until| until.min(length)),
            is_all: turn.is_some(),
        }
    }

    /// The same, after a look at them.
    pub(super) fn look_and_share(&mut self, bytes: &[u8], offset_bytes: u64, ended: bool) -> Share {
        self.look_at(bytes, offset_bytes, ended);
        self.share(bytes.len(), offset_bytes)
    }

    /// Does not turn, and looks no further.
    pub(super) fn stop(&mut self) {
        (self.turn, self.open) = (None, None);
        self.looked = self.reach;
    }

    /// What the window begins with.
    #[inline]
    pub(super) fn first(&mut self, window: &Window<'_>) -> First {
        if self.turn.is_none() && !self.is_looking() {
            return First::Other;
        }
        self.look(window);
        let offset_bytes = window.offset_bytes();
        match self.turn {
            Some((turn, tool)) if turn <= offset_bytes => First::Turns(tool),
            _ if window.filled().is_empty() || self.open == Some(offset_bytes) => First::Open,
            Some(_) | None => First::Other,
        }
    }

    fn is_looking(&self) -> bool {
        self.from.is_none() && self.turn.is_none() && self.looked < self.reach
    }

    fn look_at(&mut self, bytes: &[u8], offset_bytes: u64, ended: bool) {
        let all = offset_bytes + bytes.len() as u64;
        while self.is_looking() {
            self.open = None;
            if self.by_lines {
                self.looked = self.looked.max(offset_bytes);
            }
            let start = self.looked;
            let behind = |place: u64| {
                let at = usize::try_from(place.saturating_sub(offset_bytes)).ok();
                at.and_then(|at| bytes.get(at..)).unwrap_or_default()
            };
            let searched = self.searched.max(start).max(offset_bytes);
            let end = memchr::memchr(b'\n', behind(searched));
            let end = end.map(|end| searched + end as u64);
            self.searched = all;
            let rest = behind(start);
            let Some(end) = end.or_else(|| (ended && !rest.is_empty()).then_some(all)) else {
                if start >= offset_bytes && !ended && may_turn(rest) {
                    self.open = Some(start);
                }
                return;
            };
            // A line whose beginning was handed out is none.
            if start >= offset_bytes && !self.takes(start, end, rest, ended) {
                return;
            }
            self.looked = end + 1;
            self.searched = self.looked;
        }
    }

    /// Looks at the whole line at the start of `rest`; false where more must be read for it.
    fn takes(&mut self, start: u64, end: u64, rest: &[u8], ended: bool) -> bool {
        let length = usize::try_from(end - start).unwrap_or(usize::MAX);
        let line = rest.get(..length).unwrap_or(rest);
        if self.by_lines && begins(without_marks(line).trim_ascii_end()).is_some() {
            self.from = Some(start);
        } else if may_turn(rest) {
            match turns(rest, ended) {
                Told::Blocks(tool) => self.turn = Some((start, tool)),
                Told::Open => {
                    self.open = Some(start);
                    self.searched = start;
                    return false;
                }
                Told::Logged | Told::Other => {}
            }
        }
        true
    }
}

/// No tool indents a title as far as this.
const MOST_BLANKS: usize = 256;

/// Whether a line may be a title by how it begins: JSON is none, and need not have a line end.
fn may_turn(line: &[u8]) -> bool {
    let head = line.get(..MOST_BLANKS).unwrap_or(line).iter();
    let blanks = head.take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    if blanks == MOST_BLANKS {
        return false;
    }
    let text = line.get(blanks..).unwrap_or_default();
    match text {
        [b'[', second, ..] => *second == b'#' || second.is_ascii_digit(),
        [first, ..] => !matches!(
            first,
            b'{' | b'}' | b']' | b'"' | b',' | b':' | b'\r' | b'\n' | 0 | 0x1e
        ),
        [] => true,
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    /// How long it takes to look at one line without an end that comes in small pieces.
    fn looked_at(piece: &str, length: usize) -> Duration {
        let line = piece.repeat(length / piece.len());
        let mut watch = Watch::new(true, u64::MAX);
        let begun = Instant::now();
        for end in (64..line.len()).step_by(64) {
            let bytes = line.as_bytes().get(..end).unwrap_or_default();
            watch.look_and_share(bytes, 0, false);
        }
        begun.elapsed()
    }

    #[test]
    fn a_line_that_does_not_end_costs_in_proportion_to_its_length() {
        for piece in [
            " ",
            "\t",
            "x",
            "[",
            "[1",
            "ce-id: 1 ",
            "POST / ",
            "\u{2601}",
        ] {
            let (short, long) = (looked_at(piece, 1 << 16), looked_at(piece, 1 << 18));
            // Four times the length; a walk over all of it at each piece would take sixteen times.
            let most = short * 8 + Duration::from_millis(50);
            assert!(long < most, "{piece:?}: {short:?}, then {long:?}");
        }
    }
}
