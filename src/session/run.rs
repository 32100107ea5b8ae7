//! One run over one capture: what is shared between the threads that load it and whoever looks.
//!
//! A worker takes the next chunk off the framer, takes its records apart (pure, in parallel), waits
//! for its chunk's turn, and lets the engine run over it with the history locked for writing. Who
//! would only wait reads the next chunk meanwhile:
//!
//! ```text
//! worker 1   read 1 | take apart 1 | engine 1 | read 3 | take apart 3 | ...
//! worker 2            read 2 | take apart 2 | read 4 | engine 2 | take apart 4 | ...
//! screen        (reads the history between two engines' turns)
//! ```

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use bumpalo::Bump;

use super::order::{Chunks, Next, Order, Trend, advice};
use super::proof::Proof;
use super::recorder::{LookBack, Recorder};
use super::trend;
use crate::capture::framing::{Chunk, Frame, Framer, FramingFacts, Tally};
use crate::capture::{Asked, CaptureError, Input, Scratch};
use crate::contract::LoadedContract;
use crate::engine::{BaselinePolicy, Engine};
use crate::history::{History, Terms};
use crate::model::{Place, Record, RecordNo, StepNo};

/// Records and steps have 32-bit numbers; a capture with more is cut there, and says so.
const MOST_STEPS: u32 = u32::MAX - 2_000_000;

/// Of lines that tools printed beside their records, so many can be shown; all are counted.
const MOST_NOISE: usize = 1_000;

/// The engine looks so often, in records, whether somebody waits to look at the history.
const RECORDS_PER_LOOK: usize = 64;

/// The engine goes on after so many offers to let somebody look, whether they were taken or not.
const MOST_YIELDS: usize = 1_000;

/// A run over one capture under one contract.
#[derive(Debug)]
pub struct Run {
    input: Input,
    loaded: LoadedContract,
    baseline: BaselinePolicy,
    asked: Asked,
    order: Order,
    history: RwLock<History>,
    /// How many wait to look at the history.
    waiting_looks: AtomicUsize,
    stop: AtomicBool,
    /// A fault of ours ended the loading.
    is_broken: AtomicBool,
    bytes_done: AtomicU64,
    loading: Mutex<Loading>,
    changed: Condvar,
    proof: Proof,
}

/// What is known of the loading, beside the history.
#[derive(Debug, Default)]
struct Loading {
    finished: bool,
    framing: Option<FramingFacts>,
    tally: Tally,
    noise: Vec<Place>,
    failed: Option<CaptureError>,
    cut_at: Option<RecordNo>,
    trend: Trend,
    by_own_times: bool,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes whose records have been decided.
    pub bytes_done: u64,
    /// Bytes of the capture; of a stream, as many as have come.
    pub bytes_total: u64,
    /// Whether no more will come.
    pub is_finished: bool,
    /// Whether the total can still grow.
    pub is_stream: bool,
}

/// What the engine keeps from chunk to chunk, and whose turn it is.
struct Turn {
    next: u64,
    lines_before: u64,
    engine: Engine,
    buffers: LookBack,
    trend: Trend,
}

impl Run {
    /// A run that has read nothing yet.
    pub fn new(input: Input, loaded: LoadedContract, baseline: BaselinePolicy) -> Self {
        let contract = &loaded.contract;
        let terms = Terms {
            vocabulary: contract.vocabulary.clone(),
            has_schema_version: contract.schema_version.is_some(),
            has_versions: contract.version.is_some(),
            first_version: contract.version.as_ref().map_or(0, |version| version.first),
            gate: contract.gate.clone(),
        };
        Self {
            history: RwLock::new(History::new(terms.into())),
            input,
            loaded,
            baseline,
            asked: Asked::default(),
            order: Order::default(),
            waiting_looks: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            is_broken: AtomicBool::new(false),
            bytes_done: AtomicU64::new(0),
            loading: Mutex::new(Loading::default()),
            changed: Condvar::new(),
            proof: Proof::default(),
        }
    }

    /// The same, with the records read in another order.
    #[must_use]
    pub fn in_order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// The order in which the records are read.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Whether the times of receipt go back over the whole capture, once it is read; where there are
    /// none, the events' own.
    pub fn goes_back(&self) -> bool {
        self.loading().trend.goes_back()
    }

