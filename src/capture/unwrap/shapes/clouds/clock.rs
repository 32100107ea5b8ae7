//! Times as clouds write them: seconds with a fraction or an exponent, and the text of a locale.

use super::super::super::decode::{millis, seconds};
use super::super::super::layer::Layer;
use crate::model::Instant;

/// Seconds since 1970 as a decimal number, also with an exponent: `1545084650.987`,
/// `1.545084650987E9`.
pub(super) fn decimal_seconds(text: &str) -> Option<Instant> {
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else {
        return seconds(text);
    };
    let places: usize = exponent.trim_start_matches('+').parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    // A moment has ten digits or so; more places than this are no time.
    if places > 12 || whole.is_empty() {
        return None;
    }
    let padded = format!("{fraction:0<places$}");
    let (up, down) = padded.split_at_checked(places)?;
    seconds(&format!("{whole}{up}.{down}"))
}

/// Seconds as above, or RFC 3339.
pub(super) fn seconds_or_time(layer: Layer<'_, '_>, index: usize) -> Option<Instant> {
    let text = layer.digits(index)?;
    decimal_seconds(text).or_else(|| Instant::parse(text))
}

/// Milliseconds, as a number or a text of digits.
pub(super) fn millis_at(layer: Layer<'_, '_>, names: &[&str]) -> Option<Instant> {
    millis(layer.digits(layer.at(names)?)?)
}

/// RFC 3339.
pub(super) fn time_at(layer: Layer<'_, '_>, names: &[&str]) -> Option<Instant> {
    Instant::parse(layer.string_at(names)?)
}

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// `Jan 1, 1970, 12:33:41 AM`: what Java writes in an American locale, without a zone. Read as UTC.
/// Newer versions write a narrow space before AM, older ones no second comma.
pub(super) fn locale_text(text: &str) -> Option<Instant> {
    let mut words = text
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty());
    let month = words.next()?;
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let day: u32 = words.next()?.parse().ok()?;
    let year: u32 = words.next()?.parse().ok()?;
    let mut clock = words.next()?.split(':');
    let hour: u32 = clock.next()?.parse().ok()?;
    let minute: u32 = clock.next()?.parse().ok()?;
    let second: u32 = clock.next()?.parse().ok()?;
    let noon = match words.next()? {
        "AM" => 0,
        "PM" => 12,
        _ => return None,
    };
    if !(1..=12).contains(&hour) || clock.next().is_some() || words.next().is_some() {
        return None;
    }
    let hour = hour % 12 + noon;
    Instant::parse(&format!(
        "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_with_and_without_an_exponent() {
        let moment = Some(Instant {
            seconds: 1_545_084_650,
            nanoseconds: 987_000_000,
        });
        for text in [
            "1545084650.987",
            "1.545084650987E9",
            "1.545084650987e+9",
            "15450846509.87e-1",
        ] {
            let wanted = moment.filter(|_| !text.contains('-'));
            assert_eq!(decimal_seconds(text), wanted, "{text}");
        }
        let whole = decimal_seconds("1.54508465E9").map(|at| at.seconds);
        assert_eq!(whole, Some(1_545_084_650));
        for text in [
            "",
            "E9",
            "1E99999999999",
            "1E20",
            "x",
            "-1.5",
            "1.5E",
            "NaN",
        ] {
            let found = decimal_seconds(text);
            assert_eq!(found, None, "{text}");
        }
    }

    #[test]
    fn the_text_of_a_locale() {
        for (text, time) in [
            ("Jan 1, 1970, 12:33:41 AM", "1970-01-01T00:33:41Z"),
            ("Mar 2, 2026, 9:00:05\u{202f}PM", "2026-03-02T21:00:05Z"),
            ("Mar 2, 2026 12:00:00 PM", "2026-03-02T12:00:00Z"),
        ] {
            assert_eq!(
                locale_text(text).map(Instant::rfc3339).as_deref(),
                Some(time)
            );
        }
        for text in [
            "",
            "2 mars 2026 à 09:00:05",
            "Feb 30, 2026, 1:00:00 AM",
            "Mar 2, 2026, 13:00:00 PM",
            "Mar 2, 2026, 1:00:00 AM UTC",
            "Mar 2, 99999, 1:00:00 AM",
        ] {
            assert_eq!(locale_text(text), None, "{text}");
        }
    }
}
