//! What a key comes to where one is now, for the footer: it offers nothing that would only say why it
//! does nothing.

use super::super::action::Action;
use super::super::causes::{Target, causes};
use super::super::motion::ROUTINE;
use super::super::views::PageName;
use super::{View, words};

/// What the footer says of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyOffer {
    /// Nothing: it would do nothing here.
    Nothing,
    /// What the table of keys says.
    AsLabelled,
    /// Other words, since it does something else here.
    Words(&'static str),
}

impl View<'_> {
    /// What an action comes to now.
    pub fn key_offer(&self, action: Action) -> KeyOffer {
        let model = self.model;
        let useful = |is_useful: bool| {
            if is_useful {
                KeyOffer::AsLabelled
            } else {
                KeyOffer::Nothing
            }
        };
        match (action, model.views.page()) {
            (Action::Quit, _) if model.overlay.is_some() || model.is_maximised => {
                KeyOffer::Words("back")
            }
            // `q` does the same here, and says where it leads.
            (Action::Cancel, Some(_)) if model.overlay.is_none() => KeyOffer::Nothing,
            (Action::Quit, Some(PageName::Timeline)) => KeyOffer::Words("list"),
            (Action::Quit, Some(_)) => KeyOffer::Words("steps"),
            (Action::Mark, Some(page)) => useful(model.can_mark(self.history, page)),
            (Action::Sort, Some(page)) => useful(page == PageName::Aggregates),
            _ => KeyOffer::AsLabelled,
        }
    }

    /// Keys that lead somewhere from the step under the cursor, with a word for each; behind the
    /// curtain none, for they would tell.
    pub fn leads(&self) -> Vec<(Action, &'static str)> {
        let model = self.model;
        let Some(step) = self
            .history
            .step(model.cursor)
            .filter(|_| !model.is_covered())
        else {
            return Vec::new();
        };
        let at = model.horizon(self.history);
        let mut offers = Vec::new();
        let leads = |targets: Vec<Target>| targets.first().is_some_and(|first| first.step <= at);
        if leads(causes(self.history, &step, at)) {
            offers.push((Action::GoToCause, "cause"));
        }
        let own = words::replayed_at(self.history, &step);
        if own.is_some_and(|replay| replay <= at) {
            offers.push((Action::GoToReleased, "replay"));
        } else if self
            .history
            .released_by(step.number)
            .next()
            .is_some_and(|first| first <= at)
        {
            offers.push((Action::GoToReleased, "released"));
        }
        if ROUTINE.contains(&step.state) {
            offers.push((Action::NextRoutine, "next routine"));
        }
        offers
    }
}
