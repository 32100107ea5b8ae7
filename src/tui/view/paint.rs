//! A line into cells. Nothing else writes text, so nothing but safe text can be drawn, and nothing is
//! drawn outside of its area.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::{Line, Role, Span};
use crate::text::Safe;
use crate::tui::theme::Theme;

/// Paints a line into the first row of an area, with an ellipsis where it does not fit. `base` is
/// what lies under it: the cursor's line, a banner.
pub(super) fn line(buffer: &mut Buffer, area: Rect, line: &Line, base: Role, theme: &Theme) {
    let area = area.intersection(buffer.area);
    if area.is_empty() {
        return;
    }
    let under = theme.style(base);
    let row = Rect { height: 1, ..area };
    buffer.set_style(row, under);
    let row = tail(buffer, row, line, under, theme);
    let width = usize::from(row.width);
    let ellipsis = Safe::own(theme.glyphs.ellipsis);
    let is_cut = line.cells() > width;
    let room = if is_cut {
        width.saturating_sub(ellipsis.cells())
    } else {
        width
    };
    let mut pen = Pen {
        buffer,
        x: row.x,
        y: row.y,
        left: room,
    };
    pen.spans(&line.spans, under, theme);
    if is_cut {
        pen.left = ellipsis.cells().min(width);
        pen.put(
            ellipsis.as_str(),
            ellipsis.cells(),
            under.patch(theme.style(Role::Dim)),
        );
    }
}

/// Paints what stands at the right end; the place that is left comes back.
fn tail(buffer: &mut Buffer, row: Rect, line: &Line, under: Style, theme: &Theme) -> Rect {
    let cells: usize = line.tail.iter().map(|span| span.text.cells()).sum();
    let width = u16::try_from(cells).unwrap_or(u16::MAX).min(row.width);
    let left = row.width - width;
    let mut pen = Pen {
        buffer,
        x: row.x + left,
        y: row.y,
        left: usize::from(width),
    };
    pen.spans(&line.tail, under, theme);
    Rect { width: left, ..row }
}

struct Pen<'a> {
    buffer: &'a mut Buffer,
    x: u16,
    y: u16,
    left: usize,
}

impl Pen<'_> {
    fn spans(&mut self, spans: &[Span], under: Style, theme: &Theme) {
        let escape = under.patch(theme.style(Role::Escape));
        for span in spans {
            let style = under.patch(theme.style(span.role));
            for unit in span.text.units() {
                let style = if unit.escaped { escape } else { style };
                if !self.put(unit.text, unit.cells, style) {
                    return;
                }
            }
        }
    }

    /// Draws what fits as a whole; an escape longer than the rest of the line is cut, since all of
    /// its characters are one cell wide.
    fn put(&mut self, text: &str, cells: usize, style: Style) -> bool {
        let fits = cells <= self.left;
        if !fits && !text.is_ascii() {
            self.left = 0;
            return false;
        }
        let (x, _) = self
            .buffer
            .set_stringn(self.x, self.y, text, self.left, style);
        self.left = self.left.saturating_sub(cells);
        self.x = x;
        fits
    }
}

/// Paints a run of one glyph, such as a line across.
pub(super) fn fill(buffer: &mut Buffer, area: Rect, glyph: &str, role: Role, theme: &Theme) {
    let style = theme.style(role);
    for position in area.intersection(buffer.area).positions() {
        if let Some(cell) = buffer.cell_mut(position) {
            cell.set_symbol(glyph).set_style(style);
        }
    }
}

/// Paints a pane's title into a line across.
pub(super) fn title(buffer: &mut Buffer, area: Rect, title: &Line, has_keys: bool, theme: &Theme) {
    let role = if has_keys {
        Role::FocusedFrame
    } else {
        Role::Frame
    };
    let row = Rect {
        height: area.height.min(1),
        ..area
    };
    fill(buffer, row, theme.glyphs.horizontal, role, theme);
    if row.width < 4 {
        return;
    }
    let tail: usize = title.tail.iter().map(|span| span.text.cells()).sum();
    let framed = Line::own(role, " ").join(title.clone());
    // What stands at the end ends with a space of its own.
    let framed = if tail == 0 {
        framed.with(role, " ")
    } else {
        framed
    };
    let most = row.width - 2;
    let cells = framed.cells() + tail;
    let cells = u16::try_from(cells).unwrap_or(u16::MAX).min(most);
    let inner = Rect {
        x: row.x + 1,
        width: cells,
        ..row
    };
    line(buffer, inner, &framed, Role::Text, theme);
    if has_keys {
        // The pane that has the keys is told by its title too, not only by colour.
        buffer.set_style(inner, theme.style(Role::FocusedFrame));
        let mark = Rect { width: 1, ..row };
        fill(buffer, mark, theme.glyphs.cursor, role, theme);
    }
}
