//! The life of a case: begun at the first mark, found again, undone, stale, verified, saved elsewhere.

use std::path::Path;
use std::sync::Arc;

use replayscope::model::{Kind, RecordNo, State};
use replayscope::review::{
    Act, Anchor, AnchorKey, Case, CasePlace, Condition, Digest, Disk, Disposition, EntryError,
    EntryNo, Extent, MissingAnchor, Notice, ReadOnly, SaveAsError, Store, Trouble, verify,
};

use super::common::{ANNA, BORIS, Capture, is_saved, missing, open};
use super::disk::{Plan, SimDisk};

const PATH: &str = "orders.jsonl.case.jsonl";

fn begin(disk: &SimDisk, capture: &Capture) -> Case {
    open(&disk.store(), Path::new(PATH), capture)
}

fn mark(case: &mut Case, anchor: Anchor, disposition: Disposition) -> EntryNo {
    case.mark(anchor, disposition, "a note", ANNA)
        .unwrap()
        .entry()
}

#[test]
fn a_mark_is_there_again_at_the_next_opening() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(PATH);
    let store: Arc<dyn Store> = Arc::new(Disk);
    let capture = Capture::of(2);
    let mut case = open(&store, &path, &capture);
    assert_eq!(case.banner(), None);
    assert!(!path.exists(), "opening leaves nothing behind");
    let anchor = capture.anchor(2, Kind::Replay);
    let note = "line 1\nline 2 \u{202e}\u{1b}[31m \"quoted\" \u{0}";
    let outcome = case.mark(
        anchor.clone(),
        Disposition::NeedsContractChange,
        note,
        BORIS,
    );
    assert!(is_saved(outcome.unwrap()));
    let head = case.head();
    drop(case);

    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let modified = std::fs::metadata(&path).unwrap().modified().unwrap();
    let case = open(&store, &path, &capture);
    let mark = case.book().mark_of(RecordNo(2), true).unwrap();
    assert_eq!((&mark.anchor, mark.note.as_str()), (&anchor, note));
    assert_eq!(mark.operator, "борис");
    assert_eq!(mark.time, BORIS.time);
    assert!(!mark.stale.is_stale());
    assert_eq!(case.book().mark_of(RecordNo(2), false), None);
    assert_eq!(case.head(), head);
    drop(case);
    let now = std::fs::metadata(&path).unwrap().modified().unwrap();
    assert_eq!(now, modified, "looking changes nothing");
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 2, "a note stays on its line");
}

#[test]
fn undo_takes_back_the_last_mark_of_the_session_then_of_the_operator() {
    let disk = SimDisk::new();
    let capture = Capture::of(3);
    let mut case = begin(&disk, &capture);
    let anchor = |record| capture.anchor(record, Kind::Delivery);
    let first = mark(&mut case, anchor(1), Disposition::ManualReview);
    case.mark(anchor(2), Disposition::Explained, "", BORIS)
        .unwrap();
    drop(case);

    let mut case = begin(&disk, &capture);
    let again = mark(&mut case, anchor(1), Disposition::AcceptedAsIs);
    let of_record = |case: &Case| {
        case.book()
            .mark_of(RecordNo(1), false)
            .map(|mark| mark.entry)
    };
    assert_eq!(case.book().marks().count(), 2, "one for each evidence");
    assert_eq!(of_record(&case), Some(again));
    case.undo(BORIS).unwrap();
    assert_eq!(
        of_record(&case),
        Some(first),
        "what was there before is back"
    );
    case.undo(ANNA).unwrap();
    assert_eq!(of_record(&case), None);
    assert_eq!(case.undo(ANNA), Err(EntryError::NothingToUndo));
    assert_eq!(case.unmark(first, ANNA), Err(EntryError::NotMarked(first)));
    drop(case);
    let case = begin(&disk, &capture);
    let left: Vec<_> = case.book().marks().map(|mark| mark.entry).collect();
    assert_eq!(left, [EntryNo(2)]);
}

