//! The filter as a part of the model: what was typed, whether it is suspended, and the scan that
//! finds what it shows.

use crate::history::{History, Step};
use crate::model::{State, StepNo};

use super::super::list::Focus;
use super::super::message::Command;
use super::super::model::Model;
use super::parse::parse;
use super::scan::{Facts, Scan, Wanted, next_of};
use super::{BytesTest, Filter, Mistake, Term, Test};

/// The filter, and what it has found.
#[derive(Clone, Debug, Default)]
pub(in crate::app) struct Filtering {
    /// What was typed; empty for no filter.
    pub(in crate::app) text: String,
    filter: Filter,
    /// Typed, but everything is shown for now.
    pub(in crate::app) is_suspended: bool,
    /// Only what a person marked, whatever was typed.
    pub(in crate::app) only_marked: bool,
    scan: Option<Scan>,
    /// The number of the last scan; an answer to an older one counts for nothing.
    last_number: u64,
    /// How often the marks changed.
    marks_changed: u64,
    /// Whether the scan may look at a portion now.
    is_due: bool,
    /// Whether it is still to be said what a filter that shows nothing open misses.
    explains: bool,
    /// Whether the cursor was put on what is shown since the filter changed.
    has_settled: bool,
}

impl Filtering {
    /// Whether something narrows what is shown.
    pub(in crate::app) fn is_on(&self) -> bool {
        (!self.text.is_empty() && !self.is_suspended) || self.only_marked
    }

    /// The scan behind what is shown, while a filter is on.
    pub(in crate::app) fn scan(&self) -> Option<&Scan> {
        self.scan.as_ref().filter(|_| self.is_on())
    }

    /// The steps that are shown, in order, while a filter is on.
    pub(in crate::app) fn hits(&self) -> Option<&[StepNo]> {
        if !self.is_on() {
            return None;
        }
        Some(self.scan.as_ref().map_or(&[], Scan::hits))
    }

    /// What was typed, read.
    pub(in crate::app) fn terms(&self) -> &[Term] {
        &self.filter.terms
    }

    /// Sets what was typed.
    pub(in crate::app) fn set(&mut self, text: &str, filter: Filter) {
        text.trim().clone_into(&mut self.text);
        self.filter = filter;
        self.is_suspended = false;
    }

    /// What is looked for now, as a filter.
    fn effective(&self) -> Filter {
        let mut filter = if self.is_suspended {
            Filter::default()
        } else {
            self.filter.clone()
        };
        if self.only_marked {
            filter.terms.push(Term {
                is_negated: false,
                test: Test::Marked,
            });
        }
        filter
    }

    fn tells_outcome(&self) -> bool {
        let filter = self.effective();
        filter.terms.iter().any(|term| term.test.tells_outcome())
    }

    /// The marks changed.
    pub(in crate::app) fn marks_changed(&mut self) {
        self.marks_changed += 1;
        if let Some(scan) = &mut self.scan {
            scan.recount();
        }
    }

    /// Time passed, or an answer came: the next portion may be looked at.
    pub(in crate::app) fn is_due(&mut self) {
        self.is_due = true;
    }

    fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }
}

impl Model {
    /// Reads and sets a filter; nothing typed shows everything.
    pub(in crate::app) fn set_filter(
        &mut self,
        history: &History,
        text: &str,
    ) -> Result<(), Mistake> {
        let filter = parse(text, &history.terms().vocabulary)?;
        let tells = filter.terms.iter().any(|term| term.test.tells_outcome());
        if self.has_curtain && tells {
            return Err(Mistake {
                at: 0,
                expected: "words, id, source, type, aggregate or a time: the curtain hides what \
                           steps come to (:curtain opens it)"
                    .to_owned(),
            });
        }
        let is_empty = filter.terms.is_empty();
        self.filter.set(text, filter);
        self.filter.has_settled = false;
        self.filter.explains = true;
        if is_empty {
            self.say_own("no filter: everything is shown");
        }
        Ok(())
    }

