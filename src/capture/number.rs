//! Numbers by value, without ever expanding an exponent.
//!
//! `2`, `2.0` and `2e0` are one value, 2^53 and 2^53 + 1 are two, and `1e999999999` costs no memory:
//! a number is its sign, its digits without the zeros around them, and a decimal exponent.

use super::digest::Digest;

/// A number's value: ± digits × 10^exponent, the digits without leading or trailing zeros. Zero has
/// no digits, no sign and the exponent 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Normal<'a> {
    negative: bool,
    digits: Digits<'a>,
    exponent: Exponent,
}

/// Significant digits in up to two runs: before and behind the decimal point.
#[derive(Clone, Copy, Debug)]
struct Digits<'a> {
    before: &'a [u8],
    behind: &'a [u8],
}

impl Digits<'_> {
    fn iter(&self) -> impl Iterator<Item = u8> {
        self.before.iter().chain(self.behind).copied()
    }

    fn len(&self) -> usize {
        self.before.len() + self.behind.len()
    }
}

impl PartialEq for Digits<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Eq for Digits<'_> {}

/// A decimal exponent; written out in digits where it fits no machine number.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Exponent {
    Small(i128),
    Large { negative: bool, digits: Vec<u8> },
}

/// The value of a number in JSON spelling (RFC 8259, section 6).
pub fn normal(text: &str) -> Normal<'_> {
    let bytes = text.as_bytes();
    let (negative, bytes) = match bytes.split_first() {
        Some((b'-', rest)) => (true, rest),
        _ => (false, bytes),
    };
    let mark = bytes.iter().position(|byte| matches!(byte, b'e' | b'E'));
    let (mantissa, exponent) = match mark.and_then(|mark| bytes.split_at_checked(mark)) {
        Some((mantissa, rest)) => (mantissa, rest.split_first().map_or(rest, |(_, rest)| rest)),
        None => (bytes, &[][..]),
    };
    let point = mantissa.iter().position(|byte| *byte == b'.');
    let (before, behind) = match point.and_then(|point| mantissa.split_at_checked(point)) {
        Some((before, rest)) => (before, rest.split_first().map_or(rest, |(_, rest)| rest)),
        None => (mantissa, &[][..]),
    };
    let places = behind.len();
    let (mut before, mut behind) = (trim_start(before), behind);
    if before.is_empty() {
        behind = trim_start(behind);
    }
    let written = before.len() + behind.len();
    behind = trim_end(behind);
    if behind.is_empty() {
        before = trim_end(before);
    }
    let digits = Digits { before, behind };
    if digits.len() == 0 {
        return Normal {
            negative: false,
            digits,
            exponent: Exponent::Small(0),
        };
    }
    let shift = wide(written - digits.len()) - wide(places);
    Normal {
        negative,
        digits,
        exponent: add(exponent, shift),
    }
}

impl Normal<'_> {
    /// Whether the value has no fraction.
    pub fn is_integral(&self) -> bool {
        match &self.exponent {
            Exponent::Small(exponent) => *exponent >= 0,
            Exponent::Large { negative, .. } => !negative,
        }
    }

    /// The value where it is an integer whose magnitude is below 2^64.
    pub fn integer(&self) -> Option<i128> {
        let Exponent::Small(exponent) = self.exponent else {
            return None;
        };
        // The largest magnitude, 18446744073709551615, has twenty digits.
        let zeros = usize::try_from(exponent)
            .ok()
            .filter(|zeros| *zeros <= 20)?;
        if self.digits.len() + zeros > 20 {
            return None;
        }
        let mut magnitude = 0u128;
        for digit in self.digits.iter() {
            magnitude = magnitude * 10 + u128::from(digit - b'0');
        }
        for _ in 0..zeros {
            magnitude *= 10;
        }
        let magnitude = i128::from(u64::try_from(magnitude).ok()?);
        Some(if self.negative { -magnitude } else { magnitude })
    }

    /// Digits and exponent as machine numbers, where they fit.
    fn small(&self) -> Option<(bool, u64, i64)> {
        let Exponent::Small(exponent) = self.exponent else {
            return None;
        };
        if self.digits.len() > SMALL_DIGITS {
            return None;
        }
        let digits = self.digits.iter();
        let digits = digits.fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
        Some((self.negative, digits, i64::try_from(exponent).ok()?))
    }
}

/// Digits that always fit 64 bits.
const SMALL_DIGITS: usize = 18;

