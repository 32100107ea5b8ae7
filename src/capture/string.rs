//! Decoding a JSON string whose spelling the reader has already checked.

/// The text that the inside of a string literal stands for (RFC 8259, section 7). What the reader
/// would have refused comes out as U+FFFD, so that nothing here can fail.
pub fn decode(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(slash) = memchr::memchr(b'\\', rest.as_bytes()) {
        let (plain, escape) = rest.split_at_checked(slash).unwrap_or((rest, ""));
        text.push_str(plain);
        let (character, after) = one_escape(escape);
        text.push(character);
        rest = after;
    }
    text.push_str(rest);
    text
}

/// The character that the escape at the start of `escape` stands for, and what follows it.
pub(super) fn one_escape(escape: &str) -> (char, &str) {
    let letter = escape.as_bytes().get(1).copied().unwrap_or_default();
    let simple = match letter {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode_escape(escape),
        b'"' | b'\\' | b'/' => char::from(letter),
        _ => char::REPLACEMENT_CHARACTER,
    };
    (simple, behind(escape, 2))
}

fn unicode_escape(escape: &str) -> (char, &str) {
    let first = unit(escape, 2);
    if !(0xD800..0xDC00).contains(&first) {
        let character = char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER);
        return (character, behind(escape, 6));
    }
    let second = unit(escape, 8);
    if !(0xDC00..0xE000).contains(&second) {
        return (char::REPLACEMENT_CHARACTER, behind(escape, 6));
    }
    let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    (character, behind(escape, 12))
}

fn unit(escape: &str, at: usize) -> u32 {
    escape
        .get(at..at + 4)
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        .unwrap_or(0xFFFD)
}

/// What follows an escape of `length` bytes; nothing where the text ends inside it, so that decoding
/// always moves on.
fn behind(escape: &str, length: usize) -> &str {
    escape.get(length..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_become_what_they_stand_for() {
        assert_eq!(decode(r"a\u0062c"), "abc");
        assert_eq!(decode(r#"\"\\\/\b\f\n\r\t"#), "\"\\/\u{8}\u{c}\n\r\t");
        assert_eq!(decode(r"\ud83d\ude00!"), "😀!");
        assert_eq!(decode(r"\u0000é"), "\u{0}é");
    }

    #[test]
    fn what_the_reader_refuses_still_ends() {
        for raw in [r"\", r"\u12", r"\ud800", r"\ud800\u0041", r"\x", r"\é"] {
            assert!(decode(raw).contains('\u{fffd}'), "{raw}");
        }
    }
}
