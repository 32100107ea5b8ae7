//! Keys that could cost a person something: leaving with marks that are not saved, and taking back
//! what was marked before today. The first press says what would be lost, the second does it.

use super::line::Line;
use super::message::Command;
use super::model::{Asked, Model};
use super::role::Role;

impl Model {
    /// Ends the inspector, if nothing is lost by it or the key before asked. `again` names the key
    /// that leaves all the same.
    pub(super) fn leave(&mut self, again: &str, commands: &mut Vec<Command>) {
        if self.answered == Asked::Quit {
            return commands.push(Command::Quit);
        }
        let written = self.drafts.half_written();
        let line = match (self.unsaved, written) {
            (0, 0) => return commands.push(Command::Quit),
            (0, 1) => self.half_written("1 note is half written", again),
            (0, many) => self.half_written(&format!("{many} notes are half written"), again),
            (unsaved, _) => {
                let marks = if unsaved == 1 {
                    "1 mark is not saved".to_owned()
                } else {
                    format!("{unsaved} marks are not saved")
                };
                Line::own(Role::Mistake, marks)
                    .with(Role::Text, ": ")
                    .with(Role::Key, ":w FILE")
                    .with(Role::Text, " saves, ")
                    .with(Role::Key, again)
                    .with(Role::Text, " drops")
            }
        };
        self.asked = Asked::Quit;
        self.say(line);
    }

    fn half_written(&self, words: &str, again: &str) -> Line {
        let (fate, leaves) = if self.settings.keeps_drafts {
            (" and kept: ", " leaves")
        } else {
            (": ", " drops it")
        };
        Line::own(Role::Mistake, words)
            .with(Role::Text, fate)
            .with(Role::Key, "m")
            .with(Role::Text, " goes on with it, ")
            .with(Role::Key, again)
            .with(Role::Text, leaves)
    }

    /// Takes the last mark back. One of an earlier session stood there when the person came: it is
    /// named first, and goes at the second press.
    pub(super) fn undo(&mut self, commands: &mut Vec<Command>) {
        if let Some(mark) = self.book.undo_target(&self.operator)
            && !self.book.is_of_session(mark.entry)
            && self.answered != Asked::Undo(mark.entry)
        {
            self.asked = Asked::Undo(mark.entry);
            let what = format!("{} {}", mark.anchor, mark.disposition.label());
            let line = Line::own(Role::Key, "u again")
                .with(Role::Text, " takes back ")
                .value(Role::Mark, &what)
                .with(Role::Text, " by ")
                .value(Role::Text, &mark.operator)
                .with(Role::Text, ", ")
                .value(Role::Text, &mark.time);
            return self.say(line);
        }
        commands.push(Command::Undo {
            operator: self.operator.clone(),
        });
    }
}
