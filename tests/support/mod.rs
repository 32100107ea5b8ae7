//! What the integration tests share: a terminal to run the real binary in, and the hostile inputs.
//!
//! Each test crate says `mod support;` and takes what it needs.
#![allow(
    dead_code,
    reason = "every test crate compiles this and uses a part of it"
)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says where it had to skip"
)]

pub(crate) mod given_back;
pub(crate) mod hostile;
pub(crate) mod keys;
pub(crate) mod terminal;
