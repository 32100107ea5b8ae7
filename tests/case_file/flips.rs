//! Bytes of a case file that somebody, or a bad disk, changed: each one is noticed.

use std::path::Path;

use replayscope::model::Kind;
use replayscope::review::{
    Act, Anchor, Case, Condition, Digest, Disposition, EntryNo, Notice, ReadOnly, Verdict, verify,
};

use super::common::{ANNA, BORIS, Capture, missing, open};
use super::disk::SimDisk;

const PATH: &str = "orders.jsonl.case.jsonl";

/// A case with every kind of entry, and a torn line that a later entry vouches for.
fn whole_case(capture: &Capture) -> Vec<u8> {
    let disk = SimDisk::new();
    let path = Path::new(PATH);
    let mut case = open(&disk.store(), path, capture);
    let anchor = capture.anchor(1, Kind::Delivery);
    case.mark(anchor, Disposition::ManualReview, "почему?\n", ANNA)
        .unwrap();
    drop(case);
    let mut bytes = disk.bytes(PATH).unwrap();
    bytes.extend_from_slice(b"{\"entry\":2,\"kind\":\"ma");

    let disk = SimDisk::new();
    disk.put(PATH, &bytes);
    let mut case = open(&disk.store(), path, capture);
    assert_eq!(case.notices(), [Notice::TornLine { bytes: 21 }]);
    let replay = capture.anchor(2, Kind::Replay);
    case.mark(replay, Disposition::Explained, "", BORIS)
        .unwrap();
    case.mark(missing(2), Disposition::AcceptedAsIs, "", BORIS)
        .unwrap();
    case.undo(BORIS).unwrap();
    let note = "see the ticket".to_owned();
    case.add(Anchor::Capture, Act::Comment { note }, ANNA)
        .unwrap();
    let baseline = Act::Baseline {
        version: 1,
        state: Some("accepted".into()),
        note: "from the backup".into(),
    };
    case.add(missing(2), baseline, ANNA).unwrap();
    let note = String::new();
    case.add(Anchor::Capture, Act::Closed { open: 0, note }, ANNA)
        .unwrap();
    drop(case);
    disk.bytes(PATH).unwrap()
}

fn verdict(bytes: &[u8], capture: &Capture) -> Verdict {
    verify(bytes.to_vec(), &capture.identity(), &mut capture.clone())
}

fn opened(bytes: &[u8], capture: &Capture) -> Case {
    let disk = SimDisk::new();
    disk.put(PATH, bytes);
    open(&disk.store(), Path::new(PATH), capture)
}

fn is_told(bytes: &[u8], capture: &Capture) -> bool {
    let case = opened(bytes, capture);
    *case.condition() != Condition::Saving || !case.notices().is_empty()
}

#[test]
fn every_changed_byte_is_noticed() {
    let capture = Capture::of(2);
    let whole = whole_case(&capture);
    let proven = verdict(&whole, &capture);
    assert_eq!(proven.differences, Vec::<String>::new());
    assert_eq!((proven.entries, proven.set_aside_bytes), (7, 29));
    assert!(!is_told(&whole, &capture));

    let mut bytes = whole.clone();
    for at in 0..whole.len() {
        let is = whole[at];
        for changed in [is ^ 0x01, is ^ 0x20, is ^ 0x80, !is, 0, b'\n', b' ', b'"'] {
            if changed == is {
                continue;
            }
            bytes[at] = changed;
            let proven = verdict(&bytes, &capture).proven;
            assert!(!proven, "byte {at}: {is} became {changed}");
            if changed == is ^ 0x01 {
                assert!(is_told(&bytes, &capture), "byte {at} is told at opening");
            }
        }
        bytes[at] = is;
    }
}

#[test]
fn every_missing_or_added_byte_is_noticed() {
    let capture = Capture::of(2);
    let whole = whole_case(&capture);
    for at in 0..whole.len() {
        let mut shorter = whole.clone();
        shorter.remove(at);
        assert!(!verdict(&shorter, &capture).proven, "byte {at} left out");
        let mut longer = whole.clone();
        longer.insert(at, b' ');
        assert!(!verdict(&longer, &capture).proven, "a space before {at}");
    }
}

#[test]
fn lines_cannot_be_left_out_swapped_or_doubled() {
    let capture = Capture::of(2);
    let whole = whole_case(&capture);
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    let last = lines.len() - 1;
    for at in 0..last {
        let mut without = lines.clone();
        without.remove(at);
        assert!(!verdict(&without.concat(), &capture).proven, "without {at}");
        let mut swapped = lines.clone();
        swapped.swap(at, at + 1);
        assert!(!verdict(&swapped.concat(), &capture).proven, "swapped {at}");
    }
    for at in 0..=last {
        let mut doubled = lines.clone();
        doubled.insert(at, lines[at]);
        assert!(!verdict(&doubled.concat(), &capture).proven, "doubled {at}");
    }
}

