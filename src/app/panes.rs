//! The cursor inside the panes, and what Enter, `l` and `h` do there.

use crate::history::History;
use crate::model::{Look, StepNo, TreeKind};

use super::layout::Pane;
use super::line::Line;
use super::model::{Model, Overlay, Pages, Scroll};
use super::role::Role;
use super::view::View;

/// How far a key moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    By(isize),
    Top,
    Bottom,
}

impl Model {
    /// Moves the cursor in the pane that has the keys.
    pub(super) fn move_in_pane(&mut self, history: &History, motion: Motion) {
        match self.pane {
            Pane::Steps => match motion {
                Motion::By(by) => self.steps(history, by.unsigned_abs(), by > 0),
                Motion::Top => self.go_to_end(history, false),
                Motion::Bottom => self.go_to_end(history, true),
            },
            Pane::Event => self.move_in_tree(motion),
            Pane::Stages | Pane::Ledger | Pane::Projection => {
                let view = View::new(self, history);
                let count = view.pane_length(self.pane);
                let at = view.pane_cursor(self.pane);
                let line = moved(at, motion, count);
                self.scrolls.insert(self.pane, Scroll { line });
            }
        }
    }

    fn move_in_tree(&mut self, motion: Motion) {
        let Some(look) = self.look() else { return };
        let count = look.tree.len();
        let at = self.node_at();
        let mut node = at.min(count.saturating_sub(1));
        match motion {
            Motion::Top => node = 0,
            Motion::Bottom => {
                node = count.saturating_sub(1);
                node = self.unfolded(look, node);
            }
            Motion::By(by) => {
                for _ in 0..by.unsigned_abs() {
                    let next = if by > 0 {
                        self.node_after(look, node)
                    } else {
                        self.node_before(look, node)
                    };
                    let Some(next) = next else { break };
                    node = next;
                }
            }
        }
        let rows = self.pane_rows(Pane::Event).max(1);
        let mut top = self.unfolded(look, self.tree_top.min(node));
        let mut below = node;
        for _ in 1..rows {
            match self.node_before(look, below) {
                Some(before) => below = before,
                None => break,
            }
        }
        top = top.max(below);
        self.tree_top = top;
        self.scrolls
            .insert(Pane::Event, Scroll { line: Some(node) });
    }

    /// The line of the tree that the cursor is on.
    pub(super) fn node_at(&self) -> usize {
        let top = match self.look() {
            Some(look) if look.tree.len() > self.pane_rows(Pane::Event) => self.tree_top,
            Some(_) | None => 0,
        };
        self.scroll(Pane::Event).line.unwrap_or(top)
    }

    /// The line of the tree after a line, passing over what is folded.
    pub(super) fn node_after(&self, look: &Look, node: usize) -> Option<usize> {
        let next = if self.folded.contains(&node) {
            look.tree.get(node)?.next
        } else {
            node + 1
        };
        (next < look.tree.len()).then_some(next)
    }

    fn node_before(&self, look: &Look, node: usize) -> Option<usize> {
        Some(self.unfolded(look, node.checked_sub(1)?))
    }

    /// The line that stands for a node: itself, or the outermost folded one around it.
    fn unfolded(&self, look: &Look, node: usize) -> usize {
        let around = self.folded.iter().take_while(|folded| **folded < node);
        let mut hiding = around.filter(|folded| {
            look.tree
                .get(**folded)
                .is_some_and(|outer| node < outer.next)
        });
        hiding.next().copied().unwrap_or(node)
    }

    /// Enter, `l`: opens, unfolds, or goes there.
    pub(super) fn open(&mut self, history: &History) {
        match self.pane {
            Pane::Steps | Pane::Stages => self.open_event(),
            Pane::Event => {
                let node = self.node_at();
                self.folded.remove(&node);
            }
            Pane::Ledger | Pane::Projection => {
                let view = View::new(self, history);
                let at = view.pane_cursor(self.pane);
                let target = view.pane_lines(self.pane, at, 1).pop();
                match target.and_then(|line| line.target) {
                    Some(step) => {
                        let words = format!("step {step}");
                        self.jump(history, step, Line::own(Role::Text, words));
                    }
                    None => self.say_own("this line leads nowhere"),
                }
            }
        }
    }

    fn open_event(&mut self) {
        self.pane = Pane::Event;
        let is_shown = self
            .layout()
            .is_some_and(|layout| layout.is_wide && layout.pane(Pane::Event).is_some());
        if !is_shown && !self.is_maximised {
            self.top_before = Some(self.top);
            self.is_maximised = true;
        }
    }

