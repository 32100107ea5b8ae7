//! Numbers as a person reads them.

/// With thousands apart: `1,204,113`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A size in powers of 1,024 with one decimal, cut, never rounded up to the next unit: `12.4 MiB`.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1_024 {
        return format!("{bytes} B");
    }
    let mut whole = bytes;
    let mut tenths = 0;
    let mut unit = "";
    for name in UNITS {
        tenths = (whole % 1_024) * 10 / 1_024;
        whole /= 1_024;
        unit = name;
        if whole < 1_024 {
            break;
        }
    }
    format!("{whole}.{tenths} {unit}")
}

/// A share in whole percent: `0%` and `100%` are said only of nothing and of all.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 || part == 0 {
        return "0%".to_owned();
    }
    if part >= whole {
        return "100%".to_owned();
    }
    let percent = u128::from(part) * 100 / u128::from(whole);
    if percent == 0 {
        "<1%".to_owned()
    } else {
        format!("{percent}%")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_apart() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(812), "812");
        assert_eq!(grouped(1_204_113), "1,204,113");
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn sizes_change_their_unit() {
        assert_eq!(size(0), "0 B");
        assert_eq!(size(1_023), "1023 B");
        assert_eq!(size(1_024), "1.0 KiB");
        assert_eq!(size(13_002_342), "12.3 MiB");
        assert_eq!(size(1_048_575), "1023.9 KiB");
        assert_eq!(size(u64::MAX), "15.9 EiB");
    }

    #[test]
    fn all_and_nothing_are_exact() {
        assert_eq!(percent(0, 10), "0%");
        assert_eq!(percent(1, 1_000), "<1%");
        assert_eq!(percent(999, 1_000), "99%");
        assert_eq!(percent(10, 10), "100%");
        assert_eq!(percent(0, 0), "0%");
        assert_eq!(percent(u64::MAX - 1, u64::MAX), "99%");
    }
}
