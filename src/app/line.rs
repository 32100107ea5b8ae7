//! A line ready to be painted: safe text in pieces, each with what it is for, and where Enter on it
//! leads.

use crate::model::StepNo;
use crate::text::Safe;
use crate::text::safe::Unit;

use super::role::Role;

/// A piece of a line with one role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// What to draw.
    pub text: Safe,
    /// What it is for.
    pub role: Role,
}

/// One line of the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Its pieces, in order.
    pub spans: Vec<Span>,
    /// The step that Enter on this line goes to.
    pub target: Option<StepNo>,
    /// Cells that the line is indented by where it is wrapped.
    pub hang: usize,
    /// What stands at the right end and is never cut.
    pub tail: Vec<Span>,
}

impl Line {
    /// A line of this program's own words.
    pub fn own(role: Role, text: impl AsRef<str>) -> Self {
        Self::default().with(role, text)
    }

    /// Adds this program's own words.
    #[must_use]
    pub fn with(self, role: Role, text: impl AsRef<str>) -> Self {
        self.push(role, Safe::own(text))
    }

    /// Adds a value out of the capture.
    #[must_use]
    pub fn value(self, role: Role, text: &str) -> Self {
        self.push(role, Safe::value(text))
    }

    /// Adds text that is safe already.
    #[must_use]
    pub fn push(mut self, role: Role, text: Safe) -> Self {
        if !text.is_empty() {
            self.spans.push(Span { text, role });
        }
        self
    }

    /// Adds spaces up to a column; a longer line gets one space.
    #[must_use]
    pub fn to(self, column: usize) -> Self {
        let spaces = column.saturating_sub(self.cells()).max(1);
        self.with(Role::Text, " ".repeat(spaces))
    }

    /// Adds the pieces of another line.
    #[must_use]
    pub fn join(mut self, other: Self) -> Self {
        self.spans.extend(other.spans);
        self.tail.extend(other.tail);
        self
    }

    /// Leaves out the pieces of a role.
    #[must_use]
    pub fn without(mut self, role: Role) -> Self {
        self.spans.retain(|span| span.role != role);
        self
    }

    /// Sets what stands at the right end and is never cut.
    #[must_use]
    pub fn ending(mut self, tail: Self) -> Self {
        self.tail = tail.spans;
        self
    }

    /// Sets where Enter leads.
    #[must_use]
    pub fn leads_to(mut self, target: Option<StepNo>) -> Self {
        self.target = target;
        self
    }

    /// Sets the indentation of what does not fit on the first line.
    #[must_use]
    pub fn hanging(mut self, cells: usize) -> Self {
        self.hang = cells;
        self
    }

    /// Cells that the line takes.
    pub fn cells(&self) -> usize {
        self.spans.iter().map(|span| span.text.cells()).sum()
    }

    /// The words of the line, without their roles.
    pub fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    /// As many lines of at most `cells` cells as it takes: nothing is cut.
    pub fn wrap(&self, cells: usize) -> Vec<Self> {
        if self.cells() <= cells || cells < 2 {
            return vec![self.clone()];
        }
        // A narrow pane has no room for both the indentation and the words.
        let hang = if self.hang * 2 > cells { 0 } else { self.hang };
        let mut wrapper = Wrapper {
            cells,
            hang,
            target: self.target,
            lines: Vec::new(),
            line: Self::default().leads_to(self.target),
            width: 0,
            has_words: false,
        };
        let units: Vec<(Unit<'_>, Role)> = self
            .spans
            .iter()
            .flat_map(|span| span.text.units().map(|unit| (unit, span.role)))
            .collect();
        for word in units.split_inclusive(|(unit, _)| unit.text == " ") {
            wrapper.word(word);
        }
        wrapper.lines.push(wrapper.line);
        wrapper.lines
    }
}

struct Wrapper {
    cells: usize,
    hang: usize,
    target: Option<StepNo>,
    lines: Vec<Line>,
    line: Line,
    width: usize,
    has_words: bool,
}

impl Wrapper {
    fn word(&mut self, word: &[(Unit<'_>, Role)]) {
        let visible = word.iter().filter(|(unit, _)| unit.text != " ");
        let needed: usize = visible.map(|(unit, _)| unit.cells).sum();
        if self.has_words && self.width + needed > self.cells {
            self.end_line();
        }
        for (unit, role) in word {
            let is_space = unit.text == " ";
            if self.width + unit.cells > self.cells {
                if is_space {
                    continue;
                }
                if self.has_words {
                    self.end_line();
                }
            }
            self.put(*unit, *role);
            self.has_words |= !is_space;
        }
    }

    fn put(&mut self, unit: Unit<'_>, role: Role) {
        self.width += unit.cells;
        match self.line.spans.last_mut() {
            Some(span) if span.role == role => span.text.push_unit(unit),
            _ => {
                let mut text = Safe::default();
                text.push_unit(unit);
                self.line.spans.push(Span { text, role });
            }
        }
    }

    fn end_line(&mut self) {
        let next = Line::own(Role::Text, " ".repeat(self.hang)).leads_to(self.target);
        self.width = next.cells();
        self.has_words = false;
        self.lines.push(std::mem::replace(&mut self.line, next));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(lines: &[Line]) -> Vec<String> {
        lines.iter().map(Line::text).collect()
    }

    #[test]
    fn wrapping_keeps_every_word_and_hangs() {
        let line = Line::own(Role::Dim, "gate     ")
            .with(Role::Text, "owner says ")
            .value(Role::Changed, "cancelled")
            .with(Role::Text, ", projection paid")
            .hanging(9);
        let lines = line.wrap(24);
        assert_eq!(
            texts(&lines),
            [
                "gate     owner says ",
                "         cancelled, ",
                "         projection paid"
            ]
        );
        assert!(lines.iter().all(|line| line.cells() <= 24));
    }

    #[test]
    fn a_word_longer_than_the_line_is_broken() {
        let lines = Line::own(Role::Text, "ab abcdefghij").wrap(4);
        assert_eq!(texts(&lines), ["ab ", "abcd", "efgh", "ij"]);
        assert_eq!(Line::own(Role::Text, "ab").wrap(0).len(), 1);
    }

    #[test]
    fn a_wide_character_never_sticks_out() {
        for cells in 2..9 {
            let lines = Line::default()
                .value(Role::Text, "漢字\u{7}漢字")
                .wrap(cells);
            let wide = lines.iter().filter(|line| line.cells() > cells.max(5));
            assert_eq!(wide.count(), 0, "{cells}");
        }
    }
}
