//! Header, banners, status and footer.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Look, paint, row_of};
use crate::app::{Line, Role, View};
use crate::tui::keys::list;

/// Cells of the overview bar at most, and its share of the status line while something is said.
const BAR_CELLS: u16 = 60;
const BAR_BESIDE_WORDS: u16 = 20;

pub(super) fn header(buffer: &mut Buffer, area: Rect, view: &View<'_>, look: &Look<'_>) {
    let standing = view.standing();
    let right = u16::try_from(standing.cells())
        .unwrap_or(u16::MAX)
        .min(area.width);
    let left = area.width - right;
    let name = Rect {
        width: left.saturating_sub(2),
        ..area
    };
    paint::line(buffer, name, &view.header(), Role::Text, look.theme);
    let place = Rect {
        x: area.x + left,
        width: right,
        ..area
    };
    paint::line(buffer, place, &standing, Role::Text, look.theme);
}

pub(super) fn banners(buffer: &mut Buffer, area: Rect, view: &View<'_>, look: &Look<'_>) {
    for (line, row) in view.banners().iter().zip(0..area.height) {
        paint::line(buffer, row_of(area, row), line, Role::Banner, look.theme);
    }
}

/// The overview bar, and to the right of it what was just said.
pub(super) fn status(buffer: &mut Buffer, area: Rect, view: &View<'_>, look: &Look<'_>) {
    let notice = view.notice();
    let most = match &notice {
        Some(line) => {
            let needed = u16::try_from(line.cells())
                .unwrap_or(u16::MAX)
                .saturating_add(2);
            area.width
                .saturating_sub(needed)
                .clamp(BAR_BESIDE_WORDS.min(area.width), BAR_CELLS)
        }
        None => BAR_CELLS.min(area.width / 2),
    };
    let cells = view.overview(usize::from(most));
    let glyphs = &look.theme.glyphs.density;
    let mut x = area.x;
    for cell in &cells {
        let glyph = match glyphs.get(cell.level) {
            _ if cell.is_marked => look.theme.glyphs.mark,
            glyph => glyph.copied().unwrap_or("?"),
        };
        let role = match (cell.is_cursor, cell.level) {
            (true, _) => Role::Selection,
            _ if cell.is_marked => Role::Mark,
            (false, 0) => Role::Dim,
            (false, _) => Role::Changed,
        };
        let at = Rect {
            x,
            width: 1,
            ..area
        };
        paint::fill(buffer, at, glyph, role, look.theme);
        x = x.saturating_add(1);
    }
    let used = x
        .saturating_sub(area.x)
        .saturating_add(if cells.is_empty() { 0 } else { 2 });
    let rest = Rect {
        x: area.x.saturating_add(used),
        width: area.width.saturating_sub(used),
        ..area
    };
    let is_marked = cells.iter().any(|cell| cell.is_marked);
    let legend = || legend(view, is_marked, usize::from(rest.width), look);
    paint::line(
        buffer,
        rest,
        &notice.unwrap_or_else(legend),
        Role::Text,
        look.theme,
    );
}

/// What the bar shows, and where else one can look.
fn legend(view: &View<'_>, is_marked: bool, room: usize, look: &Look<'_>) -> Line {
    let [_, some, more, most] = &look.theme.glyphs.density;
    let what = if view.is_overview_filtered() {
        "what the filter shows; "
    } else {
        "whole capture; "
    };
    let marks = if is_marked {
        format!(", {} marked", look.theme.glyphs.mark)
    } else {
        String::new()
    };
    let words = |start| {
        let words = if view.has_curtain() {
            "whole capture, curtain drawn   ".to_owned()
        } else {
            format!("{start}{some} {more} {most} to review{marks}   ")
        };
        Line::own(Role::Dim, words)
            .with(Role::Key, "1-6")
            .with(Role::Dim, " views")
    };
    let whole = words(what);
    if whole.cells() <= room {
        whole
    } else {
        words("")
    }
}

/// The keys that matter now, as many as fit; help is always among them.
pub(super) fn footer(buffer: &mut Buffer, area: Rect, view: &View<'_>, look: &Look<'_>) {
    let offers = |action| view.key_offer(action);
    let hints = list::footer(look.context, look.begun, offers, &view.leads());
    let width = usize::from(area.width);
    let is_help = |hint: &&list::Hint| hint.label == "help";
    let help = hints.iter().find(is_help).map(hint);
    let reserved = help.as_ref().map_or(0, Line::cells);
    let mut line = Line::default();
    for shown in hints.iter().filter(|hint| !is_help(hint)).map(hint) {
        if line.cells() + shown.cells() + 2 + reserved > width {
            break;
        }
        line = line.join(shown).with(Role::Dim, "  ");
    }
    let line = line.join(help.unwrap_or_default());
    paint::line(buffer, area, &line, Role::Text, look.theme);
}

fn hint(hint: &list::Hint) -> Line {
    Line::own(Role::Key, &hint.key).with(Role::Dim, format!(" {}", hint.label))
}
