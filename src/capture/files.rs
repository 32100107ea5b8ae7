//! The files of one capture as one: their texts lie one behind the other, each framed by itself.
//!
//! ```text
//! files    a.jsonl          b.jsonl.gz                c.jsonl
//! bytes    0 ······ 811     812 ··············· 9 030  9 031 ···
//!          start of a       start of b, once a ended   start of c, once b is decompressed
//! ```
//!
//! A place in the capture is a place in this row; a line is one of its own file. Nearly every capture
//! is one file, and costs nothing more for it.

use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use super::bytes::{CaptureError, Input};
use super::compressed::Compression;
use super::stamp::{Change, Stamp};
use crate::model::Place;

/// The files of one capture, in the given order.
#[derive(Debug)]
pub struct Files {
    files: Vec<OneFile>,
}

#[derive(Debug)]
struct OneFile {
    input: Input,
    /// Bytes of text before it, once those have all been read.
    start_bytes: OnceLock<u64>,
}

impl From<Input> for Files {
    fn from(input: Input) -> Self {
        Self::new(vec![input])
    }
}

impl Files {
    /// Several files, one behind the other.
    pub fn new(inputs: Vec<Input>) -> Self {
        let files: Vec<OneFile> = inputs
            .into_iter()
            .enumerate()
            .map(|(index, input)| OneFile {
                input,
                start_bytes: if index == 0 {
                    OnceLock::from(0)
                } else {
                    OnceLock::new()
                },
            })
            .collect();
        let files = Self { files };
        // Where the plain ones before the first compressed one begin is known from the start.
        (0..files.count()).all(|index| files.start_bytes(index).is_some());
        files
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.files.len()
    }

    /// One of them.
    pub fn get(&self, index: usize) -> Option<&Input> {
        self.files.get(index).map(|file| &file.input)
    }

    /// All of them.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Input> {
        self.files.iter().map(|file| &file.input)
    }

    /// Bytes of text before a file; `None` as long as not all of them have been read.
    pub fn start_bytes(&self, index: usize) -> Option<u64> {
        let file = self.files.get(index)?;
        if let Some(start) = file.start_bytes.get() {
            return Some(*start);
        }
        let before = self.files.get(index.checked_sub(1)?)?;
        if !before.input.has_ended() {
            return None;
        }
        let start = before.start_bytes.get()? + before.input.length_bytes();
        Some(*file.start_bytes.get_or_init(|| start))
    }

    /// Which file a byte of the capture is in, and which byte of that file's text it is.
    fn at(&self, offset_bytes: u64) -> (usize, u64) {
        if self.files.len() == 1 {
            return (0, offset_bytes);
        }
        let start = |file: &OneFile| file.start_bytes.get().copied();
        let begun = self
            .files
            .partition_point(|file| start(file).is_some_and(|start| start <= offset_bytes));
        let index = begun.saturating_sub(1);
        let start = self.files.get(index).and_then(start).unwrap_or(0);
        (index, offset_bytes - start)
    }

    /// Which file a byte of the capture is in.
    pub fn index_at(&self, offset_bytes: u64) -> usize {
        self.at(offset_bytes).0
    }

    /// A place as it is within its own file.
    pub fn within(&self, place: Place) -> Place {
        Place {
            offset_bytes: self.at(place.offset_bytes).1,
            ..place
        }
    }

    /// The name of the file that a byte of the capture is in; nothing where there is only one, which
    /// nobody has to be told. What cannot be shown is spelled as escapes.
    pub fn name_at(&self, offset_bytes: u64) -> Option<&str> {
        if self.files.len() < 2 {
            return None;
        }
        self.get(self.index_at(offset_bytes)).map(Input::name)
    }

    /// Bytes of the text that can be read: of what is read once, as many as have come, and nothing of
    /// what is behind it before it has ended.
    pub fn length_bytes(&self) -> u64 {
        let starts = (0..self.count()).map_while(|index| self.start_bytes(index));
        let ends = starts.zip(self.iter());
        let last = ends.last();
        last.map_or(0, |(start, input)| start + input.length_bytes())
    }

    /// Bytes of the text of all files, as far as they are known.
    pub fn known_bytes(&self) -> u64 {
        self.iter().map(Input::length_bytes).sum()
    }

    /// Bytes of all files as they are stored: see [`Input::stored_bytes`].
    pub fn stored_bytes(&self) -> u64 {
        self.iter().map(Input::stored_bytes).sum()
    }

    /// How the files are compressed: each way once, in the order of the files.
    pub fn compressions(&self) -> Vec<Compression> {
        let mut found = Vec::new();
        for how in self.iter().filter_map(Input::compression) {
            if !found.contains(&how) {
                found.push(how);
            }
        }
        found
    }

    /// Whether any of the bytes come through a pipe.
    pub fn is_pipe(&self) -> bool {
        self.iter().any(Input::is_pipe)
    }

    /// Whether all bytes are there.
    pub fn has_ended(&self) -> bool {
        self.iter().all(Input::has_ended)
    }

    /// Fills the buffer from a place in the text, over the files' edges too. Errors: a file was cut
    /// off meanwhile, or the range was never in the capture.
    pub fn read_exact_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> Result<(), CaptureError> {
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
            let (index, within) = self.at(offset_bytes.saturating_add(done as u64));
            let Some(input) = self.get(index) else {
                return Ok(());
            };
            let next = self.files.get(index + 1);
            let has_next = next.is_some_and(|next| next.start_bytes.get().is_some());
            let left = input.length_bytes().saturating_sub(within);
            let here = match usize::try_from(left) {
                // What is behind the last one is in none, and reading it says so.
                Ok(left) if has_next => left.min(rest.len()),
                Ok(_) | Err(_) => rest.len(),
            };
            input.read_exact_at(within, rest.get_mut(..here).unwrap_or_default())?;
            done += here;
        }
        Ok(())
    }

    /// The first file that differs now from what it was when it was opened, and how.
    pub fn change(&self) -> Result<Option<(usize, Change)>, CaptureError> {
        for (index, input) in self.iter().enumerate() {
            if let Some(change) = input.change()? {
                return Ok(Some((index, change)));
            }
        }
        Ok(None)
    }

    /// What the files look like whose bytes may not be what they were: see [`Input::doubtful`].
    pub fn doubts(&self) -> Vec<(usize, Stamp)> {
        let files = self.iter().enumerate();
        files
            .filter_map(|(index, input)| Some((index, input.doubtful()?)))
            .collect()
    }

    /// The same of the file that a byte of the capture is in.
    pub fn doubtful_at(&self, offset_bytes: u64) -> Option<Stamp> {
        self.get(self.index_at(offset_bytes))?.doubtful()
    }

    /// The SHA-256 of the capture as it is stored. Of several files it is that of their own SHA-256s
    /// in hexadecimal, each with a line end behind it, so that the same bytes cut elsewhere are
    /// another capture: what `sha256sum FILES | cut -c-64 | sha256sum` prints.
    pub fn sha256(&self) -> Result<[u8; 32], CaptureError> {
        self.digest(Input::sha256)
    }

    /// The same of the text.
    pub fn text_sha256(&self) -> Result<[u8; 32], CaptureError> {
        self.digest(Input::text_sha256)
    }

    fn digest(
        &self,
        of: impl Fn(&Input) -> Result<[u8; 32], CaptureError>,
    ) -> Result<[u8; 32], CaptureError> {
        if let [file] = self.files.as_slice() {
            return of(&file.input);
        }
        let mut digest = Sha256::new();
        for input in self.iter() {
            digest.update(hex(&of(input)?));
            digest.update(b"\n");
        }
        Ok(digest.finalize().into())
    }
}

