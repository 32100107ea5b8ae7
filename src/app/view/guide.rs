//! The Guide: symptoms with what to do about them, and the readiness checklist.

use crate::history::Sign;
use crate::text::number::grouped;

use super::super::guide::{Answer, checklist};
use super::super::line::Line;
use super::super::role::Role;
use super::super::views::{PageName, ViewName};
use super::View;

/// Cells of the column that says how often.
const SHOWN: usize = 11;

impl View<'_> {
    pub(super) fn guide_title(&self, name: PageName) -> Line {
        let is_checklist = name == PageName::Checklist;
        let (title, other) = if is_checklist {
            ("Guide: ready for production?", "symptoms")
        } else {
            ("Guide", "readiness")
        };
        let line = Line::own(Role::FocusedFrame, title);
        let line = if is_checklist {
            line
        } else {
            self.as_of(line, ViewName::Guide)
        };
        line.with(Role::Frame, "; ")
            .with(Role::Key, "Tab")
            .with(Role::Frame, format!(" {other}, "))
            .with(Role::Key, "Enter")
            .with(Role::Frame, " to where it shows")
    }

    pub(super) fn symptom_lines(&self, from: usize, count: usize) -> Vec<Line> {
        let symptoms = self.model.symptoms(self.history);
        let shown = symptoms.into_iter().skip(from).take(count);
        shown
            .map(|(symptom, sign)| {
                let role = if sign.is_some() {
                    Role::Changed
                } else {
                    Role::Dim
                };
                let text = if sign.is_some() {
                    Role::Text
                } else {
                    Role::Dim
                };
                Line::own(role, format!("{:>SHOWN$}  ", self.times(sign)))
                    .with(text, symptom.symptom)
            })
            .collect()
    }

    fn times(&self, sign: Option<Sign>) -> String {
        match sign {
            _ if self.model.has_curtain => "curtain".to_owned(),
            Some(Sign { count: 1, .. }) => "1 sign".to_owned(),
            Some(sign) => format!("{} signs", grouped(u64::from(sign.count))),
            None => "not shown".to_owned(),
        }
    }

    pub(super) fn symptom_detail(&self) -> (Line, Vec<Line>) {
        let at = self.model.views.place(PageName::Symptoms).at;
        let symptoms = self.model.symptoms(self.history);
        let Some((symptom, sign)) = symptoms.get(at) else {
            return (Line::default(), Vec::new());
        };
        let title = Line::own(Role::FocusedFrame, symptom.symptom);
        let part = |label: &str, words: &str| {
            Line::own(Role::Key, format!("{label:<8}"))
                .with(Role::Text, words)
                .hanging(8)
        };
        let mut lines = vec![
            part("cause", symptom.cause),
            part("check", symptom.check),
            part("action", symptom.action),
        ];
        if self.model.has_curtain {
            lines.push(part(
                "signs",
                "the curtain hides whether this capture has any",
            ));
            return (title, lines);
        }
        let waiting = self.model.waiting_sign(self.history);
        let mut signs = Line::own(Role::Key, format!("{:<8}", "signs")).hanging(8);
        for (index, one) in symptom.signs.iter().enumerate() {
            let seen = one.seen(self.history, waiting);
            let count = seen.map_or(0, |sign| sign.count);
            let role = if count > 0 { Role::Changed } else { Role::Dim };
            let comma = if index == 0 { "" } else { ", " };
            signs = signs.with(Role::Text, comma).with(
                role,
                format!("{} {}", grouped(u64::from(count)), one.name()),
            );
        }
        let first = sign.and_then(|sign| self.history.step(sign.first));
        if let Some(first) = first {
            signs = signs.with(Role::Dim, format!("; first {}", first.record));
        }
        lines.push(signs);
        (title, lines)
    }

    /// The checklist, wrapped.
    pub(super) fn checklist_lines(&self) -> Vec<Line> {
        if self.model.has_curtain {
            let words = "The curtain is drawn: what this capture shows is not told.";
            return vec![Line::own(Role::Dim, words)];
        }
        let mut lines = Vec::new();
        for check in checklist(self.history, &self.model.settings.facts) {
            let (sign, role) = if check.holds() {
                ("[x] ", Role::Passed)
            } else {
                ("[ ] ", Role::Changed)
            };
            let shown = check.answers.iter().find_map(|(_, answer)| match answer {
                Answer::Shown(step) => Some(*step),
                Answer::Stated | Answer::NotShown | Answer::NotStated => None,
            });
            lines.push(
                Line::own(role, sign)
                    .with(Role::FocusedFrame, check.point)
                    .hanging(4)
                    .leads_to(shown),
            );
            for (what, answer) in check.answers {
                lines.push(self.answer_line(&what, answer));
            }
        }
        let width = self.page_width();
        lines.iter().flat_map(|line| line.wrap(width)).collect()
    }

    fn answer_line(&self, what: &str, answer: Answer) -> Line {
        let (said, role, target) = match answer {
            Answer::Shown(step) => {
                let record = self.history.step(step).map(|step| step.record);
                let record = record.map_or_else(String::new, |record| record.to_string());
                (format!("shown by {record}"), Role::Passed, Some(step))
            }
            Answer::Stated => ("contract says".to_owned(), Role::Passed, None),
            Answer::NotShown => ("not shown".to_owned(), Role::Changed, None),
            Answer::NotStated => ("not in it".to_owned(), Role::Changed, None),
        };
        Line::own(role, format!("    {said:<14} "))
            .value(Role::Text, what)
            .hanging(19)
            .leads_to(target)
    }
}
