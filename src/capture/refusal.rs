//! What is said of a capture that is no text, or whose compressed data end too early.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::archives::Format;
use super::bytes::Input;
use super::compressed::{Compression, End, FREE_BYTES, Fault, MOST_EXPANSION, WINDOW_LOG_MAX};
use super::error::{CaptureError, again, named};

impl Input {
    /// Refuses what is no text this program reads, by its first bytes.
    pub(super) fn check_text(&self, head: &[u8]) -> Result<(), CaptureError> {
        let name = self.name().to_owned();
        let argument = self.argument();
        // What takes the compression off stands before what converts the text.
        let outer = self.compression().map(Compression::program);
        if let Some(inner) = Compression::of(head) {
            return Err(CaptureError::Compressed {
                name,
                format: inner.name(),
                way_out: match outer {
                    Some(outer) => format!("{outer}{argument} | replayscope -"),
                    None => format!("{}{argument} | replayscope -", inner.program()),
                },
            });
        }
        if let Some(format) = Format::of(head) {
            return Err(CaptureError::Archive {
                name,
                format: format.name,
                way_out: format.way_out(outer, argument),
            });
        }
        if !matches!(head, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
            return Ok(());
        }
        let convert = "iconv -f UTF-16 -t UTF-8";
        Err(CaptureError::Utf16 {
            name,
            way_out: match outer {
                Some(outer) => format!("{outer}{argument} | {convert} | replayscope -"),
                None => format!("{convert}{argument} | replayscope -"),
            },
        })
    }

    pub(super) fn decoding_fault(&self, end: &End) -> Option<CaptureError> {
        let fault = end.fault.as_ref()?;
        let name = self.name().to_owned();
        let format = self.compression().map_or("compressed", Compression::name);
        let program = self.compression().map_or("cat", Compression::program);
        let at_bytes = end.read_bytes;
        let text_bytes = self.length_bytes();
        let damaged = |fault: String| CaptureError::Damaged {
            name: self.name().to_owned(),
            format,
            fault,
            at_bytes,
            text_bytes,
            line: self.last_line(),
        };
        let beyond = |limit: String| CaptureError::BeyondLimit {
            name: self.name().to_owned(),
            format,
            limit,
            at_bytes,
            text_bytes,
            way_out: format!("{program}{} | replayscope -", self.argument()),
        };
        Some(match fault {
            Fault::Cut => damaged("are cut off".to_owned()),
            Fault::Damaged(why) => damaged(format!("are damaged: {why}")),
            Fault::Expansion => beyond(format!(
                "give more than {MOST_EXPANSION} bytes of text for each of theirs, and more than {} \
                 MiB: expansion ratio",
                FREE_BYTES >> 20
            )),
            Fault::Window(bytes) => beyond(format!(
                "ask for a window of {} MiB, and {} MiB is the most: window size",
                bytes.div_ceil(1 << 20),
                (1u64 << WINDOW_LOG_MAX) >> 20
            )),
            Fault::Unread(source) => named(&name, again(source)),
        })
    }

    pub(super) fn no_room(&self, source: &io::Error) -> CaptureError {
        CaptureError::NoRoom {
            name: self.name().to_owned(),
            text_bytes: self.length_bytes(),
            folder: super::error::shown(&folder()),
            source: again(source),
        }
    }

    /// The line of the text's last byte, from 1. Reads the text again: only who tells of a fault asks.
    fn last_line(&self) -> u64 {
        let mut buffer = vec![0; 1 << 20];
        let (mut at_bytes, mut ends, mut is_open) = (0, 0, false);
        while let Ok(filled @ 1..) = self.read_next(at_bytes, &mut buffer) {
            let text = buffer.get(..filled).unwrap_or_default();
            ends += memchr::memchr_iter(b'\n', text).count() as u64;
            is_open = text.last() != Some(&b'\n');
            at_bytes += filled as u64;
        }
        ends + u64::from(is_open)
    }
}

/// Where what comes through a pipe or is decompressed is kept: where the user says, else where large
/// temporary files belong, which `/tmp` often is not (it may be memory).
fn folder() -> PathBuf {
    let is_told = std::env::var_os("TMPDIR").is_some_and(|folder| !folder.is_empty());
    let large = Path::new("/var/tmp");
    if !is_told && large.is_dir() {
        return large.to_owned();
    }
    std::env::temp_dir()
}

/// A file without a name, which is gone when it is closed.
pub(super) fn copy() -> io::Result<File> {
    tempfile::tempfile_in(folder()).or_else(|_| tempfile::tempfile())
}
