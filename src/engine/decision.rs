//! A step being put together, until it is appended.

use super::waiting::Place;
use crate::model::{Kind, Passage, ReasonId, RecordNo, State, StepNo, Subject, reason};

/// A step being put together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decision {
    pub(super) kind: Kind,
    pub(super) record: RecordNo,
    pub(super) subject: Subject,
    pub(super) version: Option<u64>,
    pub(super) state: State,
    pub(super) reason: Option<ReasonId>,
    pub(super) first: Option<RecordNo>,
    pub(super) count: Option<u32>,
    pub(super) released_by: Option<StepNo>,
    /// Where the event waits, if it is deferred.
    pub(super) waiter: Option<Place>,
}

impl Decision {
    /// A decision that says no more than this.
    pub(super) fn new(kind: Kind, record: RecordNo, subject: Subject, state: State) -> Self {
        Self {
            kind,
            record,
            subject,
            version: None,
            state,
            reason: None,
            first: None,
            count: None,
            released_by: None,
            waiter: None,
        }
    }

    /// Refused, for this reason.
    pub(super) fn refused(mut self, reason: Option<ReasonId>) -> Self {
        self.state = State::Rejected;
        self.reason = reason;
        self
    }

    /// What the stages that look at one record alone come to.
    pub(super) fn stopped_by(mut self, passage: Passage) -> Self {
        match passage {
            Passage::OtherConsumer => self,
            Passage::EnvelopeRejected(why) | Passage::PayloadRejected(why) => {
                self.because(State::Rejected, why)
            }
            Passage::SchemaNotAccepted => self.because(
                State::ContractUpdateRequired,
                reason::SCHEMA_VERSION_NOT_ACCEPTED,
            ),
            Passage::PayloadUnknown(why) => self.because(State::ContractUpdateRequired, why),
            // A whole passage always has an aggregate and a state, and does not come here.
            Passage::TypeIgnored | Passage::Whole => {
                self.state = State::EventTypeIgnored;
                self
            }
        }
    }

    /// In this state, for this reason.
    pub(super) fn because(mut self, state: State, reason: ReasonId) -> Self {
        self.state = state;
        self.reason = Some(reason);
        self
    }
}
