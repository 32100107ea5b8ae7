//! The entries of a case, and what may stand in one.
//!
//! Notes and operators are any text: the file escapes nothing beyond JSON, and whoever shows them
//! makes them safe first. Their lengths are bounded, so that one paste does not make a case file
//! that nobody can open.

use thiserror::Error;

use crate::model::Instant;

use super::anchor::{Anchor, Disposition};
use super::digest::Digest;

/// The longest note, in bytes.
pub const NOTE_LIMIT_BYTES: usize = 16 * 1024;

/// The longest operator's name, in bytes.
pub const OPERATOR_LIMIT_BYTES: usize = 256;

/// The most text that an anchor may take over from the capture, in bytes.
pub const ANCHOR_LIMIT_BYTES: usize = 1024 * 1024;

/// Number of an entry in its case file, from 1; the header has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryNo(pub u64);

impl EntryNo {
    /// The number after this one.
    #[must_use]
    pub fn after(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl std::fmt::Display for EntryNo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// One entry of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number.
    pub number: EntryNo,
    /// Who made it.
    pub operator: String,
    /// When, in UTC (RFC 3339, ending in `Z`), by the operator's own clock.
    pub time: String,
    /// What it is about.
    pub anchor: Anchor,
    /// What it says.
    pub act: Act,
    /// Which capture and contract it was made under; unknown until the capture is read.
    pub basis: Option<Basis>,
}

/// What an entry says about its anchor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Evidence is marked.
    Mark {
        /// What was decided.
        disposition: Disposition,
        /// Why, in the operator's words.
        note: String,
    },
    /// An earlier mark is taken back; what was marked before it counts again.
    Unmark {
        /// The mark that is taken back.
        entry: EntryNo,
    },
    /// A remark that decides nothing.
    Comment {
        /// The operator's words.
        note: String,
    },
    /// The operator's statement of where a projection stood when the capture began.
    Baseline {
        /// The version it stood at.
        version: u64,
        /// Its state, where known.
        state: Option<String>,
        /// How the operator knows.
        note: String,
    },
    /// The case is closed.
    Closed {
        /// How many pieces of evidence were still open then.
        open: u64,
        /// The operator's words.
        note: String,
    },
}

impl Act {
    /// The entry's kind in the case file.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Mark { .. } => "mark",
            Self::Unmark { .. } => "unmark",
            Self::Comment { .. } => "comment",
            Self::Baseline { .. } => "baseline",
            Self::Closed { .. } => "closed",
        }
    }

    fn note(&self) -> &str {
        match self {
            Self::Mark { note, .. }
            | Self::Comment { note }
            | Self::Baseline { note, .. }
            | Self::Closed { note, .. } => note,
            Self::Unmark { .. } => "",
        }
    }
}

/// What was read when an entry was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Basis {
    /// SHA-256 of the decompressed capture.
    pub capture: Digest,
    /// SHA-256 of the contract.
    pub contract: Digest,
}

/// The facts of a case file's first line: what the marks are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Version of replayscope.
    pub tool: String,
    /// Version of the engine's rules.
    pub engine: String,
    /// The capture's name, without its folder.
    pub capture_name: String,
    /// Length and digest of the capture as it is stored.
    pub stored: Extent,
    /// Length and digest of the capture as it is read; the same where nothing is compressed.
    pub decompressed: Extent,
    /// The contract's name.
    pub contract_name: String,
    /// SHA-256 of the contract.
    pub contract_sha256: Digest,
}

impl Identity {
    /// What entries made now are made under.
    pub fn basis(&self) -> Basis {
        Basis {
            capture: self.decompressed.sha256,
            contract: self.contract_sha256,
        }
    }
}

/// Length and digest of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// How many bytes.
    pub bytes: u64,
    /// Their SHA-256.
    pub sha256: Digest,
}

impl Extent {
    /// Of bytes that are at hand.
    pub fn of(bytes: &[u8]) -> Self {
        Self {
            bytes: bytes.len() as u64,
            sha256: Digest::of(bytes),
        }
    }
}

/// Who makes an entry, and when. The time comes from outside: this room holds no clock.
#[derive(Clone, Copy, Debug)]
pub struct Signature<'a> {
    /// The operator's name, not empty.
    pub operator: &'a str,
    /// UTC, RFC 3339, ending in `Z`.
    pub time: &'a str,
}

