//! Whether bytes of a capture are still those that were decided on. A hash of each chunk is kept as
//! the engine saw it (24 bytes a chunk of about 256 KiB); it is compared only where the file looks touched, and
//! only for the chunks that somebody looks at.

use std::collections::BTreeMap;
use std::hash::BuildHasher as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::capture::{Files, Stamp};
use crate::model::Place;

/// A chunk as it was decided on.
#[derive(Clone, Copy, Debug)]
struct Seen {
    offset_bytes: u64,
    length_bytes: u64,
    hash: u64,
}

/// What was found out of each chunk, for as long as its file looks the same.
type Checked = BTreeMap<usize, (Stamp, bool)>;

/// The hashes of everything that was decided on.
#[derive(Debug, Default)]
pub(super) struct Proof {
    hasher: foldhash::quality::RandomState,
    seen: Mutex<Vec<Seen>>,
    checked: Mutex<Checked>,
}

impl Proof {
    /// The hash of a chunk's bytes: made on any thread.
    pub(super) fn hash(&self, bytes: &[u8]) -> u64 {
        self.hasher.hash_one(bytes)
    }

    /// The next chunk was decided on. Chunks come in the order of the capture, or all the other way.
    pub(super) fn add(&self, offset_bytes: u64, bytes: &[u8], hash: u64) {
        lock(&self.seen).push(Seen {
            offset_bytes,
            length_bytes: bytes.len() as u64,
            hash,
        });
    }

    /// Whether a record's bytes are still those that were decided on.
    pub(super) fn holds(&self, files: &Files, place: Place) -> bool {
        let Some(stamp) = files.doubtful_at(place.offset_bytes) else {
            return true;
        };
        let found = {
            let seen = lock(&self.seen);
            let at = place.offset_bytes;
            let goes_back = seen
                .first()
                .zip(seen.last())
                .is_some_and(|(first, last)| first.offset_bytes > last.offset_bytes);
            let index = if goes_back {
                Some(seen.partition_point(|seen| seen.offset_bytes > at))
            } else {
                seen.partition_point(|seen| seen.offset_bytes <= at)
                    .checked_sub(1)
            };
            index.and_then(|index| Some((index, *seen.get(index)?)))
        };
        // What was too long to be kept has no bytes to compare.
        let Some((index, seen)) =
            found.filter(|(_, seen)| place.offset_bytes < seen.offset_bytes + seen.length_bytes)
        else {
            return false;
        };
        self.check(files, stamp, index, seen)
    }

    /// Whether everything is: reads the whole of every file again that looks touched.
    pub(super) fn holds_whole(&self, files: &Files) -> bool {
        if files.doubts().is_empty() {
            return true;
        }
        let count = lock(&self.seen).len();
        (0..count).all(|index| {
            let seen = lock(&self.seen).get(index).copied();
            seen.is_some_and(|seen| match files.doubtful_at(seen.offset_bytes) {
                Some(stamp) => self.check(files, stamp, index, seen),
                None => true,
            })
        })
    }

    fn check(&self, files: &Files, stamp: Stamp, index: usize, seen: Seen) -> bool {
        let checked = lock(&self.checked).get(&index).copied();
        if let Some((_, holds)) = checked.filter(|(at, _)| *at == stamp) {
            return holds;
        }
        let mut bytes = vec![0; usize::try_from(seen.length_bytes).unwrap_or(0)];
        let is_read = files.read_exact_at(seen.offset_bytes, &mut bytes).is_ok();
        let holds = is_read && self.hash(&bytes) == seen.hash;
        lock(&self.checked).insert(index, (stamp, holds));
        holds
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::io::{Seek as _, SeekFrom, Write as _};

    use super::super::run::Run;
    use crate::capture::Input;
    use crate::contract::load;
    use crate::engine::BaselinePolicy;
    use crate::model::{RecordNo, StepNo};
    use crate::session::Reader;

    const RECORD: &str =
        r#"{"event":{"specversion":"1.0","id":"ID","source":"urn:checkout:orders","type":"t"}}"#;

    fn opened(file: &tempfile::NamedTempFile) -> Run {
        let input = Input::open(file.path()).unwrap();
        let run = Run::new(input, load(None, None).unwrap(), BaselinePolicy::None);
        run.load(1);
        run
    }

    /// A capture of two chunks, so that one can hold while the other does not.
    fn capture() -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        for number in 0..20_000 {
            let line = RECORD.replace("ID", &format!("e{number:05}"));
            writeln!(file, "{line}").unwrap();
        }
        file
    }

    #[test]
    fn other_bytes_are_noticed_where_they_are_and_only_there() {
        let mut file = capture();
        let run = opened(&file);
        let last = RecordNo(20_000);
        let place = |record| run.history().place(record).unwrap();
        assert!(run.is_verified(place(RecordNo(1))) && run.is_verified(place(last)));
        file.seek(SeekFrom::Start(place(RecordNo(1)).offset_bytes + 36))
            .unwrap();
        file.write_all(b"X").unwrap();
        file.as_file()
            .set_modified(std::time::SystemTime::UNIX_EPOCH)
            .unwrap();
        assert!(!run.is_verified(place(RecordNo(1))));
        assert!(run.is_verified(place(last)), "another chunk still holds");
        assert!(!run.is_whole());
        let reader = Reader::new(&run);
        let look = reader.look(&run.history(), StepNo(1)).unwrap();
        assert!(look.unverified.is_some() && look.tree.is_empty());
        assert!(reader.row(&run.history(), RecordNo(1)).is_unverified);
        assert!(!reader.row(&run.history(), last).is_unverified);
    }

    #[test]
    fn a_file_that_was_only_touched_or_replaced_still_holds() {
        let file = capture();
        let run = opened(&file);
        file.as_file()
            .set_modified(std::time::SystemTime::UNIX_EPOCH)
            .unwrap();
        let place = run.history().place(RecordNo(1)).unwrap();
        assert!(run.is_verified(place) && run.is_whole());
        std::fs::remove_file(file.path()).unwrap();
        assert!(run.is_verified(place));
        let change = run.input().change().unwrap();
        assert_eq!(change, Some((0, crate::capture::Change::Removed)));
    }

    #[test]
    fn what_was_cut_off_does_not_hold() {
        let file = capture();
        let run = opened(&file);
        file.as_file().set_len(1_000_000).unwrap();
        let place = run.history().place(RecordNo(20_000)).unwrap();
        assert!(!run.is_verified(place) && !run.is_whole());
    }
}
