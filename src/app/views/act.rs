//! What keys do in a view, and the ways out of it and back.

use crate::history::History;
use crate::model::StepNo;

use super::super::action::Action;
use super::super::line::Line;
use super::super::list::{Focus, Shown};
use super::super::model::{Model, Overlay};
use super::super::panes::{Motion, moved};
use super::super::prompt::{Prompt, Purpose};
use super::super::role::Role;
use super::super::view::View;
use super::evidence::{Item, Section};
use super::{Came, PageName, Place, Timeline, ViewName, owner};

impl Model {
    /// An action in a view, or one that opens a view; whether it was one.
    pub(in crate::app) fn act_in_view(&mut self, history: &History, action: Action) -> bool {
        match (action, self.views.page()) {
            (Action::Show(view), _) => self.show(view),
            (Action::HistoryBack, None) => return self.come_back(history),
            (Action::Open, Some(page)) => self.open_row(history, page),
            (Action::Fold, Some(page)) => self.fold_row(history, page),
            (Action::NextPart, Some(page)) => self.change_part(history, page, true),
            (Action::PreviousPart, Some(page)) => self.change_part(history, page, false),
            (Action::Sort, Some(page)) => self.sort(page),
            (Action::Search, Some(page)) => self.ask_for_id(page),
            (Action::NextMatch, Some(PageName::Symptoms)) => self.open_symptom(history),
            (Action::NextMatch, Some(_)) => {
                self.say_own("n goes on in the Guide, and in the steps");
            }
            (Action::Select, Some(_)) => {
                self.say_own("v selects in the steps: 1 goes there; m marks this line");
            }
            (Action::Mark, Some(page)) => self.mark_row(history, page),
            (Action::Quit | Action::Cancel | Action::HistoryBack, Some(_)) => self.leave_view(),
            (Action::HistoryForward, Some(_)) => {
                self.views.shown = ViewName::Steps;
                self.in_history(history, true);
            }
            _ => return false,
        }
        true
    }

    fn show(&mut self, view: ViewName) {
        if self.views.shown == view && view == ViewName::Aggregates {
            self.views.timeline = None;
        }
        self.views.shown = view;
    }

    /// From a timeline to the list, and from any other page to the steps.
    fn leave_view(&mut self) {
        if self.views.shown == ViewName::Aggregates && self.views.timeline.take().is_some() {
            return;
        }
        self.views.shown = ViewName::Steps;
    }

    /// Back into the view that one jumped out of.
    fn come_back(&mut self, history: &History) -> bool {
        let depth = self.jumps.depth();
        let Some(came) = self.views.came.take_if(|came| came.depth == depth) else {
            return false;
        };
        if came.moved {
            self.in_history(history, false);
        }
        self.views.shown = came.view;
        self.say(Line::own(
            Role::Text,
            format!("back in {}; 1 goes to the steps", came.view.title()),
        ));
        true
    }

    /// Out of the view to the step that it speaks of.
    fn jump_out(&mut self, history: &History, step: StepNo, why: Line) {
        let view = self.views.shown;
        let from = self.cursor;
        let had_focus = self.focus.is_some();
        self.jump(history, step, Line::default());
        self.views.came = Some(Came {
            view,
            depth: self.jumps.depth(),
            moved: self.cursor != from,
        });
        let words = format!("; from {}, ( goes back", view.title());
        let line = why.with(Role::Dim, words);
        self.say(if had_focus && self.focus.is_none() {
            line.with(Role::Text, "; the focus is left")
        } else {
            line
        });
    }

    /// Moves the cursor of a page.
    pub(in crate::app) fn move_in_page(&mut self, history: &History, motion: Motion) {
        let Some(page) = self.views.page() else {
            return;
        };
        if page == PageName::Timeline {
            return self.move_in_timeline(history, motion);
        }
        let length = View::new(self, history).page_length();
        let place = self.views.place(page);
        let at = moved(place.at, motion, length).unwrap_or(0);
        self.views.places.insert(page, Place { at, ..place });
    }

    fn move_in_timeline(&mut self, history: &History, motion: Motion) {
        let horizon = self.told_until(history);
        let Some(timeline) = &mut self.views.timeline else {
            return;
        };
        let shown = Shown {
            history,
            focus: Some(&timeline.focus),
            hits: None,
            curtain: None,
        };
        let mut step = timeline.cursor;
        match motion {
            Motion::Top => step = shown.first().unwrap_or(step),
            Motion::Bottom => step = shown.before(horizon.after()).unwrap_or(step),
            Motion::By(by) => {
                for _ in 0..by.unsigned_abs() {
                    let next = if by > 0 {
                        shown.after(step).filter(|next| *next <= horizon)
                    } else {
                        shown.before(step)
                    };
                    let Some(next) = next else { break };
                    step = next;
                }
            }
        }
        timeline.cursor = step;
    }

    fn put(&mut self, page: PageName, at: usize) {
        let place = self.views.place(page);
        self.views.places.insert(page, Place { at, ..place });
    }

