//! `--order position`: the records of one partition are put in the order of their offsets; each
//! partition's records fill the places in the capture that were its own, and everything without a
//! position stays where it is.
//!
//! ```text
//! capture      p0:7  p1:3  text  p0:5  p0:6  p1:2
//! p0's places   *                 *     *
//! rearranged   p0:5  p1:2  text  p0:6  p0:7  p1:3
//! ```
//!
//! A first pass keeps where each record is and its offset: some 24 bytes a record while they are
//! sorted, and less than half of that afterwards. The records are then read again in their new order,
//! neighbours together.

use std::collections::HashMap;

use bumpalo::Bump;

use super::run::Run;
use crate::capture::framing::{CHUNK_BYTES, Chunk, Frame, Tally};
use crate::capture::unwrap::{self, Opened};
use crate::capture::{Asked, CaptureError, Files, MAX_RECORD_BYTES, Scratch};
use crate::contract::Contract;
use crate::history::Records;
use crate::model::compact::Column;
use crate::model::{Place, RecordNo};

/// Bytes between two records that are rather read along than passed over.
const GAP_BYTES: u64 = 8 << 10;

/// An offset below this one is kept as it is; from it on stand the places of longer ones.
const LONG: u64 = 10_000_000_000_000_000_000;

/// Offsets: decimal integers of any length, without leading zeros.
#[derive(Debug, Default)]
struct Offsets {
    /// One a record, in capture order; 0 where it has none.
    keys: Column<u64>,
    /// Digits of those of more than 19, one behind the other, and where each ends.
    digits: Vec<u8>,
    ends: Vec<usize>,
}

impl Offsets {
    fn push(&mut self, digits: &[u8]) {
        let key = match std::str::from_utf8(digits).map(str::parse) {
            Ok(Ok(number)) if number < LONG => number,
            _ => {
                self.digits.extend_from_slice(digits);
                self.ends.push(self.digits.len());
                LONG + (self.ends.len() - 1) as u64
            }
        };
        self.keys.push(key);
    }

    /// What two records are ordered by. The places of long offsets say nothing of their order.
    fn key(&self, record: u32) -> (u64, &[u8]) {
        let key = self.keys.get(record as usize).unwrap_or(0);
        let Some(long) = key.checked_sub(LONG) else {
            return (key, &[]);
        };
        let digits = usize::try_from(long).ok().and_then(|long| {
            let end = *self.ends.get(long)?;
            let start = long.checked_sub(1).and_then(|before| self.ends.get(before));
            self.digits.get(start.copied().unwrap_or(0)..end)
        });
        let digits = digits.unwrap_or_default();
        (LONG + digits.len() as u64, digits)
    }
}

/// The digits of an offset, without leading zeros; `None` where it is no decimal integer.
fn digits(offset: &str) -> Option<&[u8]> {
    let all = offset.as_bytes();
    if all.is_empty() || !all.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let zeros = all.iter().take_while(|digit| **digit == b'0').count();
    let rest = all.get(zeros..).unwrap_or_default();
    Some(if rest.is_empty() { b"0" } else { rest })
}

/// What is noted of every record, in capture order.
#[derive(Debug, Default)]
struct Notes {
    places: Records,
    /// The number of its partition; 0 where it has no position.
    partitions: Column<u32>,
    offsets: Offsets,
    numbers: HashMap<String, u32>,
    /// Records that have a position.
    positioned: u32,
}

impl Notes {
    fn push(&mut self, place: Place, position: Option<(&str, &[u8])>) {
        self.places.push(place);
        let Some((partition, offset)) = position else {
            self.partitions.push(0);
            self.offsets.push(b"0");
            return;
        };
        let number = self.numbers.get(partition).copied().unwrap_or_else(|| {
            let number = u32::try_from(self.numbers.len() + 1).unwrap_or(u32::MAX);
            self.numbers.insert(partition.to_owned(), number);
            number
        });
        self.positioned = self.positioned.saturating_add(1);
        self.partitions.push(number);
        self.offsets.push(offset);
    }

