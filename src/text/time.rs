//! Moments as a person reads them, in UTC or the zone of `--tz`, and times of day as she types them.
//! There is no clock here: every moment comes out of a record.

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;

/// Where the clock hangs that times are read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    zone: TimeZone,
    name: String,
}

impl Zone {
    /// Coordinated Universal Time.
    pub fn utc() -> Self {
        Self {
            zone: TimeZone::UTC,
            name: "UTC".to_owned(),
        }
    }

    /// The zone with this IANA name, such as `Europe/Berlin`.
    ///
    /// # Errors
    ///
    /// A sentence that says why there is no such zone.
    pub fn named(name: &str) -> Result<Self, String> {
        if name.eq_ignore_ascii_case("utc") {
            return Ok(Self::utc());
        }
        let zone = TimeZone::get(name).map_err(|error| error.to_string())?;
        let name = zone.iana_name().unwrap_or(name).to_owned();
        Ok(Self { zone, name })
    }

    /// The name to show beside times.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// `HH:MM:SS`; `seconds` since 1970-01-01T00:00:00Z. A moment outside of the years −9999 to 9999
/// shows as `?` and its seconds.
pub fn clock(seconds: i64, zone: &Zone) -> String {
    format(seconds, 0, zone, "%H:%M:%S")
}

/// `HH:MM:SS.mmm`, cut, not rounded.
pub fn clock_millis(seconds: i64, nanoseconds: u32, zone: &Zone) -> String {
    let clock = clock(seconds, zone);
    if clock.starts_with('?') {
        return clock;
    }
    format!("{clock}.{:03}", nanoseconds.min(999_999_999) / 1_000_000)
}

/// `YYYY-MM-DD`.
pub fn date(seconds: i64, zone: &Zone) -> String {
    format(seconds, 0, zone, "%Y-%m-%d")
}

/// RFC 3339 in full: `2026-03-02T09:00:05.25Z`, or with the zone's offset.
pub fn full(seconds: i64, nanoseconds: u32, zone: &Zone) -> String {
    let pattern = if zone.zone == TimeZone::UTC {
        "%Y-%m-%dT%H:%M:%S%.fZ"
    } else {
        "%Y-%m-%dT%H:%M:%S%.f%:z"
    };
    format(seconds, nanoseconds, zone, pattern)
}

/// A time of day, as typed after `:` or in a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimeOfDay(Time);

impl TimeOfDay {
    /// Reads `09:00`, `09:00:05` or `09:00:05.25`, with one or two digits for the hour.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(':');
        let hour = two_digits(parts.next()?, 1)?;
        let minute = two_digits(parts.next()?, 2)?;
        let (second, nanosecond) = parts.next().map_or(Some((0, 0)), second_and_fraction)?;
        if parts.next().is_some() {
            return None;
        }
        Time::new(hour, minute, second, nanosecond).ok().map(Self)
    }

    /// The moment that shows this time on the day of `reference_seconds`, in seconds and
    /// nanoseconds since 1970; none where there is no such moment. Where clocks were put back, the
    /// earlier one; where they were put forward, the time is taken as it was before.
    pub fn on_day_of(self, reference_seconds: i64, zone: &Zone) -> Option<(i64, u32)> {
        let reference = Timestamp::from_second(reference_seconds).ok()?;
        self.on_day(reference.to_zoned(zone.zone.clone()).date(), zone)
    }

    fn on_day(self, day: Date, zone: &Zone) -> Option<(i64, u32)> {
        let moment = day.to_datetime(self.0).to_zoned(zone.zone.clone()).ok()?;
        parts(moment.timestamp())
    }
}

fn parts(moment: Timestamp) -> Option<(i64, u32)> {
    let fraction = i64::from(moment.subsec_nanosecond());
    // Before 1970 the fraction counts backwards; a record's never does.
    let borrowed = i64::from(fraction < 0);
    let nanoseconds = u32::try_from(fraction + borrowed * 1_000_000_000).ok()?;
    Some((moment.as_second() - borrowed, nanoseconds))
}

