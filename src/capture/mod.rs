//! Bytes to JSON to framing to shape to records: the only room that knows formats.

pub mod json;
pub mod number;
pub mod string;
pub mod tape;
pub mod value;
