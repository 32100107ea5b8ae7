//! Marks: several at once, found again, taken back, stale, and half written.

use std::path::Path;
use std::sync::Arc;

use replayscope::app::{MarkNews, MarkTarget, Message};
use replayscope::review::{Case, CaseBook, CasePlace, Digest, Disk, Extent, Identity, Signature};

use super::desk::{Opening, Person};

fn walkthrough() -> Person {
    Person::opens(&Opening::walkthrough(80, 24))
}

#[test]
fn several_steps_are_selected_and_marked_at_once() {
    let mut person = walkthrough();
    person.presses(":2\nv..");
    assert!(person.sees_line("3 selected"), "{}", person.sees());
    person.presses("v");
    assert!(
        person.sees_line("3 selected; v selects more"),
        "{}",
        person.sees()
    );
    person.presses("...v.");
    assert!(person.sees_line(", 5 selected"), "{}", person.sees());
    insta::assert_snapshot!("selection_80x24", person.sees());
    person.presses("m↓↓↓↓all alike\tanna\n");
    assert!(person.sees_line("5 marked"), "{}", person.sees());
    assert_eq!(person.book().marks().count(), 5);
    assert!(!person.sees_line("selected"));
    person.presses("v\u{1b}");
    assert!(person.sees_line("nothing is selected any more"));
}

#[test]
fn marks_are_gone_through_and_shown_alone() {
    let mut person = walkthrough();
    person.presses("'");
    assert!(person.sees_line("nothing is marked yet"));
    // One on a step, and one on a version that never came.
    person.presses(":15\nmone\tanna\n:24\nmnever came\n");
    assert!(person.sees_line("2 marked"), "{}", person.sees());
    person.presses("gg'");
    assert!(person.sees_line("step 16/31") && person.sees_line("marked manual review"));
    person.presses("'");
    assert!(person.sees_line("step 25/31"), "{}", person.sees());
    person.presses("'");
    assert!(person.sees_line("no mark after this"));
    person.presses("\"");
    assert!(person.sees_line("step 16/31"));
    person.presses("M");
    assert!(
        person.sees_line("Steps 2/31, only marked (M)"),
        "{}",
        person.sees()
    );
    assert!(
        person
            .sees()
            .lines()
            .filter(|line| line.contains("[marked]"))
            .count()
            == 2
    );
    person.presses("M");
    assert!(person.sees_line("Steps 31/31"));
    // The bar has a tick, and its legend says what it means.
    person.presses("\u{1b}");
    assert!(person.sees_line("' marked"), "{}", person.sees());
}

#[test]
fn a_mark_changes_what_the_filter_shows() {
    let mut person = walkthrough();
    person.presses("&open\n");
    assert!(person.sees_line("Steps 10/31"), "{}", person.sees());
    person.presses("gg");
    person.presses("m↓↓↓because\tanna\n");
    assert!(person.sees_line("Steps 9/31"), "{}", person.sees());
    person.presses("u");
    assert!(person.sees_line("Steps 10/31"), "{}", person.sees());
    assert!(person.sees_line("taken back: r4 explained, \"because\""));
}

#[test]
fn a_stale_mark_says_so_and_why() {
    let mut person = walkthrough();
    person.presses(":15\nm↓↓↓↓two writers\tanna\n");
    let news = MarkNews {
        book: stale(person.book()),
        ..MarkNews::default()
    };
    person.learns(Message::Marks(Box::new(news)));
    assert!(person.sees_line("[marked, stale]"), "{}", person.sees());
    person.presses("\tz");
    assert!(
        person.sees_line("stale: made under another contract"),
        "{}",
        person.sees()
    );
}

/// The same marks, read under another contract.
fn stale(book: &CaseBook) -> CaseBook {
    let mut case = Case::open(Arc::new(Disk), None, Some(identity(b"old")), "");
    add_all(&mut case, book);
    case.identify(identity(b"new"));
    case.book().clone()
}

/// The same marks, as a case file of an earlier session holds them.
fn stored(book: &CaseBook, path: &Path) -> CaseBook {
    let open = || {
        let place = Some(CasePlace::at(path));
        Case::open(Arc::new(Disk), place, Some(identity(b"c")), "")
    };
    add_all(&mut open(), book);
    open().book().clone()
}

fn identity(contract: &[u8]) -> Identity {
    let extent = Extent {
        bytes: 1,
        sha256: Digest::of(b"o"),
    };
    Identity {
        tool: String::new(),
        engine: String::new(),
        capture_name: "o".to_owned(),
        stored: extent,
        decompressed: extent,
        contract_name: "c".to_owned(),
        contract_sha256: Digest::of(contract),
    }
}

fn add_all(case: &mut Case, book: &CaseBook) {
    for entry in book.entries() {
        let signature = Signature {
            operator: &entry.operator,
            time: &entry.time,
        };
        case.add(entry.anchor.clone(), entry.act.clone(), signature)
            .unwrap();
    }
}

fn stale_news(person: &Person, is_doubtful: bool) -> Message {
    Message::Marks(Box::new(MarkNews {
        book: person.book().clone(),
        banner: Some("read-only: the chain is broken".to_owned()),
        is_doubtful,
        unsaved: 0,
        answer: None,
    }))
}

#[test]
fn a_case_that_cannot_be_believed_closes_nothing() {
    let mut person = walkthrough();
    person.presses(":15\nm↓↓↓↓two writers\tanna\n");
    assert!(person.sees_line("9 to review"));
    person.learns(stale_news(&person, true));
    assert!(person.sees_line("10 to review"), "{}", person.sees());
    assert!(person.sees_line("the chain is broken"));
    person.learns(stale_news(&person, false));
    assert!(person.sees_line("9 to review"));
}

