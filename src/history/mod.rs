//! The append-only run: every screen is a question about a prefix of it.
//!
//! The engine's outcomes are only ever appended: steps, receipts, changes of an aggregate, spans of
//! waiting, the owner's decisions, evidence. "The ledger at step 7" is a length, "this aggregate at
//! step 7" a binary search in its own past, "held at step 7" the spans that contain 7. Time travel
//! needs no snapshots and no undo, and the trace and the screen cannot disagree.
//!
//! - `columns`, `intervals`, `names`: the compact parts it is made of.
//! - `pasts`, `troubles`, `owner`: the past of one aggregate and of one order.
//! - `append`: how an outcome becomes part of it.
//! - `steps`, `projection`, `evidence`, `gate`: the as-of questions.

mod append;
#[cfg(test)]
mod blocks_tests;
mod columns;
mod evidence;
mod gate;
mod intervals;
mod names;
mod owner;
mod pasts;
mod projection;
mod signs;
mod steps;
mod troubles;

use std::sync::Arc;

use crate::model::compact::Column;
use crate::model::{
    AggregateId, Finding, GateRule, Kind, RecordNo, State, StepNo, Subject, Vocabulary,
};

pub use evidence::{EvidenceCounts, EvidenceStatus};
pub use gate::Gate;
pub use owner::{Compensation, OwnerOrder, Review};
pub use projection::{Held, Projection, Standing};
pub use signs::Sign;
pub use steps::{Step, evidence_name};

pub(crate) use columns::Records;
use columns::{Sparse, Versions};

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

/// What every step has, and what only some have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Steps {
    kinds_and_states: Column<u8>,
    subjects: Column<u32>,
    versions: Versions,
    links: pasts::Links,
    reasons: Sparse<crate::model::ReasonId>,
    firsts: Sparse<RecordNo>,
    counts: Sparse<u32>,
    /// Every other step is its record's delivery, so that the record follows from the step.
    replays: Sparse<Replay>,
    finding_starts: Sparse<u32>,
    findings: Vec<Finding>,
    /// Steps that assumed a baseline, in order.
    assumed: Column<u32>,
    signs: signs::Signs,
    /// Counts by state before every 1,024th step.
    state_counts: Column<[u32; State::ALL.len()]>,
}

/// What a replay is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Replay {
    /// The record that waited.
    record: RecordNo,
    /// The step that began the cascade.
    released_by: StepNo,
}

impl Steps {
    /// The aggregate and version that a step carried.
    fn carried(&self, step: StepNo) -> Option<(AggregateId, u64)> {
        let subject = self.subjects.get(step.0.checked_sub(1)? as usize)?;
        match unpack_subject(subject) {
            Subject::Aggregate(id) => Some((id, self.versions.get(step.0)?)),
            Subject::Unknown | Subject::Order(_) => None,
        }
    }
}

/// One run of the engine over one capture, so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    terms: Arc<Terms>,
    records: Records,
    steps: Steps,
    names: names::Names,
    aggregates: pasts::Pasts,
    troubles: troubles::Troubles,
    owner: owner::Owner,
    evidence: evidence::Evidence,
}

impl History {
    /// An empty run under these terms.
    pub fn new(terms: Arc<Terms>) -> Self {
        Self {
            terms,
            records: Records::default(),
            steps: Steps::default(),
            names: names::Names::default(),
            aggregates: pasts::Pasts::default(),
            troubles: troubles::Troubles::default(),
            owner: owner::Owner::default(),
            evidence: evidence::Evidence::default(),
        }
    }

    /// What the history knows of the contract.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The last step so far; `StepNo(0)` while there is none.
    pub fn last_step(&self) -> StepNo {
        StepNo(length(self.steps.kinds_and_states.len()))
    }

    /// The last record so far; `RecordNo(0)` while there is none.
    pub fn last_record(&self) -> RecordNo {
        RecordNo(length(self.records.len()))
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
        odd if odd % 2 == 1 => Subject::Aggregate(AggregateId(odd / 2)),
        even => Subject::Order(crate::model::OrderId(even / 2 - 1)),
    }
}
