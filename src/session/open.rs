//! Which capture is opened, under which contract.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use super::run::Run;
use crate::capture::{CaptureError, Files, Input};
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
    /// Several files as one capture, in this order.
    Files(&'a [PathBuf]),
}

impl<'a> CaptureChoice<'a> {
    /// Reads the arguments: `-` is standard input, and stands alone. `None` where it does not.
    pub fn of(paths: &'a [PathBuf]) -> Option<Self> {
        let is_standard_input = |path: &PathBuf| path == Path::new("-");
        match paths {
            [] => Some(Self::WalkThrough),
            [path] if is_standard_input(path) => Some(Self::StandardInput),
            [path] => Some(Self::File(path)),
            paths => (!paths.iter().any(is_standard_input)).then_some(Self::Files(paths)),
        }
    }

    /// The file, or the first of several: what has a contract and a case file beside it.
    pub fn path(self) -> Option<&'a Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Files(paths) => paths.first().map(PathBuf::as_path),
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
            Input::stream(WALKTHROUGH_NAME, Box::new(Cursor::new(WALKTHROUGH)))?.into()
        }
        CaptureChoice::StandardInput => Input::standard_input()?.into(),
        CaptureChoice::File(path) => Input::open(path)?.into(),
        CaptureChoice::Files(paths) => {
            let inputs = paths.iter().map(|path| Input::open(path));
            Files::new(inputs.collect::<Result<_, _>>()?)
        }
    };
    Ok(Run::new(input, loaded, baseline))
}

/// How many threads take a capture apart on this machine.
pub fn workers() -> usize {
    std::thread::available_parallelism().map_or(1, |count| count.get().min(8))
}
