//! What must not look the same does not, and nothing a terminal acts on gets through.
#![allow(
    clippy::unwrap_used,
    clippy::string_slice,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use proptest::prelude::*;

use super::*;

fn value(text: &str) -> String {
    Safe::value(text).to_string()
}

fn source(text: &str) -> String {
    Safe::source(text.as_bytes()).to_string()
}

/// Reads a spelling back. `short` says whether `\t`, `\n`, `\r` and `\\` are escapes.
fn decode(shown: &str, short: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = shown;
    while let Some(character) = rest.chars().next() {
        if let Some(hex) = rest.strip_prefix("\\u{") {
            let (digits, after) = hex.split_once('}').unwrap();
            let code = u32::from_str_radix(digits, 16).unwrap();
            bytes.extend(char::from_u32(code).unwrap().to_string().bytes());
            rest = after;
        } else if let Some(hex) = rest.strip_prefix("\\x") {
            bytes.push(u8::from_str_radix(&hex[..2], 16).unwrap());
            rest = &hex[2..];
        } else if short && character == '\\' {
            bytes.push(match rest.as_bytes()[1] {
                b't' => b'\t',
                b'n' => b'\n',
                b'r' => b'\r',
                b'\\' => b'\\',
                other => panic!("no such escape: {other}"),
            });
            rest = &rest[2..];
        } else {
            bytes.extend(character.to_string().bytes());
            rest = &rest[character.len_utf8()..];
        }
    }
    bytes
}

#[test]
fn plain_text_stays() {
    for text in [
        "evt-417-2",
        "urn:checkout:orders",
        "заказ-417",
        "注文",
        "한국",
        "😀",
        "Ångström",
        "…→│",
    ] {
        assert_eq!(value(text), text);
        assert!(!Safe::value(text).has_escapes());
    }
}

#[test]
fn what_a_terminal_acts_on_is_escaped() {
    assert_eq!(value("a\x1b[31mb"), "a\\u{1b}[31mb");
    assert_eq!(value("a\u{9b}2Jb"), "a\\u{9b}2Jb");
    assert_eq!(value("a\x07\x08\x7f\0"), "a\\u{7}\\u{8}\\u{7f}\\u{0}");
    assert_eq!(value("a\tb\nc\rd"), "a\\tb\\nc\\rd");
    assert_eq!(value("a\\tb"), "a\\\\tb");
    assert_eq!(Safe::value_bytes(b"a\xff\xc3").to_string(), "a\\xff\\xc3");
}

#[test]
fn what_cannot_be_seen_is_escaped() {
    for hidden in [
        '\u{202e}',
        '\u{2066}',
        '\u{200b}',
        '\u{200d}',
        '\u{feff}',
        '\u{ad}',
        '\u{e0041}',
        '\u{fe0f}',
        '\u{e0100}',
        '\u{378}',
        '\u{e000}',
        '\u{fdd0}',
        '\u{10ffff}',
        '\u{2028}',
        '\u{2029}',
        '\u{a0}',
        '\u{3000}',
        '\u{2009}',
        '\u{1680}',
        '\u{3164}',
        '\u{115f}',
        '\u{2800}',
        '\u{34f}',
        '\u{17b4}',
        '\u{1f1e6}',
        '\u{1f3fd}',
        '\u{20e3}',
        '\u{110bd}',
    ] {
        let shown = value(&format!("a{hidden}b"));
        assert_eq!(shown, format!("a\\u{{{:x}}}b", u32::from(hidden)));
    }
}

#[test]
fn a_space_at_an_end_can_be_seen() {
    assert_eq!(value("evt-1 "), "evt-1\\u{20}");
    assert_eq!(value(" evt 1"), "\\u{20}evt 1");
    assert_eq!(value(" "), "\\u{20}");
    assert_eq!(Safe::own(" next ").to_string(), " next ");
}

#[test]
fn another_spelling_of_a_letter_looks_different() {
    assert_eq!(value("e\u{301}"), "e\\u{301}");
    assert_eq!(value("\u{212b}"), "\\u{212b}");
    assert_eq!(value("\u{1112}\u{1161}"), "ᄒ\\u{1161}");
}

