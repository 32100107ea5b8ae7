//! Where a capture's bytes come from: a file read by position, or a pipe or compressed data kept in
//! an unnamed file.
//!
//! Never a memory map: a file that is truncated under a map kills the process. What came through a
//! pipe or was decompressed is written down as it is read, so that any record can be looked at again
//! later; its places are those in the text.

use std::fs::File;
use std::io::{self, Cursor, ErrorKind, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use sha2::{Digest, Sha256};

use super::archives;
use super::compressed::{Compression, Decoded, End};
use super::error::{again, argument, named, shown};
use super::refusal::copy;
use super::stamp::{Change, Stamp};

pub use super::error::CaptureError;

/// The byte order mark that some programs put before UTF-8.
pub const UTF8_BOM: &[u8] = b"\xef\xbb\xbf";

/// The bytes of one capture, as text. Positioned reads may come from any thread.
pub struct Input {
    name: String,
    /// How a shell is told where the bytes are: ` < FILE`, or nothing for a pipe.
    argument: String,
    /// The file itself, or the copy of what came.
    file: File,
    length_bytes: AtomicU64,
    ended: AtomicBool,
    tap: Option<Mutex<Tap>>,
    is_pipe: bool,
    compression: OnceLock<Compression>,
    /// How the text ended, where it is not read from the file itself.
    outcome: OnceLock<Outcome>,
    /// Where the file was found, what it looked like then, and the file where it holds no text.
    opened: Option<Opened>,
}

struct Opened {
    path: PathBuf,
    stamp: Stamp,
    compressed: Option<File>,
}

/// What gives the bytes that are to be kept.
enum Tap {
    /// Nobody knows yet whether it is compressed.
    Fresh(Box<dyn Read + Send>),
    Text(Box<dyn Read + Send>),
    Compressed(Decoded),
    Closed,
}

/// How a tap ran dry.
#[derive(Debug)]
enum Outcome {
    Text,
    Decoded(End),
    /// It cannot be read on.
    Unread(io::Error),
    /// What came cannot be written down.
    NoRoom(io::Error),
}

/// A file from its start, by position: the file itself has one place for everybody.
struct FromStart {
    file: File,
    at_bytes: u64,
    /// What is added behind this while it is read is not the capture.
    end_bytes: u64,
}

impl Read for FromStart {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.end_bytes - self.at_bytes;
        let wanted = usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let target = buffer.get_mut(..wanted).unwrap_or_default();
        let came = self.file.read_at(target, self.at_bytes)?;
        if came == 0 && wanted > 0 {
            let text = "the file was cut off while it was open";
            return Err(io::Error::new(ErrorKind::UnexpectedEof, text));
        }
        self.at_bytes += came as u64;
        Ok(came)
    }
}

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Input")
            .field("name", &self.name)
            .field("length_bytes", &self.length_bytes())
            .field("is_pipe", &self.is_pipe())
            .field("compression", &self.compression())
            .finish_non_exhaustive()
    }
}

impl Input {
    /// Opens a file. What is no regular file (a pipe, `/dev/stdin`) is read as a stream. The capture
    /// is what the file holds now; what is added later is told by [`Input::change`].
    pub fn open(path: &Path) -> Result<Self, CaptureError> {
        let name = shown(path);
        let file = File::open(path).map_err(|source| named(&name, source))?;
        let metadata = file.metadata().map_err(|source| named(&name, source))?;
        if metadata.is_dir() {
            return Err(CaptureError::Directory { name });
        }
        if !metadata.is_file() {
            return Self::piped(name, Box::new(file));
        }
        let input = Self {
            name,
            argument: argument(path),
            file,
            length_bytes: AtomicU64::new(metadata.len()),
            ended: AtomicBool::new(true),
            tap: None,
            is_pipe: false,
            compression: OnceLock::new(),
            outcome: OnceLock::new(),
            opened: Some(Opened {
                path: path.to_owned(),
                stamp: Stamp::of(&metadata),
                compressed: None,
            }),
        };
        let mut head = [0; archives::HEAD_BYTES];
        let filled = input.read_next(0, &mut head)?;
        let head = head.get(..filled).unwrap_or_default();
        match Compression::of(head) {
            Some(compression) => input.decompressed(compression),
            None => input.check_text(head).map(|()| input),
        }
    }

