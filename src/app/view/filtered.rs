//! What a filter, a search, marks and a selection add to the list: the counts and words of its title,
//! the ends of its rows, and the line that a filter is typed into.

use crate::history::{Sign, Step};
use crate::model::RecordNo;
use crate::review::Mark;
use crate::text::Safe;
use crate::text::number::grouped;
use crate::text::width::clip;

use super::super::filter::complete::complete;
use super::super::filter::parse::parse;
use super::super::filter::{BytesTest, Pattern, Test};
use super::super::layout::Pane;
use super::super::line::Line;
use super::super::list::Focus;
use super::super::prompt::Prompt;
use super::super::role::Role;
use super::over::{Over, prompt_field};
use super::{View, words};

/// Cells that a filter's title takes beside what was typed, with the title's own margin.
const TITLE_CELLS: usize = 20;

impl View<'_> {
    /// ` 12/31`, or ` 12+/31` while it is still looked for.
    pub(super) fn filter_count(&self) -> Line {
        let filter = &self.model.filter;
        let found = filter.hits().map_or(0, <[_]>::len);
        let is_done = filter.scan().is_some_and(|scan| scan.is_done(self.history));
        let more = if is_done { "" } else { "+" };
        let found = grouped(found as u64);
        if self.model.has_curtain {
            return Line::own(Role::Frame, format!(" {found}{more}"));
        }
        let all = grouped(u64::from(self.history.last_step().0));
        Line::own(Role::Frame, format!(" {found}{more}/{all}"))
    }

    /// What narrows the list: ` -- filter: state:deferred (F)`.
    /// `used` are the cells before it: what was typed is cut, never what leads out of it.
    pub(super) fn filter_title(&self, used: usize) -> Line {
        let filter = &self.model.filter;
        let width = self.width(Pane::Steps);
        let room = width.saturating_sub(used + TITLE_CELLS).max(8);
        let mut line = Line::default();
        if !filter.text.is_empty() {
            let head = if filter.is_suspended {
                ", filter suspended: "
            } else {
                " -- filter: "
            };
            let role = if filter.is_suspended {
                Role::Dim
            } else {
                Role::Changed
            };
            line = line
                .with(Role::Frame, head)
                .push(
                    role,
                    clip(&Safe::value(&filter.text), room, &Safe::own("..")),
                )
                .with(Role::Frame, " (F)");
        }
        if filter.only_marked {
            line = line
                .with(Role::Frame, ", only ")
                .with(Role::Mark, "marked")
                .with(Role::Frame, " (M)");
        }
        line
    }

    pub(super) fn selected_count(&self) -> Line {
        if self.model.selection.is_none() {
            return Line::default();
        }
        let count = self.model.selected(self.history).len();
        let most = super::super::selection::MOST;
        let words = if count > most {
            format!(", more than {most} selected: the first {most} count")
        } else {
            format!(", {count} selected")
        };
        Line::own(Role::Mark, words)
    }

    /// The list without any rows: why, and how to leave.
    pub(super) fn nothing_shown(&self, width: usize) -> Vec<Line> {
        let filter = &self.model.filter;
        let is_done = filter.scan().is_some_and(|scan| scan.is_done(self.history));
        let line = if !is_done {
            Line::own(Role::Dim, "Nothing found yet; looking on. ")
        } else if filter.text.is_empty() || filter.is_suspended {
            Line::own(Role::Text, "Nothing is marked. ")
        } else {
            Line::own(Role::Text, "No step passes the filter. ")
        };
        let line = if filter.text.is_empty() {
            line
        } else {
            line.with(Role::Key, "&")
                .with(Role::Text, " changes it, ")
                .with(Role::Key, "F")
                .with(Role::Text, " shows everything. ")
        };
        let line = if filter.only_marked {
            line.with(Role::Key, "M")
                .with(Role::Text, " shows what is not marked.")
        } else {
            line
        };
        let mut lines = line.wrap(width);
        if is_done && filter.is_on() {
            let hints = self.instead().into_iter();
            lines.extend(hints.flat_map(|line| line.wrap(width)));
        }
        lines
    }

    /// What may have been meant by a filter that nothing passes: words that are no text but names
    /// of states, findings or reasons, and ids that are only a part of one.
    fn instead(&self) -> Vec<Line> {
        let filter = &self.model.filter;
        let terms = filter.terms().iter().filter(|term| !term.is_negated);
        let mut lines = Vec::new();
        for term in terms {
            match &term.test {
                Test::Bytes(BytesTest::Word(word)) => lines.extend(self.meant_by(word)),
                Test::Aggregate(patterns) => {
                    let exact = patterns.iter().filter_map(Pattern::exact);
                    let unknown = exact.filter(|name| Focus::named(self.history, name).is_none());
                    lines.extend(unknown.map(|name| {
                        Line::own(Role::Text, "No aggregate or order is called ")
                            .value(Role::Changed, name)
                            .with(Role::Text, "; ")
                            .value(Role::Key, &format!("aggregate:*{name}*"))
                            .with(Role::Text, " shows every id that holds it.")
                    }));
                }
                Test::State(_)
                | Test::Reason(_)
                | Test::Finding(_)
                | Test::Open
                | Test::Waiting
                | Test::Marked
                | Test::Bytes(_) => {}
            }
        }
        lines
    }

    /// `state:deferred` for `deferred`, with how much it would show.
    fn meant_by(&self, word: &str) -> Option<Line> {
        let vocabulary = &self.history.terms().vocabulary;
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        if word.len() < 3 || !word.chars().all(is_name) {
            return None;
        }
        let shown = ["state", "finding", "reason"].into_iter().find_map(|key| {
            let text = format!("{key}:{word}");
            let read = parse(&text, vocabulary).ok()?;
            let count = self.seen_by(&read.terms.first()?.test);
            (count > 0).then_some((text, count))
        });
        let (text, count) = shown?;
        Some(
            Line::own(Role::Text, "No text has ")
                .value(Role::Changed, word)
                .with(Role::Text, "; ")
                .value(Role::Key, &text)
                .with(Role::Text, format!(" would show {}.", grouped(count))),
        )
    }

    /// How many steps of the capture a test of what they came to passes, at most.
    fn seen_by(&self, test: &Test) -> u64 {
        let history = self.history;
        let sum = |signs: Vec<Option<Sign>>| {
            let counts = signs
                .into_iter()
                .flatten()
                .map(|sign| u64::from(sign.count));
            counts.sum()
        };
        match test {
            Test::State(states) => sum(states.iter().map(|one| history.state_sign(*one)).collect()),
            Test::Finding(codes) => {
                sum(codes.iter().map(|one| history.finding_sign(*one)).collect())
            }
            Test::Reason(reasons) => sum(reasons
                .iter()
                .map(|one| history.reason_sign(*one))
                .collect()),
            Test::Aggregate(_) | Test::Open | Test::Waiting | Test::Marked | Test::Bytes(_) => 0,
        }
    }

    /// How much of what is shown is to review, where a filter shows less than everything.
    pub(super) fn shown_to_review(&self) -> Option<String> {
        let scan = self.model.filter.scan()?;
        let count = scan.to_review();
        let more = if scan.is_done(self.history) { "" } else { "+" };
        Some(count.map_or_else(
            || "?".to_owned(),
            |count| format!("{}{more}", grouped(count as u64)),
        ))
    }

    /// That a row is marked, in words.
    pub(super) fn marked_tail(&self, step: &Step<'_>) -> Line {
        match self.model.mark_on(self.history, step) {
            Some(_) => Line::own(Role::Mark, " [marked]"),
            None => Line::default(),
        }
    }

    /// That a row's mark is stale.
    pub(super) fn stale_tail(&self, step: &Step<'_>) -> Line {
        match self.model.mark_on(self.history, step) {
            Some(mark) if mark.stale.is_stale() => Line::own(Role::Mark, " [marked, stale]"),
            Some(_) | None => Line::default(),
        }
    }

    /// That a row is selected.
    pub(super) fn selected_tail(&self, step: &Step<'_>) -> Line {
        let selection = self.model.selection.as_ref();
        let cursor = self.model.cursor;
        if selection.is_some_and(|selection| selection.holds(step.number, cursor)) {
            Line::own(Role::Mark, " [v]")
        } else {
            Line::default()
        }
    }

    /// When a record was received; bytes that are not those decided on tell nothing.
    pub(super) fn row_time(&self, record: RecordNo) -> String {
        let text = self.model.rows.get(record);
        if text.is_some_and(|text| text.is_unverified) {
            return "changed!".to_owned();
        }
        self.clock(record).unwrap_or_default()
    }

    /// What was searched for, marked in a line.
    pub(super) fn highlighted(&self, line: Line) -> Line {
        line.highlight(&self.model.search.needle)
    }

    /// The line that a filter is typed into, checked as it stands.
    pub(super) fn filter_prompt(&self, prompt: &Prompt) -> Over {
        let text = prompt.input.value();
        let cursor = prompt.input.cursor();
        let reasons = &self.history.terms().vocabulary;
        let field = prompt_field(prompt);
        let completion = complete(text, cursor, reasons);
        let begun =
            cursor > completion.start || text.chars().nth(cursor.wrapping_sub(1)) == Some(':');
        let offers = |line: Line| {
            let names = completion.names.join("  ");
            line.with(Role::Key, "Tab ").with(Role::Dim, names)
        };
        let (caret, help) = match (parse(text, reasons), &prompt.mistake) {
            // Something that is only begun is no mistake yet.
            (Err(mistake), None)
                if mistake.at >= completion.start && !completion.names.is_empty() =>
            {
                (None, offers(Line::default()))
            }
            (Err(mistake), _) => {
                let before: String = text.chars().take(mistake.at).collect();
                let words = format!("expected {}", mistake.expected);
                let line = Line::own(Role::Mistake, words);
                (Some(Safe::own(before).cells()), line)
            }
            (Ok(_), None) if prompt.is_preselected => (None, words::preselected_help()),
            (Ok(_), Some(mistake)) => (None, Line::own(Role::Mistake, mistake)),
            (Ok(_), None) if begun && !completion.names.is_empty() => {
                (None, offers(Line::default()))
            }
            (Ok(_), None) => (None, words::filter_help(usize::from(self.model.size.0))),
        };
        Over::Filter { field, caret, help }
    }
}

/// Why a mark is stale; nothing where it is not.
pub(super) fn why_stale(mark: &Mark) -> Vec<&'static str> {
    let stale = mark.stale;
    let reasons = [
        (
            stale.bytes_differ == Some(true),
            "other bytes stand there now",
        ),
        (
            stale.capture_differs && stale.bytes_differ != Some(true),
            "made on another capture or other content",
        ),
        (stale.contract_differs, "made under another contract"),
        (
            stale.capture_differs && stale.bytes_differ == Some(false),
            "these bytes are the same",
        ),
        (
            stale.capture_differs && stale.bytes_differ != Some(false),
            "closes nothing",
        ),
    ];
    let holding = reasons.into_iter().filter(|(holds, _)| *holds);
    holding.map(|(_, words)| words).collect()
}
