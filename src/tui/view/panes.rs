//! The panes: title, lines, the cursor's line, and the lines down between them.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::paint;
use super::{Look, rect, row_of};
use crate::app::{Area, Layout, Line, Pane, Role, View};

pub(super) fn all(buffer: &mut Buffer, layout: &Layout, view: &View<'_>, look: &Look<'_>) {
    for (pane, area) in &layout.panes {
        one(buffer, *area, *pane, view, look);
    }
    for (pane, area) in &layout.panes {
        // To the left of a pane that does not begin at the edge there is a line down.
        if area.x > 0 {
            let left = Rect::new(area.x - 1, area.y, 1, area.height);
            paint::fill(
                buffer,
                left,
                look.theme.glyphs.vertical,
                Role::Frame,
                look.theme,
            );
            let is_inner = layout.is_wide && *pane != Pane::Projection;
            let glyph = if is_inner && area.y > layout.middle.y {
                look.theme.glyphs.tee_right
            } else {
                look.theme.glyphs.tee_down
            };
            let top = Rect {
                height: left.height.min(1),
                ..left
            };
            paint::fill(buffer, top, glyph, Role::Frame, look.theme);
        }
    }
}

fn one(buffer: &mut Buffer, area: Area, pane: Pane, view: &View<'_>, look: &Look<'_>) {
    let has_keys = view.focused() == pane;
    let title = view.title(pane).ending(view.hidden_words(pane));
    let body = rect(area.body());
    paint::title(buffer, rect(area), &title, has_keys, look.theme);
    for (row, index) in view.rows(pane).into_iter().zip(0..body.height) {
        let line_area = row_of(body, index);
        let base = match (row.is_cursor, has_keys) {
            (true, true) => Role::Selection,
            (true, false) => Role::SelectionElsewhere,
            (false, _) => Role::Text,
        };
        let line = if pane == Pane::Steps {
            let sign = if row.is_cursor {
                look.theme.glyphs.cursor
            } else {
                " "
            };
            Line::own(Role::FocusedFrame, sign).join(row.line)
        } else {
            row.line
        };
        paint::line(buffer, line_area, &line, base, look.theme);
    }
}