    /// The same file, whose bytes have to be decompressed.
    fn decompressed(self, compression: Compression) -> Result<Self, CaptureError> {
        let copy = copy().map_err(|source| self.no_room(&source))?;
        let end_bytes = self.length_bytes();
        let second = self.file.try_clone();
        let reader = FromStart {
            file: second.map_err(|source| named(&self.name, source))?,
            at_bytes: 0,
            end_bytes,
        };
        let decoded = Decoded::start(compression, Box::new(reader), false);
        let decoded = decoded.map_err(|source| named(&self.name, source))?;
        let compressed = Some(self.file);
        Ok(Self {
            file: copy,
            length_bytes: AtomicU64::new(0),
            ended: AtomicBool::new(false),
            tap: Some(Mutex::new(Tap::Compressed(decoded))),
            compression: OnceLock::from(compression),
            opened: self.opened.map(|opened| Opened {
                compressed,
                ..opened
            }),
            ..self
        })
    }

    /// Reads a stream to its end, as it is asked for, and keeps it in an unnamed temporary file.
    pub fn stream(name: &str, reader: Box<dyn Read + Send>) -> Result<Self, CaptureError> {
        Self::piped(shown(Path::new(name)), reader)
    }

    fn piped(name: String, reader: Box<dyn Read + Send>) -> Result<Self, CaptureError> {
        let file = copy().map_err(|source| named(&name, source))?;
        Ok(Self {
            name,
            argument: String::new(),
            file,
            length_bytes: AtomicU64::new(0),
            ended: AtomicBool::new(false),
            tap: Some(Mutex::new(Tap::Fresh(reader))),
            is_pipe: true,
            compression: OnceLock::new(),
            outcome: OnceLock::new(),
            opened: None,
        })
    }

    /// Standard input.
    pub fn standard_input() -> Result<Self, CaptureError> {
        Self::stream("standard input", Box::new(io::stdin()))
    }

    /// The path as given, what cannot be shown spelled as escapes.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How a shell is told where the bytes are: ` < FILE`, or nothing for a pipe.
    pub(super) fn argument(&self) -> &str {
        &self.argument
    }

    /// Bytes of the text; of a stream and of what is decompressed, as many as have come.
    pub fn length_bytes(&self) -> u64 {
        self.length_bytes.load(Ordering::Acquire)
    }

    /// Bytes of the capture as it is stored: of a compressed one, of the compressed data. Of a stream,
    /// as many as have come; where that is compressed, none before its end.
    pub fn stored_bytes(&self) -> u64 {
        match (self.compression(), &self.opened, self.outcome.get()) {
            (Some(_), Some(opened), _) => opened.stamp.length_bytes(),
            (Some(_), None, Some(Outcome::Decoded(end))) => end.read_bytes,
            (Some(_), None, _) => 0,
            (None, ..) => self.length_bytes(),
        }
    }

    /// How the capture is compressed; `None` where it is not, and before the first byte of a stream.
    pub fn compression(&self) -> Option<Compression> {
        self.compression.get().copied()
    }

    /// Whether the bytes come through a pipe.
    pub fn is_pipe(&self) -> bool {
        self.is_pipe
    }

    /// Whether all bytes are there: always for a plain file, at the end for what is read once.
    pub fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    /// Why the text ended before the capture did: then [`Input::read_next`] gave what was readable,
    /// and says that it is the end.
    pub fn fault(&self) -> Option<CaptureError> {
        match self.outcome.get()? {
            Outcome::Text => None,
            Outcome::Decoded(end) => self.decoding_fault(end),
            Outcome::Unread(source) => Some(named(&self.name, again(source))),
            Outcome::NoRoom(source) => Some(self.no_room(source)),
        }
    }

