//! Marking evidence: what can be marked from a step, the form's way to the case file and back.

use crate::history::History;
use crate::model::{Kind, State, StepNo, Subject};
use crate::review::{Disposition, MissingAnchor};

use super::form::{Field, MarkForm, Offer};
use super::line::Line;
use super::message::{Command, MarkAnswer, MarkNews, MarkTarget};
use super::model::{Asked, Model, Overlay};
use super::role::Role;

impl Model {
    /// Opens the form for the step under the cursor.
    pub(super) fn open_mark(&mut self, history: &History) {
        if self.has_curtain && !self.is_decided() {
            return self
                .say_own("the curtain is drawn: step through it first, > shows the next stage");
        }
        let offers = match self.offer_selected(history) {
            Some(offer) => vec![offer],
            None => offers(history, self.cursor, self.horizon(history)),
        };
        self.offer_marks(history, offers);
    }

    /// Opens the form for one of these.
    pub(super) fn offer_marks(&mut self, history: &History, offers: Vec<Offer>) {
        if offers.is_empty() {
            return;
        }
        let mut form = MarkForm::new(offers, &self.operator);
        self.prefill(history, &mut form);
        self.drafts.fill(&mut form);
        self.overlay = Some(Overlay::Mark(Box::new(form)));
    }

    /// What is selected, as one thing to mark.
    fn offer_selected(&self, history: &History) -> Option<Offer> {
        let mut steps = self.selected(history);
        steps.truncate(super::selection::MOST);
        let record = |step: &StepNo| history.step(*step).map(|step| step.record);
        let (first, last) = (record(steps.first()?)?, record(steps.last()?)?);
        if let [only] = steps.as_slice() {
            let found = history.step(*only)?;
            return Some(Offer {
                words: format!("{first}: {}", found.evidence_name()),
                target: MarkTarget::Step(*only),
            });
        }
        Some(Offer {
            words: format!("{} steps, {first} to {last}", steps.len()),
            target: MarkTarget::Steps(steps),
        })
    }

    /// A mark that is there already is where one goes on from.
    fn prefill(&self, history: &History, form: &mut MarkForm) {
        let mark = match form.target() {
            Some(MarkTarget::Step(step)) => history
                .step(*step)
                .and_then(|step| self.book.mark_of(step.record, step.kind == Kind::Replay)),
            Some(MarkTarget::Missing(missing)) => self.book.mark_of_missing(missing),
            Some(MarkTarget::Steps(_)) | None => None,
        };
        if let Some(mark) = mark {
            let chosen = Disposition::ALL
                .iter()
                .position(|known| *known == mark.disposition);
            form.disposition = chosen.unwrap_or(0);
            form.note = tui_input::Input::new(mark.note.clone());
        }
    }

    /// Sends the form; it stays until the answer is there.
    pub(super) fn save_mark(&mut self, mut form: Box<MarkForm>, commands: &mut Vec<Command>) {
        let operator = form.operator.value().trim().to_owned();
        let target = form.target().cloned();
        match target {
            _ if form.is_saving => {}
            _ if operator.is_empty() => {
                form.field = Field::Operator;
                form.mistake = Some("who marks? type your name here, Enter saves".to_owned());
            }
            Some(target) => {
                form.is_saving = true;
                commands.push(Command::Mark {
                    target,
                    disposition: form.disposition(),
                    note: form.note.value().trim().to_owned(),
                    operator,
                });
            }
            None => return,
        }
        self.overlay = Some(Overlay::Mark(form));
    }

    /// That a mark is saved; the first time, also where.
    fn saved_where(&mut self) -> Line {
        match &self.settings.case {
            Some(case) if !std::mem::replace(&mut self.has_named_case, true) => {
                Line::own(Role::Mark, "saved in ").value(Role::Mark, case)
            }
            Some(_) | None => Line::own(Role::Mark, "marked and saved"),
        }
    }

    /// The marks changed, by us or by somebody else.
    pub(super) fn take_marks(&mut self, news: MarkNews) {
        self.book = news.book;
        self.is_doubtful = news.is_doubtful;
        self.unsaved = news.unsaved;
        self.filter.marks_changed();
        self.marked_at = StepNo(u32::MAX);
        self.tally = super::tally::Tally::default();
        self.set_banner(super::Banner::Case, news.banner);
        if self.asked == Asked::Quit && self.unsaved == 0 && self.drafts.half_written() == 0 {
            self.asked = Asked::Nothing;
            self.say_own("everything is saved now");
        }
        let Some(answer) = news.answer else { return };
        let line = match answer {
            MarkAnswer::Saved => self.saved_where().with(Role::Text, "; u takes it back"),
            MarkAnswer::Kept => {
                Line::own(Role::Mistake, "marked, but only in memory; :w FILE saves")
            }
            MarkAnswer::Undone(what) => {
                Line::own(Role::Mark, "taken back: ").value(Role::Text, &what)
            }
            MarkAnswer::Refused(why) => {
                if let Some(Overlay::Mark(form)) = &mut self.overlay {
                    form.is_saving = false;
                    form.mistake = Some(why);
                    return;
                }
                Line::own(Role::Mistake, why)
            }
        };
        if let Some(Overlay::Mark(form)) = &self.overlay
            && form.is_saving
        {
            if let Some(target) = form.target() {
                self.drafts.forget(target);
            }
            // A name counts once a mark carries it.
            form.operator.value().trim().clone_into(&mut self.operator);
            self.drafts.settle_operator();
            self.overlay = None;
            self.selection = None;
        }
        self.say(line);
    }
}

/// What can be marked from a step, the likeliest first: on an aggregate that waits, what is missing.
pub(super) fn offers(history: &History, step: StepNo, at: StepNo) -> Vec<Offer> {
    let Some(found) = history.step(step) else {
        return Vec::new();
    };
    let as_replay = if found.kind == Kind::Replay {
        " replay"
    } else {
        ""
    };
    let own = Offer {
        target: MarkTarget::Step(step),
        words: format!("{}{as_replay}: {}", found.record, found.evidence_name()),
    };
    let Subject::Aggregate(id) = found.subject else {
        return vec![own];
    };
    let Some(version) = history.waiting_for(id, at) else {
        return vec![own];
    };
    let missing = MissingAnchor {
        source: history.source_of(id).to_owned(),
        aggregate: history.name_of(id).to_owned(),
        version,
    };
    let words = format!("missing: {} v{version}", missing.aggregate);
    let missing = Offer {
        target: MarkTarget::Missing(missing),
        words,
    };
    if found.state == State::Deferred {
        vec![missing, own]
    } else {
        vec![own, missing]
    }
}