#[test]
fn bytes_that_changed_are_no_ground_for_a_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("o.jsonl");
    std::fs::write(&path, replayscope::session::WALKTHROUGH).unwrap();
    let mut person = Person::opens_file(&path, &Opening::capture(80, 24));
    person.presses(":12\n");
    assert!(person.sees_line("apply     v2 awaiting-reservation"));
    let other = String::from_utf8_lossy(replayscope::session::WALKTHROUGH)
        .replace("evt-417-2", "evt-417-X");
    std::fs::write(&path, other).unwrap();
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH)
        .unwrap();
    person.learns(Message::Reread);
    insta::assert_snapshot!("changed_bytes_80x24", person.sees());
    assert!(!person.sees_line("evt-417-X"));
    person.presses("yi");
    assert_eq!(person.copied(), None);
    person.presses("R");
    assert!(
        person.sees_line("OTHER BYTES than were decided on"),
        "{}",
        person.sees()
    );
}

#[test]
fn half_written_marks_are_handed_out_and_taken_in() {
    let mut person = walkthrough();
    person.presses(":15\nm↓↓↓half a no");
    let drafts = person.drafts().to_vec();
    assert_eq!(drafts.len(), 1);
    assert_eq!(drafts[0].note, "half a no");
    assert!(matches!(drafts[0].target, MarkTarget::Step(_)));
    // Another session.
    let mut person = walkthrough();
    person.model.restore_drafts(drafts);
    person.presses(":15\nm");
    assert!(
        person.sees_line("> note       half a no"),
        "{}",
        person.sees()
    );
    person.presses("te\tanna\n");
    assert!(person.drafts().is_empty());
}

#[test]
fn a_note_that_begins_with_a_digit_leaves_the_disposition_alone() {
    let mut person = walkthrough();
    person.presses(":15\nm4 mails for one payment");
    assert!(person.sees_line("> note       4 mails for one payment"));
    assert!(person.sees_line("(*) manual review"), "{}", person.sees());
    // One press too many, at either end, stays there and closes nothing by chance.
    person.presses("↑↑");
    assert!(person.sees_line("(*) manual review"));
    person.presses("\tanna\n");
    assert!(person.sees_line("10 to review  1 marked"));
    // Digits choose only where the list has the keys, and says so.
    person.presses(":14\nm");
    assert!(!person.sees_line("1-5"));
    person.presses("⇤");
    assert!(person.sees_line("1-5 choose"), "{}", person.sees());
    person.presses("3");
    assert!(person.sees_line("(*) needs owner's decision"));
}

#[test]
fn a_note_in_the_names_place_follows_nobody() {
    let mut person = walkthrough();
    person.presses(":15\nm\n");
    assert!(person.sees_line("type your name here"));
    assert!(person.sees_line("> your name"), "{}", person.sees());
    person.presses("two writers\u{1b}");
    // Half typed, it is there again with this form, and in no mark.
    person.presses("m");
    assert!(person.sees_line("your name  two writers"));
    person.presses("\t\u{1b}");
    assert_eq!(person.book().marks().count(), 0);
}

#[test]
fn leaving_asks_before_an_unsaved_mark_or_a_half_written_note_is_dropped() {
    let mut person = walkthrough();
    person.presses(":15\nmtwo writers\tanna\n");
    let news = MarkNews {
        book: person.book().clone(),
        unsaved: 1,
        ..MarkNews::default()
    };
    person.learns(Message::Marks(Box::new(news.clone())));
    person.presses("q");
    let asks = "1 mark is not saved: :w FILE saves, q again drops";
    assert!(person.sees_line(asks) && !person.ended, "{}", person.sees());
    // Any other key is no answer.
    person.presses(".q");
    assert!(person.sees_line(asks) && !person.ended);
    person.presses(".\u{3}");
    assert!(person.sees_line("Ctrl-C again drops") && !person.ended);
    person.presses(".:q\n");
    assert!(person.sees_line("q drops") && !person.ended);
    person.learns(Message::Marks(Box::new(MarkNews { unsaved: 0, ..news })));
    // Saved meanwhile; a note that was begun is asked about as well.
    person.presses(".mhalf a no\u{1b}q");
    assert!(person.sees_line("1 note is half written and kept"));
    assert!(!person.ended, "{}", person.sees());
    person.presses("q");
    assert!(person.ended);
}

#[test]
fn undo_says_what_goes_and_asks_for_what_stood_there_before() {
    let mut person = walkthrough();
    person.presses(":15\nm↓↓↓two writers, one of them east of here and both late\tanna\n");
    person.presses("u");
    let said = "taken back: r15 explained, \"two writers, one of them east";
    assert!(person.sees_line(said), "{}", person.sees());
    assert!(person.sees_line("10 to review"));
    // The same mark, found in the case file of an earlier session.
    person.presses("m↓↓↓two writers\n");
    let folder = tempfile::tempdir().unwrap();
    let book = stored(person.book(), &folder.path().join("case.jsonl"));
    person.learns(Message::Marks(Box::new(MarkNews {
        book,
        ..MarkNews::default()
    })));
    person.presses("u");
    let asked = "u again takes back r15 explained by anna, 2026-03-02";
    assert!(person.sees_line(asked), "{}", person.sees());
    assert!(person.sees_line("9 to review"));
    person.presses(".u");
    assert!(person.sees_line(asked));
    person.presses("u");
    assert!(person.sees_line("taken back: r15") && person.sees_line("10 to review"));
}
