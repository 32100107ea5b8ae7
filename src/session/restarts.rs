//! Where the times of receipt start again: streams or files that stand one behind the other, each in
//! order by itself (Loki answers so), of which the records are read in an order that nobody received.
//!
//! ```text
//! times   /|  /|  /     start again, twice
//!        / | / | /
//!       /  |/  |/
//!
//! times      . /        one record is late: it comes back to where it was
//!          /' /
//!        /   '
//! ```
//!
//! As records pass, only what goes on for a while counts. A short stream cannot be told from a late
//! record by its times: there the bytes between the two records tell, once everything is read.

use super::reader::Reader;
use super::run::Run;
use crate::model::{Instant, RecordNo};

/// Times before a start that are kept; so many records on either side of one must be in order.
const KEPT: u32 = 8;

/// Fewer than these prove nothing.
const FEWEST: u32 = 3;

/// Between two records of one stream there is less.
const BETWEEN_MAX: u64 = 64 << 10;

/// Watches the times of receipt as the records pass.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Restarts {
    last: Option<Instant>,
    /// The last times, at their number in the run of those that do not go back.
    kept: [Option<Instant>; KEPT as usize],
    rising: u32,
    /// Records since the last start.
    length: u32,
    candidate: Option<Candidate>,
    count: u64,
    first: Option<RecordNo>,
    back: u64,
    first_back: Option<RecordNo>,
}

/// A record that went back to before the last ones, and those behind it.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    record: RecordNo,
    /// All of them must be before this.
    floor: Instant,
    wanted: u32,
    seen: u32,
}

impl Restarts {
    #[inline]
    pub(super) fn see(&mut self, record: RecordNo, received_at: Option<Instant>) {
        let Some(at) = received_at else {
            return;
        };
        if self.last.is_some_and(|last| at < last) {
            self.go_back(record, at);
        }
        self.last = Some(at);
        if let Some(kept) = self.kept.get_mut((self.rising % KEPT) as usize) {
            *kept = Some(at);
        }
        self.rising = self.rising.wrapping_add(1);
        self.length = self.length.saturating_add(1);
        if self.candidate.is_some() {
            self.go_on(at);
        }
    }

    #[cold]
    fn go_back(&mut self, record: RecordNo, at: Instant) {
        self.back += 1;
        self.first_back.get_or_insert(record);
        let wanted = (self.length / 2).min(KEPT);
        let before = self.rising.wrapping_sub(wanted) % KEPT;
        let floor = self.kept.get(before as usize).copied().flatten();
        let floor = floor.filter(|floor| at < *floor);
        self.candidate = floor
            .filter(|_| wanted >= FEWEST && self.rising >= wanted)
            .map(|floor| Candidate {
                record,
                floor,
                wanted,
                seen: 0,
            });
        self.rising = 0;
    }

    #[cold]
    fn go_on(&mut self, at: Instant) {
        let Some(candidate) = &mut self.candidate else {
            return;
        };
        if at >= candidate.floor {
            self.candidate = None;
            return;
        }
        candidate.seen += 1;
        if candidate.seen >= candidate.wanted {
            self.count += 1;
            self.first.get_or_insert(candidate.record);
            self.length = candidate.seen;
            self.candidate = None;
        }
    }

    /// How often the times start again, and where first. Of a run that has read everything.
    pub(super) fn found(&self, run: &Run) -> Option<(u64, RecordNo)> {
        let (count, record) = match self.first {
            Some(first) => (self.count, first),
            None => (self.back, self.first_back?),
        };
        if self.first.is_none() && !begins_stream(run, record) {
            return None;
        }
        // Of a partition the offsets tell the order, and no aggregate lies in two of them.
        let seen = Reader::new(run).facts(&run.history(), record);
        let partition = seen.transport.and_then(|transport| transport.partition);
        partition.is_none().then_some((count, record))
    }
}

/// Whether another stream or file begins between a record and the one that was read before it.
fn begins_stream(run: &Run, record: RecordNo) -> bool {
    let history = run.history();
    let place = |record: u32| history.place(RecordNo(record));
    let (Some(before), Some(here)) = (place(record.0.saturating_sub(1)), place(record.0)) else {
        return false;
    };
    let input = run.input();
    if input.name_at(before.offset_bytes) != input.name_at(here.offset_bytes) {
        return true;
    }
    // Read from the end, the one before stands behind.
    let (first, second) = if before.offset_bytes < here.offset_bytes {
        (before, here)
    } else {
        (here, before)
    };
    let start = first.offset_bytes + u64::from(first.length_bytes);
    let length = second.offset_bytes.saturating_sub(start);
    let length = Some(length).filter(|length| *length <= BETWEEN_MAX);
    let length = length.and_then(|length| usize::try_from(length).ok());
    let mut between = vec![0; length.unwrap_or(0)];
    // What Loki calls the lines of a stream.
    input.read_exact_at(start, &mut between).is_ok()
        && memchr::memmem::find(&between, b"\"values\"").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often times start again, and at which record first.
    fn restarts(seconds: &[i64]) -> Option<(u64, u32)> {
        let mut restarts = Restarts::default();
        for (number, second) in (1..).zip(seconds) {
            let at = Instant {
                seconds: *second,
                nanoseconds: 0,
            };
            restarts.see(RecordNo(number), Some(at));
            restarts.see(RecordNo(number), None);
        }
        restarts.first.map(|first| (restarts.count, first.0))
    }

    #[test]
    fn streams_one_behind_the_other_start_again() {
        assert_eq!(
            restarts(&[0, 2, 4, 6, 8, 10, 12, 1, 3, 5, 7, 9, 11, 13]),
            Some((1, 8))
        );
        let stream = |from: i64| (0..200).map(move |second| from + second * 3);
        let streams: Vec<_> = stream(0).chain(stream(1)).chain(stream(2)).collect();
        assert_eq!(restarts(&streams), Some((2, 201)));
        // The second one begins further on.
        let streams: Vec<_> = stream(0).chain(stream(300)).collect();
        assert_eq!(restarts(&streams), Some((1, 201)));
    }

    #[test]
    fn records_out_of_order_and_a_wrong_clock_do_not() {
        let rising: Vec<i64> = (0..1_000).collect();
        assert_eq!(restarts(&rising), None);
        for late in [1, 10, 500] {
            // Every fiftieth is late, or two of them are.
            for pair in [false, true] {
                let mut times = rising.clone();
                for (number, time) in times.iter_mut().enumerate() {
                    if number % 50 == 40 || pair && number % 50 == 41 {
                        *time -= late;
                    }
                }
                assert_eq!(restarts(&times), None, "{late} {pair}");
            }
        }
        // One is far ahead.
        let mut times = rising.clone();
        if let Some(time) = times.get_mut(500) {
            *time = 5_000;
        }
        assert_eq!(restarts(&times), None);
        let newest_first: Vec<_> = rising.iter().rev().copied().collect();
        assert_eq!(restarts(&newest_first), None);
        // Times in no order at all.
        let mut state = 7_u64;
        let noise = std::iter::repeat_with(|| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            i64::try_from(state >> 44).unwrap_or(0)
        });
        let noise: Vec<_> = noise.take(20_000).collect();
        assert_eq!(restarts(&noise), None);
        assert_eq!(restarts(&[1, 2, 3, 1, 2, 3]), None, "too few to tell");
    }
}
