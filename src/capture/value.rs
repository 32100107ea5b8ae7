//! When two JSON values are the same value, and a hash that agrees with it.
//!
//! Members count in any order and the last one of a name wins; numbers count by value and strings
//! decoded (contract.md, "Same content").

use std::borrow::Cow;

use super::digest::Digest;
use super::number;
use super::tape::{Doc, Node, NodeKind};

/// Whether two values are the same JSON value.
pub fn equal(a: Doc<'_, '_>, at_a: usize, b: Doc<'_, '_>, at_b: usize) -> bool {
    let (Some(kind_a), Some(kind_b)) = (a.kind(at_a), b.kind(at_b)) else {
        return false;
    };
    if kind_a != kind_b {
        return false;
    }
    // The same spelling is the same value; a repeat's payload usually is byte for byte the same.
    if a.raw(at_a) == b.raw(at_b) {
        return true;
    }
    match kind_a {
        NodeKind::Null | NodeKind::True | NodeKind::False => true,
        NodeKind::Number => number::normal(a.raw(at_a)) == number::normal(b.raw(at_b)),
        NodeKind::String => a.string(at_a) == b.string(at_b),
        NodeKind::Array => {
            let (mut left, mut right) = (a.elements(at_a), b.elements(at_b));
            loop {
                match (left.next(), right.next()) {
                    (None, None) => return true,
                    (Some(x), Some(y)) if equal(a, x, b, y) => {}
                    _ => return false,
                }
            }
        }
        NodeKind::Object => {
            let (left, right) = (distinct_members(a, at_a), distinct_members(b, at_b));
            left.len() == right.len()
                && left
                    .iter()
                    .zip(&right)
                    .all(|((name, x), (other, y))| name == other && equal(a, *x, b, *y))
        }
    }
}

