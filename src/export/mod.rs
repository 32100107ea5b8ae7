//! What leaves the program: the trace document and its summary, and the incident report, from the
//! same history as the screen.

mod document;
mod json;
pub mod report;
mod shape;
mod step;
mod summary;
mod table;

pub use document::Prefix;
pub use step::write_step;
pub use summary::{write_evidence, write_summary};
pub use table::Table;
