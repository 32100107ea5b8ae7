//! The other views of a run: aggregates, evidence, the owner's side, the Guide, the contract. What
//! each knows between two inputs; what there is to see of it stands in `view::page`.
//!
//! - `gather`: lists that take a walk over the whole run, made outside and in portions.
//! - `evidence`, `owner`: which row of a list with sections stands for what.
//! - `guide`: the Guide's own order, and where its signs are.
//! - `act`: what keys do in a view; `mark`: what `m` marks there.

mod act;
pub(super) mod evidence;
pub mod gather;
pub(super) mod guide;
pub(super) mod mark;
pub(super) mod owner;

use std::collections::{BTreeMap, BTreeSet};

use crate::history::History;
use crate::model::{AggregateId, StepNo};

use super::line::Line;
use super::list::Focus;
use super::message::Command;
use super::model::Model;
use gather::{AggregateList, Answer, Ask, Group, OwnerLists, Question, Sort};

/// One of the views.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ViewName {
    /// The steps, with what each decided: the main screen.
    #[default]
    Steps,
    /// One row for each aggregate, and one aggregate's timeline.
    Aggregates,
    /// What someone has to explain, what is marked, what is resolved.
    Evidence,
    /// The owner's orders, compensations, reviews and gates.
    Owner,
    /// Symptoms and what to do, and the readiness checklist.
    Guide,
    /// The contract in force.
    Contract,
}

impl ViewName {
    /// What it is called.
    pub fn title(self) -> &'static str {
        match self {
            Self::Steps => "Steps",
            Self::Aggregates => "Aggregates",
            Self::Evidence => "Evidence",
            Self::Owner => "Owner",
            Self::Guide => "Guide",
            Self::Contract => "Contract",
        }
    }
}

/// What fills the screen in a view: some views have more than one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PageName {
    Aggregates,
    Timeline,
    Evidence,
    Owner,
    Symptoms,
    Checklist,
    Contract,
}

/// Where the cursor is on a page, and which row is the first in sight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) at: usize,
    pub(super) top: usize,
}

/// One aggregate's steps, walked from any of them: there may be as many as the run has.
#[derive(Clone, Debug)]
pub(super) struct Timeline {
    pub(super) focus: Focus,
    pub(super) cursor: StepNo,
    pub(super) top: StepNo,
}

/// A jump out of a view, so that the way back leads into it.
#[derive(Clone, Copy, Debug)]
struct Came {
    view: ViewName,
    /// Places to go back to after the jump: at as many, the way back leads into the view.
    depth: usize,
    /// Whether the jump moved the cursor at all.
    moved: bool,
}

/// A list as it was made.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) at: StepNo,
    pub(super) ask: Ask,
    pub(super) answer: Answer,
}

/// Everything the views know between two inputs.
#[derive(Debug, Default)]
pub(super) struct Views {
    pub(super) shown: ViewName,
    places: BTreeMap<PageName, Place>,
    made: BTreeMap<ViewName, Made>,
    number: u64,
    asked: Option<Question>,
    came: Option<Came>,
    pub(super) sort: Sort,
    pub(super) needle: String,
    pub(super) owner_needle: String,
    pub(super) timeline: Option<Timeline>,
    pub(super) unfolded: BTreeSet<evidence::GroupKey>,
    pub(super) folded: BTreeSet<evidence::Section>,
    /// Of each group of evidence, the places of those that a mark closes.
    pub(super) closed: Vec<Vec<usize>>,
    pub(super) folded_owner: BTreeSet<owner::Section>,
    pub(super) has_checklist: bool,
    /// The symptom that was gone to last, by its place, and the step.
    symptom_seen: Option<(usize, StepNo)>,
    /// The contract's lines, wrapped to this width.
    pub(super) contract: (usize, Vec<Line>),
}