#[test]
fn a_line_with_a_new_sum_does_not_fit_the_line_behind_it() {
    let capture = Capture::of(2);
    let whole = String::from_utf8(whole_case(&capture)).unwrap();
    let forged = whole.replace("from the backup", "from the owner!");
    let line = forged.lines().find(|line| line.contains("owner!")).unwrap();
    let (body, _) = line.split_once(",\"sum\"").unwrap();
    let sum = Digest::of(body.as_bytes());
    let forged = forged.replace(line, &format!("{body},\"sum\":\"{sum}\"}}"));
    let verdict = verdict(forged.as_bytes(), &capture);
    assert_eq!(
        verdict.differences,
        [
            "the chain is broken at line 9: the line does not follow the one before it; \
          1 lines not verified"
        ]
    );
}

#[test]
fn only_the_head_hash_shows_that_the_last_lines_are_gone() {
    let capture = Capture::of(2);
    let whole = whole_case(&capture);
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    let shorter = verdict(&lines[..lines.len() - 1].concat(), &capture);
    assert!(shorter.proven, "a chain alone does not prove this");
    assert_ne!(shorter.head, verdict(&whole, &capture).head);
}

#[test]
fn a_cut_anywhere_shows_the_lines_before_it() {
    let capture = Capture::of(2);
    let whole = whole_case(&capture);
    for cut in 0..whole.len() {
        let bytes = &whole[..cut];
        let case = opened(bytes, &capture);
        let is_inside_a_line = cut > 0 && whole[cut - 1] != b'\n';
        let has_header = bytes.contains(&b'\n') || whole[cut] == b'\n';
        if is_inside_a_line && has_header {
            assert!(is_told(bytes, &capture), "cut at {cut}");
            assert!(!verdict(bytes, &capture).proven);
        }
        let ends = |end: usize| whole[end] == b'\n' && cut >= end;
        let held = (0..whole.len()).filter(|end| ends(*end)).count();
        let entries = case.book().entries().len();
        // The header is no entry, and neither is the torn line.
        let expected = held.saturating_sub(1 + usize::from(held > 2));
        assert_eq!(entries, expected, "cut at {cut}");
        assert_eq!(*case.condition(), Condition::Saving, "cut at {cut}");
    }
}

#[test]
fn a_broken_chain_is_read_as_far_as_it_holds_and_left_alone() {
    let capture = Capture::of(2);
    let whole = whole_case(&capture);
    let at = whole.iter().rposition(|byte| *byte == b':').unwrap();
    let third_last = String::from_utf8_lossy(&whole).rfind("backup").unwrap();
    assert!(third_last < at);
    let mut bytes = whole.clone();
    bytes[third_last] = b'B';
    let disk = SimDisk::new();
    disk.put(PATH, &bytes);
    let mut case = open(&disk.store(), Path::new(PATH), &capture);
    assert_eq!(
        *case.condition(),
        Condition::ReadOnly(ReadOnly::Broken {
            line: 8,
            why: "the line differs from its own sum",
            lines_left: 2,
        })
    );
    assert_eq!(case.book().entries().len(), 5);
    let outcome = case
        .mark(missing(3), Disposition::ManualReview, "", ANNA)
        .unwrap();
    assert_eq!(outcome.entry(), EntryNo(6));
    assert!(!case.book().is_saved(outcome.entry()));
    assert_eq!(
        case.banner().unwrap(),
        "read-only: the chain of the case file is broken at line 8: the line differs from its own \
         sum; 2 lines from there on are not shown; 1 entry is only in memory, :w FILE saves"
    );
    assert_eq!(disk.bytes(PATH).unwrap(), bytes);

    case.save_as(Path::new("rescued")).unwrap();
    assert_eq!(case.banner(), None);
    let rescued = verdict(&disk.bytes("rescued").unwrap(), &capture);
    assert_eq!((rescued.entries, rescued.differences), (6, Vec::new()));
}

#[test]
fn any_bytes_at_all_can_be_opened() {
    let capture = Capture::of(1);
    let deep = vec![b'['; 100_000];
    let strange: [&[u8]; 8] = [
        b"hello",
        b"\n",
        b"{}\n",
        b"{\"replayscope-case\":1}\n",
        b"\xff\xfe\n\0\n",
        b"{\"n\":1}\n{\"n\":2}\n",
        &deep,
        b" <torn>\n",
    ];
    for bytes in strange {
        let disk = SimDisk::new();
        disk.put(PATH, bytes);
        let mut case = open(&disk.store(), Path::new(PATH), &capture);
        assert!(matches!(case.condition(), Condition::ReadOnly(_)));
        case.mark(missing(1), Disposition::Explained, "", ANNA)
            .unwrap();
        assert_eq!(disk.bytes(PATH).unwrap(), bytes, "left as it was");
        assert!(!verdict(bytes, &capture).proven);
    }
}
