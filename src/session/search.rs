//! Searching the records of a run, on threads of its own: it tells how far it is, and can be
//! cancelled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use memchr::memchr2;

use super::reader::Reader;
use super::run::Run;
use super::sweep::{Block, Needle, Sweeper, in_parts};
use crate::model::{Instant, Place, RecordNo};

/// Records that are looked at before the first news, and between any two later on. What is near is
/// found at once; what is far is not held up by news.
const FIRST_BATCH: u32 = 2_048;
const MOST_BATCH: u32 = 65_536;

/// What is looked for.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// A text, in the record's source or in one of its strings once decoded. Without capital letters
    /// it is found whatever the case of ASCII letters.
    Text(String),
    /// A record received (or else dated) at this moment or later.
    From(Instant),
}

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchNews {
    /// It has looked at everything up to this record.
    At(RecordNo),
    /// The next record that has it.
    Found(RecordNo),
    /// There is none in this direction.
    Nothing,
}

/// A search under way; dropping it cancels it.
#[derive(Debug)]
pub struct Search {
    stop: Arc<AtomicBool>,
    news: Receiver<SearchNews>,
}

impl Search {
    /// Starts to search behind (or before) a record.
    pub fn start(run: &'static Run, wanted: Wanted, from: RecordNo, forward: bool) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let (sender, news) = channel();
        let seeker = Seeker {
            run,
            asks: match wanted {
                Wanted::Text(text) => Asks::Needle(Box::new(Needle::new(&text))),
                Wanted::From(moment) => Asks::From(moment),
            },
            stop: stop.clone(),
            sender,
        };
        std::thread::spawn(move || seeker.seek(from, forward));
        Self { stop, news }
    }

    /// What has come of it since the last question; the last piece only while it is under way.
    pub fn news(&self) -> Option<SearchNews> {
        let mut last = None;
        for news in self.news.try_iter() {
            last = Some(news);
        }
        last
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
    }
}

enum Asks {
    Needle(Box<Needle>),
    From(Instant),
}

struct Seeker {
    run: &'static Run,
    asks: Asks,
    stop: Arc<AtomicBool>,
    sender: Sender<SearchNews>,
}

impl Seeker {
    fn seek(self, from: RecordNo, forward: bool) {
        let mut at = from;
        let mut size = FIRST_BATCH;
        while !self.stop.load(Ordering::Acquire) {
            let batch = self.batch(at, forward, size);
            let Some(last) = batch.last().copied() else {
                if forward && !self.run.progress().is_finished {
                    let seen = self.run.history().last_step();
                    self.run.wait(seen, Duration::from_millis(100));
                    continue;
                }
                self.tell(SearchNews::Nothing);
                return;
            };
            let found = in_parts(
                self.run,
                &batch,
                |sweeper, first, places| {
                    let found = self.first_of(sweeper, places, forward);
                    found.and_then(|index| batch.get(first + index).copied())
                },
                |found| found.is_some() || self.stop.load(Ordering::Acquire),
            );
            if self.stop.load(Ordering::Acquire) {
                return;
            }
            if let Some(record) = found.into_iter().flatten().next() {
                self.tell(SearchNews::Found(record));
                return;
            }
            at = last;
            self.tell(SearchNews::At(at));
            size = size.saturating_mul(2).min(MOST_BATCH);
        }
    }

    /// The next records in this direction, the nearest first.
    fn batch(&self, at: RecordNo, forward: bool, size: u32) -> Vec<RecordNo> {
        let last = self.run.history().last_record().0;
        if forward {
            let end = at.0.saturating_add(size).min(last);
            (at.0.saturating_add(1)..=end).map(RecordNo).collect()
        } else {
            let start = at.0.saturating_sub(size).max(1);
            (start..at.0.min(last.saturating_add(1)))
                .rev()
                .map(RecordNo)
                .collect()
        }
    }

    /// The first of some records that has it.
    fn first_of(
        &self,
        sweeper: &mut Sweeper,
        places: &[Option<Place>],
        forward: bool,
    ) -> Option<usize> {
        let mut found = None;
        if forward {
            sweeper.sweep(places, |block| {
                if found.is_none() {
                    found = self.in_block(block, true).map(|at| block.first + at);
                }
            });
            return found;
        }
        // Read as they lie; the last of them is the nearest.
        let mirrored: Vec<Option<Place>> = places.iter().rev().copied().collect();
        sweeper.sweep(&mirrored, |block| {
            let last = self.in_block(block, false).map(|at| block.first + at);
            found = last.or(found);
        });
        found.map(|index| mirrored.len() - 1 - index)
    }

    fn in_block(&self, block: &mut Block<'_>, forward: bool) -> Option<usize> {
        match &self.asks {
            Asks::Needle(needle) => {
                let found = needle.mark(block);
                let has = |found: &bool| *found;
                if forward {
                    found.iter().position(has)
                } else {
                    found.iter().rposition(has)
                }
            }
            Asks::From(moment) => {
                let reader = Reader::new(self.run);
                let is_late = |index: &usize| {
                    let bytes = block.record(*index);
                    !is_earlier_at_a_glance(bytes, *moment)
                        && reader.time_of(bytes).is_some_and(|time| time >= *moment)
                };
                let mut indexes = 0..block.records();
                if forward {
                    indexes.find(is_late)
                } else {
                    indexes.rfind(is_late)
                }
            }
        }
    }

    /// Nobody listens any more once the search is dropped, and that is all right.
    fn tell(&self, news: SearchNews) {
        let _ = self.sender.send(news);
    }
}

/// Whether a record begins by saying that it was received earlier, which spares reading the rest.
fn is_earlier_at_a_glance(bytes: &[u8], moment: Instant) -> bool {
    let Some(rest) = bytes.strip_prefix(br#"{"receivedAt":""#) else {
        return false;
    };
    let end = memchr2(b'"', b'\\', rest).unwrap_or(0);
    let text = rest.get(..end).unwrap_or_default();
    let time = std::str::from_utf8(text).ok().and_then(Instant::parse);
    rest.get(end) == Some(&b'"') && time.is_some_and(|time| time < moment)
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
