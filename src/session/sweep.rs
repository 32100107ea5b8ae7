//! Looks through the bytes of many records: those that lie side by side are read in one piece and
//! looked through as one text, on all cores.
//!
//! ```text
//! records  1 2 3 4 ...              400 401 ...      two blocks: the gap is not worth reading
//! bytes   |one read, one text      |                |one read ...
//! finds        ^ in record 2    ^ over an edge: in none
//! ```

use std::sync::atomic::{AtomicUsize, Ordering};

use memchr::memmem::Finder;
use memchr::{memchr, memchr2, memrchr};

use super::open::workers;
use super::run::Run;
use crate::capture::{MAX_RECORD_BYTES, string};
use crate::model::{Place, RecordNo};

/// A block is read in one piece; it fits into a core's cache.
const BLOCK_BYTES: u64 = 512 << 10;

/// Bytes between two records that are rather read along than passed over.
const GAP_BYTES: u64 = 8 << 10;

/// Records that a thread takes at a time.
const PIECE_RECORDS: usize = 1_024;

/// A text that is looked for: in a record's source, or in one of its strings once decoded. Without
/// capital letters it is found whatever the case of ASCII letters.
#[derive(Clone, Debug)]
pub(super) struct Needle {
    finder: Finder<'static>,
    folds: bool,
}

impl Needle {
    /// A text to look for.
    pub(super) fn new(text: &str) -> Self {
        Self {
            folds: !text.bytes().any(|byte| byte.is_ascii_uppercase()),
            finder: Finder::new(text).into_owned(),
        }
    }

    fn length(&self) -> usize {
        self.finder.needle().len()
    }

    /// Which of a block's records have it.
    pub(super) fn mark(&self, block: &mut Block<'_>) -> Vec<bool> {
        let mut found = vec![false; block.spans.len()];
        let folds = self.folds;
        if folds {
            block.fold();
        }
        self.mark_source(block, folds, &mut found);
        self.mark_strings(block, &mut found);
        found
    }

    fn mark_source(&self, block: &Block<'_>, folds: bool, found: &mut [bool]) {
        let text = if folds {
            block.folded.as_slice()
        } else {
            block.bytes
        };
        let mut from = 0;
        while let Some(at) = text.get(from..).and_then(|rest| self.finder.find(rest)) {
            let start = from + at;
            from = start + 1;
            let Some((index, end)) = block.record_at(start) else {
                continue;
            };
            // Over the edge of its record it is in none; another may begin one byte later.
            if start + self.length() <= end {
                set(found, index);
                from = from.max(end);
            }
        }
    }

    /// Strings with escapes are compared decoded. The first backslash behind a string's end is in a
    /// string that begins at the quote before it.
    fn mark_strings(&self, block: &Block<'_>, found: &mut [bool]) {
        let text = block.bytes;
        let mut from = 0;
        while let Some(at) = text.get(from..).and_then(|rest| memchr(b'\\', rest)) {
            let slash = from + at;
            let record = block.record_at(slash);
            let Some((index, end)) = record.filter(|(_, end)| slash < *end) else {
                from = slash + 1;
                continue;
            };
            if found.get(index).copied().unwrap_or(true) {
                from = end.max(slash + 1);
                continue;
            }
            let start = block
                .spans
                .get(index)
                .map_or(slash, |span| span.0)
                .max(from);
            let before = text.get(start..slash).unwrap_or_default();
            let Some(quote) = memrchr(b'"', before) else {
                // No JSON: a backslash outside of strings.
                from = slash + 1;
                continue;
            };
            let close = end_of_string(text.get(..end).unwrap_or_default(), slash);
            let inside = text.get(start + quote + 1..close).unwrap_or_default();
            if self.is_in_decoded(inside) {
                set(found, index);
            }
            from = close + 1;
        }
    }

    /// An escape is longer than what it stands for.
    fn is_in_decoded(&self, inside: &[u8]) -> bool {
        if inside.len() < self.length() {
            return false;
        }
        let Ok(text) = std::str::from_utf8(inside) else {
            return false;
        };
        let mut text = string::decode(text);
        if self.folds {
            text.make_ascii_lowercase();
        }
        self.finder.find(text.as_bytes()).is_some()
    }
}

fn set(found: &mut [bool], index: usize) {
    if let Some(found) = found.get_mut(index) {
        *found = true;
    }
}

/// The closing quote of the string that the backslash at `slash` is in, or the text's end.
fn end_of_string(text: &[u8], slash: usize) -> usize {
    let mut from = slash;
    while let Some(at) = text.get(from..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        if text.get(from + at) == Some(&b'"') {
            return from + at;
        }
        from += at + 2;
    }
    text.len()
}

/// Records that lie side by side, and their bytes.
pub(super) struct Block<'b> {
    /// The first of them, as an index into what was asked for.
    pub(super) first: usize,
    bytes: &'b [u8],
    /// The same in lower case, once that is asked for.
    folded: &'b mut Vec<u8>,
    is_folded: bool,
    /// Where each record begins and ends within the bytes, in order, none over another.
    spans: &'b [(usize, usize)],
}

