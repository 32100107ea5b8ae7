//! In which order a capture's records are read: file by file from its beginning; or, for an export that
//! is newest first, from its end; or each partition's by their offsets.
//!
//! ```text
//! forwards    framer of each file ─▶ chunk ─▶ chunk ─▶ chunk
//! from the    framers ─▶ outlines of all chunks (where they are, how many lines they have)
//! end         then, last one first: read again ─▶ chunk, its records in reverse
//! by offsets  framers ─▶ where each record is, and its offset
//!             then, in the order of these: read again ─▶ chunk of neighbours
//! ```
//!
//! Line numbers and places stay those of the files. What is kept of the first pass is some bytes a
//! chunk, by offsets some a record. A stream is read to its end first.

use std::sync::atomic::{AtomicBool, Ordering};

use super::positions::Rearranged;
use super::run::Run;
use crate::capture::CaptureError;
use crate::capture::framing::{Chunk, Framer, FramingFacts, Outline, Tally};
use crate::model::{Instant, Place};

/// The order in which a capture's records are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As they stand in it.
    #[default]
    Forwards,
    /// The last one first.
    FromTheEnd,
    /// Each partition's records by their offsets, in the places that are its own; everything else
    /// where it stands.
    ByPosition,
}

/// A chunk whose turn will come.
pub(super) struct Next {
    /// When.
    pub(super) number: u64,
    /// Its records.
    pub(super) chunk: Chunk,
    /// Line ends before it in its file, where that is not where the chunk before it ended.
    pub(super) lines_before: Option<u64>,
    /// A first pass has counted and proven it.
    pub(super) is_known: bool,
}

/// Bytes of a chunk, and the most of a record.
pub(super) type Sizes = (usize, usize);

/// What a first pass over all files counted, where it takes records apart.
#[derive(Debug, Default)]
pub(super) struct Counted {
    pub(super) tally: Tally,
    pub(super) noise: Vec<Place>,
}

/// Hands out a capture's chunks, in any order.
pub(super) struct Chunks<'r> {
    run: &'r Run,
    sizes: Sizes,
    number: u64,
    /// The file at hand, and the bytes before it.
    file: usize,
    start_bytes: u64,
    framer: Option<Framer<'r>>,
    /// Nothing of the file at hand was handed out yet.
    is_fresh: bool,
    /// Of the files before it.
    facts: Vec<FramingFacts>,
    again: Option<Again>,
    counted: Counted,
    spare: Vec<Vec<u8>>,
}

/// What a first pass left.
enum Again {
    /// The file of each chunk, where it is, and the line ends before it; the next one is the last.
    FromTheEnd(Vec<(usize, Outline, u64)>),
    ByPosition(Rearranged),
}

/// Memory that waits for the next chunks.
const SPARE_MAX: usize = 8;

impl<'r> Chunks<'r> {
    pub(super) fn new(run: &'r Run, sizes: Sizes) -> Self {
        let mut chunks = Self {
            run,
            sizes,
            number: 0,
            file: 0,
            start_bytes: 0,
            framer: None,
            is_fresh: true,
            facts: Vec::new(),
            again: None,
            counted: Counted::default(),
            spare: Vec::new(),
        };
        chunks.framer = chunks.framer_of(0);
        chunks
    }

