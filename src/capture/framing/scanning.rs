//! Reading on until a scan of what was read finds whole records: what values, blocks and sections do
//! alike.

use super::super::bytes::CaptureError;
use super::chunk::{Chunk, Layout};
use super::window::Window;

/// Below this many bytes an unfinished record is scanned again whenever something comes; above it,
/// only when half as much again has come, so that a long one through a pipe stays linear.
const EAGER_BYTES: usize = 1 << 20;

/// Where the records at the start of some bytes are, and how many of the bytes are done with.
pub(super) type Found = (Vec<(usize, usize)>, usize);

/// What came of reading on.
pub(super) enum Scanned {
    /// Whole records.
    Chunk(Chunk),
    /// One that is longer than is kept.
    TooLong,
    /// Nothing more will come.
    End,
}

/// Reads on until `scan` finds something; it is told whether nothing more will come.
pub(super) fn scanned(
    window: &mut Window<'_>,
    chunk_bytes: usize,
    keep_bytes: usize,
    mut scan: impl FnMut(&[u8], bool) -> Found,
) -> Result<Scanned, CaptureError> {
    let mut scan_at = if window.is_slow() { 1 } else { chunk_bytes };
    loop {
        let length = window.filled().len();
        let ended = window.has_ended();
        if length > 0 && (ended || length >= scan_at) {
            let (ranges, consumed) = scan(window.filled(), ended);
            if consumed > 0 {
                let chunk = window.cut(consumed, Layout::Listed(ranges));
                return Ok(Scanned::Chunk(chunk));
            }
            if length > keep_bytes {
                return Ok(Scanned::TooLong);
            }
            scan_at = if length < EAGER_BYTES {
                length + 1
            } else {
                length + length / 2
            };
        }
        if !window.read_more(chunk_bytes)? && window.filled().is_empty() {
            return Ok(Scanned::End);
        }
    }
}
