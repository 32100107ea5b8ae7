//! The filter: what a person types after `&`, read into tests that a step and its record pass or not.
//!
//! ```text
//! state:deferred -aggregate:order-417 paid after:09:00
//! ```
//!
//! All tests must pass; `-` turns one around, commas separate what may stand in its place, quotes
//! make spaces and signs plain text. Reading order: `parse` (text to tests), `pattern` (names with
//! stars), `complete` (what could stand at the cursor), `scan` (the steps that pass, found in
//! portions), `live` (the filter as a part of the model).

pub(super) mod complete;
pub(super) mod live;
pub(super) mod parse;
pub mod pattern;
pub(super) mod scan;
#[cfg(test)]
mod tests;

use crate::model::{FindingCode, Instant, ReasonId, State};
use crate::text::time::TimeOfDay;

pub use pattern::Pattern;

/// What was typed, read. A step is shown that passes every term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Filter {
    pub(super) terms: Vec<Term>,
}

/// One test, or its opposite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Term {
    pub(super) is_negated: bool,
    pub(super) test: Test,
}

/// What a test asks, and who can answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Test {
    /// The step came to one of these.
    State(Vec<State>),
    /// For one of these reasons.
    Reason(Vec<ReasonId>),
    /// With one of these findings.
    Finding(Vec<FindingCode>),
    /// It is about an aggregate or order of such an id.
    Aggregate(Vec<Pattern>),
    /// It is open evidence, as of the end of what is read.
    Open,
    /// It waits now, or is why something waits now: an open deferral, or a cause of a gap.
    Waiting,
    /// A person marked it.
    Marked,
    /// Only the record's bytes tell.
    Bytes(BytesTest),
}

impl Test {
    /// Whether the test tells what a step came to, which the curtain hides.
    pub(super) fn tells_outcome(&self) -> bool {
        match self {
            Self::State(_) | Self::Reason(_) | Self::Finding(_) | Self::Open | Self::Waiting => {
                true
            }
            Self::Aggregate(_) | Self::Marked | Self::Bytes(_) => false,
        }
    }
}

/// A test of a record's bytes, or its opposite: for whoever has them at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BytesTerm {
    /// Whether the record must fail the test.
    pub is_negated: bool,
    /// The test.
    pub test: BytesTest,
}

/// What is asked of a record's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BytesTest {
    /// A text anywhere in it, as a search finds it.
    Word(String),
    /// Its event's id is one of these.
    Id(Vec<Pattern>),
    /// Its source is one of these.
    Source(Vec<Pattern>),
    /// Its type is one of these.
    Type(Vec<Pattern>),
    /// It was received (or else dated) then or later.
    After(When),
    /// It was received (or else dated) earlier.
    Before(When),
}

/// A moment as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// A time of day, on the day of whichever record is asked about.
    OfDay(TimeOfDay),
    /// One moment.
    At(Instant),
}

/// What was typed cannot be read: where, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mistake {
    /// The character that it is about, from 0.
    pub(super) at: usize,
    pub(super) expected: String,
}