#[test]
fn a_mark_closes_only_what_it_was_made_on() {
    let disk = SimDisk::new();
    let capture = Capture::of(2);
    let mut case = begin(&disk, &capture);
    let anchor = capture.anchor(1, Kind::Delivery);
    mark(&mut case, anchor.clone(), Disposition::ManualReview);
    let closes = |case: &Case, state, reason| case.book().closes(RecordNo(1), false, state, reason);
    assert!(!closes(&case, State::SameVersionRejected, None));
    mark(&mut case, anchor, Disposition::Explained);
    assert!(closes(&case, State::SameVersionRejected, None));
    assert!(!closes(&case, State::Rejected, Some("missing-id")));
    assert!(
        !case
            .book()
            .closes(RecordNo(1), true, State::SameVersionRejected, None)
    );
}

#[test]
fn missing_versions_comments_and_the_closing() {
    let disk = SimDisk::new();
    let capture = Capture::of(1);
    let mut case = begin(&disk, &capture);
    let Anchor::Missing(wanted) = missing(2) else {
        unreachable!("it is one");
    };
    mark(&mut case, missing(2), Disposition::NeedsOwnerDecision);
    assert!(case.book().mark_of_missing(&wanted).is_some());
    let other = MissingAnchor {
        version: 3,
        ..wanted
    };
    assert!(case.book().mark_of_missing(&other).is_none());
    let note = "asked the owner".to_owned();
    case.add(missing(2), Act::Comment { note }, BORIS).unwrap();
    let note = String::new();
    case.add(Anchor::Capture, Act::Closed { open: 1, note }, ANNA)
        .unwrap();
    drop(case);
    let mut case = begin(&disk, &capture);
    assert!(case.book().is_closed());
    let key = missing(2).key();
    assert_eq!(case.book().comments(&key).count(), 1);
    assert_eq!(case.book().comments(&AnchorKey::Capture).count(), 0);
    mark(&mut case, missing(5), Disposition::ManualReview);
    assert!(!case.book().is_closed(), "a new mark opens it again");
}

#[test]
fn marks_of_another_capture_or_contract_are_flagged_and_never_moved() {
    let disk = SimDisk::new();
    let before = Capture::of(2);
    let mut case = begin(&disk, &before);
    for record in [1, 2] {
        mark(
            &mut case,
            before.anchor(record, Kind::Delivery),
            Disposition::Explained,
        );
    }
    drop(case);

    // Record 2 is another one now, and a third has come.
    let after = Capture(b"{\"n\":1}\n{\"n\":7}\n{\"n\":3}\n".to_vec());
    let mut case = begin(&disk, &after);
    let name = "orders.jsonl".to_owned();
    assert_eq!(case.notices(), [Notice::OtherCapture { name }]);
    assert_eq!(*case.condition(), Condition::Saving);
    assert_eq!(case.book().stale_count(), 2);
    let closes = |case: &Case, record| {
        let state = State::SameVersionRejected;
        case.book().closes(RecordNo(record), false, state, None)
    };
    assert!(!closes(&case, 1), "nobody has looked at its bytes");
    case.compare(&mut after.clone());
    assert!(closes(&case, 1), "the same bytes in the same place");
    assert!(!closes(&case, 2), "other bytes");
    let stale = |case: &Case, record| case.book().mark_of(RecordNo(record), false).unwrap().stale;
    assert!(stale(&case, 1).is_stale() && stale(&case, 2).is_stale());
    assert_eq!(stale(&case, 2).bytes_differ, Some(true));

    // What is marked now is marked on what is read now, and stays so.
    mark(
        &mut case,
        after.anchor(3, Kind::Delivery),
        Disposition::Explained,
    );
    assert!(!stale(&case, 3).is_stale());
    drop(case);
    let case = begin(&disk, &after);
    assert!(!stale(&case, 3).is_stale());
    assert!(stale(&case, 1).is_stale());
    drop(case);

    let mut identity = before.identity();
    identity.contract_sha256 = Digest::of(b"another contract");
    let place = Some(CasePlace::at(PATH));
    let case = Case::open(disk.store(), place, Some(identity), "anna");
    let name = "consistency".to_owned();
    assert_eq!(case.notices(), [Notice::OtherContract { name }]);
    assert!(stale(&case, 1).contract_differs && !stale(&case, 1).capture_differs);
    assert!(stale(&case, 3).capture_differs);
}

