//! Dedup: has this consumer already applied this source and id?
//!
//! No ids are kept. A table of hash tag and record says which earlier record to compare with; the
//! answer is always taken from the bytes.

use super::{Engine, Key, Recall};
use crate::model::compact::{Column, TagTable};
use crate::model::{Finding, FindingCode, Instant, RecordNo};

/// The latest receipt of every (source, id), by hash tag.
#[derive(Debug, Default)]
pub(super) struct Receipts {
    table: TagTable,
    /// When each record was received that wrote a receipt; kept only where receipts expire.
    received_at: Column<Option<Instant>>,
}

/// What dedup found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dedup {
    /// Go on.
    Passes {
        /// There is a receipt, which has expired.
        has_expired: bool,
    },
    /// Applied before, by this record.
    Suppressed {
        /// The receipt's record.
        first: RecordNo,
        /// Whether that record carried other content.
        other_content: bool,
    },
}

impl Receipts {
    /// A part of the place where a receipt stands or would, so that it is at hand.
    #[inline]
    pub(super) fn touch(&self, key_hash: u64) -> u64 {
        self.table.touch(key_hash)
    }

    /// The record of the latest receipt for the key that `record` carries.
    pub(super) fn find(
        &self,
        key_hash: u64,
        record: RecordNo,
        recall: &mut impl Recall,
    ) -> Option<RecordNo> {
        let same = |known| recall.same_key(RecordNo(known), record);
        self.table.find(key_hash, same).map(RecordNo)
    }

    /// Makes `record`'s receipt the latest for its key, in the place of one that `has_expired`.
    fn record(
        &mut self,
        key_hash: u64,
        record: RecordNo,
        has_expired: bool,
        recall: &mut impl Recall,
    ) {
        let same = |known| recall.same_key(RecordNo(known), record);
        if !has_expired || !self.table.replace(key_hash, record.0, same) {
            self.table.insert(key_hash, record.0);
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
            return Dedup::Passes { has_expired: false };
        };
        if self.has_expired(first, key.received_at) {
            findings.push(Finding {
                code: FindingCode::ReceiptExpired,
                record: Some(first),
            });
            return Dedup::Passes { has_expired: true };
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
            let then = self.receipts.received_at.get(receipt.0 as usize)?;
            Some(now?.is_later_by_days(then?, days))
        };
        expired().unwrap_or(false)
    }

    /// Writes the receipt of an applied event, which dedup let pass just before.
    pub(super) fn write_receipt(&mut self, key: &Key, has_expired: bool, recall: &mut impl Recall) {
        self.receipts
            .record(key.hash, key.record, has_expired, recall);
        if let Some(at) = key
            .received_at
            .filter(|_| self.contract.receipt_retention_days.is_some())
        {
            let slot = self.receipts.received_at.slot(key.record.0 as usize, None);
            if let Some(slot) = slot {
                *slot = Some(at);
            }
        }
    }
}
