//! Names kept once: sources, aggregates, orders, and the words of states and reasons.
//!
//! A hash alone is no identity: every hit is compared on the bytes.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::model::compact::{Column, Offsets, TagTable, hash_of};
use crate::model::{AggregateId, OrderId, SourceId, WordId};

/// Texts by index; the bytes lie end to end.
#[derive(Clone, Default, PartialEq, Eq)]
struct Row {
    bytes: String,
    ends: Offsets,
}

impl Row {
    fn len(&self) -> u32 {
        super::length(self.ends.len())
    }

    #[inline]
    fn get(&self, index: u32) -> &str {
        let range = self.range(index);
        let text = range.and_then(|(start, end)| self.bytes.get(start..end));
        text.unwrap_or("")
    }

    fn range(&self, index: u32) -> Option<(usize, usize)> {
        let index = index as usize;
        let end = |index: usize| {
            let end = self.ends.get(index)?;
            usize::try_from(end).ok()
        };
        Some((index.checked_sub(1).and_then(end).unwrap_or(0), end(index)?))
    }

    fn push(&mut self, text: &str) -> u32 {
        let index = self.len();
        let room = self.bytes.capacity() - self.bytes.len();
        if room < text.len() {
            // By a quarter, not by doubling: names are a large part of what is kept.
            self.bytes
                .reserve_exact(text.len() + self.bytes.len() / 4 + 64);
        }
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len() as u64);
        index
    }
}

impl std::fmt::Debug for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let texts = (0..self.len()).map(|index| self.get(index));
        f.debug_list().entries(texts).finish()
    }
}

/// Texts by index and indexes by text.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    row: Row,
    table: TagTable,
    /// The texts that were asked for last: the next record's source and state are nearly always
    /// among them.
    recent: [Recent; RECENT],
    oldest: usize,
}

const RECENT: usize = 8;

/// A text's index, and where its bytes lie.
#[derive(Clone, Copy, Debug, Default)]
struct Recent {
    index: u32,
    start: usize,
    end: usize,
}

impl PartialEq for Texts {
    fn eq(&self, other: &Self) -> bool {
        self.row == other.row
    }
}

impl Eq for Texts {}

impl Texts {
    pub(super) fn len(&self) -> u32 {
        self.row.len()
    }

    pub(super) fn get(&self, index: u32) -> &str {
        self.row.get(index)
    }

    pub(super) fn find(&self, text: &str) -> Option<u32> {
        let is_it = |index| self.row.get(index) == text;
        self.table.find(hash_of(text), is_it)
    }

    #[inline]
    pub(super) fn intern(&mut self, text: &str) -> u32 {
        let is_it = |recent: &&Recent| {
            recent.end - recent.start == text.len()
                && self.row.bytes.as_bytes().get(recent.start..recent.end) == Some(text.as_bytes())
        };
        // The empty text would look like a place that nothing was put in yet.
        if let Some(recent) = self.recent.iter().find(is_it).filter(|_| !text.is_empty()) {
            return recent.index;
        }
        self.intern_rare(text)
    }

    fn intern_rare(&mut self, text: &str) -> u32 {
        let index = self.find(text).unwrap_or_else(|| {
            let index = self.row.push(text);
            self.table.insert(hash_of(text), index);
            index
        });
        let (start, end) = self.row.range(index).unwrap_or_default();
        if let Some(recent) = self.recent.get_mut(self.oldest % RECENT) {
            *recent = Recent { index, start, end };
        }
        self.oldest = self.oldest.wrapping_add(1);
        index
    }
}

/// Aggregates: pairs of source and id, compared byte for byte. Nearly every id stands under one
/// source, so ids are what is looked up; only those under several sources have pairs of their own.
#[derive(Clone, Default)]
pub(super) struct Aggregates {
    rows: Column<Aggregate>,
    /// Names without room in their row.
    long: Vec<u8>,
    /// The aggregate of each name that was seen last.
    by_name: TagTable,
    /// The aggregate with the same name that was seen before this one, under another source.
    same_name: HashMap<AggregateId, AggregateId, FixedState>,
    /// Aggregates whose name stands under several sources.
    pairs: TagTable,
}

/// Source and name in one place, since both are compared for every record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Aggregate {
    source: SourceId,
    length: u8,
    /// The name; of a long one where it begins (8 bytes) and its length (8 bytes).
    text: [u8; ROOM],
}

const ROOM: usize = 19;
const LONG: u8 = u8::MAX;

impl PartialEq for Aggregates {
    fn eq(&self, other: &Self) -> bool {
        self.rows == other.rows && self.long == other.long
    }
}

impl Eq for Aggregates {}

impl std::fmt::Debug for Aggregates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ids = (0..self.len()).map(AggregateId);
        let pairs = ids.map(|id| (self.source(id), self.name(id)));
        f.debug_list().entries(pairs).finish()
    }
}

