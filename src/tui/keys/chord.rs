//! One key with what is held down, in the form that the table uses and that is shown.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// One key as a person presses it. Shift is part of a character (`G`), and Alt is nobody's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chord {
    /// A character.
    Char(char),
    /// A lower-case letter with Ctrl.
    Ctrl(char),
    /// Enter.
    Enter,
    /// Esc.
    Esc,
    /// Tab.
    Tab,
    /// Tab with Shift.
    ShiftTab,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// A function key.
    F(u8),
}

impl Chord {
    /// The chord of a key event, if it is one that the table could name.
    pub fn of(event: KeyEvent) -> Option<Self> {
        if event.modifiers.contains(KeyModifiers::ALT) {
            return None;
        }
        let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        // Keys that nobody binds need no names.
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "most keys of a keyboard mean nothing here"
        )]
        match event.code {
            KeyCode::Char(character) if ctrl => Some(Self::Ctrl(character.to_ascii_lowercase())),
            KeyCode::Char(character) => Some(Self::Char(character)),
            KeyCode::Enter => Some(Self::Enter),
            KeyCode::Esc => Some(Self::Esc),
            KeyCode::Tab if event.modifiers.contains(KeyModifiers::SHIFT) => Some(Self::ShiftTab),
            KeyCode::Tab => Some(Self::Tab),
            KeyCode::BackTab => Some(Self::ShiftTab),
            KeyCode::Up => Some(Self::Up),
            KeyCode::Down => Some(Self::Down),
            KeyCode::Left => Some(Self::Left),
            KeyCode::Right => Some(Self::Right),
            KeyCode::Home => Some(Self::Home),
            KeyCode::End => Some(Self::End),
            KeyCode::PageUp => Some(Self::PageUp),
            KeyCode::PageDown => Some(Self::PageDown),
            KeyCode::F(number) => Some(Self::F(number)),
            _ => None,
        }
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Char(' ') => "Space",
            Self::Char(character) => return write!(formatter, "{character}"),
            Self::Ctrl(letter) => return write!(formatter, "Ctrl-{letter}"),
            Self::F(number) => return write!(formatter, "F{number}"),
            Self::Enter => "Enter",
            Self::Esc => "Esc",
            Self::Tab => "Tab",
            Self::ShiftTab => "Shift-Tab",
            Self::Up => "Up",
            Self::Down => "Down",
            Self::Left => "Left",
            Self::Right => "Right",
            Self::Home => "Home",
            Self::End => "End",
            Self::PageUp => "PgUp",
            Self::PageDown => "PgDn",
        };
        formatter.write_str(name)
    }
}
