//! Names kept once: sources, aggregates, orders, and the words of states and reasons.
//!
//! A hash alone is no identity: every hit is compared on the bytes.

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

use crate::model::{AggregateId, OrderId, SourceId, WordId};

/// Texts by index and indexes by text; the bytes lie end to end.
#[derive(Clone, Default)]
pub(super) struct Texts {
    bytes: String,
    ends: Vec<usize>,
    table: HashTable<u32>,
    /// The text that was asked for last: the next record's source is nearly always the same.
    recent: u32,
}

impl std::fmt::Debug for Texts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries((0..self.len()).map(|index| self.get(index)))
            .finish()
    }
}

impl PartialEq for Texts {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes && self.ends == other.ends
    }
}

impl Eq for Texts {}

fn hash_of(value: impl std::hash::Hash) -> u64 {
    FixedState::default().hash_one(value)
}

fn text_at<'a>(bytes: &'a str, ends: &[usize], index: u32) -> &'a str {
    let index = index as usize;
    let start = index
        .checked_sub(1)
        .and_then(|before| ends.get(before))
        .copied()
        .unwrap_or(0);
    let end = ends.get(index).copied().unwrap_or(start);
    bytes.get(start..end).unwrap_or("")
}

fn index_of(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

impl Texts {
    pub(super) fn len(&self) -> u32 {
        index_of(self.ends.len())
    }

    pub(super) fn get(&self, index: u32) -> &str {
        text_at(&self.bytes, &self.ends, index)
    }

    pub(super) fn find(&self, text: &str) -> Option<u32> {
        self.table
            .find(hash_of(text), |index| self.get(*index) == text)
            .copied()
    }

    pub(super) fn intern(&mut self, text: &str) -> u32 {
        if self.recent < self.len() && self.get(self.recent) == text {
            return self.recent;
        }
        if let Some(index) = self.find(text) {
            self.recent = index;
            return index;
        }
        let index = self.append(text);
        let Self {
            bytes, ends, table, ..
        } = self;
        table.insert_unique(hash_of(text), index, |known| {
            hash_of(text_at(bytes, ends, *known))
        });
        index
    }

    /// Keeps a text without making it findable.
    fn append(&mut self, text: &str) -> u32 {
        let index = self.len();
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
        index
    }
}

/// Aggregates: pairs of source and id, compared byte for byte.
#[derive(Clone, Default)]
pub(super) struct Aggregates {
    names: Texts,
    sources: Vec<SourceId>,
    /// The aggregate with the same name that was seen before this one (under another source).
    same_name: Vec<Option<AggregateId>>,
    pairs: HashTable<u32>,
    latest_by_name: HashTable<u32>,
}

impl std::fmt::Debug for Aggregates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Aggregates")
            .field("names", &self.names)
            .field("sources", &self.sources)
            .finish_non_exhaustive()
    }
}

impl PartialEq for Aggregates {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
            && self.sources == other.sources
            && self.same_name == other.same_name
    }
}

impl Eq for Aggregates {}

impl Aggregates {
    pub(super) fn len(&self) -> u32 {
        self.names.len()
    }

    pub(super) fn name(&self, id: AggregateId) -> &str {
        self.names.get(id.0)
    }

    pub(super) fn source(&self, id: AggregateId) -> SourceId {
        self.sources
            .get(id.0 as usize)
            .copied()
            .unwrap_or(SourceId(0))
    }

    pub(super) fn find(&self, source: SourceId, name: &str) -> Option<AggregateId> {
        let hit = |index: &u32| {
            self.names.get(*index) == name && self.source(AggregateId(*index)) == source
        };
        self.pairs
            .find(hash_of((source.0, name)), hit)
            .copied()
            .map(AggregateId)
    }

    /// Every aggregate with this name, the one seen last first.
    pub(super) fn named(&self, name: &str) -> impl Iterator<Item = AggregateId> + '_ {
        let latest = self
            .latest_by_name
            .find(hash_of(name), |index| self.names.get(*index) == name);
        std::iter::successors(latest.copied().map(AggregateId), |id| {
            self.same_name.get(id.0 as usize).copied().flatten()
        })
    }

    pub(super) fn intern(&mut self, source: SourceId, name: &str) -> AggregateId {
        if let Some(known) = self.find(source, name) {
            return known;
        }
        let before = self.named(name).next();
        let index = self.names.append(name);
        self.sources.push(source);
        self.same_name.push(before);
        let Self {
            names,
            sources,
            pairs,
            latest_by_name,
            ..
        } = self;
        pairs.insert_unique(hash_of((source.0, name)), index, |known| {
            let source = sources.get(*known as usize).map_or(0, |source| source.0);
            hash_of((source, names.get(*known)))
        });
        match latest_by_name.find_mut(hash_of(name), |known| names.get(*known) == name) {
            Some(latest) => *latest = index,
            None => {
                latest_by_name
                    .insert_unique(hash_of(name), index, |known| hash_of(names.get(*known)));
            }
        }
        AggregateId(index)
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
    use super::*;

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
