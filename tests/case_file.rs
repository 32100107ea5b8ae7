//! The case file under everything that can happen to it: power cuts, failing operations, kill -9,
//! a second window, changed bytes, another capture.
//!
//! Permissions do not bind root, so that folders that cannot be written to are played by a disk of
//! the tests' own, which also forgets everything since the last sync.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[path = "case_file/common.rs"]
mod common;
#[path = "case_file/crash.rs"]
mod crash;
#[path = "case_file/disk.rs"]
mod disk;
#[path = "case_file/flips.rs"]
mod flips;
#[path = "case_file/life.rs"]
mod life;
#[path = "case_file/processes.rs"]
mod processes;
#[path = "case_file/windows.rs"]
mod windows;
