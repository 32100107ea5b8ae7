//! Spellings that differ only by case or compatibility form: likely the same thing, never treated so.

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashTable};
use std::hash::BuildHasher;

use super::Recall;
use super::dedup::spread;
use crate::model::fold::fold;
use crate::model::{AggregateId, Finding, FindingCode, RecordNo};

/// Sources that fold alike.
#[derive(Debug)]
struct Group {
    spellings: Vec<String>,
    first_record: RecordNo,
}

#[derive(Clone, Copy, Debug)]
struct FirstSpelling {
    /// A part of the hash, from which the table's own is spread: 16 bytes an aggregate.
    tag: u32,
    group: u32,
    aggregate: AggregateId,
    record: RecordNo,
}

/// Every spelling seen in an event that passed the envelope.
#[derive(Debug, Default)]
pub(super) struct NearMisses {
    groups: Vec<Group>,
    group_of_spelling: HashMap<String, usize, FixedState>,
    group_of_folded: HashMap<String, usize, FixedState>,
    first_spellings: HashTable<FirstSpelling>,
    /// By aggregate: whether an event that passed the envelope carried it.
    learned: Vec<bool>,
}

impl NearMisses {
    /// Learns a source and perhaps an aggregate, and tells of first sights of another spelling.
    pub(super) fn learn(
        &mut self,
        source: &str,
        aggregate: Option<AggregateId>,
        record: RecordNo,
        recall: &impl Recall,
        findings: &mut Vec<Finding>,
    ) {
        if aggregate.is_some_and(|id| self.is_learned(id)) {
            return;
        }
        let group = self.learn_source(source, record, findings);
        let Some(id) = aggregate else {
            return;
        };
        if let Some(first) = self.first_of_other_spelling(group, id, record, recall) {
            findings.push(Finding {
                code: FindingCode::NearMissAggregate,
                record: Some(first),
            });
        }
        let index = id.0 as usize;
        if self.learned.len() <= index {
            self.learned.resize(index + 1, false);
        }
        if let Some(learned) = self.learned.get_mut(index) {
            *learned = true;
        }
    }

    fn is_learned(&self, id: AggregateId) -> bool {
        self.learned.get(id.0 as usize).copied().unwrap_or(false)
    }

    fn learn_source(
        &mut self,
        source: &str,
        record: RecordNo,
        findings: &mut Vec<Finding>,
    ) -> usize {
        if let Some(group) = self.group_of_spelling.get(source) {
            return *group;
        }
        let groups = &mut self.groups;
        let group = *self
            .group_of_folded
            .entry(fold(source).into_owned())
            .or_insert_with(|| {
                groups.push(Group {
                    spellings: Vec::new(),
                    first_record: record,
                });
                groups.len() - 1
            });
        self.group_of_spelling.insert(source.to_owned(), group);
        if let Some(known) = self.groups.get_mut(group) {
            if !known.spellings.is_empty() {
                findings.push(Finding {
                    code: FindingCode::NearMissSource,
                    record: Some(known.first_record),
                });
            }
            known.spellings.push(source.to_owned());
        }
        group
    }

    /// The record of the first spelling, where this one is another and is seen for the first time.
    fn first_of_other_spelling(
        &mut self,
        group: usize,
        id: AggregateId,
        record: RecordNo,
        recall: &impl Recall,
    ) -> Option<RecordNo> {
        let name = recall.name_of(id);
        let folded = fold(name);
        let tag = (FixedState::default().hash_one((group, folded.as_ref())) >> 32) as u32;
        let group_number = u32::try_from(group).unwrap_or(u32::MAX);
        let is_same = |first: &FirstSpelling| {
            first.tag == tag
                && first.group == group_number
                && fold(recall.name_of(first.aggregate)) == folded
        };
        let Some(first) = self.first_spellings.find(spread(tag), is_same) else {
            let first = FirstSpelling {
                tag,
                group: group_number,
                aggregate: id,
                record,
            };
            self.first_spellings
                .insert_unique(spread(tag), first, |known| spread(known.tag));
            return None;
        };
        let spellings = self
            .groups
            .get(group)
            .map_or(&[][..], |group| group.spellings.as_slice());
        let seen = recall.name_of(first.aggregate) == name
            || spellings.iter().any(|source| {
                recall
                    .find_aggregate(source, name)
                    .is_some_and(|other| self.is_learned(other))
            });
        (!seen).then_some(first.record)
    }
}
