//! The escape sequence that hands a text to the clipboard of the terminal, also over ssh: OSC 52 with
//! the text in base64 (RFC 4648), so that nothing of the text itself reaches the terminal.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The sequence for a text.
pub(super) fn sequence(text: &str) -> Vec<u8> {
    let mut bytes = b"\x1b]52;c;".to_vec();
    for three in text.as_bytes().chunks(3) {
        let at = |index: usize| u32::from(three.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for sixth in 0..4usize {
            let letter = bits >> (18 - 6 * sixth) & 63;
            let letter = LETTERS.get(letter as usize).copied().unwrap_or(b'=');
            bytes.push(if sixth > three.len() { b'=' } else { letter });
        }
    }
    bytes.push(0x07);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_base64() {
        for (text, expected) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
            ("ü>?", "w7w+Pw=="),
        ] {
            let expected = format!("\x1b]52;c;{expected}\x07");
            assert_eq!(sequence(text), expected.as_bytes(), "{text}");
        }
    }
}
