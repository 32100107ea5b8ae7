//! Several steps selected, to be marked alike: ranges up to the cursor, one after the other.

use std::collections::BTreeSet;

use crate::history::History;
use crate::model::StepNo;

use super::model::Model;

/// Steps that can be selected at a time: each of them is read and saved when it is marked.
pub(super) const MOST: usize = 1_000;

/// What is selected.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    /// What was kept.
    kept: BTreeSet<StepNo>,
    /// Where the range begins that goes up to the cursor.
    from: Option<StepNo>,
}

impl Selection {
    /// Whether a step is selected, the cursor standing where it does.
    pub(super) fn holds(&self, step: StepNo, cursor: StepNo) -> bool {
        let in_range = self
            .from
            .is_some_and(|from| (from.min(cursor)..=from.max(cursor)).contains(&step));
        in_range || self.kept.contains(&step)
    }
}

impl Model {
    /// `v`: begins a range at the cursor; again, keeps it, so that another can begin.
    pub(super) fn select(&mut self, history: &History) {
        if self.cursor.0 == 0 {
            return;
        }
        let mut selection = self.selection.take().unwrap_or_default();
        if selection.from.is_some() {
            self.selection = Some(selection);
            let steps = self.selected(history);
            let kept = steps.len();
            let words = if kept > MOST {
                format!("the first {MOST} are kept: more cannot be marked at a time")
            } else {
                format!("{kept} selected; v selects more, m marks them, Esc lets go")
            };
            self.selection = Some(Selection {
                kept: steps.into_iter().take(MOST).collect(),
                from: None,
            });
            return self.say_own(words);
        }
        selection.from = Some(self.cursor);
        self.selection = Some(selection);
        self.say_own("selecting up to the cursor; v keeps it, m marks it, Esc lets go");
    }

    /// Lets go of what is selected; whether anything was.
    pub(super) fn stop_selecting(&mut self) -> bool {
        let was = self.selection.take().is_some();
        if was {
            self.say_own("nothing is selected any more");
        }
        was
    }

    /// The selected steps that are shown, in order; one more than can be marked where there are too
    /// many.
    pub(super) fn selected(&self, history: &History) -> Vec<StepNo> {
        let Some(selection) = &self.selection else {
            return Vec::new();
        };
        let mut steps = selection.kept.clone();
        if let Some(from) = selection.from {
            let shown = self.shown(history);
            let (start, end) = (from.min(self.cursor), from.max(self.cursor));
            let mut next = shown.is_row(start).then_some(start);
            next = next.or_else(|| shown.after(start));
            while let Some(step) = next.filter(|step| *step <= end && steps.len() <= MOST) {
                steps.insert(step);
                next = shown.after(step);
            }
        }
        steps.into_iter().collect()
    }
}