/// A time as typed after `:`: a time of day, with or without its date, or a moment in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypedTime {
    date: Option<Date>,
    time: TimeOfDay,
    /// A moment with its own offset; the zone does not matter.
    moment: Option<Timestamp>,
}

impl TypedTime {
    /// Reads `09:00:05`, `2026-03-01T09:00`, `2026-03-01 09:00`, and RFC 3339.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let Some((date, time)) = text.split_once(['T', 't', ' ']) else {
            let time = TimeOfDay::parse(text)?;
            return Some(Self {
                date: None,
                time,
                moment: None,
            });
        };
        let date: Date = (date.len() == 10).then(|| date.parse().ok()).flatten()?;
        let (local, offset) = match time.find(['Z', 'z', '+', '-']) {
            Some(at) => time.split_at_checked(at)?,
            None => (time, ""),
        };
        let time = TimeOfDay::parse(local.trim())?;
        let moment = if offset.is_empty() {
            None
        } else {
            let full = format!("{}{offset}", date.to_datetime(time.0));
            Some(full.parse().ok()?)
        };
        Some(Self {
            date: Some(date),
            time,
            moment,
        })
    }

    /// Whether it says its day itself.
    pub fn has_date(&self) -> bool {
        self.date.is_some()
    }

    /// The moment in seconds and nanoseconds since 1970, without a date on the day of
    /// `reference_seconds`; none where there is no such moment. See [`TimeOfDay::on_day_of`].
    pub fn moment(self, reference_seconds: i64, zone: &Zone) -> Option<(i64, u32)> {
        match (self.moment, self.date) {
            (Some(moment), _) => parts(moment),
            (None, Some(date)) => self.time.on_day(date, zone),
            (None, None) => self.time.on_day_of(reference_seconds, zone),
        }
    }
}

impl std::fmt::Display for TypedTime {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.moment, self.date) {
            (Some(moment), _) => write!(formatter, "{moment}"),
            (None, Some(date)) => write!(formatter, "{date} {}", self.time.0),
            (None, None) => write!(formatter, "{}", self.time.0),
        }
    }
}

fn format(seconds: i64, nanoseconds: u32, zone: &Zone, pattern: &str) -> String {
    let nanoseconds = i32::try_from(nanoseconds.min(999_999_999)).unwrap_or(0);
    let shown = Timestamp::from_second(seconds).ok().and_then(|whole| {
        let moment = whole
            .checked_add(jiff::SignedDuration::new(0, nanoseconds))
            .ok()?;
        let zoned = moment.to_zoned(zone.zone.clone());
        jiff::fmt::strtime::format(pattern, &zoned).ok()
    });
    shown.unwrap_or_else(|| format!("?{seconds}"))
}

fn two_digits(text: &str, at_least: usize) -> Option<i8> {
    let length_fits = (at_least..=2).contains(&text.len());
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    (length_fits && digits).then(|| text.parse().ok()).flatten()
}

