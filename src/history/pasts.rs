//! The steps of one subject (an aggregate, or an order on the owner's side), by step.
//!
//! Every step links to the one before it of the same subject, and every subject to its last: that is
//! ten bytes instead of two lists a subject. Questions walk back from the last step. A subject with
//! many steps also gets lists, in which they are searched, so that no walk is ever long.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::model::compact::{Column, Packed};
use crate::model::{StepNo, WordId};

/// From this many steps on a subject has lists.
const LONG: u8 = 24;

/// What every step knows of its subject's past.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Links {
    /// The step before of the same subject, or 0.
    before: Column<u32>,
    /// One more than the word that the step put its subject's state to, or 0 where it did not.
    words: Packed,
}

/// The steps of every subject of one kind, by its index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pasts {
    ends: Column<End>,
    long: HashMap<u32, LongPast, FixedState>,
}

/// The end of a subject's chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct End {
    /// The last step, or `StepNo(0)`.
    last: StepNo,
    /// How many steps there are, counted up to `LONG`.
    count: u8,
}

/// The lists of a subject with many steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct LongPast {
    /// Steps that gave it a new state.
    changes: Vec<StepNo>,
    /// All other steps.
    others: Vec<StepNo>,
}

/// The past of one subject.
#[derive(Clone, Copy, Debug)]
pub(super) struct Past<'a> {
    links: &'a Links,
    last: StepNo,
    long: Option<&'a LongPast>,
}

impl Links {
    /// The state that a step gave to its subject.
    pub(super) fn word(&self, step: StepNo) -> Option<WordId> {
        let next = self.words.get(step.0.checked_sub(1)? as usize)?;
        u32::try_from(next.checked_sub(1)?).ok().map(WordId)
    }

    fn before(&self, step: StepNo) -> Option<StepNo> {
        let before = self.before.get(step.0.checked_sub(1)? as usize)?;
        (before != 0).then_some(StepNo(before))
    }

    /// Adds the next step.
    pub(super) fn push(&mut self, before: StepNo, word: Option<WordId>) {
        self.before.push(before.0);
        self.words
            .push(word.map_or(0, |word| u64::from(word.0) + 1));
    }
}

impl Pasts {
    /// How many subjects there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A part of the end of a subject's chain, so that it is at hand.
    #[inline]
    pub(super) fn touch(&self, subject: u32) -> u64 {
        self.ends
            .get_ref(subject as usize)
            .map_or(0, |end| u64::from(end.last.0))
    }

    /// Makes `step` the last of a subject, and adds it to the links.
    pub(super) fn append(
        &mut self,
        subject: u32,
        step: StepNo,
        word: Option<WordId>,
        links: &mut Links,
    ) {
        let Some(end) = self.ends.slot(subject as usize, End::default()) else {
            return;
        };
        links.push(std::mem::replace(&mut end.last, step), word);
        if end.count == LONG {
            if let Some(long) = self.long.get_mut(&subject) {
                long.push(step, word.is_some());
            }
            return;
        }
        end.count += 1;
        if end.count == LONG {
            self.lengthen(subject, step, links);
        }
    }

    #[cold]
    fn lengthen(&mut self, subject: u32, last: StepNo, links: &Links) {
        let short = Past {
            links,
            last,
            long: None,
        };
        let mut steps: Vec<StepNo> = short.steps().collect();
        steps.reverse();
        let mut long = LongPast::default();
        for step in steps {
            long.push(step, links.word(step).is_some());
        }
        self.long.insert(subject, long);
    }

    /// The past of a subject that has one.
    pub(super) fn get<'a>(&'a self, subject: u32, links: &'a Links) -> Option<Past<'a>> {
        let end = self.ends.get(subject as usize)?;
        if end.last == StepNo(0) {
            return None;
        }
        let long = if end.count == LONG {
            self.long.get(&subject)
        } else {
            None
        };
        Some(Past {
            links,
            last: end.last,
            long,
        })
    }
}

impl LongPast {
    fn push(&mut self, step: StepNo, is_change: bool) {
        if is_change {
            self.changes.push(step);
        } else {
            self.others.push(step);
        }
    }
}

fn until(steps: &[StepNo], at: StepNo) -> usize {
    steps.partition_point(|step| *step <= at)
}

