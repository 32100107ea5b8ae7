//! The contract in force: where it comes from, what it says in words, and its text as it stands.

use std::collections::BTreeMap;

use crate::text::Safe;

use super::super::guide::ContractFacts;
use super::super::line::Line;
use super::super::message::Banner;
use super::super::role::Role;
use super::View;

/// Cells of the column of labels.
const LABEL: usize = 14;

/// The lines of the contract, wrapped to a width; made once for a width, since the text may be long.
/// Above it the notices over the panes, whole: there each has one row.
pub(in crate::app) fn contract_lines(
    facts: &ContractFacts,
    banners: &BTreeMap<Banner, String>,
    width: usize,
) -> Vec<Line> {
    let label = |label: &str| Line::own(Role::Key, format!("{label:<LABEL$}")).hanging(LABEL);
    let mut lines = Vec::new();
    if !banners.is_empty() {
        lines.push(Line::own(Role::FocusedFrame, "Notices"));
        let notice =
            |(banner, words): (&Banner, &String)| label(banner.name()).value(Role::Text, words);
        lines.extend(banners.iter().map(notice));
        lines.push(Line::default());
    }
    lines.extend([
        Line::own(Role::FocusedFrame, "In words"),
        label("name").value(Role::Text, &facts.name),
        label("from").value(Role::Text, &facts.origin),
        label("sha256").value(Role::Text, &facts.sha256),
    ]);
    let mut last = "";
    for (name, words) in &facts.words {
        let shown = if *name == last { "" } else { name };
        last = name;
        lines.push(label(shown).value(Role::Text, words));
    }
    lines.push(Line::default());
    lines.push(Line::own(Role::FocusedFrame, "Its text"));
    for line in facts.text.lines() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let text = Safe::source(line.as_bytes());
        lines.push(Line::default().push(Role::Text, text).hanging(indent + 2));
    }
    lines.iter().flat_map(|line| line.wrap(width)).collect()
}

impl View<'_> {
    pub(super) fn contract_title(&self, line: Line) -> Line {
        let facts = &self.model.settings.facts;
        line.with(Role::Frame, " in force: ")
            .value(Role::Changed, &facts.name)
            .with(Role::Frame, "; ")
            .with(Role::Key, "Tab")
            .with(Role::Frame, " words, text")
    }

    /// The rows that the two parts begin on.
    pub(in crate::app) fn contract_parts(&self) -> Vec<usize> {
        let lines = &self.model.views.contract.1;
        let is_title = |line: &Line| {
            let spans = line.spans.first();
            spans.is_some_and(|span| span.role == Role::FocusedFrame)
        };
        let rows = lines.iter().enumerate();
        rows.filter(|(_, line)| is_title(line))
            .map(|(row, _)| row)
            .collect()
    }
}
