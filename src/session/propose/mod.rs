//! Proposes a contract from what a capture shows: where the aggregate, a version that counts up by one
//! and the state seem to live, each with how many records agree (capture.md, `contract init`).
//!
//! ```text
//! run ─▶ profile: what stands at which place ─▶ guess: which place means what ─▶ write: the contract
//! ```
//!
//! Nothing is guessed silently: every guess carries the records behind it in the contract's own
//! `notes`, and what is uncertain is left out and said there too.

mod guess;
mod profile;
mod steps;
mod transport;
mod versions;
mod write;

use super::run::Run;
use profile::Profile;

/// Events that are looked at; of a larger capture, the first so many.
const EVENTS_MAX: usize = 200_000;

/// A contract, written for a person to read and correct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The contract file.
    pub text: String,
    /// What each guess rests on, and what was left out: the contract's `notes`.
    pub notes: Vec<String>,
}

/// Proposes a contract for a capture that was read under any contract. `name`: what the consumer is
/// called. Errors, in words: there is nothing to propose from.
pub fn propose(run: &Run, name: &str) -> Result<Proposal, String> {
    let profile = Profile::of(run);
    if profile.events.is_empty() {
        return Err(format!(
            "none of the {} records is an event, so there is nothing to propose a contract from; \
             trace --explain-format says what was tried",
            profile.records
        ));
    }
    Ok(write::write(&profile, &guess::guess(&profile), name))
}

/// Whether most events carry their payload as JSON in a string or in Base64, so that a contract must
/// say `readInside` to read anything of it.
pub fn carries_json_inside(run: &Run) -> bool {
    let profile = Profile::of(run);
    profile.inside * 2 > profile.events.len()
}
