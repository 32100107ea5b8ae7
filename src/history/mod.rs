//! The append-only run: every screen is a question about a prefix of it.
//!
//! The engine's outcomes are only ever appended: steps, receipts, changes of an aggregate, spans of
//! waiting, the owner's decisions, evidence. "The ledger at step 7" is a length, "this aggregate at
//! step 7" a binary search in its own past, "held at step 7" the spans that contain 7. Time travel
//! needs no snapshots and no undo, and the trace and the screen cannot disagree.
//!
//! - `columns`, `intervals`, `names`: the compact parts it is made of.
//! - `aggregate`, `owner`: the past of one aggregate and of one order.
//! - `append`: how an outcome becomes part of it.
//! - `steps`, `projection`, `evidence`, `gate`: the as-of questions.

mod aggregate;
mod append;
#[cfg(test)]
mod blocks_tests;
mod columns;
mod evidence;
mod gate;
mod intervals;
mod names;
mod owner;
mod projection;
mod signs;
mod steps;

use std::sync::Arc;

use crate::model::{Finding, GateRule, Kind, RecordNo, State, StepNo, Subject, Vocabulary};

pub use evidence::{EvidenceCounts, EvidenceStatus};
pub use gate::Gate;
pub use owner::{Compensation, OwnerOrder, Review};
pub use projection::{Held, Projection, Standing};
pub use signs::Sign;
pub use steps::{Step, evidence_name};

use columns::{Lines, Sparse, Versions};

/// What a history needs to know of the contract to answer for itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The reasons that steps can have.
    pub vocabulary: Vocabulary,
    /// Whether payloads name their schema's version, so that receipts do too.
    pub has_schema_version: bool,
    /// Whether versions say which transition is next.
    pub has_versions: bool,
    /// The first version of an aggregate.
    pub first_version: u64,
    /// The gate, if the contract has one.
    pub gate: Option<GateRule>,
}

/// Where each record lies, in capture order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Records {
    offsets: Vec<u64>,
    lengths: Vec<u32>,
    lines: Lines,
}

/// What every step has, and what only some have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Steps {
    records: Vec<u32>,
    kinds_and_states: Vec<u8>,
    subjects: Vec<u32>,
    versions: Versions,
    reasons: Sparse<crate::model::ReasonId>,
    firsts: Sparse<RecordNo>,
    counts: Sparse<u32>,
    released_by: Sparse<StepNo>,
    finding_starts: Sparse<u32>,
    findings: Vec<Finding>,
    /// Steps that assumed a baseline, in order.
    assumed: Vec<StepNo>,
    signs: signs::Signs,
    /// Counts by state before every 1,024th step.
    state_counts: Vec<[u32; State::ALL.len()]>,
}

/// One run of the engine over one capture, so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    terms: Arc<Terms>,
    records: Records,
    steps: Steps,
    names: names::Names,
    aggregates: Vec<aggregate::Past>,
    orders: Vec<owner::OrderPast>,
    compensations: Vec<Compensation>,
    /// Steps that wrote a receipt, in order.
    receipts: Vec<StepNo>,
    evidence: evidence::Evidence,
    /// Aggregates that were ever in trouble, in the order they got there.
    troubled: Vec<crate::model::AggregateId>,
}

impl History {
    /// An empty run under these terms.
    pub fn new(terms: Arc<Terms>) -> Self {
        Self {
            terms,
            records: Records::default(),
            steps: Steps::default(),
            names: names::Names::default(),
            aggregates: Vec::new(),
            orders: Vec::new(),
            compensations: Vec::new(),
            receipts: Vec::new(),
            evidence: evidence::Evidence::default(),
            troubled: Vec::new(),
        }
    }

    /// What the history knows of the contract.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The last step so far; `StepNo(0)` while there is none.
    pub fn last_step(&self) -> StepNo {
        StepNo(length(self.steps.records.len()))
    }

    /// The last record so far; `RecordNo(0)` while there is none.
    pub fn last_record(&self) -> RecordNo {
        RecordNo(length(self.records.offsets.len()))
    }
}

fn length(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Kind and state in one byte.
fn pack(kind: Kind, state: State) -> u8 {
    (kind as u8) << 4 | state as u8
}

fn unpack(packed: u8) -> (Kind, State) {
    let kind = Kind::ALL
        .get(usize::from(packed >> 4))
        .copied()
        .unwrap_or(Kind::Unreadable);
    let state = State::ALL
        .get(usize::from(packed & 15))
        .copied()
        .unwrap_or(State::Unreadable);
    (kind, state)
}

/// A subject in four bytes: nothing, or an index with one bit for the side it is on.
fn pack_subject(subject: Subject) -> u32 {
    match subject {
        Subject::Unknown => 0,
        Subject::Aggregate(id) => id.0 * 2 + 1,
        Subject::Order(id) => id.0 * 2 + 2,
    }
}

fn unpack_subject(packed: u32) -> Subject {
    match packed {
        0 => Subject::Unknown,
        odd if odd % 2 == 1 => Subject::Aggregate(crate::model::AggregateId(odd / 2)),
        even => Subject::Order(crate::model::OrderId(even / 2 - 1)),
    }
}