    /// What to tell a person where they do.
    pub fn order_advice(&self) -> Option<&'static str> {
        let loading = self.loading();
        let goes_back = loading.trend.goes_back();
        goes_back.then(|| advice(self.order, loading.by_own_times))
    }

    /// The same run, with wrappers taken off as asked. Before anything is read.
    #[must_use]
    pub fn asking(mut self, asked: Asked) -> Self {
        self.asked = asked;
        self
    }

    /// The capture's bytes.
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// The bytes alone, for another run over them.
    pub fn into_input(self) -> Input {
        self.input
    }

    /// The contract in force, and where it came from.
    pub fn loaded(&self) -> &LoadedContract {
        &self.loaded
    }

    /// How aggregates in mid-stream are started.
    pub fn baseline(&self) -> BaselinePolicy {
        self.baseline
    }

    /// How wrappers are taken off records.
    pub fn asked(&self) -> Asked {
        self.asked
    }

    /// The history so far. Held only briefly while a capture loads: the engine waits for it.
    pub fn history(&self) -> RwLockReadGuard<'_, History> {
        self.waiting_looks.fetch_add(1, Ordering::AcqRel);
        let history = self.history.read().unwrap_or_else(PoisonError::into_inner);
        self.waiting_looks.fetch_sub(1, Ordering::AcqRel);
        history
    }

    /// Lets those look at the history who wait for it: the lock alone would prefer the next writer.
    fn let_look(&self) {
        for _ in 0..MOST_YIELDS {
            if self.waiting_looks.load(Ordering::Acquire) == 0 {
                return;
            }
            std::thread::yield_now();
        }
    }

    /// Whether a record's bytes are still those that were decided on. Costs one look at the file, and
    /// a chunk's worth of reading where that was touched since it was opened.
    pub fn is_verified(&self, place: Place) -> bool {
        self.proof.holds(&self.input, place)
    }

    /// Whether the whole capture is still what was decided on; reads it again where it was touched.
    pub fn is_whole(&self) -> bool {
        self.proof.holds_whole(&self.input)
    }

    /// How far the run is.
    pub fn progress(&self) -> Progress {
        Progress {
            bytes_done: self.bytes_done.load(Ordering::Acquire),
            bytes_total: self.input.length_bytes(),
            is_finished: self.loading().finished,
            is_stream: !self.input.has_ended(),
        }
    }

    /// What went wrong while reading, in words; what was read before that stays.
    pub fn failure(&self) -> Option<String> {
        let loading = self.loading();
        let cut = loading.cut_at.map(|record| {
            format!(
                "the capture has more steps than fit in a run; what follows {record} was not read"
            )
        });
        let broken = self.is_broken.load(Ordering::Acquire);
        let broken = broken.then(|| "reading ended at a fault in replayscope".to_owned());
        let failed = loading.failed.as_ref().map(ToString::to_string);
        broken.or(failed).or(cut)
    }

    /// How the capture is framed, once that is known.
    pub fn framing(&self) -> Option<FramingFacts> {
        self.loading().framing
    }

    /// What was counted while reading.
    pub fn tally(&self) -> Tally {
        self.loading().tally
    }

    /// Where the lines are that tools printed beside their records (capture.md, "Framing"), in order:
    /// the first 1,000 of those that [`Run::tally`] counts.
    pub fn noise(&self) -> Vec<Place> {
        self.loading().noise.clone()
    }

    /// Ends the loading as soon as the chunks at hand are done.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
        self.changed.notify_all();
    }

    /// Waits until there is a step after `seen`, the run has ended, or the time is over.
    pub fn wait(&self, seen: StepNo, at_most: Duration) {
        let loading = self.loading();
        let nothing_new =
            |loading: &mut Loading| !loading.finished && self.history().last_step() <= seen;
        drop(
            self.changed
                .wait_timeout_while(loading, at_most, nothing_new),
        );
    }

    /// Waits until the run has ended or the time is over.
    pub fn wait_for_end(&self, at_most: Duration) {
        let unfinished = |loading: &mut Loading| !loading.finished && !self.is_stopped();
        drop(
            self.changed
                .wait_timeout_while(self.loading(), at_most, unfinished),
        );
    }

    /// Whether the loading was told to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// Reads and decides everything, on `workers` threads. Blocks until it is done or stopped.
    pub fn load(&self, workers: usize) {
        self.load_framed(workers, Framer::new(&self.input));
    }

    fn load_framed(&self, workers: usize, framer: Framer<'_>) {
        let framer = Mutex::new(Chunks::new(&self.input, framer, self.order));
        let contract = self.loaded.contract.clone();
        let turn = Mutex::new(Turn {
            next: 0,
            lines_before: 0,
            engine: Engine::new(contract.clone(), self.baseline),
            buffers: LookBack::new(&contract, self.asked),
            trend: Trend::default(),
        });
        let next_turn = Condvar::new();
        std::thread::scope(|scope| {
            let work = || self.work_or_stop(&framer, &turn, &next_turn);
            for _ in 1..workers.max(1) {
                scope.spawn(work);
            }
            work();
        });
        let facts = lock(&framer).facts();
        let trend = lock(&turn).trend;
        let by_own_times = !trend.is_known() && !self.is_stopped();
        let trend = if by_own_times {
            trend::of_own_times(self)
        } else {
            trend
        };
        let mut loading = self.loading();
        (loading.trend, loading.by_own_times) = (trend, by_own_times);
        loading.framing = Some(facts);
        loading.finished = true;
        self.changed.notify_all();
    }

    /// A fault of ours on one thread must not leave the others waiting for its turn.
    fn work_or_stop(&self, framer: &Mutex<Chunks<'_>>, turn: &Mutex<Turn>, next_turn: &Condvar) {
        let work = AssertUnwindSafe(|| self.work(framer, turn, next_turn));
        if std::panic::catch_unwind(work).is_err() {
            self.is_broken.store(true, Ordering::Release);
            self.stop();
            // Taken and given back, so that nobody is between looking and waiting.
            drop(lock(turn));
            next_turn.notify_all();
        }
    }

    fn work(&self, framer: &Mutex<Chunks<'_>>, turn: &Mutex<Turn>, next_turn: &Condvar) {
        let contract = &*self.loaded.contract;
        let mut scratch = Scratch::asking(contract, self.asked);
        let mut arena = Bump::new();
        // What was read ahead must be decided: others wait for its turn to pass.
        let mut ahead = None;
        while ahead.is_some() || !self.stop.load(Ordering::Acquire) {
            let Some(next) = ahead.take().or_else(|| self.next_chunk(framer)) else {
                return;
            };
            let Next {
                number,
                chunk,
                lines_before,
            } = next;
            // The records borrow from their chunk; a list a chunk costs one allocation a mebibyte.
            let (mut records, tally) = chunk.records(contract, &mut scratch, &arena);
            if self.order == Order::FromTheEnd {
                records.reverse();
            }
            let hash = self.proof.hash(chunk.bytes());
            // What a pipe has not given yet must not keep back what it has.
            if lock(turn).next != number && !self.input.is_pipe() {
                ahead = self.next_chunk(framer);
            }
            let mut turn = next_turn
                .wait_while(lock(turn), |turn| {
                    turn.next != number && !self.is_broken.load(Ordering::Acquire)
                })
                .unwrap_or_else(PoisonError::into_inner);
            if turn.next != number {
                return;
            }
            self.proof.add(chunk.offset_bytes(), chunk.bytes(), hash);
            turn.lines_before = lines_before.unwrap_or(turn.lines_before);
            self.decide(&mut turn, &chunk, &records);
            turn.next += 1;
            if tally.noise_lines > 0 {
                self.note_noise(&chunk, turn.lines_before);
            }
            turn.lines_before += tally.lines;
            drop(turn);
            next_turn.notify_all();
            self.note(&chunk, tally);
            drop(records);
            arena.reset();
            lock(framer).recycle(chunk);
        }
    }

    fn next_chunk(&self, framer: &Mutex<Chunks<'_>>) -> Option<Next> {
        match lock(framer).next(&self.stop) {
            Ok(next) => next,
            Err(error) => {
                self.loading().failed.get_or_insert(error);
                self.stop();
                None
            }
        }
    }

    /// The engine's turn over one chunk. The screen may read between two records' batches, never
    /// in the middle of a cascade.
    fn decide(&self, turn: &mut Turn, chunk: &Chunk, records: &[(Frame, Record<'_>)]) {
        let lines_before = turn.lines_before;
        let mut cut_at = None;
        let mut failed = None;
        for records in records.chunks(RECORDS_PER_LOOK) {
            self.let_look();
            let mut history = self.history.write().unwrap_or_else(PoisonError::into_inner);
            let mut recorder = Recorder {
                history: &mut history,
                input: &self.input,
                contract: &self.loaded.contract,
                chunk: (chunk.offset_bytes(), chunk.bytes()),
                buffers: &mut turn.buffers,
                failed: None,
            };
            for (frame, record) in records {
                if recorder.history.last_step().0 >= MOST_STEPS {
                    cut_at = Some(recorder.history.last_record());
                    break;
                }
                let number = recorder.history.append_record(frame.place(lines_before));
                turn.trend.see(record.received_at);
                turn.engine.take(number, record, &mut recorder);
            }
            failed = failed.or(recorder.failed.take());
            if cut_at.is_some() {
                break;
            }
        }
        // Whoever waits for news holds the loading lock and then looks at the history: never the
        // other way round.
        if cut_at.is_none() && failed.is_none() {
            return;
        }
        let mut loading = self.loading();
        loading.cut_at = loading.cut_at.or(cut_at);
        if let Some(error) = failed {
            loading.failed.get_or_insert(error);
        }
        drop(loading);
        if cut_at.is_some() {
            self.stop();
        }
    }

    fn note(&self, chunk: &Chunk, tally: Tally) {
        let mut loading = self.loading();
        loading.tally.add(tally);
        let length = chunk.bytes().len() as u64;
        match self.order {
            Order::Forwards => {
                let end = chunk.offset_bytes() + length;
                self.bytes_done.fetch_max(end, Ordering::AcqRel)
            }
            Order::FromTheEnd => self.bytes_done.fetch_add(length, Ordering::AcqRel),
        };
        self.changed.notify_all();
    }

    /// In the chunk's turn, so that the places are in order.
    fn note_noise(&self, chunk: &Chunk, lines_before: u64) {
        let mut loading = self.loading();
        let room = MOST_NOISE.saturating_sub(loading.noise.len());
        let frames = chunk.noise(room).into_iter();
        let places = frames.map(|frame| frame.place(lines_before));
        loading.noise.extend(places);
    }

    fn loading(&self) -> MutexGuard<'_, Loading> {
        lock(&self.loading)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
