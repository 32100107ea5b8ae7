//! The aggregates, a row each, and one aggregate's timeline.

use crate::history::Standing;
use crate::model::{AggregateId, Kind, State, StepNo, Subject};
use crate::text::Safe;
use crate::text::number::grouped;
use crate::text::width::{clip, clip_middle, pad};

use super::super::class::Class;
use super::super::curtain::COVERED;
use super::super::line::Line;
use super::super::list::Shown;
use super::super::role::Role;
use super::super::views::ViewName;
use super::super::views::mark::missing_of;
use super::{Row, View, labelled, words};

/// Deferred events that are counted of one aggregate, and steps that are looked at for evidence.
const COUNTED: usize = 1_000;
const LOOKED_AT: usize = 200;
/// Aggregates of one id under other sources that are looked at.
const NAMESAKES: usize = 10;
/// Cells of the columns behind the id.
const VERSION: usize = 5;
const WAITS: usize = 10;
const SINCE: usize = 9;
const COUNT: usize = 6;
/// Bounds of the columns of ids and states.
const NAME: std::ops::RangeInclusive<usize> = 8..=40;
const STATE: std::ops::RangeInclusive<usize> = 6..=30;

/// Cells of the two columns that share what the others leave.
#[derive(Clone, Copy)]
struct Columns {
    name: usize,
    state: usize,
}