    fn open_row(&mut self, history: &History, page: PageName) {
        match page {
            PageName::Aggregates => self.open_timeline(history),
            PageName::Timeline => {
                if let Some((step, name)) = self.timeline_row() {
                    let why = Line::own(Role::Text, "timeline of ").value(Role::Text, &name);
                    self.jump_out(history, step, why);
                }
            }
            PageName::Evidence => self.open_evidence(history),
            PageName::Symptoms => self.open_symptom(history),
            PageName::Owner => match self.selected_owner(history) {
                Some(owner::Item::Section(section)) => {
                    if !self.views.folded_owner.remove(&section) {
                        self.views.folded_owner.insert(section);
                    }
                }
                _ => self.open_target(history),
            },
            PageName::Checklist | PageName::Contract => self.open_target(history),
        }
    }

    /// To where the row leads, if it does.
    fn open_target(&mut self, history: &History) {
        let view = View::new(self, history);
        match view.page_target() {
            Some(step) => {
                let record = history.step(step).map(|step| step.record);
                let record = record.map_or_else(String::new, |record| format!("at {record}"));
                self.jump_out(history, step, Line::own(Role::Text, record));
            }
            None => self.say_own("this line leads to no step"),
        }
    }

    fn open_timeline(&mut self, history: &History) {
        let Some(id) = self.selected_aggregate(history) else {
            return;
        };
        let focus = Focus {
            name: history.name_of(id).to_owned(),
            id: Some(id),
        };
        let shown = Shown {
            history,
            focus: Some(&focus),
            hits: None,
            curtain: None,
        };
        let last = shown.before(self.told_until(history).after());
        if let Some(cursor) = last {
            self.views.timeline = Some(Timeline {
                focus,
                cursor,
                top: StepNo(0),
            });
        }
    }

    pub(super) fn timeline_row(&self) -> Option<(StepNo, String)> {
        let timeline = self.views.timeline.as_ref()?;
        Some((timeline.cursor, timeline.focus.name.clone()))
    }

    fn selected_owner(&self, history: &History) -> Option<owner::Item> {
        self.owner_item(history, self.views.place(PageName::Owner).at)
    }

    /// What the cursor of the evidence is on.
    pub(in crate::app) fn selected_evidence(&self, history: &History) -> Option<Item> {
        let at = self.views.place(PageName::Evidence).at;
        self.evidence_items(history, at, 1).pop()
    }

    fn open_evidence(&mut self, history: &History) {
        match self.selected_evidence(history) {
            Some(Item::Section(section)) => {
                if !self.views.folded.remove(&section) {
                    self.views.folded.insert(section);
                }
            }
            Some(Item::Group(group)) => self.fold_group(history, group, None),
            Some(Item::Piece(..) | Item::Mark(_)) => self.open_target(history),
            Some(Item::Nothing(_)) | None => {}
        }
    }

    /// Unfolds or folds a group; without a wish, the other of the two.
    fn fold_group(&mut self, history: &History, group: usize, fold: Option<bool>) {
        let groups = self
            .evidence_groups(history)
            .map_or(&[][..], |(_, all)| all);
        let Some(key) = groups
            .get(group)
            .map(|group| (group.is_resolved, group.why))
        else {
            return;
        };
        let is_open = self.views.unfolded.contains(&key);
        if fold.unwrap_or(is_open) {
            self.views.unfolded.remove(&key);
        } else {
            self.views.unfolded.insert(key);
        }
    }

    fn fold_row(&mut self, history: &History, page: PageName) {
        match page {
            PageName::Evidence => self.fold_evidence(history),
            PageName::Owner => self.fold_owner(history),
            PageName::Checklist => self.views.has_checklist = false,
            PageName::Aggregates | PageName::Timeline | PageName::Symptoms | PageName::Contract => {
                self.leave_view();
            }
        }
    }

    fn fold_evidence(&mut self, history: &History) {
        match self.selected_evidence(history) {
            Some(Item::Piece(group, _)) => {
                self.fold_group(history, group, Some(true));
                let row = self.evidence_row(history, Item::Group(group));
                self.put(PageName::Evidence, row.unwrap_or(0));
            }
            Some(Item::Group(group)) if self.is_unfolded(history, group) => {
                self.fold_group(history, group, Some(true));
            }
            Some(Item::Section(section)) if !self.views.folded.contains(&section) => {
                self.views.folded.insert(section);
            }
            Some(Item::Section(_)) | None => self.leave_view(),
            Some(Item::Group(_) | Item::Mark(_) | Item::Nothing(_)) => {
                let at = self.views.place(PageName::Evidence).at;
                let row = self.sections(history).into_iter().rev();
                let row = row.into_iter().find(|row| *row <= at);
                self.put(PageName::Evidence, row.unwrap_or(0));
            }
        }
    }

    pub(in crate::app) fn is_unfolded(&self, history: &History, group: usize) -> bool {
        let groups = self
            .evidence_groups(history)
            .map_or(&[][..], |(_, all)| all);
        groups.get(group).is_some_and(|group| {
            let key = (group.is_resolved, group.why);
            self.views.unfolded.contains(&key)
        })
    }

