//! Which steps the list shows, walked from any of them: a window costs as much as its rows, however
//! long the capture is.

use crate::history::{History, Standing};
use crate::model::{AggregateId, Kind, StepNo, Subject};

use super::curtain::Curtain;
use super::filter::scan::next_of;

/// What the list is narrowed to: an aggregate, its owner's records, and refused envelopes that name
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Focus {
    /// The aggregate's or order's id.
    pub(super) name: String,
    /// The aggregate, where it is one of a known source.
    pub(super) id: Option<AggregateId>,
}

impl Focus {
    /// What a step is about, as a focus.
    pub(super) fn on(history: &History, step: StepNo) -> Option<Self> {
        let subject = history.step(step)?.subject;
        let name = history.subject_name(subject)?.to_owned();
        let id = match subject {
            Subject::Aggregate(id) => Some(id),
            Subject::Order(_) => the_only_one(history, &name, history.last_step()),
            Subject::Unknown => None,
        };
        Some(Self { name, id })
    }

    /// A focus by name alone.
    pub(super) fn named(history: &History, name: &str) -> Option<Self> {
        let id = the_only_one(history, name, history.last_step())
            .or_else(|| history.aggregates_named(name).next());
        let known = id.is_some() || history.find_order(name).is_some();
        known.then(|| Self {
            name: name.to_owned(),
            id,
        })
    }

    /// Whether a step is about it.
    pub(super) fn holds(&self, history: &History, step: StepNo) -> bool {
        history.neighbour(&self.name, self.id, step.before(), true) == Some(step)
    }
}

/// The aggregate that an order's id stands for as of step `at`: the one source under which something
/// was applied, stated or is deferred, or else the one source that ever named it.
pub(super) fn the_only_one(history: &History, name: &str, at: StepNo) -> Option<AggregateId> {
    let stands = |id: &AggregateId| {
        history.projection(*id, at).standing != Standing::Nothing || history.has_deferred(*id, at)
    };
    let is_named = |id: &AggregateId| !history.source_of(*id).is_empty();
    let mut standing = history.aggregates_named(name).filter(stands);
    match (standing.next(), standing.next()) {
        (Some(only), None) => Some(only),
        (Some(_), Some(_)) => None,
        (None, _) => {
            let mut named = history.aggregates_named(name).filter(is_named);
            let first = named.next()?;
            named.next().is_none().then_some(first)
        }
    }
}

/// The steps that are shown, in order.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    pub(super) history: &'a History,
    pub(super) focus: Option<&'a Focus>,
    /// What a filter shows, in order, where one is on.
    pub(super) hits: Option<&'a [StepNo]>,
    /// Where the curtain is drawn: most replays are not shown, for they would tell what was not seen
    /// yet.
    pub(super) curtain: Option<Curtain<'a>>,
}

