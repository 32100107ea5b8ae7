//! A filter's tests of bytes, answered at once and in the plainest way: the real answers come from
//! a thread of the session.

use replayscope::app::filter::{BytesTerm, BytesTest, Pattern, When};
use replayscope::history::History;
use replayscope::model::{Instant, RecordNo};
use replayscope::session::Reader;
use replayscope::text::Zone;

/// Which of some records pass all the terms.
pub(crate) fn sift(
    history: &History,
    reader: &Reader<'_>,
    terms: &[BytesTerm],
    records: &[RecordNo],
) -> Vec<bool> {
    let passes = |record: &RecordNo| {
        let place = history.place(*record).unwrap();
        let bytes = reader.bytes(place).unwrap();
        let holds = |term: &BytesTerm| holds(reader, &term.test, &bytes) != term.is_negated;
        terms.iter().all(holds)
    };
    records.iter().map(passes).collect()
}

fn holds(reader: &Reader<'_>, test: &BytesTest, bytes: &[u8]) -> bool {
    let (event, time) = reader.event_and_time(bytes);
    let fits = |patterns: &[Pattern], name: &Option<String>| {
        let name = name.as_deref();
        name.is_some_and(|name| patterns.iter().any(|pattern| pattern.fits(name)))
    };
    match test {
        BytesTest::Word(word) => String::from_utf8_lossy(bytes).contains(word),
        BytesTest::Id(patterns) => fits(patterns, &event.id),
        BytesTest::Source(patterns) => fits(patterns, &event.source),
        BytesTest::Type(patterns) => fits(patterns, &event.event_type),
        BytesTest::After(when) => time.is_some_and(|time| time >= moment(*when, time)),
        BytesTest::Before(when) => time.is_some_and(|time| time < moment(*when, time)),
    }
}

fn moment(when: When, near: Instant) -> Instant {
    match when {
        When::At(moment) => moment,
        When::OfDay(time) => {
            let (seconds, nanoseconds) = time.on_day_of(near.seconds, &Zone::utc()).unwrap();
            Instant {
                seconds,
                nanoseconds,
            }
        }
    }
}