impl Aggregate {
    fn new(source: SourceId, name: &[u8], long: &mut Vec<u8>) -> Self {
        let mut text = [0; ROOM];
        let mut length = LONG;
        if let (Some(room), Ok(short)) = (text.get_mut(..name.len()), u8::try_from(name.len())) {
            room.copy_from_slice(name);
            length = short;
        } else {
            let ends = (long.len() as u64).to_le_bytes();
            let ends = ends.into_iter().chain((name.len() as u64).to_le_bytes());
            for (byte, end) in text.iter_mut().zip(ends) {
                *byte = end;
            }
            extend_gently(long, name);
        }
        Self {
            source,
            length,
            text,
        }
    }

    #[inline]
    fn has_name(&self, name: &str, long: &[u8]) -> bool {
        match self.text.get(..usize::from(self.length)) {
            Some(text) => text == name.as_bytes(),
            None => self.long_name(long) == name.as_bytes(),
        }
    }

    fn long_name<'a>(&self, long: &'a [u8]) -> &'a [u8] {
        let number = |from: usize| {
            let bytes = self.text.get(from..from + 8)?;
            usize::try_from(u64::from_le_bytes(bytes.try_into().ok()?)).ok()
        };
        let range = || Some((number(0)?, number(8)?));
        range()
            .and_then(|(start, length)| long.get(start..start.checked_add(length)?))
            .unwrap_or(&[])
    }
}

/// Adds bytes; room grows by a quarter, not by doubling.
fn extend_gently(bytes: &mut Vec<u8>, more: &[u8]) {
    if bytes.capacity() - bytes.len() < more.len() {
        bytes.reserve_exact(more.len() + bytes.len() / 4 + 64);
    }
    bytes.extend_from_slice(more);
}

impl Aggregates {
    pub(super) fn len(&self) -> u32 {
        super::length(self.rows.len())
    }

    #[inline]
    fn row(&self, index: u32) -> Option<&Aggregate> {
        self.rows.get_ref(index as usize)
    }

    pub(super) fn name(&self, id: AggregateId) -> &str {
        let name = self.row(id.0).map(|row| {
            let short = row.text.get(..usize::from(row.length));
            short.unwrap_or_else(|| row.long_name(&self.long))
        });
        name.and_then(|name| std::str::from_utf8(name).ok())
            .unwrap_or("")
    }

    pub(super) fn source(&self, id: AggregateId) -> SourceId {
        self.row(id.0).map_or(SourceId(0), |row| row.source)
    }

    #[inline]
    fn latest(&self, hash: u64, name: &str) -> Option<AggregateId> {
        let is_it = |index| {
            let row = self.row(index);
            row.is_some_and(|row| row.has_name(name, &self.long))
        };
        self.by_name.find(hash, is_it).map(AggregateId)
    }

    pub(super) fn find(&self, source: SourceId, name: &str) -> Option<AggregateId> {
        let latest = self.latest(hash_of(name), name)?;
        self.find_beside(latest, source, name)
    }

    /// The aggregate with this source and the name that `latest` has.
    #[inline]
    fn find_beside(
        &self,
        latest: AggregateId,
        source: SourceId,
        name: &str,
    ) -> Option<AggregateId> {
        if self.source(latest) == source {
            return Some(latest);
        }
        if self.same_name.is_empty() || !self.same_name.contains_key(&latest) {
            return None;
        }
        let is_it = |index| {
            let row = self.row(index);
            row.is_some_and(|row| row.source == source && row.has_name(name, &self.long))
        };
        self.pairs
            .find(hash_of((source.0, name)), is_it)
            .map(AggregateId)
    }

    /// Every aggregate with this name, the one seen last first.
    pub(super) fn named(&self, name: &str) -> impl Iterator<Item = AggregateId> + '_ {
        let latest = self.latest(hash_of(name), name);
        std::iter::successors(latest, |id| self.same_name.get(id).copied())
    }

    /// The aggregate with a source and a name that has this hash.
    #[inline]
    pub(super) fn intern_hashed(&mut self, source: SourceId, name: &str, hash: u64) -> AggregateId {
        let latest = self.latest(hash, name);
        let known = latest.and_then(|latest| self.find_beside(latest, source, name));
        known.unwrap_or_else(|| self.add(source, name, hash, latest))
    }

    /// A part of the place where a name with this hash stands or would: see [`TagTable::touch`].
    #[inline]
    pub(super) fn touch_name(&self, hash: u64) -> u64 {
        self.by_name.touch(hash)
    }

    /// The aggregate that a name with this hash most likely is, going by a part of the hash alone.
    #[inline]
    pub(super) fn likely(&self, hash: u64) -> Option<AggregateId> {
        self.by_name.find(hash, |_| true).map(AggregateId)
    }

    /// Whether an aggregate has this source and name, byte for byte.
    #[inline]
    pub(super) fn is_named(&self, id: AggregateId, source: SourceId, name: &str) -> bool {
        let row = self.row(id.0);
        row.is_some_and(|row| row.source == source && row.has_name(name, &self.long))
    }

    /// A part of an aggregate's row, so that it is at hand.
    #[inline]
    pub(super) fn touch(&self, id: AggregateId) -> u64 {
        self.row(id.0).map_or(0, |row| u64::from(row.length))
    }

    fn add(
        &mut self,
        source: SourceId,
        name: &str,
        hash: u64,
        latest: Option<AggregateId>,
    ) -> AggregateId {
        let id = AggregateId(self.len());
        let row = Aggregate::new(source, name.as_bytes(), &mut self.long);
        self.rows.push(row);
        let Some(latest) = latest else {
            self.by_name.insert(hash, id.0);
            return id;
        };
        if !self.same_name.contains_key(&latest) {
            let pair = hash_of((self.source(latest).0, name));
            self.pairs.insert(pair, latest.0);
        }
        self.pairs.insert(hash_of((source.0, name)), id.0);
        self.same_name.insert(id, latest);
        self.by_name.replace(hash, id.0, |index| index == latest.0);
        id
    }
}