    /// Reads what follows `offset_bytes`, in order; 0 is the end. A stream waits until something
    /// comes, and must be asked in order.
    pub fn read_next(&self, offset_bytes: u64, buffer: &mut [u8]) -> Result<usize, CaptureError> {
        let left = self.length_bytes().saturating_sub(offset_bytes);
        if left == 0 {
            return self.pull(offset_bytes, buffer);
        }
        let wanted = usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let target = buffer.get_mut(..wanted).unwrap_or_default();
        let filled = self.read_at(&self.file, offset_bytes, target)?;
        if filled == 0 && wanted > 0 {
            return Err(self.truncated(offset_bytes));
        }
        Ok(filled)
    }

    /// Fills the buffer from a place in the text. Errors: the file was cut off meanwhile, or the
    /// range was never in it.
    pub fn read_exact_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> Result<(), CaptureError> {
        let mut done = 0;
        while let Some(target) = buffer.get_mut(done..).filter(|target| !target.is_empty()) {
            let at = offset_bytes.saturating_add(done as u64);
            match self.read_at(&self.file, at, target)? {
                0 => return Err(self.truncated(at)),
                filled => done += filled,
            }
        }
        Ok(())
    }

    /// How the file differs now from what it was when it was opened; a stream's copy never does.
    pub fn change(&self) -> Result<Option<Change>, CaptureError> {
        let Some(opened) = &self.opened else {
            return Ok(None);
        };
        Ok(opened.stamp.change(&self.stamp(opened)?, &opened.path))
    }

    /// What the file looks like now, if that is any other than when it was opened: then its bytes may
    /// not be what they were. The copy of what was decompressed is nobody else's.
    pub fn doubtful(&self) -> Option<Stamp> {
        let opened = self.opened.as_ref()?;
        if opened.compressed.is_some() {
            return None;
        }
        // A file that cannot be looked at cannot be read either, which is told when it is.
        let now = self.stamp(opened).ok();
        now.filter(|now| *now != opened.stamp)
    }

    fn stamp(&self, opened: &Opened) -> Result<Stamp, CaptureError> {
        let metadata = opened.compressed.as_ref().unwrap_or(&self.file).metadata();
        let metadata = metadata.map_err(|source| named(&self.name, source))?;
        Ok(Stamp::of(&metadata))
    }

    /// The SHA-256 of the whole capture as it is stored: of a compressed one, of exactly the compressed
    /// bytes that were decoded. Of a plain one, in a pass of its own.
    pub fn sha256(&self) -> Result<[u8; 32], CaptureError> {
        if self.tap.is_none() {
            return self.text_sha256();
        }
        self.read_to_end()?;
        let compressed = self
            .opened
            .as_ref()
            .and_then(|opened| opened.compressed.as_ref());
        match (self.compression(), self.outcome.get(), compressed) {
            (None, ..) => self.text_sha256(),
            (
                _,
                Some(Outcome::Decoded(End {
                    sha256: Some(sha256),
                    ..
                })),
                _,
            ) => Ok(*sha256),
            // What follows a fault was not decoded, and belongs to the file.
            (_, _, Some(file)) => digest(|at, buffer| self.read_at(file, at, buffer)),
            (..) => Err(self
                .fault()
                .unwrap_or_else(|| self.truncated(self.length_bytes()))),
        }
    }

    /// The SHA-256 of the text: the same as [`Input::sha256`] where nothing is compressed.
    pub fn text_sha256(&self) -> Result<[u8; 32], CaptureError> {
        digest(|at, buffer| self.read_next(at, buffer))
    }

    fn read_to_end(&self) -> Result<(), CaptureError> {
        let mut buffer = vec![0; 1 << 20];
        while !self.has_ended() {
            self.pull(self.length_bytes(), &mut buffer)?;
        }
        Ok(())
    }

    fn read_at(
        &self,
        file: &File,
        offset_bytes: u64,
        buffer: &mut [u8],
    ) -> Result<usize, CaptureError> {
        loop {
            match file.read_at(buffer, offset_bytes) {
                Ok(filled) => return Ok(filled),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(source) => return Err(named(&self.name, source)),
            }
        }
    }