/// The same as [`Normal::small`], for a number without an exponent: nearly all of them.
fn plain(text: &[u8]) -> Option<(bool, u64, i64)> {
    if text.len() > SMALL_DIGITS {
        return None;
    }
    let (mut digits, mut exponent) = (0u64, 0i64);
    let mut negative = false;
    let mut behind_point = false;
    for byte in text {
        match byte {
            b'0'..=b'9' => {
                digits = digits * 10 + u64::from(byte - b'0');
                exponent -= i64::from(behind_point);
            }
            b'.' => behind_point = true,
            b'-' => negative = true,
            _ => return None,
        }
    }
    if digits == 0 {
        return Some((false, 0, 0));
    }
    while digits.is_multiple_of(10) {
        digits /= 10;
        exponent += 1;
    }
    Some((negative, digits, exponent))
}

/// Feeds a number in JSON spelling to a hash: equal values feed the same.
pub fn feed(text: &str, into: &mut Digest) {
    if let Some(small) = plain(text.as_bytes()) {
        return feed_small(small, into);
    }
    let long = normal(text);
    if let Some(small) = long.small() {
        return feed_small(small, into);
    }
    let mut digits: Vec<u8> = long.digits.iter().collect();
    digits.push(u8::from(long.negative));
    into.text(&digits);
    match &long.exponent {
        Exponent::Small(exponent) => into.text(&exponent.to_le_bytes()),
        Exponent::Large { negative, digits } => {
            into.number(u64::from(*negative));
            into.text(digits);
        }
    }
}

fn feed_small((negative, digits, exponent): (bool, u64, i64), into: &mut Digest) {
    into.number(digits);
    into.number(exponent.cast_unsigned().wrapping_mul(2) ^ u64::from(negative));
}

/// The integer that a JSON number is, where its magnitude is below 2^64; `None` for fractions and
/// for anything larger (contract.md, "Integers").
pub fn integer(text: &str) -> Option<i128> {
    let bytes = text.as_bytes();
    if bytes.len() <= 18 && bytes.iter().all(u8::is_ascii_digit) {
        let plain = bytes
            .iter()
            .fold(0i64, |sum, digit| sum * 10 + i64::from(digit - b'0'));
        return Some(i128::from(plain));
    }
    normal(text).integer()
}

/// The integer as an unsigned 64-bit value, where it is one.
pub fn unsigned(text: &str) -> Option<u64> {
    integer(text).and_then(|value| u64::try_from(value).ok())
}

/// The integer as a signed 64-bit value, where it is one.
pub fn signed(text: &str) -> Option<i64> {
    integer(text).and_then(|value| i64::try_from(value).ok())
}

fn trim_start(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    digits.get(zeros..).unwrap_or_default()
}

fn trim_end(digits: &[u8]) -> &[u8] {
    let zeros = digits
        .iter()
        .rev()
        .take_while(|digit| **digit == b'0')
        .count();
    digits.get(..digits.len() - zeros).unwrap_or_default()
}

fn wide(length: usize) -> i128 {
    i128::try_from(length).unwrap_or(i128::MAX)
}

/// The exponent's spelling plus a shift; the shift is at most the length of a record.
fn add(spelling: &[u8], shift: i128) -> Exponent {
    let (negative, digits) = match spelling.split_first() {
        Some((b'-', rest)) => (true, rest),
        Some((b'+', rest)) => (false, rest),
        _ => (false, spelling),
    };
    let digits = trim_start(digits);
    if digits.len() <= 36 {
        let magnitude = digits
            .iter()
            .fold(0i128, |sum, digit| sum * 10 + i128::from(digit - b'0'));
        let written = if negative { -magnitude } else { magnitude };
        let exponent = written + shift;
        // One spelling for one value: what needs 37 digits is written out by both branches.
        if exponent.unsigned_abs() < 10u128.pow(36) {
            return Exponent::Small(exponent);
        }
        return Exponent::Large {
            negative: exponent < 0,
            digits: exponent.unsigned_abs().to_string().into_bytes(),
        };
    }
    let outward = if negative { -shift } else { shift };
    let digits = add_to_digits(digits, outward);
    if digits.len() <= 36 {
        return add(&signed_digits(negative, &digits), 0);
    }
    Exponent::Large { negative, digits }
}

fn signed_digits(negative: bool, digits: &[u8]) -> Vec<u8> {
    let mut spelling = Vec::with_capacity(digits.len() + 1);
    if negative {
        spelling.push(b'-');
    }
    spelling.extend_from_slice(digits);
    spelling
}

