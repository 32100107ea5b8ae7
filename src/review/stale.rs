//! Whether marks still fit what is read: compared, flagged, never moved.

use crate::model::{Place, RecordNo};

use super::anchor::Anchor;
use super::book::{CaseBook, Stale};
use super::digest::Digest;
use super::entry::Identity;

/// The bytes of the capture that is read now, asked for where a mark is anchored.
pub trait CaptureBytes {
    /// Where a record lies; `None` where there is none of that number.
    fn place(&mut self, record: RecordNo) -> Option<Place>;
    /// SHA-256 of some bytes of the decompressed capture; `None` where they are not all there or
    /// cannot be read.
    fn sha256(&mut self, offset_bytes: u64, length_bytes: u32) -> Option<Digest>;
}

/// Whether other bytes stand where a mark is anchored; `None` for what has no bytes.
pub(super) fn bytes_differ(anchor: &Anchor, capture: &mut dyn CaptureBytes) -> Option<bool> {
    let Anchor::Record(anchor) = anchor else {
        return None;
    };
    let is_same_place = capture.place(anchor.record).is_some_and(|place| {
        place.offset_bytes == anchor.offset_bytes && place.length_bytes == anchor.length_bytes
    });
    let has_same_bytes =
        capture.sha256(anchor.offset_bytes, anchor.length_bytes) == Some(anchor.sha256);
    Some(!(is_same_place && has_same_bytes))
}

/// Flags every mark by what it was made under. A mark made under another capture is looked up in
/// the bytes, where they are given.
pub(super) fn flag(
    book: &mut CaseBook,
    identity: &Identity,
    mut capture: Option<&mut dyn CaptureBytes>,
) {
    let now = identity.basis();
    for mark in book.marks_mut() {
        let Some(basis) = mark.basis else {
            mark.stale.is_unknown = false;
            continue;
        };
        let capture_differs = basis.capture != now.capture;
        mark.stale = Stale {
            capture_differs,
            contract_differs: basis.contract != now.contract,
            bytes_differ: match capture.as_deref_mut() {
                Some(capture) if capture_differs => bytes_differ(&mark.anchor, capture),
                _ => None,
            },
            is_unknown: false,
        };
    }
}

/// What a banner over the screen must say of stale marks, for as long as there are any: what changed,
/// and what they still count for.
pub fn stale_words(book: &CaseBook) -> Option<String> {
    let stale: Vec<Stale> = book
        .marks()
        .map(|mark| mark.stale)
        .filter(|stale| stale.is_stale())
        .collect();
    let count = |holds: fn(&Stale) -> bool| stale.iter().filter(|stale| holds(stale)).count();
    let other = count(|stale| stale.capture_differs);
    let void = count(|stale| stale.capture_differs && stale.bytes_differ != Some(false));
    let changed = match (other, count(|stale| stale.contract_differs)) {
        (0, 0) => return None,
        (_, 0) => "the capture changed",
        (0, _) => "the contract changed",
        _ => "capture and contract changed",
    };
    let marks = match stale.len() {
        1 => "1 mark is stale".to_owned(),
        many => format!("{many} marks are stale"),
    };
    let fate = match void {
        0 => "each counts where bytes and outcome are the same".to_owned(),
        1 => "1 on other bytes closes nothing".to_owned(),
        many => format!("{many} on other bytes close nothing"),
    };
    Some(format!("{changed}: {marks}, {fate}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::sync::Arc;

    use super::super::anchor::{Disposition, RecordAnchor};
    use super::super::case::{Case, CasePlace};
    use super::super::entry::{Extent, Signature};
    use super::super::store::Disk;
    use super::*;
    use crate::model::{Kind, State, StepNo};

    fn identity(capture: &[u8], contract: &[u8]) -> Identity {
        let extent = Extent {
            bytes: 1,
            sha256: Digest::of(capture),
        };
        Identity {
            tool: String::new(),
            engine: String::new(),
            capture_name: String::new(),
            stored: extent,
            decompressed: extent,
            contract_name: String::new(),
            contract_sha256: Digest::of(contract),
        }
    }

    /// One record of one byte.
    struct Bytes(&'static [u8]);

    impl CaptureBytes for Bytes {
        fn place(&mut self, _: RecordNo) -> Option<Place> {
            Some(Place {
                offset_bytes: 0,
                length_bytes: 1,
                line: 1,
            })
        }

        fn sha256(&mut self, _: u64, _: u32) -> Option<Digest> {
            Some(Digest::of(self.0))
        }
    }

    #[test]
    fn a_mark_closes_only_what_is_known_to_have_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let open = |identity| {
            let place = Some(CasePlace::at(folder.path().join("c.jsonl")));
            Case::open(Arc::new(Disk), place, identity, "anna")
        };
        let anchor = Anchor::Record(RecordAnchor {
            record: RecordNo(1),
            offset_bytes: 0,
            length_bytes: 1,
            sha256: Digest::of(b"a"),
            kind: Kind::Delivery,
            step: StepNo(1),
            state: State::Unreadable,
            reason: None,
        });
        let signature = Signature {
            operator: "anna",
            time: "2026-03-02T10:00:00Z",
        };
        let mut case = open(Some(identity(b"log", b"contract")));
        case.mark(anchor, Disposition::Explained, "x", signature)
            .unwrap();
        drop(case);
        let closes = |case: &Case| {
            case.book()
                .closes(RecordNo(1), false, State::Unreadable, None)
        };
        let mut case = open(None);
        assert!(!closes(&case), "nothing is known of the capture yet");
        case.identify(identity(b"log", b"contract"));
        assert!(closes(&case) && stale_words(case.book()).is_none());
        case.identify(identity(b"other log", b"contract"));
        assert!(!closes(&case), "nobody compared the bytes");
        let said = stale_words(case.book()).unwrap();
        assert!(said.contains("the capture changed: 1 mark is stale, 1 on other bytes"));
        case.compare(&mut Bytes(b"a"));
        assert!(closes(&case));
        let said = stale_words(case.book()).unwrap();
        assert!(said.contains("1 mark is stale, each counts"), "{said}");
        case.compare(&mut Bytes(b"b"));
        assert!(!closes(&case));
        case.identify(identity(b"log", b"other contract"));
        let said = stale_words(case.book()).unwrap();
        assert!(said.contains("the contract changed"), "{said}");
    }
}
