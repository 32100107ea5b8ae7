//! What of the capture is no record (`:noise`): how it was framed, what was passed over, and the lines
//! that tools printed beside their records.

use crate::model::Beside;
use crate::text::Safe;
use crate::text::number::grouped;

use super::super::line::Line;
use super::super::model::{Model, Overlay, PageSubject, Pages};
use super::super::role::Role;
use super::View;

impl Model {
    /// `:noise` was answered.
    pub(in crate::app) fn show_beside(&mut self, beside: Box<Beside>) {
        self.beside = beside;
        self.overlay = Some(Overlay::Pages(Pages {
            subject: PageSubject::Beside,
            top: 0,
        }));
    }
}

/// How many lines are noise, in few words; nothing where none is.
pub(super) fn noise_words(lines: u64) -> Option<String> {
    match lines {
        0 => None,
        1 => Some("1 noise line".to_owned()),
        lines => Some(format!("{} noise lines", grouped(lines))),
    }
}

impl View<'_> {
    pub(super) fn beside_title(&self) -> Line {
        let words = noise_words(self.model.progress.noise_lines);
        let words = words.unwrap_or_else(|| "no noise lines".to_owned());
        Line::own(Role::FocusedFrame, "What is no record")
            .with(Role::Frame, ": ")
            .with(Role::FocusedFrame, words)
    }

    /// A line for where the capture is summed up.
    pub(super) fn noise_line(&self) -> Option<Line> {
        let words = noise_words(self.model.progress.noise_lines)?;
        let line = Line::own(Role::Dim, format!("{words}, which are no records: "));
        Some(
            line.with(Role::Key, ":noise")
                .with(Role::Dim, " lists them"),
        )
    }

    pub(super) fn beside_lines(&self) -> Vec<Line> {
        let beside = &self.model.beside;
        let mut lines = Vec::new();
        for (file, words) in &beside.framings {
            let line = Line::own(Role::Dim, "framing  ").with(Role::Text, words);
            let file = file.as_ref();
            lines.push(match file {
                Some(name) => line.with(Role::Dim, "  of ").with(Role::Text, name),
                None => line,
            });
        }
        if beside.framings.is_empty() {
            let words = "The capture is still being read; so far:";
            lines.push(Line::own(Role::Dim, words));
        }
        for (count, what) in &beside.passed_over {
            let count = grouped(*count);
            lines.push(Line::own(Role::Changed, format!("{count:>7}  ")).with(Role::Text, what));
        }
        if beside.passed_over.is_empty() {
            lines.push(Line::own(
                Role::Text,
                "Nothing was passed over: it holds records alone.",
            ));
        }
        lines.push(Line::default());
        for noise in &beside.lines {
            let of_file = noise.file.as_ref();
            let of_file = of_file.map_or_else(String::new, |name| format!(" of {name}"));
            let line = Line::own(Role::Dim, format!("line {}{of_file}  ", noise.line));
            lines.push(line.push(Role::Text, Safe::source(&noise.bytes)).hanging(2));
        }
        let listed = beside.lines.len() as u64;
        let left = self.model.progress.noise_lines.saturating_sub(listed);
        if left > 0 {
            let words = format!("and {} more", grouped(left));
            lines.push(Line::own(Role::Dim, words));
        }
        lines
    }
}
