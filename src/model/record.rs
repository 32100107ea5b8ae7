//! A record taken apart: what the engine needs to know of it, borrowed from its bytes.
//!
//! Everything that can be told from one record and the contract alone is already in here, so that it
//! can be worked out on any thread; what needs the past is the engine's.

use std::borrow::Cow;

use super::finding::FindingCode;
use super::ids::ReasonId;
use super::instant::Instant;
use super::state::Kind;

/// One record, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// `receivedAt` of a native record, where it is a valid time.
    pub received_at: Option<Instant>,
    /// What the record holds.
    pub body: Body<'a>,
}

/// What a record holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body<'a> {
    /// It could not be taken apart, for this reason.
    Unreadable(ReasonId),
    /// An event on its way to a consumer.
    Delivery(Delivery<'a>),
    /// Something from the owner's side, or an operator's baseline.
    Statement(Statement<'a>),
}

/// An event on its way to a consumer, with the verdict of the stages that look at it alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery<'a> {
    /// The event's `source` where it is a string, empty or not.
    pub source: Option<Cow<'a, str>>,
    /// The event's `id` where it is a string, empty or not.
    pub id: Option<Cow<'a, str>>,
    /// The aggregate's id, where it is a non-empty string, or the contract's default for it.
    pub aggregate: Option<Cow<'a, str>>,
    /// The hash of the aggregate's id (`compact::hash_of`), by which the run finds it; 0 without one.
    pub aggregate_hash: u64,
    /// The version, where it is an integer in 0 … 2^64 − 1.
    pub version: Option<u64>,
    /// A hash of (source, id), decoded; equal identities have equal hashes.
    pub key_hash: u64,
    /// A hash of what "same content" compares; only where the contract has no versions, else 0.
    pub content_hash: u64,
    /// How far it gets by itself.
    pub passage: Passage,
    /// The state it would bring, where the payload passes.
    pub state: Option<Cow<'a, str>>,
    /// What was found on the way.
    pub findings: RecordFindings,
}

/// How far a delivery gets through the stages that look at one record alone. Declared so that each
/// stage's refusal implies that the stages before it passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    /// Addressed to another consumer.
    OtherConsumer,
    /// The envelope is refused: `rejected`.
    EnvelopeRejected(ReasonId),
    /// The schema version is not accepted: `contract-update-required`.
    SchemaNotAccepted,
    /// The type is one that the contract ignores.
    TypeIgnored,
    /// The payload breaks the contract: `rejected`.
    PayloadRejected(ReasonId),
    /// The payload needs a newer contract: `contract-update-required`.
    PayloadUnknown(ReasonId),
    /// All of them pass.
    Whole,
}

/// Findings that one record and the contract alone show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordFindings(u8);

impl RecordFindings {
    const CODES: [FindingCode; 5] = [
        FindingCode::DataschemaMismatch,
        FindingCode::DefaultUsed,
        FindingCode::SourceDiffersOnlyByCase,
        FindingCode::SubjectMismatch,
        FindingCode::VersionBeyondDouble,
    ];

    /// Adds one of the five findings that a record can show by itself; others are not kept.
    pub fn add(&mut self, code: FindingCode) {
        for (bit, known) in Self::CODES.iter().enumerate() {
            if *known == code {
                self.0 |= 1 << bit;
            }
        }
    }

    /// What was found, by name.
    pub fn codes(self) -> impl Iterator<Item = FindingCode> {
        Self::CODES
            .into_iter()
            .enumerate()
            .filter(move |(bit, _)| self.0 & (1 << bit) != 0)
            .map(|(_, code)| code)
    }
}

impl Delivery<'_> {
    /// The identity (source, id), where both are non-empty strings.
    pub fn key(&self) -> Option<(&str, &str)> {
        let source = self.source.as_deref().filter(|text| !text.is_empty())?;
        let id = self.id.as_deref().filter(|text| !text.is_empty())?;
        Some((source, id))
    }
}

/// An owner's or operator's record: `order`, `refusal` or `baseline`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement<'a> {
    /// Which of the three.
    pub kind: Kind,
    /// The source that a baseline speaks of.
    pub source: Option<Cow<'a, str>>,
    /// `id`, `orderId` or `aggregate`, where it is a non-empty string.
    pub aggregate: Option<Cow<'a, str>>,
    /// `version` or `orderVersion`, where it is an integer in 0 … 2^64 − 1.
    pub version: Option<u64>,
    /// `status`, `reason` or `state`, where it is a non-empty string.
    pub word: Option<Cow<'a, str>>,
    /// Why it is refused before anything else is looked at.
    pub refused: Option<ReasonId>,
}
