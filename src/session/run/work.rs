//! How the threads that load a run share the work.
//!
//! A worker takes the next chunk off the framer and takes its records apart: pure, in parallel. The
//! engine runs over the chunks in their order, one at a time, with the history locked for writing.
//! Who finds that it is not the turn of its chunk goes on with the next one, up to a batch, and only
//! then waits:
//!
//! ```text
//! worker 1   apart 1 | engine 1 | apart 3 | apart 4 | engine 3 | engine 4 | ...
//! worker 2   apart 2      | engine 2 | apart 5 | engine 5 | apart 6 | ...
//! screen     (reads the history between two batches of records)
//! ```

use std::cell::OnceCell;
use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, TryLockError};

use bumpalo::Bump;

use super::super::ahead::{AHEAD, touch};
use super::super::order::{Chunks, Next, Order, Sizes, Trend};
use super::super::recorder::{LookBack, Recorder};
use super::super::restarts::Restarts;
use super::{MOST_NOISE, Run, lock};
use crate::capture::Scratch;
use crate::capture::framing::{Chunk, Frame, Tally};
use crate::engine::Engine;
use crate::model::Record;

/// Records and steps have 32-bit numbers; a capture with more is cut there, and says so.
const MOST_STEPS: u32 = u32::MAX - 2_000_000;

/// Chunks that a worker takes apart before it waits for the turn of the first.
const BATCH: usize = 2;

/// What all workers share.
pub(super) struct Floor<'i> {
    framer: Mutex<Chunks<'i>>,
    turn: Mutex<Turn>,
    next_turn: Condvar,
}

/// What the engine keeps from chunk to chunk, and whose turn it is.
struct Turn {
    next: u64,
    /// Workers that wait for theirs.
    waiting: usize,
    lines_before: u64,
    engine: Engine,
    buffers: LookBack,
    trend: Trend,
    restarts: Restarts,
}

/// A chunk taken apart.
struct Apart<'c> {
    number: u64,
    chunk: &'c Chunk,
    /// Borrowed from the chunk, so a list a chunk costs an allocation.
    records: Vec<(Frame, Record<'c>)>,
    tally: Tally,
    lines_before: Option<u64>,
    hash: u64,
    /// A first pass has counted and proven it.
    is_known: bool,
}

impl<'i> Floor<'i> {
    /// Before the first chunk.
    pub(super) fn new(run: &'i Run, sizes: Sizes) -> Self {
        let contract = run.loaded.contract.clone();
        Self {
            framer: Mutex::new(Chunks::new(run, sizes)),
            turn: Mutex::new(Turn {
                next: 0,
                waiting: 0,
                lines_before: 0,
                buffers: LookBack::new(&contract, run.asked),
                engine: Engine::new(contract, run.baseline),
                trend: Trend::default(),
                restarts: Restarts::default(),
            }),
            next_turn: Condvar::new(),
        }
    }

    /// What is known after the last chunk.
    pub(super) fn outcome(&self) -> (MutexGuard<'_, Chunks<'i>>, Trend, Restarts) {
        let framer = lock(&self.framer);
        let turn = lock(&self.turn);
        (framer, turn.trend, turn.restarts)
    }

    /// The turn, if it is this chunk's now; nobody waits for it here.
    fn turn_now(&self, number: u64) -> Option<MutexGuard<'_, Turn>> {
        let turn = match self.turn.try_lock() {
            Ok(turn) => turn,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        (turn.next == number).then_some(turn)
    }

    /// The turn once it is this chunk's; `None` where that will never be.
    fn turn_of(&self, number: u64, is_broken: impl Fn() -> bool) -> Option<MutexGuard<'_, Turn>> {
        let mut turn = lock(&self.turn);
        turn.waiting += 1;
        let waits = |turn: &mut Turn| turn.next != number && !is_broken();
        let waited = self.next_turn.wait_while(turn, waits);
        turn = waited.unwrap_or_else(PoisonError::into_inner);
        turn.waiting -= 1;
        (turn.next == number).then_some(turn)
    }
}

impl Run {
    /// A fault of ours on one thread must not leave the others waiting for its turn.
    pub(super) fn work_or_stop(&self, floor: &Floor<'_>) {
        let work = AssertUnwindSafe(|| self.work(floor));
        if std::panic::catch_unwind(work).is_err() {
            self.is_broken.store(true, Ordering::Release);
            self.stop();
            // Taken and given back, so that nobody is between looking and waiting.
            drop(lock(&floor.turn));
            floor.next_turn.notify_all();
        }
    }