    fn rearranged(self) -> Rearranged {
        let count = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
        let mut starts = vec![0usize; self.numbers.len() + 2];
        let partition = |record: u32| self.partitions.get(record as usize).unwrap_or(0) as usize;
        for record in 0..count {
            if let Some(start) = starts.get_mut(partition(record) + 1) {
                *start += 1;
            }
        }
        let mut before = 0;
        for start in &mut starts {
            before += *start;
            *start = before;
        }
        // The records of one partition behind those of another, each in capture order.
        let mut slots = vec![0u32; count as usize];
        let mut next = starts.clone();
        for record in 0..count {
            if let Some(at) = next.get_mut(partition(record)) {
                if let Some(slot) = slots.get_mut(*at) {
                    *slot = record;
                }
                *at += 1;
            }
        }
        let mut order = Vec::new();
        for range in starts.windows(2).skip(1) {
            let [from, to] = range else { continue };
            let slots = slots.get(*from..*to).unwrap_or_default();
            if !slots.is_sorted_by_key(|record| self.offsets.key(*record)) {
                self.sort(slots, count, &mut order);
            }
        }
        Rearranged {
            places: self.places,
            order,
            at: 0,
        }
    }

    /// Fills a partition's places with its records in the order of their offsets; those with equal
    /// ones stay in capture order.
    fn sort(&self, slots: &[u32], count: u32, order: &mut Vec<u32>) {
        if order.is_empty() {
            order.extend(0..count);
        }
        let mut sorted = slots.to_vec();
        sorted.sort_unstable_by_key(|record| (self.offsets.key(*record), *record));
        for (slot, record) in slots.iter().zip(sorted) {
            if let Some(place) = order.get_mut(*slot as usize) {
                *place = record;
            }
        }
    }
}

/// The first pass: looks at every record's position.
pub(super) struct Positions<'r> {
    contract: &'r Contract,
    scratch: Scratch,
    asked: Asked,
    room: unwrap::Room,
    notes: Notes,
}

impl<'r> Positions<'r> {
    pub(super) fn new(run: &'r Run) -> Self {
        let contract = &*run.loaded().contract;
        Self {
            contract,
            scratch: Scratch::asking(contract, run.asked()),
            asked: Asked {
                facts: true,
                inside: contract.reads_inside,
                ..run.asked()
            },
            room: unwrap::Room::default(),
            notes: Notes::default(),
        }
    }

    /// Notes a chunk's records; answers what was counted in it.
    pub(super) fn note(&mut self, chunk: &Chunk, lines_before: u64) -> Tally {
        let Self {
            contract,
            scratch,
            asked,
            room,
            notes,
        } = self;
        let arena = Bump::new();
        let mut inside = Bump::new();
        let mut partition = String::new();
        chunk.each(contract, scratch, &arena, |frame, _| {
            let opened = unwrap::open(bytes_of(chunk, frame), *asked, room, &inside);
            let offset = match &opened {
                Opened::One(unwrapped) => {
                    let around = &unwrapped.around;
                    let names = (around.channel.as_deref(), around.partition.as_deref());
                    let offset = around.offset.as_deref().and_then(digits);
                    offset.filter(|_| name(names, &mut partition))
                }
                Opened::Bare | Opened::Many(_) => None,
            };
            let position = offset.map(|offset| (partition.as_str(), offset));
            notes.push(frame.place(lines_before), position);
            drop(opened);
            inside.reset();
        })
    }

    /// Records that have a position.
    pub(super) fn positioned(&self) -> u32 {
        self.notes.positioned
    }

    /// The records in their new order.
    pub(super) fn rearranged(self) -> Rearranged {
        self.notes.rearranged()
    }
}

fn bytes_of(chunk: &Chunk, frame: Frame) -> &[u8] {
    let start = frame.offset_bytes - chunk.offset_bytes();
    let start = usize::try_from(start).unwrap_or(usize::MAX);
    let end = start.saturating_add(frame.length_bytes as usize);
    chunk.bytes().get(start..end).unwrap_or_default()
}

/// One name for a channel and a partition; false where neither is known: an offset alone is in
/// nothing that could be put in order.
fn name((channel, partition): (Option<&str>, Option<&str>), into: &mut String) -> bool {
    into.clear();
    // Whatever the channel is called, its length tells where the partition begins.
    into.push_str(&channel.map_or(String::new(), |channel| channel.len().to_string()));
    into.push(':');
    into.push_str(channel.unwrap_or_default());
    into.push_str(if partition.is_some() { "/" } else { "" });
    into.push_str(partition.unwrap_or_default());
    channel.is_some() || partition.is_some()
}

/// The records in their new order.
#[derive(Debug, Default)]
pub(super) struct Rearranged {
    places: Records,
    /// The record of each turn, from 0; empty where all stay where they are.
    order: Vec<u32>,
    at: u32,
}

impl Rearranged {
    fn place(&self, turn: u32) -> Option<Place> {
        let record = if self.order.is_empty() {
            turn
        } else {
            *self.order.get(turn as usize)?
        };
        self.places.place(RecordNo(record.checked_add(1)?))
    }

