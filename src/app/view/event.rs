//! The record as a tree.

use std::ops::Range;

use crate::model::{EventText, Look, TreeKind, TreeNode};
use crate::text::Safe;

use super::super::curtain::COVERED;
use super::super::layout::Pane;
use super::super::line::Line;
use super::super::role::Role;
use super::{Row, View};

/// Cells of indentation at most: a deep tree stays readable.
const INDENT: usize = 40;

impl View<'_> {
    pub(super) fn event_title(&self) -> Line {
        let line = Line::own(Role::Frame, "Event");
        let Some(look) = self.model.look() else {
            return line;
        };
        // The end of its name tells it; all of the name stands with the stages.
        let file = look
            .file
            .as_deref()
            .and_then(|name| name.rsplit('/').next());
        let of_file = file.map_or_else(String::new, |name| format!(" of {name}"));
        let line = line.with(
            Role::Frame,
            format!(
                " {}, line {}{of_file}, {} bytes",
                look.record, look.place.line, look.place.length_bytes
            ),
        );
        line.with(Role::Frame, "  ")
            .with(Role::Key, "R")
            .with(Role::Frame, " bytes")
    }

    pub(super) fn event_rows(&self, height: usize) -> Vec<Row> {
        if self.history.last_step().0 == 0 {
            let words = if self.model.progress.is_finished {
                "This capture has no records."
            } else {
                "No record is read yet."
            };
            return super::plain(vec![Line::own(Role::Dim, words)]);
        }
        let Some(look) = self.model.look() else {
            return super::plain(vec![Line::own(Role::Dim, "Reading the record ...")]);
        };
        if look.unverified.is_some() {
            let words = if look.raw.is_empty() {
                "Its bytes are gone: the capture was cut."
            } else {
                "Other bytes than were decided on: R shows them."
            };
            return super::plain(vec![Line::own(Role::Mistake, words)]);
        }
        if look.tree.is_empty() && self.model.is_covered() {
            let line = Line::own(Role::Dim, COVERED).with(Role::Dim, ": R shows its bytes");
            return super::plain(vec![line]);
        }
        if look.tree.is_empty() {
            let words = if look.raw.len() < look.place.length_bytes as usize {
                "This record is too large to unfold here: R shows its bytes."
            } else if look.transport.is_some() && is_read(&look.event) {
                "What is inside is too large to unfold here: R shows the record's bytes."
            } else if look.transport.is_some() {
                "What is inside is no JSON to unfold: R shows the record's bytes."
            } else {
                "This record is no JSON: R shows its bytes."
            };
            return super::plain(vec![Line::own(Role::Text, words)]);
        }
        let top = if look.tree.len() <= height {
            0
        } else {
            self.model.tree_top.min(look.tree.len() - 1)
        };
        let at = self.model.scroll(Pane::Event).line.unwrap_or(top);
        let mut rows = Vec::new();
        let mut next = Some(top);
        while let Some(index) = next.filter(|_| rows.len() < height) {
            if let Some(node) = look.tree.get(index) {
                let is_folded = self.model.folded.contains(&index);
                rows.push(Row {
                    line: self.highlighted(node_line(node, is_folded)),
                    is_cursor: self.model.pane == Pane::Event && index == at,
                });
            }
            next = self.model.node_after(look, index);
        }
        rows
    }

    /// How many lines of the tree are out of sight above and below.
    pub(super) fn event_hidden(&self, height: usize) -> (usize, usize) {
        let Some(look) = self.model.look() else {
            return (0, 0);
        };
        let count = look.tree.len();
        if count <= height || look.unverified.is_some() {
            return (0, 0);
        }
        let top = self.model.tree_top.min(count - 1);
        let all = self.lines_of_tree(look, 0..count);
        let above = self.lines_of_tree(look, 0..top);
        (above, all.saturating_sub(above + height))
    }

    /// Lines of a part of the tree that are not folded away; costs as much as what is folded.
    fn lines_of_tree(&self, look: &Look, part: Range<usize>) -> usize {
        let mut lines = part.len();
        let mut end = 0;
        for folded in self.model.folded.range(..part.end) {
            if *folded < end {
                continue;
            }
            end = look.tree.get(*folded).map_or(end, |node| node.next);
            lines -= end.min(part.end).saturating_sub(folded + 1).min(lines);
        }
        lines
    }
}

/// Whether an event was read there: what nothing was read of is not too large.
fn is_read(event: &EventText) -> bool {
    event.id.is_some() || event.source.is_some() || event.event_type.is_some()
}

fn node_line(node: &TreeNode, is_folded: bool) -> Line {
    let indent = (usize::from(node.depth) * 2).min(INDENT);
    let is_branch = matches!(node.kind, TreeKind::Object | TreeKind::Array);
    let fold = match (is_branch && node.children > 0, is_folded) {
        (true, true) => "+ ",
        (true, false) => "- ",
        (false, _) => "  ",
    };
    let line = Line::own(Role::Dim, format!("{}{fold}", " ".repeat(indent)));
    let line = match &node.key {
        Some(key) => line.value(Role::Key, key).with(Role::Dim, ": "),
        None => line,
    };
    match node.kind {
        TreeKind::Object if node.key.is_none() => line.with(Role::Dim, "record"),
        TreeKind::Object => line.with(Role::Dim, format!("{{{}}}", node.children)),
        TreeKind::Array => line.with(Role::Dim, format!("[{}]", node.children)),
        TreeKind::String | TreeKind::Number | TreeKind::Literal => {
            line.push(Role::Text, Safe::source(node.text.as_bytes()))
        }
    }
}
