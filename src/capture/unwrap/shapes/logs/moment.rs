//! Moments as logs write them: RFC 3339, or a number since 1970 whose length tells its unit.

use super::super::super::decode::{millis, nanos, seconds};
use super::super::super::layer::Layer;
use crate::model::Instant;

/// The moment in a member, by the names that lead to it.
pub(super) fn moment_at(layer: Layer<'_, '_>, names: &[&str]) -> Option<Instant> {
    moment(layer.digits(layer.at(names)?)?)
}

/// RFC 3339, or digits: ten of seconds, with or without a fraction, thirteen of milliseconds, sixteen
/// of microseconds, nineteen of nanoseconds. That is so from 2001 to 2286.
pub(super) fn moment(text: &str) -> Option<Instant> {
    let whole = text.bytes().take_while(u8::is_ascii_digit).count();
    match (whole, text.len() - whole) {
        (10, _) => seconds(text),
        (13, 0) => millis(text),
        (16, 0) => micros(text),
        (19, 0) => nanos(text),
        _ => Instant::parse(text),
    }
}

/// Microseconds since 1970.
pub(super) fn micros(text: &str) -> Option<Instant> {
    let (whole, fraction) = text.split_at_checked(text.len().checked_sub(6)?)?;
    let is_number = !whole.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| seconds(&format!("{whole}.{fraction}")))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_tells_the_unit() {
        let at = |nanoseconds| {
            Some(Instant {
                seconds: 1_772_442_001,
                nanoseconds,
            })
        };
        for (text, nanoseconds) in [
            ("1772442001", 0),
            ("1772442001.25", 250_000_000),
            ("1772442001250", 250_000_000),
            ("1772442001250001", 250_001_000),
            ("1772442001250001002", 250_001_002),
            ("2026-03-02T09:00:01.25Z", 250_000_000),
        ] {
            assert_eq!(moment(text), at(nanoseconds), "{text}");
        }
        for text in [
            "",
            "7",
            "1772442001x",
            "177244200125000100",
            "17724420012500.5",
            "x",
        ] {
            assert_eq!(moment(text), None, "{text}");
        }
        assert_eq!((micros("123"), micros("x123456")), (None, None));
    }
}
