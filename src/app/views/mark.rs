//! What `m` marks in a view: the step of the row, or what an aggregate waits for.

use crate::history::History;
use crate::model::{StepNo, Subject};
use crate::review::{Anchor, MissingAnchor};

use super::super::form::Offer;
use super::super::marking::offers;
use super::super::message::MarkTarget;
use super::super::model::Model;
use super::super::view::View;
use super::PageName;
use super::evidence::{Item, step_of};

impl Model {
    /// Opens the form for what the cursor is on.
    pub(super) fn mark_row(&mut self, history: &History, page: PageName) {
        let offered = self.row_offers(history, page);
        if !offered.is_empty() {
            return self.offer_marks(history, offered);
        }
        self.say_own(match page {
            PageName::Aggregates => "this aggregate waits for nothing; Enter shows its steps",
            PageName::Timeline
            | PageName::Evidence
            | PageName::Owner
            | PageName::Symptoms
            | PageName::Checklist
            | PageName::Contract => {
                "nothing on this line can be marked; a step or what is missing can"
            }
        });
    }

    /// Whether anything on the cursor's line can be marked.
    pub(in crate::app) fn can_mark(&self, history: &History, page: PageName) -> bool {
        !self.row_offers(history, page).is_empty()
    }

    fn row_offers(&self, history: &History, page: PageName) -> Vec<Offer> {
        let horizon = self.told_until(history);
        match page {
            PageName::Aggregates => self
                .selected_aggregate(history)
                .and_then(|id| missing_offer(history, id, horizon))
                .into_iter()
                .collect(),
            PageName::Timeline => self
                .timeline_row()
                .map_or_else(Vec::new, |(step, _)| offers(history, step, horizon)),
            PageName::Evidence => self.evidence_offers(history, horizon),
            PageName::Owner => View::new(self, history)
                .page_target()
                .map_or_else(Vec::new, |step| offers(history, step, horizon)),
            PageName::Symptoms | PageName::Checklist | PageName::Contract => Vec::new(),
        }
    }

    fn evidence_offers(&self, history: &History, horizon: StepNo) -> Vec<Offer> {
        match self.selected_evidence(history) {
            Some(Item::Piece(_, step)) => offers(history, step, horizon),
            Some(Item::Mark(index)) => {
                let marks = self.marks_in_sight(history);
                let Some(mark) = marks.get(index) else {
                    return Vec::new();
                };
                match (step_of(history, mark), &mark.anchor) {
                    (Some(step), _) => offers(history, step, horizon),
                    (None, Anchor::Missing(missing)) => {
                        vec![missing_as_offer(missing.clone())]
                    }
                    (None, _) => Vec::new(),
                }
            }
            Some(Item::Section(_) | Item::Group(_) | Item::Nothing(_)) | None => Vec::new(),
        }
    }
}

/// What is missing of an aggregate that waits, to be marked.
fn missing_offer(history: &History, id: crate::model::AggregateId, at: StepNo) -> Option<Offer> {
    let missing = missing_of(history, Subject::Aggregate(id), at)?;
    Some(missing_as_offer(missing))
}

fn missing_as_offer(missing: MissingAnchor) -> Offer {
    Offer {
        words: format!("missing: {} v{}", missing.aggregate, missing.version),
        target: MarkTarget::Missing(missing),
    }
}

/// The version that an aggregate waits for, as marks name it.
pub(in crate::app) fn missing_of(
    history: &History,
    subject: Subject,
    at: StepNo,
) -> Option<MissingAnchor> {
    let Subject::Aggregate(id) = subject else {
        return None;
    };
    Some(MissingAnchor {
        source: history.source_of(id).to_owned(),
        aggregate: history.name_of(id).to_owned(),
        version: history.waiting_for(id, at)?,
    })
}
