//! Decodes a JSON string while its spelling is checked.
//!
//! A payload in a string has an escape every eight or nine bytes, nearly all of them of a quote, so
//! that a branch for each of them would cost more than all else that is done with a record. There are
//! two ways without: one for processors that can move the bytes of a vector (`avx2`), one for all
//! others (`portable`).

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;

use super::super::string;
use super::super::token::escape;

/// Bytes that are looked at together.
const BLOCK: usize = 64;

/// Bytes that a place must have beyond those that are left of the text.
pub(super) const SLACK: usize = BLOCK + 8;

/// What each letter behind a backslash stands for; 0 for those that stand for no single byte.
#[allow(
    clippy::indexing_slicing,
    reason = "the compiler makes the table, and a byte is always in it"
)]
const LETTERS: [u8; 256] = {
    let mut letters = [0; 256];
    letters[b'"' as usize] = b'"';
    letters[b'\\' as usize] = b'\\';
    letters[b'/' as usize] = b'/';
    letters[b'b' as usize] = 8;
    letters[b'f' as usize] = 12;
    letters[b'n' as usize] = b'\n';
    letters[b'r' as usize] = b'\r';
    letters[b't' as usize] = b'\t';
    letters
};

/// Decodes a string from the byte behind its opening quote to its closing one, or to the text's end;
/// answers where that is, and how long what it stands for is. Nothing where the reader would refuse
/// it. The place must have room for the rest of the text and [`SLACK`].
pub(super) fn decode(text: &str, start: usize, into: &mut [u8]) -> Option<(usize, usize)> {
    #[cfg(target_arch = "x86_64")]
    if let Some(processor) = avx2::processor() {
        return avx2::decode(processor, text, start, into);
    }
    portable::decode(text, start, into)
}

/// Decodes the escape that begins at a backslash, whatever it is, to the start of a place; answers
/// where it ends, and how long what it stands for is. Nothing where there is no such escape.
#[cold]
fn rare_escape(text: &str, at: usize, into: &mut [u8]) -> Option<(usize, usize)> {
    let end = escape(text.as_bytes(), at).ok()?;
    let (character, _) = string::one_escape(text.get(at..end)?);
    let room = into.get_mut(..character.len_utf8())?;
    Some((end, character.encode_utf8(room).len()))
}

/// The backslashes that begin an escape, and the bytes behind them. `is_escaped` is 1 where the byte
/// before the block was such a one. In a run of backslashes every other one is: a subtraction that
/// borrows through the run tells at which kind of place it ends (simdjson, "find escaped").
#[inline]
fn escapes(slashes: u64, is_escaped: &mut u64) -> (u64, u64) {
    const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;
    let may_begin = slashes & !*is_escaped;
    let ends = ((may_begin << 1) | ODD).wrapping_sub(may_begin) ^ ODD;
    let escaped = ends ^ (slashes | *is_escaped);
    let begin = ends & slashes;
    *is_escaped = begin >> 63;
    (begin, escaped)
}

#[cfg(test)]
mod tests;
