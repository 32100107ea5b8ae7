//! Dedup: has this consumer already applied this source and id?
//!
//! No ids are kept. A table of hash tag and record says which earlier record to compare with; the
//! answer is always taken from the bytes.

use hashbrown::HashTable;

use super::{Engine, Key, Recall};
use crate::model::{Finding, FindingCode, Instant, RecordNo};

#[derive(Clone, Copy, Debug)]
struct Entry {
    tag: u32,
    record: RecordNo,
}

/// The latest receipt of every (source, id), by hash tag.
#[derive(Debug, Default)]
pub(super) struct Receipts {
    table: HashTable<Entry>,
    /// When each receipt's record was received; kept only where receipts expire.
    received_at: hashbrown::HashMap<RecordNo, Instant, foldhash::fast::FixedState>,
}

/// What dedup found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dedup {
    /// No receipt, or only an expired one: go on.
    Passes,
    /// Applied before, by this record.
    Suppressed {
        /// The receipt's record.
        first: RecordNo,
        /// Whether that record carried other content.
        other_content: bool,
    },
}

fn tag_of(key_hash: u64) -> u32 {
    (key_hash >> 32) as u32
}

/// The table's own hash comes from the tag alone, so that growing needs no stored hash.
pub(super) fn spread(tag: u32) -> u64 {
    u64::from(tag).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl Receipts {
    /// The record of the latest receipt for the key that `record` carries.
    pub(super) fn find(
        &self,
        key_hash: u64,
        record: RecordNo,
        recall: &mut impl Recall,
    ) -> Option<RecordNo> {
        let tag = tag_of(key_hash);
        let same = |entry: &Entry| entry.tag == tag && recall.same_key(entry.record, record);
        self.table.find(spread(tag), same).map(|entry| entry.record)
    }

    /// Makes `record`'s receipt the latest for its key.
    pub(super) fn record(&mut self, key_hash: u64, record: RecordNo, recall: &mut impl Recall) {
        let tag = tag_of(key_hash);
        let same = |entry: &Entry| entry.tag == tag && recall.same_key(entry.record, record);
        match self.table.find_mut(spread(tag), same) {
            Some(entry) => entry.record = record,
            None => {
                self.table
                    .insert_unique(spread(tag), Entry { tag, record }, |entry| {
                        spread(entry.tag)
                    });
            }
        }
    }
}

impl Engine {
    /// The stage for one event; what it finds goes to `findings`.
    pub(super) fn dedup(
        &self,
        key: &Key,
        recall: &mut impl Recall,
        findings: &mut Vec<Finding>,
    ) -> Dedup {
        let Some(first) = self.receipts.find(key.hash, key.record, recall) else {
            return Dedup::Passes;
        };
        if self.has_expired(first, key.received_at) {
            findings.push(Finding {
                code: FindingCode::ReceiptExpired,
                record: Some(first),
            });
            return Dedup::Passes;
        }
        let other_content = !recall.same_content(first, key.record);
        if other_content {
            findings.push(Finding {
                code: FindingCode::EventIdReused,
                record: Some(first),
            });
        }
        Dedup::Suppressed {
            first,
            other_content,
        }
    }

    fn has_expired(&self, receipt: RecordNo, now: Option<Instant>) -> bool {
        let expired = || {
            let days = self.contract.receipt_retention_days?;
            let then = self.receipts.received_at.get(&receipt)?;
            Some(now?.is_later_by_days(*then, days))
        };
        expired().unwrap_or(false)
    }

    /// Writes the receipt of an applied event.
    pub(super) fn write_receipt(&mut self, key: &Key, recall: &mut impl Recall) {
        self.receipts.record(key.hash, key.record, recall);
        if let Some(at) = key
            .received_at
            .filter(|_| self.contract.receipt_retention_days.is_some())
        {
            self.receipts.received_at.insert(key.record, at);
        }
    }
}
