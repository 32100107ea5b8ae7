//! Compressed captures: decoded on a thread of their own, a few mebibytes ahead of whoever reads.
//!
//! ```text
//! file or pipe ─▶ source ─▶ gzip | zstd ─▶ output ══ blocks ══▶ Decoded ─▶ Input writes them down
//!                 └────────── a thread of its own ───────────┘
//! ```
//!
//! What was decoded is kept whole in an unnamed temporary file, as what came through a pipe is: the
//! engine compares deliveries with any earlier one, millions of times in a bad capture, and each look
//! must cost a positioned read and no decoding. Checkpoints in the compressed data (as zran keeps
//! them) would save the disk space, but a look would then decode half a mebibyte on average; small
//! blocks that are compressed again cost more processor time than the whole of gzip's decoding. The
//! copy also stays as it was when the file changes, and serves pipes the same way.

mod gzip;
mod output;
mod source;
#[cfg(test)]
pub(super) use tests::gzipped;
#[cfg(test)]
mod tests;
mod zstd;

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};

use output::Output;
use source::Source;

/// Blocks that may wait for the reader: what bounds the look-ahead.
const BLOCKS_AHEAD: usize = 16;

/// The largest window that a zstd frame may ask for: 128 MiB, what the zstd program takes as well
/// unless it is told otherwise.
pub(super) const WINDOW_LOG_MAX: u32 = 27;

/// Text up to this size is never a bomb.
pub(super) const FREE_BYTES: u64 = 64 << 20;

/// How many bytes of text one compressed byte may give beyond that. Real logs give 5 to 100.
pub(super) const MOST_EXPANSION: u64 = 1000;

/// How a capture is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// RFC 1952: one or more members.
    Gzip,
    /// RFC 8878: one or more frames, of which some may be skippable.
    Zstd,
}

impl Compression {
    /// Told by the first four bytes; `None` is text, whatever its name says.
    pub fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            _ => None,
        }
    }

    /// Its name in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }

    /// The command that decompresses whatever this program refuses, as far as that can be done.
    pub(super) fn program(self) -> &'static str {
        match self {
            Self::Gzip => "gzip -dc",
            Self::Zstd => "zstd -dc --long=31",
        }
    }
}

/// Why decoding ended before the capture did.
#[derive(Debug)]
pub(super) enum Fault {
    /// The data ends in the middle of a member or frame.
    Cut,
    /// The data contradict themselves.
    Damaged(String),
    /// More text than compressed data of this size can hold in earnest.
    Expansion,
    /// A frame asks for a larger window than [`WINDOW_LOG_MAX`], in bytes.
    Window(u64),
    /// The compressed bytes cannot be read.
    Unread(io::Error),
}

/// What ends the decoding.
#[derive(Debug)]
enum Stop {
    /// Nobody reads any more.
    Unwanted,
    /// It cannot go on.
    Fault(Fault),
}

impl Stop {
    fn damaged(why: impl Into<String>) -> Self {
        Self::Fault(Fault::Damaged(why.into()))
    }
}

/// How the decoding ended.
#[derive(Debug)]
pub(super) struct End {
    /// Compressed bytes that were decoded; where there is a fault, what it was found behind.
    pub(super) read_bytes: u64,
    /// SHA-256 of exactly the compressed bytes that were decoded; `None` where there is a fault.
    pub(super) sha256: Option<[u8; 32]>,
    /// Why it is not the end of the capture.
    pub(super) fault: Option<Fault>,
}

/// What goes from the decoder to the reader.
enum Message {
    /// So many bytes of text at the start of this storage.
    Block(Vec<u8>, usize),
    End(End),
}

/// The text of a compressed stream, in order.
pub(super) struct Decoded {
    messages: Receiver<Message>,
    spare: Sender<Vec<u8>>,
    block: Vec<u8>,
    at: usize,
    filled: usize,
    end: Option<End>,
}

impl Decoded {
    /// Begins to decode. A slow reader gives what has come as soon as it has, else blocks are full.
    pub(super) fn start(
        compression: Compression,
        reader: Box<dyn Read + Send>,
        is_slow: bool,
    ) -> io::Result<Self> {
        let (sender, messages) = sync_channel(BLOCKS_AHEAD);
        let (spare, spares) = channel();
        let mut source = Source::new(reader, is_slow);
        let mut output = Output::new(sender, spares);
        let decode = move || {
            let done = match compression {
                Compression::Gzip => gzip::decode(&mut source, &mut output),
                Compression::Zstd => zstd::decode(&mut source, &mut output),
            };
            let done = done.and_then(|()| output.flush());
            let fault = match done {
                Ok(()) => None,
                Err(Stop::Unwanted) => return,
                Err(Stop::Fault(fault)) => Some(fault),
            };
            // What was decoded before the fault stays.
            if output.flush().is_ok() {
                output.end(source.end(fault));
            }
        };
        std::thread::Builder::new()
            .name("decoder".to_owned())
            .spawn(decode)?;
        Ok(Self {
            messages,
            spare,
            block: Vec::new(),
            at: 0,
            filled: 0,
            end: None,
        })
    }

    /// The next bytes of text; 0 is the end. Waits until some are decoded.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> usize {
        while self.at == self.filled && self.end.is_none() {
            match self.messages.recv() {
                Ok(Message::Block(block, filled)) => {
                    let used = std::mem::replace(&mut self.block, block);
                    (self.at, self.filled) = (0, filled);
                    // The decoder may have ended meanwhile.
                    let _ = self.spare.send(used);
                }
                Ok(Message::End(end)) => self.end = Some(end),
                Err(_) => {
                    let broken = io::Error::other("reading ended at a fault in replayscope");
                    self.end = Some(End {
                        read_bytes: 0,
                        sha256: None,
                        fault: Some(Fault::Unread(broken)),
                    });
                }
            }
        }
        let ready = self.block.get(self.at..self.filled).unwrap_or_default();
        let length = ready.len().min(buffer.len());
        if let (Some(target), Some(source)) = (buffer.get_mut(..length), ready.get(..length)) {
            target.copy_from_slice(source);
        }
        self.at += length;
        length
    }

    /// How it ended, once [`Decoded::read`] gave 0. Told once.
    pub(super) fn take_end(&mut self) -> Option<End> {
        self.end.take()
    }
}