impl Views {
    /// The page that is shown; none on the main screen.
    pub(super) fn page(&self) -> Option<PageName> {
        Some(match self.shown {
            ViewName::Steps => return None,
            ViewName::Aggregates if self.timeline.is_some() => PageName::Timeline,
            ViewName::Aggregates => PageName::Aggregates,
            ViewName::Evidence => PageName::Evidence,
            ViewName::Owner => PageName::Owner,
            ViewName::Guide if self.has_checklist => PageName::Checklist,
            ViewName::Guide => PageName::Symptoms,
            ViewName::Contract => PageName::Contract,
        })
    }

    pub(super) fn place(&self, page: PageName) -> Place {
        self.places.get(&page).copied().unwrap_or_default()
    }

    /// The list that a view needs, if it needs one.
    fn ask(&self) -> Option<Ask> {
        Some(match self.shown {
            ViewName::Aggregates => Ask::Aggregates {
                sort: self.sort,
                needle: self.needle.clone(),
            },
            ViewName::Evidence => Ask::Evidence,
            ViewName::Owner => Ask::Owner {
                needle: self.owner_needle.clone(),
            },
            ViewName::Guide => Ask::Waiting,
            ViewName::Steps | ViewName::Contract => return None,
        })
    }

    /// Whether a list is being made.
    pub(super) fn is_gathering(&self) -> bool {
        self.asked.is_some()
    }
}

impl Model {
    /// The list of a view, unless it tells of what the curtain hides by now.
    pub(super) fn made(&self, history: &History, view: ViewName) -> Option<&Made> {
        let made = self.views.made.get(&view)?;
        (made.at <= self.told_until(history)).then_some(made)
    }

    pub(super) fn aggregate_list(&self, history: &History) -> Option<(StepNo, &AggregateList)> {
        let made = self.made(history, ViewName::Aggregates)?;
        match &made.answer {
            Answer::Aggregates(list) => Some((made.at, list)),
            Answer::Evidence(_) | Answer::Owner(_) | Answer::Waiting(_) => None,
        }
    }

    pub(super) fn evidence_groups(&self, history: &History) -> Option<(StepNo, &[Group])> {
        let made = self.made(history, ViewName::Evidence)?;
        match &made.answer {
            Answer::Evidence(groups) => Some((made.at, groups)),
            Answer::Aggregates(_) | Answer::Owner(_) | Answer::Waiting(_) => None,
        }
    }

    pub(super) fn owner_lists(&self, history: &History) -> Option<(StepNo, &OwnerLists)> {
        let made = self.made(history, ViewName::Owner)?;
        match &made.answer {
            Answer::Owner(lists) => Some((made.at, lists)),
            Answer::Aggregates(_) | Answer::Evidence(_) | Answer::Waiting(_) => None,
        }
    }

    /// How many aggregates wait, once that is counted.
    pub(super) fn waiting_signs(&self, history: &History) -> super::guide::WaitingSigns {
        match self.made(history, ViewName::Guide).map(|made| &made.answer) {
            Some(Answer::Waiting(signs)) => *signs,
            Some(Answer::Aggregates(_) | Answer::Evidence(_) | Answer::Owner(_)) | None => {
                super::guide::WaitingSigns::default()
            }
        }
    }

    /// Asks for what the view that is shown lacks. While the capture loads, a list that is a little
    /// behind will do.
    pub(super) fn ask_for_list(&mut self, history: &History, commands: &mut Vec<Command>) {
        let at = self.told_until(history);
        let Some(ask) = self.views.ask() else { return };
        if let Some(made) = self.made(history, self.views.shown)
            && made.ask == ask
        {
            let is_close = !self.has_curtain
                && !self.progress.is_finished
                && at.0 < made.at.0.saturating_add(made.at.0 / 4 + 1_000);
            if made.at == at || is_close {
                return;
            }
        }
        let is_asked = self
            .views
            .asked
            .as_ref()
            .is_some_and(|asked| asked.ask == ask && (asked.at == at || !self.has_curtain));
        if is_asked {
            return;
        }
        self.views.number += 1;
        let question = Question {
            number: self.views.number,
            at,
            ask,
        };
        self.views.asked = Some(question.clone());
        commands.push(Command::Gather(question));
    }

