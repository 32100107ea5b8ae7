//! Power cuts at every point of every operation, every operation failing once, and both together:
//! afterwards the old or the new state is there, never neither, and nobody was told otherwise.

use std::path::Path;

use replayscope::model::Kind;
use replayscope::review::operator::{remember, remembered};
use replayscope::review::{
    Act, Anchor, Case, Condition, Disposition, Entry, EntryError, Notice, Outcome, verify,
};

use super::common::{ANNA, Capture, is_saved, missing, open};
use super::disk::{Plan, SimDisk};

const PATH: &str = "orders.jsonl.case.jsonl";
const COPY: &str = "copy.case.jsonl";

/// What the program has promised, and what it had in hand beyond that.
#[derive(Default)]
struct Promises {
    acknowledged: Vec<Entry>,
    /// Every list of entries that a save was tried with, and could have left behind.
    in_hand: Vec<Vec<Entry>>,
}

impl Promises {
    /// After an operation: a promise was only ever added to, and what was not promised was said.
    fn note(&mut self, case: &Case, outcome: Option<Outcome>) {
        let (saved, unsaved): (Vec<_>, Vec<_>) = case
            .book()
            .entries()
            .iter()
            .cloned()
            .partition(|entry| case.book().is_saved(entry.number));
        assert_eq!(unsaved.len(), case.unsaved());
        let all_is_well = unsaved.is_empty() && *case.condition() == Condition::Saving;
        assert_eq!(case.banner().is_none(), all_is_well);
        if let Some(outcome) = outcome {
            assert_eq!(is_saved(outcome), case.book().is_saved(outcome.entry()));
        }
        if saved.len() >= self.acknowledged.len() {
            assert!(saved.starts_with(&self.acknowledged), "a promise was lost");
            self.acknowledged = saved;
        } else {
            // The file could not be read this time; nothing of it may be claimed or harmed.
            assert_ne!(*case.condition(), Condition::Saving);
        }
        self.in_hand.push(case.book().entries().to_vec());
    }

    /// What was acknowledged is there, and beyond it at most what was in hand, in order.
    fn hold_in(&self, entries: &[Entry]) {
        assert!(entries.starts_with(&self.acknowledged), "a mark was lost");
        let is_in_hand = |tried: &Vec<Entry>| tried.starts_with(entries);
        assert!(
            entries.is_empty() || self.in_hand.iter().any(is_in_hand),
            "a mark out of nowhere"
        );
    }
}

/// A working day: a case is begun, marked, undone, closed, opened again and gone on with.
fn work(disk: &SimDisk, capture: &Capture) -> Promises {
    let store = disk.store();
    let mut promises = Promises::default();
    let path = Path::new(PATH);
    let mut case = open(&store, path, capture);
    let delivery = capture.anchor(1, Kind::Delivery);
    let replay = capture.anchor(1, Kind::Replay);
    let mut made = 0;
    let mut step = |case: &mut Case, result: Result<Outcome, EntryError>| {
        promises.note(case, Some(result.unwrap()));
        made += 1;
        assert_eq!(case.book().entries().len(), made, "kept in memory");
    };
    let outcome = case.mark(delivery, Disposition::ManualReview, "why?", ANNA);
    step(&mut case, outcome);
    let outcome = case.mark(missing(2), Disposition::NeedsOwnerDecision, "lost", ANNA);
    step(&mut case, outcome);
    let outcome = case.undo(ANNA);
    step(&mut case, outcome);
    drop(case);

    let mut case = open(&store, path, capture);
    promises.note(&case, None);
    let outcome = case.mark(replay, Disposition::Explained, "the first", ANNA);
    promises.note(&case, outcome.ok());
    let note = "done".to_owned();
    let outcome = case.add(Anchor::Capture, Act::Closed { open: 1, note }, ANNA);
    promises.note(&case, outcome.ok());
    case.retry();
    promises.note(&case, None);
    promises
}

/// Opens what is left and goes on: everything promised is there, a new mark is saved, and the chain
/// holds from the first line to the last.
fn recover(disk: &SimDisk, capture: &Capture, promises: &Promises) {
    let path = Path::new(PATH);
    let mut case = open(&disk.store(), path, capture);
    assert_eq!(*case.condition(), Condition::Saving, "{:?}", case.notices());
    promises.hold_in(case.book().entries());
    let outcome = case.mark(missing(9), Disposition::ManualReview, "after", ANNA);
    assert!(is_saved(outcome.unwrap()));
    let entries = case.book().entries().to_vec();
    drop(case);

    let disk = disk.after_power_cut(0, 0, false);
    let case = open(&disk.store(), path, capture);
    assert_eq!(case.book().entries(), entries);
    assert_eq!(case.notices(), []);
    let verdict = verify(
        disk.bytes(PATH).unwrap(),
        &capture.identity(),
        &mut capture.clone(),
    );
    assert_eq!(verdict.differences, Vec::<String>::new());
}

