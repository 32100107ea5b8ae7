//! Both ways of decoding against the reader's and the decoder's own words.

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
    // What this processor takes, and what any can.
    for decode in [decode, portable::decode] {
        let mut into = vec![0; raw.len() + SLACK];
        let decoded = decode(raw, 0, &mut into).map(|(end, length)| {
            let text = into.get(..length).unwrap_or_default();
            (end, String::from_utf8_lossy(text).into_owned())
        });
        assert_eq!(decoded, expected(raw), "{raw:?}");
    }
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
