//! Where one was: back and forward, as in a browser.

use crate::model::StepNo;

/// Places that are kept in each direction.
const MOST: usize = 200;

/// The places before and after this one.
#[derive(Clone, Debug, Default)]
pub(super) struct Jumps {
    back: Vec<StepNo>,
    forward: Vec<StepNo>,
}

impl Jumps {
    /// Notes the place that is left by a jump.
    pub(super) fn leave(&mut self, from: StepNo) {
        self.forward.clear();
        if self.back.last() == Some(&from) || from.0 == 0 {
            return;
        }
        if self.back.len() == MOST {
            self.back.remove(0);
        }
        self.back.push(from);
    }

    /// How many places there are to go back to.
    pub(super) fn depth(&self) -> usize {
        self.back.len()
    }

    /// The place before, if any; `from` can be come back to.
    pub(super) fn back(&mut self, from: StepNo) -> Option<StepNo> {
        Self::swap(&mut self.back, &mut self.forward, from)
    }

    /// The place after, if any.
    pub(super) fn forward(&mut self, from: StepNo) -> Option<StepNo> {
        Self::swap(&mut self.forward, &mut self.back, from)
    }

    fn swap(out: &mut Vec<StepNo>, into: &mut Vec<StepNo>, from: StepNo) -> Option<StepNo> {
        let place = loop {
            let place = out.pop()?;
            if place != from {
                break place;
            }
        };
        into.push(from);
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn back_and_forward_retrace_the_way() {
        let mut jumps = Jumps::default();
        jumps.leave(StepNo(1));
        jumps.leave(StepNo(5));
        assert_eq!(jumps.back(StepNo(9)), Some(StepNo(5)));
        assert_eq!(jumps.back(StepNo(5)), Some(StepNo(1)));
        assert_eq!(jumps.back(StepNo(1)), None);
        assert_eq!(jumps.forward(StepNo(1)), Some(StepNo(5)));
        assert_eq!(jumps.forward(StepNo(5)), Some(StepNo(9)));
        assert_eq!(jumps.forward(StepNo(9)), None);
    }

    #[test]
    fn a_new_jump_forgets_what_was_ahead() {
        let mut jumps = Jumps::default();
        jumps.leave(StepNo(1));
        assert_eq!(jumps.back(StepNo(2)), Some(StepNo(1)));
        jumps.leave(StepNo(1));
        assert_eq!(jumps.forward(StepNo(7)), None);
        assert_eq!(jumps.back(StepNo(7)), Some(StepNo(1)));
    }

    #[test]
    fn the_way_is_bounded() {
        let mut jumps = Jumps::default();
        for step in 1..=1_000 {
            jumps.leave(StepNo(step));
        }
        assert_eq!(jumps.back.len(), MOST);
        assert_eq!(jumps.back(StepNo(2_000)), Some(StepNo(1_000)));
    }
}
