//! Spellings that differ only by case or compatibility form: likely the same thing, never treated so.
//!
//! Nearly every spelling is its own folded form, under a source that is spelled one way. Those need no
//! entry of their own: the run's names find them. Tables hold only what is spelled oddly.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::Recall;
use super::now::Aggregates;
use crate::model::compact::{TagTable, hash_of};
use crate::model::fold::fold;
use crate::model::{AggregateId, Finding, FindingCode, RecordNo};

/// Sources that fold alike.
#[derive(Debug)]
struct Group {
    first_spelling: String,
    first_record: RecordNo,
}

/// Every spelling seen in an event that passed the envelope.
#[derive(Debug, Default)]
pub(super) struct NearMisses {
    groups: Vec<Group>,
    group_of_spelling: HashMap<String, u32, FixedState>,
    group_of_folded: HashMap<String, u32, FixedState>,
    /// By group and folded name, aggregates that were the first and whose name is not its own fold.
    odd_first: TagTable,
    /// By group and name, the first aggregate under another spelling than the group's first.
    under_others: TagTable,
    /// The group of each aggregate that stands in one of these tables.
    group_of: HashMap<AggregateId, u32, FixedState>,
}

fn hash_in(group: u32, name: &str) -> u64 {
    hash_of((group, name))
}

impl NearMisses {
    /// Learns a source and perhaps an aggregate that was not learned yet, and tells of first sights
    /// of another spelling.
    pub(super) fn learn(
        &mut self,
        (source, aggregate): (&str, Option<AggregateId>),
        record: RecordNo,
        known: &Aggregates,
        recall: &impl Recall,
        findings: &mut Vec<Finding>,
    ) {
        let group = self.learn_source(source, record, findings);
        let Some(id) = aggregate else {
            return;
        };
        if let Some(first) = self.first_of_other_spelling(group, id, known, recall) {
            findings.push(Finding {
                code: FindingCode::NearMissAggregate,
                record: Some(first),
            });
        }
        let is_first_spelling = self
            .groups
            .get(group as usize)
            .is_some_and(|known| known.first_spelling == source);
        if !is_first_spelling
            && self
                .under_other(group, recall.name_of(id), recall)
                .is_none()
        {
            self.under_others
                .insert(hash_in(group, recall.name_of(id)), id.0);
            self.group_of.insert(id, group);
        }
    }

    fn learn_source(&mut self, source: &str, record: RecordNo, findings: &mut Vec<Finding>) -> u32 {
        if let Some(group) = self.group_of_spelling.get(source) {
            return *group;
        }
        let folded = fold(source);
        let known = self.group_of_folded.get(folded.as_ref()).copied();
        let group = known.unwrap_or_else(|| {
            let group = u32::try_from(self.groups.len()).unwrap_or(u32::MAX);
            self.groups.push(Group {
                first_spelling: source.to_owned(),
                first_record: record,
            });
            self.group_of_folded.insert(folded.into_owned(), group);
            group
        });
        self.group_of_spelling.insert(source.to_owned(), group);
        if known.is_some() {
            let known = self.groups.get(group as usize);
            findings.push(Finding {
                code: FindingCode::NearMissSource,
                record: known.map(|known| known.first_record),
            });
        }
        group
    }

    /// The record of the first spelling, where this one is another and is seen for the first time.
    fn first_of_other_spelling(
        &mut self,
        group: u32,
        id: AggregateId,
        learned: &Aggregates,
        recall: &impl Recall,
    ) -> Option<RecordNo> {
        let name = recall.name_of(id);
        let folded = fold(name);
        let is_plain = folded == name;
        let hash = hash_in(group, &folded);
        let is_first = |index| {
            let known = AggregateId(index);
            self.group_of.get(&known) == Some(&group) && fold(recall.name_of(known)) == folded
        };
        let odd = self.odd_first.find(hash, is_first).map(AggregateId);
        let first = if let Some(odd) = odd {
            if recall.name_of(odd) == name {
                return None;
            }
            learned.learned_at(odd)
        } else if is_plain {
            // Whoever came before spells it alike, or this is the first.
            return None;
        } else {
            let plain = self.first_learned(group, &folded, learned, recall);
            if plain.is_none() {
                self.odd_first.insert(hash, id.0);
                self.group_of.insert(id, group);
            }
            plain
        };
        first.filter(|_| self.first_learned(group, name, learned, recall).is_none())
    }

    /// The first record that carried exactly this name under a source of the group.
    fn first_learned(
        &self,
        group: u32,
        name: &str,
        learned: &Aggregates,
        recall: &impl Recall,
    ) -> Option<RecordNo> {
        let spelling = &self.groups.get(group as usize)?.first_spelling;
        let under_first = recall.find_aggregate(spelling, name);
        let under_first = under_first.and_then(|id| learned.learned_at(id));
        let under_other = self.under_other(group, name, recall);
        let under_other = under_other.and_then(|id| learned.learned_at(id));
        match (under_first, under_other) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }

    fn under_other(&self, group: u32, name: &str, recall: &impl Recall) -> Option<AggregateId> {
        if self.under_others.is_empty() {
            return None;
        }
        let is_it = |index| {
            let known = AggregateId(index);
            self.group_of.get(&known) == Some(&group) && recall.name_of(known) == name
        };
        let found = self.under_others.find(hash_in(group, name), is_it);
        found.map(AggregateId)
    }
}
