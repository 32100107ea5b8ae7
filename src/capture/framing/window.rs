//! The stretch of the capture that has been read and not yet handed out.

use super::super::bytes::{CaptureError, Input};
use super::chunk::{Chunk, Layout};

/// Chunks whose memory waits for the next ones.
const SPARE_MAX: usize = 8;

/// Bytes in order, read from the input as they are asked for.
#[derive(Debug)]
pub(super) struct Window<'i> {
    input: &'i Input,
    /// Place of the first byte of `storage` in the capture.
    offset_bytes: u64,
    /// Always fully initialised; the first `filled` bytes are the capture's.
    storage: Vec<u8>,
    filled: usize,
    ended: bool,
    spare: Vec<Vec<u8>>,
}

impl<'i> Window<'i> {
    pub(super) fn new(input: &'i Input) -> Self {
        Self {
            input,
            offset_bytes: 0,
            storage: Vec::new(),
            filled: 0,
            ended: false,
            spare: Vec::new(),
        }
    }

    /// Refuses what is no text, by the first bytes.
    pub(super) fn check_text(&self) -> Result<(), CaptureError> {
        self.input.check_text(self.filled())
    }

    /// Why the text ended before the capture did.
    pub(super) fn fault(&self) -> Option<CaptureError> {
        self.input.fault().filter(|_| self.ended)
    }

    /// What has been read and not handed out.
    pub(super) fn filled(&self) -> &[u8] {
        self.storage.get(..self.filled).unwrap_or_default()
    }

    /// Place of the first of these bytes in the capture.
    pub(super) fn offset_bytes(&self) -> u64 {
        self.offset_bytes
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Whether waiting for more may take long: what is there should be handed out first.
    pub(super) fn is_slow(&self) -> bool {
        self.input.is_pipe()
    }

    /// Reads up to `wanted` more bytes, once. False at the end.
    pub(super) fn read_more(&mut self, wanted: usize) -> Result<bool, CaptureError> {
        if self.ended {
            return Ok(false);
        }
        // A record that does not fit doubles the window, so that scanning it again stays linear.
        let target = self.filled + wanted.max(self.filled);
        if self.storage.len() < target {
            self.storage.resize(target, 0);
        }
        let free = self
            .storage
            .get_mut(self.filled..target)
            .unwrap_or_default();
        let at = self.offset_bytes + self.filled as u64;
        let came = self.input.read_next(at, free)?;
        self.filled += came;
        self.ended = came == 0;
        Ok(!self.ended)
    }

    /// Passes over the first bytes: nobody needs them.
    pub(super) fn pass(&mut self, length: usize) {
        let length = length.min(self.filled);
        self.storage.copy_within(length..self.filled, 0);
        self.filled -= length;
        self.offset_bytes += length as u64;
    }

    /// Hands out the first bytes as a chunk; what follows them stays.
    pub(super) fn cut(&mut self, length: usize, layout: Layout) -> Chunk {
        let length = length.min(self.filled);
        let rest = self.storage.get(length..self.filled).unwrap_or_default();
        let mut next = self.spare.pop().unwrap_or_default();
        if next.len() < rest.len() {
            next.resize(rest.len(), 0);
        }
        if let Some(start) = next.get_mut(..rest.len()) {
            start.copy_from_slice(rest);
        }
        let rest = rest.len();
        let storage = std::mem::replace(&mut self.storage, next);
        let chunk = Chunk::new(self.offset_bytes, storage, length, layout);
        self.filled = rest;
        self.offset_bytes += length as u64;
        chunk
    }

    pub(super) fn recycle(&mut self, storage: Vec<u8>) {
        let useful = self.spare.len() < SPARE_MAX && storage.len() <= 4 * super::CHUNK_BYTES;
        if useful && !storage.is_empty() {
            self.spare.push(storage);
        }
    }
}
