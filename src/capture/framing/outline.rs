//! Where a chunk was, without its bytes: what is kept of a first pass that only looks where the records
//! are, so that a second one can read them in another order.

use super::super::bytes::{CaptureError, Input};
use super::chunk::{Chunk, Layout};
use super::joined::Joining;

/// A chunk without its bytes: 24 bytes a chunk of lines, and 8 a record where records have no
/// separator.
#[derive(Debug)]
pub struct Outline {
    offset_bytes: u64,
    length: usize,
    lines: u64,
    kept: Kept,
}

#[derive(Debug)]
enum Kept {
    Lines {
        separator: u8,
        joining: Joining,
    },
    /// Ranges in the chunk: half as long as those of a chunk.
    Listed(Vec<(u32, u32)>),
    TooLong {
        length_bytes: u64,
        lines: u64,
    },
}

impl Chunk {
    /// What is needed to read it again out of its own file, before which there are so many bytes.
    pub fn outline(&self, before_bytes: u64) -> Outline {
        let small = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        let counted = memchr::memchr_iter(b'\n', self.bytes()).count() as u64;
        let (kept, lines) = match &self.layout {
            Layout::Lines { separator, joining } => (
                Kept::Lines {
                    separator: *separator,
                    joining: *joining,
                },
                counted,
            ),
            Layout::Listed(ranges) => {
                let ranges = ranges.iter();
                let ranges = ranges.map(|(start, end)| (small(*start), small(*end)));
                (Kept::Listed(ranges.collect()), counted)
            }
            Layout::TooLong {
                length_bytes,
                lines,
            } => (
                Kept::TooLong {
                    length_bytes: *length_bytes,
                    lines: *lines,
                },
                *lines,
            ),
        };
        Outline {
            offset_bytes: self.offset_bytes.saturating_sub(before_bytes),
            length: self.bytes().len(),
            lines,
            kept,
        }
    }
}

impl Outline {
    /// Line ends in the chunk.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Reads the chunk again. `storage` is memory that is there already. Errors: the bytes are no
    /// longer there.
    pub fn read(self, input: &Input, mut storage: Vec<u8>) -> Result<Chunk, CaptureError> {
        if storage.len() < self.length {
            storage.resize(self.length, 0);
        }
        let target = storage.get_mut(..self.length).unwrap_or_default();
        input.read_exact_at(self.offset_bytes, target)?;
        let layout = match self.kept {
            Kept::Lines { separator, joining } => Layout::Lines { separator, joining },
            Kept::Listed(ranges) => {
                let ranges = ranges.into_iter();
                Layout::Listed(
                    ranges
                        .map(|(start, end)| (start as usize, end as usize))
                        .collect(),
                )
            }
            Kept::TooLong {
                length_bytes,
                lines,
            } => Layout::TooLong {
                length_bytes,
                lines,
            },
        };
        Ok(Chunk::new(self.offset_bytes, storage, self.length, layout))
    }
}
