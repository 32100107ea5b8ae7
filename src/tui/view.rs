//! Paints the inspector: reads a [`View`], changes nothing, and clips everywhere. One file a part:
//!
//! - `paint`: a line into cells, the only place that writes text.
//! - `page`: a view other than the steps.
//! - `panes`: the panes with their titles and the lines between them.
//! - `bars`: header, banners, status and footer.
//! - `overlays`: help, bytes, the form.

mod bars;
mod overlays;
mod page;
mod paint;
mod panes;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::keys::chord::Chord;
use super::theme::Theme;
use crate::app::view::Over;
use crate::app::{Area, Context, Line, Role, View};

pub use overlays::help_lines;

/// What the screen depends on beside the view.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// Colours and glyphs.
    pub theme: &'a Theme,
    /// What has the keys.
    pub context: Context,
    /// The first of two keys, while the second is awaited.
    pub begun: Option<Chord>,
}

/// Draws everything.
pub fn draw(frame: &mut Frame<'_>, view: &View<'_>, look: &Look<'_>) {
    let area = frame.area();
    let buffer = frame.buffer_mut();
    let Some(layout) = view.layout() else {
        too_small(buffer, area, look);
        return;
    };
    bars::header(buffer, rect(layout.header), view, look);
    bars::banners(buffer, rect(layout.banner), view, look);
    let over = view.over();
    let cursor = match &over {
        Some(Over::Help { top }) => {
            overlays::help(buffer, rect(layout.middle), *top, look);
            None
        }
        Some(Over::Reading { title, lines }) => {
            overlays::reading(buffer, rect(layout.middle), title, lines, look);
            None
        }
        Some(Over::Prompt { .. } | Over::Filter { .. } | Over::Form { .. }) | None => {
            match view.page() {
                Some(page) => page::draw(buffer, rect(layout.middle), &page, look),
                None => panes::all(buffer, &layout, view, look),
            }
            None
        }
    };
    let cursor = match &over {
        Some(Over::Form {
            title,
            choices,
            fields,
            last,
        }) => overlays::form(
            buffer,
            rect(layout.middle),
            (title, choices, fields, last),
            look,
        ),
        Some(
            Over::Help { .. } | Over::Reading { .. } | Over::Prompt { .. } | Over::Filter { .. },
        )
        | None => cursor,
    };
    bars::status(buffer, rect(layout.status), view, look);
    let cursor = match &over {
        Some(Over::Prompt { field, mistake }) => {
            if let Some(mistake) = mistake {
                paint::fill(buffer, rect(layout.status), " ", Role::Text, look.theme);
                paint::line(buffer, rect(layout.status), mistake, Role::Text, look.theme);
            }
            overlays::field(buffer, rect(layout.footer), field, look)
        }
        Some(Over::Filter { field, caret, help }) => {
            let rows = [rect(layout.status), rect(layout.footer)];
            overlays::filter(buffer, rows, (field, *caret, help), look)
        }
        Some(Over::Help { .. } | Over::Reading { .. } | Over::Form { .. }) | None => {
            bars::footer(buffer, rect(layout.footer), view, look);
            cursor
        }
    };
    if let Some((x, y)) = cursor {
        frame.set_cursor_position(Position { x, y });
    }
}

/// Says so, as far as it fits.
fn too_small(buffer: &mut Buffer, area: Rect, look: &Look<'_>) {
    let words = format!(
        "{}x{} is too small: at least {}x{}",
        area.width,
        area.height,
        crate::app::layout::SMALLEST.0,
        crate::app::layout::SMALLEST.1
    );
    for (line, row) in Line::own(Role::Text, words)
        .wrap(usize::from(area.width))
        .iter()
        .zip(0..area.height)
    {
        paint::line(buffer, row_of(area, row), line, Role::Text, look.theme);
    }
}

fn rect(area: Area) -> Rect {
    Rect::new(area.x, area.y, area.width, area.height)
}

/// One row of an area, empty where there is none.
fn row_of(area: Rect, row: u16) -> Rect {
    let height = u16::from(row < area.height);
    Rect::new(area.x, area.y.saturating_add(row), area.width, height)
}
