//! Headers as the tools write them: a flat list, a list of pairs, an object, and two kinds of text.

use std::borrow::Cow;

use super::{Header, Layer};

/// `["name", "value", "name", null, …]` (kcat).
pub(super) fn flat<'a>(layer: Layer<'a, '_>, list: usize) -> Vec<Header<'a>> {
    let mut elements = layer.doc.elements(list);
    let nodes = layer
        .doc
        .node(list)
        .map_or(0, |node| node.next as usize - list);
    let mut headers = Vec::with_capacity(nodes / 2);
    while let Some(name) = elements.next() {
        let value = elements.next().and_then(|value| layer.scalar(value));
        if let Some(name) = layer.string(name) {
            headers.push((Cow::Borrowed(name), value));
        }
    }
    headers
}

/// `[{"key": "name", "value": "value"}, …]` (rpk, AKHQ); Redpanda Console has the value's text in
/// `value.payload`.
pub(super) fn pairs<'a>(layer: Layer<'a, '_>, list: Option<usize>) -> Vec<Header<'a>> {
    let Some(list) = list else {
        return Vec::new();
    };
    let pair = |pair: usize| {
        let name = layer.string(layer.doc.member(pair, "key")?)?;
        let value = layer.doc.member(pair, "value");
        let value = value.map(|value| layer.doc.member(value, "payload").unwrap_or(value));
        let text = value.and_then(|value| super::text_or_json(layer, value));
        Some((Cow::Borrowed(name), text))
    };
    layer.doc.elements(list).filter_map(pair).collect()
}

/// `{"name": "value", …}` (kafka-ui, kafkactl), where one of several values for a name is left.
pub(super) fn object<'a>(layer: Layer<'a, '_>, object: Option<usize>) -> Vec<Header<'a>> {
    let Some(object) = object else {
        return Vec::new();
    };
    let members = layer.doc.members(object);
    members
        .filter_map(|(key, value)| {
            let name = layer.string(key)?;
            Some((Cow::Borrowed(name), super::text_or_json(layer, value)))
        })
        .collect()
}

/// Names of headers that are often seen; with them, where one header ends is no guess.
const KNOWN: [&str; 16] = [
    "content-type",
    "content_type",
    "contenttype",
    "traceparent",
    "tracestate",
    "baggage",
    "b3",
    "id",
    "type",
    "eventtype",
    "correlation-id",
    "correlationid",
    "message-id",
    "__typeid__",
    "__connect.errors.topic",
    "uber-trace-id",
];

pub(super) fn is_known(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.starts_with("ce_") || lower.starts_with("ce-") || KNOWN.contains(&lower.as_str())
}

/// The name at the start of `name:…`, where one can stand there. `https://` begins no header.
pub(super) fn leading_name(text: &str) -> Option<&str> {
    name_before(':', text)
}

fn name_before(mark: char, text: &str) -> Option<&str> {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')))?;
    let (name, rest) = text.split_at_checked(end)?;
    (!name.is_empty() && rest.starts_with(mark) && !rest.starts_with("://")).then_some(name)
}

/// The headers of kafka-console-consumer, `name:value,name:value`, where nothing is escaped: one ends
/// where the next name can begin. The second answer: some end is a guess.
pub(super) fn of_console(text: &str) -> (Vec<Header<'_>>, bool) {
    let text = if text == "NO_HEADERS" { "" } else { text };
    unescaped(text, ':', "null")
}

/// The same of kcat, `name=value,name=value`.
pub(super) fn of_kcat(text: &str) -> (Vec<Header<'_>>, bool) {
    unescaped(text, '=', "NULL")
}

fn unescaped<'a>(text: &'a str, mark: char, null: &str) -> (Vec<Header<'a>>, bool) {
    let mut headers = Vec::new();
    let mut is_guess = false;
    let mut rest = text;
    while let Some(name) = name_before(mark, rest) {
        let value = rest.get(name.len() + 1..).unwrap_or_default();
        let mut commas = value.match_indices(',').map(|(at, _)| at);
        let end = commas.find(|at| {
            let next = value.get(at + 1..);
            let next = next.and_then(|next| name_before(mark, next));
            is_guess |= next.is_some_and(|next| !is_known(next));
            next.is_some()
        });
        let (value, after) = value
            .split_at_checked(end.unwrap_or(value.len()))
            .unwrap_or((value, ""));
        let shown = (value != null).then_some(Cow::Borrowed(value));
        headers.push((Cow::Borrowed(name), shown));
        rest = after.get(1..).unwrap_or_default();
    }
    (headers, is_guess)
}

/// A header of the confluent command line, and whether its value was cut off there.
pub(super) struct GoHeader<'a> {
    pub(super) header: Header<'a>,
    pub(super) is_cut: bool,
}

/// `[name="value" name=nil name=<empty> name="begin…"(12 more bytes)]`, as Go's client writes them.
pub(super) fn of_go(text: &str) -> Vec<GoHeader<'_>> {
    let mut headers = Vec::new();
    let text = text.trim_end();
    let mut rest = text.strip_prefix('[').unwrap_or(text);
    rest = rest.strip_suffix(']').unwrap_or(rest);
    while let Some((name, after)) = rest.split_once('=') {
        let (value, is_cut, behind) = go_value(after);
        headers.push(GoHeader {
            header: (Cow::Borrowed(name), value),
            is_cut,
        });
        rest = behind.trim_start_matches(' ');
    }
    headers
}

