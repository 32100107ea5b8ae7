//! Whether a program gave the terminal back as it found it: the driver's settings (`stty`), and
//! every mode of the emulator that it may have switched.

use std::collections::BTreeMap;

/// The terminal before and after a program.
#[derive(Debug)]
pub(crate) struct GivenBack {
    /// `stty -a` before.
    pub(crate) before: String,
    /// `stty -a` after.
    pub(crate) after: String,
    /// What is still switched on in the emulator.
    pub(crate) left_on: Vec<String>,
}

impl GivenBack {
    /// Fails unless the terminal is as it was.
    pub(crate) fn assert_unchanged(&self) {
        let settings = |text: &str| -> Vec<String> {
            // The size is the user's to change.
            let parts = text.split(';').map(str::trim);
            let kept =
                parts.filter(|part| !part.starts_with("rows") && !part.starts_with("columns"));
            kept.map(str::to_owned).collect()
        };
        assert!(!self.before.is_empty(), "stty has told nothing");
        assert_eq!(settings(&self.before), settings(&self.after), "stty -a");
        assert_eq!(self.left_on, [""; 0], "modes that were left on");
    }
}

/// What a program has left on: the emulator's own word for it, and any private mode or keyboard
/// protocol that the emulator does not know but the transcript shows.
pub(crate) fn left_on(screen: &vt100::Screen, transcript: &[u8]) -> Vec<String> {
    let mouse = screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None;
    let coloured = [screen.fgcolor(), screen.bgcolor()] != [vt100::Color::Default; 2];
    let styled = screen.bold() || screen.dim() || screen.italic() || screen.underline();
    let known = [
        ("alternate screen", screen.alternate_screen()),
        ("hidden cursor", screen.hide_cursor()),
        ("bracketed paste", screen.bracketed_paste()),
        ("mouse", mouse),
        ("application cursor keys", screen.application_cursor()),
        ("application keypad", screen.application_keypad()),
        ("colour", coloured),
        ("style", styled || screen.inverse()),
    ];
    let known = known.iter().filter(|(_, on)| *on);
    let mut found: Vec<String> = known.map(|(name, _)| (*name).to_owned()).collect();
    found.extend(left_on_in(&String::from_utf8_lossy(transcript)));
    found
}

/// Private modes that were set last and stand off in a fresh terminal, the other way round for those
/// that stand on, and keyboard protocols pushed and not popped.
fn left_on_in(transcript: &str) -> Vec<String> {
    let mut modes: BTreeMap<&str, bool> = BTreeMap::from([("7", true), ("25", true)]);
    let fresh = modes.clone();
    let mut keyboards = 0;
    for sequence in transcript.split("\x1b[").skip(1) {
        let end = sequence.find(|character: char| character.is_ascii_alphabetic());
        let Some((parameters, rest)) = end.and_then(|end| sequence.split_at_checked(end)) else {
            continue;
        };
        match (parameters.split_at_checked(1), rest.chars().next()) {
            (Some(("?", numbers)), Some(letter @ ('h' | 'l'))) => {
                for number in numbers.split(';') {
                    modes.insert(number, letter == 'h');
                }
            }
            (Some((">", _)), Some('u')) => keyboards += 1,
            (Some(("<", _)), Some('u')) => keyboards -= 1,
            _ => {}
        }
    }
    let changed = modes
        .iter()
        .filter(|(mode, on)| fresh.get(*mode).unwrap_or(&false) != *on);
    let mut found: Vec<String> = changed.map(|(mode, on)| format!("?{mode} {on}")).collect();
    if keyboards != 0 {
        found.push(format!("keyboard protocols: {keyboards}"));
    }
    found
}
