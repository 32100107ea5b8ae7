//! The line that is typed into, as a part of the model: earlier inputs, names that Tab completes, and
//! what becomes of it.

use crate::history::History;

use super::filter::complete::complete;
use super::message::{Command, Edit};
use super::model::{Model, Overlay};
use super::prompt::{Prompt, Purpose, parse};

impl Model {
    /// Opens the line with what stood there last, selected: typing replaces it, arrows edit it.
    pub(super) fn ask(&mut self, purpose: Purpose) {
        let text = match purpose {
            Purpose::Filter => self.filter.text.clone(),
            Purpose::Search => self.search.needle.clone(),
            Purpose::Command | Purpose::Id => String::new(),
        };
        self.overlay = Some(Overlay::Prompt(Prompt::preselected(purpose, &text)));
    }

    /// A key in the line.
    pub(super) fn type_into_prompt(&mut self, history: &History, edit: Edit) {
        let Some(Overlay::Prompt(prompt)) = &mut self.overlay else {
            return;
        };
        let is_filter = prompt.purpose == Purpose::Filter;
        if matches!(edit, Edit::Up | Edit::Down) {
            prompt.recall(self.inputs.of(prompt.purpose), edit == Edit::Up);
        } else if is_filter && matches!(edit, Edit::NextField | Edit::PreviousField) {
            prompt.complete(edit == Edit::NextField, |text, cursor| {
                complete(text, cursor, &history.terms().vocabulary)
            });
        } else {
            prompt.edit(edit);
        }
    }

    /// What was typed is done, or stays with what is wrong about it.
    pub(super) fn accept(
        &mut self,
        history: &History,
        mut prompt: Prompt,
        commands: &mut Vec<Command>,
    ) {
        let text = prompt.input.value().to_owned();
        if prompt.purpose == Purpose::Id {
            return self.narrow(text.trim());
        }
        if text.trim().is_empty() && prompt.purpose != Purpose::Filter {
            return;
        }
        let done = match prompt.purpose {
            Purpose::Search => {
                self.search_for(history, &text, commands);
                Ok(())
            }
            Purpose::Id => Ok(()),
            Purpose::Command => parse(&text).and_then(|order| self.obey(history, order, commands)),
            Purpose::Filter => self
                .set_filter(history, &text)
                .map_err(|mistake| format!("expected {}", mistake.expected)),
        };
        match done {
            Ok(()) if text.trim().is_empty() => {}
            Ok(()) => self.inputs.keep(prompt.purpose, text.trim()),
            Err(mistake) => {
                prompt.mistake = Some(mistake);
                self.overlay = Some(Overlay::Prompt(prompt));
            }
        }
    }

    /// Searches for a text from the cursor on.
    pub(super) fn search_for(
        &mut self,
        history: &History,
        text: &str,
        commands: &mut Vec<Command>,
    ) {
        text.clone_into(&mut self.search.needle);
        self.search_on(history, true, commands);
    }
}
