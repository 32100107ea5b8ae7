//! Opens a capture and runs the engine over it; looks back at its bytes for whoever asks.

mod recorder;
pub mod run;

pub use run::{Progress, Run};
