//! Why a capture cannot be read, in words that say what to do.

use std::fmt::Write as _;
use std::io::{self, ErrorKind};
use std::path::Path;

/// Why a capture cannot be read, or not to its end. A bad record is never one of these: it is a step.
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
    #[error("{name}: is a directory; name the files in it")]
    Directory {
        /// The path as given.
        name: String,
    },
    /// What was decompressed is compressed once more.
    #[error("{name}: is compressed more than once ({format} inside); open it with: {way_out}")]
    Compressed {
        /// The path as given.
        name: String,
        /// `gzip` or `zstd`.
        format: &'static str,
        /// A command line that takes the outer compression off.
        way_out: String,
    },
    /// The capture is in a format that is not read here.
    #[error("{name}: is {format}; open it with: {way_out}")]
    Archive {
        /// The path as given.
        name: String,
        /// What the format is called: `xz`, `zip`, `tar`, …
        format: &'static str,
        /// A command line that opens it.
        way_out: String,
    },
    /// The compressed data are damaged or cut off. The text before that place was read.
    #[error(
        "{name}: the {format} data {fault} (byte {at_bytes} of the file); read was what comes before: \
         {text_bytes} bytes of text, the last of them on line {line}"
    )]
    Damaged {
        /// The path as given.
        name: String,
        /// `gzip` or `zstd`.
        format: &'static str,
        /// What is wrong, as what follows "the data".
        fault: String,
        /// Where that was found, in the compressed data.
        at_bytes: u64,
        /// Bytes of text that were read.
        text_bytes: u64,
        /// The line that the last of them is on, from 1; 0 where there are none.
        line: u64,
    },
    /// The compressed data go beyond a limit. The text before that place was read.
    #[error(
        "{name}: the {format} data {limit} (byte {at_bytes} of the file); read was what comes before: \
         {text_bytes} bytes of text; if you trust it: {way_out}"
    )]
    BeyondLimit {
        /// The path as given.
        name: String,
        /// `gzip` or `zstd`.
        format: &'static str,
        /// Which limit, as what follows "the data".
        limit: String,
        /// Where that was found, in the compressed data.
        at_bytes: u64,
        /// Bytes of text that were read.
        text_bytes: u64,
        /// A command line that decompresses it without limits.
        way_out: String,
    },
    /// There is no room for what comes through a pipe or is decompressed.
    #[error(
        "{name}: {text_bytes} bytes of it were read, and no more can be kept in {folder} ({source}); \
         set TMPDIR to a folder with more room"
    )]
    NoRoom {
        /// The path as given.
        name: String,
        /// Bytes of text that were read.
        text_bytes: u64,
        /// Where it is kept.
        folder: String,
        /// What the operating system says.
        source: io::Error,
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
        source: io::Error,
    },
}

/// What the operating system says, about a capture.
pub(super) fn named(name: &str, source: io::Error) -> CaptureError {
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

/// The same error once more: one cannot be copied.
pub(super) fn again(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

/// A path may hold any byte; an error message that names it must not steer a terminal, and two files
/// must not look like one.
pub(super) fn shown(path: &Path) -> String {
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
pub(super) fn argument(path: &Path) -> String {
    let name = path.to_str().filter(|name| shown(path) == *name);
    let is_word =
        |character: char| character.is_ascii_alphanumeric() || "/._-+=:@%,".contains(character);
    match name {
        None => " < FILE".to_owned(),
        Some(name) if !name.is_empty() && name.chars().all(is_word) => format!(" < {name}"),
        Some(name) => format!(" < '{}'", name.replace('\'', "'\\''")),
    }
}