/// An object's members by name, each name once, with the last value that stands under it.
pub fn distinct_members<'a>(doc: Doc<'a, '_>, index: usize) -> Vec<(Cow<'a, str>, usize)> {
    let mut members: Vec<_> = doc
        .members(index)
        .filter_map(|(key, value)| Some((doc.string(key)?, value)))
        .collect();
    // The sort is stable, so of equal names the last of the text comes last.
    members.sort_by(|(a, _), (b, _)| a.cmp(b));
    let mut distinct: Vec<(Cow<'a, str>, usize)> = Vec::with_capacity(members.len());
    for (name, value) in members {
        match distinct.last_mut() {
            Some((known, last)) if *known == name => *last = value,
            _ => distinct.push((name, value)),
        }
    }
    distinct
}

/// Feeds a value to a hash; equal values feed the same.
pub fn feed(doc: Doc<'_, '_>, index: usize, into: &mut Digest) {
    let Some(node) = doc.node(index) else {
        return;
    };
    into.number(node.kind as u64);
    match node.kind {
        NodeKind::Null | NodeKind::True | NodeKind::False => {}
        NodeKind::Number => number::feed(doc.raw(index), into),
        NodeKind::String => feed_text(doc, node, into),
        NodeKind::Array => {
            for element in doc.elements(index) {
                feed(doc, element, into);
            }
            into.number(u64::MAX);
        }
        NodeKind::Object => feed_object(doc, index, into),
    }
}

/// Feeds a string or a name, decoded.
#[inline]
fn feed_text(doc: Doc<'_, '_>, node: &Node, into: &mut Digest) {
    if node.escaped {
        into.text(doc.decoded(node).as_bytes());
    } else {
        into.text(doc.string_bytes(node));
    }
}

/// Members are hashed one by one and added up, so their order does not matter and nothing is sorted,
/// unless a name may stand twice.
fn feed_object(doc: Doc<'_, '_>, index: usize, into: &mut Digest) {
    let mut seen = NameFilter::default();
    let mut sum = 0u64;
    let mut count = 0u64;
    for (key, value) in doc.members(index) {
        let Some(node) = doc.node(key) else {
            continue;
        };
        let seen_before = if node.escaped {
            seen.may_have_seen(doc.decoded(node).as_bytes())
        } else {
            seen.may_have_seen(doc.string_bytes(node))
        };
        if seen_before {
            return feed_distinct(doc, index, into);
        }
        let mut member = Digest::default();
        feed_text(doc, node, &mut member);
        feed(doc, value, &mut member);
        sum = sum.wrapping_add(member.finish());
        count += 1;
    }
    into.number(count);
    into.number(sum);
}

fn feed_distinct(doc: Doc<'_, '_>, index: usize, into: &mut Digest) {
    let mut sum = 0u64;
    let mut count = 0u64;
    for (name, value) in distinct_members(doc, index) {
        let mut member = Digest::default();
        member.text(name.as_bytes());
        feed(doc, value, &mut member);
        sum = sum.wrapping_add(member.finish());
        count += 1;
    }
    into.number(count);
    into.number(sum);
}

/// A small filter over member names: never says no to a name it has seen, so a real comparison is
/// only needed where it says maybe.
#[derive(Clone, Copy, Debug, Default)]
pub struct NameFilter {
    bits: [u64; 4],
}

impl NameFilter {
    /// Whether a name (decoded) of the same mark came before; remembers this one.
    #[inline]
    pub fn may_have_seen(&mut self, name: &[u8]) -> bool {
        let (head, tail) = match (name.first_chunk::<8>(), name.last_chunk::<8>()) {
            (Some(head), Some(tail)) => (u64::from_le_bytes(*head), u64::from_le_bytes(*tail)),
            _ => match (name.first_chunk::<4>(), name.last_chunk::<4>()) {
                (Some(head), Some(tail)) => (
                    u64::from(u32::from_le_bytes(*head)),
                    u64::from(u32::from_le_bytes(*tail)),
                ),
                _ => (
                    name.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
                    0,
                ),
            },
        };
        let mark =
            (head ^ tail.rotate_left(29) ^ name.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let bit = 1u64 << ((mark >> 56) & 63);
        let Some(word) = self.bits.get_mut((mark >> 62) as usize) else {
            return true;
        };
        let seen = *word & bit != 0;
        *word |= bit;
        seen
    }
}

/// Looks for a name (decoded) that stands twice, while someone walks an object's members anyway.
#[derive(Clone, Copy, Debug, Default)]
pub struct NameWatch {
    filter: NameFilter,
    doubts: u32,
    settled: bool,
}

/// Doubts that are settled by looking at the names before; beyond them all names are sorted once, so
/// that a hostile object costs no quadratic time.
const DOUBTS_MAX: u32 = 64;

impl NameWatch {
    /// Whether this member's name came before; called for every member, in order.
    #[inline]
    pub fn sees_again(&mut self, doc: Doc<'_, '_>, object: usize, key: usize) -> bool {
        let Some(node) = doc.node(key) else {
            return false;
        };
        let may_have_seen = if node.escaped {
            self.filter.may_have_seen(doc.decoded(node).as_bytes())
        } else {
            self.filter.may_have_seen(doc.string_bytes(node))
        };
        may_have_seen && !self.settled && self.settle(doc, object, key)
    }

    #[cold]
    fn settle(&mut self, doc: Doc<'_, '_>, object: usize, key: usize) -> bool {
        self.doubts += 1;
        if self.doubts > DOUBTS_MAX {
            self.settled = true;
            let count = doc.members(object).count();
            return distinct_members(doc, object).len() != count;
        }
        let Some(name) = doc.string(key) else {
            return false;
        };
        doc.members(object)
            .map(|(earlier, _)| earlier)
            .take_while(|earlier| *earlier != key)
            .filter_map(|earlier| doc.node(earlier))
            .any(|earlier| doc.string_is(earlier, &name))
    }
}

/// Whether a name (decoded) stands twice among an object's own members.
pub fn has_duplicate(doc: Doc<'_, '_>, object: usize) -> bool {
    let mut watch = NameWatch::default();
    doc.members(object)
        .any(|(key, _)| watch.sees_again(doc, object, key))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::super::json::{MAX_DEPTH, read};
    use super::*;

    fn compare(a: &str, b: &str) -> (bool, bool) {
        let (mut nodes_a, mut nodes_b) = (Vec::new(), Vec::new());
        read(a, MAX_DEPTH, &mut nodes_a).unwrap();
        read(b, MAX_DEPTH, &mut nodes_b).unwrap();
        let (a, b) = (Doc::new(a, &nodes_a), Doc::new(b, &nodes_b));
        let (mut hash_a, mut hash_b) = (Digest::default(), Digest::default());
        feed(a, Doc::ROOT, &mut hash_a);
        feed(b, Doc::ROOT, &mut hash_b);
        (
            equal(a, Doc::ROOT, b, Doc::ROOT),
            hash_a.finish() == hash_b.finish(),
        )
    }

    #[test]
    fn spelling_and_order_do_not_matter() {
        for (a, b) in [
            (r#"{"a":1,"b":[2]}"#, r#"{ "b" : [2.0], "\u0061" : 10e-1 }"#),
            (r#"{"a":1,"a":2}"#, r#"{"a":2}"#),
            (r#""\u00e9""#, "\"é\""),
            ("0", "-0.0"),
            (r#"[{"x":{},"y":null}]"#, r#"[{"y":null,"x":{}}]"#),
        ] {
            assert_eq!(compare(a, b), (true, true), "{a} {b}");
        }
    }

    #[test]
    fn different_values_differ() {
        for (a, b) in [
            (r#"{"a":1}"#, r#"{"a":1,"b":null}"#),
            (r#"{"a":1,"b":2}"#, r#"{"a":2,"b":1}"#),
            ("[1,2]", "[2,1]"),
            ("[[1],2]", "[[1,2]]"),
            (r#""1""#, "1"),
            ("null", "false"),
            ("9007199254740992", "9007199254740993"),
            (r#"["ab","c"]"#, r#"["a","bc"]"#),
        ] {
            assert_eq!(compare(a, b), (false, false), "{a} {b}");
        }
    }

    #[test]
    fn a_name_that_stands_twice_is_found_decoded() {
        let names: Vec<_> = (0..2_000).map(|n| format!("\"{n}\":0")).collect();
        let many = format!("{{{}}}", names.join(","));
        let many_and_one = format!("{{{},\"1999\":1}}", names.join(","));
        for (text, twice) in [
            (r#"{"a":1,"\u0061":2}"#, true),
            (r#"{"a":{"a":1},"b":1}"#, false),
            (r#"{"ab":1,"ba":1,"abc":1,"acb":2,"bb":1}"#, false),
            ("[1,1]", false),
            (many.as_str(), false),
            (many_and_one.as_str(), true),
        ] {
            let mut nodes = Vec::new();
            read(text, MAX_DEPTH, &mut nodes).unwrap();
            assert_eq!(
                has_duplicate(Doc::new(text, &nodes), Doc::ROOT),
                twice,
                "{text}"
            );
        }
    }
}