    /// The next records that lie side by side, read again, and the line ends before them in their
    /// file. `storage` is memory that is there already.
    pub(super) fn next(
        &mut self,
        files: &Files,
        mut storage: Vec<u8>,
    ) -> Result<Option<(Chunk, u64)>, CaptureError> {
        let Some(first) = self.place(self.at) else {
            return Ok(None);
        };
        let lines_before = first.line.saturating_sub(1);
        if is_too_long(first) {
            self.at += 1;
            let length = u64::from(first.length_bytes);
            let chunk = Chunk::too_long(first.offset_bytes, length, 0);
            return Ok(Some((chunk, lines_before)));
        }
        let (start, file) = (first.offset_bytes, files.index_at(first.offset_bytes));
        let mut end = start;
        let mut ranges = Vec::new();
        while let Some(place) = self.place(self.at) {
            let from = place.offset_bytes;
            let to = from + u64::from(place.length_bytes);
            // A record over others' lines stands alone, and so does what begins in another file.
            let is_near = from >= end
                && from - end <= GAP_BYTES
                && to - start <= CHUNK_BYTES as u64
                && !is_too_long(place)
                && files.index_at(from) == file;
            if !ranges.is_empty() && !is_near {
                break;
            }
            let within = |at: u64| usize::try_from(at - start).unwrap_or(usize::MAX);
            ranges.push((within(from), within(to)));
            end = to;
            self.at += 1;
        }
        let length = usize::try_from(end - start).unwrap_or(0);
        if storage.len() < length {
            storage.resize(length, 0);
        }
        files.read_exact_at(start, storage.get_mut(..length).unwrap_or_default())?;
        let chunk = Chunk::of_ranges(start, storage, length, ranges);
        Ok(Some((chunk, lines_before)))
    }
}

fn is_too_long(place: Place) -> bool {
    place.length_bytes as usize > MAX_RECORD_BYTES
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn place(record: u64) -> Place {
        Place {
            offset_bytes: record * 10,
            length_bytes: 9,
            line: record + 1,
        }
    }

    /// Records of one partition each by its first letter; the rest is the offset.
    fn rearranged(records: &[&str]) -> Vec<u64> {
        let mut notes = Notes::default();
        for (number, record) in (0..).zip(records) {
            let (partition, offset) = record.split_at(1);
            let offset = digits(offset);
            notes.push(place(number), offset.map(|offset| (partition, offset)));
        }
        let rearranged = notes.rearranged();
        let all = (0..).map_while(|turn| rearranged.place(turn));
        all.map(|place| place.offset_bytes / 10).collect()
    }

    #[test]
    fn a_partitions_records_fill_its_own_places() {
        let all = rearranged(&["a7", "b3", "-", "a5", "a6", "b2", "c1"]);
        assert_eq!(all, [3, 5, 2, 4, 0, 1, 6]);
        assert_eq!(rearranged(&["a1", "b1", "a2", "-"]), [0, 1, 2, 3]);
        assert_eq!(rearranged(&[]), [0; 0]);
    }

    #[test]
    fn offsets_are_numbers_of_any_length() {
        assert_eq!(rearranged(&["a10", "a9", "a009", "a0"]), [3, 1, 2, 0]);
        let long = [
            "a49590338271490256608559692538361571095921575989136588898",
            "a18446744073709551616",
            "a18446744073709551615",
            "a9999999999999999999",
            "a49590338271490256608559692538361571095921575989136588897",
            "a10000000000000000000",
            "a7",
        ];
        assert_eq!(rearranged(&long), [6, 3, 5, 2, 1, 4, 0]);
        // No decimal integers: they stay.
        assert_eq!(
            rearranged(&["a9", "a-1", "a1e0", "a", "a1"]),
            [4, 1, 2, 3, 0]
        );
    }

    #[test]
    fn no_channel_can_pass_for_another_with_a_partition() {
        let called = |channel, partition| {
            let mut into = String::new();
            name((channel, partition), &mut into).then_some(into)
        };
        let names = [
            called(Some("a/1"), None),
            called(Some("a"), Some("1")),
            called(None, Some("1")),
            called(Some(""), Some("1")),
            called(Some("a"), Some("")),
            called(Some("a"), None),
        ];
        let distinct: std::collections::HashSet<_> = names.iter().flatten().collect();
        assert_eq!(distinct.len(), names.len());
        assert_eq!(called(None, None), None);
    }
}
