//! The stages of the step under the cursor: what each saw, the rule, the verdict, and what a person
//! should know of the step.

use std::ops::Range;

use crate::history::{EvidenceStatus, Step};
use crate::model::{Look, Severity, StageView, Verdict};

use super::super::class::Class;
use super::super::layout::Pane;
use super::super::line::Line;
use super::super::model::Reach;
use super::super::role::Role;
use super::{Row, View};

/// Cells of a stage's name.
const NAME_CELLS: usize = 10;
/// Rows from which on all stages are listed.
const FULL_ROWS: usize = 11;
/// Replays that are counted for the strip.
const REPLAYS: usize = 1_000;

/// The lines of the pane: some that stay, and those that the window moves over.
pub(super) struct StageLines {
    /// The strip, and the caption where there is room.
    pinned: Vec<Line>,
    /// Findings, evidence, and the stages.
    pub(super) lines: Vec<Line>,
    /// The lines of the stage under the cursor.
    pub(super) block: Range<usize>,
}

impl View<'_> {
    pub(super) fn stages_title(&self) -> Line {
        let Some(step) = self.history.step(self.model.cursor) else {
            return Line::own(Role::Frame, "No step yet");
        };
        let line = Line::own(Role::FocusedFrame, step.record.to_string());
        let line = match self.history.subject_name(step.subject) {
            Some(name) => line.with(Role::Frame, " ").value(Role::FocusedFrame, name),
            None => line,
        };
        let line = match step.version {
            Some(version) => line.with(Role::FocusedFrame, format!(" v{version}")),
            None => line,
        };
        let line = line.with(Role::Frame, format!(", {}", step.kind.name()));
        let Some(look) = self.model.look() else {
            return line;
        };
        let event = &look.event;
        let named = [
            ("id", &event.id),
            ("source", &event.source),
            ("attempt", &event.attempt),
        ];
        named
            .into_iter()
            .fold(line, |line, (name, value)| match value {
                Some(value) => line
                    .with(Role::Frame, format!("  {name} "))
                    .value(Role::Text, value),
                None => line,
            })
    }

    pub(super) fn stages_rows(&self, height: usize) -> Vec<Row> {
        let lines = self.stages_lines();
        let pinned = lines.pinned.len().min(height);
        let room = height - pinned;
        let has_keys = self.model.pane == Pane::Stages;
        let moved = self.model.scroll(Pane::Stages).line;
        let at = moved.unwrap_or(lines.block.start);
        let top = match moved {
            Some(at) => super::window_top(at, lines.lines.len(), room),
            // All from the beginning where the stage still fits, else as little further as it needs.
            None => lines.block.end.saturating_sub(room).min(lines.block.start),
        };
        let mut rows = super::plain(lines.pinned.into_iter().take(pinned).collect());
        let shown = lines.lines.into_iter().zip(0..).skip(top).take(room);
        rows.extend(shown.map(|(line, index)| Row {
            line,
            is_cursor: has_keys && index == at,
        }));
        rows
    }

    pub(super) fn stages_lines(&self) -> StageLines {
        let width = self.width(Pane::Stages);
        let mut lines = StageLines {
            pinned: Vec::new(),
            lines: Vec::new(),
            block: 0..0,
        };
        let Some(step) = self.history.step(self.model.cursor) else {
            lines
                .pinned
                .push(Line::own(Role::Dim, "Nothing is read yet."));
            return lines;
        };
        let Some(look) = self.model.look() else {
            lines
                .pinned
                .push(Line::own(Role::Dim, "Reading the record ..."));
            return lines;
        };
        if let Some(why) = &look.unverified {
            let line = Line::own(Role::Mistake, "NOT VERIFIED ").value(Role::Mistake, why);
            lines.pinned.extend(line.wrap(width));
            let words = "What was decided was decided on other bytes, which are not there any \
                         more; the history below is of those.";
            lines
                .pinned
                .extend(Line::own(Role::Text, words).wrap(width));
            return lines;
        }
        lines.pinned.extend(self.strip(look, &step).wrap(width));
        let is_decided = self.model.is_decided();
        if let Some(note) = look.event.note.as_deref().filter(|_| is_decided) {
            let caption = Line::default().value(Role::Caption, note);
            lines.pinned.extend(caption.wrap(width));
        }
        let about = if is_decided {
            self.about(look, &step)
        } else {
            Vec::new()
        };
        if usize::from(self.body(Pane::Stages).height) < FULL_ROWS {
            self.in_short(look, about, &mut lines);
        } else {
            self.in_full(look, about, &mut lines);
        }
        let (texts, block) = wrapped(&lines.lines, &lines.block, width);
        lines.lines = texts;
        lines.block = block;
        lines
    }

    /// In a low pane: the verdict, what to know of the step, and what the verdict came from. The
    /// strip says enough of the other stages.
    fn in_short(&self, look: &Look, about: Vec<Line>, lines: &mut StageLines) {
        let cursor = self.stage_cursor();
        let mut parts = look
            .stages
            .get(cursor)
            .map(|stage| self.stage_in_full(stage, cursor))
            .unwrap_or_default()
            .into_iter();
        lines.lines.extend(parts.next());
        lines.lines.extend(about);
        lines.lines.extend(parts);
        lines.block = 0..1;
    }

    /// Everything: what to know of the step, and all stages.
    fn in_full(&self, look: &Look, about: Vec<Line>, lines: &mut StageLines) {
        lines.lines.extend(about);
        let cursor = self.stage_cursor();
        for (index, stage) in look.stages.iter().enumerate() {
            if index != cursor {
                lines.lines.push(self.stage(stage, index));
                continue;
            }
            let start = lines.lines.len();
            lines.lines.extend(self.stage_in_full(stage, index));
            lines.block = start..lines.lines.len();
        }
    }

    /// The stage that is looked at: the last that was stepped through, else the one that decided.
    fn stage_cursor(&self) -> usize {
        match self.model.reach {
            Reach::Whole => self.model.deciding_stage().unwrap_or(0),
            Reach::Stages(count) => count.saturating_sub(1),
        }
    }

    /// All stages in a line: `read+ dedup+ [APPLY+] replay:1`.
    fn strip(&self, look: &Look, step: &Step<'_>) -> Line {
        let shown = self.model.stages_shown();
        let deciding = self.model.deciding_stage();
        let cursor = self.stage_cursor();
        let sign = Class::of(step.state).sign();
        let mut line = Line::default();
        for (index, stage) in look.stages.iter().enumerate() {
            if index > 0 {
                line = line.with(Role::Text, " ");
            }
            let is_stepping = self.model.reach != Reach::Whole;
            if index >= shown {
                let here = is_stepping && index == cursor;
                let role = if here { Role::Selection } else { Role::Dim };
                line = line.with(role, stage.name);
                continue;
            }
            let here = is_stepping && index == cursor;
            let role = |plain| if here { Role::Selection } else { plain };
            line = if stage.name == "replay" && stage.verdict != Verdict::NotReached {
                let released = self.history.released_by(step.number).take(REPLAYS).count();
                line.with(role(Role::Passed), format!("replay:{released}"))
            } else if deciding == Some(index) {
                let name = stage.name.to_uppercase();
                line.with(
                    role(Role::Class(Class::of(step.state))),
                    format!("[{name}{sign}]"),
                )
            } else if stage.verdict == Verdict::NotReached {
                line.with(Role::Dim, stage.name)
            } else {
                line.with(role(Role::Passed), format!("{}+", stage.name))
            };
        }
        line
    }

    /// What a person should know of the step, beside its stages.
    fn about(&self, look: &Look, step: &Step<'_>) -> Vec<Line> {
        let mut lines = Vec::new();
        let is_told = |message: &str| {
            let mut outcomes = look.stages.iter().map(|stage| stage.outcome.as_str());
            outcomes.any(|outcome| outcome.contains(message))
        };
        let fault = look.fault.as_ref();
        if let Some(fault) = fault.filter(|fault| !is_told(&fault.message)) {
            let place = format!("line {}, column {}: ", fault.line, fault.column);
            lines.push(
                Line::own(Role::Class(Class::Unreadable), place).value(Role::Text, &fault.message),
            );
        }
        for finding in step.findings {
            let (word, role) = match finding.code.severity() {
                Severity::Conflict => ("conflict ", Role::Class(Class::Conflict)),
                Severity::Warning => ("warning ", Role::Changed),
                Severity::Information => ("note ", Role::Dim),
            };
            let record = finding
                .record
                .map_or_else(String::new, |record| format!(" ({record})"));
            let line = Line::own(role, word)
                .with(role, finding.code.name())
                .with(Role::Text, record)
                .with(Role::Text, format!(": {}", finding.code.meaning()));
            lines.push(line.hanging(2));
        }
        lines.extend(self.evidence_line(step));
        lines.extend(self.mark_line(step));
        lines
    }

    fn evidence_line(&self, step: &Step<'_>) -> Option<Line> {
        let horizon = self.model.horizon(self.history);
        match self.history.evidence_status(step.number, horizon) {
            EvidenceStatus::Routine => None,
            EvidenceStatus::Open { .. } if self.model.is_closed(self.history, step.number) => None,
            EvidenceStatus::Open { by_person: true } => Some(
                Line::own(Role::Changed, "* to review: ")
                    .with(Role::Text, "only a person's mark closes it, ")
                    .with(Role::Key, "m")
                    .with(Role::Text, " marks"),
            ),
            EvidenceStatus::Open { by_person: false } => Some(
                Line::own(Role::Changed, "* to review: ")
                    .with(Role::Text, "nothing in this capture resolves it; ")
                    .with(Role::Key, "m")
                    .with(Role::Text, " marks"),
            ),
            EvidenceStatus::Resolved { by } => {
                let record = self.history.step(by).map(|step| step.record);
                let record = record.map_or_else(String::new, |record| format!(" ({record})"));
                Some(
                    Line::own(Role::Passed, "resolved ")
                        .with(Role::Text, format!("by step {by}{record}"))
                        .leads_to(Some(by)),
                )
            }
        }
    }

    fn mark_line(&self, step: &Step<'_>) -> Option<Line> {
        let mark = self.model.mark_on(self.history, step)?;
        let line = Line::own(Role::Mark, "marked ")
            .with(Role::Mark, mark.disposition.label())
            .with(Role::Text, " by ")
            .value(Role::Text, &mark.operator);
        let why = super::filtered::why_stale(mark);
        let line = if why.is_empty() {
            line
        } else {
            line.with(Role::Mistake, format!(" (stale: {})", why.join(", ")))
        };
        Some(
            line.with(Role::Text, ": ")
                .value(Role::Text, &mark.note)
                .hanging(2),
        )
    }

    /// A stage in one line: what came of it.
    fn stage(&self, stage: &StageView, index: usize) -> Line {
        let name = stage_name(stage, Role::Dim);
        if index < self.model.stages_shown() {
            return name.value(Role::Text, &stage.outcome);
        }
        let is_whole = self.model.reach == Reach::Whole;
        if is_whole && stage.verdict == Verdict::NotReached {
            name.with(Role::Dim, "not reached")
        } else {
            name
        }
    }

    /// The stage under the cursor: what it came to, what it saw, its rule; the first matters most.
    fn stage_in_full(&self, stage: &StageView, index: usize) -> Vec<Line> {
        let role = match stage.verdict {
            Verdict::Passed => Role::Passed,
            Verdict::Decided | Verdict::Stopped => Role::Deciding,
            Verdict::NotReached => Role::Dim,
        };
        let name = stage_name(stage, Role::FocusedFrame);
        let verdict = if index < self.model.stages_shown() {
            name.value(role, &stage.outcome)
        } else {
            name.with(Role::Changed, "what will come of it? ")
                .with(Role::Key, ">")
                .with(Role::Dim, " shows it")
        };
        let beside = |label: &str| {
            let label = format!("  {label:<8}");
            Line::own(Role::Dim, label).hanging(NAME_CELLS)
        };
        vec![
            verdict,
            beside("saw").value(Role::Text, &stage.inputs),
            beside("rule")
                .value(Role::Dim, &stage.rule)
                .with(Role::Dim, format!("  [{}]", stage.source)),
        ]
    }
}

/// Lines wrapped, and where some of them are then.
fn wrapped(lines: &[Line], block: &Range<usize>, width: usize) -> (Vec<Line>, Range<usize>) {
    let mut texts = Vec::new();
    let mut moved = 0..0;
    for (index, line) in lines.iter().enumerate() {
        if index == block.start {
            moved.start = texts.len();
        }
        texts.extend(line.wrap(width));
        if index + 1 == block.end {
            moved.end = texts.len();
        }
    }
    (texts, moved)
}

fn stage_name(stage: &StageView, role: Role) -> Line {
    Line::own(role, format!("{:<NAME_CELLS$}", stage.name)).hanging(NAME_CELLS)
}