    fn work(&self, floor: &Floor<'_>) {
        let mut scratch = Scratch::asking(&self.loaded.contract, self.asked);
        let mut arena = Bump::new();
        // What a pipe has not given yet must not keep back what it has.
        let batch = if self.input.is_pipe() { 1 } else { BATCH };
        let mut is_going_on = true;
        while is_going_on {
            let slots = [const { OnceCell::new() }; BATCH];
            let batch = slots.get(..batch).unwrap_or(&slots);
            is_going_on = self.work_on(batch, &mut scratch, &arena, floor);
            arena.reset();
            let mut framer = lock(&floor.framer);
            for chunk in slots.into_iter().filter_map(OnceCell::into_inner) {
                framer.recycle(chunk);
            }
        }
    }

    /// Reads, takes apart and decides as many chunks as there are slots for; whether there may be
    /// more.
    fn work_on<'c>(
        &self,
        slots: &'c [OnceCell<Chunk>],
        scratch: &mut Scratch,
        arena: &'c Bump,
        floor: &Floor<'_>,
    ) -> bool {
        let mut ready: VecDeque<Apart<'c>> = VecDeque::with_capacity(slots.len());
        let mut is_going_on = true;
        for slot in slots {
            let next = if self.is_stopped() {
                None
            } else {
                self.next_chunk(&floor.framer)
            };
            let Some(next) = next else {
                is_going_on = false;
                break;
            };
            ready.push_back(self.apart(next, slot, scratch, arena));
            while let Some(first) = ready.front()
                && let Some(turn) = floor.turn_now(first.number)
                && let Some(first) = ready.pop_front()
            {
                self.pass(turn, first, floor);
            }
        }
        // What was taken off the framer must be decided: others wait for its turn to pass.
        for apart in ready {
            let is_broken = || self.is_broken.load(Ordering::Acquire);
            let Some(turn) = floor.turn_of(apart.number, is_broken) else {
                return false;
            };
            self.pass(turn, apart, floor);
        }
        is_going_on
    }

    fn apart<'c>(
        &self,
        next: Next,
        slot: &'c OnceCell<Chunk>,
        scratch: &mut Scratch,
        arena: &'c Bump,
    ) -> Apart<'c> {
        let chunk = slot.get_or_init(|| next.chunk);
        let (mut records, mut tally) = chunk.records(&self.loaded.contract, scratch, arena);
        if next.is_known {
            tally = Tally::default();
        }
        if self.order == Order::FromTheEnd {
            records.reverse();
        }
        Apart {
            number: next.number,
            chunk,
            records,
            tally,
            lines_before: next.lines_before,
            is_known: next.is_known,
            hash: self.proof.hash(chunk.bytes()),
        }
    }

    /// The turn of one chunk.
    fn pass(&self, mut turn: MutexGuard<'_, Turn>, apart: Apart<'_>, floor: &Floor<'_>) {
        let Apart {
            chunk,
            records,
            tally,
            lines_before,
            hash,
            is_known,
            ..
        } = apart;
        if !is_known {
            self.proof.add(chunk.offset_bytes(), chunk.bytes(), hash);
        }
        turn.lines_before = lines_before.unwrap_or(turn.lines_before);
        self.decide(&mut turn, chunk, &records);
        turn.next += 1;
        if tally.noise_lines > 0 {
            self.note_noise(chunk, turn.lines_before);
        }
        turn.lines_before += tally.lines;
        let waiting = turn.waiting;
        drop(turn);
        if waiting > 0 {
            floor.next_turn.notify_all();
        }
        self.note(chunk, tally);
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

    /// The engine's turn over one chunk. The screen may read between two records' batches, never in
    /// the middle of a cascade.
    fn decide(&self, turn: &mut Turn, chunk: &Chunk, records: &[(Frame, Record<'_>)]) {
        let lines_before = turn.lines_before;
        let mut cut_at = None;
        let mut failed = None;
        for records in records.chunks(AHEAD) {
            self.let_look();
            let mut history = self.history.write().unwrap_or_else(PoisonError::into_inner);
            let likely = touch(records, &turn.engine, &history);
            let mut recorder = Recorder {
                history: &mut history,
                input: &self.input,
                contract: &self.loaded.contract,
                chunk: (chunk.offset_bytes(), chunk.bytes()),
                buffers: &mut turn.buffers,
                likely: None,
                failed: None,
            };
            for ((frame, record), likely) in records.iter().zip(likely) {
                if recorder.history.last_step().0 >= MOST_STEPS {
                    cut_at = Some(recorder.history.last_record());
                    break;
                }
                let number = recorder.history.append_record(frame.place(lines_before));
                turn.trend.see(record.received_at);
                turn.restarts.see(number, record.received_at);
                recorder.likely = likely;
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
            Order::FromTheEnd | Order::ByPosition => {
                self.bytes_done.fetch_add(length, Ordering::AcqRel)
            }
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
}
