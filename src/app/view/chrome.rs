//! What stands around the panes: header, banners, overview bar, what was just said; and what is to
//! review by reason, which a capture opens with.

use crate::text::number::{grouped, percent, size};

use super::super::layout::Pane;
use super::super::line::Line;
use super::super::message::Banner;
use super::super::role::Role;
use super::{View, words};

impl View<'_> {
    /// The first line: what is looked at, and how it stands.
    pub fn header(&self) -> Line {
        let model = self.model;
        let settings = &model.settings;
        let line = Line::default()
            .value(Role::Changed, &settings.capture)
            .with(Role::Dim, " | ")
            .value(Role::Text, &settings.consumer)
            .with(Role::Dim, " (")
            .value(Role::Dim, &settings.contract)
            .with(Role::Dim, ")");
        if settings.has_assumed_baselines {
            line.with(Role::Changed, " (assumed baselines)")
        } else {
            line
        }
    }

    /// The right end of the first line: it is never cut.
    pub fn standing(&self) -> Line {
        let model = self.model;
        let horizon = model.horizon(self.history);
        let cursor = u64::from(model.cursor.0);
        let line = if model.has_curtain {
            let record = self
                .history
                .step(model.cursor)
                .map_or(0, |step| step.record.0);
            Line::own(Role::Text, format!("record {}", grouped(u64::from(record))))
        } else {
            let last = u64::from(self.history.last_step().0);
            Line::own(
                Role::Text,
                format!("step {}/{}", grouped(cursor), grouped(last)),
            )
        };
        let line = match self.loading() {
            Some(words) => line.with(Role::Changed, format!("  {words}")),
            None => line,
        };
        let (to_review, marked) = model.counts(self.history, horizon);
        let role = if to_review == 0 {
            Role::Dim
        } else {
            Role::Changed
        };
        let shown = self
            .shown_to_review()
            .map_or_else(String::new, |shown| format!("{shown} of "));
        let line = if model.has_curtain {
            // How much is to review would tell, or be untrue.
            line.with(Role::Changed, "  curtain drawn")
        } else {
            let words = format!("  {shown}{} to review", grouped(to_review as u64));
            line.with(role, words)
        };
        let line = match super::beside::noise_words(model.progress.noise_lines) {
            Some(words) => line.with(Role::Dim, format!("  {words}")),
            None => line,
        };
        if marked == 0 {
            return line;
        }
        line.with(Role::Mark, format!("  {} marked", grouped(marked as u64)))
    }

    fn loading(&self) -> Option<String> {
        let progress = self.model.progress;
        if progress.is_finished {
            return None;
        }
        if progress.is_stream || progress.bytes_total == 0 {
            return Some(format!("reading, {}", size(progress.bytes_done)));
        }
        let done = percent(progress.bytes_done, progress.bytes_total);
        Some(format!("reading {done}"))
    }

    /// Warnings over everything, as many as there are rows for them. Where one does not fit, the way
    /// out stands first, and the view of the contract shows the whole.
    pub fn banners(&self) -> Vec<Line> {
        let banner = |(banner, words): (&Banner, &String)| {
            let line = Line::own(Role::Banner, format!("{} ", banner.name()));
            let line = line.value(Role::Banner, words);
            if line.cells() <= usize::from(self.model.size.0) {
                return line;
            }
            line.ending(Line::own(Role::Banner, "  6 shows it all"))
        };
        self.model.banners.iter().map(banner).collect()
    }

    /// What was just said, or is under way.
    pub fn notice(&self) -> Option<Line> {
        let search = &self.model.search;
        if search.is_running() {
            let line = Line::own(Role::Text, "searching ").value(Role::Match, &search.needle);
            let place = search
                .running
                .map_or_else(String::new, |record| format!(" at {record}"));
            return Some(line.with(Role::Dim, format!("{place}, Esc stops")));
        }
        let line = self.model.notice.as_ref()?.line.clone();
        let place = self.model.match_place(self.history);
        Some(match place.filter(|_| search.is_at_match) {
            Some(place) => Line::own(Role::Changed, format!("{place}: ")).join(line),
            None => line,
        })
    }

    /// What to say as long as there is no step.
    pub(super) fn nothing_read(&self) -> Vec<Line> {
        if !self.model.progress.is_finished {
            let words = "The end of the capture comes into sight as it is read; every key works \
                         meanwhile.";
            return vec![Line::own(Role::Text, words)];
        }
        let words = "Check that it is the file you meant, that whatever writes it has written, and \
                     that it holds a record a line: q leaves.";
        vec![
            Line::own(Role::Changed, "This capture has no records."),
            Line::own(Role::Text, words),
        ]
    }

    pub(super) fn summary_title(&self) -> Line {
        let model = self.model;
        let (to_review, _) = model.counts(self.history, self.history.last_step());
        if !model.progress.is_finished {
            return Line::own(Role::Frame, "To review: still reading");
        }
        if self.history.last_step().0 == 0 {
            return Line::own(Role::Frame, "No records");
        }
        if to_review == 0 {
            return Line::own(Role::Frame, "Nothing to review");
        }
        Line::own(Role::Frame, "To review, by reason; ")
            .with(Role::Key, "e")
            .with(Role::Frame, " goes to the first")
    }

    /// What is to review, the commonest first.
    pub(super) fn summary_lines(&self, height: usize) -> Vec<Line> {
        let model = self.model;
        let rows = model.tally.by_count();
        if self.history.last_step().0 == 0 {
            let width = self.width(Pane::Stages);
            let lines = self.nothing_read();
            let lines = lines.into_iter().chain(self.noise_line());
            return lines.flat_map(|line| line.wrap(width)).collect();
        }
        if rows.is_empty() {
            let (to_review, _) = model.counts(self.history, self.history.last_step());
            let words = if !model.progress.is_finished {
                // By reason they are counted once all is read; how many there are is known before.
                return vec![still_reading(to_review)];
            } else if model.tally.is_done() {
                "Every step is routine, resolved by a later one, or closed by a mark."
            } else {
                "Counting ..."
            };
            let line = Line::own(Role::Text, words);
            return std::iter::once(line).chain(self.noise_line()).collect();
        }
        let noise = self.noise_line();
        let height = height.saturating_sub(usize::from(noise.is_some()));
        let all = rows.len();
        let room = if all > height {
            height.saturating_sub(1)
        } else {
            all
        };
        let mut lines: Vec<Line> = rows
            .into_iter()
            .take(room)
            .map(|(why, count, first)| {
                let record = self.history.step(first).map(|step| step.record);
                let first = record.map_or_else(String::new, |record| format!("  first {record}"));
                Line::own(Role::Changed, format!("{:>6}  ", grouped(u64::from(count))))
                    .join(words::why(self.history, why))
                    .with(Role::Dim, first)
            })
            .collect();
        if all > room {
            let words = format!("        and {} more reasons", all - room);
            lines.push(Line::own(Role::Dim, words));
        }
        lines.extend(noise);
        lines
    }
}

/// What is to review of a capture that is still being read.
fn still_reading(to_review: usize) -> Line {
    if to_review == 0 {
        let words = "Nothing to review so far; every key works meanwhile.";
        return Line::own(Role::Text, words);
    }
    let words = format!("{} to review so far, ", grouped(to_review as u64));
    Line::own(Role::Changed, words)
        .with(Role::Key, "e")
        .with(Role::Text, " goes to the first; reasons once all is read")
}
