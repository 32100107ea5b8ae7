//! Where a capture's bytes come from: a file read by position, or a pipe kept in an unnamed file.
//!
//! Never a memory map: a file that is truncated under a map kills the process. What came through a
//! pipe is written down as it is read, so that any record can be looked at again later.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::stamp::{Change, Stamp};

/// Why a capture cannot be read. A bad record is never one of these: it is a step.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// There is no such file.
    #[error("{name}: no such file")]
    NotFound {
        /// The path as given.
        name: String,
    },
    /// The file may not be read.
    #[error("{name}: permission denied")]
    PermissionDenied {
        /// The path as given.
        name: String,
    },
    /// The path is a directory.
    #[error("{name}: is a directory; a capture is one file")]
    Directory {
        /// The path as given.
        name: String,
    },
    /// The capture is compressed.
    #[error("{name}: is compressed ({format}); open it with: {way_out}")]
    Compressed {
        /// The path as given.
        name: String,
        /// `gzip` or `zstd`.
        format: &'static str,
        /// A command line that decompresses it.
        way_out: String,
    },
    /// The capture is UTF-16.
    #[error("{name}: is UTF-16; open it with: {way_out}")]
    Utf16 {
        /// The path as given.
        name: String,
        /// A command line that converts it.
        way_out: String,
    },
    /// The file is shorter than it was when it was opened.
    #[error("{name}: was cut off while it was open: byte {offset_bytes} is no longer there")]
    Truncated {
        /// The path as given.
        name: String,
        /// The byte that was looked for.
        offset_bytes: u64,
    },
    /// Anything else the operating system says.
    #[error("{name}: {source}")]
    Io {
        /// The path as given.
        name: String,
        /// What the operating system says.
        source: std::io::Error,
    },
}

