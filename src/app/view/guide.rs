//! The Guide: symptoms with what to do about them, and the readiness checklist.

use crate::history::Sign;
use crate::text::number::grouped;

use super::super::guide::{Answer, Seen, SignOf, checklist};
use super::super::line::Line;
use super::super::role::Role;
use super::super::views::{PageName, ViewName};
use super::View;

/// Cells of the column that says how often.
const SHOWN: usize = 20;

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
            .map(|(symptom, seen)| {
                let (role, text) = match seen {
                    Seen {
                        person: Some(_), ..
                    } => (Role::Changed, Role::Text),
                    Seen {
                        handled: Some(_), ..
                    } => (Role::Passed, Role::Text),
                    Seen { .. } => (Role::Dim, Role::Dim),
                };
                let line = Line::own(role, format!("{:>SHOWN$}  ", self.times(seen)))
                    .with(text, symptom.symptom);
                match seen {
                    Seen {
                        person: Some(_),
                        handled: Some(handled),
                    } => line.with(Role::Dim, format!("; {}", handled_times(handled))),
                    Seen { .. } => line,
                }
            })
            .collect()
    }

    fn times(&self, seen: Seen) -> String {
        match seen {
            _ if self.model.has_curtain => "curtain".to_owned(),
            Seen {
                person: Some(Sign { count: 1, .. }),
                ..
            } => "1 sign".to_owned(),
            Seen {
                person: Some(sign), ..
            } => format!("{} signs", grouped(u64::from(sign.count))),
            Seen {
                handled: Some(sign),
                ..
            } => handled_times(sign),
            Seen { .. } => "not shown".to_owned(),
        }
    }

    pub(super) fn symptom_detail(&self) -> (Line, Vec<Line>) {
        let at = self.model.views.place(PageName::Symptoms).at;
        let symptoms = self.model.symptoms(self.history);
        let Some((symptom, seen)) = symptoms.get(at) else {
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
        if !symptom.signs.is_empty() {
            lines.push(self.signs_line("signs", symptom.signs, seen.person));
        }
        if !symptom.handled.is_empty() {
            lines.push(self.signs_line("handled", symptom.handled, seen.handled));
        }
        (title, lines)
    }

    /// Each of some signs with how often it was seen, and where the first of them stands.
    fn signs_line(&self, label: &str, signs: &[SignOf], all: Option<Sign>) -> Line {
        let waiting = self.model.waiting_signs(self.history);
        let mut line = Line::own(Role::Key, format!("{label:<8}")).hanging(8);
        for (index, one) in signs.iter().enumerate() {
            let seen = one.seen(self.history, waiting);
            let count = seen.map_or(0, |sign| sign.count);
            let role = if count > 0 { Role::Changed } else { Role::Dim };
            let comma = if index == 0 { "" } else { ", " };
            line = line.with(Role::Text, comma).with(
                role,
                format!("{} {}", grouped(u64::from(count)), one.name()),
            );
        }
        match all.and_then(|sign| self.history.step(sign.first)) {
            Some(first) => line.with(Role::Dim, format!("; first {}", first.record)),
            None => line,
        }
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

fn handled_times(sign: Sign) -> String {
    match sign.count {
        1 => "handled once".to_owned(),
        count => format!("handled {} times", grouped(u64::from(count))),
    }
}
