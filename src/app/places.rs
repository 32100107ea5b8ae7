//! Places that are named: a record, a step, a time. What there is none of is said, and the nearest one
//! is gone to.

use crate::history::History;
use crate::model::{RecordNo, StepNo};
use crate::text::number::grouped;

use super::line::Line;
use super::model::Model;
use super::role::Role;

impl Model {
    pub(super) fn go_to_record(&mut self, history: &History, record: RecordNo) {
        let last = history.last_record();
        let wanted = RecordNo(record.0.clamp(1, last.0.max(1)));
        let words = if wanted == record {
            format!("at {record}")
        } else {
            format!("{wanted}, since there is no {}", named("r", record.0))
        };
        match history.step_of_record(wanted) {
            Some(step) => self.jump(history, step, Line::own(Role::Text, words)),
            None => self.say_own("nothing is read yet"),
        }
    }

    pub(super) fn go_to_step(&mut self, history: &History, number: u32) {
        let last = history.last_step().0;
        if last == 0 {
            return self.say_own("nothing is read yet");
        }
        let wanted = number.clamp(1, last);
        let words = if self.has_curtain {
            // How many steps there are would tell of replays to come.
            "as far as there are steps".to_owned()
        } else if wanted == number {
            format!("step {wanted}")
        } else {
            let no_such = named("step ", number);
            format!(
                "step {}, since there is no {no_such}",
                grouped(u64::from(wanted))
            )
        };
        self.jump(history, StepNo(wanted), Line::own(Role::Text, words));
    }

    /// What came of a time that was asked for. Whoever went on meanwhile is not taken away from where
    /// they are.
    pub(super) fn take_time(&mut self, history: &History, found: Option<RecordNo>) {
        let Some(time) = self.awaits_time.take() else {
            return;
        };
        let Some(record) = found else {
            return self.say_own(format!("nothing was received at {time} or later"));
        };
        let words = format!("{record} is the first received at {time} or later");
        match history.step_of_record(record) {
            Some(step) => self.jump(history, step, Line::own(Role::Text, words)),
            None => self.say_own("nothing is read yet"),
        }
    }
}

/// A number as it was asked for; of one that is too large to be read, that.
fn named(what: &str, number: u32) -> String {
    if number == u32::MAX {
        format!(
            "{} of so large a number",
            if what == "r" { "record" } else { "step" }
        )
    } else {
        format!("{what}{number}")
    }
}
