//! Compact columns: what every step has, and what only a few have.

/// A column that only a few steps have a value in, in the order of the steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sparse<T> {
    steps: Vec<u32>,
    values: Vec<T>,
}

impl<T> Default for Sparse<T> {
    fn default() -> Self {
        Self {
            steps: Vec::new(),
            values: Vec::new(),
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
        let index = self.steps.binary_search(&step).ok()?;
        self.values.get(index).copied()
    }

    /// The steps that have a value, in order.
    pub(super) fn steps(&self) -> &[u32] {
        &self.steps
    }
}

/// Versions, of which nearly all are small: four bytes each, larger ones aside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Versions {
    small: Vec<u32>,
    large: Sparse<u64>,
}

const ABSENT: u32 = u32::MAX;
const LARGE: u32 = u32::MAX - 1;

impl Versions {
    /// Adds the version of step number `step`, which is the next one.
    pub(super) fn push(&mut self, step: u32, version: Option<u64>) {
        let small = match version {
            None => ABSENT,
            Some(version) => match u32::try_from(version) {
                Ok(small) if small < LARGE => small,
                _ => {
                    self.large.push(step, version);
                    LARGE
                }
            },
        };
        self.small.push(small);
    }

    /// The version of a step.
    pub(super) fn get(&self, step: u32) -> Option<u64> {
        match *self.small.get(step.checked_sub(1)? as usize)? {
            ABSENT => None,
            LARGE => self.large.get(step),
            small => Some(u64::from(small)),
        }
    }
}

/// Line numbers, which nearly always grow by one a record: only where they do not is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines {
    records: Vec<u32>,
    lines: Vec<u64>,
}

impl Lines {
    /// Notes that `record` starts on `line`.
    pub(super) fn push(&mut self, record: u32, line: u64) {
        if self.get(record) != Some(line) {
            self.records.push(record);
            self.lines.push(line);
        }
    }

    /// The line that a record starts on.
    pub(super) fn get(&self, record: u32) -> Option<u64> {
        let index = self
            .records
            .partition_point(|known| *known <= record)
            .checked_sub(1)?;
        let start = self.records.get(index)?;
        let line = self.lines.get(index)?;
        Some(line + u64::from(record - start))
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
