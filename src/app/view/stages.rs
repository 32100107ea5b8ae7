//! The stages of the step under the cursor: what each saw, the rule, the verdict, and what a person
//! should know of the step.

use std::ops::Range;

use crate::history::{EvidenceStatus, Step};
use crate::model::{Kind, Look, Severity, StageView, StepNo, Verdict};

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
/// Rows that what to know of the step leaves to the stages, where it stays in sight.
const STAGE_ROWS: usize = 1;
/// Replays that are counted for the strip.
const REPLAYS: usize = 1_000;

/// The lines of the pane: some that stay, and those that the window moves over.
pub(super) struct StageLines {
    /// The strip, the caption, and what to know of the step, where that leaves room for a stage.
    pinned: Vec<Line>,
    /// What to know of the step, where it did not stay; then the stages.
    pub(super) lines: Vec<Line>,
    /// How many of `lines` come before the stages.
    about: usize,
    /// The lines of the stage under the cursor.
    pub(super) block: Range<usize>,
}

impl StageLines {
    fn empty() -> Self {
        Self {
            pinned: Vec::new(),
            lines: Vec::new(),
            about: 0,
            block: 0..0,
        }
    }

    /// The first line that the window shows: what to know of the step first, then all from the
    /// beginning where the stage still fits, else as little further as it needs.
    fn top(&self, moved: Option<usize>, room: usize) -> usize {
        match moved {
            Some(at) => super::window_top(at, self.lines.len(), room),
            None if self.about > 0 => 0,
            None => self.block.end.saturating_sub(room).min(self.block.start),
        }
    }
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
        // That nothing can be read of it is what it came to.
        let tells = step.kind == Kind::Unreadable && self.model.is_covered();
        let line = if tells {
            line
        } else {
            line.with(Role::Frame, format!(", {}", step.kind.name()))
        };
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
        let top = lines.top(moved, room);
        let mut rows = super::plain(lines.pinned.into_iter().take(pinned).collect());
        let shown = lines.lines.into_iter().zip(0..).skip(top).take(room);
        rows.extend(shown.map(|(line, index)| Row {
            line,
            is_cursor: has_keys && index == at,
        }));
        rows
    }

    /// How many lines are out of sight above and below.
    pub(super) fn stages_hidden(&self, height: usize) -> (usize, usize) {
        let lines = self.stages_lines();
        let room = height.saturating_sub(lines.pinned.len());
        let top = lines.top(self.model.scroll(Pane::Stages).line, room);
        let cut = lines.pinned.len().saturating_sub(height);
        (top, cut + lines.lines.len().saturating_sub(top + room))
    }

    pub(super) fn stages_lines(&self) -> StageLines {
        let width = self.width(Pane::Stages);
        let mut lines = StageLines::empty();
        let Some(step) = self.history.step(self.model.cursor) else {
            let nothing = self.nothing_read();
            lines.pinned = nothing.iter().flat_map(|line| line.wrap(width)).collect();
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
        if let Some(caption) = self.caption(look, &step).filter(|_| is_decided) {
            lines.pinned.extend(caption.wrap(width));
        }
        let about = if is_decided {
            self.about(look, &step)
        } else {
            Vec::new()
        };
        let about: Vec<Line> = about.iter().flat_map(|line| line.wrap(width)).collect();
        let height = usize::from(self.body(Pane::Stages).height);
        if lines.pinned.len() + about.len() + STAGE_ROWS <= height {
            lines.pinned.extend(about);
        } else {
            lines.about = about.len();
            lines.lines = about;
        }
        self.of_stages(look, height >= FULL_ROWS, &mut lines);
        let (texts, block) = wrapped(&lines.lines, &lines.block, width);
        lines.lines = texts;
        lines.block = block;
        lines
    }

    /// The record's own note. It was written of the delivery, under one policy for baselines: of what
    /// happens elsewhere it may say the contrary, so it is said whose it is.
    fn caption(&self, look: &Look, step: &Step<'_>) -> Option<Line> {
        let note = look.event.note.as_deref()?;
        let record = step.record;
        let head = if step.kind == Kind::Replay {
            format!("{record}'s own note, from when it was delivered: ")
        } else if self.model.settings.has_assumed_baselines {
            format!("{record}'s own note, which knows of no assumed baseline: ")
        } else {
            String::new()
        };
        Some(Line::own(Role::Dim, head).value(Role::Caption, note))
    }

    /// The stages: in a low pane the one under the cursor alone, since the strip says enough of the
    /// others.
    fn of_stages(&self, look: &Look, in_full: bool, lines: &mut StageLines) {
        let cursor = self.stage_cursor();
        for (index, stage) in look.stages.iter().enumerate() {
            let start = lines.lines.len();
            if index == cursor {
                lines.lines.extend(self.stage_in_full(stage, index));
                lines.block = start..lines.lines.len();
            } else if in_full {
                lines.lines.push(self.stage(stage, index));
            }
        }
        if !in_full {
            // Of what is looked at in a low pane the verdict matters, the first line.
            lines.block.end = lines.block.end.min(lines.block.start + 1);
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
                let words = match released {
                    // What one replay lets through comes after it, released by the same delivery.
                    0 if step.kind == Kind::Replay => "replay+".to_owned(),
                    0 => "replay: nothing waited".to_owned(),
                    released => format!("replay:{released}"),
                };
                line.with(role(Role::Passed), words)
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
            let file = fault.file.as_deref();
            let file = file.map_or_else(String::new, |file| format!("{file}, "));
            let place = format!("{file}line {}, column {}: ", fault.line, fault.column);
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
        lines.extend(super::wrappers::lines(look));
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
            EvidenceStatus::Resolved { by } => Some(self.resolved_line(step, by)),
        }
    }

    /// What resolved it: where that was a replay, the delivery that released it too.
    fn resolved_line(&self, step: &Step<'_>, by: StepNo) -> Line {
        let found = self.history.step(by);
        let root = found.as_ref().and_then(|found| found.released_by);
        let root = root.and_then(|root| self.history.step(root));
        let is_own = found
            .as_ref()
            .is_some_and(|found| found.record == step.record);
        let by_step =
            Line::own(Role::Passed, "resolved ").with(Role::Text, format!("by step {by}"));
        let line = match (&found, &root) {
            (Some(_), Some(_)) if is_own => {
                Line::own(Role::Passed, "replayed ").with(Role::Text, format!("at step {by}"))
            }
            (Some(found), Some(_)) => {
                by_step.with(Role::Text, format!(", the replay of {}", found.record))
            }
            (Some(found), None) => by_step.with(Role::Text, format!(" ({})", found.record)),
            (None, _) => by_step,
        };
        let line = line.hanging(2);
        let line = match root {
            Some(root) => line
                .with(Role::Text, format!(", released by {}; ", root.record))
                .with(Role::Key, "gd")
                .with(Role::Text, " goes there"),
            None => line,
        };
        line.leads_to(Some(by))
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
