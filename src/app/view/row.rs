//! The list of steps.

use crate::history::{EvidenceStatus, Step};
use crate::model::{Kind, RecordNo, StepNo};
use crate::text::Safe;
use crate::text::number::grouped;
use crate::text::time::date;
use crate::text::width::{clip_middle, pad};

use super::super::layout::Pane;
use super::super::line::Line;
use super::super::role::Role;
use super::{Row, View, words};

/// Cells of a record's number at least.
const RECORD_CELLS: usize = 4;
/// Cells of a time, or of `replay`; one more where some event's own time stands in, and more where a
/// day begins.
const TIME_CELLS: usize = 8;
const DAY_CELLS: usize = 11;
/// Bounds of the column of ids.
const NAME_CELLS: std::ops::RangeInclusive<usize> = 6..=40;

/// How wide the columns of the list are.
#[derive(Clone, Copy)]
struct Columns {
    row: usize,
    record: usize,
    /// Whether some row in sight is marked, so that there is a cell for the sign.
    has_marks: bool,
    time: usize,
    name: usize,
}

impl View<'_> {
    pub(super) fn list_title(&self) -> Line {
        let model = self.model;
        let last = self.history.last_step();
        let line = Line::own(Role::Frame, "Steps");
        let line = match &model.focus {
            _ if model.filter.is_on() => line.join(self.filter_count()),
            // Behind the curtain the number of steps would tell of replays to come.
            _ if model.has_curtain => line.with(Role::Frame, ", curtain drawn"),
            Some(focus) => {
                let shown = self.history.neighbours_until(&focus.name, focus.id, last);
                let all = u64::from(last.0);
                line.with(
                    Role::Frame,
                    format!(" {}/{}", grouped(shown as u64), grouped(all)),
                )
            }
            None => {
                let all = grouped(u64::from(last.0));
                line.with(Role::Frame, format!(" {all}/{all}"))
            }
        };
        let day = self.day_on_top();
        let line = match &day {
            Some(day) if model.filter.is_on() => line.with(Role::Changed, format!(", {day}")),
            Some(_) | None => line,
        };
        let line = match &model.focus {
            Some(focus) => line
                .with(Role::Frame, " only ")
                .value(Role::Changed, &focus.name)
                .with(Role::Frame, " (a: all)"),
            None => line,
        };
        let line = line.join(self.selected_count());
        let line = line.clone().join(self.filter_title(line.cells()));
        if model.filter.is_on() {
            return line;
        }
        let zone = model.settings.zone.name();
        let day = day.map_or_else(String::new, |day| format!("{day} "));
        let ending = |received: &str| {
            line.clone()
                .with(Role::Frame, ", ")
                .with(Role::Changed, "*")
                .with(Role::Frame, format!(" to review, {received}"))
                .with(Role::Changed, &day)
                .value(Role::Frame, zone)
        };
        self.fitting(Pane::Steps, [ending("received "), ending("")])
    }

    /// The day of the first row in sight, where the capture goes over several.
    fn day_on_top(&self) -> Option<String> {
        let model = self.model;
        let ends = [RecordNo(1), self.history.last_record()].map(|record| self.day_of(record));
        let height = usize::from(self.body(Pane::Steps).height);
        let steps = model.shown(self.history).from(model.top, height);
        let records = steps.iter().filter_map(|step| self.history.step(*step));
        let mut in_sight = records.filter_map(|step| self.day_of(step.record));
        let top = in_sight.next()?;
        let mut others = in_sight.chain(ends.into_iter().flatten());
        others.any(|day| day != top).then_some(top)
    }

    fn day_of(&self, record: RecordNo) -> Option<String> {
        let time = self.model.rows.get(record)?.time?;
        Some(date(time.seconds, &self.model.settings.zone))
    }

    /// How many rows are out of sight above and below.
    pub(super) fn list_hidden(&self, height: usize) -> (usize, usize) {
        let model = self.model;
        let steps = model.shown(self.history).from(model.top, height);
        let (Some(first), Some(last)) = (steps.first(), steps.last()) else {
            return (0, 0);
        };
        let until = |step: StepNo| match (model.filter.hits(), &model.focus) {
            (Some(hits), _) => hits.partition_point(|hit| *hit <= step),
            (None, Some(focus)) => self.history.neighbours_until(&focus.name, focus.id, step),
            (None, None) => step.0 as usize,
        };
        let all = until(self.history.last_step());
        (until(first.before()), all.saturating_sub(until(*last)))
    }

    pub(super) fn list_rows(&self, height: usize, width: usize) -> Vec<Row> {
        let shown = self.model.shown(self.history);
        let steps = shown.from(self.model.top, height);
        let found: Vec<Step<'_>> = steps
            .iter()
            .filter_map(|step| self.history.step(*step))
            .collect();
        if found.is_empty() && self.model.filter.is_on() {
            return super::plain(self.nothing_shown(width));
        }
        let times = self.row_times(&found);
        let longest = found
            .iter()
            .filter_map(|step| self.history.subject_name(step.subject))
            .map(|name| Safe::value(name).cells())
            .max()
            .unwrap_or(0);
        let name_cells = longest
            .clamp(*NAME_CELLS.start(), *NAME_CELLS.end())
            .min((width / 4).max(*NAME_CELLS.start()));
        let record_cells = found
            .iter()
            .map(|step| step.record.to_string().len())
            .max()
            .unwrap_or(0)
            .max(RECORD_CELLS);
        let longest_time = times.iter().map(String::len).max().unwrap_or(0);
        let columns = Columns {
            row: width,
            record: record_cells,
            has_marks: found
                .iter()
                .any(|step| self.model.is_marked(self.history, step)),
            time: longest_time.clamp(TIME_CELLS, DAY_CELLS + 1),
            name: name_cells,
        };
        found
            .iter()
            .zip(times)
            .map(|(step, time)| Row {
                line: self.highlighted(self.list_line(step, &time, columns)),
                is_cursor: step.number == self.model.cursor,
            })
            .collect()
    }

    /// The time of each row; with its day where that is another than in the row above.
    fn row_times(&self, steps: &[Step<'_>]) -> Vec<String> {
        let mut day_above: Option<String> = None;
        let time = |step: &Step<'_>| {
            if step.kind == Kind::Replay {
                return "replay".to_owned();
            }
            let time = self.row_time(step.record);
            let Some(day) = self.day_of(step.record) else {
                return time;
            };
            let is_new = day_above.as_ref().is_some_and(|above| *above != day);
            // Without the year and the seconds: `03-02 09:00`.
            let (date, clock) = (day.get(5..), time.rsplit_once(':'));
            let text = match (date, clock) {
                (Some(date), Some((clock, _))) if is_new => match clock.strip_prefix('~') {
                    Some(clock) => format!("~{date} {clock}"),
                    None => format!("{date} {clock}"),
                },
                _ => time,
            };
            day_above = Some(day);
            text
        };
        steps.iter().map(time).collect()
    }

    fn list_line(&self, step: &Step<'_>, time: &str, cells: Columns) -> Line {
        let horizon = self.model.horizon(self.history);
        let is_known = self.model.is_told(step.number);
        let flag = if is_known && self.is_to_review(step.number, horizon) {
            "*"
        } else {
            " "
        };
        let mark = match (cells.has_marks, self.model.is_marked(self.history, step)) {
            (false, _) => "",
            (true, true) => "'",
            (true, false) => " ",
        };
        let is_replay = step.kind == Kind::Replay;
        let indent = if is_replay { " " } else { "" };
        let record = format!("{indent}{}", step.record);
        let name = self.history.subject_name(step.subject).unwrap_or("-");
        let name = clip_middle(&Safe::value(name), cells.name, &Safe::own(".."));
        let version = step
            .version
            .map_or_else(String::new, |version| format!("v{version}"));
        let line = Line::own(Role::Dim, format!("{record:<0$}", cells.record))
            .with(Role::Changed, flag)
            .with(Role::Mark, mark)
            .with(Role::Dim, format!("{time:<0$} ", cells.time))
            .push(Role::Text, pad(&name, cells.name))
            .with(Role::Text, format!(" {version:<2} "));
        if !is_known {
            return line;
        }
        self.list_outcome(line, step, cells.row)
    }

    /// What decided comes first, then the words around it; that a step is marked, its sign says
    /// already.
    fn list_outcome(&self, line: Line, step: &Step<'_>, cells: usize) -> Line {
        let selected = self.selected_tail(step);
        // That a mark is stale its sign does not say: the shorter words are never left out.
        let stale = self.stale_tail(step);
        let selected = stale.clone().join(selected);
        let room = cells.saturating_sub(1 + line.cells() + selected.cells());
        let outcome = words::outcome(self.history, step);
        let outcome = if outcome.cells() <= room {
            outcome
        } else {
            words::outcome_in_short(self.history, step)
        };
        let room = room.saturating_sub(outcome.cells());
        let marked = if stale.spans.is_empty() {
            self.marked_tail(step)
        } else {
            Line::default()
        };
        let (marked, room) = match room.checked_sub(marked.cells()) {
            Some(left) => (marked, left),
            None => (Line::default(), room),
        };
        let line = line.join(outcome).ending(marked.join(selected));
        let sequel = self.sequel(step);
        if sequel.cells() <= room {
            line.join(sequel)
        } else {
            line
        }
    }

    /// What became of what a step deferred, as far as that may be told.
    pub(super) fn sequel(&self, step: &Step<'_>) -> Line {
        let horizon = self.model.horizon(self.history);
        let replay = words::replayed_at(self.history, step)
            .filter(|replay| *replay <= horizon && self.model.is_told(*replay));
        replay.map_or_else(Line::default, |replay| {
            Line::own(Role::Dim, format!(" (replayed at step {replay})"))
        })
    }

    /// Whether a step is open evidence that no mark closes.
    pub(super) fn is_to_review(&self, step: StepNo, at: StepNo) -> bool {
        let status = self.history.evidence_status(step, at);
        matches!(status, EvidenceStatus::Open { .. }) && !self.model.is_closed(self.history, step)
    }
}