#[test]
fn verifying_names_what_differs() {
    let disk = SimDisk::new();
    let capture = Capture::of(2);
    let mut case = begin(&disk, &capture);
    mark(
        &mut case,
        capture.anchor(2, Kind::Delivery),
        Disposition::Explained,
    );
    let head = case.head();
    drop(case);
    let bytes = disk.bytes(PATH).unwrap();
    let proven = verify(bytes.clone(), &capture.identity(), &mut capture.clone());
    assert!(proven.proven);
    assert_eq!((proven.head, proven.entries), (head, 1));

    let mut changed = Capture(b"{\"n\":1}\n{\"n\":7}\n".to_vec());
    let verdict = verify(bytes.clone(), &changed.identity(), &mut changed);
    assert!(!verdict.proven);
    assert_eq!(verdict.differences.len(), 3, "{:?}", verdict.differences);
    assert_eq!(
        verdict.differences[2],
        "entry 1: r2 is not the 7 bytes at 8 that were marked"
    );

    let mut packed = capture.identity();
    packed.stored = Extent::of(b"the same, compressed");
    packed.contract_sha256 = Digest::of(b"another contract");
    let verdict = verify(bytes, &packed, &mut capture.clone());
    assert_eq!(verdict.differences.len(), 2, "{:?}", verdict.differences);
    assert!(verdict.differences[0].starts_with("the capture as stored: 20 bytes"));
    assert!(verdict.differences[1].starts_with("the contract consistency"));
}

#[test]
fn a_folder_that_cannot_be_written_to_keeps_marks_in_memory_and_says_so() {
    let disk = SimDisk::new();
    let capture = Capture::of(1);
    disk.plan(Plan::ReadOnly);
    let mut case = begin(&disk, &capture);
    mark(&mut case, missing(1), Disposition::Explained);
    assert_eq!(case.book().marks().count(), 1);
    assert_eq!(
        case.banner().unwrap(),
        "not saved: the case file cannot be made (read-only filesystem or storage medium); \
         1 entry is only in memory, :w FILE saves"
    );
    disk.plan(Plan::Well);
    mark(&mut case, missing(2), Disposition::Explained);
    assert_eq!(case.banner(), None);
    drop(case);

    disk.plan(Plan::ReadOnly);
    let mut case = begin(&disk, &capture);
    assert_eq!(case.book().marks().count(), 2, "it can be read");
    assert!(matches!(
        case.condition(),
        Condition::MemoryOnly(Trouble::CannotWrite(_))
    ));
    mark(&mut case, missing(3), Disposition::Explained);
    assert!(case.banner().is_some());
    disk.plan(Plan::Well);
    assert!(case.retry(), "the folder can be written to again");
    drop(case);
    assert_eq!(begin(&disk, &capture).book().marks().count(), 3);
}

#[test]
fn real_places_where_nothing_can_be_made() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a-file");
    std::fs::write(&file, "").unwrap();
    let store: Arc<dyn Store> = Arc::new(Disk);
    let capture = Capture::of(1);
    let mut paths = vec![
        file.join("case"),
        folder.path().join("no/such/folder/case"),
        folder.path().to_owned(),
    ];
    if Path::new("/dev/full").exists() {
        paths.push("/dev/full".into());
    }
    for path in paths {
        let mut case = open(&store, &path, &capture);
        mark(&mut case, missing(1), Disposition::Explained);
        assert!(matches!(case.condition(), Condition::MemoryOnly(_)));
        assert!(case.banner().unwrap().contains("1 entry is only in memory"));
    }
}

#[test]
fn a_folder_of_ones_own_is_made_with_the_first_mark() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("state/replayscope/walkthrough.case.jsonl");
    let place = CasePlace {
        path: path.clone(),
        may_make_folder: true,
    };
    let capture = Capture::of(1);
    let open = || {
        let identity = Some(capture.identity());
        Case::open(Arc::new(Disk), Some(place.clone()), identity, "anna")
    };
    let mut case = open();
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
    mark(&mut case, missing(1), Disposition::Explained);
    assert_eq!(case.banner(), None);
    drop(case);
    assert_eq!(open().book().marks().count(), 1);
}

