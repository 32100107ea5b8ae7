//! What lies over the panes: the keys, bytes, the form, and the line that is typed into.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Look, paint, row_of};
use crate::app::view::{Field, Row};
use crate::app::{Line, Role};
use crate::text::Safe;
use crate::tui::keys::list;

/// Cells of the column of keys on the help screen.
const KEY_CELLS: usize = 18;

/// The help screen, from the table of keys.
pub fn help_lines() -> Vec<Line> {
    let mut lines = Vec::new();
    for (title, rows) in list::help() {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.push(Line::own(Role::FocusedFrame, title));
        for row in rows {
            let keys = format!("  {:<KEY_CELLS$}", list::keys_of(row));
            lines.push(Line::own(Role::Key, keys).with(Role::Text, row.help));
        }
    }
    lines
}

pub(super) fn help(buffer: &mut Buffer, area: Rect, top: usize, look: &Look<'_>) {
    let lines = help_lines();
    let rows = usize::from(area.height.saturating_sub(1));
    let top = top.min(lines.len().saturating_sub(rows));
    let title = Line::own(Role::FocusedFrame, "Keys");
    let below = lines.len().saturating_sub(top + rows);
    let title = if below > 0 {
        title.with(Role::Changed, format!(", j/k scroll, {below} more"))
    } else {
        title
    };
    let shown = lines.get(top..).unwrap_or_default();
    reading(buffer, area, &title, shown, look);
}

pub(super) fn reading(
    buffer: &mut Buffer,
    area: Rect,
    title: &Line,
    lines: &[Line],
    look: &Look<'_>,
) {
    paint::title(buffer, area, title, true, look.theme);
    for (line, row) in lines.iter().zip(1..area.height) {
        paint::line(buffer, row_of(area, row), line, Role::Text, look.theme);
    }
}

type Form<'a> = (&'a Line, &'a [Row], &'a [Field], &'a Line);

/// The form, at the lower end of the panes, so that what is marked stays in sight above it.
pub(super) fn form(
    buffer: &mut Buffer,
    area: Rect,
    form: Form<'_>,
    look: &Look<'_>,
) -> Option<(u16, u16)> {
    let (title, choices, fields, last) = form;
    let wanted = 2 + choices.len() + fields.len();
    let height = u16::try_from(wanted).unwrap_or(u16::MAX).min(area.height);
    let area = Rect {
        y: area.y + area.height - height,
        height,
        ..area
    };
    paint::fill(buffer, area, " ", Role::Text, look.theme);
    paint::title(buffer, area, title, true, look.theme);
    let mut rows = 1..area.height;
    for choice in choices {
        let row = row_of(area, rows.next()?);
        let base = if choice.is_cursor {
            Role::Selection
        } else {
            Role::Text
        };
        paint::line(buffer, row, &choice.line, base, look.theme);
    }
    let mut cursor = None;
    for one in fields {
        let row = row_of(area, rows.next()?);
        cursor = field(buffer, row, one, look).or(cursor);
    }
    if let Some(row) = rows.next() {
        paint::line(buffer, row_of(area, row), last, Role::Text, look.theme);
    }
    cursor
}

/// A filter over its help: where something is wrong, a caret stands under the place.
pub(super) fn filter(
    buffer: &mut Buffer,
    rows: [Rect; 2],
    (one, caret, help): (&Field, Option<usize>, &Line),
    look: &Look<'_>,
) -> Option<(u16, u16)> {
    let [above, below] = rows;
    let cursor = field(buffer, above, one, look);
    paint::fill(buffer, below, " ", Role::Text, look.theme);
    let line = match caret {
        None => help.clone(),
        Some(caret) => {
            let hidden = hidden_cells(one, above.width);
            let column = one.label.cells() + caret.saturating_sub(hidden);
            // Words that would be cut stand before the caret, where there is more room.
            let room = usize::from(below.width);
            if column + 2 + help.cells() > room && column > help.cells() {
                let spaces = " ".repeat(column - help.cells() - 1);
                Line::own(Role::Text, spaces)
                    .join(help.clone())
                    .with(Role::Mistake, " ^")
            } else {
                Line::own(Role::Text, " ".repeat(column))
                    .with(Role::Mistake, "^ ")
                    .join(help.clone())
            }
        }
    };
    paint::line(buffer, below, &line, Role::Text, look.theme);
    cursor
}

/// Cells of a field's text that are out of sight to the left.
fn hidden_cells(field: &Field, width: u16) -> usize {
    let label = field.label.cells().min(usize::from(width));
    let room = (usize::from(width) - label).saturating_sub(1);
    let skipped = field.cursor.unwrap_or(0).saturating_sub(room);
    let mut passed = 0;
    let mut hidden = 0;
    for unit in field.text.units() {
        if passed < skipped {
            hidden += unit.cells;
        }
        passed += unit.cells;
    }
    hidden
}

/// A field; where its text is longer than its place, the part around the cursor. The cursor's cell
/// comes back where the field has the keys.
pub(super) fn field(
    buffer: &mut Buffer,
    area: Rect,
    field: &Field,
    look: &Look<'_>,
) -> Option<(u16, u16)> {
    paint::fill(buffer, area, " ", Role::Text, look.theme);
    paint::line(buffer, area, &field.label, Role::Text, look.theme);
    let label = u16::try_from(field.label.cells())
        .unwrap_or(u16::MAX)
        .min(area.width);
    let rest = Rect {
        x: area.x + label,
        width: area.width - label,
        ..area
    };
    let room = usize::from(rest.width).saturating_sub(1);
    let at = field.cursor.unwrap_or(0);
    let skipped = at.saturating_sub(room);
    let mut passed = 0;
    let mut shown = Safe::default();
    for unit in field.text.units() {
        if passed >= skipped {
            shown.push_unit(unit);
        }
        passed += unit.cells;
    }
    let hidden = field.text.cells() - shown.cells();
    paint::line(
        buffer,
        rest,
        &Line::default().push(
            if field.is_selected {
                Role::Selection
            } else {
                Role::Text
            },
            shown,
        ),
        Role::Text,
        look.theme,
    );
    let x = u16::try_from(field.cursor?.saturating_sub(hidden)).unwrap_or(u16::MAX);
    let x = rest
        .x
        .saturating_add(x)
        .min(rest.x + rest.width.saturating_sub(1));
    (area.height > 0 && area.width > 0).then_some((x, area.y))
}
