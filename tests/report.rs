//! The incident report and the proof of a case: read again as a spreadsheet, a Markdown renderer and
//! a browser read them, with hostile text in every field, and searched for what must not leave.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::wildcard_enum_match_arm,
    reason = "a test fails by panicking, and on whatever is not ours"
)]

mod support;

#[path = "report/canary.rs"]
mod canary;
#[path = "report/common.rs"]
mod common;
#[path = "report/content.rs"]
mod content;
#[path = "report/files.rs"]
mod files;
#[path = "report/hostile.rs"]
mod hostile;
#[path = "report/parse.rs"]
mod parse;
#[path = "report/proof.rs"]
mod proof;