#[test]
fn without_a_file_marks_are_kept_until_they_are_saved_somewhere() {
    let disk = SimDisk::new();
    let capture = Capture::of(1);
    let mut case = Case::open(disk.store(), None, Some(capture.identity()), "anna");
    assert_eq!(
        case.banner().unwrap(),
        "not saved: there is no case file; new marks stay in memory, :w FILE saves"
    );
    mark(&mut case, missing(1), Disposition::Explained);
    mark(&mut case, missing(2), Disposition::Explained);
    disk.put("taken", b"mine");
    let refused = case.save_as(Path::new("taken"));
    assert!(matches!(refused, Err(SaveAsError::Exists(_))));
    assert_eq!(disk.bytes("taken").unwrap(), b"mine");
    case.save_as(Path::new("free")).unwrap();
    assert_eq!(case.banner(), None);
    mark(&mut case, missing(3), Disposition::Explained);
    case.save_as(Path::new("copy")).unwrap();
    assert_eq!(case.path(), Some(Path::new("free")), "a copy is a copy");
    drop(case);
    for path in ["free", "copy"] {
        let case = open(&disk.store(), Path::new(path), &capture);
        assert_eq!(case.book().marks().count(), 3);
    }
    assert_eq!(disk.bytes("free"), disk.bytes("copy"));
}

#[test]
fn marks_made_before_the_capture_is_read_are_saved_when_it_is() {
    let disk = SimDisk::new();
    let capture = Capture::of(1);
    let place = || Some(CasePlace::at(PATH));
    let mut case = Case::open(disk.store(), place(), None, "anna");
    assert_eq!(case.banner(), None);
    mark(&mut case, missing(1), Disposition::Explained);
    assert_eq!(
        case.banner().unwrap(),
        "not saved yet: the capture is not read to its end; 1 entry is only in memory, \
         :w FILE saves"
    );
    let refused = case.save_as(Path::new("elsewhere"));
    assert!(matches!(refused, Err(SaveAsError::NotIdentified)));
    assert_eq!(disk.names().len(), 0);
    case.identify(capture.identity());
    assert_eq!(case.banner(), None);
    drop(case);
    let case = begin(&disk, &capture);
    assert_eq!(case.book().stale_count(), 0);
    assert_eq!(case.book().marks().count(), 1);
}

#[test]
fn several_are_marked_in_one_save_or_none() {
    let disk = SimDisk::new();
    let capture = Capture::of(3);
    let mut case = begin(&disk, &capture);
    let anchors = || (1..=3).map(|record| capture.anchor(record, Kind::Delivery));
    let long = "x".repeat(20_000);
    let refused = case.mark_all(anchors().collect(), Disposition::Explained, &long, ANNA);
    assert_eq!(refused, Err(EntryError::NoteTooLong { bytes: 20_000 }));
    assert_eq!(case.book().entries().len(), 0);
    let outcomes = case
        .mark_all(anchors().collect(), Disposition::Explained, "", ANNA)
        .unwrap();
    assert!(outcomes.into_iter().all(is_saved));
    drop(case);
    assert_eq!(begin(&disk, &capture).book().marks().count(), 3);
}

/// What a later version may write: the same chain, in lines of its own.
fn line(body: &str) -> String {
    format!("{body},\"sum\":\"{}\"}}\n", Digest::of(body.as_bytes()))
}

#[test]
fn what_a_newer_version_wrote_is_opened_read_only() {
    let capture = Capture::of(1);
    let disk = SimDisk::new();
    let mut case = begin(&disk, &capture);
    mark(&mut case, missing(1), Disposition::Explained);
    let head = case.head().unwrap();
    drop(case);
    let mut bytes = disk.bytes(PATH).unwrap();
    let body = format!("{{\"entry\":2,\"kind\":\"vote\",\"saved\":1,\"prev\":\"{head}\"");
    bytes.extend_from_slice(line(&body).as_bytes());
    let newer = line("{\"replayscope-case\":2,\"tool\":\"9.0.0\"");
    let files = [
        (bytes, ReadOnly::Unknown { entries: 1 }, 1),
        (newer.into_bytes(), ReadOnly::Newer { format: 2 }, 0),
    ];
    for (bytes, why, marks) in files {
        let disk = SimDisk::new();
        disk.put(PATH, &bytes);
        let mut case = begin(&disk, &capture);
        assert_eq!(*case.condition(), Condition::ReadOnly(why));
        assert_eq!(case.book().marks().count(), marks);
        let entry = mark(&mut case, missing(2), Disposition::Explained);
        assert!(!case.book().is_saved(entry));
        assert_eq!(disk.bytes(PATH).unwrap(), bytes);
    }
}
