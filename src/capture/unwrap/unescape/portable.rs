//! The same on any processor: the backslashes are found first, 64 bytes at once and without a branch
//! for any of them; then what stands between them is copied in pieces of a fixed length. What is rare,
//! and the last bytes of a text, go word by word.

use std::num::NonZero;

use super::super::super::token::marks;
use super::{BLOCK, LETTERS, escapes, rare_escape};

/// One bit that is always there.
const HIGHEST: NonZero<u64> = match NonZero::new(1 << 63) {
    Some(highest) => highest,
    None => NonZero::<u64>::MIN,
};

/// Bytes that are copied together.
const PIECE: usize = 16;

/// Escapes of a block that are noted without asking whether there are so many.
const USUAL: usize = 12;

/// Escapes that are noted before anything is copied, and room for those of one block more.
const NOTED: usize = 64;
const ROOM: usize = NOTED + BLOCK / 2 + USUAL;

/// A string on its way from a text to another place.
struct Decoding<'t, 'i> {
    text: &'t str,
    into: &'i mut [u8],
    /// What was decoded ends here in the text, and there in the other place.
    from: usize,
    to: usize,
}

/// See [`super::decode`].
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

    #[cold]
    fn rare_escape(&mut self, at: usize) -> Option<()> {
        let (end, length) = rare_escape(self.text, at, self.into.get_mut(self.to..)?)?;
        self.to += length;
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
