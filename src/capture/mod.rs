//! Bytes to JSON to framing to shape to records: the only room that knows formats.
//!
//! ```text
//! files ─▶ bytes ─▶ framing ─▶ json (tape, number, string, value) ─▶ shape ─▶ judge ─▶ take: a Record
//! ```

mod ansi;
mod archives;
pub mod bytes;
#[cfg(test)]
mod cases_tests;
pub mod compressed;
mod conformance;
mod desk;
pub mod digest;
mod error;
pub mod files;
mod follow;
pub mod framing;
pub mod json;
pub mod judge;
mod layout;
mod logged;
pub mod look;
pub mod number;
pub mod pieces;
pub mod plan;
mod refusal;
pub mod same;
pub mod shape;
mod skip;
mod stamp;
mod start;
mod statement;
pub mod string;
pub mod take;
pub mod tape;
pub mod template;
pub mod token;
pub mod tree;
mod twice;
pub mod unwrap;
pub mod value;

pub use bytes::{CaptureError, Input};
pub use compressed::Compression;
pub use files::Files;
pub use framing::{Chunk, Frame, Framer, Framing, FramingFacts, Tally};
pub use look::{Look, Position, Refused, Unreadable, look};
pub use same::{Comparison, Identity};
pub use stamp::{Change, Stamp};
pub use take::{MAX_RECORD_BYTES, Scratch, Taken, key_hash, take_apart, take_off_and_apart};
pub use template::{Template, TemplateError};
pub use tree::{Row, Tree};
pub use unwrap::{Asked, Only};