fn operations_of_work(capture: &Capture) -> usize {
    let disk = SimDisk::new();
    let promises = work(&disk, capture);
    assert_eq!(promises.acknowledged.len(), 5);
    disk.operations()
}

#[test]
fn a_power_cut_anywhere_leaves_the_old_or_the_new_state() {
    let capture = Capture::of(1);
    let mut torn = 0;
    for cut in 0..=operations_of_work(&capture) {
        let disk = SimDisk::new();
        disk.plan(Plan::CutAt(cut));
        let promises = work(&disk, &capture);
        let (bytes, names) = disk.at_risk();
        for kept_names in 0..=names {
            for kept_bytes in 0..=bytes {
                let left = disk.after_power_cut(kept_bytes, kept_names, false);
                let case = open(&left.store(), Path::new(PATH), &capture);
                let is_torn = |notice: &Notice| matches!(notice, Notice::TornLine { .. });
                torn += usize::from(case.notices().iter().any(is_torn));
                drop(case);
                recover(&left, &capture, &promises);
            }
            recover(
                &disk.after_power_cut(0, kept_names, true),
                &capture,
                &promises,
            );
        }
    }
    assert!(torn > 1000, "lines were torn at every byte: {torn}");
}

#[test]
fn what_a_killed_program_left_is_on_the_disk_before_it_is_shown_as_saved() {
    let capture = Capture::of(1);
    for cut in 0..=operations_of_work(&capture) {
        let disk = SimDisk::new();
        disk.plan(Plan::CutAt(cut));
        let promises = work(&disk, &capture);
        let killed = disk.after_kill();
        let case = open(&killed.store(), Path::new(PATH), &capture);
        promises.hold_in(case.book().entries());
        let shown = Promises {
            acknowledged: case.book().entries().to_vec(),
            in_hand: vec![case.book().entries().to_vec()],
        };
        recover(&killed.after_power_cut(0, 0, false), &capture, &shown);
    }
}

#[test]
fn any_operation_may_fail_once() {
    let capture = Capture::of(1);
    let mut unsaved = 0;
    for fail in 0..operations_of_work(&capture) {
        for quarters in [0, 1, 2, 3, 4] {
            let disk = SimDisk::new();
            disk.plan(Plan::FailAt(fail, quarters));
            let promises = work(&disk, &capture);
            unsaved += usize::from(promises.acknowledged.len() < 5);
            disk.plan(Plan::Well);
            recover(&disk.after_kill(), &capture, &promises);
            for kept in [0, 1, 300, 100_000] {
                let left = disk.after_power_cut(kept, kept, false);
                recover(&left, &capture, &promises);
            }
        }
    }
    assert!(unsaved > 0, "some failures cannot be made good by a retry");
}

#[test]
fn the_power_is_cut_after_something_failed() {
    let capture = Capture::of(1);
    let operations = operations_of_work(&capture);
    for fail in 0..operations {
        for cut in fail + 1..operations + 4 {
            let disk = SimDisk::new();
            disk.plan(Plan::FailThenCut(fail, cut));
            let promises = work(&disk, &capture);
            for kept in [0, 1, 400, 100_000] {
                let left = disk.after_power_cut(kept, kept, false);
                recover(&left, &capture, &promises);
            }
        }
    }
}

#[test]
fn a_failed_write_is_made_good_by_the_next_mark() {
    let capture = Capture::of(3);
    let disk = SimDisk::new();
    let path = Path::new(PATH);
    let mut case = open(&disk.store(), path, &capture);
    let marked = |case: &mut Case, record| {
        let anchor = capture.anchor(record, Kind::Delivery);
        case.mark(anchor, Disposition::Explained, "", ANNA).unwrap()
    };
    assert!(is_saved(marked(&mut case, 1)));
    disk.plan(Plan::Full);
    let outcome = marked(&mut case, 2);
    assert!(!is_saved(outcome));
    assert_eq!(
        case.banner().unwrap(),
        "not saved: the case file cannot be written (no storage space); \
         1 entry is only in memory, :w FILE saves"
    );
    disk.plan(Plan::Well);
    assert!(is_saved(marked(&mut case, 3)));
    assert_eq!(case.banner(), None);
    assert!(case.book().is_saved(outcome.entry()));
    recover(
        &disk.after_power_cut(0, 0, false),
        &capture,
        &Promises {
            acknowledged: case.book().entries().to_vec(),
            in_hand: vec![case.book().entries().to_vec()],
        },
    );
}

