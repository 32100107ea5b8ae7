//! What a case says of a run: which capture and contract it is about, where a step's record lies and
//! which bytes it has. One place, so that whoever marks and whoever verifies cannot disagree.

use std::path::Path;

use super::anchor::{Anchor, RecordAnchor};
use super::digest::Digest;
use super::entry::{Extent, Identity};
use super::stale::CaptureBytes;
use crate::engine;
use crate::history::{History, Step};
use crate::model::{Place, RecordNo};
use crate::session::{Facts, Reader, Run};

impl Anchor {
    /// The anchor of a step, to mark it by. `None` where its record's bytes can no longer be read: a
    /// mark must say which bytes it was made on.
    pub fn of_step(history: &History, reader: &Reader<'_>, step: &Step<'_>) -> Option<Self> {
        let place = history.place(step.record)?;
        let sha256 = reader.sha256(place.offset_bytes, place.length_bytes).ok()?;
        Some(Self::Record(RecordAnchor {
            record: step.record,
            offset_bytes: place.offset_bytes,
            length_bytes: place.length_bytes,
            sha256: Digest(sha256),
            kind: step.kind,
            step: step.number,
            state: step.state,
            reason: step
                .reason
                .map(|reason| history.reason_name(reason).to_owned()),
        }))
    }
}

impl Identity {
    /// What marks made on a run are about. `facts` are those of the whole capture.
    pub fn of_run(run: &Run, facts: &Facts) -> Option<Self> {
        let loaded = run.loaded();
        let stored = Extent {
            bytes: facts.bytes,
            sha256: Digest::parse(&facts.sha256)?,
        };
        let decompressed = match &facts.compression {
            None => stored,
            Some((_, bytes)) => Extent {
                bytes: *bytes,
                sha256: Digest(run.input().text_sha256().ok()?),
            },
        };
        let name = Path::new(&facts.path).file_name();
        Some(Self {
            tool: env!("CARGO_PKG_VERSION").to_owned(),
            engine: engine::VERSION.to_owned(),
            capture_name: name.map_or_else(
                || facts.path.clone(),
                |name| name.to_string_lossy().into_owned(),
            ),
            stored,
            decompressed,
            contract_name: loaded.name.clone(),
            contract_sha256: Digest(loaded.sha256),
        })
    }
}

/// The bytes of a run's capture, for whoever compares them with a mark's.
pub struct RunBytes<'a> {
    /// Where its records lie.
    pub history: &'a History,
    /// What reads them again.
    pub reader: &'a Reader<'a>,
}

impl CaptureBytes for RunBytes<'_> {
    fn place(&mut self, record: RecordNo) -> Option<Place> {
        self.history.place(record)
    }

    fn sha256(&mut self, offset_bytes: u64, length_bytes: u32) -> Option<Digest> {
        self.reader
            .sha256(offset_bytes, length_bytes)
            .map(Digest)
            .ok()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::io::Write as _;

    use super::*;
    use crate::capture::Input;
    use crate::contract::load;
    use crate::engine::BaselinePolicy;

    #[test]
    fn a_compressed_capture_has_two_digests() {
        let text = include_bytes!("../../samples/walkthrough.jsonl");
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        let bytes = encoder.finish().unwrap();
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&bytes).unwrap();
        let loaded = load(None, None).unwrap();
        let input = Input::open(file.path()).unwrap();
        let run = Run::new(input, loaded, BaselinePolicy::None);
        run.load(2);
        let facts = Facts::of(&run, "orders.jsonl.gz").unwrap();
        let identity = Identity::of_run(&run, &facts).unwrap();
        assert_eq!(identity.stored, Extent::of(&bytes));
        assert_eq!(identity.decompressed, Extent::of(text));
        let history = run.history();
        let reader = Reader::new(&run);
        let step = history.step(history.last_step()).unwrap();
        let anchor = Anchor::of_step(&history, &reader, &step).unwrap();
        let Anchor::Record(anchor) = anchor else {
            panic!("{anchor:?}");
        };
        let start = usize::try_from(anchor.offset_bytes).unwrap();
        let record = text.get(start..start + anchor.length_bytes as usize);
        assert_eq!(anchor.sha256, Digest::of(record.unwrap()));
    }
}
