//! A fast hash of identities and contents, fixed so that the same capture gives the same run
//! everywhere. It stands in for no comparison: whatever has the same hash is compared by its bytes.

/// Odd numbers of no meaning: the first digits of pi's fraction.
const ONE: u64 = 0x243F_6A88_85A3_08D3;
const TWO: u64 = 0x1319_8A2E_0370_7345;
const THREE: u64 = 0xA409_3822_299F_31D1;

/// A hash under way.
#[derive(Clone, Copy, Debug)]
pub struct Digest(u64);

/// Both halves of a product: every bit of both factors reaches every bit of it.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let (low, high) = (product & u128::from(u64::MAX), product >> 64);
    u64::try_from(low ^ high).unwrap_or_default()
}

impl Default for Digest {
    fn default() -> Self {
        Self(ONE)
    }
}

impl Digest {
    /// Takes a number in.
    #[inline]
    pub fn number(&mut self, number: u64) {
        self.0 = fold(self.0 ^ number, TWO);
    }

    /// Takes a text in with its length, so that two texts in a row cannot be cut elsewhere.
    #[inline]
    pub fn text(&mut self, text: &[u8]) {
        self.number(text.len() as u64);
        if let (Some(last), 17..) = (text.last_chunk::<16>(), text.len()) {
            let (sixteens, _) = text.as_chunks::<16>();
            for sixteen in sixteens {
                self.pair(words(sixteen));
            }
            self.pair(words(last));
        } else if let (Some(head), Some(tail)) = (text.first_chunk::<8>(), text.last_chunk::<8>()) {
            self.pair([u64::from_le_bytes(*head), u64::from_le_bytes(*tail)]);
        } else {
            self.short(text);
        }
    }

    /// The hash of all that was taken in.
    #[inline]
    pub fn finish(self) -> u64 {
        fold(self.0 ^ THREE, ONE)
    }

    #[inline]
    fn pair(&mut self, [one, other]: [u64; 2]) {
        self.0 = fold(self.0 ^ one, THREE ^ other);
    }

    /// Fewer than eight bytes.
    #[inline]
    fn short(&mut self, text: &[u8]) {
        if let (Some(head), Some(tail)) = (text.first_chunk::<4>(), text.last_chunk::<4>()) {
            let [head, tail] = [head, tail].map(|four| u64::from(u32::from_le_bytes(*four)));
            self.pair([head, tail]);
        } else {
            self.number(text.iter().fold(0, |all, byte| all << 8 | u64::from(*byte)));
        }
    }
}

/// Sixteen bytes as two words.
#[inline]
pub(super) fn words(sixteen: &[u8; 16]) -> [u64; 2] {
    let (eights, _) = sixteen.as_chunks::<8>();
    match eights {
        [one, other] => [u64::from_le_bytes(*one), u64::from_le_bytes(*other)],
        _ => [0, 0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(texts: &[&[u8]]) -> u64 {
        let mut digest = Digest::default();
        for text in texts {
            digest.text(text);
        }
        digest.finish()
    }

    #[test]
    fn every_byte_counts_at_every_length() {
        let mut seen = std::collections::HashSet::new();
        for length in 0..70 {
            let text: Vec<u8> = (0..length).collect();
            assert!(seen.insert(hash(&[&text])), "{length}");
            for at in 0..text.len() {
                let mut other = text.clone();
                if let Some(byte) = other.get_mut(at) {
                    *byte ^= 0x80;
                }
                assert!(seen.insert(hash(&[&other])), "{length} {at}");
            }
        }
    }

    #[test]
    fn texts_in_a_row_are_not_one_text() {
        assert_ne!(hash(&[b"ab", b"c"]), hash(&[b"a", b"bc"]));
        assert_ne!(hash(&[b"", b"a"]), hash(&[b"a", b""]));
        assert_eq!(hash(&[b"ab", b"c"]), hash(&[b"ab", b"c"]));
    }

    #[test]
    fn the_bits_are_spread() {
        // The table of identities keeps the upper half, and places by the lower bits of it.
        let tags: std::collections::HashSet<u64> = (0..100_000)
            .map(|number| {
                hash(&[
                    b"urn:checkout:orders",
                    format!("evt-{number:08}-1").as_bytes(),
                ]) >> 32
            })
            .collect();
        assert!(tags.len() > 99_990, "{}", tags.len());
        let places: std::collections::HashSet<u64> = tags.iter().map(|tag| tag & 0xFFFF).collect();
        assert!(places.len() > 50_000, "{}", places.len());
    }
}
