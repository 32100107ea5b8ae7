//! The table of keys as people read it: footer, help screen, README.

use std::fmt::Write as _;

use super::chord::Chord;
use super::table::{Keys, ROWS, Row, Section};
use super::{Context, rows};
use crate::app::Action;
use crate::app::view::KeyOffer;

/// One entry of the footer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The key.
    pub key: String,
    /// What it does, in a word or two.
    pub label: &'static str,
}

/// Hints of the table that stand before what the step under the cursor leads to.
const BEFORE_LEADS: usize = 2;

/// What the footer offers in a context, most useful first; after the first key of a pair, what can
/// follow. `offers` says what an action comes to where one is now: nothing, or something that its own
/// label does not say; `leads` where the step under the cursor leads.
pub fn footer(
    context: Context,
    begun: Option<Chord>,
    offers: impl Fn(Action) -> KeyOffer,
    leads: &[(Action, &'static str)],
) -> Vec<Hint> {
    if let Some(first) = begun {
        return followers(context, first);
    }
    let hint = |row: &'static Row| {
        Some(Hint {
            key: row.keys.first()?.to_string(),
            label: match offers(row.action) {
                KeyOffer::Nothing => return None,
                KeyOffer::AsLabelled => row.label?,
                KeyOffer::Words(words) => words,
            },
        })
    };
    let mut hints: Vec<Hint> = rows(context).filter_map(hint).collect();
    let offered = leads.iter().filter_map(|(action, label)| {
        let mut rows = rows(context);
        let row = rows.find(|row| row.action == *action)?;
        let key = row.keys.first()?.to_string();
        Some(Hint { key, label })
    });
    let rest = hints.split_off(BEFORE_LEADS.min(hints.len()));
    hints.extend(offered);
    hints.extend(rest);
    hints
}

/// The keys of one action as help shows them: `. ]`.
pub fn keys_of(row: &Row) -> String {
    let keys: Vec<String> = row.keys.iter().map(ToString::to_string).collect();
    keys.join(" ")
}

/// Every section with its rows, for the help screen.
pub fn help() -> impl Iterator<Item = (&'static str, Vec<&'static Row>)> {
    Section::ALL.into_iter().map(|section| {
        let rows = ROWS.iter().filter(|row| row.section == section).collect();
        (section.title(), rows)
    })
}

/// The table in Markdown, as the README has it between its markers.
pub fn markdown() -> String {
    let mut text = String::from("| keys | action |\n|---|---|\n");
    for (title, rows) in help() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "| **{title}** | |");
        for row in rows {
            let keys: Vec<String> = row.keys.iter().map(|keys| format!("`{keys}`")).collect();
            let _ = writeln!(text, "| {} | {} |", keys.join(" "), row.help);
        }
    }
    text
}

fn followers(context: Context, first: Chord) -> Vec<Hint> {
    let mut hints = Vec::new();
    for row in rows(context) {
        for keys in row.keys {
            if matches!(keys, Keys::Two(begun, _) if *begun == first) {
                hints.push(Hint {
                    key: keys.to_string(),
                    label: row.help,
                });
            }
        }
    }
    hints
}

impl std::fmt::Display for Keys {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::One(chord) => write!(formatter, "{chord}"),
            Self::Two(first, second) => write!(formatter, "{first}{second}"),
        }
    }
}
