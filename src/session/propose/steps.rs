//! How well one place counts up within another: each aggregate's events in the order of their numbers,
//! and what lies between one and the next.
//!
//! ```text
//! numbers, sorted    1      2      2      3      5
//! from one to next     +1      0     +1     +2
//!                     agrees shared agrees a gap
//! ```
//!
//! A log with gaps, conflicts and late events still agrees in most of its steps; amounts and counts of
//! other things share their numbers and come in no order.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::profile::{Event, Seen};

/// What stands at one place in each event.
pub(super) type Column = Vec<Option<Seen>>;

/// The events that are in one aggregate each.
#[derive(Debug)]
pub(super) struct Grouped {
    /// Each event's aggregate, counted from 0.
    of_event: Vec<Option<u32>>,
    /// Aggregates.
    pub(super) count: usize,
}

/// Where a step first goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Break {
    /// The record that carries the number behind it.
    pub(super) record: u32,
    /// The number before it in the aggregate.
    pub(super) before: u64,
    /// The number that comes; the same one for an event that shares its number.
    pub(super) number: u64,
}

/// What was counted of a pair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Steps {
    /// Events that have both.
    pub(super) events: usize,
    /// Aggregates.
    pub(super) groups: usize,
    /// Aggregates with more than one number.
    pub(super) counting: usize,
    /// Steps by one.
    pub(super) by_one: usize,
    /// Those of them that arrived the other way round.
    pub(super) late: usize,
    /// Steps over missing numbers.
    pub(super) gaps: usize,
    /// Events that carry a number that an earlier event of the aggregate has too.
    pub(super) shared: usize,
    /// The number that most aggregates begin with, and how many do.
    pub(super) first: (u64, usize),
    /// The earliest record that breaks the count.
    pub(super) breaks_at: Option<Break>,
    /// The numbers run through all aggregates in the order of the records.
    pub(super) runs_through: bool,
}

impl Steps {
    /// From one event of an aggregate to its next.
    pub(super) fn all(&self) -> usize {
        self.by_one + self.gaps + self.shared
    }

    /// Steps by one that arrived in order.
    pub(super) fn agree(&self) -> usize {
        self.by_one - self.late
    }

    /// The share of steps that agree, less what chance may have added: the lower end of Wilson's
    /// interval, which nineteen in twenty shares lie above (E. B. Wilson, 1927,
    /// <https://doi.org/10.1080/01621459.1927.10502953>).
    pub(super) fn sure_fit(&self) -> f64 {
        const Z: f64 = 1.645;
        let (agree, all) = (float(self.agree()), float(self.all()));
        if all < 1.0 {
            return 0.0;
        }
        let spread = (agree * (all - agree) / all + Z * Z / 4.0).sqrt();
        (agree + Z * Z / 2.0 - Z * spread) / (all + Z * Z)
    }

    /// The share of steps that count up by one, late or not.
    pub(super) fn by_one_share(&self) -> f64 {
        share(self.by_one, self.all())
    }

    /// The share that agrees, where each aggregate's beginning counts as a step too: it agrees where it is the
    /// usual one. A split of one aggregate by something else begins anywhere.
    pub(super) fn fit_with_starts(&self) -> f64 {
        share(self.agree() + self.first.1, self.all() + self.groups)
    }

    /// Whether aggregates begin anew: no counter of a transport does.
    pub(super) fn starts_over(&self) -> bool {
        self.first.1 > 1 && self.first.1 * 2 >= self.groups
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        float(part) / float(whole)
    }
}

#[allow(
    clippy::cast_precision_loss,
    reason = "a share of a few hundred thousand needs no more digits"
)]
fn float(count: usize) -> f64 {
    count as f64
}

/// What stands at a place in the first so many events.
pub(super) fn column(events: &[Event], place: usize) -> Column {
    let find = |event: &Event| {
        let mut values = event.values.iter();
        values
            .find(|(at, _)| *at as usize == place)
            .map(|(_, seen)| *seen)
    };
    events.iter().map(find).collect()
}

/// Puts the events together that have the same value and source.
pub(super) fn group(events: &[Event], values: &Column) -> Grouped {
    let mut numbers: HashMap<(u64, Seen), u32, FixedState> = HashMap::default();
    let mut of_event = Vec::with_capacity(values.len());
    for (event, value) in events.iter().zip(values) {
        let group = value.filter(|value| *value != Seen::Other).map(|value| {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            *numbers.entry((event.source_hash, value)).or_insert(next)
        });
        of_event.push(group);
    }
    Grouped {
        of_event,
        count: numbers.len(),
    }
}

