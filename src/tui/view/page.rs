//! A view other than the steps: title, rows, and the selected row in full below them.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Look, paint, row_of};
use crate::app::view::Page;
use crate::app::{Line, Role};

pub(super) fn draw(buffer: &mut Buffer, area: Rect, page: &Page, look: &Look<'_>) {
    let title = page.title.clone().ending(page.hidden.clone());
    paint::title(buffer, area, &title, true, look.theme);
    let mut next = 1;
    if let Some(head) = &page.head {
        paint::line(buffer, row_of(area, next), head, Role::Text, look.theme);
        next += 1;
    }
    for (row, index) in page.rows.iter().take(page.height).zip(next..) {
        let (sign, base) = if row.is_cursor {
            (look.theme.glyphs.cursor, Role::Selection)
        } else {
            (" ", Role::Text)
        };
        let line = Line::own(Role::FocusedFrame, sign).join(row.line.clone());
        paint::line(buffer, row_of(area, index), &line, base, look.theme);
    }
    if page.detail_height == 0 {
        return;
    }
    let first = usize::from(next) + page.height;
    let first = u16::try_from(first).unwrap_or(u16::MAX);
    let below = Rect {
        y: area.y.saturating_add(first),
        height: area.height.saturating_sub(first),
        ..area
    };
    paint::title(buffer, below, &page.detail_title, false, look.theme);
    for (line, index) in page.detail.iter().take(page.detail_height).zip(1..) {
        let line = Line::own(Role::Text, " ").join(line.clone());
        paint::line(buffer, row_of(below, index), &line, Role::Text, look.theme);
    }
}
