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
        let Some(basis) = mark.basis else { continue };
        let capture_differs = basis.capture != now.capture;
        mark.stale = Stale {
            capture_differs,
            contract_differs: basis.contract != now.contract,
            bytes_differ: match capture.as_deref_mut() {
                Some(capture) if capture_differs => bytes_differ(&mark.anchor, capture),
                _ => None,
            },
        };
    }
}
