//! The form that marks evidence. What is half written survives Esc, another size, and another step.

use tui_input::Input;

use crate::review::Disposition;

use super::message::{Draft, Edit, MarkTarget};
use super::prompt::{paste_into, type_into};

/// Bytes of a note, and of a name: what the case file takes.
const NOTE_BYTES: usize = crate::review::entry::NOTE_LIMIT_BYTES;
const NAME_BYTES: usize = crate::review::entry::OPERATOR_LIMIT_BYTES;
/// Half-written marks that are kept.
const DRAFTS: usize = 100;

/// The fields, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Disposition,
    Note,
    Operator,
}

/// What can be marked from a step, as the form offers it.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    pub(super) target: MarkTarget,
    /// What it is, in words; may hold text of the capture.
    pub(super) words: String,
}

/// The form.
#[derive(Clone, Debug)]
pub(super) struct MarkForm {
    /// What can be marked, the likeliest first; never empty.
    pub(super) offers: Vec<Offer>,
    pub(super) offer: usize,
    pub(super) disposition: usize,
    pub(super) note: Input,
    pub(super) operator: Input,
    pub(super) field: Field,
    pub(super) mistake: Option<String>,
    /// Sent, and not answered yet.
    pub(super) is_saving: bool,
}

/// Forms that were not saved, for as long as they are not.
#[derive(Clone, Debug, Default)]
pub(super) struct Drafts {
    kept: Vec<Draft>,
    /// Whether they differ from what was handed out last.
    has_changed: bool,
    /// What was written in this session: somebody who leaves may have forgotten it.
    written: Vec<MarkTarget>,
    /// A name that was typed and not saved with a mark yet.
    operator: Option<String>,
}

impl Drafts {
    /// Keeps a form; an empty one is not worth it.
    pub(super) fn keep(&mut self, form: &MarkForm) {
        let Some(target) = form.target() else { return };
        self.operator = Some(form.operator.value().to_owned());
        let draft = Draft {
            target: target.clone(),
            disposition: form.disposition(),
            note: form.note.value().to_owned(),
        };
        // One that was only looked at was not written now.
        if self.kept.contains(&draft) {
            return;
        }
        self.forget(target);
        if form.note.value().is_empty() && form.disposition == 0 {
            return;
        }
        if self.kept.len() == DRAFTS {
            self.kept.remove(0);
        }
        self.kept.push(draft);
        if !form.note.value().is_empty() {
            self.written.push(target.clone());
        }
        self.has_changed = true;
    }

    /// How many notes were begun in this session and not saved.
    pub(super) fn half_written(&self) -> usize {
        self.written.len()
    }

    /// A mark was saved with a name: what was typed for one is settled.
    pub(super) fn settle_operator(&mut self) {
        self.operator = None;
    }

    /// Puts a kept draft into a form.
    pub(super) fn fill(&self, form: &mut MarkForm) {
        if let Some(name) = &self.operator {
            form.operator = Input::new(name.clone());
        }
        let draft = form
            .target()
            .and_then(|target| self.kept.iter().find(|draft| draft.target == *target));
        if let Some(draft) = draft.cloned() {
            let chosen = Disposition::ALL
                .iter()
                .position(|known| *known == draft.disposition);
            form.disposition = chosen.unwrap_or(0);
            form.note = Input::new(draft.note);
        }
    }

    pub(super) fn forget(&mut self, target: &MarkTarget) {
        let before = self.kept.len();
        self.kept.retain(|draft| draft.target != *target);
        self.written.retain(|written| written != target);
        self.has_changed |= self.kept.len() != before;
    }

    /// Takes in what an earlier session left; what was written since counts more.
    pub(super) fn restore(&mut self, earlier: Vec<Draft>) {
        for draft in earlier.into_iter().take(DRAFTS) {
            let is_known = self.kept.iter().any(|known| known.target == draft.target);
            if !is_known && self.kept.len() < DRAFTS {
                self.kept.push(draft);
            }
        }
    }