    fn fold_owner(&mut self, history: &History) {
        let at = self.views.place(PageName::Owner).at;
        match self.owner_item(history, at) {
            Some(owner::Item::Section(section)) if self.views.folded_owner.insert(section) => {}
            Some(owner::Item::Section(_)) | None => self.leave_view(),
            Some(_) => {
                let mut rows = self.owner_sections(history).into_iter().rev();
                let row = rows.find(|row| *row <= at).unwrap_or(0);
                self.put(PageName::Owner, row);
            }
        }
    }

    /// The rows that sections stand on.
    fn sections(&self, history: &History) -> Vec<usize> {
        [Section::Open, Section::Marked, Section::Resolved]
            .into_iter()
            .filter_map(|section| self.evidence_row(history, Item::Section(section)))
            .collect()
    }

    fn owner_sections(&self, history: &History) -> Vec<usize> {
        let sections = owner::Section::ALL.into_iter();
        sections
            .map(|section| self.owner_row(history, section))
            .collect()
    }

    /// The next section, or the view's other page.
    fn change_part(&mut self, history: &History, page: PageName, forward: bool) {
        let rows = match page {
            PageName::Symptoms | PageName::Checklist => {
                self.views.has_checklist = !self.views.has_checklist;
                return;
            }
            PageName::Evidence => self.sections(history),
            PageName::Owner => self.owner_sections(history),
            PageName::Contract => View::new(self, history).contract_parts(),
            PageName::Timeline => return self.leave_view(),
            PageName::Aggregates => return self.open_timeline(history),
        };
        let at = self.views.place(page).at;
        let next = if forward {
            rows.iter().find(|row| **row > at).or(rows.first())
        } else {
            rows.iter().rev().find(|row| **row < at).or(rows.last())
        };
        let at = next.copied().unwrap_or(0);
        self.views.places.insert(page, Place { at, top: at });
    }

    fn sort(&mut self, page: PageName) {
        if page != PageName::Aggregates {
            return self.say_own("s puts the aggregates in another order, in view 2");
        }
        self.views.sort = self.views.sort.next();
        self.put(PageName::Aggregates, 0);
    }

    fn ask_for_id(&mut self, page: PageName) {
        let text = match page {
            PageName::Aggregates | PageName::Timeline => self.views.needle.clone(),
            PageName::Owner => self.views.owner_needle.clone(),
            PageName::Evidence | PageName::Symptoms | PageName::Checklist | PageName::Contract => {
                return self.say_own(
                    "/ finds an id among the aggregates (2), the orders (4) and in the steps (1)",
                );
            }
        };
        self.overlay = Some(Overlay::Prompt(Prompt::new(Purpose::Id, &text)));
    }

    /// Narrows the list to the ids that hold a text; no text shows all.
    pub(in crate::app) fn narrow(&mut self, text: &str) {
        if self.views.shown == ViewName::Owner {
            text.clone_into(&mut self.views.owner_needle);
            self.put(PageName::Owner, 0);
        } else {
            text.clone_into(&mut self.views.needle);
            self.views.timeline = None;
            self.put(PageName::Aggregates, 0);
        }
    }

    /// To the first step that shows the symptom; from there, to the next one.
    fn open_symptom(&mut self, history: &History) {
        if self.has_curtain {
            return self.say_own("the curtain hides whether this capture shows it");
        }
        let at = self.views.place(PageName::Symptoms).at;
        let symptoms = self.symptoms(history);
        let Some((symptom, shown)) = symptoms.get(at.min(symptoms.len().saturating_sub(1))) else {
            return;
        };
        let Some(sign) = shown.person.or(shown.handled) else {
            return self.say_own("this capture does not show it");
        };
        let seen = self.views.symptom_seen.filter(|(row, _)| *row == at);
        let next = seen.and_then(|(_, from)| self.next_sign(history, symptom, from));
        let (step, words) = match next {
            Some(next) => (next, "the next sign: "),
            None if shown.person.is_none() => (sign.first, "handled, the first time: "),
            None => (sign.first, "the first sign: "),
        };
        let why = Line::own(Role::Text, words).with(Role::Text, symptom.symptom);
        self.jump_out(history, step, why);
        self.views.symptom_seen = Some((at, step));
    }

    /// A click on a row of the page puts the cursor there.
    pub(in crate::app) fn click_page(&mut self, history: &History, row: u16) {
        let Some(page) = self.views.page() else {
            return;
        };
        let view = View::new(self, history);
        let first = view.page_first_row();
        let Some(line) = row.checked_sub(first).map(usize::from) else {
            return;
        };
        if line >= self.page_rows() {
            return;
        }
        if page == PageName::Timeline {
            let step = view.timeline_steps(line + 1).get(line).copied();
            if let (Some(step), Some(timeline)) = (step, &mut self.views.timeline) {
                timeline.cursor = step;
            }
            return;
        }
        let place = self.views.place(page);
        self.put(page, place.top + line);
    }
}
