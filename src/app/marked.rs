//! Marks on the list: which steps are marked, where each mark stands, and how many there are.

use crate::history::{History, Step};
use crate::model::{Kind, RecordNo, State, StepNo, Subject};
use crate::review::{AnchorKey, Mark, MissingAnchor};

use super::line::Line;
use super::model::Model;
use super::role::Role;

/// Marks that a jump or a cell of the bar looks at; a case with more has them in the list still.
pub(super) const MOST: usize = 100_000;

impl Model {
    /// The mark that a step shows: its own, or that on the version it waits for.
    pub(super) fn mark_on(&self, history: &History, step: &Step<'_>) -> Option<&Mark> {
        let own = self.book.mark_of(step.record, step.kind == Kind::Replay);
        own.or_else(|| self.mark_on_missing(history, step))
    }

    /// Whether a step shows a mark.
    pub(super) fn is_marked(&self, history: &History, step: &Step<'_>) -> bool {
        self.mark_on(history, step).is_some()
    }

    /// Whether a version that is missing is marked.
    pub(super) fn has_missing_marks(&self) -> bool {
        let mut marks = self.book.marks();
        marks.any(|mark| matches!(mark.anchor.key(), AnchorKey::Missing(_)))
    }

    /// The mark on what a waiting event waits for.
    pub(super) fn mark_on_missing(&self, history: &History, step: &Step<'_>) -> Option<&Mark> {
        let Subject::Aggregate(id) = step.subject else {
            return None;
        };
        if step.state != State::Deferred {
            return None;
        }
        let missing = MissingAnchor {
            source: history.source_of(id).to_owned(),
            aggregate: history.name_of(id).to_owned(),
            version: history.next_version(id, step.number)?,
        };
        self.book.mark_of_missing(&missing)
    }

    /// Where the marks stand, as of a step: each once, in order.
    pub(super) fn marked_steps(&self, at: StepNo) -> &[StepNo] {
        let end = self.marked.partition_point(|step| *step <= at);
        self.marked.get(..end).unwrap_or_default()
    }

    /// Finds out anew where the marks stand: they changed, or more was read.
    pub(super) fn place_marks(&mut self, history: &History) {
        let last = history.last_step();
        let places = self.book.marks().take(MOST);
        let mut steps: Vec<StepNo> = places
            .filter_map(|mark| place(history, &mark.anchor.key(), last))
            .collect();
        steps.sort_unstable();
        steps.dedup();
        self.marked = steps;
        self.marked_at = last;
    }

    /// To the next mark, or the one before.
    pub(super) fn go_to_mark(&mut self, history: &History, forward: bool) {
        let horizon = self.horizon(history);
        let marked = self.marked_steps(horizon);
        let shown = self.shown(history);
        let next = |from| super::filter::scan::next_of(marked, from, forward);
        let found = shown.leap(self.cursor, forward, next);
        let found = found.filter(|step| {
            let focus = self.focus.as_ref();
            focus.is_none_or(|focus| focus.holds(history, *step))
        });
        match found {
            Some(step) => {
                let line = self.words_of_mark(history, step);
                self.jump(history, step, line);
            }
            None if marked.is_empty() => self.say_own("nothing is marked yet: m marks"),
            None if forward => self.say_own("no mark after this; \" goes back"),
            None => self.say_own("no mark before this; ' goes on"),
        }
    }

    fn words_of_mark(&self, history: &History, step: StepNo) -> Line {
        let line = Line::own(Role::Mark, "marked");
        let found = history.step(step);
        let mark = found.and_then(|step| self.mark_on(history, &step));
        match mark {
            Some(mark) => line.with(Role::Text, format!(" {}", mark.disposition.label())),
            None => line,
        }
    }

    /// Open evidence and marks as of a step: what is to review, and what is marked.
    pub(super) fn counts(&self, history: &History, at: StepNo) -> (usize, usize) {
        let mut to_review = history.evidence_counts(at).open;
        let mut marked = 0;
        for mark in self.book.marks() {
            let crate::review::AnchorKey::Record { record, replay } = mark.anchor.key() else {
                marked += 1;
                continue;
            };
            let Some(step) = marked_step(history, record, replay).filter(|step| *step <= at) else {
                continue;
            };
            marked += 1;
            let status = history.evidence_status(step, at);
            let is_open = matches!(status, crate::history::EvidenceStatus::Open { .. });
            to_review -= usize::from(is_open && to_review > 0 && self.is_closed(history, step));
        }
        (to_review, marked)
    }
}

/// Deferred events that are looked at for the lowest version.
const LOOKED_AT: usize = 1_000;

/// The step at which a mark stands. One on a version that is missing stands where an event waits for
/// it, else where somebody carried it in vain, else at the last that was seen of the aggregate.
fn place(history: &History, key: &AnchorKey, last: StepNo) -> Option<StepNo> {
    let missing = match key {
        AnchorKey::Record { record, replay } => return marked_step(history, *record, *replay),
        AnchorKey::Missing(missing) => missing,
        AnchorKey::Capture => return None,
    };
    let id = history.find_aggregate(&missing.source, &missing.aggregate)?;
    if history.waiting_for(id, last) == Some(missing.version) {
        if let Some(held) = history.deferred_first(id, last, LOOKED_AT).0.first() {
            return Some(held.step);
        }
        let causes = history.gap_causes(id, last);
        if let Some(carrier) = causes.iter().find_map(|cause| cause.carrier) {
            return Some(carrier.step);
        }
    }
    let holder = history.holder(id, missing.version);
    holder
        .and_then(|record| history.latest_step_of_record(record, last))
        .or_else(|| history.neighbour(&missing.aggregate, Some(id), last.after(), false))
}

/// The step that a mark on a record is about.
pub(super) fn marked_step(history: &History, record: RecordNo, replay: bool) -> Option<StepNo> {
    if replay {
        history.replay_of_record(record)
    } else {
        history.step_of_record(record)
    }
}