    /// All of them, if they changed since the last question.
    pub(super) fn changed(&mut self) -> Option<Vec<Draft>> {
        std::mem::take(&mut self.has_changed).then(|| self.kept.clone())
    }
}

impl MarkForm {
    pub(super) fn new(offers: Vec<Offer>, operator: &str) -> Self {
        Self {
            offers,
            offer: 0,
            disposition: 0,
            note: Input::default(),
            operator: Input::new(operator.to_owned()),
            field: Field::Note,
            mistake: None,
            is_saving: false,
        }
    }

    pub(super) fn target(&self) -> Option<&MarkTarget> {
        self.offers.get(self.offer).map(|offer| &offer.target)
    }

    pub(super) fn disposition(&self) -> Disposition {
        let chosen = Disposition::ALL.get(self.disposition);
        chosen.copied().unwrap_or(Disposition::ManualReview)
    }

    /// A key in the form. It opens in the note, where every letter and digit is text; up and down
    /// choose a disposition from anywhere and stop at either end, so that one press too many never
    /// closes evidence. Only once the list has the keys do digits choose, and the form says so.
    pub(super) fn edit(&mut self, edit: Edit) {
        self.mistake = None;
        let last = Disposition::ALL.len() - 1;
        match (edit, self.field) {
            (Edit::Up, _) => self.disposition = self.disposition.saturating_sub(1),
            (Edit::Down, _) => self.disposition = (self.disposition + 1).min(last),
            (Edit::NextField, _) => {
                self.field = match self.field {
                    Field::Disposition => Field::Note,
                    Field::Note => Field::Operator,
                    Field::Operator => Field::Disposition,
                }
            }
            (Edit::PreviousField, _) => {
                self.field = match self.field {
                    Field::Disposition => Field::Operator,
                    Field::Note => Field::Disposition,
                    Field::Operator => Field::Note,
                }
            }
            (Edit::Insert(typed), Field::Disposition) => self.choose_or_write(typed),
            (Edit::Left | Edit::Right, Field::Disposition) => {
                self.offer = (self.offer + 1) % self.offers.len().max(1);
            }
            (edit, Field::Note) => type_into(&mut self.note, edit, NOTE_BYTES),
            (edit, Field::Operator) => type_into(&mut self.operator, edit, NAME_BYTES),
            (
                Edit::Backspace
                | Edit::Delete
                | Edit::DeleteWord
                | Edit::DeleteLine
                | Edit::Home
                | Edit::End,
                Field::Disposition,
            ) => {}
        }
    }

    /// A digit chooses; any other letter begins the note.
    fn choose_or_write(&mut self, typed: char) {
        let Some(digit) = typed.to_digit(10) else {
            self.field = Field::Note;
            type_into(&mut self.note, Edit::Insert(typed), NOTE_BYTES);
            return;
        };
        let chosen = usize::try_from(digit)
            .ok()
            .and_then(|digit| digit.checked_sub(1));
        if let Some(chosen) = chosen.filter(|index| *index < Disposition::ALL.len()) {
            self.disposition = chosen;
        }
    }

    /// Pasted text goes into the note, lines joined, or into the name.
    pub(super) fn paste(&mut self, text: &str) {
        self.mistake = None;
        match self.field {
            Field::Disposition | Field::Note => {
                self.field = Field::Note;
                let lines: Vec<&str> = text.split(['\n', '\r']).map(str::trim).collect();
                let joined = lines.join(" ");
                let wanted = self.note.value().len() + joined.trim().len();
                paste_into(&mut self.note, &joined, NOTE_BYTES);
                if wanted > NOTE_BYTES {
                    self.mistake = Some(format!("cut: a note holds {NOTE_BYTES} bytes"));
                }
            }
            Field::Operator => paste_into(&mut self.operator, text, NAME_BYTES),
        }
    }
}