    /// Takes the next bytes out of the tap and writes them down before anyone sees them.
    fn pull(&self, offset_bytes: u64, buffer: &mut [u8]) -> Result<usize, CaptureError> {
        let Some(tap) = &self.tap else {
            return Ok(0);
        };
        let mut tap = tap.lock().unwrap_or_else(PoisonError::into_inner);
        if self.length_bytes() > offset_bytes {
            // Another thread was waiting for the same bytes and has written them down.
            return self.read_at(&self.file, offset_bytes, buffer);
        }
        if self.has_ended() || buffer.is_empty() {
            return Ok(0);
        }
        let (kept, outcome) = match self.draw(&mut tap, buffer) {
            Ok(filled) => self.keep(buffer.get(..filled).unwrap_or_default()),
            Err(outcome) => (0, Some(outcome)),
        };
        self.length_bytes.fetch_add(kept as u64, Ordering::AcqRel);
        if let Some(outcome) = outcome {
            // What came before stays; why there is no more is told by [`Input::fault`].
            *tap = Tap::Closed;
            let _ = self.outcome.set(outcome);
            self.ended.store(true, Ordering::Release);
        }
        Ok(kept)
    }

    /// Writes down what came: as much as there is room for.
    fn keep(&self, came: &[u8]) -> (usize, Option<Outcome>) {
        let at = self.length_bytes();
        let mut kept = 0;
        while let Some(rest) = came.get(kept..).filter(|rest| !rest.is_empty()) {
            match self.file.write_at(rest, at + kept as u64) {
                Ok(0) => return (kept, Some(Outcome::NoRoom(ErrorKind::WriteZero.into()))),
                Ok(written) => kept += written,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return (kept, Some(Outcome::NoRoom(error))),
            }
        }
        (kept, None)
    }

    /// At least one byte of text, or how it ended.
    fn draw(&self, tap: &mut Tap, buffer: &mut [u8]) -> Result<usize, Outcome> {
        loop {
            match tap {
                Tap::Fresh(_) => {
                    let Tap::Fresh(reader) = std::mem::replace(tap, Tap::Closed) else {
                        continue;
                    };
                    *tap = self.told(reader).map_err(Outcome::Unread)?;
                }
                Tap::Text(reader) => match reader.read(buffer) {
                    Ok(0) => return Err(Outcome::Text),
                    Ok(filled) => return Ok(filled),
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) => return Err(Outcome::Unread(error)),
                },
                Tap::Compressed(decoded) => match decoded.read(buffer) {
                    0 => return Err(decoded.take_end().map_or(Outcome::Text, Outcome::Decoded)),
                    filled => return Ok(filled),
                },
                Tap::Closed => return Err(Outcome::Text),
            }
        }
    }

    /// Looks at a stream's first bytes.
    fn told(&self, mut reader: Box<dyn Read + Send>) -> io::Result<Tap> {
        let mut head = Vec::new();
        while head.len() < 4 {
            let mut next = [0; 4];
            let free = next.get_mut(head.len()..).unwrap_or_default();
            match reader.read(free) {
                Ok(0) => break,
                Ok(filled) => head.extend_from_slice(free.get(..filled).unwrap_or_default()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let compression = Compression::of(&head);
        let reader = Box::new(Cursor::new(head).chain(reader));
        let Some(compression) = compression else {
            return Ok(Tap::Text(reader));
        };
        let decoded = Decoded::start(compression, reader, true)?;
        let _ = self.compression.set(compression);
        Ok(Tap::Compressed(decoded))
    }

    fn truncated(&self, offset_bytes: u64) -> CaptureError {
        CaptureError::Truncated {
            name: self.name.clone(),
            offset_bytes,
        }
    }
}

/// The SHA-256 of whatever is read until nothing comes.
fn digest(
    read: impl Fn(u64, &mut [u8]) -> Result<usize, CaptureError>,
) -> Result<[u8; 32], CaptureError> {
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    let mut at = 0;
    loop {
        let filled = read(at, &mut buffer)?;
        if filled == 0 {
            return Ok(digest.finalize().into());
        }
        digest.update(buffer.get(..filled).unwrap_or_default());
        at += filled as u64;
    }
}

#[cfg(test)]
#[path = "bytes_tests.rs"]
mod tests;
