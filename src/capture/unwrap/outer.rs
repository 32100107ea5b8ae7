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
    // Whatever is longer has no nodes, and is no record either.
    u32::try_from(bytes.len()).ok()?;
    let start = skip_whitespace(bytes, 0);
    if bytes.get(start) != Some(&b'{') {
        return None;
    }
    nodes.push(node(Doc::ROOT, (start, start), NodeKind::Object, false));
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
        let name = node(nodes.len(), (at, name_end), NodeKind::String, escaped);
        let (at, first) = match two(bytes, name_end) {
            Some([b':', first]) if first > b' ' => (name_end + 1, first),
            _ => spaced_value(bytes, name_end)?,
        };
        let (end, escaped) = match first {
            b'"' => {
                let plain = skip_plain(bytes, at + 1);
                if bytes.get(plain) == Some(&b'"') {
                    (plain + 1, false)
                } else if ready.is_none() {
                    let (end, text) = decoded(text, at, arena)?;
                    let index = nodes.len() + 1;
                    ready = Some(Ready { index, text });
                    (end, true)
                } else {
                    string_end(bytes, at).ok()?
                }
            }
            b'[' if bytes.get(at + 1) == Some(&b']') => (at + 2, false),
            b'{' | b'[' => {
                nodes.push(name);
                let end = read_inside(bytes, at, 1, MAX_DEPTH, nodes).ok()?;
                member = next(bytes, end, b'}')?;
                continue;
            }
            _ => match integer_end(bytes, at) {
                Some(end) => (end, false),
                None => (scalar_end(bytes, at)?, false),
            },
        };
        let value = node(nodes.len() + 1, (at, end), kind(first), escaped);
        nodes.extend_from_slice(&[name, value]);
        member = match two(bytes, end) {
            Some([b',', b'"']) => Next::Another(end + 1),
            _ => spaced_next(bytes, end)?,
        };
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

/// Two bytes, where there are so many.
#[inline]
fn two(bytes: &[u8], at: usize) -> Option<[u8; 2]> {
    bytes.get(at..)?.first_chunk().copied()
}

/// Where a number ends that is nothing but digits, the first of them no zero, and has a member behind
/// it: positions and times are, and have many of them. Nothing for any other value.
#[inline]
fn integer_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut end = start;
    loop {
        let digits = bytes.get(end..)?.first_chunk()?;
        let others = no_digits(u64::from_le_bytes(*digits));
        if others != 0 {
            end += (others.trailing_zeros() / 8) as usize;
            break;
        }
        end += 8;
    }
    let is_integer = bytes.get(start) != Some(&b'0') && bytes.get(end) == Some(&b',');
    (is_integer && end > start).then_some(end)
}

/// The bytes of a word that are no digits, as their high bits.
#[inline]
fn no_digits(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // A digit is then 0 to 9, and no byte carries into the next one.
    let word = word ^ (ONES * 0x30);
    (((word & (ONES * 0x7f)) + ONES * 0x76) | word) & (ONES * 0x80)
}

/// A member's value behind whitespace: where it begins, and with which byte.
#[cold]
fn spaced_value(bytes: &[u8], name_end: usize) -> Option<(usize, u8)> {
    let at = behind_colon(bytes, name_end)?;
    Some((at, *bytes.get(at)?))
}

/// What follows a member, where it is not the next one at once.
#[cold]
fn spaced_next(bytes: &[u8], at: usize) -> Option<Next> {
    next(bytes, at, b'}')
}

/// A string that begins at a byte: where it ends, and whether it has an escape.
#[cold]
fn string_at(bytes: &[u8], at: usize) -> Option<(usize, bool)> {
    if bytes.get(at) == Some(&b'"') {
        string_end(bytes, at).ok()
    } else {
        None
    }
}

/// Where the string that begins at a quote ends, behind its closing quote, and what it stands for.
#[inline(never)]
fn decoded<'a>(text: &str, at: usize, arena: &'a Bump) -> Option<(usize, &'a str)> {
    let (end, decoded) = decode::string_from(text, at + 1, arena)?;
    (text.as_bytes().get(end) == Some(&b'"')).then_some((end + 1, decoded))
}

/// The kind of a value that begins with a byte.
fn kind(first: u8) -> NodeKind {
    match first {
        b'"' => NodeKind::String,
        b'[' => NodeKind::Array,
        b't' => NodeKind::True,
        b'f' => NodeKind::False,
        b'n' => NodeKind::Null,
        _ => NodeKind::Number,
    }
}

/// A node at an index that has none inside it.
#[inline]
fn node(index: usize, (start, end): (usize, usize), kind: NodeKind, escaped: bool) -> Node {
    Node {
        start: small(start),
        end: small(end),
        next: small(index + 1),
        kind,
        escaped,
    }
}

/// Offsets and indexes inside one record, which is not longer than 32 bits can count.
#[allow(
    clippy::cast_possible_truncation,
    reason = "the text's length was looked at"
)]
fn small(number: usize) -> u32 {
    number as u32
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
            r#"{"a":1735689600000,"b":12345678,"c":1234567,"d":0}"#,
            r#"{"a":00000000,"b":1}"#,
            r#"{"a":12345678x,"b":1}"#,
            r#"{"a":1234567890123.5e3,"b":-1,"c":123456789:"d"}"#,
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