/// The bytes of one capture. Positioned reads may come from any thread.
pub struct Input {
    name: String,
    file: File,
    length_bytes: AtomicU64,
    ended: AtomicBool,
    pipe: Option<Mutex<Box<dyn Read + Send>>>,
    /// Where the file was found, and what it looked like then.
    opened: Option<(PathBuf, Stamp)>,
}

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Input")
            .field("name", &self.name)
            .field("length_bytes", &self.length_bytes())
            .field("is_pipe", &self.is_pipe())
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
            file,
            length_bytes: AtomicU64::new(metadata.len()),
            ended: AtomicBool::new(true),
            pipe: None,
            opened: Some((path.to_owned(), Stamp::of(&metadata))),
        };
        let mut head = [0; 4];
        let filled = input.read_next(0, &mut head)?;
        let source = argument(path);
        check_head(&input.name, &source, head.get(..filled).unwrap_or_default())?;
        Ok(input)
    }

    /// Reads a stream to its end, as it is asked for, and keeps it in an unnamed temporary file.
    pub fn stream(name: &str, reader: Box<dyn Read + Send>) -> Result<Self, CaptureError> {
        Self::piped(shown(Path::new(name)), reader)
    }

    fn piped(name: String, reader: Box<dyn Read + Send>) -> Result<Self, CaptureError> {
        let file = tempfile::tempfile().map_err(|source| named(&name, source))?;
        Ok(Self {
            name,
            file,
            length_bytes: AtomicU64::new(0),
            ended: AtomicBool::new(false),
            pipe: Some(Mutex::new(reader)),
            opened: None,
        })
    }

    /// Standard input.
    pub fn standard_input() -> Result<Self, CaptureError> {
        Self::stream("standard input", Box::new(std::io::stdin()))
    }

    /// The path as given, what cannot be shown spelled as escapes.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes of the capture; of a stream, as many as have come.
    pub fn length_bytes(&self) -> u64 {
        self.length_bytes.load(Ordering::Acquire)
    }

    /// Whether the bytes come through a pipe.
    pub fn is_pipe(&self) -> bool {
        self.pipe.is_some()
    }

    /// Whether all bytes are there: always for a file, at the end for a stream.
    pub fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    /// Reads what follows `offset_bytes`, in file order; 0 is the end. A stream waits until something
    /// comes, and must be asked in order.
    pub fn read_next(&self, offset_bytes: u64, buffer: &mut [u8]) -> Result<usize, CaptureError> {
        let left = self.length_bytes().saturating_sub(offset_bytes);
        if left == 0 {
            return self.pull(offset_bytes, buffer);
        }
        let wanted = usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let target = buffer.get_mut(..wanted).unwrap_or_default();
        let filled = self.read_at(offset_bytes, target)?;
        if filled == 0 && wanted > 0 {
            return Err(self.truncated(offset_bytes));
        }
        Ok(filled)
    }

    /// Fills the buffer from a place in the capture. Errors: the file was cut off meanwhile, or the
    /// range was never in it.
    pub fn read_exact_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> Result<(), CaptureError> {
        let mut done = 0;
        while let Some(target) = buffer.get_mut(done..).filter(|target| !target.is_empty()) {
            let at = offset_bytes.saturating_add(done as u64);
            match self.read_at(at, target)? {
                0 => return Err(self.truncated(at)),
                filled => done += filled,
            }
        }
        Ok(())
    }

    /// How the file differs now from what it was when it was opened; a stream's copy never does.
    pub fn change(&self) -> Result<Option<Change>, CaptureError> {
        let Some((path, then)) = &self.opened else {
            return Ok(None);
        };
        Ok(then.change(&self.stamp()?, path))
    }

    /// What the file looks like now, if that is any other than when it was opened: then its bytes may
    /// not be what they were.
    pub fn doubtful(&self) -> Option<Stamp> {
        let (_, then) = self.opened.as_ref()?;
        // A file that cannot be looked at cannot be read either, which is told when it is.
        self.stamp().ok().filter(|now| now != then)
    }

    fn stamp(&self) -> Result<Stamp, CaptureError> {
        let metadata = self.file.metadata();
        let metadata = metadata.map_err(|source| named(&self.name, source))?;
        Ok(Stamp::of(&metadata))
    }

    /// The SHA-256 of the whole capture as it lies in the file, in a pass of its own.
    pub fn sha256(&self) -> Result<[u8; 32], CaptureError> {
        let mut digest = Sha256::new();
        let mut buffer = vec![0; 1 << 20];
        let mut at = 0;
        loop {
            let filled = self.read_next(at, &mut buffer)?;
            if filled == 0 {
                return Ok(digest.finalize().into());
            }
            digest.update(buffer.get(..filled).unwrap_or_default());
            at += filled as u64;
        }
    }

    fn read_at(&self, offset_bytes: u64, buffer: &mut [u8]) -> Result<usize, CaptureError> {
        loop {
            match self.file.read_at(buffer, offset_bytes) {
                Ok(filled) => return Ok(filled),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(source) => return Err(named(&self.name, source)),
            }
        }
    }

    /// Takes the next bytes out of the pipe and writes them down before anyone sees them.
    fn pull(&self, offset_bytes: u64, buffer: &mut [u8]) -> Result<usize, CaptureError> {
        let Some(pipe) = &self.pipe else {
            return Ok(0);
        };
        let mut reader = pipe.lock().unwrap_or_else(PoisonError::into_inner);
        if self.length_bytes() > offset_bytes {
            // Another thread was waiting for the same bytes and has written them down.
            return self.read_at(offset_bytes, buffer);
        }
        if self.has_ended() {
            return Ok(0);
        }
        let filled = loop {
            match reader.read(buffer) {
                Ok(filled) => break filled,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(source) => return Err(named(&self.name, source)),
            }
        };
        if filled == 0 && !buffer.is_empty() {
            self.ended.store(true, Ordering::Release);
        }
        let came = buffer.get(..filled).unwrap_or_default();
        self.file
            .write_all_at(came, self.length_bytes())
            .map_err(|source| named(&self.name, source))?;
        self.length_bytes.fetch_add(filled as u64, Ordering::AcqRel);
        Ok(filled)
    }

    fn truncated(&self, offset_bytes: u64) -> CaptureError {
        CaptureError::Truncated {
            name: self.name.clone(),
            offset_bytes,
        }
    }
}

/// The byte order mark that some programs put before UTF-8.
pub const UTF8_BOM: &[u8] = b"\xef\xbb\xbf";

/// Refuses what is no text this program reads, by its first four bytes. `source` is how a shell is
/// told where the bytes are: `< FILE`, or nothing for a stream.
fn check_head(name: &str, source: &str, head: &[u8]) -> Result<(), CaptureError> {
    let name = name.to_owned();
    let way_out = |program: &str| format!("{program}{source} | replayscope -");
    match head {
        [0x1f, 0x8b, ..] => Err(CaptureError::Compressed {
            name,
            format: "gzip",
            way_out: way_out("gzip -dc"),
        }),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Err(CaptureError::Compressed {
            name,
            format: "zstd",
            way_out: way_out("zstd -dc"),
        }),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Err(CaptureError::Utf16 {
            name,
            way_out: way_out("iconv -f UTF-16 -t UTF-8"),
        }),
        _ => Ok(()),
    }
}

/// The same for a stream, where the program that converts it goes in between.
pub fn check_stream_head(name: &str, head: &[u8]) -> Result<(), CaptureError> {
    check_head(name, "", head)
}

fn named(name: &str, source: std::io::Error) -> CaptureError {
    let name = name.to_owned();
    let kind = source.kind();
    if kind == ErrorKind::NotFound {
        CaptureError::NotFound { name }
    } else if kind == ErrorKind::PermissionDenied {
        CaptureError::PermissionDenied { name }
    } else if kind == ErrorKind::IsADirectory {
        CaptureError::Directory { name }
    } else {
        CaptureError::Io { name, source }
    }
}

