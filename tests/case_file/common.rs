//! A small capture, and the marks that the tests make on it.

use std::path::Path;
use std::sync::Arc;

use replayscope::model::{Kind, Place, RecordNo, State, StepNo};
use replayscope::review::{
    Anchor, CaptureBytes, Case, CasePlace, Digest, Extent, Identity, MissingAnchor, Outcome,
    RecordAnchor, Signature, Store,
};

/// Who marks in these tests, and when.
pub(crate) const ANNA: Signature<'static> = Signature {
    operator: "anna",
    time: "2026-03-02T09:14:00Z",
};

/// Another operator.
pub(crate) const BORIS: Signature<'static> = Signature {
    operator: "борис",
    time: "2026-03-02T09:15:00Z",
};

/// A capture of lines `{"n":1}`, `{"n":2}` …
#[derive(Clone)]
pub(crate) struct Capture(pub(crate) Vec<u8>);

impl Capture {
    pub(crate) fn of(records: u32) -> Self {
        let lines = (1..=records).map(|number| format!("{{\"n\":{number}}}\n"));
        Self(lines.collect::<String>().into_bytes())
    }

    pub(crate) fn identity(&self) -> Identity {
        Identity {
            tool: "0.1.0".into(),
            engine: "1".into(),
            capture_name: "orders.jsonl".into(),
            stored: Extent::of(&self.0),
            decompressed: Extent::of(&self.0),
            contract_name: "consistency".into(),
            contract_sha256: Digest::of(b"the contract"),
        }
    }

    fn find(&self, record: RecordNo) -> Option<Place> {
        let mut offset_bytes = 0u64;
        for (index, line) in self.0.split_inclusive(|byte| *byte == b'\n').enumerate() {
            if index as u64 + 1 == u64::from(record.0) {
                return Some(Place {
                    offset_bytes,
                    length_bytes: u32::try_from(line.len()).unwrap() - 1,
                    line: index as u64 + 1,
                });
            }
            offset_bytes += line.len() as u64;
        }
        None
    }

    /// The anchor of a record of this capture, marked as a conflict.
    pub(crate) fn anchor(&self, record: u32, kind: Kind) -> Anchor {
        let record = RecordNo(record);
        let place = self.find(record).expect("the record is in the capture");
        let mut capture = self.clone();
        Anchor::Record(RecordAnchor {
            record,
            offset_bytes: place.offset_bytes,
            length_bytes: place.length_bytes,
            sha256: capture
                .sha256(place.offset_bytes, place.length_bytes)
                .unwrap(),
            kind,
            step: StepNo(record.0 + 10),
            state: State::SameVersionRejected,
            reason: None,
        })
    }
}

impl CaptureBytes for Capture {
    fn place(&mut self, record: RecordNo) -> Option<Place> {
        self.find(record)
    }

    fn sha256(&mut self, offset_bytes: u64, length_bytes: u32) -> Option<Digest> {
        let start = usize::try_from(offset_bytes).ok()?;
        let bytes = self.0.get(start..start + length_bytes as usize)?;
        Some(Digest::of(bytes))
    }
}

/// A missing version, with text that no terminal should see.
pub(crate) fn missing(version: u64) -> Anchor {
    Anchor::Missing(MissingAnchor {
        source: "urn:checkout:orders".into(),
        aggregate: "order-\u{1b}[31m\"417\"\n".into(),
        version,
    })
}

/// Opens the case of a capture at a path.
pub(crate) fn open(store: &Arc<dyn Store>, path: &Path, capture: &Capture) -> Case {
    let place = Some(CasePlace::at(path));
    Case::open(Arc::clone(store), place, Some(capture.identity()), "anna")
}

/// Whether an entry was acknowledged.
pub(crate) fn is_saved(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Saved(_))
}