#[test]
fn a_capture_that_grows_between_two_tries_leaves_the_first_line_as_it_was_tried() {
    let (short, long) = (Capture::of(1), Capture::of(9));
    let begin = |plan| {
        let disk = SimDisk::new();
        let mut case = open(&disk.store(), Path::new(PATH), &short);
        disk.plan(Plan::Full);
        let anchor = short.anchor(1, Kind::Delivery);
        case.mark(anchor, Disposition::Explained, "first", ANNA)
            .unwrap();
        // The file's operations are: is it there, its size, a write, a sync. This time the folder's
        // sync behind them fails, so that the bytes last and nothing is acknowledged.
        let operations = disk.operations();
        disk.plan(Plan::FailAt(operations + 4, 0));
        assert!(!case.retry());
        disk.plan(plan);
        case.identify(long.identity());
        (disk, case)
    };
    let (disk, case) = begin(Plan::Well);
    assert_eq!(case.banner(), None);
    let operations = disk.operations();
    drop(case);
    for cut in 0..operations {
        let (disk, case) = begin(Plan::CutAt(cut));
        let promises = Promises {
            acknowledged: Vec::new(),
            in_hand: vec![case.book().entries().to_vec()],
        };
        drop(case);
        for kept in 0..=disk.at_risk().0 {
            let left = disk.after_power_cut(kept, 9, false);
            let case = open(&left.store(), Path::new(PATH), &short);
            assert_eq!(*case.condition(), Condition::Saving);
            promises.hold_in(case.book().entries());
        }
    }
}

#[test]
fn saving_elsewhere_gives_the_whole_case_or_nothing() {
    let capture = Capture::of(1);
    let begin = || {
        let disk = SimDisk::new();
        disk.plan(Plan::ReadOnly);
        let mut case = open(&disk.store(), Path::new(PATH), &capture);
        let anchor = capture.anchor(1, Kind::Delivery);
        let outcome = case.mark(anchor, Disposition::Explained, "note", ANNA);
        assert!(!is_saved(outcome.unwrap()));
        disk.plan(Plan::Well);
        (disk, case)
    };
    let (disk, mut case) = begin();
    let before = disk.operations();
    case.save_as(Path::new(COPY)).unwrap();
    let after = disk.operations();
    for at in before..after {
        for plan in [Plan::CutAt(at), Plan::FailAt(at, 2)] {
            let (disk, mut case) = begin();
            disk.plan(plan);
            let saved = case.save_as(Path::new(COPY));
            let (bytes, names) = disk.at_risk();
            for kept_names in 0..=names {
                for kept_bytes in [0, 1, bytes / 2, bytes] {
                    let left = disk.after_power_cut(kept_bytes, kept_names, false);
                    let found = open(&left.store(), Path::new(COPY), &capture);
                    let count = found.book().entries().len();
                    assert_eq!(*found.condition(), Condition::Saving);
                    assert!(count == 1 || saved.is_err(), "{plan:?}");
                }
            }
            if saved.is_err() {
                assert!(case.banner().is_some());
                assert_eq!(case.book().marks().count(), 1);
            }
        }
    }
}

#[test]
fn the_operators_name_is_the_old_or_the_new_one() {
    let path = Path::new("config/operator");
    let begin = || {
        let disk = SimDisk::new();
        remember(&disk, path, "anna").unwrap();
        disk
    };
    let disk = begin();
    let before = disk.operations();
    remember(&disk, path, "boris").unwrap();
    for at in before..disk.operations() {
        for plan in [Plan::CutAt(at), Plan::FailAt(at, 2)] {
            let disk = begin();
            disk.plan(plan);
            let result = remember(&disk, path, "boris");
            let (bytes, names) = disk.at_risk();
            for kept_names in 0..=names {
                for kept_bytes in 0..=bytes {
                    let left = disk.after_power_cut(kept_bytes, kept_names, false);
                    let name = remembered(&left, path).expect("never neither");
                    assert!(name == "boris" || (name == "anna" && result.is_err()));
                }
            }
        }
    }
}