/// A path may hold any byte; an error message that names it must not steer a terminal, and two files
/// must not look like one.
fn shown(path: &Path) -> String {
    let mut shown = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '"' | '\'' => shown.push(character),
                other => shown.extend(other.escape_debug()),
            }
        }
        for byte in chunk.invalid() {
            // Writing to a String cannot fail.
            let _ = write!(shown, "\\x{byte:02x}");
        }
    }
    shown
}

/// ` < FILE` for a shell, quoted where that is needed: a message that is copied into a shell must not
/// run what a file's name says. A name that cannot be shown as it is stands as `FILE`.
fn argument(path: &Path) -> String {
    let name = path.to_str().filter(|name| shown(path) == *name);
    let is_word =
        |character: char| character.is_ascii_alphanumeric() || "/._-+=:@%,".contains(character);
    match name {
        None => " < FILE".to_owned(),
        Some(name) if !name.is_empty() && name.chars().all(is_word) => format!(" < {name}"),
        Some(name) => format!(" < '{}'", name.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use std::io::Write;

    fn file_with(bytes: &[u8]) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    #[test]
    fn compressed_and_utf16_captures_name_the_way_out() {
        for (bytes, way_out) in [
            (&b"\x1f\x8b\x08\x00"[..], "gzip -dc"),
            (b"\x28\xb5\x2f\xfd\x00", "zstd -dc"),
            (b"\xff\xfe{\0", "iconv -f UTF-16"),
            (b"\xfe\xff\0{", "iconv -f UTF-16"),
        ] {
            let file = file_with(bytes);
            let message = Input::open(file.path()).unwrap_err().to_string();
            assert!(message.contains(way_out), "{message}");
        }
    }

    #[test]
    fn what_cannot_be_opened_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = Input::open(folder.path()).unwrap_err();
        assert!(matches!(error, CaptureError::Directory { .. }));
        let error = Input::open(&folder.path().join("a\u{1b}b")).unwrap_err();
        assert!(matches!(error, CaptureError::NotFound { .. }));
        assert!(error.to_string().contains("a\\u{1b}b"), "{error}");
    }

    #[test]
    fn two_names_never_look_the_same() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let names: [&[u8]; 6] = [
            b"a\x1b",
            b"a\\u{1b}",
            b"a\xff",
            b"a\\xff",
            "a\u{fffd}".as_bytes(),
            "a\u{202e}".as_bytes(),
        ];
        let seen: std::collections::BTreeSet<String> = names
            .iter()
            .map(|name| shown(Path::new(OsStr::from_bytes(name))))
            .collect();
        assert_eq!(seen.len(), names.len(), "{seen:?}");
    }

    #[test]
    fn a_command_to_copy_runs_nothing_that_a_name_says() {
        for (name, expected) in [
            ("orders.jsonl.gz", " < orders.jsonl.gz"),
            ("my orders.gz", " < 'my orders.gz'"),
            ("x;reboot #.gz", " < 'x;reboot #.gz'"),
            ("it's.gz", " < 'it'\\''s.gz'"),
            ("a\u{1b}[2J.gz", " < FILE"),
        ] {
            assert_eq!(argument(Path::new(name)), expected);
        }
    }

    #[test]
    fn a_compressed_stream_has_no_name_to_open() {
        let error = check_stream_head("standard input", b"\x1f\x8b\x08\x00").unwrap_err();
        let text = "standard input: is compressed (gzip); open it with: gzip -dc | replayscope -";
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn growing_and_shrinking_are_seen() {
        let mut file = file_with(b"0123456789");
        let input = Input::open(file.path()).unwrap();
        assert_eq!(input.change().unwrap(), None);
        file.write_all(b"ab").unwrap();
        assert_eq!(input.change().unwrap(), Some(Change::Grown(2)));
        let mut buffer = [0; 20];
        assert_eq!(input.read_next(0, &mut buffer).unwrap(), 10);
        file.as_file().set_len(4).unwrap();
        assert_eq!(input.change().unwrap(), Some(Change::Truncated(6)));
        let error = input.read_exact_at(2, &mut [0; 4]).unwrap_err();
        assert!(matches!(
            error,
            CaptureError::Truncated {
                offset_bytes: 4,
                ..
            }
        ));
    }

    #[test]
    fn a_stream_can_be_read_again() {
        let input = Input::stream("pipe", Box::new(&b"0123456789"[..])).unwrap();
        let mut buffer = [0; 4];
        assert_eq!(input.read_next(0, &mut buffer).unwrap(), 4);
        assert!(!input.has_ended());
        assert_eq!(input.read_next(4, &mut [0; 20]).unwrap(), 6);
        assert_eq!(input.read_next(10, &mut buffer).unwrap(), 0);
        assert!(input.has_ended());
        input.read_exact_at(3, &mut buffer).unwrap();
        assert_eq!(&buffer, b"3456");
        assert_eq!(input.sha256().unwrap()[..4], [0x84, 0xd8, 0x98, 0x77]);
    }
}
