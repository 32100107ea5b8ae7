//! What stands where the tokens are, and what is missed where a record does not fit.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;

/// Topic, partition, offset, time, headers, key, payload.
fn fields(template: &str, record: &[u8]) -> Option<[Option<String>; 7]> {
    let template = Template::parse(template).unwrap();
    let Fit::Whole { fields, .. } = template.fit(record, true) else {
        return None;
    };
    let text =
        |bytes: Option<&[u8]>| bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let value = |value: Option<Value<'_>>| {
        let shown = value.filter(|value| !value.is_null());
        text(shown.map(|value| value.bytes))
    };
    Some([
        text(fields.topic),
        text(fields.partition),
        text(fields.offset),
        text(fields.time),
        text(fields.headers),
        value(fields.key),
        value(fields.payload),
    ])
}

fn of(template: &str, record: &str) -> Option<String> {
    let all = fields(template, record.as_bytes())?;
    let words = all.map(|field| field.unwrap_or_else(|| "-".to_owned()));
    Some(words.join("|"))
}

#[test]
fn every_token_has_what_stands_in_its_place() {
    for (template, record, wanted) in [
        (
            "%t [%p] @ %o %T <%h> %k: %s\\n",
            "a.b-c [3] @ -1 1700000000000 <x=1,y=2> k: {\"a\":1}\n",
            "a.b-c|3|-1|1700000000000|x=1,y=2|k|{\"a\":1}",
        ),
        // The first place that fits is not the best one.
        (
            "%k:%s\\n",
            "order:4:1:{\"a\":\"b:c\"}\n",
            "-|-|-|-|-|order:4:1|{\"a\":\"b:c\"}",
        ),
        ("%k:%s\\n", "urn:x:NULL\n", "-|-|-|-|-|urn:x|-"),
        ("%k:%s\\n", "urn:x:y\n", "-|-|-|-|-|urn|x:y"),
        ("%t-%p %s\\n", "orders-v1-7 {}\n", "orders-v1|7|-|-|-|-|{}"),
        ("%h|%k|%s\\n", "||\n", "-|-|-|-|||"),
        (
            "%s|%k\\n",
            "{\"a\":\"|b\"}|NULL\n",
            "-|-|-|-|-|-|{\"a\":\"|b\"}",
        ),
        ("%s;%o end\\n", "{};1 end", "-|-|1|-|-|-|{}"),
        ("%K:%k %S:%s\\n", "3:a\nb 4:NULL\n", "-|-|-|-|-|a\nb|NULL"),
        ("%K:%k %S:%s\\n", "-1:NULL -1:NULL\n", "-|-|-|-|-|-|-"),
        ("%K:%k %S:%s\\n", "-1: 0:\n", "-|-|-|-|-|-|-"),
        ("%s\\r\\n", "{}\r\n", "-|-|-|-|-|-|{}"),
        ("%s\\n", "{}\r\n", "-|-|-|-|-|-|{}"),
        ("\\n%s", "{}", "-|-|-|-|-|-|{}"),
        ("%%%p%% %s\\n", "%1% {}\n", "-|1|-|-|-|-|{}"),
    ] {
        assert_eq!(
            of(template, record).as_deref(),
            Some(wanted),
            "{template} {record}"
        );
        // Without what ends every record, as framing hands it out, it says the same.
        let end = match Template::parse(template)
            .unwrap()
            .fit(record.as_bytes(), true)
        {
            Fit::Whole { end, .. } => end,
            Fit::More | Fit::Not { .. } => 0,
        };
        let alone = record.get(..end).unwrap_or_default();
        assert_eq!(
            of(template, alone).as_deref(),
            Some(wanted),
            "{template} {alone}"
        );
    }
    let binary = fields("%R%s", b"\0\0\0\x02\xff{").unwrap();
    assert_eq!(binary[6].as_deref(), Some("\u{fffd}{"));
    assert!(fields("%R%s", b"\0\0\0\x02{").is_none());
    let null = fields("%R%s;%o\\n", b"\xff\xff\xff\xff;7").unwrap();
    assert_eq!((null[6].as_deref(), null[2].as_deref()), (None, Some("7")));
}

#[test]
fn what_does_not_fit_is_told_by_the_part_that_is_missing() {
    for (template, record, wanted) in [
        ("%t [%p] %s\\n", "a (3] {}\n", 1),
        ("%t [%p] %s\\n", "a b [3] {}\n", 1),
        ("%t [%p] %s\\n", "a [x] {}\n", 2),
        ("%t [%p] %s\\n", "a [3", 3),
        ("%o %s\\n", "x {}\n", 0),
        ("%S:%s\\n", "9:{}\n", 2),
        ("%S:%s\\n", "1:{}\n", 3),
        ("%S:%s\\n", "-2:{}\n", 2),
        ("%k|%s\\n", "none\n{}|{}\n", 1),
    ] {
        let template = Template::parse(template).unwrap();
        let found = template.fit(record.as_bytes(), true);
        assert_eq!(found, Fit::Not { part: wanted }, "{record}");
    }
}

#[test]
fn hostile_lines_cost_no_more_than_they_have() {
    let template = Template::parse("%t:%k:%k:%h:%p %s\\n").unwrap();
    let line = ":".repeat(1 << 20) + "\n";
    let text = format!("a{line}");
    let begun = std::time::Instant::now();
    for _ in 0..4 {
        assert!(matches!(
            template.fit(text.as_bytes(), true),
            Fit::Not { .. }
        ));
    }
    assert!(begun.elapsed().as_secs() < 20);
}