    /// `F`: shows everything, and what the filter shows again.
    pub(in crate::app) fn suspend_filter(&mut self) {
        if self.filter.text.is_empty() {
            return self.say_own("no filter yet: & asks for one");
        }
        self.filter.is_suspended = !self.filter.is_suspended;
        self.filter.has_settled = false;
        self.say_own(if self.filter.is_suspended {
            "everything again; F filters as before"
        } else {
            "filtered again; F shows everything"
        });
    }

    /// `M`: only what is marked, and everything again.
    pub(in crate::app) fn toggle_marked(&mut self) {
        self.filter.only_marked = !self.filter.only_marked;
        self.filter.has_settled = false;
        self.say_own(if self.filter.only_marked {
            "only marked steps; M shows all steps again"
        } else {
            "all steps again"
        });
    }

    /// Leaves the filter for a place that it does not show; the words say so.
    pub(in crate::app) fn leave_filter_for(&mut self, step: StepNo) -> Option<&'static str> {
        let hits = self.filter.hits()?;
        if hits.binary_search(&step).is_ok() {
            return None;
        }
        let had_text = !self.filter.text.is_empty();
        self.filter.is_suspended = had_text;
        self.filter.only_marked = false;
        Some(if had_text {
            ", outside of the filter, which is suspended (F)"
        } else {
            ", which is not marked: everything is shown again"
        })
    }

    /// An answer from outside.
    pub(in crate::app) fn take_sifted(&mut self, number: u64, passes: &[bool]) {
        let scans = [&mut self.filter.scan, &mut self.search.count];
        for scan in scans.into_iter().flatten() {
            if scan.number == number {
                scan.answer(passes);
                self.filter.is_due = true;
            }
        }
    }

    /// After every message: the scans look for what is wanted now, and go on where they may.
    pub(in crate::app) fn settle_scans(&mut self, history: &History, commands: &mut Vec<Command>) {
        if self.has_curtain && self.filter.is_on() && self.filter.tells_outcome() {
            self.filter.is_suspended = true;
            self.filter.only_marked = false;
            self.say_own("the filter tells what steps come to: the curtain suspends it");
        }
        self.restart_filter(commands);
        self.restart_count(commands);
        if std::mem::take(&mut self.filter.is_due) {
            self.advance_scans(history, commands);
        }
        self.settle_search(history);
        self.settle_cursor(history);
        self.explain_replayed(history);
        let scans = self.filter.scan().into_iter().chain(&self.search.count);
        let mut unfinished = scans.filter(|scan| scan.wants_more(history));
        self.is_scanning = unfinished.next().is_some();
    }

    fn restart_filter(&mut self, commands: &mut Vec<Command>) {
        if !self.filter.is_on() {
            // Suspended, it keeps what it found.
            return;
        }
        let wanted = self.wanted(self.filter.effective(), false);
        if self.filter.scan.as_ref().map(Scan::wanted) == Some(&wanted) {
            return;
        }
        if let Some(old) = self.filter.scan.take() {
            commands.push(Command::StopSift(old.number));
        }
        let number = self.filter.next_number();
        self.filter.scan = Some(Scan::new(number, wanted));
        self.filter.is_due = true;
        self.filter.has_settled = false;
    }

    /// The count of what is searched for goes over the same steps as the list.
    fn restart_count(&mut self, commands: &mut Vec<Command>) {
        if !self.search.counts || self.search.needle.is_empty() {
            return;
        }
        let mut filter = if self.filter.is_on() {
            self.filter.effective()
        } else {
            Filter::default()
        };
        filter.terms.push(Term {
            is_negated: false,
            test: Test::Bytes(BytesTest::Word(self.search.needle.clone())),
        });
        let wanted = self.wanted(filter, true);
        if self.search.count.as_ref().map(Scan::wanted) == Some(&wanted) {
            return;
        }
        if let Some(old) = self.search.count.take() {
            commands.push(Command::StopSift(old.number));
        }
        let number = self.filter.next_number();
        self.search.count = Some(Scan::new(number, wanted));
        self.filter.is_due = true;
    }

    fn wanted(&self, filter: Filter, without_replays: bool) -> Wanted {
        let asks = |test: &Test| filter.terms.iter().any(|term| term.test == *test);
        let (open, marked) = (asks(&Test::Open), asks(&Test::Marked));
        let waiting = asks(&Test::Waiting);
        Wanted {
            as_of: (
                if open || marked {
                    self.filter.marks_changed
                } else {
                    0
                },
                (open || waiting) && self.progress.is_finished,
            ),
            filter,
            focus: self.focus.clone(),
            without_replays,
        }
    }

    fn advance_scans(&mut self, history: &History, commands: &mut Vec<Command>) {
        let mut filter = self.filter.scan.take();
        let mut count = self.search.count.take();
        let is_closed = |step| self.is_closed(history, step);
        let is_marked = |step: &Step<'_>| self.is_marked(history, step);
        let facts = Facts {
            history,
            is_closed: &is_closed,
            is_marked: &is_marked,
            marked: &self.marked,
            has_missing_marks: self.has_missing_marks(),
        };
        let shown = filter.as_mut().filter(|_| self.filter.is_on());
        // What is searched for is found first, and counted afterwards.
        let counted = count.as_mut().filter(|_| self.search.running.is_none());
        for scan in shown.into_iter().chain(counted) {
            if !scan.wants_more(history) {
                continue;
            }
            let records = scan.advance(&facts);
            if !records.is_empty() {
                commands.push(Command::Sift {
                    number: scan.number,
                    terms: scan.bytes().to_vec(),
                    records,
                });
            }
        }
        self.filter.scan = filter;
        self.search.count = count;
    }

    /// Once it is known what is shown around the cursor, the cursor goes to the nearest of it.
    fn settle_cursor(&mut self, history: &History) {
        if self.filter.has_settled {
            return;
        }
        let Some(scan) = self.filter.scan() else {
            return;
        };
        let hits = scan.hits();
        if hits.binary_search(&self.cursor).is_ok() {
            self.filter.has_settled = true;
            return;
        }
        let after = next_of(hits, self.cursor, true);
        let is_known = scan.is_done(history);
        let nearest = match after {
            None if is_known => next_of(hits, self.cursor, false),
            after => after,
        };
        let from = self.cursor;
        if let Some(step) = nearest {
            self.jumps.leave(from);
            self.go(step, self.entry(step));
        }
        self.filter.has_settled = nearest.is_some() || is_known;
    }

    /// A filter on what is deferred that shows nothing open says where to find what still waits.
    fn explain_replayed(&mut self, history: &History) {
        if !self.filter.explains || !self.progress.is_finished {
            return;
        }
        let Some(scan) = self.filter.scan().filter(|scan| scan.is_done(history)) else {
            return;
        };
        let Some(open) = scan.open() else { return };
        let asks = |term: &Term| {
            !term.is_negated
                && matches!(&term.test, Test::State(states) if states == &[State::Deferred])
        };
        let is_deferred = self.filter.filter.terms.iter().any(asks);
        let is_replayed = is_deferred && open == 0 && !scan.hits().is_empty();
        self.filter.explains = false;
        if is_replayed {
            self.say_own("all of them were replayed; 2 lists what still waits");
        }
    }

    /// Esc while a filter is searching: what it found stays for later.
    pub(in crate::app) fn stop_scanning(&mut self, history: &History) -> bool {
        let is_searching = self
            .filter
            .scan()
            .is_some_and(|scan| !scan.is_done(history) && !scan.bytes().is_empty());
        if is_searching {
            self.filter.is_suspended = true;
            self.filter.only_marked = false;
            self.say_own("the filter is suspended; F goes on with it");
        }
        is_searching
    }

    /// What the focus is, unless the filter's hits are within it already.
    pub(in crate::app) fn focus_beside_hits(&self) -> Option<&Focus> {
        self.focus.as_ref().filter(|_| !self.filter.is_on())
    }
}
