//! Questions that pass over whole blocks of steps, against a plain walk: a run longer than a few
//! blocks, with stretches in which a state is missing and with some that begin at a block's edge.

use super::append::COUNT_EVERY;
use super::{History, Terms};
use crate::model::{Kind, Outcome, Place, State, StepNo, Subject, Vocabulary};

/// Steps that are duplicates, in a run of applies otherwise: at edges, beside them, and far apart.
fn is_duplicate(step: u32) -> bool {
    let block = COUNT_EVERY;
    [
        1,
        block - 1,
        block,
        block + 1,
        2 * block,
        5 * block,
        5 * block + 7,
        7 * block - 1,
    ]
    .contains(&step)
}

fn long_run(last: u32) -> History {
    let terms = Terms {
        vocabulary: Vocabulary::default(),
        has_schema_version: true,
        has_versions: true,
        first_version: 1,
        gate: None,
    };
    let mut history = History::new(terms.into());
    for step in 1..=last {
        let record = history.append_record(Place {
            offset_bytes: u64::from(step),
            length_bytes: 1,
            line: u64::from(step),
        });
        let duplicate = is_duplicate(step);
        history.append(&Outcome {
            kind: Kind::Delivery,
            record,
            state: if duplicate {
                State::DuplicateSuppressed
            } else {
                State::OtherConsumer
            },
            reason: None,
            subject: Subject::Unknown,
            version: None,
            first: None,
            count: None,
            released_by: None,
            findings: &[],
            effects: &[],
        });
    }
    history
}

fn walk(from: u32, last: u32, forward: bool) -> Option<StepNo> {
    let found = if forward {
        (from + 1..=last).find(|step| is_duplicate(*step))
    } else {
        (1..from).rev().find(|step| is_duplicate(*step))
    };
    found.map(StepNo)
}

#[test]
fn a_state_is_found_whatever_lies_between() {
    for last in [
        COUNT_EVERY - 1,
        COUNT_EVERY,
        COUNT_EVERY + 1,
        8 * COUNT_EVERY,
        8 * COUNT_EVERY + 3,
    ] {
        let history = long_run(last);
        for from in
            (0..=last).filter(|from| from % 97 < 2 || from % COUNT_EVERY < 3 || from + 3 > last)
        {
            for forward in [true, false] {
                let found =
                    history.find_state(StepNo(from), forward, &[State::DuplicateSuppressed]);
                assert_eq!(
                    found,
                    walk(from, last, forward),
                    "from {from} of {last}, forward {forward}"
                );
            }
        }
    }
}

#[test]
fn counts_by_state_are_exact_as_of_every_step() {
    let last = 3 * COUNT_EVERY + 2;
    let history = long_run(last);
    let mut duplicates = 0;
    for step in 0..=last {
        duplicates += u32::from(is_duplicate(step));
        let counts = history.state_counts(StepNo(step));
        assert_eq!(
            counts.get(State::DuplicateSuppressed as usize),
            Some(&duplicates),
            "step {step}"
        );
        assert_eq!(
            counts.get(State::OtherConsumer as usize),
            Some(&(step - duplicates)),
            "step {step}"
        );
    }
}
