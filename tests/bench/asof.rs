//! How long the questions of one screen take, as of steps all over a capture.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use replayscope::capture::Input;
use replayscope::contract::load;
use replayscope::engine::BaselinePolicy;
use replayscope::history::History;
use replayscope::model::{AggregateId, StepNo, Subject};
use replayscope::session::{Run, workers};

/// Screens that are asked for.
const SCREENS: u32 = 2_000;

/// Steps that a list shows.
const ROWS: u32 = 40;

/// Loads a capture, asks, and prints what it took.
pub(crate) fn report(path: &Path) {
    let loaded = load(None, Some(path)).expect("a contract");
    let input = Input::open(path).expect("a capture");
    let run = Run::new(input, loaded, BaselinePolicy::None);
    run.load(workers());
    let history = run.history();
    let last = history.last_step().0;
    let mut times: Vec<Duration> = (1..=SCREENS)
        .map(|screen| {
            // Multiples of the golden ratio fall evenly, and never in order.
            let share = u64::from(screen).wrapping_mul(0x9e37_79b9) & 0xffff_ffff;
            let at = (u64::from(last) * share) >> 32;
            let at = StepNo(u32::try_from(at).expect("a step") + 1);
            let begun = Instant::now();
            ask(&history, at);
            begun.elapsed()
        })
        .collect();
    times.sort_unstable();
    let at = |per_mille: usize| times.get(times.len() * per_mille / 1000).expect("a time");
    println!(
        "{}: {last} steps, one screen's questions: median {:?}, p99 {:?}, longest {:?}",
        path.display(),
        at(500),
        at(990),
        at(999)
    );
}

/// What a screen at a step asks: the rows of the list, the counts, the evidence before and after,
/// the aggregate of the step with its neighbours, its receipts, and why it waits.
fn ask(history: &History, at: StepNo) {
    for row in 0..ROWS {
        let number = StepNo((at.0 + row).saturating_sub(ROWS / 2).max(1));
        if let Some(step) = history.step(number) {
            black_box(history.subject_name(step.subject));
            black_box(history.evidence_status(number, at));
            black_box(history.place(step.record));
        }
    }
    black_box(history.state_counts(at));
    black_box(history.evidence_counts(at));
    black_box(history.next_open_evidence(at, history.last_step()));
    black_box(history.previous_open_evidence(at, at));
    let receipts = history.receipt_count(at);
    for index in receipts.saturating_sub(20)..receipts {
        black_box(history.receipt(index));
    }
    if let Some(Subject::Aggregate(id)) = history.step(at).map(|step| step.subject) {
        ask_of(history, id, at);
    }
}

fn ask_of(history: &History, id: AggregateId, at: StepNo) {
    let name = history.name_of(id);
    for forward in [false, true] {
        black_box(history.neighbour(name, Some(id), at, forward));
    }
    black_box(history.neighbours_until(name, Some(id), at));
    black_box(history.projection(id, at));
    black_box(history.waiting_since(id, at));
    black_box(history.deferred_count(id, at, 1_000));
    black_box(history.version_conflict(id, at));
    black_box(history.receipt_count_of(id, at));
    black_box(history.released_by(at).count());
}