fn second_and_fraction(text: &str) -> Option<(i8, i32)> {
    let Some((second, fraction)) = text.split_once('.') else {
        return Some((two_digits(text, 2)?, 0));
    };
    let digits = fraction.bytes().all(|byte| byte.is_ascii_digit());
    if !digits || fraction.is_empty() || fraction.len() > 9 {
        return None;
    }
    Some((
        two_digits(second, 2)?,
        format!("{fraction:0<9}").parse().ok()?,
    ))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use proptest::prelude::*;

    use super::*;

    /// 2026-03-02T09:00:05Z.
    const MORNING: i64 = 1_772_442_005;

    #[test]
    fn times_read_as_on_a_clock() {
        let utc = Zone::utc();
        assert_eq!(clock(MORNING, &utc), "09:00:05");
        assert_eq!(clock_millis(MORNING, 250_999_999, &utc), "09:00:05.250");
        assert_eq!(date(MORNING, &utc), "2026-03-02");
        assert_eq!(full(MORNING, 0, &utc), "2026-03-02T09:00:05Z");
        assert_eq!(full(MORNING, 250_000_000, &utc), "2026-03-02T09:00:05.25Z");
        assert_eq!(full(-1, 500_000_000, &utc), "1969-12-31T23:59:59.5Z");
    }

    #[test]
    fn a_zone_moves_the_clock() {
        let berlin = Zone::named("Europe/Berlin").unwrap();
        assert_eq!(berlin.name(), "Europe/Berlin");
        assert_eq!(clock(MORNING, &berlin), "10:00:05");
        assert_eq!(full(MORNING, 0, &berlin), "2026-03-02T10:00:05+01:00");
        assert!(Zone::named("Nowhere/Atall").is_err());
        assert_eq!(Zone::named("utc").unwrap(), Zone::utc());
    }

    #[test]
    fn a_moment_out_of_range_shows_its_seconds() {
        assert_eq!(clock(i64::MAX, &Zone::utc()), "?9223372036854775807");
        assert_eq!(
            full(i64::MIN, 999_999_999, &Zone::utc()),
            "?-9223372036854775808"
        );
        assert_eq!(
            clock_millis(i64::MAX, 5, &Zone::utc()),
            "?9223372036854775807"
        );
    }

    #[test]
    fn a_time_of_day_is_found_on_the_day() {
        let parsed = TimeOfDay::parse("09:00:05").unwrap();
        assert_eq!(
            parsed.on_day_of(MORNING + 3_600, &Zone::utc()),
            Some((MORNING, 0))
        );
        let berlin = Zone::named("Europe/Berlin").unwrap();
        assert_eq!(
            parsed.on_day_of(MORNING, &berlin),
            Some((MORNING - 3_600, 0))
        );
        let fine = TimeOfDay::parse("9:00:05.25").unwrap();
        assert_eq!(
            fine.on_day_of(MORNING, &Zone::utc()),
            Some((MORNING, 250_000_000))
        );
        assert_eq!(
            fine.on_day_of(-1, &Zone::utc()),
            Some((-53_995, 250_000_000))
        );
        assert_eq!(parsed.on_day_of(i64::MAX, &Zone::utc()), None);
        assert!(TimeOfDay::parse("09:00") < TimeOfDay::parse("09:00:01"));
    }

    #[test]
    fn a_typed_time_may_have_its_date_and_offset() {
        let utc = Zone::utc();
        for text in [
            "09:00:05",
            "2026-03-02T09:00:05",
            "2026-03-02 09:00:05",
            "2026-03-02T09:00:05Z",
            "2026-03-02T10:00:05+01:00",
        ] {
            let typed = TypedTime::parse(text).unwrap();
            assert_eq!(
                typed.moment(MORNING + 60, &utc),
                Some((MORNING, 0)),
                "{text}"
            );
        }
        let typed = TypedTime::parse("2026-03-01T09:00").unwrap();
        assert_eq!(typed.moment(0, &utc), Some((MORNING - 5 - 86_400, 0)));
        assert_eq!(typed.to_string(), "2026-03-01 09:00:00");
        for text in [
            "2026-02-30T09:00",
            "2026-03-02",
            "2026-03-02T25:00",
            "26-3-2T09:00",
        ] {
            assert_eq!(TypedTime::parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_not_a_time_of_day_is_none() {
        for text in [
            "",
            "9",
            "24:00",
            "09:60",
            "09:00:60",
            "09:0",
            "09:00:",
            "-9:00",
            "+9:00",
            "009:00",
            "09:00:05.",
            "09:00:05:1",
            "９:00",
        ] {
            assert_eq!(TimeOfDay::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_moment_panics(seconds in any::<i64>(), near in -400_000_000_000i64..400_000_000_000, nanoseconds in any::<u32>()) {
            let zones = [Zone::utc(), Zone::named("Asia/Kathmandu").unwrap()];
            for moment in [seconds, near] {
                for zone in &zones {
                    prop_assert!(clock(moment, zone).len() >= 2);
                    prop_assert!(full(moment, nanoseconds, zone).len() >= 2);
                    prop_assert!(clock_millis(moment, nanoseconds, zone).len() >= 2);
                    let _ = TimeOfDay::parse("00:00").and_then(|time| time.on_day_of(moment, zone));
                }
            }
        }
    }
}
