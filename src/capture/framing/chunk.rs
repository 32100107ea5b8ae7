//! A stretch of whole records, and how it is taken apart: pure, on any thread.

use bumpalo::Bump;

use super::super::take::{Scratch, Taken, take_off_and_apart, unreadable};
use super::batch::batch;
use super::broken::{self, Ranges};
use super::joined::{Joiner, Joining};
use super::{UTF8_BOM, noise, pretty, without_marks};
use crate::contract::Contract;
use crate::model::{Body, Place, ReasonId, Record, reason};

/// Whole records as they follow each other in the capture.
#[derive(Debug)]
pub struct Chunk {
    pub(super) offset_bytes: u64,
    storage: Vec<u8>,
    length: usize,
    pub(super) layout: Layout,
}

/// Where the records of a chunk are.
#[derive(Debug)]
pub(super) enum Layout {
    /// Between separators; found while it is taken apart.
    Lines {
        separator: u8,
        /// Which of them are joined.
        joining: Joining,
    },
    /// At these ranges of the chunk.
    Listed(Vec<(usize, usize)>),
    /// One record that was too long to keep.
    TooLong { length_bytes: u64, lines: u64 },
}

/// Where a record is. Its line is counted from the chunk's first, which is 0: only whoever puts the
/// chunks in order knows how many came before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// First byte of the record in the capture.
    pub offset_bytes: u64,
    /// Bytes of the record; 2^32 − 1 for anything longer.
    pub length_bytes: u32,
    /// Line ends between the chunk's start and the record.
    pub line: u64,
}

impl Frame {
    /// The place in the capture, given the line ends before the chunk.
    pub fn place(self, lines_before: u64) -> Place {
        Place {
            offset_bytes: self.offset_bytes,
            length_bytes: self.length_bytes,
            line: lines_before + self.line + 1,
        }
    }
}

/// What was counted while a chunk was taken apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Records.
    pub records: u64,
    /// Line ends: what the next chunk's lines are counted from.
    pub lines: u64,
    /// Lines with nothing on them.
    pub blank_lines: u64,
    /// Lines that ended with a carriage return as well.
    pub crlf_lines: u64,
    /// NUL bytes and record separators (RFC 7464) passed over around records.
    pub separators: u64,
    /// Lines that were arrays of records.
    pub batches: u64,
    /// Objects of a known kind that hold records, and held none.
    pub empty_batches: u64,
    /// Lines that a tool printed beside its records.
    pub noise_lines: u64,
    /// Byte order marks further on than at the capture's start.
    pub byte_order_marks: u64,
}

impl Tally {
    /// Adds what was counted in another chunk.
    pub fn add(&mut self, other: Self) {
        self.records += other.records;
        self.lines += other.lines;
        self.blank_lines += other.blank_lines;
        self.crlf_lines += other.crlf_lines;
        self.separators += other.separators;
        self.batches += other.batches;
        self.empty_batches += other.empty_batches;
        self.noise_lines += other.noise_lines;
        self.byte_order_marks += other.byte_order_marks;
    }
}

/// Around a record: JSON's whitespace, and what separates records in some captures.
pub(super) fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0 | 0x1e)
}

impl Chunk {
    pub(super) fn new(offset_bytes: u64, storage: Vec<u8>, length: usize, layout: Layout) -> Self {
        Self {
            offset_bytes,
            storage,
            length,
            layout,
        }
    }

    /// A record that was too long to keep.
    pub fn too_long(offset_bytes: u64, length_bytes: u64, lines: u64) -> Self {
        let layout = Layout::TooLong {
            length_bytes,
            lines,
        };
        Self::new(offset_bytes, Vec::new(), 0, layout)
    }

    /// The same chunk of a file that other files lie before, with so many bytes.
    #[must_use]
    pub fn behind(self, bytes: u64) -> Self {
        Self {
            offset_bytes: self.offset_bytes + bytes,
            ..self
        }
    }

