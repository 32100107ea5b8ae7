//! What the list shows of records, asked for once: only of those in sight, and only so many kept.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{RecordNo, RowText};

/// Records whose text is kept.
const MOST: usize = 4_096;

/// Texts of rows that are or were in sight.
#[derive(Debug, Default)]
pub(super) struct RowCache {
    rows: BTreeMap<RecordNo, RowText>,
    asked: BTreeSet<RecordNo>,
}

impl RowCache {
    /// What is known of a record.
    pub(super) fn get(&self, record: RecordNo) -> Option<&RowText> {
        self.rows.get(&record)
    }

    /// Takes in answers.
    pub(super) fn take(&mut self, rows: Vec<(RecordNo, RowText)>) {
        if self.rows.len() + rows.len() > MOST {
            // What is in sight is asked for again.
            self.rows.clear();
        }
        for (record, text) in rows.into_iter().take(MOST) {
            self.asked.remove(&record);
            self.rows.insert(record, text);
        }
    }

    /// Those of `wanted` that are neither known nor asked for; they count as asked for from now on.
    pub(super) fn ask(&mut self, wanted: impl IntoIterator<Item = RecordNo>) -> Vec<RecordNo> {
        if self.asked.len() > MOST {
            self.asked.clear();
        }
        let mut missing = Vec::new();
        for record in wanted {
            if !self.rows.contains_key(&record) && self.asked.insert(record) {
                missing.push(record);
            }
        }
        missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_asked_for_once_and_the_cache_is_bounded() {
        let mut cache = RowCache::default();
        let both = [RecordNo(1), RecordNo(2)];
        assert_eq!(cache.ask(both), both);
        assert_eq!(cache.ask(both), []);
        cache.take(vec![(RecordNo(1), RowText::default())]);
        assert_eq!(cache.ask(both), []);
        assert!(cache.get(RecordNo(1)).is_some());
        for number in 0..20_000 {
            cache.take(vec![(RecordNo(number), RowText::default())]);
        }
        assert!(cache.rows.len() <= MOST);
        assert_eq!(cache.ask([RecordNo(1)]), [RecordNo(1)]);
    }
}
