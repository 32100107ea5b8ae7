//! The contract's decisions, in capture order: pure, total, without a clock and without I/O.
//!
//! Records come in already taken apart, with the verdict of the stages that look at them alone (read,
//! addressee, envelope, schema, payload). Here are the stages that look at the past, one file each,
//! and `pipeline.rs`, the one place that branches over them all:
//!
//! ```text
//! record --> pipeline: envelope? schema? --> dedup --> payload? --> version --> apply --> replay
//!                                              |                      |           |         |
//!                                           receipts               waiting     changes    cascade
//! ```
//!
//! What the engine must know of earlier records' bytes, and of the run so far, it asks through
//! [`Recall`]; what it decides, it appends through it too. Its own tables only speed up what the run
//! already says.

mod apply;
mod decision;
mod dedup;
mod evidence;
mod gaps;
mod near_miss;
mod now;
mod owner;
mod pipeline;
mod recall;
mod replay;
mod version;
mod waiting;

use std::sync::Arc;

use crate::contract::Contract;
use crate::model::{AggregateId, Instant, RecordNo, WordId};

pub use recall::Recall;

/// Version of the engine's rules, as a case file names it. It changes whenever a record could get
/// another state, reason or finding than before.
pub const VERSION: &str = "1";

/// How the engine starts an aggregate that the capture shows in mid-stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BaselinePolicy {
    /// Nothing is assumed: the first version is the contract's.
    #[default]
    None,
    /// `--baseline first-seen`: whatever comes first is taken to be next.
    FirstSeen,
}

/// The engine: one contract, one consumer, records in capture order.
#[derive(Debug)]
pub struct Engine {
    contract: Arc<Contract>,
    baseline: BaselinePolicy,
    last_received_at: Option<Instant>,
    aggregates: now::Aggregates,
    receipts: dedup::Receipts,
    waiting: waiting::Waiting,
    near_misses: near_miss::NearMisses,
    contents: apply::Contents,
    gate_words: apply::GateWords,
    orders: owner::Orders,
    open: evidence::OpenEvidence,
    scratch: pipeline::Scratch,
}

impl Engine {
    /// An engine that has seen nothing.
    pub fn new(contract: Arc<Contract>, baseline: BaselinePolicy) -> Self {
        let first_version = contract.version.as_ref().map(|rule| rule.first);
        Self {
            contract,
            baseline,
            last_received_at: None,
            aggregates: now::Aggregates::new(first_version),
            receipts: dedup::Receipts::default(),
            waiting: waiting::Waiting::default(),
            near_misses: near_miss::NearMisses::default(),
            contents: apply::Contents::default(),
            gate_words: apply::GateWords::default(),
            orders: owner::Orders::default(),
            open: evidence::OpenEvidence::default(),
            scratch: pipeline::Scratch::default(),
        }
    }

    /// A part of what deciding on a key needs, to bring it near: see `session`'s look ahead.
    #[inline]
    pub fn touch_key(&self, key_hash: u64) -> u64 {
        self.receipts.touch(key_hash)
    }

    /// The same for an aggregate.
    #[inline]
    pub fn touch_aggregate(&self, id: AggregateId) -> u64 {
        self.aggregates.touch(id)
    }

    fn first_version(&self) -> Option<u64> {
        self.contract.version.as_ref().map(|rule| rule.first)
    }
}

/// The identity of an event on its way through the stages that look at the past.
#[derive(Clone, Copy, Debug)]
struct Key {
    record: RecordNo,
    hash: u64,
    received_at: Option<Instant>,
}

/// An event whose payload passed: a delivery, or its replay.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    key: Key,
    aggregate: AggregateId,
    /// 0 where the contract has no versions; the version stage is skipped then.
    version: u64,
    content_hash: u64,
    state: WordId,
}
