//! The incident report: what was read, what is open, what people said about it.
//!
//! ```text
//! gather   history + capture + case ──▶ model: plain, bounded, masked
//! prose    model ──▶ blocks of text      ──▶ markdown, html (with picture)
//!          model ──▶ rows and members    ──▶ csv, json
//! ```
//!
//! Nothing is computed by a writer: what one format says, every format says. There is no clock in
//! here; the time of making is handed in, so that the same run and case give the same bytes.
//!
//! Payload values are masked where the model is gathered, so that no writer ever holds one that it
//! must not show (`item` says what counts as one). Identities, versions and states stay: without them
//! nobody can talk about the case.

mod csv;
mod gather;
mod html;
mod item;
mod markdown;
mod model;
mod picture;
mod prose;
mod span;
mod timeline;

pub use csv::write_csv;
pub use gather::{CaseInput, MarkInput, MarkPlace, Options, RemarkInput, gather};
pub use html::write_html;
pub use markdown::write_markdown;
pub use model::{CaseFile, Remark, Report};

use std::io::{self, Write};

/// At most so many unmarked open steps are listed for one state and reason; the rest is counted.
pub const OPEN_LISTED: usize = 200;

/// At most so many aggregates that wait, gates, marks and remarks are listed; the rest is counted.
pub const OTHERS_LISTED: usize = 1_000;

/// At most so many payload fields of one record are listed; the rest is counted.
pub const FIELDS_LISTED: usize = 200;

/// Of a longer text, so many bytes are shown, and how many more there are.
pub const TEXT_SHOWN_BYTES: usize = 2_048;

/// Writes the report as one JSON object; its members are the fields of [`Report`] in camel case.
pub fn write_json(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    super::json::to(out, report)?;
    writeln!(out)
}
