//! The compressed bytes as a decoder takes them: with a look at what comes next, counted and digested.

use std::io::{ErrorKind, Read};

use sha2::{Digest, Sha256};

use super::output::Output;
use super::{End, Fault, Stop};

/// Compressed bytes that are read at once; more than a block of zstd has.
const BUFFER_BYTES: usize = 256 << 10;

/// Reads compressed bytes in order.
pub(super) struct Source {
    reader: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    consumed_bytes: u64,
    digest: Sha256,
    is_slow: bool,
    has_ended: bool,
}

impl Source {
    pub(super) fn new(reader: Box<dyn Read + Send>, is_slow: bool) -> Self {
        Self {
            reader,
            buffer: vec![0; BUFFER_BYTES],
            start: 0,
            end: 0,
            consumed_bytes: 0,
            digest: Sha256::new(),
            is_slow,
            has_ended: false,
        }
    }

    /// Compressed bytes that were taken.
    pub(super) fn consumed_bytes(&self) -> u64 {
        self.consumed_bytes
    }

    /// What has been read and not taken.
    pub(super) fn ready(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    /// The same, at least so many bytes (no more than the buffer has) unless the end comes before.
    /// What was decoded is handed out before this waits for a slow reader.
    pub(super) fn ahead(&mut self, at_least: usize, out: &mut Output) -> Result<&[u8], Stop> {
        let at_least = at_least.min(BUFFER_BYTES);
        while self.end - self.start < at_least && !self.has_ended {
            if self.is_slow {
                out.flush()?;
            }
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
            let free = self.buffer.get_mut(self.end..).unwrap_or_default();
            match self.reader.read(free) {
                Ok(0) => self.has_ended = true,
                Ok(came) => {
                    self.digest.update(free.get(..came).unwrap_or_default());
                    self.end += came;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Stop::Fault(Fault::Unread(error))),
            }
        }
        Ok(self.ready())
    }

    /// Takes bytes that are ready.
    pub(super) fn consume(&mut self, length: usize) {
        let length = length.min(self.end - self.start);
        self.start += length;
        self.consumed_bytes += length as u64;
    }

    /// Passes over so many bytes. An error where the end comes before.
    pub(super) fn skip(&mut self, mut length: u64, out: &mut Output) -> Result<(), Stop> {
        while length > 0 {
            let ready = self.ahead(1, out)?.len();
            if ready == 0 {
                return Err(Stop::Fault(Fault::Cut));
            }
            let step = usize::try_from(length).map_or(ready, |length| length.min(ready));
            self.consume(step);
            length -= step as u64;
        }
        Ok(())
    }

    /// What is known once no more is read.
    pub(super) fn end(self, fault: Option<Fault>) -> End {
        End {
            read_bytes: self.consumed_bytes,
            sha256: fault.is_none().then(|| self.digest.finalize().into()),
            fault,
        }
    }
}
