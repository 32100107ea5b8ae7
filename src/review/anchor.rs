//! What a mark is about, and what it says: anchors and dispositions.
//!
//! An anchor names its evidence twice, by number for people and by bytes for proof. Where the two no
//! longer agree the mark is stale; it is never moved to what now stands under the number.

use crate::model::{Kind, RecordNo, State, StepNo};

use super::digest::Digest;

/// What an entry of the case file is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// A record of the capture, seen as a delivery (or an owner's record) or as its replay.
    Record(RecordAnchor),
    /// Something that is not there: the version that an aggregate waits for.
    Missing(MissingAnchor),
    /// The capture as a whole: a comment on it, the closing of the case.
    Capture,
}

/// A record as it was when it was marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordAnchor {
    /// The record's number.
    pub record: RecordNo,
    /// Its first byte in the decompressed capture.
    pub offset_bytes: u64,
    /// Its length in bytes.
    pub length_bytes: u32,
    /// SHA-256 of those bytes.
    pub sha256: Digest,
    /// Whether the delivery or its replay is meant.
    pub kind: Kind,
    /// The step that was looked at, for people.
    pub step: StepNo,
    /// What that step had come to.
    pub state: State,
    /// Its reason, by name, where the state has one.
    pub reason: Option<String>,
}

/// The version that an aggregate waited for when it was marked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingAnchor {
    /// The aggregate's source.
    pub source: String,
    /// The aggregate's id.
    pub aggregate: String,
    /// The version that is missing.
    pub version: u64,
}

/// What makes two anchors the same evidence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnchorKey {
    /// A record, and whether its replay is meant.
    Record {
        /// The record's number.
        record: RecordNo,
        /// Its replay, not the delivery.
        replay: bool,
    },
    /// A version that is not there.
    Missing(MissingAnchor),
    /// The capture as a whole.
    Capture,
}

impl Anchor {
    /// What makes this the same evidence as another anchor.
    pub fn key(&self) -> AnchorKey {
        match self {
            Self::Record(anchor) => AnchorKey::Record {
                record: anchor.record,
                replay: anchor.kind == Kind::Replay,
            },
            Self::Missing(anchor) => AnchorKey::Missing(anchor.clone()),
            Self::Capture => AnchorKey::Capture,
        }
    }

    /// Bytes of text that came out of the capture or the contract.
    pub(super) fn text_bytes(&self) -> usize {
        match self {
            Self::Record(anchor) => anchor.reason.as_ref().map_or(0, String::len),
            Self::Missing(anchor) => anchor.source.len().saturating_add(anchor.aggregate.len()),
            Self::Capture => 0,
        }
    }
}

/// A record in words: `r6`, or `r3 replay`; a missing version as `order-417 v2 (urn:a)`. The text
/// may come from the capture and is not yet safe to show.
impl std::fmt::Display for Anchor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Record(anchor) if anchor.kind == Kind::Replay => {
                write!(f, "{} replay", anchor.record)
            }
            Self::Record(anchor) => write!(f, "{}", anchor.record),
            Self::Missing(anchor) => write!(
                f,
                "{} v{} ({})",
                anchor.aggregate, anchor.version, anchor.source
            ),
            Self::Capture => f.write_str("the capture"),
        }
    }
}

/// What a person decided about a piece of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Disposition {
    /// Somebody has to look into it.
    ManualReview,
    /// The consumer's contract has to change.
    NeedsContractChange,
    /// The owner of the aggregate has to decide.
    NeedsOwnerDecision,
    /// It is known why, and nothing is left to do.
    Explained,
    /// It stays as it is.
    AcceptedAsIs,
}

impl Disposition {
    /// Every disposition, in the order of the form: those that keep evidence open, then those that
    /// close it.
    pub const ALL: [Self; 5] = [
        Self::ManualReview,
        Self::NeedsContractChange,
        Self::NeedsOwnerDecision,
        Self::Explained,
        Self::AcceptedAsIs,
    ];

    /// The name in the case file.
    pub fn name(self) -> &'static str {
        match self {
            Self::ManualReview => "manual-review",
            Self::NeedsContractChange => "needs-contract-change",
            Self::NeedsOwnerDecision => "needs-owner-decision",
            Self::Explained => "explained",
            Self::AcceptedAsIs => "accepted-as-is",
        }
    }

    /// The words on the screen and in the report.
    pub fn label(self) -> &'static str {
        match self {
            Self::ManualReview => "manual review",
            Self::NeedsContractChange => "needs contract change",
            Self::NeedsOwnerDecision => "needs owner's decision",
            Self::Explained => "explained",
            Self::AcceptedAsIs => "accepted as is",
        }
    }

    /// The disposition of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// Whether evidence with this disposition is closed (contract.md, "Evidence").
    pub fn closes(self) -> bool {
        matches!(self, Self::Explained | Self::AcceptedAsIs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_two_dispositions_close() {
        let closing: Vec<_> = Disposition::ALL
            .into_iter()
            .filter(|disposition| disposition.closes())
            .map(Disposition::name)
            .collect();
        assert_eq!(closing, ["explained", "accepted-as-is"]);
    }

    #[test]
    fn names_are_read_back() {
        for disposition in Disposition::ALL {
            assert_eq!(
                Disposition::from_name(disposition.name()),
                Some(disposition)
            );
        }
        assert_eq!(Disposition::from_name("Explained"), None);
    }
}