    /// A chunk of records that are known: their ranges within the first `length` bytes of `storage`.
    pub fn of_ranges(
        offset_bytes: u64,
        storage: Vec<u8>,
        length: usize,
        ranges: Vec<(usize, usize)>,
    ) -> Self {
        Self::new(offset_bytes, storage, length, Layout::Listed(ranges))
    }

    /// Its memory, for another chunk.
    pub fn into_storage(self) -> Vec<u8> {
        self.storage
    }

    /// First byte of the chunk in the capture.
    pub fn offset_bytes(&self) -> u64 {
        self.offset_bytes
    }

    /// The chunk's bytes; none where its one record was too long to keep.
    pub fn bytes(&self) -> &[u8] {
        self.storage.get(..self.length).unwrap_or_default()
    }

    /// Takes every record apart, in order. `scratch` must have been made for this contract; what is
    /// unwrapped lives in `arena`.
    pub fn each<'c>(
        &'c self,
        contract: &Contract,
        scratch: &mut Scratch,
        arena: &'c Bump,
        sink: impl FnMut(Frame, Record<'c>),
    ) -> Tally {
        let bytes = self.bytes();
        let mut walk = Walk {
            offset_bytes: self.offset_bytes,
            bytes,
            text: simdutf8::basic::from_utf8(bytes).ok(),
            contract,
            scratch,
            arena,
            sink,
            tally: Tally::default(),
            by_separators: matches!(self.layout, Layout::Lines { .. }),
            in_broken: false,
        };
        match &self.layout {
            Layout::Lines {
                separator: b'\n',
                joining,
            } => walk.lines(*joining),
            Layout::Lines { separator, .. } => walk.pieces(*separator),
            Layout::Listed(ranges) => walk.listed(ranges),
            Layout::TooLong {
                length_bytes,
                lines,
            } => walk.too_long(*length_bytes, *lines),
        }
        walk.tally
    }

    /// Where the lines are that a tool printed beside its records, the first `most` of them. Looked
    /// for again: few captures have any.
    pub fn noise(&self, most: usize) -> Vec<Frame> {
        noise::frames(self.offset_bytes, self.bytes(), &self.layout, most)
    }

    /// [`Chunk::each`], gathered.
    pub fn records<'c>(
        &'c self,
        contract: &Contract,
        scratch: &mut Scratch,
        arena: &'c Bump,
    ) -> (Vec<(Frame, Record<'c>)>, Tally) {
        // Growing by doubling would copy each list once more.
        let mut records = Vec::with_capacity(scratch.records_likely);
        let tally = self.each(contract, scratch, arena, |frame, record| {
            records.push((frame, record));
        });
        scratch.records_likely = records.len() + records.len() / 16;
        (records, tally)
    }
}

struct Walk<'c, 's, F> {
    offset_bytes: u64,
    bytes: &'c [u8],
    /// The same bytes, where all of them are UTF-8.
    text: Option<&'c str>,
    contract: &'s Contract,
    scratch: &'s mut Scratch,
    arena: &'c Bump,
    sink: F,
    tally: Tally,
    /// A record ends at a separator, so that there may be several before one.
    by_separators: bool,
    /// What is at hand is a part of what could not be read as one: it is not taken apart once more.
    in_broken: bool,
}

impl<'c, F: FnMut(Frame, Record<'c>)> Walk<'c, '_, F> {
    fn lines(&mut self, joining: Joining) {
        let mut joiner = Joiner::new(joining);
        let mut at = 0;
        while at < self.bytes.len() {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let found = memchr::memchr(b'\n', rest);
            let end = at + found.unwrap_or(rest.len());
            if self
                .bytes
                .get(..end)
                .is_some_and(|line| line.ends_with(b"\r"))
                && end > at
            {
                self.tally.crlf_lines += 1;
            }
            at = self.past_marks(at, end);
            let line = self.bytes.get(at..end).unwrap_or_default();
            if pretty::begins(line)
                && let Some(behind) = self.pretty(at, joining.most, &mut joiner)
            {
                at = behind;
                continue;
            }
            if joiner.passes(line, at) {
                self.piece(at, end);
            } else {
                let is_held = joiner.takes(line, at, self.tally.lines);
                self.release(&mut joiner);
                if !is_held {
                    self.piece(at, end);
                }
            }
            if found.is_some() {
                self.tally.lines += 1;
            }
            at = end + 1;
        }
        joiner.close();
        self.release(&mut joiner);
    }