    /// `h`: folds, or leaves.
    pub(super) fn fold(&mut self) {
        if self.pane == Pane::Event
            && let Some(look) = self.look()
        {
            let node = self.node_at();
            let is_open = look.tree.get(node).is_some_and(|at| {
                matches!(at.kind, TreeKind::Object | TreeKind::Array) && at.children > 0
            }) && !self.folded.contains(&node);
            if is_open {
                self.folded.insert(node);
                return;
            }
            let depth = look.tree.get(node).map_or(0, |at| at.depth);
            let before = look.tree.get(..node).unwrap_or_default();
            if let Some(parent) = before.iter().rposition(|at| at.depth < depth) {
                let parent = self.unfolded(look, parent);
                self.tree_top = self.tree_top.min(parent);
                self.scrolls
                    .insert(Pane::Event, Scroll { line: Some(parent) });
                return;
            }
        }
        if !self.leave_maximised() {
            self.pane = Pane::Steps;
        }
    }

    /// Back to all panes; whether one filled the screen.
    pub(super) fn leave_maximised(&mut self) -> bool {
        let was = std::mem::take(&mut self.is_maximised);
        self.top = self.top_before.take().unwrap_or(self.top);
        let is_shown = self
            .layout()
            .is_none_or(|layout| layout.pane(self.pane).is_some());
        if !is_shown {
            self.pane = Pane::Stages;
        }
        was
    }

    pub(super) fn maximise(&mut self) {
        if !self.leave_maximised() {
            self.top_before = Some(self.top);
            self.is_maximised = true;
        }
    }

    pub(super) fn change_pane(&mut self, forward: bool) {
        let order = [
            Pane::Steps,
            Pane::Stages,
            Pane::Event,
            Pane::Ledger,
            Pane::Projection,
        ];
        let was_maximised = std::mem::take(&mut self.is_maximised);
        let layout = self.layout().unwrap_or_default();
        let shown: Vec<Pane> = order
            .into_iter()
            .filter(|pane| was_maximised || layout.pane(*pane).is_some())
            .collect();
        let at = shown
            .iter()
            .position(|pane| *pane == self.pane)
            .unwrap_or(0);
        let count = shown.len().max(1);
        let next = if forward { at + 1 } else { at + count - 1 };
        self.pane = shown.get(next % count).copied().unwrap_or(Pane::Steps);
        self.is_maximised = was_maximised;
    }

    /// The value under the cursor, as it would be searched for.
    pub(super) fn value_under_cursor(&self, history: &History) -> Option<String> {
        match self.pane {
            Pane::Event => {
                let look = self.look()?;
                let node = look.tree.get(self.node_at())?;
                let text = match node.kind {
                    TreeKind::String => node.text.trim_matches('"'),
                    TreeKind::Number | TreeKind::Literal => node.text.as_str(),
                    TreeKind::Object | TreeKind::Array => node.key.as_deref()?,
                };
                Some(text.to_owned()).filter(|text| !text.is_empty())
            }
            Pane::Ledger => {
                let step = self.line_target(history).or(Some(self.cursor))?;
                let record = history.step(step)?.record;
                self.rows.get(record)?.id.clone()
            }
            Pane::Steps => {
                let step = history.step(self.cursor)?;
                let id = self.rows.get(step.record).and_then(|row| row.id.clone());
                id.or_else(|| history.subject_name(step.subject).map(str::to_owned))
            }
            Pane::Stages | Pane::Projection => {
                let subject = history.step(self.cursor)?.subject;
                history.subject_name(subject).map(str::to_owned)
            }
        }
    }

    pub(super) fn line_target(&self, history: &History) -> Option<StepNo> {
        let view = View::new(self, history);
        let at = view.pane_cursor(self.pane);
        view.pane_lines(self.pane, at, 1).pop()?.target
    }

    /// Scrolls what lies over the panes.
    pub(super) fn scroll_overlay(&mut self, history: &History, motion: Motion) {
        let count = View::new(self, history).overlay_length();
        let rows = self.overlay_rows();
        if let Some(
            Overlay::Help { top } | Overlay::Raw { top } | Overlay::Pages(Pages { top, .. }),
        ) = &mut self.overlay
        {
            let most = count.saturating_sub(rows);
            *top = moved(*top, motion, count).unwrap_or(0).min(most);
        }
    }

    /// Rows that what lies over the panes has for itself.
    pub(super) fn overlay_rows(&self) -> usize {
        let layout = self.layout().unwrap_or_default();
        usize::from(layout.middle.body().height)
    }
}

pub(super) fn moved(at: usize, motion: Motion, count: usize) -> Option<usize> {
    let last = count.checked_sub(1)?;
    Some(match motion {
        Motion::By(by) => at.saturating_add_signed(by).min(last),
        Motion::Top => 0,
        Motion::Bottom => last,
    })
}
