//! Looks which records pass some tests of their bytes, on threads of its own: questions come in and
//! answers go out in the same order, and dropping it ends it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use super::reader::Reader;
use super::run::Run;
use super::sweep::{Block, Needle, Sweeper, in_parts};
use crate::model::{EventText, Instant, Place, RecordNo};

/// Records that are answered at a time.
const BATCH_RECORDS: usize = 16_384;

/// A test of a record's bytes, or its opposite.
pub struct Check {
    /// Whether the record must fail it.
    pub is_negated: bool,
    /// The test.
    pub asks: Asks,
}

/// What a test asks.
pub enum Asks {
    /// A text anywhere in the record, as a search finds it.
    Word(String),
    /// Something of what can be read of the event.
    Event(Box<dyn Fn(&EventText) -> bool + Send + Sync>),
    /// Something of when it was received, or else dated.
    Time(Box<dyn Fn(Instant) -> bool + Send + Sync>),
}

/// A sieve at work; dropping it ends it.
#[derive(Debug)]
pub struct Sieve {
    stop: Arc<AtomicBool>,
    questions: Sender<Vec<RecordNo>>,
    answers: Receiver<Vec<bool>>,
    open: usize,
}

impl Sieve {
    /// A sieve that lets through what passes all the checks.
    pub fn start(run: &'static Run, checks: Vec<Check>) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let (questions, receiver) = channel::<Vec<RecordNo>>();
        let (sender, answers) = channel();
        let stopped = stop.clone();
        std::thread::spawn(move || {
            let worker = Worker::new(run, checks);
            for records in receiver {
                for batch in records.chunks(BATCH_RECORDS) {
                    if stopped.load(Ordering::Acquire) {
                        return;
                    }
                    // Nobody listens any more once the sieve is dropped.
                    let _ = sender.send(worker.batch(batch));
                }
            }
        });
        Self {
            stop,
            questions,
            answers,
            open: 0,
        }
    }

    /// Asks about some records.
    pub fn ask(&mut self, records: Vec<RecordNo>) {
        self.open += records.len();
        // The thread lives as long as this end does.
        let _ = self.questions.send(records);
    }

    /// What was answered since the last question, in the order of what was asked.
    pub fn answers(&mut self) -> Vec<bool> {
        let answers: Vec<bool> = self.answers.try_iter().flatten().collect();
        self.open = self.open.saturating_sub(answers.len());
        answers
    }

    /// Whether an answer is still to come.
    pub fn is_busy(&self) -> bool {
        self.open > 0
    }
}

impl Drop for Sieve {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
    }
}

/// The tests, the cheapest first.
struct Worker {
    run: &'static Run,
    words: Vec<(bool, Needle)>,
    others: Vec<Check>,
}

impl Worker {
    fn new(run: &'static Run, checks: Vec<Check>) -> Self {
        let mut words = Vec::new();
        let mut others = Vec::new();
        for check in checks {
            match check.asks {
                Asks::Word(text) => words.push((check.is_negated, Needle::new(&text))),
                Asks::Event(_) | Asks::Time(_) => others.push(check),
            }
        }
        Self { run, words, others }
    }

    fn batch(&self, records: &[RecordNo]) -> Vec<bool> {
        let look = |sweeper: &mut Sweeper, _, places: &[Option<Place>]| {
            let reader = Reader::new(self.run);
            let mut passes = vec![false; places.len()];
            sweeper.sweep(places, |block| {
                let answers = self.block(block, &reader);
                let of_block = passes.iter_mut().skip(block.first);
                for (passes, answer) in of_block.zip(answers) {
                    *passes = answer;
                }
            });
            passes
        };
        in_parts(self.run, records, look, |_| false).concat()
    }

    fn block(&self, block: &mut Block<'_>, reader: &Reader<'_>) -> Vec<bool> {
        let mut passes = vec![true; block.records()];
        for (is_negated, word) in &self.words {
            for (passes, found) in passes.iter_mut().zip(word.mark(block)) {
                *passes &= found != *is_negated;
            }
        }
        if !self.others.is_empty() {
            for (index, passes) in passes.iter_mut().enumerate() {
                *passes = *passes && passes_others(&self.others, reader, block.record(index));
            }
        }
        passes
    }
}

fn passes_others(checks: &[Check], reader: &Reader<'_>, bytes: &[u8]) -> bool {
    let (event, time) = reader.event_and_time(bytes);
    checks.iter().all(|check| {
        let holds = match &check.asks {
            Asks::Word(_) => true,
            Asks::Event(asks) => asks(&event),
            Asks::Time(asks) => time.is_some_and(asks),
        };
        holds != check.is_negated
    })
}
