//! States in the few classes that a person tells apart at a glance. A class has one sign, one word and
//! one colour everywhere; the colours stand in `tui::theme`.

use crate::model::State;

/// What a state comes to for a person who looks at a list of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// It took effect.
    Applied,
    /// It waits for an earlier version.
    Deferred,
    /// It had taken effect before.
    Duplicate,
    /// It breaks the contract, or the contract does not know it yet.
    Refused,
    /// Another event holds its version.
    Conflict,
    /// A later version took effect before.
    Stale,
    /// It is not meant for this consumer, or of no interest to it.
    Ignored,
    /// A statement of the owner's side was recorded.
    Owner,
    /// A person has to decide.
    Review,
    /// It could not be taken apart.
    Unreadable,
}

impl Class {
    /// Every class.
    pub const ALL: [Self; 10] = [
        Self::Applied,
        Self::Deferred,
        Self::Duplicate,
        Self::Refused,
        Self::Conflict,
        Self::Stale,
        Self::Ignored,
        Self::Owner,
        Self::Review,
        Self::Unreadable,
    ];

    /// The class of a state.
    pub fn of(state: State) -> Self {
        match state {
            State::Applied => Self::Applied,
            State::Deferred => Self::Deferred,
            State::DuplicateSuppressed => Self::Duplicate,
            State::Rejected | State::ContractUpdateRequired | State::DeferralLimitReached => {
                Self::Refused
            }
            State::SameVersionRejected => Self::Conflict,
            State::StaleIgnored => Self::Stale,
            State::OtherConsumer | State::EventTypeIgnored => Self::Ignored,
            State::OrderRecorded
            | State::CompensationRecorded
            | State::CompensationAlreadyRecorded
            | State::BaselineRecorded => Self::Owner,
            State::ManualReview => Self::Review,
            State::Unreadable => Self::Unreadable,
        }
    }

    /// One ASCII character, the same on every terminal and in printed tables.
    pub fn sign(self) -> char {
        match self {
            Self::Applied => '+',
            Self::Deferred => '~',
            Self::Duplicate => '=',
            Self::Refused => '!',
            Self::Conflict => 'X',
            Self::Stale => '-',
            Self::Ignored => '.',
            Self::Owner => 'o',
            Self::Review => '?',
            Self::Unreadable => '#',
        }
    }

    /// The word beside the sign.
    pub fn word(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::Deferred => "deferred",
            Self::Duplicate => "duplicate",
            Self::Refused => "refused",
            Self::Conflict => "conflict",
            Self::Stale => "stale",
            Self::Ignored => "ignored",
            Self::Owner => "recorded",
            Self::Review => "review",
            Self::Unreadable => "unreadable",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_words_tell_classes_apart() {
        for (at, class) in Class::ALL.into_iter().enumerate() {
            for other in Class::ALL.into_iter().skip(at + 1) {
                assert_ne!(class.sign(), other.sign());
                assert_ne!(class.word(), other.word());
            }
        }
    }

    #[test]
    fn every_class_has_a_state() {
        for class in Class::ALL {
            assert!(
                State::ALL
                    .into_iter()
                    .any(|state| Class::of(state) == class),
                "{class:?}"
            );
        }
    }
}
