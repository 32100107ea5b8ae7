//! What was read: the capture's name, digest, size and framing.

use super::order::Order;
use super::run::Run;
use crate::capture::{CaptureError, Compression, Framing};

/// What a document says of its capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The path as given.
    pub path: String,
    /// SHA-256 of the capture as it is stored, in hexadecimal.
    pub sha256: String,
    /// Bytes of the capture as it is stored.
    pub bytes: u64,
    /// How it is compressed, and the bytes of its text; `None` where it is plain.
    pub compression: Option<(Compression, u64)>,
    /// Records in it.
    pub records: u32,
    /// How it is framed.
    pub format: String,
    /// Lines that tools printed beside their records.
    pub noise_lines: u64,
    /// Its records were read from the end.
    pub from_the_end: bool,
    /// The times of receipt go back over the whole run: it was read the wrong way round.
    pub newest_first: bool,
}

impl Facts {
    /// The facts of a run that has read everything. Reads the capture once more for its digest.
    pub fn of(run: &Run, path: &str) -> Result<Self, CaptureError> {
        let input = run.input();
        let digest = input.sha256()?;
        Ok(Self {
            path: path.to_owned(),
            sha256: digest.iter().fold(String::new(), |mut digits, byte| {
                for nibble in [byte >> 4, byte & 15] {
                    digits.extend(char::from_digit(u32::from(nibble), 16));
                }
                digits
            }),
            bytes: input.stored_bytes(),
            compression: input.compression().map(|how| (how, input.length_bytes())),
            records: run.history().last_record().0,
            format: run
                .framing()
                .and_then(|facts| facts.framing)
                .map_or("empty", Framing::name)
                .to_owned(),
            noise_lines: run.tally().noise_lines,
            from_the_end: run.order() == Order::FromTheEnd,
            newest_first: run.goes_back(),
        })
    }

    /// How it is framed and compressed, in words.
    pub fn format_text(&self) -> String {
        match self.compression {
            Some((how, bytes)) => format!("{}, {bytes} bytes in {}", self.format, how.name()),
            None => self.format.clone(),
        }
    }
}