/// Counts the steps of a place within aggregates.
pub(super) fn steps(events: &[Event], grouped: &Grouped, numbers: &Column) -> Steps {
    let both = events.iter().zip(&grouped.of_event).zip(numbers);
    let mut rows: Vec<(u32, u64, u32)> = both
        .filter_map(|((event, group), number)| match number {
            Some(Seen::Integer(number)) => Some(((*group)?, *number, event.record)),
            _ => None,
        })
        .collect();
    let mut steps = Steps {
        events: rows.len(),
        ..Steps::default()
    };
    let is_ascending = is_ascending(&rows);
    rows.sort_unstable();
    let mut firsts: HashMap<u64, usize, FixedState> = HashMap::default();
    for aggregate in rows.chunk_by(|one, next| one.0 == next.0) {
        one_aggregate(aggregate, &mut steps);
        if let Some((_, first, _)) = aggregate.first() {
            *firsts.entry(*first).or_default() += 1;
        }
    }
    // A capture that is newest first counts down.
    steps.late = steps.late.min(steps.by_one - steps.late);
    let commonest = firsts
        .into_iter()
        .max_by_key(|(first, count)| (*count, u64::MAX - first));
    steps.first = commonest.unwrap_or_default();
    steps.runs_through =
        steps.counting > 1 && !steps.starts_over() && is_ascending && is_dealt_out(&rows, &steps);
    steps
}

fn one_aggregate(rows: &[(u32, u64, u32)], steps: &mut Steps) {
    steps.groups += 1;
    // The first to arrive stands for its number.
    let mut last: Option<(u64, u32)> = None;
    let mut is_counting = false;
    for &(_, number, record) in rows {
        let Some((before, arrived)) = last else {
            last = Some((number, record));
            continue;
        };
        let is_by_one = number - before == 1;
        if is_by_one {
            steps.by_one += 1;
            steps.late += usize::from(record < arrived);
        } else {
            let here = Break {
                record,
                before,
                number,
            };
            let earliest = steps.breaks_at.filter(|known| known.record <= record);
            steps.breaks_at = earliest.or(Some(here));
            if number == before {
                steps.shared += 1;
                continue;
            }
            steps.gaps += 1;
        }
        is_counting = true;
        last = Some((number, record));
    }
    steps.counting += usize::from(is_counting);
}

/// Whether the numbers, in capture order, mostly go up or mostly go down.
fn is_ascending(rows: &[(u32, u64, u32)]) -> bool {
    let numbers = || rows.iter().map(|(_, number, _)| *number);
    let pairs = rows.len().saturating_sub(1);
    let mostly = |is: fn(u64, u64) -> bool| {
        let found = numbers().zip(numbers().skip(1));
        found.filter(|(one, next)| is(*one, *next)).count() * 10 >= pairs * 6
    };
    mostly(|one, next| one <= next) || mostly(|one, next| one >= next)
}

/// Whether the aggregates share one count between them: hardly a number is in two of them, and hardly
/// one is left out. Versions of two aggregates that reach over the same range are the same numbers.
fn is_dealt_out(rows: &[(u32, u64, u32)], steps: &Steps) -> bool {
    let in_groups = rows.len() - steps.shared;
    let mut numbers: Vec<u64> = rows.iter().map(|(_, number, _)| *number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let span = match (numbers.first(), numbers.last()) {
        (Some(first), Some(last)) => last - first,
        _ => 0,
    };
    let is_dense = usize::try_from(span).is_ok_and(|span| span < numbers.len().saturating_mul(3));
    is_dense && (in_groups - numbers.len()) * 20 < in_groups
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts of a log, each event its aggregate and number.
    fn counted(log: &[(u64, u64)]) -> Steps {
        let event = |(index, _): (usize, _)| Event {
            record: u32::try_from(index).unwrap_or(0) + 1,
            source_hash: 0,
            values: Vec::new(),
        };
        let events: Vec<Event> = log.iter().enumerate().map(event).collect();
        let names: Column = log.iter().map(|row| Some(Seen::Text(row.0))).collect();
        let numbers: Column = log.iter().map(|row| Some(Seen::Integer(row.1))).collect();
        steps(&events, &group(&events, &names), &numbers)
    }

    #[test]
    fn what_agrees_and_the_first_that_does_not() {
        let steps = counted(&[(7, 1), (8, 1), (7, 2), (8, 3), (7, 2), (7, 4), (7, 3)]);
        assert_eq!((steps.by_one, steps.late), (3, 1));
        assert_eq!((steps.gaps, steps.shared), (1, 1));
        let first = Break {
            record: 4,
            before: 1,
            number: 3,
        };
        assert_eq!(steps.breaks_at, Some(first));
        assert_eq!((steps.groups, steps.first), (2, (1, 2)));
        assert!(steps.starts_over() && !steps.runs_through);
    }

    #[test]
    fn newest_first_counts_as_well() {
        let steps = counted(&[(7, 3), (7, 2), (7, 1)]);
        assert_eq!((steps.agree(), steps.late), (2, 0));
    }

    #[test]
    fn a_counter_of_all_records_runs_through() {
        let log: Vec<_> = (0..20).map(|number| (number / 5, number)).collect();
        let steps = counted(&log);
        assert_eq!(steps.gaps, 0);
        assert!(steps.runs_through);
    }
}
