//! The terminal: entering and leaving it, what comes from it, keys, and looks. What the inspector
//! is, without a terminal, lives in `app`; here it only meets one.

mod clipboard;
pub mod events;
pub mod keys;
pub mod run;
pub mod signals;
pub mod terminal;
pub mod theme;
pub mod view;

pub use run::{Ended, RunError, run};