    /// A value over several lines; answers where the line behind it begins. Its first line's end has
    /// been looked at.
    #[cold]
    fn pretty(&mut self, start: usize, most: usize, joiner: &mut Joiner) -> Option<usize> {
        let rest = self.bytes.get(start..)?;
        let length = pretty::length(rest, most)?;
        let line = memchr::memchr(b'\n', rest.get(length..)?);
        let behind = start + line.map_or(rest.len(), |line| length + line + 1);
        joiner.close();
        self.release(joiner);
        self.record(start, start + length);
        self.count_lines(start, behind);
        let below = self.bytes.get(start + 2..behind).unwrap_or_default();
        let returns = memchr::memmem::find_iter(below, b"\r\n").count() as u64;
        self.tally.crlf_lines += returns;
        Some(behind)
    }

    /// Passes over the byte order marks that a line begins with.
    #[inline]
    fn past_marks(&mut self, at: usize, end: usize) -> usize {
        if self.bytes.get(at) != Some(&0xef) {
            return at;
        }
        let line = self.bytes.get(at..end).unwrap_or_default();
        let passed = line.len() - without_marks(line).len();
        self.tally.byte_order_marks += (passed / UTF8_BOM.len()) as u64;
        at + passed
    }

    /// Records of several lines, and those inside them, once all of them are there.
    fn release(&mut self, joiner: &mut Joiner) {
        let lines = self.tally.lines;
        for held in joiner.released() {
            self.tally.lines = held.line;
            self.record(held.start, held.end);
        }
        self.tally.lines = lines;
    }

    /// Records between separators that are not line ends, and may run over several lines.
    fn pieces(&mut self, separator: u8) {
        let mut at = 0;
        while at < self.bytes.len() {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let found = memchr::memchr(separator, rest);
            let end = at + found.unwrap_or(rest.len());
            let begin = self.past_marks(at, end);
            let (start, end_of_record) = self.trimmed(begin, end);
            self.count_lines(at, start);
            if start < end_of_record {
                self.record(start, end_of_record);
            }
            self.count_lines(start, end);
            self.tally.separators += u64::from(found.is_some());
            at = end + 1;
        }
    }

    fn listed(&mut self, ranges: &[(usize, usize)]) {
        // A record may lie inside the one before: lines are counted from start to start.
        let (mut counted, mut covered) = (0, 0);
        for (start, end) in ranges {
            self.count_lines(counted, *start);
            self.between(covered, *start);
            self.record(*start, *end);
            (counted, covered) = (*start, covered.max(*end));
        }
        self.count_lines(counted, self.bytes.len());
        self.between(covered, self.bytes.len());
    }

    /// What stands between two records, but for line ends.
    fn between(&mut self, from: usize, to: usize) {
        self.tally.noise_lines += noise::count(self.bytes, from, to);
        self.count_marks(from, to);
    }

    fn count_marks(&mut self, from: usize, to: usize) {
        let between = self.bytes.get(from..to).unwrap_or_default();
        if between.len() >= UTF8_BOM.len() {
            let marks = memchr::memmem::find_iter(between, UTF8_BOM);
            self.tally.byte_order_marks += marks.count() as u64;
        }
    }

    fn too_long(&mut self, length_bytes: u64, lines: u64) {
        let frame = Frame {
            offset_bytes: self.offset_bytes,
            length_bytes: u32::try_from(length_bytes).unwrap_or(u32::MAX),
            line: 0,
        };
        self.tally.records += 1;
        (self.sink)(frame, unreadable(reason::TOO_LONG));
        self.tally.lines += lines;
    }

    fn count_lines(&mut self, from: usize, to: usize) {
        let between = self.bytes.get(from..to).unwrap_or_default();
        self.tally.lines += memchr::memchr_iter(b'\n', between).count() as u64;
    }

