//! Looks: one place that says which style a role has in which theme, and which glyphs draw lines. A
//! state is never told by its colour alone: its sign and word stand beside it.
//!
//! Colours of the dark and light themes are from the 216-colour cube of 256-colour terminals, which
//! people rarely remap; a test holds each of them readable on its background. The 16-colour theme
//! uses the terminal's own palette and background.

use ratatui::style::{Color, Modifier, Style};

use crate::app::Class;

pub use crate::app::Role;

/// A set of colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// For a dark background, 256 colours.
    Dark,
    /// For a light background, 256 colours.
    Light,
    /// The terminal's own 16 colours, on any background.
    Sixteen,
    /// No colour: bold, underlined and reversed only.
    Mono,
}

/// What the environment says about colours.
#[derive(Clone, Copy, Debug, Default)]
pub struct Environment<'a> {
    /// `NO_COLOR` is set and not empty (no-color.org), or `--color never`.
    pub no_color: bool,
    /// `TERM`.
    pub term: Option<&'a str>,
    /// `COLORTERM`.
    pub colorterm: Option<&'a str>,
    /// `COLORFGBG`, which some terminals set to `foreground;background`.
    pub colorfgbg: Option<&'a str>,
}

impl Palette {
    /// The palette with this name, for `--theme`.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "dark" => Some(Self::Dark),
            "light" => Some(Self::Light),
            "16" => Some(Self::Sixteen),
            "mono" => Some(Self::Mono),
            _ => None,
        }
    }

    /// The palette that suits an environment. A background that is not told is taken to be dark.
    pub fn choose(environment: Environment<'_>) -> Self {
        if environment.no_color {
            return Self::Mono;
        }
        let term = environment.term.unwrap_or_default();
        if matches!(term, "vt100" | "vt102" | "vt220") || term.ends_with("-m") {
            return Self::Mono;
        }
        let many = matches!(environment.colorterm, Some("truecolor" | "24bit"))
            || term.contains("256color")
            || term.contains("direct");
        if !many {
            return Self::Sixteen;
        }
        let background = environment
            .colorfgbg
            .and_then(|pair| pair.rsplit(';').next());
        if matches!(background, Some("7" | "15")) {
            Self::Light
        } else {
            Self::Dark
        }
    }
}

/// How everything looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// The colours.
    pub palette: Palette,
    /// The glyphs.
    pub glyphs: &'static Glyphs,
}

impl Theme {
    /// A theme; `ascii` for terminals and projectors without box drawing.
    pub fn new(palette: Palette, ascii: bool) -> Self {
        let glyphs = if ascii { &ASCII } else { &UNICODE };
        Self { palette, glyphs }
    }

    /// The style of a role.
    pub fn style(&self, role: Role) -> Style {
        match self.palette {
            Palette::Dark => coloured(role, &DARK),
            Palette::Light => coloured(role, &LIGHT),
            Palette::Sixteen => coloured(role, &SIXTEEN),
            Palette::Mono => mono(role),
        }
    }
}

/// Colours by meaning; what has the same meaning has the same colour.
struct Colours {
    good: Color,
    waiting: Color,
    bad: Color,
    worse: Color,
    known: Color,
    told: Color,
    quiet: Color,
    line: Color,
    accent: Color,
    selected: Color,
    selected_elsewhere: Color,
    /// Text on an accent as background.
    on_accent: Color,
}

const DARK: Colours = Colours {
    good: Color::Indexed(114),
    waiting: Color::Indexed(221),
    bad: Color::Indexed(210),
    worse: Color::Indexed(213),
    known: Color::Indexed(117),
    told: Color::Indexed(147),
    quiet: Color::Indexed(248),
    line: Color::Indexed(246),
    accent: Color::Indexed(222),
    selected: Color::Indexed(237),
    selected_elsewhere: Color::Indexed(235),
    on_accent: Color::Indexed(16),
};

const LIGHT: Colours = Colours {
    good: Color::Indexed(22),
    waiting: Color::Indexed(58),
    bad: Color::Indexed(124),
    worse: Color::Indexed(90),
    known: Color::Indexed(24),
    told: Color::Indexed(55),
    quiet: Color::Indexed(240),
    line: Color::Indexed(242),
    accent: Color::Indexed(88),
    selected: Color::Indexed(253),
    selected_elsewhere: Color::Indexed(255),
    on_accent: Color::Indexed(231),
};

/// Without a background of its own: selection is reversed, and quiet text stays in the normal colour,
/// since dark grey on black is invisible on many consoles.
const SIXTEEN: Colours = Colours {
    good: Color::Green,
    waiting: Color::Yellow,
    bad: Color::Red,
    worse: Color::Magenta,
    known: Color::Cyan,
    told: Color::Blue,
    quiet: Color::Reset,
    line: Color::Reset,
    accent: Color::Yellow,
    selected: Color::Reset,
    selected_elsewhere: Color::Reset,
    on_accent: Color::Black,
};

