//! Decodes a JSON string while its spelling is checked.
//!
//! A payload in a string has an escape every eight or nine bytes, nearly all of them of a quote. So
//! the backslashes are found first, 64 bytes at once and without a branch for any of them; then what
//! stands between them is copied in pieces of a fixed length. What is rare, and the last bytes of a
//! text, go word by word.

use std::num::NonZero;

use super::super::string;
use super::super::token::{escape, marks};

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

/// One bit that is always there.
const HIGHEST: NonZero<u64> = match NonZero::new(1 << 63) {
    Some(highest) => highest,
    None => NonZero::<u64>::MIN,
};

/// Bytes that are looked at together.
const BLOCK: usize = 64;

/// Bytes that are copied together.
const PIECE: usize = 16;

/// Escapes of a block that are noted without asking whether there are so many.
const USUAL: usize = 12;

/// Escapes that are noted before anything is copied, and room for those of one block more.
const NOTED: usize = 64;
const ROOM: usize = NOTED + BLOCK / 2 + USUAL;

/// Bytes that a place must have beyond those that are left of the text.
pub(super) const SLACK: usize = PIECE;

/// A string on its way from a text to another place.
struct Decoding<'t, 'i> {
    text: &'t str,
    into: &'i mut [u8],
    /// What was decoded ends here in the text, and there in the other place.
    from: usize,
    to: usize,
}

/// Decodes a string from the byte behind its opening quote to its closing one, or to the text's end;
/// answers where that is, and how long what it stands for is. Nothing where the reader would refuse
/// it. The place must have room for the rest of the text and [`SLACK`].
pub(super) fn decode(text: &str, start: usize, into: &mut [u8]) -> Option<(usize, usize)> {
    let mut decoding = Decoding {
        text,
        into,
        from: start,
        to: 0,
    };
    if !decoding.blocks(start)? {
        return decoding.words();
    }
    let is_quote = text.as_bytes().get(decoding.from) == Some(&b'"');
    is_quote.then_some((decoding.from, decoding.to))
}

impl Decoding<'_, '_> {
    /// Decodes whole blocks, as long as there are some; answers whether the string ends in one of
    /// them, or has a control character there.
    fn blocks(&mut self, start: usize) -> Option<bool> {
        let bytes = self.text.as_bytes();
        let mut noted = [0u32; ROOM];
        let mut at = start;
        let mut is_escaped = 0;
        loop {
            let mut count = 0;
            let mut has_ended = false;
            while count < NOTED
                && let Some(block) = bytes
                    .get(at..at + BLOCK + PIECE)
                    .and_then(|rest| rest.first_chunk())
            {
                let (slashes, stops) = masks(block);
                let (begin, behind) = escapes(slashes, &mut is_escaped);
                let stop = stops & !behind;
                let mut left = begin & stop.wrapping_sub(1) & !stop;
                let base = u32::try_from(at).ok()?;
                let (usual, others) = noted.get_mut(count..)?.split_first_chunk_mut::<USUAL>()?;
                count += left.count_ones() as usize;
                for place in usual {
                    // Behind the last one whatever comes is written, and not read.
                    *place = base + lowest(left);
                    left &= left.wrapping_sub(1);
                }
                let mut others = others.iter_mut();
                while left != 0 {
                    *others.next()? = base + left.trailing_zeros();
                    left &= left - 1;
                }
                if stop != 0 {
                    at += stop.trailing_zeros() as usize;
                    has_ended = true;
                    break;
                }
                at += BLOCK;
            }
            for place in noted.get(..count)? {
                self.escape(*place as usize)?;
            }
            if has_ended || count < NOTED {
                self.run(at.max(self.from))?;
                return Some(has_ended);
            }
        }
    }

    /// Copies what stands before a backslash, and what the escape there stands for.
    #[inline]
    fn escape(&mut self, at: usize) -> Option<()> {
        let bytes = self.text.as_bytes();
        // The second half of a surrogate pair.
        let Some(length) = at.checked_sub(self.from) else {
            return Some(());
        };
        let (mut from, mut to) = (self.from, self.to);
        loop {
            let piece = bytes.get(from..)?.first_chunk::<PIECE>()?;
            *self.into.get_mut(to..)?.first_chunk_mut()? = *piece;
            from += PIECE;
            to += PIECE;
            if from >= at {
                break;
            }
        }
        self.to += length;
        let letter = *LETTERS.get(usize::from(*bytes.get(at + 1)?))?;
        if letter == 0 {
            return self.rare_escape(at);
        }
        *self.into.get_mut(self.to)? = letter;
        self.to += 1;
        self.from = at + 2;
        Some(())
    }

    /// An escape by its number, or one that there is not.
    #[cold]
    fn rare_escape(&mut self, at: usize) -> Option<()> {
        let end = escape(self.text.as_bytes(), at).ok()?;
        let (character, _) = string::one_escape(self.text.get(at..end)?);
        let room = self.into.get_mut(self.to..self.to + character.len_utf8())?;
        self.to += character.encode_utf8(room).len();
        self.from = end;
        Some(())
    }

    /// Copies what stands before a byte, where nothing needs to be decoded.
    fn run(&mut self, end: usize) -> Option<()> {
        let run = self.text.as_bytes().get(self.from..end)?;
        let room = self.into.get_mut(self.to..self.to + run.len())?;
        room.copy_from_slice(run);
        self.to += run.len();
        self.from = end;
        Some(())
    }

