//! The list of steps.

use crate::history::{EvidenceStatus, Step};
use crate::model::{Kind, StepNo};
use crate::text::Safe;
use crate::text::number::grouped;
use crate::text::width::{clip_middle, pad};

use super::super::line::Line;
use super::super::role::Role;
use super::{Row, View, words};

/// Cells of a record's number at least.
const RECORD_CELLS: usize = 4;
/// Cells of a time, or of `replay`; one more where some event's own time stands in.
const TIME_CELLS: usize = 8;
/// Bounds of the column of ids.
const NAME_CELLS: std::ops::RangeInclusive<usize> = 6..=40;

/// How wide the columns of the list are.
#[derive(Clone, Copy)]
struct Columns {
    row: usize,
    record: usize,
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
        line.with(Role::Frame, ", ")
            .with(Role::Changed, "*")
            .with(Role::Frame, " to review, received ")
            .value(Role::Frame, zone)
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
        let has_own_time = found
            .iter()
            .filter_map(|step| self.model.rows.get(step.record))
            .any(|text| text.is_own_time && text.time.is_some());
        let columns = Columns {
            row: width,
            record: record_cells,
            time: TIME_CELLS + usize::from(has_own_time),
            name: name_cells,
        };
        found
            .iter()
            .map(|step| Row {
                line: self.highlighted(self.list_line(step, columns)),
                is_cursor: step.number == self.model.cursor,
            })
            .collect()
    }

    fn list_line(&self, step: &Step<'_>, cells: Columns) -> Line {
        let horizon = self.model.horizon(self.history);
        let is_known = step.number <= horizon;
        let flag = if is_known && self.is_to_review(step.number, horizon) {
            "*"
        } else {
            " "
        };
        let is_replay = step.kind == Kind::Replay;
        let indent = if is_replay { " " } else { "" };
        let record = format!("{indent}{}", step.record);
        let time = if is_replay {
            "replay".to_owned()
        } else {
            self.row_time(step.record)
        };
        let name = self.history.subject_name(step.subject).unwrap_or("-");
        let name = clip_middle(&Safe::value(name), cells.name, &Safe::own(".."));
        let version = step
            .version
            .map_or_else(String::new, |version| format!("v{version}"));
        let line = Line::own(Role::Dim, format!("{record:<0$}", cells.record))
            .with(Role::Changed, flag)
            .with(Role::Dim, format!("{time:<0$} ", cells.time))
            .push(Role::Text, pad(&name, cells.name))
            .with(Role::Text, format!(" {version:<2} "));
        if !is_known {
            return line;
        }
        let mut line = line.join(words::outcome(self.history, step));
        line = line.ending(self.row_tail(step));
        // Said only where there is room for all of it; the gap's key goes there anyway.
        let sequel = words::sequel(self.history, step, horizon);
        let tail: usize = line.tail.iter().map(|span| span.text.cells()).sum();
        if 1 + line.cells() + sequel.cells() + tail <= cells.row {
            line = line.join(sequel);
        }
        line
    }

    /// Whether a step is open evidence that no mark closes.
    pub(super) fn is_to_review(&self, step: StepNo, at: StepNo) -> bool {
        let status = self.history.evidence_status(step, at);
        matches!(status, EvidenceStatus::Open { .. }) && !self.model.is_closed(self.history, step)
    }
}
