//! Reads a wrapper: the same nodes as the reader's, and its payload decoded on the way.
//!
//! Nearly all of a wrapper is one long string full of escapes. Finding its end and decoding it
//! afterwards would look at each of them twice.

use bumpalo::Bump;

use super::super::json::{MAX_DEPTH, read_inside};
use super::super::skip::{Next, behind_colon, first, next, scalar_end};
use super::super::tape::{Doc, Node, NodeKind};
use super::super::token::{skip_plain, skip_whitespace, string_end};
use super::decode;
use super::known::Known;
use super::layer::Ready;

/// An object that was read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outer<'a> {
    /// The first of its strings that has an escape, decoded; names are not among them.
    pub(super) ready: Option<Ready<'a>>,
    /// The wrapper that has just these names in this order, where one is known.
    pub(super) known: Option<usize>,
}

/// Reads a text that is one JSON object. Nothing for any other text, also for one that is no JSON:
/// the reader tells what it is. `nodes` are then nothing.
pub(super) fn object<'a>(
    text: &str,
    known: &Known,
    nodes: &mut Vec<Node>,
    arena: &'a Bump,
) -> Option<Outer<'a>> {
    nodes.clear();
    let bytes = text.as_bytes();
    let start = skip_whitespace(bytes, 0);
    if bytes.get(start) != Some(&b'{') {
        return None;
    }
    push(nodes, start, start, NodeKind::Object, false);
    let mut ready = None;
    let mut member = first(bytes, start, b'}');
    let expected = match member {
        Next::Another(at) => known.expected(bytes, at),
        Next::Closed(_) => None,
    };
    let mut names = expected.map_or(&[][..], |(_, wrapper)| wrapper.names());
    let mut is_expected = expected.is_some();
    let end = loop {
        let at = match member {
            Next::Another(at) => at,
            Next::Closed(end) => break end,
        };
        let next_name = names.split_first().and_then(|(name, rest)| {
            names = rest;
            name.end_at(bytes, at)
        });
        let (name_end, escaped) = if let Some(end) = next_name {
            (end, false)
        } else {
            is_expected = false;
            names = &[];
            string_at(bytes, at)?
        };
        push(nodes, at, name_end, NodeKind::String, escaped);
        let at = behind_colon(bytes, name_end)?;
        let end = match bytes.get(at)? {
            b'"' if ready.is_none() => {
                let index = nodes.len();
                let (end, decoded) = string(text, at, arena)?;
                push(nodes, at, end, NodeKind::String, decoded.is_some());
                ready = decoded.map(|text| Ready { index, text });
                end
            }
            first => value(bytes, at, *first, nodes)?,
        };
        member = next(bytes, end, b'}')?;
    };
    let behind = small(nodes.len());
    let root = nodes.get_mut(Doc::ROOT)?;
    root.end = small(end);
    root.next = behind;
    let known = expected.filter(|_| is_expected && names.is_empty());
    (skip_whitespace(bytes, end) == bytes.len()).then_some(Outer {
        ready,
        known: known.map(|(index, _)| index),
    })
}

/// Any other value that begins at a byte with this one; answers where it ends.
#[inline]
fn value(bytes: &[u8], at: usize, first: u8, nodes: &mut Vec<Node>) -> Option<usize> {
    let (end, escaped) = match first {
        b'{' | b'[' => return read_inside(bytes, at, 1, MAX_DEPTH, nodes).ok(),
        b'"' => string_end(bytes, at).ok()?,
        _ => (scalar_end(bytes, at)?, false),
    };
    push(nodes, at, end, kind(first), escaped);
    Some(end)
}

/// A string that begins at a byte: where it ends, and whether it has an escape.
fn string_at(bytes: &[u8], at: usize) -> Option<(usize, bool)> {
    if bytes.get(at) == Some(&b'"') {
        string_end(bytes, at).ok()
    } else {
        None
    }
}

/// Where the string that begins at a quote ends, behind its closing quote, and what it stands for
/// where it has escapes.
fn string<'a>(text: &str, at: usize, arena: &'a Bump) -> Option<(usize, Option<&'a str>)> {
    let bytes = text.as_bytes();
    let plain = skip_plain(bytes, at + 1);
    if bytes.get(plain) == Some(&b'"') {
        return Some((plain + 1, None));
    }
    let (end, decoded) = decode::string_from(text, at + 1, arena)?;
    (bytes.get(end) == Some(&b'"')).then_some((end + 1, Some(decoded)))
}

/// The kind of a value that is no container.
fn kind(first: u8) -> NodeKind {
    match first {
        b'"' => NodeKind::String,
        b't' => NodeKind::True,
        b'f' => NodeKind::False,
        b'n' => NodeKind::Null,
        _ => NodeKind::Number,
    }
}

fn push(nodes: &mut Vec<Node>, start: usize, end: usize, kind: NodeKind, escaped: bool) {
    let next = small(nodes.len() + 1);
    nodes.push(Node {
        start: small(start),
        end: small(end),
        next,
        kind,
        escaped,
    });
}

