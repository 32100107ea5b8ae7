//! The record as a tree.

use crate::model::{TreeKind, TreeNode};
use crate::text::Safe;

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
        let line = line.with(
            Role::Frame,
            format!(
                " {}, line {}, {} bytes",
                look.record, look.place.line, look.place.length_bytes
            ),
        );
        line.with(Role::Frame, "  ")
            .with(Role::Key, "R")
            .with(Role::Frame, " bytes")
    }

    pub(super) fn event_rows(&self, height: usize) -> Vec<Row> {
        let Some(look) = self.model.look() else {
            return super::plain(vec![Line::own(Role::Dim, "Reading the record ...")]);
        };
        if look.unverified.is_some() {
            let words = "These are no longer the bytes that were decided on: R shows them.";
            return super::plain(vec![Line::own(Role::Mistake, words)]);
        }
        if look.tree.is_empty() {
            let words = "This record is no JSON: R shows its bytes.";
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