    fn framer_of(&self, file: usize) -> Option<Framer<'r>> {
        let (chunk_bytes, record_bytes) = self.sizes;
        let input = self.run.input().get(file)?;
        let framer = Framer::with_sizes(input, chunk_bytes, record_bytes);
        let asked = self.run.asked();
        let framer = framer.by_template(asked.template());
        Some(framer.for_blocks(asked.has_blocks()))
    }

    /// The next chunk; `None` at the end, or where `stop` is set before a first pass is over.
    pub(super) fn next(&mut self, stop: &AtomicBool) -> Result<Option<Next>, CaptureError> {
        let is_known = self.run.order() == Order::ByPosition;
        let found = match self.run.order() {
            Order::Forwards => self.forwards()?,
            Order::FromTheEnd | Order::ByPosition => self.second_pass(stop)?,
        };
        let number = self.number;
        self.number += 1;
        Ok(found.map(|(chunk, lines_before)| Next {
            number,
            chunk,
            lines_before,
            is_known,
        }))
    }

    /// The next chunk as it stands, with the line ends before it where a file begins with it: no file
    /// is framed with what is in another.
    fn forwards(&mut self) -> Result<Option<(Chunk, Option<u64>)>, CaptureError> {
        while let Some(framer) = &mut self.framer {
            if let Some(chunk) = framer.next_chunk()? {
                let begins = std::mem::take(&mut self.is_fresh).then_some(0);
                return Ok(Some((chunk.behind(self.start_bytes), begins)));
            }
            self.facts.push(framer.facts());
            self.file += 1;
            self.is_fresh = true;
            self.framer = self.framer_of(self.file);
            // A file that was framed to its end has ended.
            self.start_bytes = self.run.input().start_bytes(self.file).unwrap_or(0);
        }
        Ok(None)
    }

    fn second_pass(
        &mut self,
        stop: &AtomicBool,
    ) -> Result<Option<(Chunk, Option<u64>)>, CaptureError> {
        if self.again.is_none() {
            self.again = Some(match self.run.order() {
                Order::ByPosition => Again::ByPosition(self.positions(stop)?),
                Order::Forwards | Order::FromTheEnd => Again::FromTheEnd(self.outlines(stop)?),
            });
        }
        let files = self.run.input();
        let storage = self.spare.pop().unwrap_or_default();
        let found = match &mut self.again {
            Some(Again::ByPosition(rearranged)) => rearranged.next(files, storage)?,
            Some(Again::FromTheEnd(outlines)) => {
                let Some((file, outline, before)) = outlines.pop() else {
                    return Ok(None);
                };
                let Some(input) = files.get(file) else {
                    return Ok(None);
                };
                let start = files.start_bytes(file).unwrap_or(0);
                Some((outline.read(input, storage)?.behind(start), before))
            }
            None => None,
        };
        Ok(found.map(|(chunk, before)| (chunk, Some(before))))
    }

    fn outlines(&mut self, stop: &AtomicBool) -> Result<Vec<(usize, Outline, u64)>, CaptureError> {
        let mut outlines = Vec::new();
        let mut lines = 0;
        while let Some((chunk, begins)) = self.forwards()? {
            if stop.load(Ordering::Acquire) {
                return Ok(Vec::new());
            }
            // It is read again out of its own file.
            let outline = chunk.outline(self.start_bytes);
            self.recycle_framed(chunk);
            let before = begins.unwrap_or(lines);
            lines = before + outline.lines();
            outlines.push((self.file, outline, before));
        }
        Ok(outlines)
    }

    /// Where each record is, in the order of the offsets. Everything that is counted and kept of the
    /// chunks is counted and kept here: later on they come in pieces.
    fn positions(&mut self, stop: &AtomicBool) -> Result<Rearranged, CaptureError> {
        let run = self.run;
        let mut positions = super::positions::Positions::new(run);
        let mut lines = 0;
        while let Some((chunk, begins)) = self.forwards()? {
            if stop.load(Ordering::Acquire) {
                return Ok(Rearranged::default());
            }
            let before = begins.unwrap_or(lines);
            let tally = positions.note(&chunk, before);
            lines = before + tally.lines;
            self.counted.tally.add(tally);
            if tally.noise_lines > 0 {
                let frames = chunk.noise(super::run::MOST_NOISE).into_iter();
                let places = frames.map(|frame| frame.place(before));
                self.counted.noise.extend(places);
                self.counted.noise.truncate(super::run::MOST_NOISE);
            }
            let hash = run.proof.hash(chunk.bytes());
            run.proof.add(chunk.offset_bytes(), chunk.bytes(), hash);
            self.recycle_framed(chunk);
        }
        run.note_positioned(positions.positioned());
        Ok(positions.rearranged())
    }

    fn recycle_framed(&mut self, chunk: Chunk) {
        if let Some(framer) = &mut self.framer {
            framer.recycle(chunk);
        }
    }

    /// Gives a chunk's memory back.
    pub(super) fn recycle(&mut self, chunk: Chunk) {
        if self.again.is_none() {
            self.recycle_framed(chunk);
        } else if self.spare.len() < SPARE_MAX {
            self.spare.push(chunk.into_storage());
        }
    }

    /// How each file is framed, as far as it was looked at.
    pub(super) fn facts(&self) -> Vec<FramingFacts> {
        let mut facts = self.facts.clone();
        facts.extend(self.framer.as_ref().map(Framer::facts));
        facts
    }

    /// Files behind the one that was read last.
    pub(super) fn files_left(&self) -> usize {
        (self.run.input().count()).saturating_sub(self.file + 1)
    }

    /// What a first pass counted.
    pub(super) fn counted(&mut self) -> Counted {
        std::mem::take(&mut self.counted)
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::io::Cursor;

    use super::*;
    use crate::capture::Input;
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
    fn without_positions_to_put_in_order_nothing_changes() {
        let some: Vec<String> = events().into_iter().step_by(40).collect();
        let piece = |stream: &str, text: &str| {
            let log = serde_json::Value::from(text);
            format!(r#"{{"log":{log},"stream":"{stream}","time":"2026-03-02T09:00:00Z"}}"#)
        };
        let (head, tail) = some.first().unwrap().split_at(200);
        let pieces = [
            piece("stdout", head),
            piece("stderr", "between\n"),
            piece("stdout", &format!("{tail}\n")),
        ];
        let pretty = some.iter().map(|event| {
            let value: serde_json::Value = serde_json::from_str(event).unwrap();
            serde_json::to_string_pretty(&value).unwrap()
        });
        let pretty: Vec<String> = pretty.collect();
        for capture in [
            some.join("\n"),
            some.join("\r\n\n") + "\n% Reached end of topic orders [0] at offset 3\n\n",
            format!("[{}]\n{}", some.join(","), some.join("\n")),
            pretty.join("\n"),
            format!("[\n{}\n]", pretty.join(",\n")),
            some.join("\0"),
            format!(
                "{{\"Records\":[]}}\n^C\nnothing at all\n{}",
                pieces.join("\n")
            ),
            "x".repeat(70 << 20) + "\n" + &some.join("\n"),
        ] {
            let forwards = run(capture.as_bytes(), Order::Forwards, 1);
            let sorted = run(capture.as_bytes(), Order::ByPosition, 3);
            assert_eq!(decided(&sorted), decided(&forwards));
            assert_eq!(sorted.tally(), forwards.tally());
            assert_eq!(sorted.noise(), forwards.noise());
            assert_eq!(sorted.framing(), forwards.framing());
            let total = sorted.input().length_bytes();
            assert_eq!(sorted.progress().bytes_done, total);
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
