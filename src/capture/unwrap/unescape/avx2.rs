//! The same where the processor has AVX2: eight bytes lose their backslashes in one move, without a
//! branch.
//!
//! Which bytes stay is known as bits; a table has the move for each of their 256 patterns
//! (Lemire and others, "despacing"). Where a block has another escape than one of a quote, a backslash
//! or a slash, or the string's end, it is taken as far as that.

use core::arch::x86_64::__m256i;

use pulp::{NullaryFnOnce, cast, x86::V3};

use super::{BLOCK, LETTERS, SLACK, escapes, rare_escape};

/// For each pattern of bytes that are left out of eight, the others' places in a row.
#[allow(
    clippy::indexing_slicing,
    reason = "the compiler makes the table, and looks at its bounds"
)]
static MOVES: [[u8; 8]; 256] = {
    let mut moves = [[0; 8]; 256];
    let mut pattern = 0;
    while pattern < 256 {
        let (mut place, mut kept) = (0u8, 0);
        while place < 8 {
            if pattern >> place & 1 == 0 {
                moves[pattern][kept] = place;
                kept += 1;
            }
            place += 1;
        }
        pattern += 1;
    }
    moves
};

/// How many bytes stay with each pattern.
#[allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "the compiler makes the table, and looks at its bounds; at most eight bits are counted"
)]
static KEPT: [u8; 256] = {
    let mut kept = [0; 256];
    let mut pattern = 0usize;
    while pattern < 256 {
        kept[pattern] = 8 - pattern.count_ones() as u8;
        pattern += 1;
    }
    kept
};

/// Proof that the processor can do it.
#[inline]
pub(super) fn processor() -> Option<V3> {
    V3::try_new()
}

/// See [`super::decode`].
pub(super) fn decode(
    processor: V3,
    text: &str,
    start: usize,
    into: &mut [u8],
) -> Option<(usize, usize)> {
    processor.vectorize(Decoding {
        processor,
        text,
        into,
        from: start,
        to: 0,
        is_escaped: 0,
    })
}

/// A string on its way from a text to another place.
struct Decoding<'t, 'i> {
    processor: V3,
    text: &'t str,
    into: &'i mut [u8],
    /// What was decoded ends here in the text, and there in the other place.
    from: usize,
    to: usize,
    /// 1 where the byte before was a backslash that begins an escape.
    is_escaped: u64,
}

/// Where a block could not be taken further.
enum Stop {
    Nowhere,
    /// At the backslash of an escape that stands for something else than its letter.
    AtEscape(usize),
    /// At a quote, a control character or the text's end.
    AtEnd(usize),
}

impl NullaryFnOnce for Decoding<'_, '_> {
    type Output = Option<(usize, usize)>;

    #[allow(clippy::inline_always, reason = "only inside is it compiled for AVX2")]
    #[inline(always)]
    fn call(mut self) -> Self::Output {
        let bytes = self.text.as_bytes();
        loop {
            let rest = bytes.get(self.from..)?;
            let mut last = [0; BLOCK];
            let block = if let Some(block) = rest.first_chunk() {
                block
            } else {
                // The zeros behind the text's end stop it there.
                last.get_mut(..rest.len())?.copy_from_slice(rest);
                &last
            };
            match self.block(block)? {
                Stop::Nowhere => {}
                Stop::AtEscape(at) => self.escape(at)?,
                Stop::AtEnd(end) => {
                    let is_whole = matches!(bytes.get(end), None | Some(b'"'));
                    return is_whole.then_some((end, self.to));
                }
            }
        }
    }
}

impl Decoding<'_, '_> {
    /// Decodes a block as far as its bytes need only be moved.
    #[allow(clippy::inline_always, reason = "only inside is it compiled for AVX2")]
    #[inline(always)]
    fn block(&mut self, block: &[u8; BLOCK]) -> Option<Stop> {
        let slashes = self.places(block, b'\\');
        let quotes = self.places(block, b'"');
        let (begin, behind) = escapes(slashes, &mut self.is_escaped);
        let mut other = behind & !(quotes | slashes);
        if other != 0 {
            other &= !self.places(block, b'/');
        }
        // Of another escape its backslash stops, which may be the last byte of the block before.
        let stops = ((quotes | self.controls(block)) & !behind) | other;
        let room: &mut [u8; SLACK] = self.into.get_mut(self.to..)?.first_chunk_mut()?;
        let mut kept = 0;
        let (words, _) = block.as_chunks::<8>();
        for (word, left_out) in words.iter().zip(begin.to_le_bytes()) {
            let moves = MOVES.get(usize::from(left_out))?;
            let [word, moves] = [word, moves].map(|eight| cast([u64::from_le_bytes(*eight), 0]));
            let [left, _]: [u64; 2] = cast(self.processor.ssse3._mm_shuffle_epi8(word, moves));
            // Never more than a block; said so, it need not be checked.
            *room.get_mut(kept % BLOCK..)?.first_chunk_mut()? = left.to_le_bytes();
            kept += usize::from(*KEPT.get(usize::from(left_out))?);
        }
        if stops == 0 {
            self.from += BLOCK;
            self.to += kept;
            return Some(Stop::Nowhere);
        }
        let length = stops.trailing_zeros() as usize;
        let before = stops.wrapping_sub(1) & !stops;
        self.from += length;
        self.to += length - (begin & before).count_ones() as usize;
        self.is_escaped = 0;
        Some(if other >> length & 1 == 1 {
            Stop::AtEscape(self.from - 1)
        } else {
            Stop::AtEnd(self.from)
        })
    }

    /// An escape of another byte than its letter.
    fn escape(&mut self, at: usize) -> Option<()> {
        let letter = *self.text.as_bytes().get(at + 1)?;
        let byte = *LETTERS.get(usize::from(letter))?;
        if byte == 0 {
            let (end, length) = rare_escape(self.text, at, self.into.get_mut(self.to..)?)?;
            self.to += length;
            self.from = end;
        } else {
            *self.into.get_mut(self.to)? = byte;
            self.to += 1;
            self.from = at + 2;
        }
        Some(())
    }

    /// Where a byte stands in a block, as bits.
    #[allow(clippy::inline_always, reason = "only inside is it compiled for AVX2")]
    #[inline(always)]
    fn places(&self, block: &[u8; BLOCK], byte: u8) -> u64 {
        let V3 { avx, avx2, .. } = self.processor;
        let byte = avx._mm256_set1_epi8(byte.cast_signed());
        self.bits(block, |half| avx2._mm256_cmpeq_epi8(half, byte))
    }

    /// The same of control characters.
    #[allow(clippy::inline_always, reason = "only inside is it compiled for AVX2")]
    #[inline(always)]
    fn controls(&self, block: &[u8; BLOCK]) -> u64 {
        let V3 { avx, avx2, .. } = self.processor;
        let last = avx._mm256_set1_epi8(0x1f);
        self.bits(block, |half| {
            avx2._mm256_cmpeq_epi8(avx2._mm256_min_epu8(half, last), half)
        })
    }

    #[allow(clippy::inline_always, reason = "only inside is it compiled for AVX2")]
    #[inline(always)]
    fn bits(&self, block: &[u8; BLOCK], ask: impl Fn(__m256i) -> __m256i) -> u64 {
        let halves: [__m256i; 2] = cast(*block);
        let [low, high] = halves.map(|half| {
            let mask = self.processor.avx2._mm256_movemask_epi8(ask(half));
            u64::from(mask.cast_unsigned())
        });
        low | high << 32
    }
}
