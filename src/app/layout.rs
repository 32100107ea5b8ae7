//! Where everything stands on a screen of some size. The model needs it to know how far a page is,
//! the painter to know where to paint, a click to know what it hit.
//!
//! ```text
//! below 100 columns            from 100 columns on
//! header                       header
//! steps                        steps | stages
//! stages                             | event
//! ledger | projection                | ledger | projection
//! status                       status
//! footer                       footer
//! ```

/// A pane of the main screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pane {
    /// The list of steps.
    Steps,
    /// The stages of the step.
    Stages,
    /// The record as a tree.
    Event,
    /// The receipts.
    Ledger,
    /// Where the aggregate stands, and why.
    Projection,
}

/// A rectangle of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// First column.
    pub x: u16,
    /// First row.
    pub y: u16,
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

impl Area {
    fn new(x: u16, y: u16, width: u16, height: u16) -> Self {
        Self {
            x,
            y,
            width,
            height,
        }
    }

    /// Whether a cell lies in it.
    pub fn holds(self, x: u16, y: u16) -> bool {
        (self.x..self.x.saturating_add(self.width)).contains(&x)
            && (self.y..self.y.saturating_add(self.height)).contains(&y)
    }

    /// Without its first row, which a pane uses for its title, and a column of space where a line
    /// down stands before it.
    #[must_use]
    pub fn body(self) -> Self {
        let space = u16::from(self.x > 0).min(self.width);
        Self {
            x: self.x.saturating_add(space),
            width: self.width - space,
            y: self.y.saturating_add(1),
            height: self.height.saturating_sub(1),
        }
    }
}

/// What changes the layout beside the size.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wish {
    /// Rows of banners over the panes.
    pub banner_rows: u16,
    /// The pane that fills the screen.
    pub maximised: Option<Pane>,
}

/// Where everything stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Capture, contract, counts.
    pub header: Area,
    /// Warnings that stay.
    pub banner: Area,
    /// The panes, each with a row for its title on top.
    pub panes: Vec<(Pane, Area)>,
    /// The overview bar and what was just said.
    pub status: Area,
    /// Keys, or what is being typed.
    pub footer: Area,
    /// All between header and status.
    pub middle: Area,
    /// Whether the list stands beside the other panes.
    pub is_wide: bool,
}

/// The smallest screen that can show anything of use.
pub const SMALLEST: (u16, u16) = (40, 10);
const WIDE_COLUMNS: u16 = 100;
/// Below this a wide screen has no room for the event beside the rest.
const EVENT_ROWS: u16 = 18;

impl Layout {
    /// The layout for a size in cells; `None` where it is too small.
    pub fn of(columns: u16, rows: u16, wish: Wish) -> Option<Self> {
        if columns < SMALLEST.0 || rows < SMALLEST.1 {
            return None;
        }
        let banner_rows = wish.banner_rows.min(rows - SMALLEST.1);
        let middle = Area::new(0, 1 + banner_rows, columns, rows - 3 - banner_rows);
        let is_wide = columns >= WIDE_COLUMNS;
        let panes = match wish.maximised {
            Some(pane) => vec![(pane, middle)],
            None if is_wide => wide(middle),
            None => narrow(middle),
        };
        Some(Self {
            header: Area::new(0, 0, columns, 1),
            banner: Area::new(0, 1, columns, banner_rows),
            panes,
            status: Area::new(0, rows - 2, columns, 1),
            footer: Area::new(0, rows - 1, columns, 1),
            middle,
            is_wide,
        })
    }

    /// Where a pane stands, if it is shown.
    pub fn pane(&self, pane: Pane) -> Option<Area> {
        let found = self.panes.iter().find(|(shown, _)| *shown == pane);
        found.map(|(_, area)| *area)
    }

    /// The pane at a cell.
    pub fn pane_at(&self, x: u16, y: u16) -> Option<(Pane, Area)> {
        self.panes
            .iter()
            .copied()
            .find(|(_, area)| area.holds(x, y))
    }
}

fn narrow(middle: Area) -> Vec<(Pane, Area)> {
    let list = (middle.height * 2 / 7).max(3);
    let bottom = (middle.height * 3 / 7).max(3);
    let stages = middle.height.saturating_sub(list + bottom);
    let stages_y = middle.y + list;
    let mut panes = vec![
        (Pane::Steps, Area::new(0, middle.y, middle.width, list)),
        (Pane::Stages, Area::new(0, stages_y, middle.width, stages)),
    ];
    panes.extend(pair(Area::new(0, stages_y + stages, middle.width, bottom)));
    panes
}

fn wide(middle: Area) -> Vec<(Pane, Area)> {
    // Wide enough for what was decided in words, what it was released by at 120 columns; of a very
    // wide screen no more than words can fill.
    let list = (middle.width / 2).saturating_sub(2).min(80);
    let list = list.max(middle.width * 2 / 5).clamp(52, 120);
    let right = Area::new(list + 1, middle.y, middle.width - list - 1, middle.height);
    let bottom = right.height * 4 / 11;
    let event = if right.height < EVENT_ROWS {
        0
    } else {
        right.height / 5
    };
    let stages = right.height - bottom - event;
    let mut panes = vec![
        (Pane::Steps, Area::new(0, middle.y, list, middle.height)),
        (
            Pane::Stages,
            Area::new(right.x, right.y, right.width, stages),
        ),
    ];
    if event > 0 {
        panes.push((
            Pane::Event,
            Area::new(right.x, right.y + stages, right.width, event),
        ));
    }
    let y = right.y + stages + event;
    panes.extend(pair(Area::new(right.x, y, right.width, bottom)));
    panes
}

/// Ledger and projection, side by side always; a line down between them.
fn pair(area: Area) -> [(Pane, Area); 2] {
    let ledger = area.width * 2 / 5;
    let rest = area.width.saturating_sub(ledger + 1);
    [
        (Pane::Ledger, Area::new(area.x, area.y, ledger, area.height)),
        (
            Pane::Projection,
            Area::new(area.x + ledger + 1, area.y, rest, area.height),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_never_overlap_or_leave_the_screen() {
        for columns in 40..170 {
            for rows in 10..60 {
                for banner_rows in 0..3 {
                    let wish = Wish {
                        banner_rows,
                        maximised: None,
                    };
                    let layout = Layout::of(columns, rows, wish).unwrap_or_default();
                    let mut cells = vec![0u8; usize::from(columns) * usize::from(rows)];
                    let areas = layout.panes.iter().map(|(_, area)| *area);
                    for area in
                        areas.chain([layout.header, layout.banner, layout.status, layout.footer])
                    {
                        for y in area.y..area.y + area.height {
                            for x in area.x..area.x + area.width {
                                let at = usize::from(y) * usize::from(columns) + usize::from(x);
                                assert!(x < columns && y < rows, "{columns}x{rows}");
                                if let Some(cell) = cells.get_mut(at) {
                                    *cell += 1;
                                }
                            }
                        }
                    }
                    assert!(cells.iter().all(|count| *count <= 1), "{columns}x{rows}");
                }
            }
        }
    }

    #[test]
    fn what_is_too_small_has_no_layout() {
        for (columns, rows) in [(0, 0), (1, 1), (39, 50), (120, 9)] {
            assert_eq!(Layout::of(columns, rows, Wish::default()), None);
        }
    }
}
