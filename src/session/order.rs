//! In which order a capture's records are read: from its beginning, or, for an export that is newest
//! first, from its end.
//!
//! ```text
//! forwards    framer ─▶ chunk ─▶ chunk ─▶ chunk
//! from the    framer ─▶ outlines of all chunks (where they are, how many lines they have)
//! end         then, last one first: read again ─▶ chunk, its records in reverse
//! ```
//!
//! Line numbers and places stay those of the file. What is kept of the first pass is some bytes a
//! mebibyte. A stream is read to its end first.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::capture::framing::{Chunk, Framer, FramingFacts, Outline};
use crate::capture::{CaptureError, Input};
use crate::model::Instant;

/// The order in which a capture's records are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As they stand in it.
    #[default]
    Forwards,
    /// The last one first.
    FromTheEnd,
}

/// A chunk whose turn will come.
pub(super) struct Next {
    /// When.
    pub(super) number: u64,
    /// Its records.
    pub(super) chunk: Chunk,
    /// Line ends before it, where chunks do not come in the order of the capture.
    pub(super) lines_before: Option<u64>,
}

/// Hands out a capture's chunks, in either order.
pub(super) struct Chunks<'i> {
    input: &'i Input,
    order: Order,
    number: u64,
    framer: Framer<'i>,
    /// From the first pass: each chunk, and the line ends before it; the next one is the last.
    outlines: Option<Vec<(Outline, u64)>>,
    spare: Vec<Vec<u8>>,
}

/// Memory that waits for the next chunks.
const SPARE_MAX: usize = 8;

impl<'i> Chunks<'i> {
    pub(super) fn new(input: &'i Input, framer: Framer<'i>, order: Order) -> Self {
        Self {
            input,
            order,
            number: 0,
            framer,
            outlines: None,
            spare: Vec::new(),
        }
    }

    /// The next chunk; `None` at the end, or where `stop` is set before a first pass is over.
    pub(super) fn next(&mut self, stop: &AtomicBool) -> Result<Option<Next>, CaptureError> {
        let (chunk, lines_before) = match self.order {
            Order::Forwards => (self.framer.next_chunk()?, None),
            Order::FromTheEnd => {
                if self.outlines.is_none() {
                    self.outlines = Some(self.first_pass(stop)?);
                }
                let last = self.outlines.as_mut().and_then(Vec::pop);
                let Some((outline, before)) = last else {
                    return Ok(None);
                };
                let storage = self.spare.pop().unwrap_or_default();
                (Some(outline.read(self.input, storage)?), Some(before))
            }
        };
        let number = self.number;
        self.number += 1;
        Ok(chunk.map(|chunk| Next {
            number,
            chunk,
            lines_before,
        }))
    }

    fn first_pass(&mut self, stop: &AtomicBool) -> Result<Vec<(Outline, u64)>, CaptureError> {
        let mut outlines = Vec::new();
        let mut lines = 0;
        while let Some(chunk) = self.framer.next_chunk()? {
            if stop.load(Ordering::Acquire) {
                return Ok(Vec::new());
            }
            let outline = chunk.outline();
            self.framer.recycle(chunk);
            let before = lines;
            lines += outline.lines();
            outlines.push((outline, before));
        }
        Ok(outlines)
    }

    /// Gives a chunk's memory back.
    pub(super) fn recycle(&mut self, chunk: Chunk) {
        match self.order {
            Order::Forwards => self.framer.recycle(chunk),
            Order::FromTheEnd if self.spare.len() < SPARE_MAX => {
                self.spare.push(chunk.into_storage());
            }
            Order::FromTheEnd => {}
        }
    }

    pub(super) fn facts(&self) -> FramingFacts {
        self.framer.facts()
    }
}

/// Which way the times of receipt go, from record to record; or the events' own, where there are no
/// others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Trend {
    last: Option<Instant>,
    back: u64,
    forward: u64,
}

impl Trend {
    pub(super) fn see(&mut self, received_at: Option<Instant>) {
        let Some(at) = received_at else {
            return;
        };
        if let Some(last) = self.last {
            self.back += u64::from(at < last);
            self.forward += u64::from(at > last);
        }
        self.last = Some(at);
    }

    /// Whether there were two times to compare.
    pub(super) fn is_known(self) -> bool {
        self.back + self.forward > 0
    }

    /// Whether they go back over the whole capture: more than once, and nearly always.
    pub(super) fn goes_back(self) -> bool {
        self.back > 1 && self.back > 4 * self.forward
    }
}

