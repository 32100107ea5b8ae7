//! Which row of the owner's view stands for what.

use crate::history::History;
use crate::model::OrderId;

use super::super::model::Model;

/// A section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::app) enum Section {
    Orders,
    Compensations,
    Reviews,
}

impl Section {
    pub(in crate::app) const ALL: [Self; 3] = [Self::Orders, Self::Compensations, Self::Reviews];
}

/// What a row stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Item {
    Section(Section),
    Order(OrderId),
    /// By its place in the compensation ledger.
    Compensation(usize),
    /// A review of an order, by its place among them.
    Review(OrderId, usize),
    Nothing(Section),
}

impl Model {
    /// Entries of a section.
    pub(in crate::app) fn owner_count(&self, history: &History, section: Section) -> usize {
        self.owner_lists(history)
            .map_or(0, |(_, lists)| match section {
                Section::Orders => lists.orders.len(),
                Section::Compensations => lists.compensations.len(),
                Section::Reviews => lists.reviews.len(),
            })
    }

    /// Rows of a section, its own among them.
    fn owner_section_rows(&self, history: &History, section: Section) -> usize {
        if self.views.folded_owner.contains(&section) {
            return 1;
        }
        1 + self.owner_count(history, section).max(1)
    }

    /// Rows of the view.
    pub(in crate::app) fn owner_length(&self, history: &History) -> usize {
        if self.owner_lists(history).is_none() {
            return 0;
        }
        let rows = |section| self.owner_section_rows(history, section);
        Section::ALL.into_iter().map(rows).sum()
    }

    /// The row that a section stands on.
    pub(in crate::app) fn owner_row(&self, history: &History, section: Section) -> usize {
        let before = Section::ALL.into_iter().take_while(|one| *one != section);
        before
            .map(|section| self.owner_section_rows(history, section))
            .sum()
    }

    /// What a row stands for.
    pub(in crate::app) fn owner_item(&self, history: &History, row: usize) -> Option<Item> {
        let (_, lists) = self.owner_lists(history)?;
        let mut row = row;
        for section in Section::ALL {
            let rows = self.owner_section_rows(history, section);
            if row >= rows {
                row -= rows;
                continue;
            }
            let Some(index) = row.checked_sub(1) else {
                return Some(Item::Section(section));
            };
            let item = match section {
                Section::Orders => lists.orders.get(index).map(|id| Item::Order(*id)),
                Section::Compensations => {
                    let made = lists.compensations.get(index);
                    made.map(|made| Item::Compensation(*made))
                }
                Section::Reviews => lists
                    .reviews
                    .get(index)
                    .map(|(id, review)| Item::Review(*id, *review)),
            };
            return Some(item.unwrap_or(Item::Nothing(section)));
        }
        None
    }
}
