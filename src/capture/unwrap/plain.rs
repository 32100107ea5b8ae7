//! The quick way through a wrapper that is nearly always the same: its names are those of a record
//! before, and its payload is a string that holds the event.
//!
//! Nothing is decided here that the shape's own way would decide otherwise: whatever is unusual, down to
//! whitespace between members, is left to it. What is read is checked as strictly as there.

use bumpalo::Bump;

use super::super::skip::{scalar_end, value_end};
use super::super::token::{skip_plain, string_end};
use super::around::{Clock, read_clock};
use super::decode;
use super::known::{Wanted, Wrapper};
use crate::model::Instant;

/// What a shape asks for and how it takes itself off, where nothing is unusual.
#[derive(Debug)]
pub(super) struct Plain {
    /// Names of members: the payload's, then those whose spelling decides.
    pub(super) names: Wanted,
    /// What is inside, by the members' spellings and the decoded payload. Those that are absent are
    /// spelled as nothing, and so is the payload. Nothing where it is not that simple.
    pub(super) take: for<'t, 'a> fn(&Spellings<'t>, &'a str) -> Option<Inside<'t, 'a>>,
}

/// Members that a shape may ask for this way.
pub(super) const MOST_ASKED: usize = 6;

/// Members as they are spelled, in the order in which they were asked for.
pub(super) type Spellings<'t> = [&'t str; MOST_ASKED];

/// What was inside.
#[derive(Clone, Copy, Debug)]
pub struct Inside<'t, 'a> {
    /// The text that probably is an event.
    pub text: &'a str,
    /// When it was received, in the wrapper's words.
    pub(super) received: Option<(&'t str, Clock)>,
}

impl Inside<'_, '_> {
    /// When it was received.
    pub fn received_at(&self) -> Option<Instant> {
        self.received.and_then(read_clock)
    }
}

/// Takes a wrapper off whose names are these, in this order.
pub(super) fn take<'t, 'a>(
    text: &'t str,
    wrapper: &Wrapper,
    arena: &'a Bump,
) -> Option<Inside<'t, 'a>> {
    let plain = wrapper.plain()?;
    let bytes = text.as_bytes();
    let mut payload = None;
    let mut spellings = [""; MOST_ASKED];
    let mut at = 1;
    for (index, name) in wrapper.names().iter().enumerate() {
        let name_end = name.end_at(bytes, at)?;
        let [b':', first] = two(bytes, name_end)? else {
            return None;
        };
        at = name_end + 1;
        let asked = wrapper.place(plain.names, index);
        let end = match first {
            b'"' => {
                let end = skip_plain(bytes, at + 1);
                if bytes.get(end) == Some(&b'"') {
                    end + 1
                } else if asked == Some(0) {
                    let (end, decoded) = decode::string_from(text, at + 1, arena)?;
                    payload = Some(decoded);
                    (bytes.get(end) == Some(&b'"')).then_some(end + 1)?
                } else {
                    string_end(bytes, at).ok()?.0
                }
            }
            b'{' | b'[' => value_end(bytes, at, 1)?,
            _ => match integer_end(bytes, at) {
                Some(end) => end,
                None => scalar_end(bytes, at)?,
            },
        };
        if let Some(spelling) = asked.and_then(|asked| spellings.get_mut(asked)) {
            *spelling = text.get(at..end)?;
        }
        at = end + 1;
        let is_last = index + 1 == wrapper.names().len();
        if bytes.get(end) != Some(if is_last { &b'}' } else { &b',' }) {
            return None;
        }
    }
    (bytes.first() == Some(&b'{') && at == bytes.len())
        .then(|| (plain.take)(&spellings, payload?))
        .flatten()
}

/// Two bytes, where there are so many.
#[inline]
fn two(bytes: &[u8], at: usize) -> Option<[u8; 2]> {
    bytes.get(at..)?.first_chunk().copied()
}

/// Where a number ends that is nothing but digits, the first of them no zero, and has a member behind
/// it: positions and times are, and have many of them. Nothing for any other value.
#[inline]
fn integer_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut end = start;
    loop {
        let digits = bytes.get(end..)?.first_chunk()?;
        let others = no_digits(u64::from_le_bytes(*digits));
        if others != 0 {
            end += (others.trailing_zeros() / 8) as usize;
            break;
        }
        end += 8;
    }
    let is_integer = bytes.get(start) != Some(&b'0') && bytes.get(end) == Some(&b',');
    (is_integer && end > start).then_some(end)
}

/// The bytes of a word that are no digits, as their high bits.
#[inline]
fn no_digits(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // A digit is then 0 to 9, and no byte carries into the next one.
    let word = word ^ (ONES * 0x30);
    (((word & (ONES * 0x7f)) + ONES * 0x76) | word) & (ONES * 0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_integer_ends_where_the_reader_says_or_is_left_to_it() {
        for digits in [
            "1",
            "12",
            "1234567",
            "12345678",
            "123456789",
            "1735689600000",
            "10",
        ] {
            for behind in [",\"b\":1}        ", ",         "] {
                let text = format!("{digits}{behind}");
                assert_eq!(
                    integer_end(text.as_bytes(), 0),
                    Some(digits.len()),
                    "{text}"
                );
                assert_eq!(scalar_end(text.as_bytes(), 0), Some(digits.len()), "{text}");
            }
            for behind in [
                "}        ",
                ".5,        ",
                "e3,        ",
                "x,        ",
                "\u{e9},       ",
                ":        ",
            ] {
                assert_eq!(integer_end(format!("{digits}{behind}").as_bytes(), 0), None);
            }
        }
        for text in [
            "0,        ",
            "00000000,        ",
            "-1,        ",
            ",        ",
            "1,",
            "",
        ] {
            assert_eq!(integer_end(text.as_bytes(), 0), None, "{text}");
        }
        for byte in 0..=u8::MAX {
            let word = u64::from_le_bytes([b'0', b'9', byte, b'5', byte, b'1', b'7', b'3']);
            let expected = if byte.is_ascii_digit() { 0 } else { 2 };
            let others = no_digits(word);
            assert_eq!(others != 0, expected != 0, "{byte}");
            assert!(
                others == 0 || others.trailing_zeros() / 8 == expected,
                "{byte}"
            );
        }
    }
}
