//! Decoded text on its way to the reader, in blocks, and the limit that keeps a bomb from filling the
//! disk.

use std::sync::mpsc::{Receiver, SyncSender};

use super::{End, FREE_BYTES, Fault, MOST_EXPANSION, Message, Stop};

/// Text of one block: small enough for a processor's cache.
const BLOCK_BYTES: usize = 256 << 10;

/// Collects text and hands it out.
pub(super) struct Output {
    sender: SyncSender<Message>,
    spares: Receiver<Vec<u8>>,
    block: Vec<u8>,
    filled: usize,
    decoded_bytes: u64,
}

impl Output {
    pub(super) fn new(sender: SyncSender<Message>, spares: Receiver<Vec<u8>>) -> Self {
        Self {
            sender,
            spares,
            block: vec![0; BLOCK_BYTES],
            filled: 0,
            decoded_bytes: 0,
        }
    }

    /// Where the next text goes; never empty.
    pub(super) fn room(&mut self) -> &mut [u8] {
        self.block.get_mut(self.filled..).unwrap_or_default()
    }

    /// So many bytes were put there, out of this many compressed ones so far.
    pub(super) fn wrote(&mut self, length: usize, consumed_bytes: u64) -> Result<(), Stop> {
        self.filled += length;
        self.decoded_bytes += length as u64;
        if self.filled >= self.block.len() {
            self.flush()?;
        }
        let most = consumed_bytes.saturating_mul(MOST_EXPANSION);
        if self.decoded_bytes > FREE_BYTES.max(most) {
            return Err(Stop::Fault(Fault::Expansion));
        }
        Ok(())
    }

    /// Hands out what there is. Waits while the reader is far behind.
    pub(super) fn flush(&mut self) -> Result<(), Stop> {
        if self.filled == 0 {
            return Ok(());
        }
        let mut next = self.spares.try_recv().unwrap_or_default();
        next.resize(BLOCK_BYTES, 0);
        let block = std::mem::replace(&mut self.block, next);
        let message = Message::Block(block, std::mem::take(&mut self.filled));
        self.sender.send(message).map_err(|_| Stop::Unwanted)
    }

    /// Says that nothing follows.
    pub(super) fn end(self, end: End) {
        // Whoever no longer waits has closed the other end.
        let _ = self.sender.send(Message::End(end));
    }
}
