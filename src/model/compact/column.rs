//! Values end to end, in blocks of a fixed size: growing moves nothing that is already there.

const SHIFT: u32 = 14;
const BLOCK: usize = 1 << SHIFT;

/// A list that only grows at its end. Small ones cost no more than a vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column<T> {
    blocks: Vec<Vec<T>>,
    length: usize,
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self {
            blocks: Vec::new(),
            length: 0,
        }
    }
}

impl<T> Column<T> {
    /// How many values there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Adds a value at the end.
    #[inline]
    pub fn push(&mut self, value: T) {
        self.length += 1;
        if let Some(last) = self.blocks.last_mut()
            && last.len() < BLOCK
        {
            last.push(value);
            return;
        }
        self.begin_block(value);
    }

    #[cold]
    fn begin_block(&mut self, value: T) {
        // Only the first block grows by doubling: most columns of a small capture stay small.
        let mut block = if self.blocks.is_empty() {
            Vec::new()
        } else {
            Vec::with_capacity(BLOCK)
        };
        block.push(value);
        self.blocks.push(block);
    }

    /// The value at an index from 0, where it stands.
    #[inline]
    pub fn get_ref(&self, index: usize) -> Option<&T> {
        self.blocks.get(index >> SHIFT)?.get(index & (BLOCK - 1))
    }

    /// The place of the value at an index from 0.
    #[inline]
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.blocks
            .get_mut(index >> SHIFT)?
            .get_mut(index & (BLOCK - 1))
    }
}

impl<T: Copy> Column<T> {
    /// The value at an index from 0.
    #[inline]
    pub fn get(&self, index: usize) -> Option<T> {
        self.blocks
            .get(index >> SHIFT)?
            .get(index & (BLOCK - 1))
            .copied()
    }

    /// The place of the value at an index, with `fresh` in all places up to it that were missing.
    #[inline]
    pub fn slot(&mut self, index: usize, fresh: T) -> Option<&mut T> {
        while self.length <= index {
            self.push(fresh);
        }
        self.get_mut(index)
    }

    /// The last value.
    pub fn last(&self) -> Option<T> {
        self.blocks.last()?.last().copied()
    }

    /// How many values from the start `holds` is true for; it must be true for a prefix only.
    pub fn partition_point(&self, holds: impl Fn(T) -> bool) -> usize {
        let begins = |block: &Vec<T>| block.first().is_some_and(|first| holds(*first));
        let blocks = self.blocks.partition_point(begins);
        let Some(last) = blocks.checked_sub(1) else {
            return 0;
        };
        let within = self
            .blocks
            .get(last)
            .map_or(0, |block| block.partition_point(|value| holds(*value)));
        last * BLOCK + within
    }

    /// All values from an index on, in order.
    pub fn iter_from(&self, index: usize) -> impl Iterator<Item = T> + '_ {
        let blocks = self.blocks.get(index >> SHIFT..).unwrap_or(&[]);
        blocks.iter().flatten().copied().skip(index & (BLOCK - 1))
    }

    /// The values in `start..end` that lie in the block of `start`: all of them where both lie in
    /// one stretch of [`Self::STRETCH`] values.
    pub fn stretch(&self, start: usize, end: usize) -> &[T] {
        let base = start & !(BLOCK - 1);
        let Some(block) = self.blocks.get(start >> SHIFT) else {
            return &[];
        };
        let end = end.min(base + block.len());
        block
            .get(start - base..end.max(start) - base)
            .unwrap_or(&[])
    }

    /// Every multiple of this many values begins a stretch.
    pub const STRETCH: usize = BLOCK;
}

impl Column<u32> {
    /// Where a value stands in a column that rises.
    pub fn binary_search(&self, wanted: u32) -> Option<usize> {
        let index = self.partition_point(|value| value < wanted);
        (self.get(index) == Some(wanted)).then_some(index)
    }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::cast_possible_truncation,
        reason = "a test's numbers are small"
    )]

    use super::*;

    #[test]
    fn values_come_back_across_blocks() {
        let mut column = Column::default();
        let last = 3 * BLOCK + 5;
        for value in 0..last {
            column.push(2 * value as u32);
        }
        assert_eq!(column.len(), last);
        for index in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, last - 1] {
            let value = 2 * index as u32;
            assert_eq!(column.get(index), Some(value));
            assert_eq!(column.binary_search(value), Some(index));
            assert_eq!(column.binary_search(value + 1), None);
            assert_eq!(column.partition_point(|known| known <= value), index + 1);
            assert_eq!(column.iter_from(index).next(), Some(value));
            assert_eq!(column.iter_from(index).count(), last - index);
        }
        assert_eq!(column.get(last), None);
        assert_eq!(column.last(), Some(2 * (last as u32 - 1)));
        assert_eq!(column.partition_point(|_| false), 0);
        assert_eq!(column.partition_point(|_| true), last);
    }

    #[test]
    fn a_stretch_ends_with_its_block() {
        let mut column = Column::default();
        for value in 0..BLOCK as u32 + 10 {
            column.push(value);
        }
        assert_eq!(column.stretch(3, 6), [3, 4, 5]);
        assert_eq!(column.stretch(BLOCK, 2 * BLOCK).len(), 10);
        assert_eq!(column.stretch(6, 3), [0u32; 0]);
        assert_eq!(column.stretch(5 * BLOCK, 6 * BLOCK), [0u32; 0]);
        *column.slot(BLOCK + 12, 7).unwrap_or(&mut 0) = 9;
        assert_eq!(
            column.stretch(BLOCK + 9, BLOCK + 13),
            [BLOCK as u32 + 9, 7, 7, 9]
        );
    }
}
