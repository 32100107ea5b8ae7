//! What was searched for, marked where it is seen. Without capital letters the case of ASCII letters
//! does not matter, as in the search itself.

use crate::text::Safe;

use super::line::{Line, Span};
use super::role::Role;

impl Line {
    /// Marks a text wherever it stands in one piece of the line.
    #[must_use]
    pub(super) fn highlight(mut self, needle: &str) -> Self {
        if needle.is_empty() {
            return self;
        }
        let folds = !needle.bytes().any(|byte| byte.is_ascii_uppercase());
        // As it is drawn: escapes spelled out.
        let needle = Safe::value(needle);
        self.spans = self
            .spans
            .into_iter()
            .flat_map(|span| split(span, needle.as_str(), folds))
            .collect();
        self
    }
}

fn split(span: Span, needle: &str, folds: bool) -> Vec<Span> {
    let text = span.text.as_str();
    let folded = if folds {
        text.to_ascii_lowercase()
    } else {
        text.to_owned()
    };
    // Folding ASCII moves no byte.
    let hits: Vec<_> = folded
        .match_indices(needle)
        .map(|(at, found)| at..at + found.len())
        .collect();
    if hits.is_empty() {
        return vec![span];
    }
    let mut pieces: Vec<Span> = Vec::new();
    let mut at = 0;
    for unit in span.text.units() {
        let is_hit = hits
            .iter()
            .any(|hit| hit.start < at + unit.text.len() && at < hit.end);
        at += unit.text.len();
        let role = if is_hit { Role::Match } else { span.role };
        match pieces.last_mut() {
            Some(piece) if piece.role == role => piece.text.push_unit(unit),
            _ => {
                let mut text = Safe::default();
                text.push_unit(unit);
                pieces.push(Span { text, role });
            }
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(text: &str, needle: &str) -> Vec<String> {
        let line = Line::default().value(Role::Text, text).highlight(needle);
        assert_eq!(line.text(), Safe::value(text).as_str());
        let hits = line.spans.iter().filter(|span| span.role == Role::Match);
        hits.map(|span| span.text.as_str().to_owned()).collect()
    }

    #[test]
    fn matches_are_marked_and_nothing_else_changes() {
        assert_eq!(
            matches("order-417 and Order-4170", "order-417"),
            ["order-417", "Order-417"]
        );
        assert_eq!(matches("order-417 Order-417", "Order"), ["Order"]);
        assert_eq!(matches("a\u{7}b", "b"), ["b"]);
        assert_eq!(matches("nothing", "x"), [""; 0]);
        assert_eq!(matches("", "x"), [""; 0]);
    }
}
