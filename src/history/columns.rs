//! Compact columns: what every step has, and what only a few have.

use crate::model::compact::{Column, Offsets, Packed};
use crate::model::{Place, RecordNo};

/// A column that only a few steps have a value in, in the order of the steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sparse<T> {
    steps: Column<u32>,
    values: Column<T>,
}

impl<T> Default for Sparse<T> {
    fn default() -> Self {
        Self {
            steps: Column::default(),
            values: Column::default(),
        }
    }
}

impl<T: Copy> Sparse<T> {
    /// Adds the value of a step that comes after all others in the column.
    pub(super) fn push(&mut self, step: u32, value: T) {
        self.steps.push(step);
        self.values.push(value);
    }

    /// The step's value.
    pub(super) fn get(&self, step: u32) -> Option<T> {
        // What is asked for is often the last, and nearly always nothing.
        if self.steps.last().is_none_or(|last| last < step) {
            return None;
        }
        self.values.get(self.steps.binary_search(step)?)
    }

    /// The value at an index among the steps that have one.
    pub(super) fn value(&self, index: usize) -> Option<T> {
        self.values.get(index)
    }

    /// How many values from the first on `holds` is true for; it must be true for a prefix only.
    pub(super) fn values_until(&self, holds: impl Fn(T) -> bool) -> usize {
        self.values.partition_point(holds)
    }

    /// The steps that have a value, in order.
    pub(super) fn steps(&self) -> &Column<u32> {
        &self.steps
    }
}

/// Versions, of which nearly all are small: 0 for none, else one more than the version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Versions {
    next: Packed,
    /// Steps that carry the last version there is.
    last: Sparse<()>,
}

impl Versions {
    /// Adds the version of step number `step`, which is the next one.
    pub(super) fn push(&mut self, step: u32, version: Option<u64>) {
        let next = version.map_or(Some(0), |version| version.checked_add(1));
        if next.is_none() {
            self.last.push(step, ());
        }
        self.next.push(next.unwrap_or(0));
    }

    /// The version of a step.
    pub(super) fn get(&self, step: u32) -> Option<u64> {
        match self.next.get(step.checked_sub(1)? as usize)? {
            0 => self.last.get(step).map(|()| u64::MAX),
            next => Some(next - 1),
        }
    }
}

/// Where each record lies, in capture order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Records {
    offsets: Offsets,
    lengths: Packed,
    lines: Lines,
}

impl Records {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Notes where the next record lies.
    pub(crate) fn push(&mut self, place: Place) {
        self.offsets.push(place.offset_bytes);
        self.lengths.push(u64::from(place.length_bytes));
        self.lines
            .push(super::length(self.offsets.len()), place.line);
    }

    /// Where a record lies.
    pub(crate) fn place(&self, record: RecordNo) -> Option<Place> {
        let index = record.0.checked_sub(1)? as usize;
        Some(Place {
            offset_bytes: self.offsets.get(index)?,
            length_bytes: u32::try_from(self.lengths.get(index)?).ok()?,
            line: self.lines.get(record.0)?,
        })
    }
}

/// Line numbers, which nearly always grow by one a record: only where they do not is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Lines {
    records: Column<u32>,
    lines: Offsets,
}

impl Lines {
    /// Notes that `record`, which is the next one, starts on `line`.
    fn push(&mut self, record: u32, line: u64) {
        let last = self.records.len().wrapping_sub(1);
        if self.after(last, record) != Some(line) {
            self.records.push(record);
            self.lines.push(line);
        }
    }

    /// The line that a record starts on.
    fn get(&self, record: u32) -> Option<u64> {
        let begun = self.records.partition_point(|known| known <= record);
        self.after(begun.checked_sub(1)?, record)
    }

    fn after(&self, index: usize, record: u32) -> Option<u64> {
        let start = self.records.get(index)?;
        Some(self.lines.get(index)? + u64::from(record - start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_every_size_come_back() {
        let mut versions = Versions::default();
        let all = [
            None,
            Some(0),
            Some(7),
            Some(4_294_967_293),
            Some(4_294_967_294),
            Some(4_294_967_295),
            Some(u64::MAX),
        ];
        for (step, version) in (1..).zip(all) {
            versions.push(step, version);
        }
        for (step, version) in (1..).zip(all) {
            assert_eq!(versions.get(step), version);
        }
        assert_eq!(versions.get(0), None);
        assert_eq!(versions.get(8), None);
    }

    #[test]
    fn lines_survive_blank_ones_and_batches() {
        let mut lines = Lines::default();
        let all = [1, 2, 5, 5, 6, 90];
        for (record, line) in (1..).zip(all) {
            lines.push(record, line);
        }
        for (record, line) in (1..).zip(all) {
            assert_eq!(lines.get(record), Some(line));
        }
    }
}
