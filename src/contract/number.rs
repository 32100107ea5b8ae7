//! Exact integers out of JSON numbers (contract.md, "Integers"): `2`, `2.0` and `2e0` are the
//! integer 2, `2^53` and `2^53 + 1` differ, and no exponent is ever expanded to find out.

/// More digits than any 64-bit integer has, and few enough for `i128`.
const DIGITS_MAX: usize = 30;

/// The integer that a JSON number spells, or nothing where its value is not integral, where it has
/// more than 30 digits, or where the text is no JSON number. The caller narrows it to its range.
pub fn integer(number: &str) -> Option<i128> {
    let (negative, unsigned) = match number.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, number),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
        None => (unsigned, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() || (mantissa.contains('.') && fraction.is_empty()) {
        return None;
    }
    if !(whole.bytes().chain(fraction.bytes())).all(|b| b.is_ascii_digit()) {
        return None;
    }
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0').trim_end_matches('0');
    if significant.is_empty() {
        return Some(0);
    }
    let trailing_zeros = digits.len() - digits.trim_end_matches('0').len();
    let scale = exponent
        .checked_sub(i64::try_from(fraction.len()).ok()?)?
        .checked_add(i64::try_from(trailing_zeros).ok()?)?;
    let zeros = usize::try_from(scale).ok()?;
    if significant.len().checked_add(zeros)? > DIGITS_MAX {
        return None;
    }
    let magnitude = significant.parse::<i128>().ok()? * 10_i128.pow(u32::try_from(zeros).ok()?);
    Some(if negative { -magnitude } else { magnitude })
}

/// The exponent; one too large for `i64` is held at its end, which is out of every range anyway.
fn parse_exponent(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix(['+', '-']) {
        Some(rest) => (text.starts_with('-'), rest),
        None => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let held = digits
        .parse::<i64>()
        .unwrap_or(i64::MAX / 4)
        .min(i64::MAX / 4);
    Some(if negative { -held } else { held })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_does_not_matter() {
        for spelling in [
            "2",
            "2.0",
            "2e0",
            "2E+0",
            "0.2e1",
            "200e-2",
            "20000.0e-4",
            "2.00",
        ] {
            assert_eq!(integer(spelling), Some(2), "{spelling}");
        }
        assert_eq!(integer("-2.0"), Some(-2));
        for zero in ["0", "-0", "0.000", "0e999999999999999999999", "-0.0e-7"] {
            assert_eq!(integer(zero), Some(0), "{zero}");
        }
    }

    #[test]
    fn large_integers_are_exact() {
        assert_eq!(integer("9007199254740993"), Some(9_007_199_254_740_993));
        assert_eq!(
            integer("1.8446744073709551615e19"),
            Some(i128::from(u64::MAX))
        );
        assert_eq!(integer("-9223372036854775808"), Some(i128::from(i64::MIN)));
    }

    #[test]
    fn what_is_no_integer() {
        for text in [
            "2.5",
            "25e-1",
            "1e-999999999999999999999",
            "1e999999999999999999999",
            "1e31",
            "",
            "-",
            "true",
            "null",
            "\"2\"",
            "1e",
            ".5",
            "1.",
        ] {
            assert_eq!(integer(text), None, "{text}");
        }
    }
}
