//! One run over one capture: what is shared between the threads that load it and whoever looks.

mod work;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use super::advice::{self, advice};
use super::order::{Order, Sizes};
use super::proof::Proof;
use super::trend;
use crate::capture::framing::{CHUNK_BYTES, FramingFacts, Tally};
use crate::capture::{Asked, CaptureError, Files, MAX_RECORD_BYTES};
use crate::contract::LoadedContract;
use crate::engine::BaselinePolicy;
use crate::history::{History, Terms};
use crate::model::{Place, RecordNo, StepNo};
use work::Floor;

/// Of lines that tools printed beside their records, so many can be shown; all are counted.
pub(super) const MOST_NOISE: usize = 1_000;

/// The engine goes on after so many offers to let somebody look, whether they were taken or not.
const MOST_YIELDS: usize = 1_000;

/// A run over one capture under one contract.
#[derive(Debug)]
pub struct Run {
    input: Files,
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
    /// There are new steps, or the loading has ended or was told to.
    changed: Condvar,
    /// The latter alone: who waits for the end is not woken for every chunk.
    ended: Condvar,
    pub(super) proof: Proof,
}

/// What is known of the loading, beside the history.
#[derive(Debug, Default)]
struct Loading {
    finished: bool,
    /// Of each file that was looked at.
    framings: Vec<FramingFacts>,
    /// Files behind the one that could not be read.
    files_left: usize,
    tally: Tally,
    noise: Vec<Place>,
    failed: Option<CaptureError>,
    cut_at: Option<RecordNo>,
    order: advice::Seen,
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

impl Run {
    /// A run that has read nothing yet.
    pub fn new(input: impl Into<Files>, loaded: LoadedContract, baseline: BaselinePolicy) -> Self {
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
            input: input.into(),
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
            ended: Condvar::new(),
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
        self.loading().order.goes_back
    }

    /// How often the times of receipt start again, once everything is read, as where streams or files
    /// stand one behind the other.
    pub fn starts_again(&self) -> u64 {
        let found = self.loading().order.starts_again;
        found.map_or(0, |(count, _)| count)
    }

    /// How many records have a position, where they were to be put in its order.
    pub fn positioned(&self) -> Option<u32> {
        self.loading().order.positioned
    }

    pub(super) fn note_positioned(&self, count: u32) {
        self.loading().order.positioned = Some(count);
    }

    /// What to tell a person where the order is not that of receipt, or not the one asked for. A file's
    /// name stands in it as it is: whoever shows it makes it safe.
    pub fn order_advice(&self) -> Option<String> {
        let seen = self.loading().order;
        advice(self, seen)
    }

    /// The same run, with wrappers taken off as asked. Before anything is read.
    #[must_use]
    pub fn asking(mut self, asked: Asked) -> Self {
        self.asked = asked;
        self
    }

    /// The capture's bytes, in all its files.
    pub fn input(&self) -> &Files {
        &self.input
    }

    /// The bytes alone, for another run over them.
    pub fn into_input(self) -> Files {
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
            bytes_total: self.input.known_bytes(),
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
        let failed = loading
            .failed
            .as_ref()
            .map(|error| match loading.files_left {
                0 => error.to_string(),
                1 => format!("{error}; the file behind it was not read"),
                left => format!("{error}; the {left} files behind it were not read"),
            });
        broken.or(failed).or(cut)
    }

    /// How the capture's first file is framed, once everything is read.
    pub fn framing(&self) -> Option<FramingFacts> {
        self.loading().framings.first().copied()
    }

    /// How each of its files is framed, once everything is read: those that were looked at.
    pub fn framings(&self) -> Vec<FramingFacts> {
        self.loading().framings.clone()
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
        self.ended.notify_all();
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
            self.ended
                .wait_timeout_while(self.loading(), at_most, unfinished),
        );
    }

    /// Whether the loading was told to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// Reads and decides everything, on `workers` threads. Blocks until it is done or stopped.
    pub fn load(&self, workers: usize) {
        self.load_sized(workers, (CHUNK_BYTES, MAX_RECORD_BYTES));
    }

    fn load_sized(&self, workers: usize, sizes: Sizes) {
        let floor = Floor::new(self, sizes);
        std::thread::scope(|scope| {
            let work = || self.work_or_stop(&floor);
            for _ in 1..workers.max(1) {
                scope.spawn(work);
            }
            work();
        });
        let (mut framer, trend, restarts) = floor.outcome();
        let counted = framer.counted();
        let is_looked_at = self.order != Order::ByPosition && !self.is_stopped();
        let by_own_times = is_looked_at && !trend.is_known();
        let goes_back = if by_own_times {
            trend::of_own_times(self).goes_back()
        } else {
            trend.goes_back()
        };
        let is_turned = goes_back || self.order == Order::FromTheEnd;
        let has_pieces = is_looked_at && is_turned && advice::has_pieces(self);
        let starts_again = (is_looked_at && !goes_back).then(|| restarts.found(self));
        let mut loading = self.loading();
        loading.order = advice::Seen {
            goes_back,
            by_own_times,
            starts_again: starts_again.flatten(),
            has_pieces,
            positioned: loading.order.positioned,
        };
        loading.framings = framer.facts();
        loading.files_left = framer.files_left();
        loading.tally.add(counted.tally);
        loading.noise.extend(counted.noise);
        if self.order == Order::ByPosition && loading.failed.is_none() && !self.is_stopped() {
            // What stands between records was read in the first pass only.
            let all = self.input.known_bytes();
            self.bytes_done.store(all, Ordering::Release);
        }
        loading.finished = true;
        self.changed.notify_all();
        self.ended.notify_all();
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
