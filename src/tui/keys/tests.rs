//! The table keeps its promises: no key twice, no action twice, and every reader says the same.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crossterm::event::{KeyCode, KeyModifiers};

use super::chord::Chord;
use super::*;
use crate::app::view::KeyOffer;

const CONTEXTS: [Context; 5] = [
    Context::Steps,
    Context::Pane,
    Context::View,
    Context::Reading,
    Context::Typing,
];

fn event(code: KeyCode, modifiers: KeyModifiers) -> KeyEvent {
    KeyEvent::new(code, modifiers)
}

fn type_in(text: &str, context: Context) -> Outcome {
    let mut keymap = Keymap::default();
    let press = |letter| keymap.press(event(KeyCode::Char(letter), KeyModifiers::NONE), context);
    text.chars().map(press).last().unwrap()
}

fn as_event(chord: Chord) -> KeyEvent {
    match chord {
        Chord::Char(character) => event(KeyCode::Char(character), KeyModifiers::NONE),
        Chord::Ctrl(letter) => event(KeyCode::Char(letter), KeyModifiers::CONTROL),
        Chord::Enter => event(KeyCode::Enter, KeyModifiers::NONE),
        Chord::Esc => event(KeyCode::Esc, KeyModifiers::NONE),
        Chord::Tab => event(KeyCode::Tab, KeyModifiers::NONE),
        Chord::ShiftTab => event(KeyCode::BackTab, KeyModifiers::SHIFT),
        Chord::Up => event(KeyCode::Up, KeyModifiers::NONE),
        Chord::Down => event(KeyCode::Down, KeyModifiers::NONE),
        Chord::Left => event(KeyCode::Left, KeyModifiers::NONE),
        Chord::Right => event(KeyCode::Right, KeyModifiers::NONE),
        Chord::Home => event(KeyCode::Home, KeyModifiers::NONE),
        Chord::End => event(KeyCode::End, KeyModifiers::NONE),
        Chord::PageUp => event(KeyCode::PageUp, KeyModifiers::NONE),
        Chord::PageDown => event(KeyCode::PageDown, KeyModifiers::NONE),
        Chord::F(number) => event(KeyCode::F(number), KeyModifiers::NONE),
    }
}

#[test]
fn every_key_of_the_table_does_what_it_says() {
    for context in CONTEXTS {
        for row in rows(context) {
            for keys in row.keys {
                let mut keymap = Keymap::default();
                let outcome = match keys {
                    Keys::One(chord) => keymap.press(as_event(*chord), context),
                    Keys::Two(first, second) => {
                        assert_eq!(keymap.press(as_event(*first), context), Outcome::Begun);
                        keymap.press(as_event(*second), context)
                    }
                };
                assert_eq!(outcome, Outcome::Act(row.action), "{keys} in {context:?}");
                assert_eq!(keymap.begun(), None);
            }
        }
    }
}

#[test]
fn every_action_stands_in_one_row_with_words() {
    for (at, row) in ROWS.iter().enumerate() {
        assert!(!row.help.is_empty() && !row.keys.is_empty() && !row.contexts.is_empty());
        assert!(
            ROWS.iter()
                .skip(at + 1)
                .all(|other| other.action != row.action),
            "{:?}",
            row.action
        );
    }
}

#[test]
fn a_key_that_begins_a_pair_does_nothing_alone() {
    for context in CONTEXTS {
        let singles = || {
            rows(context)
                .flat_map(|row| row.keys)
                .filter(|keys| matches!(keys, Keys::One(_)))
        };
        for keys in singles() {
            let Keys::One(chord) = keys else { continue };
            assert!(!begins(*chord, context), "{keys}");
            assert_eq!(
                singles().filter(|other| *other == keys).count(),
                1,
                "{keys} twice"
            );
        }
    }
}

#[test]
fn pairs_need_both_keys() {
    assert_eq!(
        type_in("gd", Context::Steps),
        Outcome::Act(Action::GoToCause)
    );
    assert_eq!(type_in("gg", Context::Reading), Outcome::Act(Action::Top));
    assert_eq!(type_in("gj", Context::Steps), Outcome::Nothing);
    assert_eq!(type_in("gjj", Context::Steps), Outcome::Act(Action::Down));
    assert_eq!(type_in("gd", Context::Typing), Outcome::Nothing);
    let mut keymap = Keymap::default();
    let g = event(KeyCode::Char('g'), KeyModifiers::NONE);
    assert_eq!(keymap.press(g, Context::Steps), Outcome::Begun);
    keymap.forget();
    assert_eq!(keymap.press(g, Context::Steps), Outcome::Begun);
}

#[test]
fn a_russian_layout_works_by_position() {
    assert_eq!(
        type_in("у", Context::Steps),
        Outcome::Act(Action::NextReview)
    );
    assert_eq!(
        type_in("пв", Context::Steps),
        Outcome::Act(Action::GoToCause)
    );
    assert_eq!(type_in("П", Context::Pane), Outcome::Act(Action::Bottom));
    assert_eq!(type_in("ю", Context::Steps), Outcome::Act(Action::NextStep));
    assert_eq!(type_in("Ж", Context::Steps), Outcome::Act(Action::Command));
    assert_eq!(type_in("й", Context::Typing), Outcome::Nothing);
    let ctrl = event(KeyCode::Char('в'), KeyModifiers::CONTROL);
    let outcome = Keymap::default().press(ctrl, Context::Steps);
    assert_eq!(outcome, Outcome::Act(Action::HalfPageDown));
}

#[test]
fn shift_is_part_of_the_letter_and_alt_is_nobodys() {
    let shifted = event(KeyCode::Char('G'), KeyModifiers::SHIFT);
    assert_eq!(
        Keymap::default().press(shifted, Context::Steps),
        Outcome::Act(Action::Bottom)
    );
    let alt = event(KeyCode::Char('q'), KeyModifiers::ALT);
    assert_eq!(
        Keymap::default().press(alt, Context::Steps),
        Outcome::Nothing
    );
}

#[test]
fn the_footer_and_the_help_come_from_the_table() {
    let footer = list::footer(Context::Steps, None, |_| KeyOffer::AsLabelled, &[]);
    let first: Vec<String> = footer
        .iter()
        .take(2)
        .map(|hint| format!("{} {}", hint.key, hint.label))
        .collect();
    assert_eq!(first, [". next", "> stage"]);
    let after_g = list::footer(
        Context::Steps,
        Some(Chord::Char('g')),
        |_| KeyOffer::AsLabelled,
        &[],
    );
    let keys: Vec<&str> = after_g.iter().map(|hint| hint.key.as_str()).collect();
    assert_eq!(keys, ["gd", "gr", "gg"]);
    let explained: usize = list::help().map(|(_, rows)| rows.len()).sum();
    assert_eq!(explained, ROWS.len());
}

#[test]
fn the_readme_lists_these_keys() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let Ok(readme) = std::fs::read_to_string(path) else {
        assert!(list::markdown().contains("| `gg` `Home` |"));
        return;
    };
    let Some((_, after)) = readme.split_once("<!-- keys -->") else {
        assert!(list::markdown().contains("| `gg` `Home` |"));
        return;
    };
    let (listed, _) = after.split_once("<!-- /keys -->").unwrap();
    assert_eq!(
        listed.trim(),
        list::markdown().trim(),
        "copy the right side into README.md"
    );
}
