//! What is searched for. The searching itself is done outside, in pieces; an answer to an older
//! search counts for nothing. While one goes from match to match, all of them are counted.

use crate::history::History;
use crate::model::{RecordNo, StepNo};
use crate::text::number::grouped;

use super::filter::scan::{Scan, next_of};
use super::line::Line;
use super::message::{Command, SearchNews};
use super::model::Model;
use super::role::Role;

/// A search and how far it is.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    pub(super) needle: String,
    pub(super) number: u64,
    pub(super) forward: bool,
    /// How far a running search has looked.
    pub(super) running: Option<RecordNo>,
    /// A match among what the filter shows is awaited, in this direction.
    pub(super) awaits: Option<bool>,
    /// Whether the matches are counted.
    pub(super) counts: bool,
    /// All matches, as far as they are known.
    pub(super) count: Option<Scan>,
    /// Whether it went on from the other end.
    pub(super) has_wrapped: bool,
    /// Whether what was said last is the place of a match, which its number belongs to.
    pub(super) is_at_match: bool,
}

impl Search {
    pub(super) fn is_running(&self) -> bool {
        self.running.is_some() || self.awaits.is_some()
    }

    /// A new search begins; its number tells its answers from those of older ones.
    pub(super) fn begin(&mut self, from: RecordNo, forward: bool) -> u64 {
        self.number += 1;
        self.forward = forward;
        self.running = Some(from);
        self.counts = true;
        self.number
    }
}

impl Model {
    pub(super) fn search_value(&mut self, history: &History, commands: &mut Vec<Command>) {
        match self.value_under_cursor(history) {
            Some(value) => {
                self.search.needle = value;
                self.search_on(history, true, commands);
            }
            None => self.say_own("there is no value under the cursor"),
        }
    }

    pub(super) fn search_on(
        &mut self,
        history: &History,
        forward: bool,
        commands: &mut Vec<Command>,
    ) {
        if self.search.needle.is_empty() {
            return self.say_own("nothing was searched for yet: / asks");
        }
        let Some(step) = history.step(self.cursor) else {
            return;
        };
        self.search.has_wrapped = false;
        // A replay stands behind the record that released it.
        let root = step.released_by.and_then(|root| history.step(root));
        let from = root.map_or(step.record, |root| root.record);
        if self.filter.is_on() {
            // The count goes over the same steps as the list, so that it knows.
            self.search.counts = true;
            self.search.awaits = Some(forward);
            return;
        }
        self.search_from(from, forward, commands);
    }

    /// Goes to the match that is awaited among what the filter shows, once it is known.
    pub(super) fn settle_search(&mut self, history: &History) {
        let (Some(forward), Some(count)) = (self.search.awaits, &self.search.count) else {
            return;
        };
        let is_done = count.is_done(history);
        let is_known = is_done || forward || count.known_until() >= self.cursor;
        match next_of(count.hits(), self.cursor, forward).filter(|_| is_known) {
            Some(step) => {
                self.search.awaits = None;
                self.found(history, step);
            }
            None if is_done => {
                self.search.awaits = None;
                let hits = count.hits();
                let end = if forward { hits.first() } else { hits.last() };
                match end.copied() {
                    Some(step) => {
                        self.search.has_wrapped = true;
                        self.found(history, step);
                    }
                    None => self.found_nothing(),
                }
            }
            None => {}
        }
    }

    fn found(&mut self, history: &History, step: StepNo) {
        let line = Line::own(Role::Text, "found ").value(Role::Match, &self.search.needle);
        let line = if self.search.has_wrapped {
            line.with(Role::Changed, ", wrapped")
        } else {
            line
        };
        self.jump(history, step, line);
        self.search.is_at_match = true;
    }

    fn found_nothing(&mut self) {
        let words = if self.filter.is_on() {
            "nothing that the filter shows has "
        } else if self.focus.is_some() {
            "nothing in the focus has "
        } else {
            "nothing has "
        };
        let line = Line::own(Role::Text, words).value(Role::Match, &self.search.needle);
        let line = if self.filter.is_on() {
            line.with(Role::Text, "; F shows everything")
        } else if self.focus.is_some() {
            line.with(Role::Text, "; a shows all orders")
        } else {
            line
        };
        self.say(line);
    }

    /// Of how many matches the cursor is on which; with `+` while they are still counted.
    pub(super) fn match_place(&self, history: &History) -> Option<String> {
        let count = self.search.count.as_ref()?;
        let hits = count.hits();
        let more = if count.is_done(history) { "" } else { "+" };
        let all = grouped(hits.len() as u64);
        Some(match hits.binary_search(&self.cursor) {
            Ok(index) => format!("{} of {all}{more}", grouped(index as u64 + 1)),
            Err(_) => format!("{all}{more} in all"),
        })
    }

    fn search_from(&mut self, from: RecordNo, forward: bool, commands: &mut Vec<Command>) {
        let number = self.search.begin(from, forward);
        commands.push(Command::Search {
            number,
            needle: self.search.needle.clone(),
            from,
            forward,
        });
    }

    pub(super) fn search_news(
        &mut self,
        history: &History,
        number: u64,
        news: SearchNews,
        commands: &mut Vec<Command>,
    ) {
        if number != self.search.number || !self.search.is_running() {
            return;
        }
        match news {
            SearchNews::At(record) => self.search.running = Some(record),
            SearchNews::Found(record) => {
                let step = history.step_of_record(record);
                let outside = step.is_none_or(|step| {
                    let focus = self.focus.as_ref();
                    focus.is_some_and(|focus| !focus.holds(history, step))
                });
                if outside {
                    let forward = self.search.forward;
                    return self.search_from(record, forward, commands);
                }
                self.search.running = None;
                // Now the count may begin.
                self.filter.is_due();
                if let Some(step) = step {
                    self.found(history, step);
                }
            }
            SearchNews::Nothing if !self.search.has_wrapped => {
                // Around the end: what was searched for may stand behind the cursor.
                self.search.has_wrapped = true;
                let forward = self.search.forward;
                let end = if forward {
                    RecordNo(0)
                } else {
                    RecordNo(history.last_record().0.saturating_add(1))
                };
                self.search_from(end, forward, commands);
            }
            SearchNews::Nothing => {
                self.search.running = None;
                self.search.counts = false;
                self.found_nothing();
            }
        }
    }
}
