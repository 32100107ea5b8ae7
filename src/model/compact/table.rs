//! Finds what may be equal by a part of its hash, in about ten bytes an entry at any size.
//!
//! No keys are kept: an entry is 32 bits of a hash (its tag) and a number that the caller knows. The
//! table is split by further eight bits into shards, each of which is a row of entries sorted by tag
//! with gaps between, where an entry stands at or after the place that its tag asks for:
//!
//! ```text
//! tags     .  03 07 .  .  41 42 43 .  71 .  .  b0 b1 .  f5
//! ```
//!
//! So a look-up that finds nothing, which is nearly every one, ends at the first gap or larger tag,
//! within one or two cache lines. A full shard grows by three eighths, a pass over its row, and no more
//! than one shard is ever held twice: the peak stays at the size.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;

const SHARDS: usize = 256;

/// Slots of a cache line.
const LINE: usize = 8;

/// Numbers by hash tag. Several entries may have the same tag, and even the same hash.
#[derive(Clone, Default)]
pub struct TagTable {
    shards: Vec<Shard>,
    length: usize,
}

/// A row of entries: tag in the high half, number + 1 in the low one, 0 where there is none.
#[derive(Clone, Debug, Default)]
struct Shard {
    slots: Vec<u64>,
    /// Places that tags ask for; the row may be longer.
    homes: u32,
    length: u32,
}

impl std::fmt::Debug for TagTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TagTable")
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}

/// A hash whose every bit depends on all of the value; the same on every machine.
#[inline]
pub fn hash_of(value: impl Hash) -> u64 {
    FixedState::default().hash_one(value)
}

/// Shard and tag of a hash. The bits of a fast hash are not alike in worth, so they are mixed.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "a tag is a part of a hash")]
fn split(hash: u64) -> (usize, u32) {
    let hash = seam::narrowed(hash);
    let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = mixed ^ (mixed >> 29);
    ((mixed >> 56) as usize, (mixed >> 16) as u32)
}

/// Where a test makes every hash collide; otherwise nothing.
mod seam {
    #[cfg(not(test))]
    pub(super) fn narrowed(hash: u64) -> u64 {
        hash
    }

    #[cfg(test)]
    pub(super) use testing::{collide, narrowed};

    #[cfg(test)]
    mod testing {
        use std::cell::Cell;

        thread_local! {
            static MASK: Cell<u64> = const { Cell::new(u64::MAX) };
        }

        pub(in super::super) fn narrowed(hash: u64) -> u64 {
            hash & MASK.get()
        }

        /// Runs something with only two bits left of every hash on this thread.
        pub(in super::super) fn collide<T>(run: impl FnOnce() -> T) -> T {
            MASK.set(3);
            let result = run();
            MASK.set(u64::MAX);
            result
        }
    }
}

/// Runs something with hashes that have two bits, so that nearly all collide.
#[cfg(test)]
pub(crate) fn with_colliding_hashes<T>(run: impl FnOnce() -> T) -> T {
    seam::collide(run)
}

#[inline]
fn tag_of(slot: u64) -> u32 {
    (slot >> 32) as u32
}

#[inline]
#[allow(
    clippy::cast_possible_truncation,
    reason = "the low half is the number"
)]
fn number_of(slot: u64) -> u32 {
    (slot as u32).wrapping_sub(1)
}

#[inline]
fn slot_of(tag: u32, number: u32) -> u64 {
    (u64::from(tag) << 32) | u64::from(number.wrapping_add(1))
}

impl TagTable {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The first number under this hash that `is_it`.
    #[inline]
    pub fn find(&self, hash: u64, is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        let (shard, tag) = split(hash);
        let shard = self.shards.get(shard)?;
        let index = shard.find(tag, is_it)?;
        shard.slots.get(index).map(|slot| number_of(*slot))
    }

    /// What stands where the first number under this hash would, and a cache line further, where an
    /// insertion finds its gap: brings both near, so that what follows need not wait for memory. Says
    /// nothing.
    #[inline]
    pub fn touch(&self, hash: u64) -> u64 {
        let (shard, tag) = split(hash);
        let Some(shard) = self.shards.get(shard) else {
            return 0;
        };
        let home = shard.home(tag);
        let slot = |index: usize| shard.slots.get(index).copied().unwrap_or(0);
        slot(home) ^ slot(home + LINE)
    }

    /// Puts `number` in the place of the first number under this hash that `is_it`; whether there
    /// was one.
    #[inline]
    pub fn replace(&mut self, hash: u64, number: u32, is_it: impl FnMut(u32) -> bool) -> bool {
        let (shard, tag) = split(hash);
        let Some(shard) = self.shards.get_mut(shard) else {
            return false;
        };
        let Some(index) = shard.find(tag, is_it) else {
            return false;
        };
        if let Some(slot) = shard.slots.get_mut(index) {
            *slot = slot_of(tag, number);
        }
        true
    }

    /// Adds a number, which is below `u32::MAX`, after all others under this hash.
    #[inline]
    pub fn insert(&mut self, hash: u64, number: u32) {
        let (shard, tag) = split(hash);
        if self.shards.is_empty() {
            self.shards.resize_with(SHARDS, Shard::default);
        }
        if let Some(shard) = self.shards.get_mut(shard) {
            shard.insert(tag, number);
            self.length += 1;
        }
    }

