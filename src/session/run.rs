//! One run over one capture: what is shared between the threads that load it and whoever looks.

mod work;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use super::order::{Order, Trend, advice};
use super::proof::Proof;
use crate::capture::framing::{Framer, FramingFacts, Tally};
use crate::capture::{Asked, CaptureError, Input};
use crate::contract::LoadedContract;
use crate::engine::BaselinePolicy;
use crate::history::{History, Terms};
use crate::model::{Place, RecordNo, StepNo};
use work::Floor;

/// A run over one capture under one contract.
#[derive(Debug)]
pub struct Run {
    input: Input,
    loaded: LoadedContract,
    baseline: BaselinePolicy,
    asked: Asked,
    order: Order,
    history: RwLock<History>,
    stop: AtomicBool,
    /// A fault of ours ended the loading.
    is_broken: AtomicBool,
    bytes_done: AtomicU64,
    loading: Mutex<Loading>,
    /// There are new steps, or the loading has ended or was told to.
    changed: Condvar,
    /// The latter alone: who waits for the end is not woken for every chunk.
    ended: Condvar,
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

    /// Whether the times of receipt go back over the whole capture, once it is read.
    pub fn goes_back(&self) -> bool {
        self.loading().trend.goes_back()
    }

    /// What to tell a person where they do.
    pub fn order_advice(&self) -> Option<&'static str> {
        self.goes_back().then(|| advice(self.order))
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
        self.history.read().unwrap_or_else(PoisonError::into_inner)
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
        self.load_framed(workers, Framer::new(&self.input));
    }

    fn load_framed(&self, workers: usize, framer: Framer<'_>) {
        let floor = Floor::new(self, framer);
        std::thread::scope(|scope| {
            let work = || self.work_or_stop(&floor);
            for _ in 1..workers.max(1) {
                scope.spawn(work);
            }
            work();
        });
        let (facts, trend) = floor.outcome();
        let mut loading = self.loading();
        loading.trend = trend;
        loading.framing = Some(facts);
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
