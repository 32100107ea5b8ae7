//! Two windows on one case never overwrite each other, and a file that was swapped is not written.

use std::path::Path;
use std::sync::Arc;

use replayscope::model::Kind;
use replayscope::review::{Case, Condition, Disk, Disposition, Holder, ReadOnly, Store, Trouble};

use super::common::{ANNA, BORIS, Capture, is_saved, missing, open};
use super::disk::{Plan, SimDisk};

fn mark(case: &mut Case, version: u64) -> bool {
    let outcome = case.mark(missing(version), Disposition::ManualReview, "", ANNA);
    is_saved(outcome.unwrap())
}

#[test]
fn a_second_window_reads_and_says_who_holds_the_case() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("orders.jsonl.case.jsonl");
    let store: Arc<dyn Store> = Arc::new(Disk);
    let capture = Capture::of(1);
    let mut first = open(&store, &path, &capture);
    assert!(mark(&mut first, 1));

    let mut second = open(&store, &path, &capture);
    let holder = Holder {
        operator: "anna".into(),
        pid: std::process::id(),
    };
    assert_eq!(
        *second.condition(),
        Condition::ReadOnly(ReadOnly::Held(Some(holder)))
    );
    assert_eq!(second.book().marks().count(), 1);
    let before = std::fs::read(&path).unwrap();
    assert!(!mark(&mut second, 2));
    assert!(second.banner().unwrap().contains("anna (process"));
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert!(mark(&mut first, 3));

    let copy = folder.path().join("second.case.jsonl");
    second.save_as(&copy).unwrap();
    assert!(mark(&mut second, 4), "it goes on in its own file");
    drop((first, second));
    assert_eq!(open(&store, &path, &capture).book().marks().count(), 2);
    assert_eq!(open(&store, &copy, &capture).book().marks().count(), 3);
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 2, "no lock notes, no passing names");
}

#[test]
fn a_second_window_goes_on_once_the_first_has_closed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("orders.jsonl.case.jsonl");
    let store: Arc<dyn Store> = Arc::new(Disk);
    let capture = Capture::of(1);
    let mut first = open(&store, &path, &capture);
    assert!(mark(&mut first, 1));
    let mut second = open(&store, &path, &capture);
    assert!(mark(&mut first, 2));
    drop(first);
    assert!(mark(&mut second, 3), "the first window is gone");
    assert_eq!(second.banner(), None);
    drop(second);
    assert_eq!(open(&store, &path, &capture).book().marks().count(), 3);
}

#[test]
fn two_windows_that_both_opened_before_there_was_a_case() {
    let disk = SimDisk::new();
    let path = Path::new("case");
    let capture = Capture::of(1);
    let mut first = open(&disk.store(), path, &capture);
    let mut second = open(&disk.store(), path, &capture);
    assert_eq!(disk.names().len(), 0, "opening leaves nothing behind");
    assert!(mark(&mut first, 1));
    assert!(!mark(&mut second, 2));
    assert!(matches!(
        second.condition(),
        Condition::ReadOnly(ReadOnly::Held(_))
    ));
    drop(first);
    // The next one to open goes on with what the first one saved.
    let mut third = open(&disk.store(), Path::new("case"), &capture);
    assert!(mark(&mut third, 3));
    assert_eq!(third.book().marks().count(), 2);
}

#[test]
fn a_window_that_waited_goes_on_with_what_the_other_one_began() {
    let disk = SimDisk::new();
    let path = Path::new("case");
    let capture = Capture::of(1);
    let mut early = open(&disk.store(), path, &capture);
    let mut other = open(&disk.store(), path, &capture);
    assert!(mark(&mut other, 1));
    drop(other);
    assert!(mark(&mut early, 2));
    assert_eq!(early.book().marks().count(), 2);
}

#[test]
fn what_another_began_meanwhile_is_not_continued_blindly() {
    let disk = SimDisk::new();
    let path = Path::new("case");
    let capture = Capture::of(1);
    disk.plan(Plan::ReadOnly);
    let mut early = open(&disk.store(), path, &capture);
    assert!(!mark(&mut early, 1));
    disk.plan(Plan::Well);
    let mut other = open(&disk.store(), path, &capture);
    assert!(mark(&mut other, 2));
    drop(other);
    let before = disk.bytes("case");
    assert!(!mark(&mut early, 3));
    assert_eq!(
        *early.condition(),
        Condition::MemoryOnly(Trouble::ChangedOutside)
    );
    assert_eq!(disk.bytes("case"), before);
    assert_eq!(early.book().marks().count(), 2);
}

/// Does something to the case at the first path, with the help of a second.
type Change = fn(&Path, &Path);

#[test]
fn a_file_that_was_removed_replaced_or_written_to_past_the_lock_is_left_alone() {
    let capture = Capture::of(1);
    let folder = tempfile::tempdir().unwrap();
    let store: Arc<dyn Store> = Arc::new(Disk);
    let path = folder.path().join("case");
    let other = folder.path().join("other");
    let changes: [(Change, Trouble); 4] = [
        (
            |path, _| std::fs::remove_file(path).unwrap(),
            Trouble::Replaced,
        ),
        (
            |path, other| {
                std::fs::copy(path, other).unwrap();
                std::fs::rename(other, path).unwrap();
            },
            Trouble::Replaced,
        ),
        (
            |path, _| {
                let mut bytes = std::fs::read(path).unwrap();
                bytes.push(b'x');
                std::fs::write(path, bytes).unwrap();
            },
            Trouble::ChangedOutside,
        ),
        (
            |path, _| std::fs::write(path, "").unwrap(),
            Trouble::ChangedOutside,
        ),
    ];
    for (change, trouble) in changes {
        let mut case = open(&store, &path, &capture);
        assert!(mark(&mut case, 1));
        change(&path, &other);
        let before = std::fs::read(&path).ok();
        assert!(!mark(&mut case, 2));
        assert_eq!(*case.condition(), Condition::MemoryOnly(trouble));
        assert_eq!(std::fs::read(&path).ok(), before);
        let elsewhere = folder.path().join("elsewhere");
        case.save_as(&elsewhere).unwrap();
        assert_eq!(open_marks(&store, &elsewhere, &capture, case), 2);
        drop(std::fs::remove_file(&path));
        std::fs::remove_file(&elsewhere).unwrap();
    }
}

fn open_marks(store: &Arc<dyn Store>, path: &Path, capture: &Capture, open_case: Case) -> usize {
    drop(open_case);
    open(store, path, capture).book().marks().count()
}

#[test]
fn without_locks_nothing_is_written() {
    let disk = SimDisk::new();
    disk.plan(Plan::NoLocks);
    let capture = Capture::of(1);
    let mut case = open(&disk.store(), Path::new("case"), &capture);
    let outcome = case.mark(
        capture.anchor(1, Kind::Delivery),
        Disposition::Explained,
        "",
        BORIS,
    );
    assert!(!is_saved(outcome.unwrap()));
    assert!(matches!(
        case.condition(),
        Condition::MemoryOnly(Trouble::CannotLock(_))
    ));
    assert_eq!(disk.bytes("case"), Some(Vec::new()));
}
