//! The evidence in groups: what is open, what is marked, what something later resolved.

use crate::history::EvidenceStatus;
use crate::model::{Kind, State, StepNo, Subject};
use crate::review::{Anchor, Mark};
use crate::text::number::grouped;

use super::super::line::Line;
use super::super::role::Role;
use super::super::tally::Why;
use super::super::views::ViewName;
use super::super::views::evidence::{Item, Section, step_of};
use super::{View, labelled, words};

impl View<'_> {
    pub(super) fn evidence_title(&self, line: Line) -> Line {
        let line = self.as_of(line, ViewName::Evidence);
        line.with(Role::Frame, "; ")
            .with(Role::Key, "Enter")
            .with(Role::Frame, " unfolds or goes there, ")
            .with(Role::Key, "m")
            .with(Role::Frame, " marks")
    }

    pub(super) fn evidence_lines(&self, from: usize, count: usize) -> Vec<Line> {
        let items = self.model.evidence_items(self.history, from, count);
        let marks = self.model.marks_in_sight(self.history);
        items
            .iter()
            .map(|item| self.evidence_line_of(item, &marks))
            .collect()
    }

    /// The steps of the pieces in sight.
    pub(super) fn evidence_in_sight(&self, from: usize, count: usize) -> Vec<StepNo> {
        let items = self.model.evidence_items(self.history, from, count);
        let marks = self.model.marks_in_sight(self.history);
        let step = |item: &Item| match item {
            Item::Piece(_, step) => Some(*step),
            Item::Mark(index) => step_of(self.history, marks.get(*index)?),
            Item::Section(_) | Item::Group(_) | Item::Nothing(_) => None,
        };
        items.iter().filter_map(step).collect()
    }

    fn mark_at(&self, index: usize) -> Option<&Mark> {
        let marks = self.model.marks_in_sight(self.history);
        marks.get(index).copied()
    }

    fn evidence_line_of(&self, item: &Item, marks: &[&Mark]) -> Line {
        match *item {
            Item::Section(section) => self.section_line(section),
            Item::Group(group) => self.group_line(group),
            Item::Piece(_, step) => self.piece_line(step),
            Item::Mark(index) => match marks.get(index) {
                Some(mark) => self.marked_line(mark),
                None => Line::default(),
            },
            Item::Nothing(section) => Line::own(
                Role::Dim,
                match section {
                    Section::Open => "    nothing is left to review",
                    Section::Marked => "    nothing is marked; m marks",
                    Section::Resolved => "    nothing was resolved by something later",
                },
            ),
        }
    }

    fn section_line(&self, section: Section) -> Line {
        let sign = if self.model.views.folded.contains(&section) {
            "+"
        } else {
            "-"
        };
        let count = self.model.section_count(self.history, section);
        let (title, words) = match section {
            Section::Open => ("Open", "nothing explains it, and no mark closes it"),
            Section::Marked => ("Marked", "what a person decided"),
            Section::Resolved => ("Resolved", "something later explains it"),
        };
        Line::own(Role::Frame, format!("{sign} "))
            .with(
                Role::FocusedFrame,
                format!("{title}: {}", grouped(count as u64)),
            )
            .with(Role::Dim, format!("  {words}"))
    }

    fn group_line(&self, index: usize) -> Line {
        let groups = self.model.evidence_groups(self.history);
        let Some(group) = groups.and_then(|(_, groups)| groups.get(index)) else {
            return Line::default();
        };
        let sign = if self.model.is_unfolded(self.history, index) {
            "-"
        } else {
            "+"
        };
        let count = self.model.group_length(self.history, index);
        let first = group
            .steps
            .first()
            .and_then(|step| self.history.step(*step));
        let first = first.map_or_else(String::new, |step| format!("  first {}", step.record));
        Line::own(Role::Frame, format!("  {sign} "))
            .with(Role::Changed, format!("{:>6}  ", grouped(count as u64)))
            .join(words::why(self.history, group.why))
            .with(Role::Dim, first)
    }

    fn piece_line(&self, number: StepNo) -> Line {
        let Some(step) = self.history.step(number) else {
            return Line::default();
        };
        let horizon = self.model.told_until(self.history);
        let is_replay = step.kind == Kind::Replay;
        let time = if is_replay {
            "replay".to_owned()
        } else {
            self.clock(step.record).unwrap_or_default()
        };
        let name = self.history.subject_name(step.subject).unwrap_or("-");
        let version = step
            .version
            .map_or_else(String::new, |version| format!(" v{version}"));
        let line = Line::own(Role::Dim, format!("      {:<6} ", step.record.to_string()))
            .with(Role::Dim, format!("{time:<8} "))
            .value(Role::Text, name)
            .with(Role::Text, format!("{version} "))
            .join(words::outcome(self.history, &step));
        let line = match self.history.evidence_status(number, horizon) {
            EvidenceStatus::Resolved { by } => {
                let record = self.history.step(by).map(|step| step.record);
                let record = record.map_or_else(String::new, |record| record.to_string());
                line.with(Role::Passed, format!(", resolved by {record}"))
            }
            EvidenceStatus::Routine | EvidenceStatus::Open { .. } => line,
        };
        let mark = self.model.book.mark_of(step.record, is_replay);
        let line = match mark {
            Some(mark) => {
                let words = format!(" [{}]", mark.disposition.label());
                line.ending(Line::own(Role::Mark, words))
            }
            None if self.model.is_marked(self.history, &step) => {
                line.ending(Line::own(Role::Mark, " [marked]"))
            }
            None => line,
        };
        line.leads_to(Some(number))
    }

    fn marked_line(&self, mark: &Mark) -> Line {
        let step = step_of(self.history, mark);
        let line = match (&mark.anchor, step) {
            (Anchor::Record(anchor), step) => {
                let found = step.and_then(|step| self.history.step(step));
                let name = found.and_then(|step| self.history.subject_name(step.subject));
                let record = anchor.record.to_string();
                Line::own(Role::Dim, format!("      {record:<6} "))
                    .value(Role::Text, name.unwrap_or("-"))
                    .with(Role::Text, format!(" {}", anchor.state.name()))
            }
            (Anchor::Missing(missing), _) => Line::own(Role::Dim, "      missing ")
                .value(Role::Text, &missing.aggregate)
                .with(Role::Text, format!(" v{}", missing.version)),
            (Anchor::Capture, _) => Line::own(Role::Dim, "      the capture"),
        };
        let line = line
            .with(Role::Mark, format!("  {}", mark.disposition.label()))
            .with(Role::Text, " by ")
            .value(Role::Text, &mark.operator);
        let line = if mark.note.is_empty() {
            line
        } else {
            line.with(Role::Text, ": ").value(Role::Text, &mark.note)
        };
        let line = if mark.stale.is_stale() {
            line.ending(Line::own(Role::Mistake, " (stale)"))
        } else {
            line
        };
        line.leads_to(step.or_else(|| self.missing_step(mark)))
    }

    /// Where a missing version shows: the step since when its aggregate waits.
    fn missing_step(&self, mark: &Mark) -> Option<StepNo> {
        let Anchor::Missing(missing) = &mark.anchor else {
            return None;
        };
        let id = self
            .history
            .find_aggregate(&missing.source, &missing.aggregate)?;
        let horizon = self.model.told_until(self.history);
        self.history.waiting_since(id, horizon)
    }

    pub(super) fn evidence_detail(&self) -> (Line, Vec<Line>) {
        match self.model.selected_evidence(self.history) {
            Some(Item::Group(group)) => self.group_detail(group),
            Some(Item::Piece(_, step)) => self.piece_detail(step),
            Some(Item::Mark(index)) => match self.mark_at(index) {
                Some(mark) => mark_detail(mark),
                None => (Line::default(), Vec::new()),
            },
            Some(Item::Section(_) | Item::Nothing(_)) | None => (Line::default(), Vec::new()),
        }
    }

    fn group_detail(&self, index: usize) -> (Line, Vec<Line>) {
        let groups = self.model.evidence_groups(self.history);
        let Some(group) = groups.and_then(|(_, groups)| groups.get(index)) else {
            return (Line::default(), Vec::new());
        };
        let mut lines = Vec::new();
        match group.why {
            Why::Finding(code, _) => lines.push(Line::own(Role::Text, code.meaning())),
            Why::State(state, _) => {
                lines.push(Line::own(Role::Text, super::words::state_meaning(state)));
            }
        }
        let first = group.steps.first();
        let status = first.map(|step| {
            let horizon = self.model.told_until(self.history);
            self.history.evidence_status(*step, horizon)
        });
        lines.push(Line::own(
            Role::Dim,
            match status {
                Some(EvidenceStatus::Open { by_person: true }) => {
                    "Only a person's mark closes these."
                }
                Some(EvidenceStatus::Open { by_person: false }) => {
                    "A later step could still resolve these; nothing in this capture does."
                }
                Some(EvidenceStatus::Resolved { .. } | EvidenceStatus::Routine) | None => {
                    "Something later in this capture explains these."
                }
            },
        ));
        (words::why(self.history, group.why), lines)
    }

    fn piece_detail(&self, number: StepNo) -> (Line, Vec<Line>) {
        let Some(step) = self.history.step(number) else {
            return (Line::default(), Vec::new());
        };
        let title = Line::own(Role::FocusedFrame, step.record.to_string())
            .with(Role::Frame, format!(", step {number}; Enter goes there"));
        let mut lines = Vec::new();
        let horizon = self.model.told_until(self.history);
        if let (State::Deferred | State::DeferralLimitReached, Subject::Aggregate(id)) =
            (step.state, step.subject)
            && let Some(version) = self.history.waiting_for(id, horizon)
        {
            let comes = self.model.has_curtain || !self.model.progress.is_finished;
            let causes = self.history.gap_causes(id, horizon);
            let causes = causes.iter().take(2);
            lines.extend(causes.map(|cause| {
                let line = words::gap_cause(self.history, cause, version, comes);
                labelled("waits").join(line.without(Role::Key))
            }));
        }
        if let Some(first) = step.first {
            let words = format!("held against {first}");
            lines.push(labelled("first").with(Role::Text, words));
        }
        for finding in step.findings {
            let record = finding
                .record
                .map_or_else(String::new, |record| format!(" ({record})"));
            lines.push(
                Line::own(Role::Changed, finding.code.name())
                    .with(Role::Text, record)
                    .with(Role::Text, format!(": {}", finding.code.meaning())),
            );
        }
        let is_replay = step.kind == Kind::Replay;
        if let Some(mark) = self.model.book.mark_of(step.record, is_replay) {
            lines.extend(mark_detail(mark).1);
        }
        let text = self.model.rows.get(step.record);
        if let Some(note) = text.and_then(|text| text.note.as_deref()) {
            lines.push(Line::default().value(Role::Caption, note));
        }
        (title, lines)
    }
}

fn mark_detail(mark: &Mark) -> (Line, Vec<Line>) {
    let closes = if mark.disposition.closes() {
        ", which closes it"
    } else {
        ", which keeps it open"
    };
    let line = Line::own(Role::Mark, mark.disposition.label())
        .with(Role::Dim, closes)
        .with(Role::Text, ", by ")
        .value(Role::Text, &mark.operator)
        .with(Role::Text, " at ")
        .value(Role::Text, &mark.time);
    let note = Line::own(Role::Dim, "note ").value(Role::Text, &mark.note);
    (Line::own(Role::FocusedFrame, "Mark"), vec![line, note])
}
