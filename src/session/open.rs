//! Which capture is opened, under which contract.

use std::io::Cursor;
use std::path::Path;

use super::run::Run;
use crate::capture::{CaptureError, Input};
use crate::contract::{LoadError, load};
use crate::engine::BaselinePolicy;

/// The incident that is built into the program: thirty records with captions.
pub const WALKTHROUGH: &[u8] = include_bytes!("../../samples/walkthrough.jsonl");

/// What the built-in incident is called wherever a capture's name is shown.
pub const WALKTHROUGH_NAME: &str = "walk-through";

/// What to open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureChoice<'a> {
    /// The built-in incident.
    WalkThrough,
    /// Whatever is piped in.
    StandardInput,
    /// A file.
    File(&'a Path),
}

impl<'a> CaptureChoice<'a> {
    /// Reads the argument: `-` is standard input.
    pub fn of(path: &'a Path) -> Self {
        if path == Path::new("-") {
            Self::StandardInput
        } else {
            Self::File(path)
        }
    }

    /// The file, where it is one: what has a contract and a case file beside it.
    pub fn path(self) -> Option<&'a Path> {
        match self {
            Self::File(path) => Some(path),
            Self::WalkThrough | Self::StandardInput => None,
        }
    }
}

/// Why nothing could be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The capture.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// The contract.
    #[error(transparent)]
    Contract(#[from] LoadError),
}

/// Opens a capture under a contract: by name or file, else the one beside the capture, else the
/// default. Reads nothing of it yet.
pub fn open(
    capture: CaptureChoice<'_>,
    contract: Option<&str>,
    baseline: BaselinePolicy,
) -> Result<Run, OpenError> {
    let loaded = load(contract, capture.path())?;
    let input = match capture {
        CaptureChoice::WalkThrough => {
            Input::stream(WALKTHROUGH_NAME, Box::new(Cursor::new(WALKTHROUGH)))?
        }
        CaptureChoice::StandardInput => Input::standard_input()?,
        CaptureChoice::File(path) => Input::open(path)?,
    };
    Ok(Run::new(input, loaded, baseline))
}

/// How many threads take a capture apart on this machine.
pub fn workers() -> usize {
    std::thread::available_parallelism().map_or(1, |count| count.get().min(8))
}