    /// Takes a list in; the cursor stays on what it was on, where that can be told.
    pub(super) fn take_list(&mut self, history: &History, number: u64, answer: Answer) {
        let Some(asked) = self.views.asked.take_if(|asked| asked.number == number) else {
            return;
        };
        let view = match asked.ask {
            Ask::Aggregates { .. } => ViewName::Aggregates,
            Ask::Evidence => ViewName::Evidence,
            Ask::Owner { .. } => ViewName::Owner,
            Ask::Waiting => ViewName::Guide,
        };
        let same_ask = self
            .views
            .made
            .get(&view)
            .is_some_and(|made| made.ask == asked.ask);
        let kept = self.selected_aggregate(history).filter(|_| same_ask);
        let made = Made {
            at: asked.at,
            ask: asked.ask,
            answer,
        };
        self.views.made.insert(view, made);
        if let (Some(id), Some((_, list))) = (kept, self.aggregate_list(history))
            && let Some(at) = list.ids.iter().position(|known| *known == id)
        {
            let place = self.views.place(PageName::Aggregates);
            self.views
                .places
                .insert(PageName::Aggregates, Place { at, ..place });
        }
        self.note_closed(history);
    }

    /// The aggregate under the cursor of its list.
    pub(super) fn selected_aggregate(&self, history: &History) -> Option<AggregateId> {
        let (_, list) = self.aggregate_list(history)?;
        let at = self.views.place(PageName::Aggregates).at;
        list.ids
            .get(at.min(list.ids.len().checked_sub(1)?))
            .copied()
    }

    /// Notes which pieces of evidence a mark closes, so that drawing need not look.
    pub(super) fn note_closed(&mut self, history: &History) {
        let Some((_, groups)) = self.evidence_groups(history) else {
            self.views.closed.clear();
            return;
        };
        let mut closed = vec![Vec::new(); groups.len()];
        for step in evidence::marked_steps(history, &self.book) {
            if !self.is_closed(history, step) {
                continue;
            }
            for (group, closed) in groups.iter().zip(&mut closed) {
                if !group.is_resolved
                    && let Ok(place) = group.steps.binary_search(&step)
                {
                    closed.push(place);
                }
            }
        }
        for places in &mut closed {
            places.sort_unstable();
        }
        self.views.closed = closed;
    }

    /// Keeps the cursor of the page that is shown in its list and in sight.
    pub(super) fn settle_page(&mut self, history: &History) {
        let Some(page) = self.views.page() else {
            return;
        };
        if page == PageName::Contract {
            self.wrap_contract();
        }
        let height = self.page_rows().max(1);
        if page == PageName::Timeline {
            return self.settle_timeline(history, height);
        }
        let length = super::view::View::new(self, history).page_length();
        let mut place = self.views.place(page);
        place.at = place.at.min(length.saturating_sub(1));
        if place.at < place.top {
            place.top = place.at;
        } else if place.at >= place.top + height {
            place.top = place.at + 1 - height;
        }
        place.top = place.top.min(length.saturating_sub(height));
        self.views.places.insert(page, place);
    }

    fn settle_timeline(&mut self, history: &History, height: usize) {
        let horizon = self.told_until(history);
        let Some(mut timeline) = self.views.timeline.take() else {
            return;
        };
        let shown = super::list::Shown {
            history,
            focus: Some(&timeline.focus),
            hits: None,
            curtain: None,
        };
        if timeline.cursor > horizon {
            timeline.cursor = shown.before(horizon.after()).unwrap_or(timeline.cursor);
        }
        timeline.top = shown.top(timeline.top, timeline.cursor, height);
        self.views.timeline = Some(timeline);
    }

    fn wrap_contract(&mut self) {
        let width = usize::from(self.size.0).saturating_sub(1).max(2);
        if self.views.contract.0 != width {
            let lines = super::view::contract_lines(&self.settings.facts, &self.banners, width);
            self.views.contract = (width, lines);
        }
    }
}
