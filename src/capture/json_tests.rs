//! Tests of the reader: the grammar by hand, JSONTestSuite where it is there, and random bytes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says when it skips"
)]

use super::*;
use crate::capture::tape::Doc;
use proptest::prelude::*;

fn kind_of(text: &str) -> Result<(), FaultKind> {
    let mut nodes = Vec::new();
    read(text, MAX_DEPTH, &mut nodes).map_err(|fault| fault.kind)
}

#[test]
fn whole_values_pass() {
    for text in [
        "{}",
        "[]",
        " [ 1 , -0 , 0.5e+10 , 1E400, true, false, null, \"\" ] \r\n\t",
        r#"{"a":{"b":[{"c":"\ud83d\ude00\u0000"}]},"a":1}"#,
        "\"\u{7f}\u{10ffff}\"",
    ] {
        assert_eq!(kind_of(text), Ok(()), "{text}");
    }
}

#[test]
fn faults_say_what_and_where() {
    for (text, kind, offset) in [
        ("", FaultKind::UnexpectedEnd, 0),
        ("no", FaultKind::ExpectedValue, 0),
        ("{\"a\":1", FaultKind::UnexpectedEnd, 6),
        ("{\"a\" 1}", FaultKind::ExpectedColon, 5),
        ("{\"a\":1,}", FaultKind::ExpectedName, 7),
        ("[1,]", FaultKind::ExpectedValue, 3),
        ("[01]", FaultKind::ExpectedCommaOrClose, 2),
        ("[1.]", FaultKind::BadNumber, 3),
        ("[-]", FaultKind::BadNumber, 2),
        ("[1e+]", FaultKind::BadNumber, 4),
        ("\"a\nb\"", FaultKind::ControlCharacter, 2),
        ("\"aaaaaaaaaaaa\tb\"", FaultKind::ControlCharacter, 13),
        (r#""\x""#, FaultKind::BadEscape, 1),
        (r#""\u12g4""#, FaultKind::BadEscape, 5),
        (r#""\ud800""#, FaultKind::LoneSurrogate, 1),
        (r#""\ud800\u0041""#, FaultKind::LoneSurrogate, 1),
        (r#""\udc00""#, FaultKind::LoneSurrogate, 1),
        ("{}{}", FaultKind::TrailingCharacters, 2),
        ("[1}", FaultKind::ExpectedCommaOrClose, 2),
    ] {
        let mut nodes = Vec::new();
        let fault = read(text, MAX_DEPTH, &mut nodes).unwrap_err();
        assert_eq!((fault.kind, fault.offset_bytes), (kind, offset), "{text}");
        assert!(!fault.kind.message().is_empty());
    }
}

#[test]
fn depth_is_counted_in_levels() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert_eq!(kind_of(&nested(128)), Ok(()));
    assert_eq!(kind_of(&nested(129)), Err(FaultKind::TooDeep));
    assert_eq!(bracket_depth(nested(129).as_bytes()), 129);
    assert_eq!(bracket_depth(br#"{"[[[\"[[":[]}"#), 2);
}

#[test]
fn a_value_is_skipped_in_one_step() {
    let text = r#"{"a":[1,{"b":2}],"c":"x"}"#;
    let mut nodes = Vec::new();
    read(text, MAX_DEPTH, &mut nodes).unwrap();
    let doc = Doc::new(text, &nodes);
    let members: Vec<_> = doc
        .members(Doc::ROOT)
        .map(|(key, value)| (doc.raw(key), doc.raw(value)))
        .collect();
    assert_eq!(members, [("\"a\"", r#"[1,{"b":2}]"#), ("\"c\"", "\"x\"")]);
    let inner = doc.follow(Doc::ROOT, &["a", "1", "b"]).unwrap();
    assert_eq!(doc.raw(inner), "2");
    assert_eq!(doc.follow(Doc::ROOT, &["a", "01"]), None);
    assert_eq!(doc.follow(Doc::ROOT, &["a", "-"]), None);
    assert_eq!(doc.follow(Doc::ROOT, &["c", "x"]), None);
}

#[test]
fn json_test_suite() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root
        .ancestors()
        .map(|above| above.join("shared/hostile/jsontestsuite/test_parsing"))
        .find(|folder| folder.exists());
    let Some(entries) = folder.and_then(|folder| std::fs::read_dir(folder).ok()) else {
        eprintln!("skipped: JSONTestSuite is not there");
        return;
    };
    let mut seen = 0;
    for entry in entries {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).unwrap();
        let accepted = || {
            let text = std::str::from_utf8(&bytes).ok()?;
            read(text, MAX_DEPTH, &mut Vec::new()).ok()
        };
        if name.starts_with("y_") {
            assert!(accepted().is_some(), "{name}");
        } else if name.starts_with("n_") {
            assert!(accepted().is_none(), "{name}");
        } else {
            assert_eq!(accepted(), accepted(), "{name}");
        }
        seen += 1;
    }
    assert!(seen > 300);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_prefix(&bytes, MAX_DEPTH, &mut Vec::new());
        let _ = bracket_depth(&bytes);
    }

    #[test]
    fn agrees_with_serde_json_on_json_like_text(
        text in r#"[\[\]{},:"\\ua0-9eE.+\- \ntruefalsn]{0,24}"#,
    ) {
        let ours = read(&text, MAX_DEPTH, &mut Vec::new()).is_ok();
        // serde_json skips lone surrogates and the like in ignored values; a Value sees them. It has
        // no number beyond a double, which is ours alone.
        match serde_json::from_str::<serde_json::Value>(&text) {
            Ok(_) => prop_assert!(ours, "{}", text),
            Err(error) if error.to_string().contains("number out of range") => {}
            Err(_) => prop_assert!(!ours, "{}", text),
        }
    }
}
