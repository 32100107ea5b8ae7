//! Which member of a record stands twice, for people: the reader refuses the record without looking
//! further (contract.md, "What is a record").

use super::tape::{Doc, Node};
use super::value::NameWatch;

/// The longest name that is said in a message.
const NAME_MAX: usize = 40;

/// The first name that stood before: among the record's own, then among its event's or statement's,
/// then further inside.
pub(super) fn second<'t>(doc: Doc<'_, 't>) -> Option<&'t Node> {
    let outermost = doc.members(Doc::ROOT).map(|(_, value)| value);
    let inside = 0..doc.nodes().len();
    let mut objects = std::iter::once(Doc::ROOT).chain(outermost).chain(inside);
    let key = objects.find_map(|object| {
        let mut watch = NameWatch::default();
        let mut keys = doc.members(object).map(|(key, _)| key);
        keys.find(|key| watch.sees_again(doc, object, *key))
    });
    doc.node(key?)
}

/// What is said of it. A name that cannot be shown as it is goes without saying.
pub(super) fn message(doc: Doc<'_, '_>, key: &Node) -> String {
    let name = doc.decoded(key);
    let can_be_said = name.len() <= NAME_MAX && name.bytes().all(|byte| byte.is_ascii_graphic());
    if can_be_said {
        format!("the member {name} stands here a second time")
    } else {
        "a member of this name stood before".to_owned()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::super::json::{MAX_DEPTH, read};
    use super::*;

    fn said(text: &str) -> Option<(u32, String)> {
        let mut nodes = Vec::new();
        read(text, MAX_DEPTH, &mut nodes).unwrap();
        let doc = Doc::new(text, &nodes);
        second(doc).map(|key| (key.start, message(doc, key)))
    }

    #[test]
    fn the_second_one_is_named_and_the_outermost_first() {
        let id = "the member id stands here a second time".to_owned();
        let other = "a member of this name stood before".to_owned();
        for (text, expected) in [
            (r#"{"id":1,"id":2}"#, Some((8, id.clone()))),
            (r#"{"id":1,"\u0069d":2}"#, Some((8, id.clone()))),
            (
                r#"{"data":{"a":[{"b":1,"b":1}]},"event":{"id":1,"id":2}}"#,
                Some((46, id)),
            ),
            (r#"{"a":{"\u202ex":1,"\u202ex":2}}"#, Some((18, other))),
            (r#"{"a":{"id":1},"b":{"id":1}}"#, None),
        ] {
            assert_eq!(said(text), expected, "{text}");
        }
    }
}
