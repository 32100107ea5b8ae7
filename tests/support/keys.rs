//! Keys as a terminal sends them (xterm's encoding, cursor keys in normal mode).

/// One key press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// A character as typed, any script.
    Char(char),
    /// Ctrl with a lower-case letter.
    Ctrl(char),
    /// Enter.
    Enter,
    /// Esc alone.
    Esc,
    /// Tab.
    Tab,
    /// Shift-Tab.
    BackTab,
    /// Backspace.
    Backspace,
    /// Up.
    Up,
    /// Down.
    Down,
    /// Right.
    Right,
    /// Left.
    Left,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// A function key, F1 to F4.
    F(u8),
}

impl Key {
    /// The bytes that it sends.
    pub(crate) fn bytes(self) -> String {
        let fixed = match self {
            Self::Char(character) => return character.to_string(),
            Self::Ctrl(letter) => {
                // A control character is the letter with its upper three bits cut off.
                let code = u8::try_from(letter).expect("Ctrl goes with ASCII") & 0x1f;
                return char::from(code).to_string();
            }
            Self::F(number @ 1..=4) => {
                return format!("\x1bO{}", char::from(b'P' + number - 1));
            }
            Self::F(number) => panic!("F{number} has no encoding here"),
            Self::Enter => "\r",
            Self::Esc => "\x1b",
            Self::Tab => "\t",
            Self::BackTab => "\x1b[Z",
            Self::Backspace => "\x7f",
            Self::Up => "\x1b[A",
            Self::Down => "\x1b[B",
            Self::Right => "\x1b[C",
            Self::Left => "\x1b[D",
            Self::Home => "\x1b[H",
            Self::End => "\x1b[F",
            Self::PageUp => "\x1b[5~",
            Self::PageDown => "\x1b[6~",
        };
        fixed.to_owned()
    }
}