/// What to say where the records come the wrong way round, the way out first: a narrow screen shows
/// the beginning. `by_own_times`: the events' own times tell it, none of receipt.
pub(super) fn advice(order: Order, by_own_times: bool) -> &'static str {
    match (order, by_own_times) {
        (Order::Forwards, false) => {
            "open it with --reverse: it looks newest first, the times of receipt go back from record to record"
        }
        (Order::Forwards, true) => {
            "open it with --reverse: it looks newest first, the events' own times go back from record to record"
        }
        (Order::FromTheEnd, false) => {
            "open it without --reverse: read from its end, the times of receipt go back from record to record"
        }
        (Order::FromTheEnd, true) => {
            "open it without --reverse: read from its end, the events' own times go back from record to record"
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::io::Cursor;

    use super::super::run::Run;
    use super::*;
    use crate::contract::load;
    use crate::engine::BaselinePolicy;
    use crate::model::{RecordNo, StepNo};

    fn run(bytes: &[u8], order: Order, workers: usize) -> Run {
        let input = Input::stream("capture", Box::new(Cursor::new(bytes.to_vec()))).unwrap();
        let run = Run::new(input, load(None, None).unwrap(), BaselinePolicy::None).in_order(order);
        run.load(workers);
        assert_eq!(run.failure(), None);
        run
    }

    /// What each record came to, and its line.
    fn decided(run: &Run) -> (Vec<String>, Vec<u64>) {
        let history = run.history();
        let steps = (1..=history.last_step().0).map(|number| {
            let step = history.step(StepNo(number)).unwrap();
            format!(
                "{} {:?} {:?} {:?}",
                step.record, step.state, step.first, step.findings
            )
        });
        let lines = (1..=history.last_record().0)
            .map(|record| history.place(RecordNo(record)).unwrap().line);
        (steps.collect(), lines.collect())
    }

    fn events() -> Vec<String> {
        let event = |number: u32| {
            format!(
                r#"{{"receivedAt":"2026-03-02T09:{:02}:{:02}Z","event":{{"specversion":"1.0","id":"e{}","source":"urn:checkout:orders","type":"com.example.order.status.changed","subject":"o","data":{{"schemaVersion":1,"orderId":"o{}","orderVersion":{},"status":"paid","note":"{}"}}}}}}"#,
                number / 240,
                number / 4 % 60,
                number / 2 * 2,
                number % 7,
                1 + number / 14,
                "x".repeat(400)
            )
        };
        (0..6_000).map(event).collect()
    }

    #[test]
    fn the_end_first_of_what_is_the_wrong_way_round_is_the_right_way() {
        let right = events();
        let mut wrong = right.clone();
        wrong.reverse();
        let last = right.len() as u64;
        for (separator, around, lines_between) in [
            ("\n", ["", "\n"], 1),
            (",\n\n", ["[", "]"], 2),
            ("\0", ["", ""], 0),
        ] {
            let write = |events: &[String]| {
                let [begin, end] = around;
                format!("{begin}{}{end}", events.join(separator))
            };
            let forwards = run(write(&right).as_bytes(), Order::Forwards, 1);
            assert!(!forwards.goes_back());
            let (steps, lines) = decided(&forwards);
            let wrong = write(&wrong);
            assert!(run(wrong.as_bytes(), Order::Forwards, 2).goes_back());
            for workers in [1, 4] {
                let from_the_end = run(wrong.as_bytes(), Order::FromTheEnd, workers);
                let (found, places) = decided(&from_the_end);
                assert_eq!(found, steps);
                assert!(places.iter().rev().eq(lines.iter()), "{separator:?}");
                assert_eq!(places.first(), Some(&(1 + (last - 1) * lines_between)));
                assert!(!from_the_end.goes_back());
                let total = from_the_end.input().length_bytes();
                assert_eq!(from_the_end.progress().bytes_done, total);
            }
        }
    }

    #[test]
    fn bytes_are_proven_whichever_way_they_were_read() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        std::io::Write::write_all(&mut file, events().join("\n").as_bytes()).unwrap();
        let input = Input::open(file.path()).unwrap();
        let run = Run::new(input, load(None, None).unwrap(), BaselinePolicy::None)
            .in_order(Order::FromTheEnd);
        run.load(2);
        let touched = std::time::SystemTime::UNIX_EPOCH;
        file.as_file().set_modified(touched).unwrap();
        let place = |record| run.history().place(RecordNo(record)).unwrap();
        for record in [1, 2, 3_000, 5_999, 6_000] {
            assert!(run.is_verified(place(record)), "{record}");
        }
        std::os::unix::fs::FileExt::write_all_at(file.as_file(), b"X", 5).unwrap();
        assert!(!run.is_verified(place(6_000)) && run.is_verified(place(1)));
        assert!(!run.is_whole());
    }

    fn trend(seconds: &[i64]) -> Trend {
        let mut trend = Trend::default();
        for second in seconds {
            trend.see(Some(Instant {
                seconds: *second,
                nanoseconds: 0,
            }));
            trend.see(None);
        }
        trend
    }

    #[test]
    fn newest_first_is_nearly_always_back_and_more_than_once() {
        for (seconds, expected) in [
            (&[9, 8, 7][..], true),
            (&[9, 8, 8, 7, 6, 5], true),
            (&[9, 8], false),
            (&[1, 2, 3], false),
            (&[9, 8, 7, 9, 8], false),
            (&[5, 5, 5], false),
        ] {
            assert_eq!(trend(seconds).goes_back(), expected, "{seconds:?}");
        }
    }
}