/// Offsets and indexes inside one record.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::super::json::read;
    use super::super::super::string::decode;
    use super::*;

    /// Both readers' nodes, and whether the decoded string is what its spelling stands for.
    fn check(text: &str) {
        let arena = Bump::new();
        let (mut nodes, mut expected) = (Vec::new(), Vec::new());
        let read = read(text, MAX_DEPTH, &mut expected);
        let is_object = expected.first().map(|root| root.kind) == Some(NodeKind::Object);
        let outer = object(text, &Known::default(), &mut nodes, &arena);
        assert_eq!(outer.is_some(), read.is_ok() && is_object, "{text}");
        let Some(Outer { ready, .. }) = outer else {
            return;
        };
        assert_eq!(nodes, expected, "{text}");
        let doc = Doc::new(text, &nodes);
        let mut values = doc.members(Doc::ROOT).map(|(_, value)| value);
        let first = values.find(|value| doc.node(*value).is_some_and(|node| node.escaped));
        assert_eq!(ready.map(|ready| ready.index), first, "{text}");
        if let (Some(ready), Some(node)) = (ready, first.and_then(|index| doc.node(index))) {
            assert_eq!(ready.text, decode(doc.raw_string(node)), "{text}");
        }
    }

    #[test]
    fn the_nodes_are_the_readers_whatever_the_text() {
        for text in [
            "{}",
            " { } ",
            "{} x",
            "[1]",
            "",
            r#"{"a":"b","c":"x\"y\\z\n\r\t\b\f\/","d":"\"","e":[{"f":"\u0041"},-1.5e3],"g":null}"#,
            r#"{ "a" : "\u0041\ud83d\ude00é and more than eight bytes \u00e9" , "b" : true }"#,
            r#"{"\u0061":"b","a":false,"n":0}"#,
            r#"{"a":"\ud83d"}"#,
            r#"{"a":"\x"}"#,
            r#"{"a":"\"#,
            r#"{"a":"\u00"#,
            r#"{"a":"\n"#,
            "{\"a\":\"\\n\u{1}\"}",
            r#"{"a":"\n",}"#,
            r#"{"a":"\n" "b":1}"#,
            r#"{"a":01}"#,
            r#"{"a":truE}"#,
            r#"{"a" 1}"#,
            "{a:1}",
        ] {
            check(text);
        }
        // Every cut of a wrapper, and every byte of it turned into another one.
        let text =
            r#"{"k":"v","payload":"{\"id\":\"a\\\"b\",\"näme\":[1,2]}","ts":12,"h":[{}],"z":"\n"}"#;
        for (end, _) in text.char_indices() {
            let (head, _) = text.split_at_checked(end).unwrap_or_default();
            check(head);
            for byte in ['"', '\\', '}', 'u', '\u{1f}', ' ', 'é'] {
                let tail = text.chars().skip(head.chars().count() + 1);
                check(&head.chars().chain([byte]).chain(tail).collect::<String>());
            }
        }
    }

    #[test]
    fn a_wrapper_is_known_again_by_all_of_its_names() {
        let arena = Bump::new();
        let mut known = Known::default();
        let mut nodes = Vec::new();
        let long = r#"{"a name of more than sixteen bytes":1,"b":"\n"}"#;
        for text in [long, r#"{"b":1,"c":2}"#, r#"{"\u0061":1}"#] {
            object(text, &known, &mut nodes, &arena);
            known.learn(Doc::new(text, &nodes), super::super::registry::registry());
        }
        for (text, expected) in [
            (
                r#"{ "a name of more than sixteen bytes" : 2 , "b" : 3 }"#,
                Some(0),
            ),
            (r#"{"b":[],"c":{}}"#, Some(1)),
            (r#"{"b":[]}"#, None),
            (r#"{"b":1,"c":2,"d":3}"#, None),
            (r#"{"b":1,"d":2}"#, None),
            (r#"{"b":1,"b":2}"#, None),
            (r#"{"c":2,"b":1}"#, None),
            (r#"{"b":1,"\u0063":2}"#, None),
            (r#"{"a name of more than sixteen bytes!":1,"b":2}"#, None),
            (r#"{"\u0061":1}"#, None),
            (r#"{"a":1}"#, None),
            ("{}", None),
        ] {
            let outer = object(text, &known, &mut nodes, &arena);
            assert_eq!(outer.map(|outer| outer.known), Some(expected), "{text}");
            let recalled = known.recall(Doc::new(text, &nodes), None).is_some();
            assert_eq!(recalled, expected.is_some(), "{text}");
        }
    }

    #[test]
    fn nesting_counts_from_the_wrapper() {
        for levels in [127, 128] {
            let (open, close) = ("[".repeat(levels), "]".repeat(levels));
            check(&format!("{{\"a\":{open}{close}}}"));
        }
    }
}