/// A digest in lower-case hexadecimal.
pub fn hex(digest: &[u8; 32]) -> String {
    let nibbles = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    nibbles
        .filter_map(|nibble| char::from_digit(u32::from(nibble), 16))
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        reason = "a test fails by panicking"
    )]

    use std::io::{Cursor, Write as _};

    use super::*;

    fn stream(bytes: &[u8]) -> Input {
        Input::stream("stream", Box::new(Cursor::new(bytes.to_vec()))).unwrap()
    }

    fn file(bytes: &[u8]) -> (tempfile::NamedTempFile, Input) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        let input = Input::open(file.path()).unwrap();
        (file, input)
    }

    #[test]
    fn their_texts_lie_one_behind_the_other() {
        let (_a, a) = file(b"abc");
        let (_b, b) = file(b"");
        let (_c, c) = file(b"defg");
        let files = Files::new(vec![a, b, c, stream(b"hi"), stream(b"j")]);
        assert_eq!(files.start_bytes(3), Some(7), "three plain ones");
        assert_eq!(files.start_bytes(4), None, "the stream has not ended");
        assert_eq!(files.length_bytes(), 7);
        let (_d, d) = file(b"k");
        let waits = Files::new(vec![stream(b"ab"), d]);
        assert_eq!((waits.length_bytes(), waits.known_bytes()), (0, 1));
        let name = files.name_at(3).map(str::to_owned);
        assert_eq!(name.as_deref(), files.get(2).map(Input::name));
        // Reading streams to their ends is what the framers do.
        for index in [3, 4] {
            files.get(index).unwrap().text_sha256().unwrap();
            files.start_bytes(index).unwrap();
        }
        assert_eq!(files.length_bytes(), 10);
        for from in 0..10 {
            for to in from..=10 {
                let mut read = vec![0; to - from];
                files.read_exact_at(from as u64, &mut read).unwrap();
                assert_eq!(read, b"abcdefghij"[from..to], "{from} {to}");
            }
        }
        assert!(files.read_exact_at(9, &mut [0; 2]).is_err());
    }

    #[test]
    fn the_same_bytes_cut_elsewhere_are_another_capture() {
        let digest = |parts: &[&[u8]]| {
            let inputs = parts.iter().map(|part| stream(part)).collect();
            hex(&Files::new(inputs).sha256().unwrap())
        };
        assert_eq!(
            digest(&[b"a"]),
            "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
        );
        // printf a > a; printf b > b; sha256sum a b | cut -c-64 | sha256sum
        assert_eq!(
            digest(&[b"a", b"b"]),
            "bf75fafab8e46555836b92f1b04106b795a9ed36bd39b351f103b28819895f33"
        );
        assert_ne!(digest(&[b"ab", b"c"]), digest(&[b"a", b"bc"]));
        assert_ne!(digest(&[b"a", b"b"]), digest(&[b"b", b"a"]));
    }
}
