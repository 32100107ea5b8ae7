//! The receipts as of the cursor: what this step added, and the one that it consulted.

use crate::model::{StepNo, Subject};
use crate::text::number::grouped;

use super::super::layout::Pane;
use super::super::line::Line;
use super::super::role::Role;
use super::View;

impl View<'_> {
    pub(super) fn ledger_title(&self) -> Line {
        let all = self.history.receipt_count(self.model.shown_at());
        let line = Line::own(Role::Frame, "Ledger");
        if self.model.has_all_receipts {
            return line.with(Role::Frame, format!(" all {}", grouped(all as u64)));
        }
        let own = grouped(self.ledger_count() as u64);
        let all = grouped(all as u64);
        let whole = line.with(Role::Frame, format!(" {own} of {all}"));
        let Some(name) = self.subject_name() else {
            return whole;
        };
        let short = Line::own(Role::Frame, format!("Ledger {own}/{all}"));
        let shortest = Line::own(Role::Frame, format!("{own}/{all}"));
        let titles = [whole, short, shortest];
        let named = titles.map(|line| line.with(Role::Frame, ", ").value(Role::Frame, name));
        self.fitting(Pane::Ledger, named)
    }

    /// Receipts that are shown.
    fn ledger_count(&self) -> usize {
        let at = self.model.shown_at();
        if self.model.has_all_receipts {
            return self.history.receipt_count(at);
        }
        self.sides()
            .aggregate
            .map_or(0, |id| self.history.receipt_count_of(id, at))
    }

    /// Lines of the pane: the receipts, and at the end one of another aggregate that was consulted.
    pub(super) fn ledger_length(&self) -> usize {
        let own = self.ledger_count() + usize::from(self.foreign_receipt().is_some());
        own.max(1)
    }

    pub(super) fn ledger_lines(&self, from: usize, count: usize) -> Vec<Line> {
        let own = self.ledger_count();
        let foreign = self.foreign_receipt();
        if own == 0 && foreign.is_none() {
            let line = if self.subject_name().is_none() {
                self.nobody()
            } else {
                Line::own(Role::Dim, "no receipt yet")
            };
            return super::skip(vec![line], from, count);
        }
        let receipts = (from..own)
            .take(count)
            .filter_map(|index| self.receipt_at(index));
        let mut lines: Vec<Line> = receipts.map(|step| self.receipt_line(step)).collect();
        if lines.len() < count
            && from <= own
            && let Some(step) = foreign
        {
            lines.push(self.receipt_line(step));
        }
        lines
    }

    /// The line that the window must hold: what was consulted, else the newest.
    pub(super) fn ledger_focus(&self) -> usize {
        let newest = self.ledger_length().saturating_sub(1);
        let Some(step) = self.consulted_receipt() else {
            return newest;
        };
        if self.foreign_receipt().is_some() {
            return newest;
        }
        let before = if self.model.has_all_receipts {
            self.history.receipt_count(step)
        } else {
            self.sides()
                .aggregate
                .map_or(0, |id| self.history.receipt_count_of(id, step))
        };
        before.saturating_sub(1)
    }

    fn receipt_at(&self, index: usize) -> Option<StepNo> {
        if self.model.has_all_receipts {
            return self.history.receipt(index);
        }
        self.history.receipt_of(self.sides().aggregate?, index)
    }

    /// The consulted step, where it wrote a receipt.
    fn consulted_receipt(&self) -> Option<StepNo> {
        let step = self.consulted()?;
        (self.history.step(step)?.state == crate::model::State::Applied).then_some(step)
    }

    /// A consulted receipt that is another aggregate's.
    fn foreign_receipt(&self) -> Option<StepNo> {
        let step = self.consulted_receipt()?;
        let subject = self.history.step(step)?.subject;
        let is_own = match subject {
            Subject::Aggregate(id) => self.sides().aggregate == Some(id),
            Subject::Order(_) | Subject::Unknown => true,
        };
        (!is_own && !self.model.has_all_receipts).then_some(step)
    }

    fn receipt_line(&self, number: StepNo) -> Line {
        let Some(step) = self.history.step(number) else {
            return Line::default();
        };
        let is_added = number == self.model.cursor && self.model.is_decided();
        let is_consulted = self.consulted_receipt() == Some(number);
        let (sign, role) = match (is_added, is_consulted) {
            (true, _) => ("+", Role::Changed),
            (false, true) => (">", Role::Consulted),
            (false, false) => (" ", Role::Text),
        };
        let line = Line::own(role, format!("{sign}{} ", step.record));
        let is_foreign = self.foreign_receipt() == Some(number);
        let line = if self.model.has_all_receipts || is_foreign {
            let name = self.history.subject_name(step.subject).unwrap_or("-");
            line.value(role, name)
        } else {
            let text = self.model.rows.get(step.record);
            match text.and_then(|text| text.id.as_deref()) {
                Some(id) => line.value(role, id),
                None => line,
            }
        };
        let state = match step.subject {
            Subject::Aggregate(id) => self.history.projection(id, number).state,
            Subject::Order(_) | Subject::Unknown => None,
        };
        let version = step
            .version
            .filter(|_| self.history.terms().has_versions)
            .map_or_else(String::new, |version| format!("v{version} "));
        let line = line.with(role, format!(" {version}"));
        let line = match state {
            Some(state) => line.value(role, self.history.word(state)),
            None => line,
        };
        line.leads_to(Some(number))
    }

    /// Steps whose receipts are in sight.
    pub(super) fn receipts_in_sight(&self) -> Vec<StepNo> {
        let height = usize::from(self.body(Pane::Ledger).height);
        if height == 0 {
            return Vec::new();
        }
        let top = super::window_top(self.pane_cursor(Pane::Ledger), self.ledger_length(), height);
        let receipts = (top..self.ledger_count()).take(height);
        receipts
            .filter_map(|index| self.receipt_at(index))
            .collect()
    }
}
