//! Captures of lines: a chunk is cut behind the last separator that has been read, but never inside what
//! belongs together.

use super::super::bytes::CaptureError;
use super::SLACK_BYTES;
use super::chunk::{Chunk, Layout};
use super::joined::{Cut, Joining};
use super::watch::Watch;
use super::window::Window;

/// The next chunk of whole lines. Sizes are a chunk's and a record's.
pub(super) fn next_lines(
    window: &mut Window<'_>,
    separator: u8,
    watch: &mut Watch,
    (chunk_bytes, record_bytes): (usize, usize),
) -> Result<Option<Chunk>, CaptureError> {
    let mut groups = Cut::new();
    let mut searched = 0;
    loop {
        let blocks_from = match separator {
            b'\n' => watch.look(window),
            _ => usize::MAX,
        };
        let joining = Joining {
            most: record_bytes,
            blocks_from,
        };
        let layout = Layout::Lines { separator, joining };
        let share = watch.share(window.filled().len(), window.offset_bytes());
        if share.is_all {
            return Ok(Some(window.cut(share.length, layout)));
        }
        let filled = window.filled();
        let filled = filled.get(..share.length).unwrap_or(filled);
        let ready = filled.len() >= chunk_bytes || window.is_slow();
        if ready {
            let fresh = filled.get(searched..).unwrap_or_default();
            if let Some(last) = memchr::memrchr(separator, fresh) {
                let end = searched + last + 1;
                let end = match separator {
                    b'\n' => groups.before(filled, end, joining),
                    _ => Some(end),
                };
                if let Some(end) = end {
                    return Ok(Some(window.cut(end, layout)));
                }
            }
            searched = filled.len();
        }
        if searched > record_bytes + SLACK_BYTES {
            // Lines of one group that is too long by what has been read of its next line.
            return match memchr::memrchr(separator, filled) {
                Some(last) => Ok(Some(window.cut(last + 1, layout))),
                None => pass_long_line(window, separator, chunk_bytes).map(Some),
            };
        }
        if !window.read_more(chunk_bytes)? {
            // The last line may be a title without a line end.
            if separator == b'\n' {
                watch.look(window);
            }
            let rest = watch.share(window.filled().len(), window.offset_bytes());
            if rest.length == 0 {
                return Ok(None);
            }
            return Ok(Some(window.cut(rest.length, layout)));
        }
    }
}

/// Passes over a line that is longer than a record may be, without keeping it.
pub(super) fn pass_long_line(
    window: &mut Window<'_>,
    separator: u8,
    chunk_bytes: usize,
) -> Result<Chunk, CaptureError> {
    let offset_bytes = window.offset_bytes();
    let mut length_bytes = 0;
    let mut lines = 0;
    loop {
        let filled = window.filled();
        let end = memchr::memchr(separator, filled);
        let piece = filled
            .get(..end.unwrap_or(filled.len()))
            .unwrap_or_default();
        length_bytes += piece.len() as u64;
        lines += memchr::memchr_iter(b'\n', piece).count() as u64;
        let passed = end.map_or(filled.len(), |end| end + 1);
        if end.is_some() && separator == b'\n' {
            lines += 1;
        }
        window.pass(passed);
        if end.is_some() || !window.read_more(chunk_bytes)? {
            return Ok(Chunk::too_long(offset_bytes, length_bytes, lines));
        }
    }
}
