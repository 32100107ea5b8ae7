//! JSON that can be printed on a terminal: what is not a plain character is spelled as an escape,
//! which changes nothing in the value.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// Compact JSON; letters and digits of every script stay as they are.
struct Escaping;

/// Writes one value. Errors are the writer's.
pub(super) fn to(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(out, Escaping);
    value.serialize(&mut serializer).map_err(io::Error::from)
}

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        write_escaped(writer, fragment)
    }

    /// JSON text that is passed on in its own spelling. Outside strings it is ASCII, so every other
    /// character stands where an escape may stand.
    fn write_raw_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        write_escaped(writer, fragment)
    }
}

fn is_plain(character: char) -> bool {
    matches!(character, ' '..='~') || (!character.is_ascii() && character.is_alphanumeric())
}

fn write_escaped<W: ?Sized + Write>(writer: &mut W, text: &str) -> io::Result<()> {
    let mut plain_from = 0;
    // JSON's own whitespace between tokens of passed-on text stays.
    let is_whitespace = |character| matches!(character, '\n' | '\r' | '\t');
    for (at, character) in text.char_indices() {
        if is_plain(character) || is_whitespace(character) {
            continue;
        }
        writer.write_all(text.get(plain_from..at).unwrap_or("").as_bytes())?;
        let mut units = [0; 2];
        for unit in character.encode_utf16(&mut units) {
            write!(writer, "\\u{unit:04x}")?;
        }
        plain_from = at + character.len_utf8();
    }
    writer.write_all(text.get(plain_from..).unwrap_or("").as_bytes())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn escapes_change_the_spelling_and_never_the_value() {
        for text in [
            "plain",
            "заказ-417",
            "a\u{202e}b",
            "\u{9b}31m",
            "\u{1b}[31m",
            "😀\u{200d}",
            "\u{7f}\n\"\\",
        ] {
            let mut out = Vec::new();
            to(&mut out, &text).unwrap();
            let printed = String::from_utf8(out).unwrap();
            assert!(printed.chars().all(is_plain), "{printed}");
            assert_eq!(serde_json::from_str::<String>(&printed).unwrap(), text);
        }
        let mut out = Vec::new();
        to(&mut out, &"заказ").unwrap();
        assert_eq!(out, "\"заказ\"".as_bytes());
        let raw =
            serde_json::value::RawValue::from_string("{\"a\": \"\u{202e}\"}".to_owned()).unwrap();
        let mut out = Vec::new();
        to(&mut out, &raw).unwrap();
        assert_eq!(out, br#"{"a": "\u202e"}"#);
    }
}