    /// Takes the first number under this hash that `is_it` out of the table.
    pub fn remove(&mut self, hash: u64, is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        let (shard, tag) = split(hash);
        let shard = self.shards.get_mut(shard)?;
        let index = shard.find(tag, is_it)?;
        let number = shard.slots.get(index).map(|slot| number_of(*slot));
        shard.remove(index);
        self.length -= 1;
        number
    }
}

impl Shard {
    #[inline]
    fn home(&self, tag: u32) -> usize {
        ((u64::from(tag) * u64::from(self.homes)) >> 32) as usize
    }

    #[inline]
    fn find(&self, tag: u32, mut is_it: impl FnMut(u32) -> bool) -> Option<usize> {
        let home = self.home(tag);
        let row = self.slots.get(home..)?;
        for (offset, slot) in row.iter().enumerate() {
            if *slot == 0 || tag_of(*slot) > tag {
                return None;
            }
            if tag_of(*slot) == tag && is_it(number_of(*slot)) {
                return Some(home + offset);
            }
        }
        None
    }

    fn insert(&mut self, tag: u32, number: u32) {
        if u64::from(self.length) * 16 >= u64::from(self.homes) * 13 {
            self.grow();
        }
        self.length += 1;
        let home = self.home(tag);
        let row = self.slots.get(home..).unwrap_or(&[]);
        let passed = row
            .iter()
            .take_while(|slot| **slot != 0 && tag_of(**slot) <= tag)
            .count();
        let index = home + passed;
        let gap = row
            .iter()
            .skip(passed)
            .position(|slot| *slot == 0)
            .map_or(self.slots.len(), |offset| index + offset);
        if gap == self.slots.len() {
            self.slots.reserve_exact(4);
            self.slots.push(0);
        }
        self.slots.copy_within(index..gap, index + 1);
        if let Some(slot) = self.slots.get_mut(index) {
            *slot = slot_of(tag, number);
        }
    }

    /// Closes the gap that a removed entry would leave, as far as others stand after their place.
    fn remove(&mut self, index: usize) {
        self.length -= 1;
        let moves = |at: usize| {
            let slot = self.slots.get(at).copied().filter(|slot| *slot != 0);
            slot.is_some_and(|slot| self.home(tag_of(slot)) < at)
        };
        let mut end = index + 1;
        while moves(end) {
            end += 1;
        }
        self.slots.copy_within(index + 1..end, index);
        if let Some(slot) = self.slots.get_mut(end - 1) {
            *slot = 0;
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.homes = self.homes + self.homes / 8 * 3 + 4;
        let old = std::mem::take(&mut self.slots);
        let mut row = Vec::with_capacity(self.homes as usize + 4);
        for slot in old.into_iter().filter(|slot| *slot != 0) {
            let home = self.home(tag_of(slot));
            if row.len() < home {
                row.resize(home, 0);
            }
            row.push(slot);
        }
        if row.len() < self.homes as usize {
            row.resize(self.homes as usize, 0);
        }
        self.slots = row;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_hundred_thousand_numbers_are_found_and_nothing_else() {
        let mut table = TagTable::default();
        let last = 100_000;
        for number in 0..last {
            assert_eq!(table.find(hash_of(number), |found| found == number), None);
            table.insert(hash_of(number), number);
        }
        let mut false_hits = 0;
        for number in 0..last {
            let found = table.find(hash_of(number), |found| found == number);
            assert_eq!(found, Some(number));
            let missing = hash_of(u64::from(number) + 1_000_000);
            false_hits += u32::from(table.find(missing, |_| true).is_some());
        }
        assert!(false_hits < 3, "{false_hits} hashes share shard and tag");
        assert_eq!(table.len(), 100_000);
        let slots: usize = table
            .shards
            .iter()
            .map(|shard| shard.slots.capacity())
            .sum();
        assert!(slots * 8 < 12 * table.len(), "{slots} slots");
    }

    proptest! {
        /// Against a plain list, with hashes that fall together often.
        #[test]
        fn agrees_with_a_list(
            moves in prop::collection::vec((0u8..5, 0u64..24), 0..300),
            is_colliding in any::<bool>(),
        ) {
            let run = || {
                let mut table = TagTable::default();
                let mut plain: Vec<(u64, u32)> = Vec::new();
                for (number, (what, key)) in (0u32..).zip(moves) {
                    let hash = hash_of(key);
                    let is_it = |plain: &[(u64, u32)], found: u32| plain.contains(&(key, found));
                    let known = plain.iter().position(|(known, _)| *known == key);
                    match what {
                        0 => {
                            let replaced = table.replace(hash, number, |found| is_it(&plain, found));
                            assert_eq!(replaced, known.is_some());
                            if let Some(slot) = known.and_then(|known| plain.get_mut(known)) {
                                slot.1 = number;
                            }
                        }
                        1 => {
                            let removed = table.remove(hash, |found| is_it(&plain, found));
                            assert_eq!(removed, known.map(|known| plain.remove(known).1));
                        }
                        _ => {
                            table.insert(hash, number);
                            plain.push((key, number));
                        }
                    }
                    for key in 0..24 {
                        let is_it = |found| plain.contains(&(key, found));
                        let first = plain.iter().find(|(known, _)| *known == key);
                        let found = table.find(hash_of(key), is_it);
                        assert_eq!(found, first.map(|(_, number)| *number), "key {key}");
                    }
                    assert_eq!(table.len(), plain.len());
                }
            };
            if is_colliding {
                with_colliding_hashes(run);
            } else {
                run();
            }
        }
    }
}
