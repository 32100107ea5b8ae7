//! Colours, which tools write for a terminal and a file keeps.

use std::borrow::Cow;

/// A text without its control sequences (ECMA-48, `ESC [ … letter`).
pub(super) fn stripped(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, sequence)) = rest.split_once("\u{1b}[") {
        kept.push_str(before);
        let parameters = |c: char| c.is_ascii_digit() || matches!(c, ';' | ':' | '?');
        let ending = sequence.trim_start_matches(parameters);
        let mut after = ending.chars();
        // What is no sequence stays as it is, and the reader refuses it.
        rest = if after.next().is_some_and(|c| c.is_ascii_alphabetic()) {
            after.as_str()
        } else {
            kept.push_str("\u{1b}[");
            sequence
        };
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_sequences_go() {
        for (text, plain) in [
            ("\u{1b}[32mweb-1\u{1b}[0m {}", "web-1 {}"),
            ("\u{1b}[38;5;3mx\u{1b}[0;1m", "x"),
            ("\u{1b}[3", "\u{1b}[3"),
            ("plain", "plain"),
            ("\u{1b}]0;t", "\u{1b}]0;t"),
        ] {
            assert_eq!(stripped(text), plain, "{text:?}");
        }
    }
}
