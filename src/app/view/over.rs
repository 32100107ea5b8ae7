//! What lies over the panes: the record's bytes, the line that is typed into, the form that marks.

use std::fmt::Write as _;

use crate::review::Disposition;
use crate::text::Safe;

use super::super::form::{self, MarkForm};
use super::super::line::Line;
use super::super::message::MarkTarget;
use super::super::model::Overlay;
use super::super::prompt::{Prompt, Purpose};
use super::super::role::Role;
use super::{View, words};

/// Bytes in a row of the dump.
const DUMP: usize = 16;
/// Bytes that are shown as text before the dump.
const TEXT_BYTES: usize = 16 * 1024;

/// Text that is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// What stands before it.
    pub label: Line,
    /// What is typed.
    pub text: Safe,
    /// The cell in `text` that the cursor is on; `None` where the field has no keys.
    pub cursor: Option<usize>,
    /// Whether all of it is selected, so that what is typed replaces it.
    pub is_selected: bool,
}

/// What lies over the panes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Over {
    /// The keys.
    Help {
        /// The first line that is shown.
        top: usize,
    },
    /// Lines to read: their title, and those that fit.
    Reading {
        /// The title.
        title: Line,
        /// The lines in sight.
        lines: Vec<Line>,
    },
    /// A line in the footer, with what is wrong about it or how to go on.
    Prompt {
        /// What is typed.
        field: Field,
        /// What is wrong, or how what was there before is kept.
        mistake: Option<Line>,
    },
    /// A filter in the status line, and below it, in the footer, what is wrong and where, or what
    /// could stand at the cursor.
    Filter {
        /// What is typed.
        field: Field,
        /// The cell of the text that is wrong.
        caret: Option<usize>,
        /// What is wrong, or could be typed.
        help: Line,
    },
    /// The form that marks.
    Form {
        /// The title.
        title: Line,
        /// Its lines above the fields; the chosen one is a cursor's.
        choices: Vec<super::Row>,
        /// The fields, note and name.
        fields: Vec<Field>,
        /// The last line: what is wrong, or which keys there are.
        last: Line,
    },
}

impl View<'_> {
    /// What lies over the panes, if something does.
    pub fn over(&self) -> Option<Over> {
        Some(match self.model.overlay.as_ref()? {
            Overlay::Help { top } => Over::Help { top: *top },
            Overlay::Raw { top } => Over::Reading {
                title: self.raw_title().ending(self.reading_hidden(*top)),
                lines: self.raw_lines(*top, self.model.overlay_rows()),
            },
            Overlay::Pages(pages) => Over::Reading {
                title: self
                    .reading_title(pages.subject)
                    .ending(self.reading_hidden(pages.top)),
                lines: super::skip(
                    self.reading_lines(pages.subject),
                    pages.top,
                    self.model.overlay_rows(),
                ),
            },
            Overlay::Prompt(prompt) if prompt.purpose == Purpose::Filter => {
                self.filter_prompt(prompt)
            }
            Overlay::Prompt(prompt) => Over::Prompt {
                field: prompt_field(prompt),
                mistake: match &prompt.mistake {
                    Some(words) => Some(Line::own(Role::Mistake, words)),
                    None => prompt.is_preselected.then(words::preselected_help),
                },
            },
            Overlay::Mark(form) => mark_form(form),
        })
    }

    fn reading_hidden(&self, top: usize) -> Line {
        let below = self
            .overlay_length()
            .saturating_sub(top + self.model.overlay_rows());
        super::hidden_words((top, below))
    }

    /// How many lines there are to read.
    pub(in crate::app) fn overlay_length(&self) -> usize {
        match &self.model.overlay {
            Some(Overlay::Help { .. }) => self.model.help_lines,
            Some(Overlay::Raw { .. }) => {
                let raw = self.model.look().map_or(0, |look| look.raw.len());
                self.raw_text().len() + 1 + raw.div_ceil(DUMP)
            }
            Some(Overlay::Pages(pages)) => self.reading_lines(pages.subject).len(),
            Some(Overlay::Prompt(_) | Overlay::Mark(_)) | None => 0,
        }
    }

    fn raw_title(&self) -> Line {
        let is_other = self
            .model
            .look()
            .is_some_and(|look| look.unverified.is_some());
        let line = if is_other {
            Line::own(Role::Mistake, "OTHER BYTES than were decided on")
        } else {
            Line::own(Role::FocusedFrame, "Bytes")
        };
        match self.model.look() {
            Some(look) => line.with(
                Role::FocusedFrame,
                format!(
                    " of {}, from byte {} of {}, {} bytes",
                    look.record,
                    look.place.offset_bytes,
                    look.file.as_deref().unwrap_or("the capture"),
                    look.place.length_bytes
                ),
            ),
            None => line,
        }
    }

    /// The record as text, its lines as they are, wrapped. A line end is the one character that is done
    /// rather than shown: the dump below shows it.
    fn raw_text(&self) -> Vec<Line> {
        let Some(look) = self.model.look() else {
            return vec![Line::own(Role::Dim, "Reading the record ...")];
        };
        let head = look.raw.get(..TEXT_BYTES).unwrap_or(&look.raw);
        let width = usize::from(self.model.size.0).max(2);
        let text = head.split(|byte| *byte == b'\n');
        let mut lines: Vec<Line> = text
            .map(|line| Line::default().push(Role::Text, Safe::source(line)))
            .flat_map(|line| line.wrap(width))
            .collect();
        if head.len() < look.raw.len() {
            let words = format!("the first {TEXT_BYTES} bytes; all bytes follow");
            lines.push(Line::own(Role::Dim, words));
        }
        lines
    }

    fn raw_lines(&self, top: usize, height: usize) -> Vec<Line> {
        let mut lines = self.raw_text();
        lines.push(Line::default());
        let text = lines.len();
        let mut shown: Vec<Line> = lines.into_iter().skip(top).take(height).collect();
        let Some(look) = self.model.look() else {
            return shown;
        };
        let first = top.saturating_sub(text);
        let dump = look.raw.chunks(DUMP).enumerate().skip(first);
        shown.extend(
            dump.take(height - shown.len())
                .map(|(index, bytes)| dump_line(look.place.offset_bytes, index, bytes)),
        );
        shown
    }
}