impl View<'_> {
    pub(super) fn aggregates_title(&self, line: Line) -> Line {
        let views = &self.model.views;
        let line = match self.model.aggregate_list(self.history) {
            Some((_, list)) => {
                let all = grouped(list.ids.len() as u64);
                let waiting = grouped(list.waiting as u64);
                let line = line.with(Role::Frame, format!(" {all}, "));
                let role = if list.waiting > 0 {
                    Role::Changed
                } else {
                    Role::Frame
                };
                line.with(role, format!("{waiting} waiting"))
            }
            None => line,
        };
        let line = if views.needle.is_empty() {
            line
        } else {
            line.with(Role::Frame, ", ids with ")
                .value(Role::Match, &views.needle)
        };
        let line = self.as_of(line, ViewName::Aggregates);
        let line = line.with(Role::Frame, "; ");
        line.with(Role::Key, "s")
            .with(Role::Frame, format!(" order: {}", views.sort.words()))
    }

    fn aggregate_columns(&self) -> Columns {
        let fixed = VERSION + WAITS + SINCE + 3 * COUNT + 2;
        let rest = self.page_width().saturating_sub(fixed);
        let name = (rest / 2).clamp(*NAME.start(), *NAME.end());
        Columns {
            name,
            state: rest
                .saturating_sub(name)
                .clamp(*STATE.start(), *STATE.end()),
        }
    }

    pub(super) fn aggregate_head(&self) -> Line {
        let columns = self.aggregate_columns();
        let (name, state) = (columns.name, columns.state);
        Line::own(
            Role::Dim,
            format!(
                " {:<name$} {:<VERSION$}{:<state$} {:<WAITS$}{:<SINCE$}{:>COUNT$}{:>COUNT$}{:>COUNT$}",
                "id", "at", "state", "waits for", "since", "steps", "held", "open"
            ),
        )
    }

    pub(super) fn aggregate_lines(&self, from: usize, count: usize) -> Vec<Line> {
        let Some((at, list)) = self.model.aggregate_list(self.history) else {
            return Vec::new();
        };
        if list.ids.is_empty() {
            let words = if self.model.views.needle.is_empty() {
                "Nothing was applied, stated or deferred so far."
            } else {
                "No id holds that text; / and Enter on nothing shows all."
            };
            return super::skip(vec![Line::own(Role::Dim, words)], from, count);
        }
        let ids = list.ids.iter().skip(from).take(count);
        ids.map(|id| self.aggregate_line(*id, at)).collect()
    }

    fn aggregate_line(&self, id: AggregateId, at: StepNo) -> Line {
        let history = self.history;
        let columns = self.aggregate_columns();
        let projection = history.projection(id, at);
        let version = match (projection.standing, projection.version) {
            (Standing::Nothing, _) => "-".to_owned(),
            (_, Some(version)) => format!("v{version}"),
            (_, None) => String::new(),
        };
        let state = projection.state.map(|state| history.word(state));
        let state = Safe::value(state.unwrap_or("-"));
        let dots = Safe::own("..");
        let name = self.id_in_list(id, at, columns.name);
        let line = Line::default()
            .push(Role::Text, pad(&name, columns.name))
            .with(Role::Text, format!(" {version:<VERSION$}"))
            .push(
                Role::Text,
                pad(&clip(&state, columns.state, &dots), columns.state),
            );
        let waits = history.waiting_for(id, at);
        let line = match waits {
            Some(version) => {
                let role = Role::Class(Class::Deferred);
                line.with(role, format!(" {:<WAITS$}", format!("~ v{version}")))
            }
            None => line.with(Role::Text, format!(" {:<WAITS$}", "")),
        };
        let since = history.waiting_since(id, at);
        let clock = since
            .and_then(|step| history.step(step))
            .and_then(|step| self.clock(step.record))
            .unwrap_or_default();
        let held = history.deferred_count(id, at, COUNTED + 1);
        let steps = history.neighbours_until(history.name_of(id), Some(id), at);
        let (open, is_whole) = self.open_of(id, at);
        let role = if open > 0 { Role::Changed } else { Role::Text };
        let line = line
            .with(Role::Text, format!("{clock:<SINCE$}"))
            .with(Role::Text, format!("{:>COUNT$}", grouped(steps as u64)))
            .with(Role::Text, format!("{:>COUNT$}", counted(held, COUNTED)))
            .with(role, format!("{:>COUNT$}", counted_so_far(open, is_whole)));
        match missing_of(history, Subject::Aggregate(id), at) {
            Some(missing) if self.model.book.mark_of_missing(&missing).is_some() => {
                line.ending(Line::own(Role::Mark, " [marked]"))
            }
            Some(_) | None => line,
        }
    }

    /// The id, with its source where another one in the list has the same id.
    fn id_in_list(&self, id: AggregateId, at: StepNo, cells: usize) -> Safe {
        let history = self.history;
        let name = history.name_of(id);
        let dots = Safe::own("..");
        let mut text = clip_middle(&Safe::value(name), cells, &dots);
        let mut others = history.aggregates_named(name).take(NAMESAKES);
        let is_ambiguous = others.any(|other| {
            let stands = history.projection(other, at).standing != Standing::Nothing;
            other != id && (stands || history.waiting_for(other, at).is_some())
        });
        if is_ambiguous {
            text.push(&Safe::own(" @"));
            text.push(&Safe::value(history.source_of(id)));
        }
        clip(&text, cells, &dots)
    }

    /// Open evidence among the last steps of an aggregate, and whether those are all.
    fn open_of(&self, id: AggregateId, at: StepNo) -> (usize, bool) {
        let name = self.history.name_of(id);
        let before = |step| self.history.neighbour(name, Some(id), step, false);
        let mut steps = std::iter::successors(before(at.after()), |step| before(*step));
        let mut looked_at = 0;
        let mut open = 0;
        for step in steps.by_ref().take(LOOKED_AT) {
            looked_at += 1;
            open += usize::from(self.is_to_review(step, at));
        }
        (open, looked_at < LOOKED_AT || steps.next().is_none())
    }

    /// The steps since when the aggregates in sight wait.
    pub(super) fn since_in_sight(&self, from: usize, count: usize) -> Vec<StepNo> {
        let Some((at, list)) = self.model.aggregate_list(self.history) else {
            return Vec::new();
        };
        let ids = list.ids.iter().skip(from).take(count);
        ids.filter_map(|id| self.history.waiting_since(*id, at))
            .collect()
    }

    pub(super) fn aggregate_detail(&self) -> (Line, Vec<Line>) {
        let Some(id) = self.model.selected_aggregate(self.history) else {
            return (Line::default(), Vec::new());
        };
        let at = self
            .model
            .aggregate_list(self.history)
            .map_or(StepNo(0), |(at, _)| at);
        let title = Line::default()
            .value(Role::FocusedFrame, self.history.name_of(id))
            .with(Role::Frame, " of ")
            .value(Role::Frame, self.history.source_of(id))
            .with(Role::Frame, "; Enter shows its steps");
        let mut lines = Vec::new();
        if let Some(version) = self.history.waiting_for(id, at) {
            let comes = self.model.has_curtain || !self.model.progress.is_finished;
            let causes = self.history.gap_causes(id, at);
            for cause in causes.iter().take(3) {
                let line = words::gap_cause(self.history, cause, version, comes);
                lines.push(labelled("waits").join(line.without(Role::Key)));
            }
            if causes.len() > 3 {
                let words = format!("and {} more causes", causes.len() - 3);
                lines.push(labelled("").with(Role::Dim, words));
            }
        } else {
            lines.push(Line::own(Role::Dim, "it waits for nothing"));
        }
        if let Some(since) = self.history.version_conflict(id, at) {
            let role = Role::Class(Class::Conflict);
            lines.push(
                labelled("conflict").with(role, format!("two facts, one version, step {since}")),
            );
        }
        let order = self.history.find_order(self.history.name_of(id));
        lines.extend(order.and_then(|order| self.gate_line(order, at)));
        (title, lines)
    }

    pub(super) fn timeline_title(&self) -> Line {
        let Some(timeline) = &self.model.views.timeline else {
            return Line::default();
        };
        let horizon = self.model.horizon(self.history);
        let focus = &timeline.focus;
        let count = self
            .history
            .neighbours_until(&focus.name, focus.id, horizon);
        let line = Line::own(Role::FocusedFrame, "Timeline of ")
            .value(Role::Changed, &focus.name)
            .with(Role::Frame, format!(", {} steps", grouped(count as u64)));
        let line = match focus.id {
            Some(id) => line
                .with(Role::Frame, ", source ")
                .value(Role::Frame, self.history.source_of(id)),
            None => line,
        };
        if self.model.has_curtain {
            line.with(Role::Frame, ", curtain drawn")
        } else {
            line
        }
    }

    /// The steps of the timeline that are in sight.
    pub(in crate::app) fn timeline_steps(&self, count: usize) -> Vec<StepNo> {
        let Some(timeline) = &self.model.views.timeline else {
            return Vec::new();
        };
        let shown = Shown {
            history: self.history,
            focus: Some(&timeline.focus),
            hits: None,
            curtain: None,
        };
        let mut steps = shown.from(timeline.top, count);
        let horizon = self.model.horizon(self.history);
        steps.retain(|step| *step <= horizon && step.0 > 0);
        steps
    }

    pub(super) fn timeline_rows(&self, height: usize) -> (Vec<Row>, (usize, usize)) {
        let Some(timeline) = &self.model.views.timeline else {
            return (Vec::new(), (0, 0));
        };
        let steps = self.timeline_steps(height);
        let focus = &timeline.focus;
        let until = |step| self.history.neighbours_until(&focus.name, focus.id, step);
        let horizon = self.model.horizon(self.history);
        let above = steps.first().map_or(0, |first| until(first.before()));
        let below = steps
            .last()
            .map_or(0, |last| until(horizon).saturating_sub(until(*last)));
        let rows = steps.into_iter().map(|step| Row {
            line: self.timeline_line(step),
            is_cursor: step == timeline.cursor,
        });
        (rows.collect(), (above, below))
    }

    fn timeline_line(&self, number: StepNo) -> Line {
        let Some(step) = self.history.step(number) else {
            return Line::default();
        };
        let horizon = self.model.horizon(self.history);
        let flag = if self.model.is_told(number) && self.is_to_review(number, horizon) {
            "*"
        } else {
            " "
        };
        let time = if step.kind == Kind::Replay {
            "replay".to_owned()
        } else {
            self.clock(step.record).unwrap_or_default()
        };
        let version = step
            .version
            .map_or_else(String::new, |version| format!("v{version}"));
        let line = Line::own(Role::Dim, format!("{:<6}", step.record.to_string()))
            .with(Role::Changed, flag)
            .with(Role::Dim, format!("{time:<9} "))
            .with(Role::Text, format!("{version:<4} "))
            .join(if self.model.is_told(number) {
                words::outcome(self.history, &step)
            } else {
                Line::own(Role::Dim, COVERED)
            });
        let sequel = self.sequel(&step);
        let line = if line.cells() + sequel.cells() <= self.page_width() {
            line.join(sequel)
        } else {
            line
        };
        let line = match step.subject {
            Subject::Aggregate(id)
                if step.state == State::Applied && self.model.is_told(number) =>
            {
                self.change_of(line, id, number)
            }
            Subject::Aggregate(_) | Subject::Order(_) | Subject::Unknown => line,
        };
        if self.model.is_marked(self.history, &step) {
            line.ending(Line::own(Role::Mark, " [marked]"))
        } else {
            line
        }
    }

    /// `  accepted -> paid`
    fn change_of(&self, line: Line, id: AggregateId, step: StepNo) -> Line {
        let word = |at| {
            let state = self.history.projection(id, at).state;
            state.map_or("nothing", |state| self.history.word(state))
        };
        let after = Line::own(Role::Dim, " -> ").value(Role::Changed, word(step));
        let before = Line::own(Role::Text, "  ").value(Role::Previous, word(step.before()));
        // What it was before stands in an earlier row; what it became is said in any case.
        if line.cells() + before.cells() + after.cells() <= self.page_width() {
            line.join(before).join(after)
        } else {
            line.with(Role::Text, ", ").value(Role::Changed, word(step))
        }
    }

    pub(super) fn timeline_detail(&self) -> (Line, Vec<Line>) {
        let Some(timeline) = &self.model.views.timeline else {
            return (Line::default(), Vec::new());
        };
        let Some(step) = self.history.step(timeline.cursor) else {
            return (Line::default(), Vec::new());
        };
        let title = Line::own(
            Role::FocusedFrame,
            format!("{}, step {}", step.record, step.number),
        )
        .with(Role::Frame, "; Enter goes there");
        let mut lines = Vec::new();
        let text = self.model.rows.get(step.record);
        if let Some(id) = text.and_then(|text| text.id.as_deref()) {
            lines.push(Line::own(Role::Dim, "id ").value(Role::Text, id));
        }
        for finding in step.findings {
            let words = format!("{}: ", finding.code.name());
            lines.push(Line::own(Role::Changed, words).with(Role::Text, finding.code.meaning()));
        }
        if let Some(note) = text.and_then(|text| text.note.as_deref()) {
            lines.push(Line::default().value(Role::Caption, note));
        }
        (title, lines)
    }
}

fn counted(count: usize, most: usize) -> String {
    if count > most {
        format!("{}+", grouped(most as u64))
    } else {
        grouped(count as u64)
    }
}

fn counted_so_far(count: usize, is_whole: bool) -> String {
    if is_whole {
        grouped(count as u64)
    } else {
        format!("{}+", grouped(count as u64))
    }
}
