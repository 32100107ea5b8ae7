//! A filter's tests of bytes, as the session asks them.

use crate::app::filter::{BytesTerm, BytesTest, Pattern, When};
use crate::model::{EventText, Instant};
use crate::session::{Asks, Check};
use crate::text::Zone;

/// The session's checks for a filter's terms; times of day are those of a zone.
pub(super) fn checks(terms: Vec<BytesTerm>, zone: &Zone) -> Vec<Check> {
    let check = |term: BytesTerm| Check {
        is_negated: term.is_negated,
        asks: asks(term.test, zone),
    };
    terms.into_iter().map(check).collect()
}

fn asks(test: BytesTest, zone: &Zone) -> Asks {
    match test {
        BytesTest::Word(word) => Asks::Word(word),
        BytesTest::Id(patterns) => of_event(patterns, |event| event.id.as_deref()),
        BytesTest::Source(patterns) => of_event(patterns, |event| event.source.as_deref()),
        BytesTest::Type(patterns) => of_event(patterns, |event| event.event_type.as_deref()),
        BytesTest::After(when) => of_time(when, zone, |time, limit| time >= limit),
        BytesTest::Before(when) => of_time(when, zone, |time, limit| time < limit),
    }
}

fn of_event(patterns: Vec<Pattern>, part: fn(&EventText) -> Option<&str>) -> Asks {
    Asks::Event(Box::new(move |event| {
        part(event).is_some_and(|name| patterns.iter().any(|pattern| pattern.fits(name)))
    }))
}

fn of_time(when: When, zone: &Zone, compare: fn(Instant, Instant) -> bool) -> Asks {
    let zone = zone.clone();
    Asks::Time(Box::new(move |time| match when {
        When::At(moment) => compare(time, moment),
        When::OfDay(of_day) => {
            let limit = of_day.on_day_of(time.seconds, &zone);
            limit.is_some_and(|(seconds, nanoseconds)| {
                let limit = Instant {
                    seconds,
                    nanoseconds,
                };
                compare(time, limit)
            })
        }
    }))
}
