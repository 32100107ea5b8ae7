//! Random numbers that are the same everywhere: SplitMix64 (Steele, Lea and Flood, 2014).

/// A sequence of random numbers.
pub(super) struct Random {
    state: u64,
}

impl Random {
    /// The sequence of this seed.
    pub(super) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next number.
    pub(super) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below the limit. The remainder's bias is far below what a benchmark can see.
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// The same as an index.
    pub(super) fn index(&mut self, limit: u64) -> usize {
        usize::try_from(self.below(limit)).expect("an index fits")
    }

    /// True so many times in 100,000.
    pub(super) fn happens(&mut self, per_100_000: u64) -> bool {
        self.below(100_000) < per_100_000
    }
}
