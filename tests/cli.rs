//! The command line from outside: the real binary, its exit codes, what it prints where, and what it
//! says when something cannot be used.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[path = "cli/beside.rs"]
mod beside;
#[path = "cli/common.rs"]
mod common;
#[path = "cli/compressed.rs"]
mod compressed;
#[path = "cli/contracts.rs"]
mod contracts;
#[path = "cli/files.rs"]
mod files;
#[path = "cli/fit.rs"]
mod fit;
#[path = "cli/formats.rs"]
mod formats;
#[path = "cli/init.rs"]
mod init;
#[path = "cli/order.rs"]
mod order;
#[path = "cli/refusals.rs"]
mod refusals;
#[path = "cli/reverse.rs"]
mod reverse;
#[path = "cli/shapes.rs"]
mod shapes;
#[path = "cli/streams.rs"]
mod streams;
#[path = "cli/usage.rs"]
mod usage;
