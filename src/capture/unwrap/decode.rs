//! Decoding what transports do to a payload: escapes, Base64, numbers that are times.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use bumpalo::Bump;

use super::super::string;
use crate::model::Instant;

/// Both alphabets are seen in the field, with and without padding.
const LENIENT: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);

/// The text that the inside of a JSON string stands for. The reader has checked its spelling. Most
/// escapes of a payload are of a quote, so the stretches between are copied whole.
pub(super) fn unescape<'a>(raw: &str, arena: &'a Bump) -> &'a str {
    let mut text = bumpalo::collections::String::with_capacity_in(raw.len(), arena);
    let mut rest = raw;
    while let Some(slash) = memchr::memchr(b'\\', rest.as_bytes()) {
        let (plain, escape) = rest.split_at_checked(slash).unwrap_or((rest, ""));
        text.push_str(plain);
        let simple = match escape.as_bytes().get(1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'n') => '\n',
            _ => {
                let (character, after) = string::one_escape(escape);
                text.push(character);
                rest = after;
                continue;
            }
        };
        text.push(simple);
        rest = escape.get(2..).unwrap_or_default();
    }
    text.push_str(rest);
    text.into_bump_str()
}

/// Base64 in either alphabet (RFC 4648, sections 4 and 5), padded or not; line ends inside are
/// passed over.
pub(super) fn base64<'a>(text: &str, arena: &'a Bump) -> Option<&'a [u8]> {
    let cleaned: String;
    let text = if text.bytes().any(|byte| byte.is_ascii_whitespace()) {
        cleaned = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
        cleaned.as_str()
    } else {
        text
    };
    let bytes = STANDARD
        .decode(text)
        .or_else(|_| URL_SAFE.decode(text))
        .ok()?;
    Some(arena.alloc_slice_copy(&bytes))
}

/// Milliseconds since 1970.
pub(super) fn millis(text: &str) -> Option<Instant> {
    scaled(text, 1_000)
}

/// Seconds since 1970, with or without a fraction.
pub(super) fn seconds(text: &str) -> Option<Instant> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut instant = scaled(whole, 1)?;
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut nanoseconds = 0;
    for place in 0..9 {
        let digit = fraction
            .as_bytes()
            .get(place)
            .map_or(0, |digit| u32::from(digit - b'0'));
        nanoseconds = nanoseconds * 10 + digit;
    }
    instant.nanoseconds = nanoseconds;
    Some(instant)
}

/// Nanoseconds since 1970.
pub(super) fn nanos(text: &str) -> Option<Instant> {
    scaled(text, 1_000_000_000)
}

/// A whole number of so many units a second. Negative ones are clients that had no time (kcat's −1).
fn scaled(text: &str, units: i64) -> Option<Instant> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: i64 = text.parse().ok()?;
    let nanoseconds = number % units * (1_000_000_000 / units);
    Some(Instant {
        seconds: number / units,
        nanoseconds: u32::try_from(nanoseconds).ok()?,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn escapes_become_what_they_stand_for() {
        let arena = Bump::new();
        for raw in [r#"a\"b\\c\/d\ne"#, r"\u0041\ud83d\ude00é\t", "plain", ""] {
            assert_eq!(unescape(raw, &arena), string::decode(raw), "{raw}");
        }
    }

    #[test]
    fn both_alphabets_with_and_without_padding() {
        let arena = Bump::new();
        for text in ["+/8=", "-_8=", "+/8", "-_8", "+/\n8="] {
            assert_eq!(base64(text, &arena), Some(&[0xfb, 0xff][..]), "{text}");
        }
        assert_eq!(base64("no base64!", &arena), None);
    }

    #[test]
    fn numbers_that_are_times() {
        let at = |seconds, nanoseconds| {
            Some(Instant {
                seconds,
                nanoseconds,
            })
        };
        assert_eq!(millis("1545084650987"), at(1_545_084_650, 987_000_000));
        assert_eq!(seconds("1545084650.25"), at(1_545_084_650, 250_000_000));
        assert_eq!(nanos("1545084650987654321"), at(1_545_084_650, 987_654_321));
        assert_eq!(millis("-1"), None);
        assert_eq!(millis(""), None);
        assert_eq!(seconds("1.x"), None);
    }
}
