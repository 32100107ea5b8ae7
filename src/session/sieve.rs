//! Looks which records pass some tests of their bytes, on a thread of its own: questions come in and
//! answers go out in the same order, and dropping it ends it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use super::reader::Reader;
use super::run::Run;
use super::search::Matcher;
use crate::model::{EventText, Instant, Place, RecordNo};

/// Records that are answered at a time.
const BATCH_RECORDS: usize = 1_024;

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
    Event(Box<dyn Fn(&EventText) -> bool + Send>),
    /// Something of when it was received, or else dated.
    Time(Box<dyn Fn(Instant) -> bool + Send>),
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
            let mut worker = Worker::new(run, checks);
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

/// The tests with what they need, the cheapest first.
struct Worker {
    run: &'static Run,
    reader: Reader<'static>,
    words: Vec<(bool, Matcher)>,
    others: Vec<Check>,
}

impl Worker {
    fn new(run: &'static Run, checks: Vec<Check>) -> Self {
        let mut words = Vec::new();
        let mut others = Vec::new();
        for check in checks {
            match check.asks {
                Asks::Word(text) => words.push((check.is_negated, Matcher::text(text))),
                Asks::Event(_) | Asks::Time(_) => others.push(check),
            }
        }
        Self {
            run,
            reader: Reader::new(run),
            words,
            others,
        }
    }

    fn batch(&mut self, records: &[RecordNo]) -> Vec<bool> {
        let places: Vec<Option<Place>> = {
            let history = self.run.history();
            let place = |record: &RecordNo| history.place(*record);
            records.iter().map(place).collect()
        };
        places
            .into_iter()
            .map(|place| place.is_some_and(|place| self.passes(place)))
            .collect()
    }

    fn passes(&mut self, place: Place) -> bool {
        let Self {
            reader,
            words,
            others,
            ..
        } = self;
        reader
            .with_window(place, |bytes| {
                words
                    .iter_mut()
                    .all(|(is_negated, word)| word.is_in_bytes(bytes) != *is_negated)
                    && (others.is_empty() || passes_others(others, reader, bytes))
            })
            .unwrap_or(false)
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
