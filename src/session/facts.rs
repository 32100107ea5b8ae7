//! What was read: the capture's name, digest, size and framing.

use super::order::Order;
use super::run::Run;
use crate::capture::files::hex;
use crate::capture::{CaptureError, Framing, FramingFacts};

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
    pub compression: Option<(String, u64)>,
    /// Records in it.
    pub records: u32,
    /// How it is framed.
    pub format: String,
    /// Lines that tools printed beside their records.
    pub noise_lines: u64,
    /// Its records were read from the end.
    pub from_the_end: bool,
    /// Each partition's records were put in the order of their offsets.
    pub by_position: bool,
    /// Its files, where it has several.
    pub files: Vec<FileFacts>,
    /// The times of receipt go back over the whole run: it was read the wrong way round.
    pub newest_first: bool,
    /// How often the times of receipt start again, as where streams stand one behind the other.
    pub times_start_again: u64,
    /// Records with a position, where they were to be put in its order.
    pub positioned: Option<u32>,
}

/// What a document says of one of several files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFacts {
    /// Its name as given.
    pub path: String,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// Bytes of the file.
    pub bytes: u64,
    /// How it is framed.
    pub format: &'static str,
    /// How it is compressed, and the bytes of its text; `None` where it is plain.
    pub compression: Option<(&'static str, u64)>,
}

impl Facts {
    /// The facts of a run that has read everything. Reads the capture once more for its digest.
    pub fn of(run: &Run, path: &str) -> Result<Self, CaptureError> {
        let input = run.input();
        let names: Vec<_> = input.compressions().iter().map(|how| how.name()).collect();
        let framings = run.framings();
        Ok(Self {
            path: path.to_owned(),
            sha256: hex(&input.sha256()?),
            bytes: input.stored_bytes(),
            compression: (!names.is_empty()).then(|| (names.join(" and "), input.length_bytes())),
            records: run.history().last_record().0,
            format: formats(&framings),
            noise_lines: run.tally().noise_lines,
            from_the_end: run.order() == Order::FromTheEnd,
            by_position: run.order() == Order::ByPosition,
            files: files(run, &framings)?,
            newest_first: run.goes_back(),
            times_start_again: run.starts_again(),
            positioned: run.positioned(),
        })
    }

    /// How it is framed and compressed, in words.
    pub fn format_text(&self) -> String {
        match &self.compression {
            Some((how, bytes)) => format!("{}, {bytes} bytes in {how}", self.format),
            None => self.format.clone(),
        }
    }
}

/// How the files are framed: each way once, in the order of the files.
fn formats(framings: &[FramingFacts]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for facts in framings {
        let name = facts.framing.map(Framing::name);
        if let Some(name) = name.filter(|name| !names.contains(name)) {
            names.push(name);
        }
    }
    if names.is_empty() {
        "empty".to_owned()
    } else {
        names.join(" and ")
    }
}

/// Of one file, all is said of the capture.
fn files(run: &Run, framings: &[FramingFacts]) -> Result<Vec<FileFacts>, CaptureError> {
    let input = run.input();
    if input.count() < 2 {
        return Ok(Vec::new());
    }
    let facts = input.iter().enumerate().map(|(index, file)| {
        let framing = framings.get(index).and_then(|facts| facts.framing);
        let compression = file.compression();
        Ok(FileFacts {
            path: file.name().to_owned(),
            sha256: hex(&file.sha256()?),
            bytes: file.stored_bytes(),
            format: framing.map_or("empty", Framing::name),
            compression: compression.map(|how| (how.name(), file.length_bytes())),
        })
    });
    facts.collect()
}
