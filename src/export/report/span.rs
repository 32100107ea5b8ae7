//! The building blocks of prose: our own words apart from values, which only a writer makes safe.
//!
//! A table holds own words and numbers only: in Markdown a value could not be kept inside its cell
//! without changing how it reads.

/// A run of text of one origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Span {
    /// Written here.
    Own(String),
    /// Out of a capture, a contract or a case.
    Value(String),
}

/// A line of text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line(pub(super) Vec<Span>);

impl Line {
    /// A line that begins with own words.
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self::default().own(text)
    }

    /// Own words.
    pub(super) fn own(mut self, text: impl Into<String>) -> Self {
        self.0.push(Span::Own(text.into()));
        self
    }

    /// A value.
    pub(super) fn value(mut self, text: impl Into<String>) -> Self {
        self.0.push(Span::Value(text.into()));
        self
    }

    /// Own words and a value, where there is one.
    pub(super) fn maybe(self, text: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.own(text).value(value),
            None => self,
        }
    }
}

/// A part of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// A heading, from 1.
    Heading(u8, Line),
    /// A paragraph.
    Paragraph(Line),
    /// A list; its entries may have lines of their own below them.
    List(Vec<(Line, Vec<Line>)>),
    /// A table of own words and numbers, with its head.
    Table(Vec<&'static str>, Vec<Vec<String>>),
    /// The picture of the run, where a format has pictures.
    Picture,
}
