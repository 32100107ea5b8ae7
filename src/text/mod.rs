//! What may be shown: safe text, widths, times, numbers. This room knows no terminal and no other
//! room; everything that reaches a screen or a printed table passes through it.

pub mod number;
pub mod safe;
pub mod time;
pub mod width;

pub use safe::Safe;
pub use time::Zone;
