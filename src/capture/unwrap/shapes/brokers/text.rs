//! What text blocks have in common: lines, headers and what percent signs stand for.

use std::borrow::Cow;

use super::{Header, marks};

/// A text's lines, each with what follows it.
#[derive(Clone, Debug)]
pub(super) struct Lines<'a> {
    pub(super) rest: &'a str,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    /// The line at hand without its end; it stays at hand.
    pub(super) fn peek(&self) -> Option<&'a str> {
        (!self.rest.is_empty()).then(|| {
            let line = self.rest.split('\n').next().unwrap_or_default();
            line.strip_suffix('\r').unwrap_or(line)
        })
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let line = self.peek()?;
        // The end of the text is still a piece of it: its place is counted from.
        let end = self.rest.find('\n').map_or(self.rest.len(), |end| end + 1);
        self.rest = self.rest.get(end..).unwrap_or_default();
        Some(line)
    }
}

/// The header lines at hand; the line behind them stays at hand.
pub(super) fn headers<'a>(lines: &mut Lines<'a>) -> Vec<Header<'a>> {
    let mut found = Vec::new();
    while let Some(line) = lines.peek() {
        let Some((name, _)) = marks::header(line.as_bytes()) else {
            return found;
        };
        let (name, value) = line.split_at_checked(name.len()).unwrap_or((line, ""));
        let value = value.strip_prefix(':').unwrap_or(value).trim();
        found.push((Cow::Borrowed(name), Some(Cow::Borrowed(value))));
        lines.next();
    }
    found
}

/// The value of an attribute's header: quotes taken off, then one round of percent-decoding, whose
/// bytes must be UTF-8 (CloudEvents HTTP binding, section 3.1.3.2). A `%` before no two hexadecimal
/// digits stands for itself.
pub(super) fn attribute_value(value: &str) -> Option<Cow<'_, str>> {
    let unquoted = match value
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
    {
        Some(inside) if inside.contains('\\') => Cow::Owned(without_backslashes(inside)),
        Some(inside) => Cow::Borrowed(inside),
        None => Cow::Borrowed(value),
    };
    if !unquoted.contains('%') {
        return Some(unquoted);
    }
    let mut bytes = Vec::with_capacity(unquoted.len());
    let mut rest = unquoted.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let decoded = (*first == b'%')
            .then(|| behind.split_first_chunk::<2>())
            .flatten()
            .and_then(|([high, low], after)| Some((nibble(*high)? * 16 + nibble(*low)?, after)));
        let (byte, after) = decoded.unwrap_or((*first, behind));
        bytes.push(byte);
        rest = after;
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

fn nibble(digit: u8) -> Option<u8> {
    let value = char::from(digit).to_digit(16)?;
    u8::try_from(value).ok()
}

fn without_backslashes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => out.extend(characters.next()),
            other => out.push(other),
        }
    }
    out
}

/// Decodes the values of all `ce-` headers; `None` where one is no UTF-8.
pub(super) fn decode_attributes(headers: Vec<Header<'_>>) -> Option<Vec<Header<'_>>> {
    headers
        .into_iter()
        .map(|(name, value)| {
            let is_attribute = name
                .get(..3)
                .is_some_and(|head| head.eq_ignore_ascii_case("ce-"));
            let value = match value {
                Some(value) if is_attribute => {
                    Some(Cow::Owned(attribute_value(&value)?.into_owned()))
                }
                other => other,
            };
            Some((name, value))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attribute_values_are_decoded_once() {
        for (value, wanted) in [
            ("plain", Some("plain")),
            ("Euro%20%E2%82%AC", Some("Euro €")),
            ("%2541", Some("%41")),
            ("\"a \\\"b\\\" c\"", Some("a \"b\" c")),
            ("100%", Some("100%")),
            ("%4", Some("%4")),
            ("%zz", Some("%zz")),
            ("%ff", None),
            ("%C3%28", None),
        ] {
            assert_eq!(attribute_value(value).as_deref(), wanted, "{value}");
        }
    }

    #[test]
    fn lines_end_both_ways() {
        let mut lines = Lines::new("a: 1\r\nb:2\n\nc");
        assert_eq!(headers(&mut lines).len(), 2);
        assert_eq!(lines.next(), Some(""));
        assert_eq!(lines.rest, "c");
        assert_eq!(lines.collect::<Vec<_>>(), ["c"]);
    }
}
