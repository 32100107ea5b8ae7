//! The overview bar: where in the capture what is to review lies, and where the marks are. Under a
//! filter only what it shows counts.

use crate::history::EvidenceStatus;
use crate::model::StepNo;

use super::super::filter::scan::next_of;
use super::View;

/// One cell of the overview bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BarCell {
    /// How dense what is to review lies here: 0 for none, to 3.
    pub level: usize,
    /// Whether the cursor is here.
    pub is_cursor: bool,
    /// Whether a mark is here.
    pub is_marked: bool,
}

/// Pieces of evidence that a cell of the bar looks at.
const PIECES: usize = 64;

impl View<'_> {
    /// The overview bar, at most `width` cells: where in the capture what is to review lies. Costs a
    /// few binary searches a cell.
    pub fn overview(&self, width: usize) -> Vec<BarCell> {
        let last = u64::from(self.history.last_step().0);
        let horizon = self.model.horizon(self.history);
        let marked = self.model.marked_steps(horizon);
        let cells = last.min(width as u64);
        let edge = |cell: u64| {
            let step = last * cell / cells.max(1);
            StepNo(u32::try_from(step).unwrap_or(u32::MAX))
        };
        (0..cells)
            .map(|cell| {
                let (from, to) = (edge(cell), edge(cell + 1));
                BarCell {
                    // Where it is dense would tell what was not stepped through.
                    level: if self.model.has_curtain {
                        0
                    } else {
                        self.density(from, to.min(horizon), horizon)
                    },
                    is_cursor: from < self.model.cursor && self.model.cursor <= to,
                    is_marked: next_of(marked, from, true).is_some_and(|mark| mark <= to),
                }
            })
            .collect()
    }

    /// Whether the curtain is drawn, so that the bar tells nothing of what is to review.
    pub fn has_curtain(&self) -> bool {
        self.model.has_curtain
    }

    /// Whether the bar is of what a filter shows alone.
    pub fn is_overview_filtered(&self) -> bool {
        self.model.filter.is_on()
    }

    fn density(&self, from: StepNo, to: StepNo, at: StepNo) -> usize {
        if let Some(hits) = self.model.filter.hits() {
            return self.density_of(hits, from, to, at);
        }
        let mut step = from;
        for _ in 0..PIECES {
            match self.history.next_open_evidence(step, at) {
                Some(next) if next <= to => step = next,
                Some(_) | None => return 0,
            }
            if !self.model.is_closed(self.history, step) {
                let begun = |at| {
                    let counts = self.history.evidence_counts(at);
                    counts.open + counts.resolved
                };
                return level(begun(to) - begun(from), (to.0 - from.0) as usize);
            }
        }
        1
    }

    /// The same among the steps that are shown, of which so many are looked at.
    fn density_of(&self, hits: &[StepNo], from: StepNo, to: StepNo, at: StepNo) -> usize {
        let start = hits.partition_point(|hit| *hit <= from);
        let end = hits.partition_point(|hit| *hit <= to);
        let within = hits.get(start..end).unwrap_or_default();
        let looked_at = within.iter().take(PIECES);
        let is_open = |step: &&StepNo| {
            let status = self.history.evidence_status(**step, at);
            matches!(status, EvidenceStatus::Open { .. })
                && !self.model.is_closed(self.history, **step)
        };
        let open = looked_at.clone().filter(is_open).count();
        if open == 0 {
            return usize::from(within.len() > PIECES);
        }
        level(open, looked_at.count())
    }
}

fn level(found: usize, steps: usize) -> usize {
    match (steps, found * 100) {
        (0..=2, _) => 2,
        (_, found) if found > steps * 50 => 3,
        (_, found) if found > steps * 5 => 2,
        _ => 1,
    }
}
