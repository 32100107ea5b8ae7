//! What the engine asks of the run so far and of earlier records' bytes, and where its decisions go.

use crate::model::{AggregateId, Instant, OrderId, Outcome, RecordNo, StepNo, WordId};

/// The engine's only door to the outside. A test stands in for it as easily as a file.
pub trait Recall {
    /// The index of the aggregate with this source and id; the empty source where none was readable.
    fn aggregate(&mut self, source: &str, name: &str) -> AggregateId;
    /// The same, where the hash of the name (`compact::hash_of`) is known already.
    fn aggregate_hashed(&mut self, source: &str, name: &str, _hash: u64) -> AggregateId {
        self.aggregate(source, name)
    }
    /// The index of an order on the owner's side.
    fn order(&mut self, name: &str) -> OrderId;
    /// The order with this id, if any record has named it.
    fn find_order(&self, name: &str) -> Option<OrderId>;
    /// The index of a state, a status or an outside reason.
    fn word(&mut self, word: &str) -> WordId;
    /// The text of such an index.
    fn word_text(&self, word: WordId) -> &str;
    /// An aggregate's id within its source.
    fn name_of(&self, id: AggregateId) -> &str;
    /// The aggregate with this source and id, if any record has named it.
    fn find_aggregate(&self, source: &str, name: &str) -> Option<AggregateId>;
    /// The record that was applied as this version of an aggregate.
    fn holder(&self, id: AggregateId, version: u64) -> Option<RecordNo>;
    /// The record that was applied last to an aggregate.
    fn last_applied(&self, id: AggregateId) -> Option<RecordNo>;
    /// The event's own time in an earlier (or this) record.
    fn event_time(&mut self, record: RecordNo) -> Option<Instant>;
    /// Whether two records carry the same (source, id), compared on the decoded bytes.
    fn same_key(&mut self, one: RecordNo, other: RecordNo) -> bool;
    /// Whether two records carry the same content (contract.md, "Same content").
    fn same_content(&mut self, one: RecordNo, other: RecordNo) -> bool;
    /// A hash of what "same content" compares: the same content has the same hash.
    fn content_hash(&mut self, record: RecordNo) -> u64;
    /// The steps that carried this version and were refused, whose evidence an apply still closes,
    /// in order.
    fn refused(&self, id: AggregateId, version: u64, tell: &mut dyn FnMut(StepNo));
    /// Appends a decision to the run; its step number comes back.
    fn append(&mut self, outcome: &Outcome<'_>) -> StepNo;
}