/// Adds a shift to a magnitude of more than 36 digits; it cannot change the sign.
fn add_to_digits(digits: &[u8], shift: i128) -> Vec<u8> {
    let mut sum = digits.to_vec();
    let mut carry = shift;
    for digit in sum.iter_mut().rev() {
        if carry == 0 {
            break;
        }
        let value = i128::from(*digit - b'0') + carry;
        *digit = b'0' + u8::try_from(value.rem_euclid(10)).unwrap_or_default();
        carry = value.div_euclid(10);
    }
    if carry > 0 {
        let mut longer = carry.to_string().into_bytes();
        longer.append(&mut sum);
        return longer;
    }
    trim_start(&sum).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_by_value() {
        for (text, value) in [
            ("0", Some(0)),
            ("-0", Some(0)),
            ("-0.0e7", Some(0)),
            ("0e99999999999999999999999999999999999999999", Some(0)),
            ("2", Some(2)),
            ("2.0", Some(2)),
            ("2e0", Some(2)),
            ("20e-1", Some(2)),
            ("10e-1", Some(1)),
            ("100e-2", Some(1)),
            ("1.50e1", Some(15)),
            ("1.5", None),
            ("15e-2", None),
            ("1e400", None),
            ("-1e400", None),
            ("1e-400", None),
            ("0.02e2", Some(2)),
            ("9007199254740993", Some(9_007_199_254_740_993)),
            ("18446744073709551615", Some(18_446_744_073_709_551_615)),
            ("18446744073709551616", None),
            ("-18446744073709551615", Some(-18_446_744_073_709_551_615)),
            ("1844674407370955161.5e1", Some(18_446_744_073_709_551_615)),
            ("1e19", Some(10_000_000_000_000_000_000)),
            ("1e20", None),
            ("0000", Some(0)),
        ] {
            assert_eq!(integer(text), value, "{text}");
        }
        assert_eq!(signed("9223372036854775808"), None);
        assert_eq!(signed("-9223372036854775808"), Some(i64::MIN));
        assert_eq!(unsigned("-1"), None);
    }

    fn hash(text: &str) -> u64 {
        let mut digest = Digest::default();
        feed(text, &mut digest);
        digest.finish()
    }

    #[test]
    fn equal_values_are_equal() {
        let nines = "9".repeat(40);
        let one_and_zeros = format!("1{}", "0".repeat(40));
        for (a, b) in [
            ("1", "1.0"),
            ("1", "10e-1"),
            ("0.1", "1e-1"),
            ("1.50", "15e-1"),
            ("-0", "0e5"),
            ("1e400", "10e399"),
            ("1e99999999999", "0.1e100000000000"),
            ("100", "1e2"),
            ("19.80", "1980e-2"),
            ("-0.50", "-5e-1"),
            ("123456789012345678", "1234567890123456780e-1"),
            ("1234567890123456789012", "1234567890123456789.012e3"),
            ("12e-00003", "0.012"),
            (&format!("10e{nines}"), &format!("1e{one_and_zeros}")),
            (&format!("1e-{nines}"), &format!("10e-{one_and_zeros}")),
            (
                &format!("10e{}", "9".repeat(36)),
                &format!("1e1{}", "0".repeat(36)),
            ),
            (
                &format!("0.1e1{}", "0".repeat(36)),
                &format!("1e{}", "9".repeat(36)),
            ),
        ] {
            assert_eq!(normal(a), normal(b), "{a} {b}");
            assert_eq!(hash(a), hash(b), "{a} {b}");
        }
    }

    #[test]
    fn other_values_are_not() {
        for (a, b) in [
            ("9007199254740992", "9007199254740993"),
            ("1", "-1"),
            ("1e400", "1e401"),
            ("1.0000000000000000000000000001", "1"),
            ("0", "1e-999999"),
        ] {
            assert_ne!(normal(a), normal(b), "{a} {b}");
            assert_ne!(hash(a), hash(b), "{a} {b}");
        }
    }

    #[test]
    fn integral_without_expanding() {
        assert!(normal("1e999999999999").is_integral());
        assert!(normal("0e-999999999999").is_integral());
        assert!(!normal("1e-999999999999").is_integral());
        let huge = "9".repeat(60);
        assert!(normal(&format!("1e{huge}")).is_integral());
        assert!(!normal(&format!("1e-{huge}")).is_integral());
    }
}
