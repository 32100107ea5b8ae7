//! Tests of what stands around the lines of a log.

use super::*;

#[test]
fn a_title_tells_its_stream() {
    let at = "2026-03-02T09:00:11.123456789Z";
    for line in [
        format!("{at} stdout F ☁️  cloudevents.Event"),
        format!("{at} ☁️ cloudevents.Event"),
        format!("[pod/web-1/web] {at} Validation: valid"),
        "[pod/web-1/web] Context Attributes,".to_owned(),
        format!("web-1  | {at} Context Attributes,"),
        "shop web web Context Attributes,".to_owned(),
        "\u{1b}[32mweb\u{1b}[0m web ☁️  cloudevents.Event".to_owned(),
        format!("{at} {{app=\"web\"}}   Context Attributes,"),
        r#"{"log":"☁️  cloudevents.Event\n","stream":"stdout","time":"t"}"#.to_owned(),
        r#"{"log":"Context Attributes,","stream":"stdout","time":"t"}"#.to_owned(),
        r#"{"log":"\u2601\ufe0f  cloudevents.Event\n","stream":"stdout","time":"t"}"#.to_owned(),
        r#"{"message":"Context Attributes,\n","nodeName":"n","namespace":"s","podName":"p"}"#
            .to_owned(),
    ] {
        let stream = begins(line.as_bytes());
        let text = stream
            .as_ref()
            .and_then(|stream| stream.text(line.as_bytes()));
        assert!(
            text.is_some_and(|(text, is_last)| is_last && is_title(&text)),
            "{line}"
        );
    }
    for line in [
        "☁️  cloudevents.Event",
        "Context Attributes,",
        "web Context Attributes,",
        "got Context Attributes, and more",
        "[pod/web-1/web] a title: Context Attributes,",
        r#"{"log":"Context Attributes, ×\n","stream":"stdout","time":"t"}"#,
        r#"{"specversion":"1.0","data":"Context Attributes,"}"#,
    ] {
        assert_eq!(begins(line.as_bytes()), None, "{line}");
    }
}

#[test]
fn a_line_is_its_own_streams_alone() {
    let of = |line: &str| begins(line.as_bytes()).map(|stream| stream.layers);
    for (title, mine, other) in [
        (
            "[pod/a/b] Context Attributes,",
            "[pod/a/b]   id: 1",
            "[pod/a/c]   id: 1",
        ),
        (
            "web-1  | Context Attributes,",
            "web-1  |   id: 1",
            "web-2  |   id: 1",
        ),
        (
            "web web Context Attributes,",
            "web web   id: 1",
            "web2 web   id: 1",
        ),
    ] {
        let stream = Stream {
            layers: of(title).unwrap_or_default(),
        };
        let text = |line: &str| {
            stream
                .text(line.as_bytes())
                .map(|(text, _)| text.into_owned())
        };
        assert_eq!(text(mine).as_deref(), Some(&b"  id: 1"[..]), "{mine}");
        assert_eq!(text(other), None, "{other}");
    }
}

#[test]
fn only_what_has_nothing_in_it_is_blank() {
    let at = "2026-03-02T09:00:11.1Z";
    for (line, expected) in [
        (format!("{at} stdout F "), true),
        (format!("{at} stdout F"), true),
        (format!("{at} stdout P "), false),
        (at.to_owned(), true),
        (format!("{at} "), true),
        (format!("{at} {{}}"), false),
        (format!("{at} {{app=\"web\"}}  "), true),
        (format!("{at} {{app=\"web\"}} {{}}"), false),
        ("[pod/a/b] ".to_owned(), true),
        (format!("[pod/a/b] {at} "), true),
        ("[pod/a/b] x".to_owned(), false),
        ("web-1  | ".to_owned(), true),
        (format!("web-1  | {at} "), true),
        ("web-1  | | ".to_owned(), false),
        ("web-1 web ".to_owned(), true),
        ("web-1 web".to_owned(), false),
        ("hello world ".to_owned(), false),
        (
            r#"{"log":"\n","stream":"stdout","time":"t"}"#.to_owned(),
            true,
        ),
        (
            format!(r#"{{"log":"{at} stdout F \n","stream":"stdout","time":"t"}}"#),
            true,
        ),
        (
            r#"{"log":"","stream":"stdout","time":"t"}"#.to_owned(),
            false,
        ),
        (
            r#"{"log":" {}\n","stream":"stdout","time":"t"}"#.to_owned(),
            false,
        ),
        (
            r#"{"line":"","timestamp":"2026-03-02T09:00:11Z"}"#.to_owned(),
            true,
        ),
        ("{}".to_owned(), false),
    ] {
        assert_eq!(is_blank(line.as_bytes()), expected, "{line}");
    }
}