    /// The range without what surrounds a record.
    fn trimmed(&mut self, mut start: usize, mut end: usize) -> (usize, usize) {
        while let Some(byte) = self.bytes.get(start)
            && start < end
            && is_separator(*byte)
        {
            self.tally.separators += u64::from(matches!(byte, 0 | 0x1e));
            start += 1;
        }
        while let Some(byte) = end.checked_sub(1).and_then(|last| self.bytes.get(last))
            && start < end
            && is_separator(*byte)
        {
            self.tally.separators += u64::from(matches!(byte, 0 | 0x1e));
            end -= 1;
        }
        (start, end)
    }

    /// One line of a line-framed capture: nothing, a record, or a batch.
    fn piece(&mut self, at: usize, end: usize) {
        let (start, end) = self.trimmed(at, end);
        if start >= end {
            self.tally.blank_lines += 1;
        } else if self.bytes.get(start) == Some(&b'{') {
            self.record(start, end);
        } else {
            self.other_piece(start, end);
        }
    }

    /// A line that is no object.
    #[cold]
    fn other_piece(&mut self, start: usize, end: usize) {
        if noise::is_noise(self.bytes.get(start..end).unwrap_or_default()) {
            self.tally.noise_lines += 1;
        } else if self.bytes.get(start) == Some(&b'[') {
            self.array(start, end);
        } else {
            self.record(start, end);
        }
    }

    fn record(&mut self, start: usize, end: usize) {
        let bytes = self.bytes.get(start..end).unwrap_or_default();
        let text = self.text.and_then(|text| text.get(start..end));
        match take_off_and_apart(bytes, text, self.contract, self.scratch, self.arena) {
            Taken::One(record) => {
                if let Body::Unreadable(why) = record.body
                    && !self.in_broken
                    && let Some(ranges) = self.broken(start, end, why)
                {
                    for pair in ranges.windows(2) {
                        if let [(_, from), (to, _)] = pair {
                            self.count_marks(start + from, start + to);
                        }
                    }
                    self.in_broken = true;
                    self.batch(start, &ranges);
                    self.in_broken = false;
                    return;
                }
                let frame = Frame {
                    offset_bytes: self.offset_bytes + start as u64,
                    length_bytes: u32::try_from(end - start).unwrap_or(u32::MAX),
                    line: self.tally.lines,
                };
                self.tally.records += 1;
                (self.sink)(frame, record);
            }
            Taken::Many(ranges) => self.batch(start, &ranges),
        }
    }

    /// The records in what cannot be read as one.
    #[cold]
    fn broken(&self, start: usize, end: usize, why: ReasonId) -> Option<Ranges> {
        let bytes = self.bytes.get(start..end)?;
        let may_hold = matches!(
            why,
            reason::MALFORMED_JSON | reason::NOT_UTF8 | reason::TOO_DEEP
        );
        if !may_hold || bytes.first() != Some(&b'{') {
            return None;
        }
        if self.by_separators
            && let Some(ranges) = broken::objects_in_a_row(bytes)
        {
            return Some(ranges);
        }
        broken::records_of_container(bytes)
    }

    /// Several records in one value. Lines are counted on the way, where the value has several; the
    /// caller counts them again, so they are taken back.
    fn batch(&mut self, start: usize, ranges: &[(usize, usize)]) {
        if ranges.is_empty() {
            self.tally.empty_batches += 1;
            return;
        }
        self.tally.batches += 1;
        let lines = self.tally.lines;
        let mut counted = start;
        for (from, to) in ranges {
            let (from, to) = (start + from, start + to);
            self.count_lines(counted, from);
            counted = from;
            self.record(from, to);
        }
        self.tally.lines = lines;
    }

    /// A line that is an array of objects is a batch, each of them a record; any other is one.
    fn array(&mut self, start: usize, end: usize) {
        let elements = self
            .bytes
            .get(start..end)
            .and_then(|line| batch(line, &mut self.scratch.nodes));
        let Some(elements) = elements else {
            self.record(start, end);
            return;
        };
        self.batch(start, &elements);
    }
}
