//! What the mouse does, while it is ours: a click gives a pane the keys and puts its cursor there,
//! the wheel moves it.

use crate::history::History;

use super::layout::Pane;
use super::model::{Model, Scroll};
use super::panes::Motion;

/// Lines that one notch of the wheel moves.
const NOTCH: isize = 3;

impl Model {
    pub(super) fn click(&mut self, history: &History, column: u16, row: u16) {
        if self.overlay.is_some() {
            return;
        }
        if self.views.page().is_some() {
            return self.click_page(history, row);
        }
        let layout = self.layout().unwrap_or_default();
        let Some((pane, area)) = layout.pane_at(column, row) else {
            return;
        };
        self.has_summary = false;
        self.pane = pane;
        let body = area.body();
        if !body.holds(column, row) {
            return;
        }
        let line = usize::from(row - body.y);
        match pane {
            Pane::Steps => {
                let rows = self.shown(history).from(self.top, line + 1);
                if let Some(step) = rows.get(line).copied().filter(|step| *step != self.cursor) {
                    self.go(step, self.entry(step));
                }
            }
            Pane::Event => {
                let Some(look) = self.look() else { return };
                let mut node = self.tree_top;
                for _ in 0..line {
                    match self.node_after(look, node) {
                        Some(next) => node = next,
                        None => break,
                    }
                }
                self.scrolls.insert(pane, Scroll { line: Some(node) });
            }
            // Their windows follow the cursor, so a click there would move what was clicked on.
            Pane::Stages | Pane::Ledger | Pane::Projection => {}
        }
    }

    pub(super) fn wheel(&mut self, history: &History, column: u16, row: u16, down: bool) {
        let motion = Motion::By(if down { NOTCH } else { -NOTCH });
        if self.overlay.is_some() {
            return self.scroll_overlay(history, motion);
        }
        if self.views.page().is_some() {
            return self.move_in_page(history, motion);
        }
        let layout = self.layout().unwrap_or_default();
        if let Some((pane, _)) = layout.pane_at(column, row) {
            self.has_summary = false;
            self.pane = pane;
            self.move_in_pane(history, motion);
        }
    }
}
