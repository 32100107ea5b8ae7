//! Which way a capture's own times go, where it has no times of receipt: a sample, looked at once
//! everything is decided, so that reading itself pays nothing for it.
//!
//! ```text
//! records  |####........|####........|####........|   stretches side by side, spread over the capture
//! ```
//!
//! A first stretch that does not go back ends the look: that is nearly every capture.

use super::order::Trend;
use super::reader::Reader;
use super::run::Run;
use crate::model::RecordNo;

/// Records that are looked at side by side.
const STRETCH: u32 = 100;

/// Stretches at most: 2,000 records in all.
const STRETCHES: u32 = 20;

/// A longer record's time is not looked for.
const LENGTH_MAX: u32 = 1 << 20;

/// The way the events' own times go, as far as a sample shows. Of a run that has read everything.
pub(super) fn of_own_times(run: &Run) -> Trend {
    let history = run.history();
    let reader = Reader::new(run);
    let last = history.last_record().0;
    let step = (last / STRETCHES).max(STRETCH);
    let mut trend = Trend::default();
    let starts = (1..=last).step_by(step as usize).take(STRETCHES as usize);
    for start in starts {
        let end = last.min(start.saturating_add(STRETCH - 1));
        for record in start..=end {
            let place = history.place(RecordNo(record));
            let place = place.filter(|place| place.length_bytes <= LENGTH_MAX);
            let bytes = place.and_then(|place| reader.bytes(place).ok());
            trend.see(bytes.and_then(|bytes| reader.time_of(&bytes)));
        }
        if !trend.goes_back() {
            break;
        }
    }
    trend
}