fn coloured(role: Role, colours: &Colours) -> Style {
    let plain = Style::new();
    match role {
        Role::Text => plain,
        Role::Dim | Role::Previous => plain.fg(colours.quiet),
        Role::Frame => plain.fg(colours.line),
        Role::FocusedFrame | Role::Changed => plain.fg(colours.accent).add_modifier(Modifier::BOLD),
        Role::Selection if colours.selected == Color::Reset => {
            plain.add_modifier(Modifier::REVERSED)
        }
        Role::Selection => plain.bg(colours.selected).add_modifier(Modifier::BOLD),
        Role::SelectionElsewhere if colours.selected == Color::Reset => {
            plain.add_modifier(Modifier::UNDERLINED)
        }
        Role::SelectionElsewhere => plain.bg(colours.selected_elsewhere),
        Role::Consulted => plain.fg(colours.known).add_modifier(Modifier::UNDERLINED),
        Role::Escape => plain.fg(colours.worse).add_modifier(Modifier::UNDERLINED),
        Role::Caption => plain.fg(colours.told).add_modifier(Modifier::ITALIC),
        Role::Banner => plain
            .fg(colours.on_accent)
            .bg(colours.accent)
            .add_modifier(Modifier::BOLD),
        Role::Key => plain.fg(colours.accent),
        Role::Match => plain.fg(colours.on_accent).bg(colours.waiting),
        Role::Mark => plain.fg(colours.told).add_modifier(Modifier::BOLD),
        Role::Deciding => plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
        Role::Passed => plain.fg(colours.good),
        Role::Mistake => plain.fg(colours.bad).add_modifier(Modifier::BOLD),
        Role::Class(class) => match class {
            Class::Applied => plain.fg(colours.good),
            Class::Deferred => plain.fg(colours.waiting),
            Class::Duplicate => plain.fg(colours.known),
            Class::Refused | Class::Unreadable => {
                plain.fg(colours.bad).add_modifier(Modifier::BOLD)
            }
            Class::Conflict | Class::Review => plain.fg(colours.worse).add_modifier(Modifier::BOLD),
            Class::Stale | Class::Ignored => plain.fg(colours.quiet),
            Class::Owner => plain.fg(colours.told),
        },
    }
}

fn mono(role: Role) -> Style {
    let plain = Style::new();
    match role {
        Role::Text | Role::Dim | Role::Frame | Role::Previous | Role::Passed | Role::Caption => {
            plain
        }
        Role::Selection | Role::Banner | Role::Match => plain.add_modifier(Modifier::REVERSED),
        Role::FocusedFrame | Role::Changed | Role::Key | Role::Mark | Role::Mistake => {
            plain.add_modifier(Modifier::BOLD)
        }
        Role::SelectionElsewhere | Role::Consulted | Role::Escape => {
            plain.add_modifier(Modifier::UNDERLINED)
        }
        Role::Deciding => plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
        Role::Class(class) => match class {
            Class::Refused | Class::Conflict | Class::Review | Class::Unreadable => {
                plain.add_modifier(Modifier::BOLD)
            }
            Class::Applied
            | Class::Deferred
            | Class::Duplicate
            | Class::Stale
            | Class::Ignored
            | Class::Owner => plain,
        },
    }
}

/// The glyphs of a screen, each one cell wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glyphs {
    /// A line across.
    pub horizontal: &'static str,
    /// A line down.
    pub vertical: &'static str,
    /// Where a line down meets a line across from below.
    pub tee_down: &'static str,
    /// Where a line down meets a line across from above.
    pub tee_up: &'static str,
    /// Where a line across meets a line down from the right.
    pub tee_right: &'static str,
    /// Where a line across meets a line down from the left.
    pub tee_left: &'static str,
    /// Where lines cross.
    pub cross: &'static str,
    /// Something is cut off here.
    pub ellipsis: &'static str,
    /// The line that the cursor is on.
    pub cursor: &'static str,
    /// Between an old and a new value.
    pub arrow: &'static str,
    /// Folded: there is more to open.
    pub folded: &'static str,
    /// Unfolded.
    pub unfolded: &'static str,
    /// Between words of one line.
    pub dot: &'static str,
    /// Done, in a progress line.
    pub full: &'static str,
    /// To do, in a progress line.
    pub empty: &'static str,
    /// A mark, in the overview bar.
    pub mark: &'static str,
    /// Open evidence by how much there is, least first.
    pub density: [&'static str; 4],
}

/// Box drawing.
pub const UNICODE: Glyphs = Glyphs {
    horizontal: "─",
    vertical: "│",
    tee_down: "┬",
    tee_up: "┴",
    tee_right: "├",
    tee_left: "┤",
    cross: "┼",
    ellipsis: "…",
    cursor: "›",
    arrow: "→",
    folded: "▸",
    unfolded: "▾",
    dot: "·",
    full: "█",
    empty: "░",
    mark: "'",
    density: ["·", "▂", "▅", "█"],
};

/// For `--ascii`. An arrow is one cell too, so that columns stay where they are.
pub const ASCII: Glyphs = Glyphs {
    horizontal: "-",
    vertical: "|",
    tee_down: "+",
    tee_up: "+",
    tee_right: "+",
    tee_left: "+",
    cross: "+",
    ellipsis: "..",
    cursor: ">",
    arrow: ">",
    folded: "+",
    unfolded: "-",
    dot: "-",
    full: "#",
    empty: ".",
    mark: "'",
    density: [".", ":", "!", "#"],
};

#[cfg(test)]
#[path = "theme_tests.rs"]
mod tests;