impl Shown<'_> {
    /// The next step after `from`, shown or not.
    fn step_after(&self, from: StepNo) -> Option<StepNo> {
        self.beside(from, true)
    }

    /// The step before `from`.
    fn step_before(&self, from: StepNo) -> Option<StepNo> {
        self.beside(from, false)
    }

    fn beside(&self, from: StepNo, forward: bool) -> Option<StepNo> {
        let last = self.history.last_step();
        match self.focus {
            Some(focus) => self.leap(from, forward, |from| {
                self.history.neighbour(&focus.name, focus.id, from, forward)
            }),
            None => match self.hits {
                Some(hits) => next_of(hits, from, forward),
                None if forward => Some(from.after()).filter(|step| *step <= last),
                None => Some(from.before()).filter(|step| step.0 > 0),
            },
        }
    }

    /// The next step after `from` that both the filter shows and `next` leads to. Each leaps to
    /// where the other stands, so that what one of them lacks costs the other nothing.
    pub(super) fn leap(
        &self,
        from: StepNo,
        forward: bool,
        next: impl Fn(StepNo) -> Option<StepNo>,
    ) -> Option<StepNo> {
        let mut step = next(from)?;
        let Some(hits) = self.hits else {
            return Some(step);
        };
        loop {
            let just_before = if forward { step.before() } else { step.after() };
            let hit = next_of(hits, just_before, forward)?;
            if hit == step {
                return Some(step);
            }
            let just_before = if forward { hit.before() } else { hit.after() };
            step = next(just_before)?;
        }
    }

    fn is_shown(&self, step: StepNo) -> bool {
        self.curtain.is_none_or(|curtain| {
            let found = self.history.step(step);
            found.is_some_and(|found| found.kind != Kind::Replay) || curtain.shows_replay(step)
        })
    }

    /// The next row after `from`.
    pub(super) fn after(&self, from: StepNo) -> Option<StepNo> {
        let mut step = self.step_after(from)?;
        while !self.is_shown(step) {
            step = if self.focus.is_some() || self.hits.is_some() {
                self.step_after(step)?
            } else {
                let past = self.past_cascade(step);
                let shown = self.curtain.and_then(|curtain| curtain.after(step));
                past.into_iter().chain(shown).min()?
            };
        }
        Some(step)
    }

    /// The row before `from`.
    pub(super) fn before(&self, from: StepNo) -> Option<StepNo> {
        let mut step = self.step_before(from)?;
        while !self.is_shown(step) {
            step = if self.focus.is_some() || self.hits.is_some() {
                self.step_before(step)?
            } else {
                // All replays of a cascade follow the step that began it.
                let root = self.history.step(step)?.released_by?;
                self.curtain
                    .map_or(root, |curtain| curtain.before(step, root))
            };
        }
        Some(step)
    }

    /// The first step behind the cascade that a replay belongs to.
    fn past_cascade(&self, replay: StepNo) -> Option<StepNo> {
        let root = self.history.step(replay)?.released_by?;
        let record = self.history.step(root)?.record;
        self.history
            .step_of_record(crate::model::RecordNo(record.0.saturating_add(1)))
    }

    /// The first row.
    pub(super) fn first(&self) -> Option<StepNo> {
        self.after(StepNo(0))
    }

    /// The last row.
    pub(super) fn last(&self) -> Option<StepNo> {
        self.before(self.history.last_step().after())
    }

    /// Up to `count` rows from `from` on, itself included.
    pub(super) fn from(&self, from: StepNo, count: usize) -> Vec<StepNo> {
        let mut rows = Vec::with_capacity(count.min(256));
        let mut next = Some(from);
        while let Some(step) = next.filter(|_| rows.len() < count) {
            rows.push(step);
            next = self.after(step);
        }
        rows
    }

    /// Where a window of `height` rows begins so that it holds the cursor, moved as little as
    /// possible from `top`; a far jump puts the cursor in the middle.
    pub(super) fn top(&self, top: StepNo, cursor: StepNo, height: usize) -> StepNo {
        let height = height.max(1);
        if cursor.0 == 0 {
            return cursor;
        }
        let start = if top.0 > 0 && top <= cursor && self.is_row(top) {
            let rows = self.from(top, height * 2);
            match rows.iter().position(|row| *row == cursor) {
                Some(index) if index + 1 < height => top,
                Some(_) => self.back(cursor, height.saturating_sub(2)),
                None => self.back(cursor, height / 2),
            }
        } else if self.from(cursor, height).contains(&top) {
            self.back(cursor, 1.min(height - 1))
        } else {
            self.back(cursor, height / 2)
        };
        // The end of the list stands at the end of the window.
        let shown = self.from(start, height).len();
        let start = self.back(start, height - shown.min(height));
        if self.from(start, height).contains(&cursor) {
            start
        } else {
            cursor
        }
    }

    /// Whether a step is among the rows.
    pub(super) fn is_row(&self, step: StepNo) -> bool {
        self.is_shown(step)
            && self
                .hits
                .is_none_or(|hits| hits.binary_search(&step).is_ok())
            && self
                .focus
                .is_none_or(|focus| focus.holds(self.history, step))
    }

    /// The row at a step, or else the nearest one after it or before it.
    pub(super) fn nearest(&self, step: StepNo) -> Option<StepNo> {
        if self.is_row(step) {
            return Some(step);
        }
        self.after(step).or_else(|| self.before(step))
    }

    fn back(&self, from: StepNo, count: usize) -> StepNo {
        let mut step = from;
        for _ in 0..count {
            match self.before(step) {
                Some(before) => step = before,
                None => break,
            }
        }
        step
    }
}