    /// Decodes word by word.
    fn words(mut self) -> Option<(usize, usize)> {
        let bytes = self.text.as_bytes();
        loop {
            // Eight bytes are copied together, and those from the first that is not plain on again.
            let eights = bytes.get(self.from..)?.as_chunks::<8>().0;
            let rooms = self.into.get_mut(self.to..)?.as_chunks_mut::<8>().0;
            let mut plain = 0;
            for (eight, room) in eights.iter().zip(rooms) {
                *room = *eight;
                let marks = marks(u64::from_le_bytes(*eight));
                if marks != 0 {
                    plain += (marks.trailing_zeros() / 8) as usize;
                    break;
                }
                plain += 8;
            }
            self.from += plain;
            self.to += plain;
            match bytes.get(self.from) {
                None | Some(b'"') => return Some((self.from, self.to)),
                Some(b'\\') => {
                    let letter = *LETTERS.get(usize::from(*bytes.get(self.from + 1)?))?;
                    if letter == 0 {
                        self.rare_escape(self.from)?;
                        continue;
                    }
                    *self.into.get_mut(self.to)? = letter;
                    self.from += 2;
                    self.to += 1;
                }
                Some(0..0x20) => return None,
                // One of the last bytes of the text.
                Some(_) => self.run(self.from + 1)?,
            }
        }
    }
}

/// The lowest bit, or any number where there is none: to tell that would cost more than to find it.
#[inline]
fn lowest(bits: u64) -> u32 {
    (HIGHEST | bits).trailing_zeros()
}

/// A block's backslashes, and its quotes and control characters, as bits.
#[inline]
fn masks(block: &[u8; BLOCK]) -> (u64, u64) {
    let (mut slashes, mut stops) = ([0; BLOCK], [0; BLOCK]);
    for (slash, byte) in slashes.iter_mut().zip(block) {
        *slash = u8::from(*byte == b'\\');
    }
    for (stop, byte) in stops.iter_mut().zip(block) {
        *stop = u8::from(*byte == b'"') | u8::from(*byte < 0x20);
    }
    (bits(&slashes), bits(&stops))
}

/// Bytes that are 0 or 1 as bits: each word's are brought into its highest byte.
#[inline]
fn bits(block: &[u8; BLOCK]) -> u64 {
    const GATHERS: u64 = 0x0102_0408_1020_4080;
    let (words, _) = block.as_chunks::<8>();
    let words = words.iter().rev();
    words.fold(0, |bits, word| {
        bits << 8 | u64::from_le_bytes(*word).wrapping_mul(GATHERS) >> 56
    })
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
mod tests {
    use super::*;

    /// The same by the reader's and the decoder's own words.
    fn expected(raw: &str) -> Option<(usize, String)> {
        let quoted = format!("\"{raw}");
        let (end, is_whole) = match super::super::super::token::string_end(quoted.as_bytes(), 0) {
            Ok((end, _)) => (end - 2, true),
            Err(_) => (raw.len(), false),
        };
        let inside = raw.get(..end)?;
        let closed = format!("{quoted}\"");
        let is_good = super::super::super::token::string_end(closed.as_bytes(), 0).is_ok();
        (is_whole || is_good).then(|| (end, string::decode(inside)))
    }

    fn check(raw: &str) {
        let mut into = vec![0; raw.len() + SLACK];
        let decoded = decode(raw, 0, &mut into).map(|(end, length)| {
            let text = into.get(..length).unwrap_or_default();
            (end, String::from_utf8_lossy(text).into_owned())
        });
        assert_eq!(decoded, expected(raw), "{raw:?}");
    }

    #[test]
    fn strings_are_decoded_as_the_reader_reads_them() {
        let words = [
            "\\\"",
            "\\\\",
            "\\n",
            "\\u00e9",
            "\\ud83d\\ude00",
            "é",
            "plain and long enough ",
            "x",
            "\\\\\\\\",
            "\\/",
        ];
        let ends = [
            "",
            "\"",
            "\" and more",
            "\\",
            "\\x",
            "\u{1}",
            "\\\u{1}",
            "\\ud83d",
            "\\u12",
        ];
        // A fixed sequence that looks like none.
        let mut state = 1u64;
        let mut next = |most: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            usize::try_from(state >> 33).unwrap_or_default() % most
        };
        for _ in 0..20_000 {
            let mut raw = String::new();
            let kinds = 1 + next(words.len());
            for _ in 0..next(60) {
                raw.push_str(words.get(next(kinds)).copied().unwrap_or_default());
            }
            raw.push_str(ends.get(next(ends.len())).copied().unwrap_or_default());
            if next(2) == 0 {
                raw.push_str(&"behind it ".repeat(10));
            }
            check(&raw);
        }
    }

    #[test]
    fn runs_of_backslashes_over_the_ends_of_blocks() {
        for before in 50..70 {
            for slashes in 0..140 {
                let raw = ["a".repeat(before), "\\".repeat(slashes)].concat();
                for end in ["\"", "n\"", "", "u0041\""] {
                    check(&[raw.as_str(), end, &"\" , ".repeat(40)].concat());
                }
            }
        }
    }
}
