//! Compact containers for what grows with a capture: history and engine keep millions of small
//! numbers, and a byte a record is ten megabytes of ten million.
//!
//! - [`Column`]: values end to end, in blocks, so that growing copies nothing and wastes little.
//! - [`Packed`]: numbers that are nearly always small, each block as wide as its largest.
//! - [`Offsets`]: positions in something large, four bytes each.
//! - [`TagTable`]: finds what may be equal by a part of its hash; the caller compares.

mod column;
mod packed;
mod table;

pub use column::Column;
pub use packed::{Offsets, Packed};
pub use table::{TagTable, hash_of};

#[cfg(test)]
pub(crate) use table::with_colliding_hashes;
