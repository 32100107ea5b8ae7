//! A moment as a record states it: RFC 3339 with a `T`, never read from a clock.

/// Seconds and nanoseconds since 1970-01-01T00:00:00Z. Fraction digits past the ninth are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant {
    /// Whole seconds, negative before 1970.
    pub seconds: i64,
    /// 0 to 999,999,999.
    pub nanoseconds: u32,
}

impl Instant {
    /// Reads an RFC 3339 date and time (section 5.6). `T` and `Z` may be lower case; second 60 and
    /// anything else that is not a time give `None`: such a time counts as absent.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let (date_time, rest) = bytes.split_at_checked(19)?;
        let year = number(date_time.get(0..4)?)?;
        let month = number(date_time.get(5..7)?)?;
        let day = number(date_time.get(8..10)?)?;
        let hour = number(date_time.get(11..13)?)?;
        let minute = number(date_time.get(14..16)?)?;
        let second = number(date_time.get(17..19)?)?;
        let punctuated = date_time.get(4) == Some(&b'-')
            && date_time.get(7) == Some(&b'-')
            && matches!(date_time.get(10), Some(b'T' | b't'))
            && date_time.get(13) == Some(&b':')
            && date_time.get(16) == Some(&b':');
        let in_range = (1..=12).contains(&month)
            && (1..=days_in_month(year, month)).contains(&day)
            && hour <= 23
            && minute <= 59
            && second <= 59;
        if !punctuated || !in_range {
            return None;
        }
        let (nanoseconds, zone) = fraction(rest)?;
        let offset_seconds = zone_seconds(zone)?;
        let seconds =
            days_from_epoch(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second;
        Some(Self {
            seconds: seconds - offset_seconds,
            nanoseconds,
        })
    }

    /// Whether more than `days` × 86,400 seconds lie between `earlier` and this moment.
    pub fn is_later_by_days(self, earlier: Self, days: u64) -> bool {
        let limit = i128::from(days) * 86_400 * 1_000_000_000;
        self.total_nanoseconds() - earlier.total_nanoseconds() > limit
    }

    /// The moment in UTC (RFC 3339, section 5.6), with as many fraction digits as it has.
    pub fn rfc3339(self) -> String {
        let (year, month, day) = date_of(self.seconds.div_euclid(86_400));
        let second = self.seconds.rem_euclid(86_400);
        let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
        let fraction = format!(".{:09}", self.nanoseconds);
        let fraction = fraction.trim_end_matches('0').trim_end_matches('.');
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z")
    }

    fn total_nanoseconds(self) -> i128 {
        i128::from(self.seconds) * 1_000_000_000 + i128::from(self.nanoseconds)
    }
}

fn number(digits: &[u8]) -> Option<i64> {
    digits.iter().try_fold(0i64, |sum, digit| {
        digit
            .is_ascii_digit()
            .then(|| sum * 10 + i64::from(digit - b'0'))
    })
}

fn fraction(rest: &[u8]) -> Option<(u32, &[u8])> {
    let Some((b'.', digits_and_zone)) = rest.split_first() else {
        return Some((0, rest));
    };
    let digits = digits_and_zone
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if digits == 0 {
        return None;
    }
    let (digits, zone) = digits_and_zone.split_at_checked(digits)?;
    let mut nanoseconds = 0u32;
    for place in 0..9 {
        let digit = digits.get(place).map_or(0, |digit| u32::from(digit - b'0'));
        nanoseconds = nanoseconds * 10 + digit;
    }
    Some((nanoseconds, zone))
}

fn zone_seconds(zone: &[u8]) -> Option<i64> {
    match zone {
        [b'Z' | b'z'] => Some(0),
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            let hours = number(&[*h1, *h2])?;
            let minutes = number(&[*m1, *m2])?;
            if hours > 23 || minutes > 59 {
                return None;
            }
            let seconds = hours * 3_600 + minutes * 60;
            Some(if *sign == b'-' { -seconds } else { seconds })
        }
        _ => None,
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar, counted in years that begin in March
/// so that the leap day comes last.
fn days_from_epoch(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The day that lies so many days after 1970-01-01, in the proleptic Gregorian calendar.
fn date_of(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let leap_days = day_of_era / 1_460 - day_of_era / 36_524 + day_of_era / 146_096;
    let year_of_era = (day_of_era - leap_days) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(text: &str) -> Option<i64> {
        Instant::parse(text).map(|instant| instant.seconds)
    }

    #[test]
    fn reads_what_rfc_3339_allows() {
        assert_eq!(seconds("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(seconds("2026-03-02T09:00:05Z"), Some(1_772_442_005));
        assert_eq!(seconds("2026-03-02t09:00:05z"), Some(1_772_442_005));
        assert_eq!(seconds("2026-03-02T12:00:05+03:00"), Some(1_772_442_005));
        assert_eq!(seconds("2000-02-29T00:00:00Z"), Some(951_782_400));
        assert_eq!(seconds("0000-01-01T00:00:00Z"), Some(-62_167_219_200));
        let fine = Instant::parse("1970-01-01T00:00:00.1234567891Z");
        assert_eq!(fine.map(|instant| instant.nanoseconds), Some(123_456_789));
    }

    #[test]
    fn a_moment_is_written_as_it_is_read() {
        for text in [
            "1970-01-01T00:00:00Z",
            "2026-03-02T09:00:05.25Z",
            "2000-02-29T23:59:59.000000001Z",
            "1969-12-31T23:59:59Z",
            "0000-03-01T00:00:00Z",
            "9999-12-31T12:00:00Z",
        ] {
            let moment = Instant::parse(text);
            assert_eq!(moment.map(Instant::rfc3339).as_deref(), Some(text));
        }
    }

    #[test]
    fn anything_else_counts_as_absent() {
        for text in [
            "",
            "yesterday",
            "2026-03-02 09:00:05Z",
            "2026-03-02T09:00:60Z",
            "2026-03-02T24:00:00Z",
            "2026-02-29T09:00:00Z",
            "2026-13-01T09:00:00Z",
            "2026-03-02T09:00:05",
            "2026-03-02T09:00:05.Z",
            "2026-03-02T09:00:05+3:00",
            "2026-03-02T09:00Z",
            "2026-03-02T09:00:05Z ",
            "２026-03-02T09:00:05Z",
        ] {
            assert_eq!(Instant::parse(text), None, "{text}");
        }
    }

    #[test]
    fn days_are_exact_and_strict() {
        let start = Instant {
            seconds: 0,
            nanoseconds: 0,
        };
        let end = Instant {
            seconds: 172_800,
            nanoseconds: 0,
        };
        assert!(!end.is_later_by_days(start, 2));
        let past = Instant {
            nanoseconds: 1,
            ..end
        };
        assert!(past.is_later_by_days(start, 2));
    }
}
