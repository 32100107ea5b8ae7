//! What was read: the capture's name, digest, size and framing.

use super::order::Order;
use super::run::Run;
use crate::capture::{CaptureError, Framing};

/// What a document says of its capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The path as given.
    pub path: String,
    /// SHA-256 of the bytes, in hexadecimal.
    pub sha256: String,
    /// Bytes of the capture.
    pub bytes: u64,
    /// Records in it.
    pub records: u32,
    /// How it is framed.
    pub format: String,
    /// Its records were read from the end.
    pub from_the_end: bool,
    /// The times of receipt go back over the whole run: it was read the wrong way round.
    pub newest_first: bool,
}

impl Facts {
    /// The facts of a run that has read everything. Reads the capture once more for its digest.
    pub fn of(run: &Run, path: &str) -> Result<Self, CaptureError> {
        let digest = run.input().sha256()?;
        Ok(Self {
            path: path.to_owned(),
            sha256: digest.iter().fold(String::new(), |mut digits, byte| {
                for nibble in [byte >> 4, byte & 15] {
                    digits.extend(char::from_digit(u32::from(nibble), 16));
                }
                digits
            }),
            bytes: run.input().length_bytes(),
            records: run.history().last_record().0,
            format: run
                .framing()
                .and_then(|facts| facts.framing)
                .map_or("empty", Framing::name)
                .to_owned(),
            from_the_end: run.order() == Order::FromTheEnd,
            newest_first: run.goes_back(),
        })
    }
}
