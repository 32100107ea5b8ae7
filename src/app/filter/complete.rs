//! What could stand at the cursor of a filter: keys, states, reasons, findings.

use crate::model::reason::Vocabulary;
use crate::model::{FindingCode, State};

use super::parse::{FLAGS, KEYS};

/// Names that could stand where the cursor is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::app) struct Completion {
    /// The first character that a name would replace, from 0.
    pub(in crate::app) start: usize,
    /// The names, in the order they are offered.
    pub(in crate::app) names: Vec<String>,
}

/// What could stand at a cursor (in characters from 0), given what stands before it.
pub(in crate::app) fn complete(text: &str, cursor: usize, reasons: &Vocabulary) -> Completion {
    let before: Vec<char> = text.chars().take(cursor).collect();
    let quotes = before.iter().filter(|letter| **letter == '"').count();
    if quotes % 2 == 1 {
        return Completion::default();
    }
    let space = before.iter().rposition(|letter| letter.is_whitespace());
    let mut start = space.map_or(0, |space| space + 1);
    start += usize::from(before.get(start) == Some(&'-'));
    let token = before.get(start..).unwrap_or_default();
    let Some(colon) = token.iter().position(|letter| *letter == ':') else {
        let keys = KEYS.iter().map(|key| format!("{key}:"));
        let flags = FLAGS.iter().map(|flag| (*flag).to_owned());
        return offer(start, token, keys.chain(flags));
    };
    let key: String = token.iter().take(colon).collect();
    let comma = token.iter().rposition(|letter| *letter == ',');
    let value = comma.filter(|comma| *comma > colon).unwrap_or(colon) + 1;
    let typed = token.get(value..).unwrap_or_default();
    let start = start + value;
    match key.as_str() {
        "state" => offer(
            start,
            typed,
            State::ALL.iter().map(|state| state.name().to_owned()),
        ),
        "reason" => offer(
            start,
            typed,
            reasons.names().map(|(_, name)| name.to_owned()),
        ),
        "finding" => offer(
            start,
            typed,
            FindingCode::ALL.iter().map(|code| code.name().to_owned()),
        ),
        _ => Completion::default(),
    }
}

fn offer(start: usize, typed: &[char], names: impl Iterator<Item = String>) -> Completion {
    let typed: String = typed.iter().collect();
    let mut names: Vec<String> = names.filter(|name| name.starts_with(&typed)).collect();
    names.dedup();
    Completion { start, names }
}