#[test]
fn marks_stay_on_letters_and_nowhere_else() {
    let thai = "ที่";
    assert_eq!(value(thai), thai);
    assert_eq!(value("नि"), "नि");
    assert_eq!(value("\u{300}"), "\\u{300}");
    assert_eq!(value("=\u{338}"), "=\\u{338}");
    assert_eq!(value("\u{1b}\u{300}"), "\\u{1b}\\u{300}");
    let pile = format!("x{}", "\u{336}".repeat(6));
    let shown = value(&pile);
    assert_eq!(
        shown,
        format!("x{}{}", "\u{336}".repeat(3), "\\u{336}".repeat(3))
    );
}

#[test]
fn source_keeps_the_escapes_of_json() {
    let json = r#"{"a":"x\ty \" \\ \u00e9"}"#;
    assert_eq!(source(json), json);
    assert_eq!(source("a\tb"), "a\\u{9}b");
    assert_eq!(source("a\\x41"), "a\\u{5c}x41");
    assert_eq!(source("a\\u{9}"), "a\\u{5c}u{9}");
    assert_eq!(source("\\\\u{9}"), "\\\\u{5c}u{9}");
    assert_eq!(source("\\\t"), "\\\\u{9}");
}

#[test]
fn pieces_say_what_was_escaped() {
    let safe = Safe::value("a\t\nb");
    let pieces: Vec<_> = safe
        .pieces()
        .map(|piece| (piece.text, piece.escaped))
        .collect();
    assert_eq!(pieces, [("a", false), ("\\t\\n", true), ("b", false)]);
    let units: Vec<_> = safe.units().map(|unit| unit.text).collect();
    assert_eq!(units, ["a", "\\t", "\\n", "b"]);
    assert_eq!(Safe::default().pieces().count(), 0);
}

#[test]
fn widths_are_those_of_cells() {
    assert_eq!(Safe::value("abc").cells(), 3);
    assert_eq!(Safe::value("注文").cells(), 4);
    assert_eq!(Safe::value("😀").cells(), 2);
    assert_eq!(Safe::value("ที่").cells(), 1);
    assert_eq!(Safe::value("a\u{200b}").cells(), 9);
    // Alef after lam may be drawn as one letter; it is counted as the two cells it is given.
    assert_eq!(Safe::value("لا").cells(), 2);
}

#[test]
fn every_character_is_kept_with_one_or_two_cells_or_escaped() {
    for character in (0..=0x0010_ffff).filter_map(char::from_u32) {
        let safe = Safe::value(&character.to_string());
        if safe.has_escapes() {
            assert!(safe.as_str().is_ascii(), "{character:?}");
        } else {
            assert_eq!(safe.as_str(), character.to_string());
            assert!(
                matches!(safe.cells(), 1 | 2),
                "{character:?} {}",
                safe.cells()
            );
        }
    }
}

fn awkward() -> impl Strategy<Value = String> {
    let pool = prop::sample::select(vec![
        "\\",
        "\\",
        "t",
        "n",
        "x",
        "u",
        "{",
        "}",
        "4",
        "1",
        "\t",
        "\n",
        "\u{1b}",
        " ",
        "e",
        "\u{301}",
        "é",
        "\u{323}",
        "\u{200d}",
        "👩",
        "\u{1100}",
        "\u{1161}",
        "\u{11a8}",
        "가",
        "Å",
        "\u{212b}",
        "न",
        "ि",
        "\u{9c7}",
        "\u{9be}",
        "\u{16d67}",
        "\u{16d63}",
        "\u{11099}",
        "\u{110ba}",
    ]);
    prop::collection::vec(pool, 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn value_can_be_read_back(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        let shown = Safe::value_bytes(&bytes);
        prop_assert_eq!(decode(shown.as_str(), true), bytes);
    }

    #[test]
    fn any_text_can_be_read_back(text in prop_oneof![awkward(), any::<String>()]) {
        prop_assert_eq!(decode(&value(&text), true), text.as_bytes());
        prop_assert_eq!(decode(&source(&text), false), text.as_bytes());
    }

    #[test]
    fn what_is_shown_is_normal_and_measured(text in prop_oneof![awkward(), any::<String>()]) {
        let safe = Safe::value(&text);
        prop_assert!(is_nfc(safe.as_str()), "{}", safe);
        prop_assert!(!safe.as_str().chars().any(char::is_control));
        let units: String = safe.units().map(|unit| unit.text).collect();
        prop_assert_eq!(&units, safe.as_str());
        let pieces: String = safe.pieces().map(|piece| piece.text).collect();
        prop_assert_eq!(&pieces, safe.as_str());
        prop_assert!(safe.units().all(|unit| unit.cells > 0));
    }
}
