//! What backslashes stand for in a template's texts (kcat's `format.c`, `fmt_add`).

use super::{TemplateError, refused};

/// The bytes that a text stands for, whose first character is in this column. A backslash before any
/// other character than `n`, `r`, `t`, `x` or a digit stands for that character; one at the end stands
/// for itself. Numbers are C's: `\x7c`, `\124` decimal, `\0174` octal.
pub(super) fn decoded(text: &str, column: usize) -> Result<Vec<u8>, TemplateError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (plain, escape) = rest.split_at_checked(at).unwrap_or((rest, ""));
        bytes.extend(plain.bytes());
        let here = text.len() - rest.len() + at;
        let before = text.get(..here).unwrap_or_default().chars().count();
        let mut letters = escape.chars();
        letters.next();
        let behind = letters.as_str();
        let (byte, after) = match letters.next() {
            None => (b'\\', behind),
            Some('n') => (b'\n', letters.as_str()),
            Some('r') => (b'\r', letters.as_str()),
            Some('t') => (b'\t', letters.as_str()),
            Some('x') => match number(letters.as_str(), 16) {
                Some(found) => found,
                None => return refused(column + before, "\\x needs hexadecimal digits"),
            },
            Some('0') => {
                let behind_zero = letters.as_str();
                let hexadecimal = behind_zero.strip_prefix(['x', 'X']);
                let hexadecimal = hexadecimal.and_then(|digits| number(digits, 16));
                let octal = || number(behind, 8).unwrap_or((0, behind_zero));
                hexadecimal.unwrap_or_else(octal)
            }
            Some('1'..='9') => number(behind, 10).unwrap_or((b'\\', behind)),
            // It stands for itself, and need not be ASCII.
            Some(_) => {
                let itself = behind.len() - letters.as_str().len();
                bytes.extend(behind.bytes().take(itself));
                rest = letters.as_str();
                continue;
            }
        };
        if byte == 0 {
            return refused(
                column + before,
                "kcat writes no NUL: its text would end here",
            );
        }
        bytes.push(byte);
        rest = after;
    }
    bytes.extend(rest.bytes());
    Ok(bytes)
}

/// The lowest byte of the number at the start, as C's `strtoul` reads it, and what follows.
fn number(text: &str, radix: u32) -> Option<(u8, &str)> {
    let digits = text.chars().take_while(|digit| digit.is_digit(radix));
    let (digits, behind) = text.split_at_checked(digits.count())?;
    let value = u64::from_str_radix(digits, radix).unwrap_or(u64::MAX);
    let [lowest, ..] = value.to_le_bytes();
    (!digits.is_empty()).then_some((lowest, behind))
}

/// A text as it may stand in a sentence.
pub(super) fn shown(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    format!("`{}`", text.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_kcats() {
        for (text, wanted) in [
            (r"a\n\r\tb", &b"a\n\r\tb"[..]),
            (r"\x7c\x0a;", b"|\n;"),
            (r"\124\0174\0x7c", b"|||"),
            (r"\Timestamp \é \\", "Timestamp é \\".as_bytes()),
            (r"end\", b"end\\"),
            (r"\xff", b"\xff"),
        ] {
            assert_eq!(decoded(text, 1).as_deref(), Ok(wanted), "{text}");
        }
        for (text, column) in [(r"é\x", 5), (r"a\x00;b", 5), (r"\0", 4), (r"\08", 4)] {
            let error = decoded(text, 4).err();
            assert_eq!(error.map(|error| error.column), Some(column), "{text}");
        }
    }
}