/// Why an entry was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EntryError {
    /// The note is longer than [`NOTE_LIMIT_BYTES`].
    #[error("the note has {bytes} bytes; at most {NOTE_LIMIT_BYTES} fit")]
    NoteTooLong {
        /// Its length.
        bytes: usize,
    },
    /// The operator's name is empty.
    #[error("who marks this? the operator's name is empty")]
    NoOperator,
    /// The operator's name is longer than [`OPERATOR_LIMIT_BYTES`].
    #[error("the operator's name has {bytes} bytes; at most {OPERATOR_LIMIT_BYTES} fit")]
    OperatorTooLong {
        /// Its length.
        bytes: usize,
    },
    /// The time is not RFC 3339 in UTC.
    #[error("the time of an entry must be RFC 3339 in UTC, ending in Z")]
    Time,
    /// The anchor's source and aggregate are longer than [`ANCHOR_LIMIT_BYTES`].
    #[error("the aggregate's name has {bytes} bytes; at most {ANCHOR_LIMIT_BYTES} fit in a mark")]
    AnchorTooLong {
        /// Their length.
        bytes: usize,
    },
    /// There is no mark of that number, or it was taken back already.
    #[error("entry {0} is no mark that could be taken back")]
    NotMarked(EntryNo),
    /// This operator has nothing to take back.
    #[error("nothing to undo: no mark of this session or operator is left")]
    NothingToUndo,
}

/// Checks what a person typed before it becomes an entry.
pub(super) fn check(
    anchor: &Anchor,
    act: &Act,
    signature: Signature<'_>,
) -> Result<(), EntryError> {
    let note_bytes = act.note().len();
    if note_bytes > NOTE_LIMIT_BYTES {
        return Err(EntryError::NoteTooLong { bytes: note_bytes });
    }
    if signature.operator.trim().is_empty() {
        return Err(EntryError::NoOperator);
    }
    if signature.operator.len() > OPERATOR_LIMIT_BYTES {
        return Err(EntryError::OperatorTooLong {
            bytes: signature.operator.len(),
        });
    }
    if Instant::parse(signature.time).is_none() || !signature.time.ends_with('Z') {
        return Err(EntryError::Time);
    }
    let state_bytes = match act {
        Act::Baseline { state, .. } => state.as_ref().map_or(0, String::len),
        Act::Mark { .. } | Act::Unmark { .. } | Act::Comment { .. } | Act::Closed { .. } => 0,
    };
    let bytes = anchor.text_bytes().saturating_add(state_bytes);
    if bytes > ANCHOR_LIMIT_BYTES {
        return Err(EntryError::AnchorTooLong { bytes });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGNATURE: Signature<'static> = Signature {
        operator: "anna",
        time: "2026-03-02T09:00:05Z",
    };

    fn with_note(note: String) -> Result<(), EntryError> {
        check(&Anchor::Capture, &Act::Comment { note }, SIGNATURE)
    }

    fn signed(operator: &str, time: &str) -> Result<(), EntryError> {
        let act = Act::Comment {
            note: String::new(),
        };
        check(&Anchor::Capture, &act, Signature { operator, time })
    }

    #[test]
    fn a_note_is_bounded_and_otherwise_any_text() {
        assert_eq!(
            with_note("\u{1b}[2J\u{0}\n\u{202e}".repeat(100).clone()),
            Ok(())
        );
        assert_eq!(with_note("x".repeat(NOTE_LIMIT_BYTES)), Ok(()));
        assert_eq!(
            with_note("x".repeat(NOTE_LIMIT_BYTES + 1)),
            Err(EntryError::NoteTooLong { bytes: 16_385 })
        );
    }

    #[test]
    fn an_entry_is_signed_and_dated() {
        let time = SIGNATURE.time;
        assert_eq!(signed("анна", time), Ok(()));
        assert_eq!(signed(" ", time), Err(EntryError::NoOperator));
        assert_eq!(
            signed(&"x".repeat(257), time),
            Err(EntryError::OperatorTooLong { bytes: 257 })
        );
        for time in ["", "now", "2026-03-02T12:00:05+03:00"] {
            assert_eq!(signed("anna", time), Err(EntryError::Time), "{time}");
        }
    }
}
