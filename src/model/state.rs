//! What a step can be and what can come of it: kinds, stages and states, with their wire names.

/// What sort of input a step decided on (contract.md, "Words"; cli.md, `kind`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// One attempt to hand an event to this consumer.
    Delivery,
    /// A deferred event run again because its gap closed.
    Replay,
    /// The owner's statement of an order's status and version.
    Order,
    /// An outside party's "no" to the owner.
    Refusal,
    /// An operator's statement of where a projection stood.
    Baseline,
    /// Bytes that could not be taken apart.
    Unreadable,
}

impl Kind {
    /// Every kind, in wire order.
    pub const ALL: [Self; 6] = [
        Self::Delivery,
        Self::Replay,
        Self::Order,
        Self::Refusal,
        Self::Baseline,
        Self::Unreadable,
    ];

    /// The name in the trace document.
    pub fn name(self) -> &'static str {
        match self {
            Self::Delivery => "delivery",
            Self::Replay => "replay",
            Self::Order => "order",
            Self::Refusal => "refusal",
            Self::Baseline => "baseline",
            Self::Unreadable => "unreadable",
        }
    }

    /// Whether an event runs through the stages (a delivery or its replay).
    pub fn is_event(self) -> bool {
        matches!(self, Self::Delivery | Self::Replay)
    }
}

/// The stages that an event runs through, in order (contract.md, "Processing").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Stage {
    /// Is the record one JSON object that we can take apart?
    Read,
    /// Is it meant for this consumer?
    Addressee,
    /// Are the required attributes there, and is the source ours?
    Envelope,
    /// Does the contract accept the schema version?
    Schema,
    /// Has this consumer already applied this source and id?
    Dedup,
    /// Can every field be read as the contract says?
    Payload,
    /// Is this the owner's next version?
    Version,
    /// The effect, with its receipt.
    Apply,
    /// What was waiting for this version.
    Replay,
}

impl Stage {
    /// Every stage, in the order they run.
    pub const ALL: [Self; 9] = [
        Self::Read,
        Self::Addressee,
        Self::Envelope,
        Self::Schema,
        Self::Dedup,
        Self::Payload,
        Self::Version,
        Self::Apply,
        Self::Replay,
    ];

    /// The stage's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Addressee => "addressee",
            Self::Envelope => "envelope",
            Self::Schema => "schema",
            Self::Dedup => "dedup",
            Self::Payload => "payload",
            Self::Version => "version",
            Self::Apply => "apply",
            Self::Replay => "replay",
        }
    }
}

/// What a step came to (contract.md, "Processing" and "The owner's side").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum State {
    /// The record could not be taken apart.
    Unreadable,
    /// Addressed to another consumer.
    OtherConsumer,
    /// Refused: the input breaks the contract.
    Rejected,
    /// Refused: the contract does not know this yet.
    ContractUpdateRequired,
    /// Already applied by this consumer.
    DuplicateSuppressed,
    /// A type that the contract says to ignore.
    EventTypeIgnored,
    /// Kept unapplied because an earlier version is missing.
    Deferred,
    /// One more than may wait for one aggregate.
    DeferralLimitReached,
    /// The aggregate already stands at this version.
    SameVersionRejected,
    /// Older than where the aggregate stands.
    StaleIgnored,
    /// Applied, with a receipt.
    Applied,
    /// The owner's statement was recorded.
    OrderRecorded,
    /// A compensation was decided.
    CompensationRecorded,
    /// This compensation had been decided before.
    CompensationAlreadyRecorded,
    /// A person has to decide.
    ManualReview,
    /// The stated baseline was taken over.
    BaselineRecorded,
}

impl State {
    /// Every state.
    pub const ALL: [Self; 16] = [
        Self::Unreadable,
        Self::OtherConsumer,
        Self::Rejected,
        Self::ContractUpdateRequired,
        Self::DuplicateSuppressed,
        Self::EventTypeIgnored,
        Self::Deferred,
        Self::DeferralLimitReached,
        Self::SameVersionRejected,
        Self::StaleIgnored,
        Self::Applied,
        Self::OrderRecorded,
        Self::CompensationRecorded,
        Self::CompensationAlreadyRecorded,
        Self::ManualReview,
        Self::BaselineRecorded,
    ];

    /// The name in the trace document.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::OtherConsumer => "other-consumer",
            Self::Rejected => "rejected",
            Self::ContractUpdateRequired => "contract-update-required",
            Self::DuplicateSuppressed => "duplicate-or-replay-suppressed",
            Self::EventTypeIgnored => "event-type-ignored",
            Self::Deferred => "deferred-version-gap",
            Self::DeferralLimitReached => "deferral-limit-reached",
            Self::SameVersionRejected => "same-version-event-rejected",
            Self::StaleIgnored => "stale-event-ignored",
            Self::Applied => "event-applied",
            Self::OrderRecorded => "order-recorded",
            Self::CompensationRecorded => "compensation-recorded",
            Self::CompensationAlreadyRecorded => "compensation-already-recorded",
            Self::ManualReview => "manual-review",
            Self::BaselineRecorded => "baseline-recorded",
        }
    }
}