impl<'a> Past<'a> {
    /// All steps, the last one first. Only for a subject without lists.
    fn steps(self) -> impl Iterator<Item = StepNo> + 'a {
        std::iter::successors(Some(self.last), move |step| self.links.before(*step))
    }

    fn short_changes(self) -> impl Iterator<Item = StepNo> + 'a {
        self.steps()
            .filter(move |step| self.links.word(*step).is_some())
    }

    /// The last change at or before `at`.
    pub(super) fn change(self, at: StepNo) -> Option<StepNo> {
        match self.long {
            Some(long) => {
                let count = until(&long.changes, at);
                long.changes.get(count.checked_sub(1)?).copied()
            }
            None => self.short_changes().find(|step| *step <= at),
        }
    }

    /// How many changes there were by the end of step `at`.
    pub(super) fn changes_until(self, at: StepNo) -> usize {
        match self.long {
            Some(long) => until(&long.changes, at),
            None => self.short_changes().filter(|step| *step <= at).count(),
        }
    }

    /// A change by its place among them from 0.
    pub(super) fn nth_change(self, index: usize) -> Option<StepNo> {
        if let Some(long) = self.long {
            return long.changes.get(index).copied();
        }
        let from_last = self.short_changes().count().checked_sub(index + 1)?;
        self.short_changes().nth(from_last)
    }

    /// The last change that `is_reached` is true for; it is true for the first ones only.
    pub(super) fn last_change_where(self, is_reached: impl Fn(StepNo) -> bool) -> Option<StepNo> {
        match self.long {
            Some(long) => {
                let count = long.changes.partition_point(|step| is_reached(*step));
                long.changes.get(count.checked_sub(1)?).copied()
            }
            None => self.short_changes().find(|step| is_reached(*step)),
        }
    }

    /// The next step of this subject after `step`.
    pub(super) fn next(self, step: StepNo) -> Option<StepNo> {
        let Some(long) = self.long else {
            return self.steps().take_while(|known| *known > step).last();
        };
        let next = |steps: &[StepNo]| steps.get(until(steps, step)).copied();
        earlier(next(&long.changes), next(&long.others))
    }

    /// The step of this subject before `step`.
    pub(super) fn previous(self, step: StepNo) -> Option<StepNo> {
        let Some(long) = self.long else {
            return self.steps().find(|known| *known < step);
        };
        let previous = |steps: &[StepNo]| {
            let count = steps.partition_point(|known| *known < step);
            steps.get(count.checked_sub(1)?).copied()
        };
        previous(&long.changes).max(previous(&long.others))
    }

    /// How many steps this subject had by the end of step `at`.
    pub(super) fn steps_until(self, at: StepNo) -> usize {
        match self.long {
            Some(long) => until(&long.changes, at) + until(&long.others, at),
            None => self.steps().filter(|step| *step <= at).count(),
        }
    }
}

/// The smaller of two that may be missing.
pub(super) fn earlier(one: Option<StepNo>, other: Option<StepNo>) -> Option<StepNo> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Walks and searches against plain lists, for subjects on both sides of `LONG`.
        #[test]
        fn agrees_with_lists(steps in prop::collection::vec((0u32..3, 0u32..4), 1..150)) {
            let (mut pasts, mut links) = (Pasts::default(), Links::default());
            let mut plain = vec![Vec::new(); 3];
            for (step, (subject, word)) in (1..).map(StepNo).zip(&steps) {
                // The third subject gets few, so that it stays without lists.
                let subject = if step.0 % 9 == 0 { 2 } else { subject % 2 };
                let word = word.checked_sub(2).map(WordId);
                pasts.append(subject, step, word, &mut links);
                prop_assert_eq!(links.word(step), word);
                plain[subject as usize].push((step, word.is_some()));
            }
            let last = u32::try_from(steps.len()).unwrap_or(0) + 1;
            for (subject, plain) in (0u32..).zip(&plain) {
                let Some(past) = pasts.get(subject, &links) else {
                    prop_assert!(plain.is_empty());
                    continue;
                };
                let changes: Vec<StepNo> =
                    plain.iter().filter(|(_, is_change)| *is_change).map(|(step, _)| *step).collect();
                let all: Vec<StepNo> = plain.iter().map(|(step, _)| *step).collect();
                for (index, change) in changes.iter().enumerate() {
                    prop_assert_eq!(past.nth_change(index), Some(*change));
                }
                prop_assert_eq!(past.nth_change(changes.len()), None);
                for at in (0..=last).map(StepNo) {
                    let change = changes.iter().copied().rfind(|step| *step <= at);
                    prop_assert_eq!(past.change(at), change);
                    prop_assert_eq!(past.last_change_where(|step| step <= at), change);
                    prop_assert_eq!(past.changes_until(at), until(&changes, at));
                    prop_assert_eq!(past.next(at), all.iter().copied().find(|step| *step > at));
                    prop_assert_eq!(past.previous(at), all.iter().copied().rfind(|step| *step < at));
                    prop_assert_eq!(past.steps_until(at), until(&all, at));
                }
            }
        }
    }
}