/// All names of one history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) sources: Texts,
    pub(super) aggregates: Aggregates,
    pub(super) orders: Texts,
    pub(super) words: Texts,
}

impl Names {
    pub(super) fn source(&mut self, text: &str) -> SourceId {
        SourceId(self.sources.intern(text))
    }

    pub(super) fn order(&mut self, text: &str) -> OrderId {
        OrderId(self.orders.intern(text))
    }

    pub(super) fn word(&mut self, text: &str) -> WordId {
        WordId(self.words.intern(text))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::*;
    use crate::model::compact::with_colliding_hashes;

    impl Aggregates {
        fn intern(&mut self, source: SourceId, name: &str) -> AggregateId {
            self.intern_hashed(source, name, hash_of(name))
        }
    }

    #[test]
    fn a_pair_is_not_the_concatenation_of_its_parts() {
        let mut names = Names::default();
        let a = names.source("urn:a");
        let ab = names.source("urn:a:b");
        let first = names.aggregates.intern(a, "b:1");
        let second = names.aggregates.intern(ab, "1");
        let third = names.aggregates.intern(ab, "b:1");
        assert_ne!(first, second);
        assert_eq!(names.aggregates.intern(a, "b:1"), first);
        let all: Vec<_> = names.aggregates.named("b:1").collect();
        assert_eq!(all, [third, first]);
        assert_eq!(names.aggregates.named("none").count(), 0);
    }

    /// With hashes of two bits nearly everything collides, and the bytes still decide.
    #[test]
    fn names_stay_apart_where_hashes_collide() {
        with_colliding_hashes(|| {
            let mut names = Names::default();
            let sources = ["urn:a", "urn:b", "urn:c"].map(|source| names.source(source));
            let mut ids = Vec::new();
            for source in sources {
                for number in 0..60 {
                    let long = if number % 3 == 0 {
                        "-of-many-letters"
                    } else {
                        ""
                    };
                    let name = format!("order-{}{long}", number * (1 + source.0));
                    let id = names.aggregates.intern(source, &name);
                    ids.push((id, source, name));
                }
            }
            for (id, source, name) in &ids {
                assert_eq!(names.aggregates.find(*source, name), Some(*id));
                assert_eq!(names.aggregates.intern(*source, name), *id);
                assert_eq!(names.aggregates.name(*id), name);
                assert_eq!(names.aggregates.source(*id), *source);
                let found: Vec<_> = names.aggregates.named(name).collect();
                let same = ids.iter().rev().filter(|(_, _, known)| known == name);
                assert_eq!(found, same.map(|(id, ..)| *id).collect::<Vec<_>>());
            }
            let longest = "x".repeat(300);
            for name in ["", &longest, "nineteen-characters", "nineteen-characters+"] {
                let id = names.aggregates.intern(sources[1], name);
                assert_eq!(names.aggregates.name(id), name);
                assert_eq!(names.aggregates.find(sources[1], name), Some(id));
            }
            assert_eq!(names.aggregates.len(), 184);
            assert_eq!(names.aggregates.find(sources[1], "order-1"), None);
        });
    }

    #[test]
    fn thousands_of_names_stay_apart() {
        let mut texts = Texts::default();
        for number in 0..5_000 {
            assert_eq!(texts.intern(&format!("order-{number}")), number);
        }
        for number in 0..5_000 {
            assert_eq!(texts.find(&format!("order-{number}")), Some(number));
            assert_eq!(texts.get(number), format!("order-{number}"));
        }
        assert_eq!(texts.find("order-5000"), None);
        assert_eq!(texts.intern(""), 5_000);
        assert_eq!(texts.get(5_000), "");
    }
}
