//! Keys. One table ([`table::ROWS`]) drives what a key does, the footer, the help screen and the list
//! in the README, so that none of them can promise what another does not know.

pub mod chord;
pub mod layout;
pub mod list;
pub mod table;

use crossterm::event::KeyEvent;

use crate::app::Action;
pub use crate::app::Context;
use chord::Chord;
use table::{Keys, ROWS, Row};

/// What a key came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The key, or the pair of keys, asks for this.
    Act(Action),
    /// The first of two keys; the footer shows what can follow.
    Begun,
    /// No action. While typing, the key is text.
    Nothing,
}

/// Recognises keys; remembers the first of a pair.
#[derive(Clone, Debug, Default)]
pub struct Keymap {
    first: Option<Chord>,
}

impl Keymap {
    /// What a key means in a context. A key that completes no pair ends the pair and does nothing
    /// else: a slip after `g` must not move the cursor.
    pub fn press(&mut self, event: KeyEvent, context: Context) -> Outcome {
        let Some(chord) = Chord::of(event) else {
            return Outcome::Nothing;
        };
        // Only letters that a person types as text stay as they are on another layout.
        let spellings = match context {
            Context::Typing => [chord, chord],
            Context::Steps | Context::Pane | Context::View | Context::Reading => {
                [chord, layout::by_position(chord)]
            }
        };
        let first = self.first.take();
        for chord in spellings {
            if let Some(action) = find(first, chord, context) {
                return Outcome::Act(action);
            }
        }
        if first.is_none() {
            let begun = spellings.into_iter().find(|chord| begins(*chord, context));
            if begun.is_some() {
                self.first = begun;
                return Outcome::Begun;
            }
        }
        Outcome::Nothing
    }

    /// The first of a pair, while the second is awaited.
    pub fn begun(&self) -> Option<Chord> {
        self.first
    }

    /// Forgets the first of a pair: something else happened.
    pub fn forget(&mut self) {
        self.first = None;
    }
}

/// The rows that count in a context, in the order of the table.
pub fn rows(context: Context) -> impl Iterator<Item = &'static Row> {
    ROWS.iter()
        .filter(move |row| row.contexts.contains(&context))
}

fn find(first: Option<Chord>, chord: Chord, context: Context) -> Option<Action> {
    let wanted = match first {
        None => Keys::One(chord),
        Some(first) => Keys::Two(first, chord),
    };
    rows(context)
        .find(|row| row.keys.contains(&wanted))
        .map(|row| row.action)
}

fn begins(chord: Chord, context: Context) -> bool {
    let begins = |keys: &Keys| matches!(keys, Keys::Two(first, _) if *first == chord);
    rows(context).any(|row| row.keys.iter().any(begins))
}

#[cfg(test)]
#[path = "keys/tests.rs"]
mod tests;