impl Block<'_> {
    /// A record's bytes, by its index within the block.
    pub(super) fn record(&self, index: usize) -> &[u8] {
        let span = self.spans.get(index);
        let bytes = span.and_then(|(start, end)| self.bytes.get(*start..*end));
        bytes.unwrap_or_default()
    }

    /// How many records it has.
    pub(super) fn records(&self) -> usize {
        self.spans.len()
    }

    fn fold(&mut self) {
        if !std::mem::replace(&mut self.is_folded, true) {
            self.folded.clear();
            self.folded.extend_from_slice(self.bytes);
            self.folded.make_ascii_lowercase();
        }
    }

    /// The last record that begins at a byte or before it, and where that record ends.
    fn record_at(&self, byte: usize) -> Option<(usize, usize)> {
        let behind = self.spans.partition_point(|(start, _)| *start <= byte);
        let index = behind.checked_sub(1)?;
        Some((index, self.spans.get(index)?.1))
    }
}

/// One thread's buffers.
pub(super) struct Sweeper {
    run: &'static Run,
    bytes: Vec<u8>,
    folded: Vec<u8>,
    spans: Vec<(usize, usize)>,
}

impl Sweeper {
    pub(super) fn new(run: &'static Run) -> Self {
        Self {
            run,
            bytes: Vec::new(),
            folded: Vec::new(),
            spans: Vec::new(),
        }
    }

    /// Shows the records in blocks, in order. Those whose bytes cannot be read are left out, as are
    /// those that are not there.
    pub(super) fn sweep(&mut self, places: &[Option<Place>], mut look: impl FnMut(&mut Block<'_>)) {
        let mut first = 0;
        while first < places.len() {
            let count = self.gather(places.get(first..).unwrap_or_default());
            if !self.spans.is_empty() {
                look(&mut Block {
                    first,
                    bytes: &self.bytes,
                    folded: &mut self.folded,
                    is_folded: false,
                    spans: &self.spans,
                });
            }
            first += count.max(1);
        }
    }

    /// Reads the first block of some records and answers how many are in it.
    fn gather(&mut self, places: &[Option<Place>]) -> usize {
        self.spans.clear();
        let Some(first) = places.first().copied().flatten() else {
            return 1;
        };
        let start = first.offset_bytes;
        let mut end = start;
        for place in places.iter().map_while(|place| *place) {
            let length = u64::from(place.length_bytes).min(MAX_RECORD_BYTES as u64 + 1);
            let to = place.offset_bytes.saturating_add(length);
            let is_near = place.offset_bytes >= end
                && place.offset_bytes - end <= GAP_BYTES
                && to - start <= BLOCK_BYTES;
            if !self.spans.is_empty() && !is_near {
                break;
            }
            end = to;
            let within = |at: u64| usize::try_from(at - start).unwrap_or(usize::MAX);
            self.spans.push((within(place.offset_bytes), within(to)));
        }
        if !self.read(start) {
            // Of a file that was cut what is left can be read, record by record.
            self.spans.truncate(1);
            if !self.read(start) {
                self.spans.clear();
                return 1;
            }
        }
        self.spans.len()
    }

    fn read(&mut self, start: u64) -> bool {
        let length = self.spans.last().map_or(0, |(_, end)| *end);
        self.bytes.resize(length, 0);
        let input = self.run.input();
        input.read_exact_at(start, &mut self.bytes).is_ok()
    }
}

/// Looks at some records on all cores: `look` is given a part of them, by the index of its first and
/// their places, with the buffers of its thread, and answers for it; the answers come back in order.
/// Once a part's answer ends the matter, parts behind it may be left out.
pub(super) fn in_parts<T: Send>(
    run: &'static Run,
    records: &[RecordNo],
    look: impl Fn(&mut Sweeper, usize, &[Option<Place>]) -> T + Sync,
    is_end: impl Fn(&T) -> bool + Sync,
) -> Vec<T> {
    let parts: Vec<&[RecordNo]> = records.chunks(PIECE_RECORDS).collect();
    let next = AtomicUsize::new(0);
    let end = AtomicUsize::new(usize::MAX);
    let work = || {
        let mut sweeper = Sweeper::new(run);
        let mut answers = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(part) = parts
                .get(number)
                .filter(|_| number <= end.load(Ordering::Relaxed))
            else {
                return answers;
            };
            let places: Vec<Option<Place>> = {
                let history = run.history();
                part.iter().map(|record| history.place(*record)).collect()
            };
            let answer = look(&mut sweeper, number * PIECE_RECORDS, &places);
            if is_end(&answer) {
                end.fetch_min(number, Ordering::Relaxed);
            }
            answers.push((number, answer));
        }
    };
    let mut answers = std::thread::scope(|scope| {
        let helpers = workers().min(parts.len());
        let others: Vec<_> = (1..helpers).map(|_| scope.spawn(work)).collect();
        let mut answers = work();
        for other in others {
            // A fault of ours on a thread ends the inspector, by its panic hook.
            answers.extend(other.join().unwrap_or_default());
        }
        answers
    });
    answers.sort_unstable_by_key(|(number, _)| *number);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

#[cfg(test)]
#[path = "sweep_tests.rs"]
pub(super) mod tests;
