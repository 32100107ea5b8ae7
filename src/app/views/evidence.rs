//! Which row of the evidence stands for what: sections, groups in them, and the pieces of a group.
//! Found by walking the groups, of which there are few, never the pieces.

use crate::history::History;
use crate::model::StepNo;
use crate::review::{AnchorKey, CaseBook, Mark};

use super::super::marked::marked_step;
use super::super::model::Model;
use super::super::tally::Why;

/// A section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::app) enum Section {
    Open,
    Marked,
    Resolved,
}

/// A group, however the groups are ordered.
pub(in crate::app) type GroupKey = (bool, Why);

/// What a row stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Item {
    Section(Section),
    /// A group, by its place among them.
    Group(usize),
    /// A piece: its group, and its step.
    Piece(usize, StepNo),
    /// A mark, by its place among them.
    Mark(usize),
    /// A section without anything in it.
    Nothing(Section),
}

/// Rows that follow each other and stand for the same sort of thing.
#[derive(Clone, Copy, Debug)]
struct Block {
    item: Item,
    rows: usize,
}

/// The steps that marks are about.
pub(in crate::app) fn marked_steps(history: &History, book: &CaseBook) -> Vec<StepNo> {
    let marks = book.marks();
    marks.filter_map(|mark| step_of(history, mark)).collect()
}

/// The step that a mark is about; none for a missing version.
pub(in crate::app) fn step_of(history: &History, mark: &Mark) -> Option<StepNo> {
    match mark.anchor.key() {
        AnchorKey::Record { record, replay } => marked_step(history, record, replay),
        AnchorKey::Missing(_) | AnchorKey::Capture => None,
    }
}

impl Model {
    /// Pieces of a group that are still open, or all of a resolved one.
    pub(in crate::app) fn group_length(&self, history: &History, group: usize) -> usize {
        let groups = self
            .evidence_groups(history)
            .map_or(&[][..], |(_, all)| all);
        let all = groups.get(group).map_or(0, |group| group.steps.len());
        all - self.views.closed.get(group).map_or(0, Vec::len).min(all)
    }

    /// The n-th open piece of a group.
    fn piece(&self, history: &History, group: usize, index: usize) -> Option<StepNo> {
        let (_, groups) = self.evidence_groups(history)?;
        let mut place = index;
        for closed in self.views.closed.get(group).into_iter().flatten() {
            if *closed <= place {
                place += 1;
            }
        }
        groups.get(group)?.steps.get(place).copied()
    }

    /// Pieces in a section.
    pub(in crate::app) fn section_count(&self, history: &History, section: Section) -> usize {
        let groups = self
            .evidence_groups(history)
            .map_or(&[][..], |(_, all)| all);
        match section {
            Section::Marked => self.marks_in_sight(history).len(),
            Section::Open | Section::Resolved => (0..groups.len())
                .filter(|group| is_in(groups.get(*group), section))
                .map(|group| self.group_length(history, group))
                .sum(),
        }
    }

    /// The marks that may be told of.
    pub(in crate::app) fn marks_in_sight(&self, history: &History) -> Vec<&Mark> {
        let horizon = self.told_until(history);
        let marks = self.book.marks();
        let is_told = |mark: &&Mark| match step_of(history, mark) {
            Some(step) => step <= horizon,
            None => !self.has_curtain,
        };
        marks.filter(is_told).collect()
    }

    fn blocks(&self, history: &History) -> Vec<Block> {
        let Some((_, groups)) = self.evidence_groups(history) else {
            return Vec::new();
        };
        let mut blocks = Vec::new();
        for section in [Section::Open, Section::Marked, Section::Resolved] {
            let one = |item| Block { item, rows: 1 };
            blocks.push(one(Item::Section(section)));
            if self.views.folded.contains(&section) {
                continue;
            }
            if self.section_count(history, section) == 0 {
                blocks.push(one(Item::Nothing(section)));
            } else if section == Section::Marked {
                let rows = self.marks_in_sight(history).len();
                let item = Item::Mark(0);
                blocks.push(Block { item, rows });
            }
            for (index, group) in groups.iter().enumerate() {
                let length = self.group_length(history, index);
                if !is_in(Some(group), section) || length == 0 {
                    continue;
                }
                blocks.push(one(Item::Group(index)));
                if self
                    .views
                    .unfolded
                    .contains(&(group.is_resolved, group.why))
                {
                    blocks.push(Block {
                        item: Item::Piece(index, StepNo(0)),
                        rows: length,
                    });
                }
            }
        }
        blocks
    }

    /// Rows of the view.
    pub(in crate::app) fn evidence_length(&self, history: &History) -> usize {
        self.blocks(history).iter().map(|block| block.rows).sum()
    }

    /// What some rows stand for.
    pub(in crate::app) fn evidence_items(
        &self,
        history: &History,
        from: usize,
        count: usize,
    ) -> Vec<Item> {
        let mut items = Vec::new();
        let mut passed = 0;
        for block in self.blocks(history) {
            let first = from.saturating_sub(passed);
            for index in first..block.rows {
                if items.len() == count {
                    return items;
                }
                items.extend(match block.item {
                    Item::Piece(group, _) => self
                        .piece(history, group, index)
                        .map(|step| Item::Piece(group, step)),
                    Item::Mark(_) => Some(Item::Mark(index)),
                    item @ (Item::Section(_) | Item::Group(_) | Item::Nothing(_)) => Some(item),
                });
            }
            passed += block.rows;
        }
        items
    }

    /// The row that a group or section stands on.
    pub(in crate::app) fn evidence_row(&self, history: &History, item: Item) -> Option<usize> {
        let mut passed = 0;
        for block in self.blocks(history) {
            if block.item == item {
                return Some(passed);
            }
            passed += block.rows;
        }
        None
    }
}

fn is_in(group: Option<&super::gather::Group>, section: Section) -> bool {
    let wanted = match section {
        Section::Open => false,
        Section::Resolved => true,
        Section::Marked => return false,
    };
    group.is_some_and(|group| group.is_resolved == wanted)
}
