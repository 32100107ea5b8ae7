//! Numbers that must not be mixed up: records, steps, aggregates and what is interned.
//!
//! Our own indexes (`AggregateId`, `SourceId`, `WordId`) live apart from the numbers a person sees
//! (`RecordNo`, `StepNo`), and neither is ever an id out of the capture.

/// Number of a record in its capture, from 1 (shown as `r6`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordNo(pub u32);

/// Number of a step of the engine, from 1. `StepNo(0)` is the moment before the first step, which
/// as-of questions accept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepNo(pub u32);

/// Index of an aggregate, which is a pair (source, aggregate id), in the order first seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AggregateId(pub u32);

/// Index of an interned event source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u32);

/// Index of an interned word: a projection's state, an owner's status or an outside reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WordId(pub u32);

/// Index of an order that the owner has spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OrderId(pub u32);

/// Index of a reason in the [`Vocabulary`](super::reason::Vocabulary) in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReasonId(pub u16);

/// Where a record lies in the (decompressed) capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// First byte of the record, counted from the start of the capture.
    pub offset_bytes: u64,
    /// Length of the record in bytes.
    pub length_bytes: u32,
    /// Line the record starts on, from 1.
    pub line: u64,
}

impl StepNo {
    /// The step before this one; the moment before the first step stays where it is.
    #[must_use]
    pub fn before(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// The step after this one.
    #[must_use]
    pub fn after(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl std::fmt::Display for RecordNo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "r{}", self.0)
    }
}

impl std::fmt::Display for StepNo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}
