//! Lines to read about the step under the cursor: the rule behind what came of it (`K`), and the
//! title of what `d` compares.

use crate::history::{EvidenceStatus, Step};
use crate::model::{FindingCode, StageView, Subject, Verdict};

use super::super::class::Class;
use super::super::line::Line;
use super::super::model::{Model, Overlay, PageSubject, Pages};
use super::super::role::Role;
use super::super::rule;
use super::{View, words};
use crate::history::History;

impl Model {
    /// `d`: before and after the step.
    pub(in crate::app) fn compare(&mut self, history: &History) {
        self.open_page(history, PageSubject::Compare);
    }

    /// `K`: the rule behind what came of the step.
    pub(in crate::app) fn explain_rule(&mut self, history: &History) {
        self.open_page(history, PageSubject::Rule);
    }

    fn open_page(&mut self, history: &History, subject: PageSubject) {
        if history.step(self.cursor).is_none() {
            return self.say_own("nothing is read yet");
        }
        if self.has_curtain && !self.is_decided() {
            return self
                .say_own("the curtain is drawn: step through it first, > shows the next stage");
        }
        self.overlay = Some(Overlay::Pages(Pages { subject, top: 0 }));
    }
}

impl View<'_> {
    pub(super) fn reading_title(&self, subject: PageSubject) -> Line {
        let head = match subject {
            PageSubject::Compare => "Before and after ",
            PageSubject::Rule => "The rule behind ",
            PageSubject::Beside => return self.beside_title(),
        };
        let line = Line::own(Role::FocusedFrame, head);
        let Some(step) = self.history.step(self.model.cursor) else {
            return line;
        };
        let line = line.with(
            Role::FocusedFrame,
            format!(
                "step {} ({}, {})",
                step.number,
                step.record,
                step.kind.name()
            ),
        );
        match self.subject_name() {
            Some(name) => line.with(Role::Frame, ", ").value(Role::FocusedFrame, name),
            None => line,
        }
    }

    pub(super) fn reading_lines(&self, subject: PageSubject) -> Vec<Line> {
        let width = usize::from(self.model.size.0).max(2);
        let lines = match subject {
            PageSubject::Compare => return self.compare_lines(width),
            PageSubject::Rule => self.rule_lines(),
            PageSubject::Beside => self.beside_lines(),
        };
        lines.iter().flat_map(|line| line.wrap(width)).collect()
    }

    fn rule_lines(&self) -> Vec<Line> {
        let Some(step) = self.history.step(self.model.cursor) else {
            return Vec::new();
        };
        let mut lines = Vec::new();
        let class = Role::Class(Class::of(step.state));
        let has = |code| step.findings.iter().any(|finding| finding.code == code);
        let (words, place) = if has(FindingCode::SameFactNewId) {
            rule::of_same_fact(step.state)
        } else {
            rule::of_state(step.state)
        };
        lines.push(
            Line::own(class, format!("{} ", Class::of(step.state).sign()))
                .with(class, step.state.name()),
        );
        lines.push(explained(words, place));
        if let Some(reason) = step.reason {
            let name = self.history.reason_name(reason);
            lines.push(Line::default());
            lines.push(Line::own(Role::Dim, "reason ").with(class, name));
            lines.push(explained(&rule::of_reason(name), "Processing"));
        }
        self.stage_rule(&mut lines);
        for finding in step.findings {
            lines.push(Line::default());
            let record = finding
                .record
                .map_or_else(String::new, |record| format!(" ({record})"));
            lines.push(
                Line::own(Role::Dim, "finding ")
                    .with(Role::Class(Class::Conflict), finding.code.name())
                    .with(Role::Text, record),
            );
            let words = format!(
                "{} {}",
                finding.code.meaning(),
                rule::of_finding(finding.code)
            );
            lines.push(explained(&words, "Findings"));
            if finding.code == FindingCode::ActionAgainstGate {
                self.gate_saw(&step, &mut lines);
            }
        }
        lines.push(Line::default());
        lines.push(Line::own(Role::Dim, "evidence"));
        lines.push(explained(&self.evidence_rule(&step), "Evidence"));
        lines
    }

    /// What the gate saw before the action: each side's word with its numbers, and who brought it.
    fn gate_saw(&self, step: &Step<'_>, lines: &mut Vec<Line>) {
        let before = step.number.before();
        let name = self.history.subject_name(step.subject).unwrap_or_default();
        lines.push(Line::own(Role::Dim, "  the gate saw"));
        let Some(order) = self.history.find_order(name) else {
            let words = "    nothing of the owner: it has not spoken of this order";
            lines.push(Line::own(Role::Text, words).hanging(4));
            return;
        };
        if let Some(stands) = self.history.owner_order(order, before) {
            let record = self.record_of(stands.step);
            let made = self.history.compensations_of(order, before);
            let made = made.filter(|made| made.step == stands.step).last();
            let line = Line::own(Role::Text, "    owner ")
                .value(Role::Changed, self.history.word(stands.status))
                .with(Role::Changed, format!(" v{}", stands.version))
                .with(Role::Text, format!(", by {record}"))
                .hanging(4);
            lines.push(match made {
                Some(made) => line
                    .with(Role::Text, ", which compensated for ")
                    .value(Role::Text, self.history.word(made.reason)),
                None => line,
            });
        }
        for review in self.history.reviews_of(order, before) {
            let why = self.history.reason_name(review.why);
            let record = self.record_of(review.first_step);
            let words = format!(
                "    review of v{} open since {record}: {why}, ",
                review.key_version
            );
            let line = Line::own(Role::Text, words).hanging(4);
            lines.push(line.value(Role::Text, self.history.word(review.reason)));
        }
        if let Subject::Aggregate(id) = step.subject {
            let stood = self.history.projection(id, before);
            let state = stood
                .state
                .map_or("nothing", |state| self.history.word(state));
            let version = stood
                .version
                .map_or_else(String::new, |version| format!(" v{version}"));
            let line = Line::own(Role::Text, "    projection ")
                .value(Role::Changed, state)
                .with(Role::Changed, version)
                .hanging(4);
            lines.push(line);
            if let Some(since) = self.history.version_conflict(id, before) {
                let words = format!("    version conflict since {}", self.record_of(since));
                lines.push(Line::own(Role::Text, words).hanging(4));
            }
        }
        if let Some(gate) = self.history.gate(order, before) {
            let mut reasons = gate
                .reasons
                .iter()
                .map(|reason| words::gate_reason(self.history, &gate, order, *reason, before));
            let said = reasons.by_ref().collect::<Vec<_>>().join("; ");
            let line = Line::own(Role::Text, "    so it was shut: ").hanging(4);
            lines.push(line.value(Role::Class(Class::Refused), &said));
        }
    }

    fn record_of(&self, step: crate::model::StepNo) -> String {
        let record = self.history.step(step).map(|step| step.record);
        record.map_or_else(String::new, |record| record.to_string())
    }

    /// The stage that decided, with what it saw.
    fn stage_rule(&self, lines: &mut Vec<Line>) {
        let Some(look) = self.model.look() else {
            return;
        };
        let deciding = self.model.deciding_stage();
        let Some(stage) = deciding.and_then(|index| look.stages.get(index)) else {
            return;
        };
        if look.unverified.is_some() {
            return;
        }
        lines.push(Line::default());
        lines.push(Line::own(Role::Dim, "decided at ").with(Role::Deciding, stage.name));
        let shown = |label: &str, text: &str| {
            Line::own(Role::Dim, format!("  {label:<8}"))
                .hanging(10)
                .value(Role::Text, text)
        };
        lines.push(shown("saw", &stage.inputs));
        lines.push(shown("rule", &stage.rule).with(Role::Dim, format!("  [{}]", stage.source)));
        lines.push(shown("outcome", &stage.outcome));
        let unreached = |stage: &&StageView| stage.verdict == Verdict::NotReached;
        let later = look.stages.iter().filter(unreached);
        let later: Vec<&str> = later.map(|stage| stage.name).collect();
        if !later.is_empty() {
            let words = format!("  not reached: {}", later.join(", "));
            lines.push(Line::own(Role::Dim, words).hanging(4));
        }
    }

    fn evidence_rule(&self, step: &Step<'_>) -> String {
        let horizon = self.model.horizon(self.history);
        match self.history.evidence_status(step.number, horizon) {
            EvidenceStatus::Routine => "Routine: nobody has to explain it.".to_owned(),
            EvidenceStatus::Open { .. } if self.model.is_closed(self.history, step.number) => {
                "A person's mark closed it.".to_owned()
            }
            EvidenceStatus::Open { by_person: true } => {
                "Open: only a person's mark, explained or accepted as is, closes it.".to_owned()
            }
            EvidenceStatus::Open { by_person: false } => {
                "Open: an apply of the same event or version, or the replay of what waits, would \
                 resolve it; nothing in this capture does."
                    .to_owned()
            }
            EvidenceStatus::Resolved { by } => {
                format!("Resolved by step {by}, which brought what was missing.")
            }
        }
    }
}

fn explained(words: &str, place: &str) -> Line {
    Line::own(Role::Text, format!("  {words}"))
        .with(Role::Dim, format!("  [{place}]"))
        .hanging(2)
}