/// A value, whether it was cut off, and what follows it.
fn go_value(text: &str) -> (Option<Cow<'_, str>>, bool, &str) {
    if let Some(behind) = text.strip_prefix("nil") {
        return (None, false, behind);
    }
    if let Some(behind) = text.strip_prefix("<empty>") {
        return (Some(Cow::Borrowed("")), false, behind);
    }
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(' ').unwrap_or(text.len());
        let (value, behind) = text.split_at_checked(end).unwrap_or((text, ""));
        return (Some(Cow::Borrowed(value)), false, behind);
    };
    // With --full-header nothing is escaped, so a quote ends the value only where a header can end.
    let end = quoted.match_indices('"').map(|(at, _)| at).find(|at| {
        let before = quoted.get(..*at).unwrap_or_default();
        let slashes = before
            .bytes()
            .rev()
            .take_while(|byte| *byte == b'\\')
            .count();
        let behind = quoted.get(at + 1..).unwrap_or_default();
        let next = behind
            .strip_prefix(' ')
            .map(|next| next.find([' ', '"', '=']));
        slashes % 2 == 0
            && (behind.is_empty() || behind.starts_with('(') || next.flatten().is_some())
    });
    let (value, behind) = quoted
        .split_at_checked(end.unwrap_or(quoted.len()))
        .unwrap_or((quoted, ""));
    let behind = behind.get(1..).unwrap_or_default();
    let cut = behind
        .strip_prefix('(')
        .and_then(|more| more.split_once(" more bytes)"));
    let (is_cut, behind) = cut.map_or((false, behind), |(_, behind)| (true, behind));
    (Some(unquoted(value)), is_cut, behind)
}

/// The text that a quoted Go string stands for (strconv.Quote).
fn unquoted(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        let digits = match characters.next() {
            Some('n') => {
                out.push('\n');
                continue;
            }
            Some('t') => {
                out.push('\t');
                continue;
            }
            Some('r') => {
                out.push('\r');
                continue;
            }
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            Some(other) => {
                out.push(other);
                continue;
            }
            None => {
                out.push('\\');
                continue;
            }
        };
        let hex: String = characters.by_ref().take(digits).collect();
        let code = u32::from_str_radix(&hex, 16).ok();
        out.push(
            code.and_then(char::from_u32)
                .unwrap_or(char::REPLACEMENT_CHARACTER),
        );
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn console(text: &str) -> (Vec<(String, Option<String>)>, bool) {
        let (headers, is_guess) = of_console(text);
        let owned = |(name, value): Header<'_>| (name.into_owned(), value.map(Cow::into_owned));
        (headers.into_iter().map(owned).collect(), is_guess)
    }

    fn header(name: &str, value: Option<&str>) -> (String, Option<String>) {
        (name.to_owned(), value.map(str::to_owned))
    }

    #[test]
    fn headers_of_the_console_consumer_end_where_a_name_begins() {
        assert_eq!(
            console("ce_id:a,1,ce_source:urn:x:y,content-type:application/json; charset=utf-8"),
            (
                vec![
                    header("ce_id", Some("a,1")),
                    header("ce_source", Some("urn:x:y")),
                    header("content-type", Some("application/json; charset=utf-8")),
                ],
                false
            )
        );
        assert_eq!(
            console("ce_source:urn:a,https://b,ce_subject:null,shard:7"),
            (
                vec![
                    header("ce_source", Some("urn:a,https://b")),
                    header("ce_subject", None),
                    header("shard", Some("7")),
                ],
                true
            )
        );
        assert_eq!(console("NO_HEADERS"), (vec![], false));
    }

    #[test]
    fn headers_of_kcat_end_where_a_name_begins() {
        let (headers, is_guess) = of_kcat("ce_id=a,1,ce_source=urn:x?y=z,ce_subject=NULL,shard=7");
        let wanted = [
            ("ce_id", Some("a,1")),
            ("ce_source", Some("urn:x?y=z")),
            ("ce_subject", None),
            ("shard", Some("7")),
        ];
        let wanted = wanted.map(|(name, value)| (name.into(), value.map(Cow::Borrowed)));
        assert_eq!((headers, is_guess), (wanted.to_vec(), true));
        assert_eq!(of_kcat(""), (vec![], false));
    }

    #[test]
    fn headers_of_gos_client() {
        let text = r#"[ce_id="e\"1" a=nil b=<empty> json="{"x": "y"}" long="abc"(12 more bytes) uml="\u00fc\xff"]"#;
        let found: Vec<_> = of_go(text)
            .into_iter()
            .map(|found| {
                let (name, value) = found.header;
                (name.into_owned(), value.map(Cow::into_owned), found.is_cut)
            })
            .collect();
        let wanted = [
            ("ce_id", Some("e\"1"), false),
            ("a", None, false),
            ("b", Some(""), false),
            ("json", Some(r#"{"x": "y"}"#), false),
            ("long", Some("abc"), true),
            ("uml", Some("üÿ"), false),
        ];
        let wanted =
            wanted.map(|(name, value, cut)| (name.to_owned(), value.map(str::to_owned), cut));
        assert_eq!(found, wanted);
    }
}
