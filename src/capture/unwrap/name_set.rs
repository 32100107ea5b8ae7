//! Sets of names as bits: which shapes an object can have is then a comparison of bits for each.

/// A set of the names that shapes ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Names {
    /// A bit for each.
    pub(super) words: [u128; WORDS],
}

/// Words of bits, enough for the names of all shapes.
pub(super) const WORDS: usize = 3;

impl Names {
    pub(super) fn with(mut self, bit: u32) -> Self {
        if let Some(word) = self.words.get_mut((bit / u128::BITS) as usize) {
            *word |= 1 << (bit % u128::BITS);
        }
        self
    }

    pub(super) fn has_all(self, wanted: Self) -> bool {
        let pairs = self.words.into_iter().zip(wanted.words);
        pairs
            .into_iter()
            .all(|(have, wanted)| have & wanted == wanted)
    }

    pub(super) fn has_any(self, unwanted: Self) -> bool {
        let mut pairs = self.words.into_iter().zip(unwanted.words);
        pairs.any(|(have, unwanted)| have & unwanted != 0)
    }
}
