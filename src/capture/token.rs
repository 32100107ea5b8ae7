//! The words of JSON (RFC 8259): where a string, a number or a literal ends, strictly.
//!
//! Both ways of reading go through here, the one that keeps every node and the one that follows the
//! contract alone, so that they cannot disagree about what a string or a number is.

use super::json::{Fault, FaultKind};

/// The first byte from `at` on that is no JSON whitespace.
#[inline]
pub fn skip_whitespace(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// The bytes of a word that a string's body cannot hold plainly, as their high bits: a quote, a
/// backslash or a control character. The lowest mark is exact, those above it may be echoes of a
/// borrow. With its second bit turned, a quote lies below 0x21 with the control characters, and
/// nothing else does.
#[inline]
pub(super) fn marks(word: u64) -> u64 {
    let quotes_and_controls = (word ^ (ONES * 0x02)).wrapping_sub(ONES * 0x21);
    let slashes = (word ^ (ONES * 0x5c)).wrapping_sub(ONES);
    (quotes_and_controls | slashes) & !word & HIGHS
}

/// The first byte from `at` on that a string's body cannot hold plainly. Eight bytes are looked at
/// together.
#[inline]
pub fn skip_plain(bytes: &[u8], mut at: usize) -> usize {
    let (eights, _) = bytes.get(at..).unwrap_or_default().as_chunks::<8>();
    for eight in eights {
        let marks = marks(u64::from_le_bytes(*eight));
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    skip_plain_bytewise(bytes, at)
}

/// The last few bytes of a text.
#[cold]
fn skip_plain_bytewise(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        if matches!(byte, b'"' | b'\\' | 0..=0x1f) {
            break;
        }
        at += 1;
    }
    at
}

/// Where the string that begins at a quote ends, behind its closing quote, and whether it has a
/// backslash.
#[inline]
pub fn string_end(bytes: &[u8], start: usize) -> Result<(usize, bool), Fault> {
    let at = skip_plain(bytes, start + 1);
    if bytes.get(at) == Some(&b'"') {
        return Ok((at + 1, false));
    }
    string_rest(bytes, at).map(|end| (end, true))
}

/// The rest of a string from the first byte that is not plain, where that does not end it.
fn string_rest(bytes: &[u8], mut at: usize) -> Result<usize, Fault> {
    loop {
        match bytes.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') => at = skip_plain(bytes, escape(bytes, at)?),
            Some(_) => return Err(fault(FaultKind::ControlCharacter, at)),
            None => return Err(fault(FaultKind::UnexpectedEnd, bytes.len())),
        }
    }
}

/// Checks the escape that begins at a backslash, a surrogate pair as one; answers where it ends.
pub(super) fn escape(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    let Some(letter) = bytes.get(at + 1) else {
        return Err(fault(FaultKind::UnexpectedEnd, bytes.len()));
    };
    if matches!(
        letter,
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't'
    ) {
        return Ok(at + 2);
    }
    if *letter != b'u' {
        return Err(fault(FaultKind::BadEscape, at));
    }
    let unit = hex_unit(bytes, at + 2)?;
    match unit {
        0xD800..=0xDBFF => {
            let pair = bytes.get(at + 6) == Some(&b'\\') && bytes.get(at + 7) == Some(&b'u');
            if !pair {
                return Err(fault(FaultKind::LoneSurrogate, at));
            }
            match hex_unit(bytes, at + 8)? {
                0xDC00..=0xDFFF => Ok(at + 12),
                _ => Err(fault(FaultKind::LoneSurrogate, at)),
            }
        }
        0xDC00..=0xDFFF => Err(fault(FaultKind::LoneSurrogate, at)),
        _ => Ok(at + 6),
    }
}

fn hex_unit(bytes: &[u8], at: usize) -> Result<u32, Fault> {
    let mut unit = 0;
    for place in at..at + 4 {
        let Some(byte) = bytes.get(place) else {
            return Err(fault(FaultKind::UnexpectedEnd, bytes.len()));
        };
        let Some(digit) = char::from(*byte).to_digit(16) else {
            return Err(fault(FaultKind::BadEscape, place));
        };
        unit = unit * 16 + digit;
    }
    Ok(unit)
}

/// Where the number that begins here ends.
#[inline]
pub fn number_end(bytes: &[u8], start: usize) -> Result<usize, Fault> {
    let mut at = start + usize::from(bytes.get(start) == Some(&b'-'));
    at = if bytes.get(at) == Some(&b'0') {
        at + 1
    } else {
        digits_end(bytes, at)?
    };
    if bytes.get(at) == Some(&b'.') {
        at = digits_end(bytes, at + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        at += 1;
        if let Some(b'+' | b'-') = bytes.get(at) {
            at += 1;
        }
        at = digits_end(bytes, at)?;
    }
    Ok(at)
}

/// At least one digit.
#[inline]
fn digits_end(bytes: &[u8], start: usize) -> Result<usize, Fault> {
    let mut at = start;
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    if at > start {
        return Ok(at);
    }
    Err(match bytes.get(at) {
        Some(_) => fault(FaultKind::BadNumber, at),
        None => fault(FaultKind::UnexpectedEnd, bytes.len()),
    })
}

/// Where `true`, `false` or `null` ends.
#[inline]
pub fn literal_end(bytes: &[u8], start: usize, word: &[u8]) -> Result<usize, Fault> {
    let rest = bytes.get(start..).unwrap_or_default();
    if rest.starts_with(word) {
        return Ok(start + word.len());
    }
    Err(if word.starts_with(rest) {
        fault(FaultKind::UnexpectedEnd, bytes.len())
    } else {
        fault(FaultKind::ExpectedValue, start)
    })
}

/// A fault at a byte.
pub fn fault(kind: FaultKind, offset_bytes: usize) -> Fault {
    Fault { kind, offset_bytes }
}
