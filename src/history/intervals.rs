//! Spans of steps that begin in order and may end later: what waits, and what is open.
//!
//! "What was open at step s?" must not walk all that ever was. Ends are kept with the largest end of
//! every 16, of every 16 of those, and so on, so the next span that is still open after `s` is found
//! by climbing and descending that ladder:
//!
//! ```text
//! largest of 256   |            9           |
//! largest of 16    | 9 | 4 |...| 7 |
//! ends             | 3 9 ∞ ... |
//! ```

use crate::model::StepNo;

const FAN: usize = 16;
const NEVER: u32 = u32::MAX;

/// Spans `[from, to)` in the order they begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Intervals {
    from: Vec<u32>,
    /// `levels[0]` holds the ends; `levels[k][i]` the largest of `levels[k - 1][16 i ..]`.
    levels: Vec<Vec<u32>>,
}

impl Intervals {
    /// Begins a span at `from`, which is at or after every earlier beginning.
    pub(super) fn open(&mut self, from: StepNo) -> usize {
        let index = self.from.len();
        self.from.push(from.0);
        self.set_end(index, NEVER);
        index
    }

    /// Ends a span: it no longer counts at `to` and later. A span ends once.
    pub(super) fn close(&mut self, index: usize, to: StepNo) {
        if self.end(index) == Some(NEVER) {
            self.set_end(index, to.0);
        }
    }

    /// The step a span began at.
    pub(super) fn from(&self, index: usize) -> Option<StepNo> {
        self.from.get(index).copied().map(StepNo)
    }

    /// The step a span ended at, if it has ended.
    pub(super) fn ended(&self, index: usize) -> Option<StepNo> {
        self.end(index).filter(|end| *end != NEVER).map(StepNo)
    }

    /// The span that began at exactly this step.
    pub(super) fn beginning_at(&self, step: StepNo) -> Option<usize> {
        self.from.binary_search(&step.0).ok()
    }

    /// How many spans had begun by the end of step `at`.
    pub(super) fn begun(&self, at: StepNo) -> usize {
        self.from.partition_point(|from| *from <= at.0)
    }

    /// The first span at or after `index` that is open at `at`.
    pub(super) fn next_open(&self, index: usize, at: StepNo) -> Option<usize> {
        let found = self.next_end_after(index, at.0)?;
        (found < self.begun(at)).then_some(found)
    }

    /// The last span before `index` that is open at `at`.
    pub(super) fn previous_open(&self, index: usize, at: StepNo) -> Option<usize> {
        self.previous_end_after(index.min(self.begun(at)), at.0)
    }

    /// Every span open at `at`, in the order they began.
    pub(super) fn open_at(&self, at: StepNo) -> impl Iterator<Item = usize> + '_ {
        let mut next = 0;
        std::iter::from_fn(move || {
            let found = self.next_open(next, at)?;
            next = found + 1;
            Some(found)
        })
    }

    fn end(&self, index: usize) -> Option<u32> {
        self.levels.first()?.get(index).copied()
    }

    fn set_end(&mut self, index: usize, end: u32) {
        let mut index = index;
        let mut value = end;
        let mut depth = 0;
        loop {
            if self.levels.len() == depth {
                self.levels.push(Vec::new());
            }
            let Some(level) = self.levels.get_mut(depth) else {
                return;
            };
            match level.get_mut(index) {
                Some(slot) => *slot = value,
                None => level.push(value),
            }
            if level.len() <= 1 {
                return;
            }
            let first = index - index % FAN;
            value = level
                .iter()
                .skip(first)
                .take(FAN)
                .copied()
                .max()
                .unwrap_or(0);
            index /= FAN;
            depth += 1;
            // A new level starts with the largest of the first sixteen, whichever changed.
            if self.levels.len() == depth && index > 0 {
                let first_block = self.levels.get(depth - 1).map_or(0, |below| {
                    below.iter().take(FAN).copied().max().unwrap_or(0)
                });
                self.levels.push(vec![first_block]);
            }
        }
    }

    fn next_end_after(&self, index: usize, at: u32) -> Option<usize> {
        let mut index = index;
        let mut depth = 0;
        // Climb: scan the rest of this block, then go on with the block after it one level up.
        loop {
            let level = self.levels.get(depth)?;
            let block_end = (index / FAN + 1) * FAN;
            let rest = level.iter().enumerate().take(block_end).skip(index);
            if let Some((found, _)) = rest.into_iter().find(|(_, end)| **end > at) {
                index = found;
                break;
            }
            if block_end >= level.len() {
                return None;
            }
            index = block_end / FAN;
            depth += 1;
        }
        // Descend: the first sixteenth that holds such an end.
        while depth > 0 {
            depth -= 1;
            let level = self.levels.get(depth)?;
            let block = level.iter().enumerate().skip(index * FAN).take(FAN);
            index = block.into_iter().find(|(_, end)| **end > at)?.0;
        }
        Some(index)
    }

    fn previous_end_after(&self, before: usize, at: u32) -> Option<usize> {
        let mut before = before;
        let mut depth = 0;
        loop {
            let level = self.levels.get(depth)?;
            if before == 0 {
                return None;
            }
            let block_start = (before - 1) / FAN * FAN;
            let part = level.get(block_start..before.min(level.len()))?;
            if let Some(offset) = part.iter().rposition(|end| *end > at) {
                let mut index = block_start + offset;
                while depth > 0 {
                    depth -= 1;
                    let level = self.levels.get(depth)?;
                    let start = index * FAN;
                    let block = level.get(start..(start + FAN).min(level.len()))?;
                    index = start + block.iter().rposition(|end| *end > at)?;
                }
                return Some(index);
            }
            before = block_start / FAN;
            depth += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain_next(spans: &[(u32, u32)], index: usize, at: u32) -> Option<usize> {
        (index..spans.len()).find(|i| {
            spans
                .get(*i)
                .is_some_and(|(from, to)| *from <= at && *to > at)
        })
    }

    fn plain_previous(spans: &[(u32, u32)], index: usize, at: u32) -> Option<usize> {
        (0..index.min(spans.len())).rev().find(|i| {
            spans
                .get(*i)
                .is_some_and(|(from, to)| *from <= at && *to > at)
        })
    }

    proptest! {
        #[test]
        fn agrees_with_a_walk(moves in prop::collection::vec((any::<bool>(), 0usize..400), 1..700)) {
            let mut fast = Intervals::default();
            let mut slow: Vec<(u32, u32)> = Vec::new();
            for (step, (opens, which)) in moves.iter().enumerate() {
                let step = u32::try_from(step).unwrap_or(0) + 1;
                if *opens || slow.is_empty() {
                    fast.open(StepNo(step));
                    slow.push((step, NEVER));
                } else {
                    let which = which % slow.len();
                    fast.close(which, StepNo(step));
                    if let Some(span) = slow.get_mut(which).filter(|span| span.1 == NEVER) {
                        span.1 = step;
                    }
                }
            }
            let last = u32::try_from(moves.len()).unwrap_or(0) + 1;
            for at in (0..=last).step_by(7) {
                for index in (0..=slow.len()).step_by(5) {
                    prop_assert_eq!(fast.next_open(index, StepNo(at)), plain_next(&slow, index, at));
                    prop_assert_eq!(fast.previous_open(index, StepNo(at)), plain_previous(&slow, index, at));
                }
            }
        }
    }
}