/// `000004e0  7b 22 61 22 ...  {"a"...`
fn dump_line(offset_bytes: u64, index: usize, bytes: &[u8]) -> Line {
    let hex = bytes.iter().fold(String::new(), |mut hex, byte| {
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x} ");
        hex
    });
    let text: String = bytes
        .iter()
        .map(|byte| match byte {
            b' '..=b'~' => char::from(*byte),
            _ => '.',
        })
        .collect();
    let at = offset_bytes + (index * DUMP) as u64;
    Line::own(Role::Dim, format!("{at:08x}  "))
        .with(Role::Text, format!("{hex:<48} "))
        .with(Role::Key, text)
}

fn field(label: Line, input: &tui_input::Input, has_keys: bool) -> Field {
    let before: String = input.value().chars().take(input.cursor()).collect();
    Field {
        label,
        text: Safe::own(input.value()),
        cursor: has_keys.then(|| Safe::own(before).cells()),
        is_selected: false,
    }
}

pub(super) fn prompt_field(prompt: &Prompt) -> Field {
    let label = match prompt.purpose {
        Purpose::Search => "/",
        Purpose::Command => ":",
        Purpose::Id => "ids with: ",
        Purpose::Filter => "filter: ",
    };
    let field = field(Line::own(Role::Key, label), &prompt.input, true);
    Field {
        is_selected: prompt.is_preselected,
        ..field
    }
}

/// What is marked, and how to mark the other thing that this step offers.
fn form_title(form: &MarkForm) -> Line {
    let offer = form.offers.get(form.offer);
    let title = Line::own(Role::FocusedFrame, "Mark ");
    let title = match offer {
        Some(offer) => title.value(Role::FocusedFrame, &offer.words),
        None => title,
    };
    let other = form.offers.get((form.offer + 1) % form.offers.len().max(1));
    match other.filter(|_| form.offers.len() > 1) {
        Some(other) => {
            let key = if form.field == form::Field::Disposition {
                "Left"
            } else {
                "Shift-Tab Left"
            };
            title
                .with(Role::Frame, ";  ")
                .with(Role::Key, key)
                .with(Role::Frame, " instead: ")
                .value(Role::Frame, &other.words)
        }
        None => title,
    }
}

fn mark_form(form: &MarkForm) -> Over {
    let title = form_title(form);
    let is_missing = matches!(form.target(), Some(MarkTarget::Missing(_)));
    let choices = Disposition::ALL
        .iter()
        .enumerate()
        .map(|(index, disposition)| {
            let is_chosen = index == form.disposition;
            let sign = if is_chosen { "(*)" } else { "( )" };
            // What is missing has no record of its own that could be closed.
            let closes = if disposition.closes() && !is_missing {
                "  closes it"
            } else {
                "  stays open"
            };
            let role = if is_chosen { Role::Mark } else { Role::Text };
            let has_keys = form.field == form::Field::Disposition;
            // A digit is offered only where it chooses.
            let key = if has_keys {
                format!("{} ", index + 1)
            } else {
                "  ".to_owned()
            };
            super::Row {
                line: Line::own(Role::Key, key)
                    .with(role, format!("{sign} {:<24}", disposition.label()))
                    .with(Role::Dim, closes),
                is_cursor: is_chosen && has_keys,
            }
        })
        .collect();
    let fields = vec![
        labelled("note", &form.note, form.field == form::Field::Note),
        labelled(
            "your name",
            &form.operator,
            form.field == form::Field::Operator,
        ),
    ];
    let last = match &form.mistake {
        Some(mistake) => Line::default().value(Role::Mistake, mistake),
        None if form.is_saving => Line::own(Role::Dim, "saving ..."),
        None => keys_of_form(form.field),
    };
    Over::Form {
        title,
        choices,
        fields,
        last,
    }
}

/// A field of the form; a sign tells which one has the keys, where there is no colour too.
fn labelled(name: &str, input: &tui_input::Input, has_keys: bool) -> Field {
    let (sign, role) = if has_keys {
        ("> ", Role::FocusedFrame)
    } else {
        ("  ", Role::Dim)
    };
    field(
        Line::own(role, format!("{sign}{name:<11}")),
        input,
        has_keys,
    )
}

/// Which keys the form has: what is typed goes where the first words say.
fn keys_of_form(field: form::Field) -> Line {
    let line = match field {
        form::Field::Note => Line::own(Role::Text, "letters write the note  "),
        form::Field::Operator => Line::own(Role::Text, "letters write your name  "),
        form::Field::Disposition => Line::own(Role::Key, "1-5").with(Role::Dim, " choose  "),
    };
    line.with(Role::Key, "Up Down")
        .with(Role::Dim, " choose  ")
        .with(Role::Key, "Tab")
        .with(Role::Dim, " next  ")
        .with(Role::Key, "Enter")
        .with(Role::Dim, " saves  ")
        .with(Role::Key, "Esc")
        .with(Role::Dim, " keeps it")
}
