//! Numbers that are nearly always small, as wide as they must be and no wider.

use super::Column;

const SHIFT: u32 = 10;
const BLOCK: usize = 1 << SHIFT;

/// Numbers by index from 0; each block of them is as wide as its largest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    blocks: Vec<Block>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Block {
    One(Vec<u8>),
    Two(Vec<u16>),
    Four(Vec<u32>),
    Eight(Vec<u64>),
}

impl Block {
    fn len(&self) -> usize {
        match self {
            Self::One(values) => values.len(),
            Self::Two(values) => values.len(),
            Self::Four(values) => values.len(),
            Self::Eight(values) => values.len(),
        }
    }

    fn get(&self, index: usize) -> Option<u64> {
        match self {
            Self::One(values) => values.get(index).map(|value| u64::from(*value)),
            Self::Two(values) => values.get(index).map(|value| u64::from(*value)),
            Self::Four(values) => values.get(index).map(|value| u64::from(*value)),
            Self::Eight(values) => values.get(index).copied(),
        }
    }

    /// Adds a value where it is not too wide for this block.
    fn push(&mut self, value: u64) -> bool {
        match self {
            Self::One(values) => u8::try_from(value).map(|value| values.push(value)).is_ok(),
            Self::Two(values) => u16::try_from(value).map(|value| values.push(value)).is_ok(),
            Self::Four(values) => u32::try_from(value).map(|value| values.push(value)).is_ok(),
            Self::Eight(values) => {
                values.push(value);
                true
            }
        }
    }

    /// The same values, wide enough for `value`, with room for a whole block where `is_roomy`.
    fn widened(&self, value: u64, is_roomy: bool) -> Self {
        let room = if is_roomy { BLOCK } else { self.len() + 1 };
        let values = (0..self.len()).filter_map(|index| self.get(index));
        // Every value is below the largest that the new width holds: it was in a narrower block.
        if u16::try_from(value).is_ok() {
            let mut wide = Vec::with_capacity(room);
            wide.extend(values.filter_map(|value| u16::try_from(value).ok()));
            Self::Two(wide)
        } else if u32::try_from(value).is_ok() {
            let mut wide = Vec::with_capacity(room);
            wide.extend(values.filter_map(|value| u32::try_from(value).ok()));
            Self::Four(wide)
        } else {
            let mut wide = Vec::with_capacity(room);
            wide.extend(values);
            Self::Eight(wide)
        }
    }
}

impl Packed {
    /// Adds a number at the end.
    #[inline]
    pub fn push(&mut self, value: u64) {
        if let Some(last) = self.blocks.last_mut()
            && last.len() < BLOCK
            && last.push(value)
        {
            return;
        }
        self.push_slowly(value);
    }

    #[cold]
    fn push_slowly(&mut self, value: u64) {
        let is_roomy = self.blocks.len() > 1;
        match self.blocks.last_mut() {
            Some(last) if last.len() < BLOCK => {
                *last = last.widened(value, is_roomy);
                last.push(value);
            }
            Some(_) | None => {
                let room = if self.blocks.is_empty() { 1 } else { BLOCK };
                let mut block = Block::One(Vec::with_capacity(room));
                if !block.push(value) {
                    block = block.widened(value, !self.blocks.is_empty());
                    block.push(value);
                }
                self.blocks.push(block);
            }
        }
    }

    /// The number at an index.
    #[inline]
    pub fn get(&self, index: usize) -> Option<u64> {
        self.blocks.get(index >> SHIFT)?.get(index & (BLOCK - 1))
    }
}

/// Positions in something large, such as a file, which never fall: their low halves, and where the
/// high half changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offsets {
    low: Column<u32>,
    /// From which index on the high half is another one.
    highs: Vec<(usize, u32)>,
}

impl Offsets {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.low.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.low.is_empty()
    }

    /// Adds a position at the end.
    #[inline]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "the halves are what is kept"
    )]
    pub fn push(&mut self, offset: u64) {
        let high = (offset >> 32) as u32;
        if self.highs.last().map_or(0, |(_, high)| *high) != high {
            self.highs.push((self.low.len(), high));
        }
        self.low.push(offset as u32);
    }

    /// The position at an index.
    #[inline]
    pub fn get(&self, index: usize) -> Option<u64> {
        let low = u64::from(self.low.get(index)?);
        if self.highs.is_empty() {
            return Some(low);
        }
        let changes = self.highs.partition_point(|(from, _)| *from <= index);
        let high = changes
            .checked_sub(1)
            .and_then(|change| self.highs.get(change))
            .map_or(0, |(_, high)| *high);
        Some((u64::from(high) << 32) | low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn numbers() -> impl Strategy<Value = u64> {
        prop_oneof![
            20 => 0u64..256,
            2 => any::<u16>().prop_map(u64::from),
            2 => any::<u32>().prop_map(u64::from),
            1 => any::<u64>(),
            1 => Just(u64::MAX),
        ]
    }

    proptest! {
        #[test]
        fn numbers_of_every_size_come_back(
            numbers in prop::collection::vec(numbers(), 0..40),
            plain in 0usize..2_500,
        ) {
            let mut packed = Packed::default();
            for _ in 0..plain {
                packed.push(7);
            }
            for number in &numbers {
                packed.push(*number);
            }
            for index in 0..plain {
                prop_assert_eq!(packed.get(index), Some(7));
            }
            for (index, number) in numbers.iter().enumerate() {
                prop_assert_eq!(packed.get(plain + index), Some(*number));
            }
            prop_assert_eq!(packed.get(plain + numbers.len()), None);
        }

        #[test]
        fn offsets_come_back(mut numbers in prop::collection::vec(numbers(), 0..60)) {
            numbers.sort_unstable();
            let mut offsets = Offsets::default();
            for number in &numbers {
                offsets.push(*number);
            }
            for (index, number) in numbers.iter().enumerate() {
                prop_assert_eq!(offsets.get(index), Some(*number));
            }
            prop_assert_eq!(offsets.get(numbers.len()), None);
        }
    }
}
