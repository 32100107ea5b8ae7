//! A record as rows that can be folded: the event tree of the screen.
//!
//! It owns its text, because the record is read again when someone opens it and stays on the screen
//! while the run goes on. Rows are in the order of the text; a folded row skips to `end`.

use std::borrow::Cow;
use std::ops::Range;

use super::json::{Fault, MAX_DEPTH, read};
use super::tape::{Doc, Node, NodeKind};

/// A JSON value in rows, one for each value inside.
#[derive(Clone, Debug)]
pub struct Tree {
    text: String,
    nodes: Vec<Node>,
    rows: Vec<RowPlace>,
}

#[derive(Clone, Copy, Debug)]
struct RowPlace {
    node: usize,
    key: Option<usize>,
    parent: Option<usize>,
    /// Place among its parent's values.
    ordinal: usize,
    depth: usize,
    /// The row behind this one's subtree.
    end: usize,
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<'a> {
    /// How deep it stands; 0 for the whole value.
    pub depth: usize,
    /// The member's name, decoded; none for elements and for the whole value.
    pub key: Option<Cow<'a, str>>,
    /// What the value is.
    pub kind: NodeKind,
    /// The value as it is spelled, an object or array with all that is inside.
    pub raw: &'a str,
    /// Values directly inside.
    pub children: usize,
    /// The row behind this one and all inside it.
    pub end: usize,
    /// The row it stands in.
    pub parent: Option<usize>,
}

impl Tree {
    /// Reads a text into rows. Errors: it is no JSON.
    pub fn new(text: String) -> Result<Self, Fault> {
        let mut nodes = Vec::new();
        read(&text, MAX_DEPTH, &mut nodes)?;
        let mut tree = Self {
            text,
            nodes: Vec::new(),
            rows: Vec::with_capacity(nodes.len()),
        };
        place_rows(Doc::new(&tree.text, &nodes), &mut tree.rows);
        tree.nodes = nodes;
        Ok(tree)
    }

    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many rows there are; at least one.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Never: even `null` is a row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// A row, from 0.
    pub fn row(&self, index: usize) -> Option<Row<'_>> {
        let place = self.rows.get(index)?;
        let doc = self.doc();
        let kind = doc.kind(place.node)?;
        // Only one of the two has anything to give.
        let children = doc.members(place.node).count() + doc.elements(place.node).count();
        Some(Row {
            depth: place.depth,
            key: place.key.and_then(|key| doc.string(key)),
            kind,
            raw: doc.raw(place.node),
            children,
            end: place.end,
            parent: place.parent,
        })
    }

    /// A string's text, decoded; `None` for any other value.
    pub fn string(&self, index: usize) -> Option<Cow<'_, str>> {
        self.doc().string(self.rows.get(index)?.node)
    }

    /// Where the row's value lies in the text, in bytes.
    pub fn span(&self, index: usize) -> Option<Range<usize>> {
        let node = self.nodes.get(self.rows.get(index)?.node)?;
        Some(node.start as usize..node.end as usize)
    }

    /// The JSON pointer (RFC 6901) from one row to another inside it; `None` where it is not inside.
    pub fn pointer(&self, from: usize, to: usize) -> Option<String> {
        let mut segments = Vec::new();
        let mut at = to;
        while at != from {
            let place = self.rows.get(at)?;
            let segment = match place.key {
                Some(key) => self
                    .doc()
                    .string(key)?
                    .replace('~', "~0")
                    .replace('/', "~1"),
                None => place.ordinal.to_string(),
            };
            segments.push(segment);
            at = place.parent?;
        }
        segments.reverse();
        Some(segments.iter().fold(String::new(), |mut pointer, segment| {
            pointer.push('/');
            pointer.push_str(segment);
            pointer
        }))
    }

    /// The row that a pointer's segments lead to, from a row on; the last member where a name stands
    /// twice.
    pub fn find<S: AsRef<str>>(&self, from: usize, segments: &[S]) -> Option<usize> {
        let start = self.rows.get(from)?.node;
        let node = self.doc().follow(start, segments)?;
        self.rows
            .binary_search_by_key(&node, |place| place.node)
            .ok()
    }

    /// The row of the event: the whole record where it is a bare one, else its `event`.
    pub fn event_row(&self) -> usize {
        let bare = self.find(0, &["specversion"]).is_some();
        let native = self.find(0, &["event"]).filter(|_| !bare);
        native.unwrap_or_default()
    }

    fn doc(&self) -> Doc<'_, '_> {
        Doc::new(&self.text, &self.nodes)
    }
}

/// Lays out the rows in the order of the text, without recursion.
fn place_rows(doc: Doc<'_, '_>, rows: &mut Vec<RowPlace>) {
    // Open rows, each with the node behind it and how many values were placed in it.
    let mut open: Vec<(usize, usize, usize)> = Vec::new();
    let mut node = Doc::ROOT;
    while let Some(found) = doc.node(node) {
        while let Some((row, behind, _)) = open.last().copied()
            && node >= behind
        {
            open.pop();
            let end = rows.len();
            if let Some(place) = rows.get_mut(row) {
                place.end = end;
            }
        }
        let parent = open.last().map(|(row, ..)| *row);
        let in_object = parent
            .and_then(|row| rows.get(row))
            .is_some_and(|row| doc.is(row.node, NodeKind::Object));
        let (key, value) = if in_object {
            (Some(node), node + 1)
        } else {
            (None, node)
        };
        let ordinal = open.last_mut().map_or(0, |(_, _, placed)| {
            *placed += 1;
            *placed - 1
        });
        let index = rows.len();
        rows.push(RowPlace {
            node: value,
            key,
            parent,
            ordinal,
            depth: open.len(),
            end: index + 1,
        });
        let behind = doc.node(value).map_or(found.next, |value| value.next) as usize;
        if matches!(doc.kind(value), Some(NodeKind::Object | NodeKind::Array)) {
            open.push((index, behind, 0));
        }
        node = value + 1;
    }
    let end = rows.len();
    for (row, ..) in open {
        if let Some(place) = rows.get_mut(row) {
            place.end = end;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_text() {
        let tree = Tree::new(r#"{"event":{"a~/b":[1,{"c":"\u0041"}],"d":{}},"x":2.0}"#.to_owned())
            .unwrap();
        let rows: Vec<_> = (0..tree.len())
            .map(|index| {
                let row = tree.row(index).unwrap();
                (
                    row.depth,
                    row.key.map(Cow::into_owned),
                    row.children,
                    row.end,
                )
            })
            .collect();
        let key = |name: &str| Some(name.to_owned());
        assert_eq!(
            rows,
            [
                (0, None, 2, 8),
                (1, key("event"), 2, 7),
                (2, key("a~/b"), 2, 6),
                (3, None, 0, 4),
                (3, None, 1, 6),
                (4, key("c"), 0, 6),
                (2, key("d"), 0, 7),
                (1, key("x"), 0, 8),
            ]
        );
        assert_eq!(tree.event_row(), 1);
        assert_eq!(tree.pointer(1, 5).as_deref(), Some("/a~0~1b/1/c"));
        assert_eq!(tree.pointer(1, 7), None);
        assert_eq!(tree.pointer(3, 3).as_deref(), Some(""));
        assert_eq!(tree.find(1, &["a~/b", "1", "c"]), Some(5));
        assert_eq!(tree.string(5).as_deref(), Some("A"));
        assert_eq!(tree.row(7).unwrap().raw, "2.0");
        assert_eq!(tree.span(7), Some(48..51));
    }

    #[test]
    fn a_single_value_is_one_row() {
        let tree = Tree::new("null".to_owned()).unwrap();
        assert_eq!(
            (tree.len(), tree.is_empty(), tree.event_row()),
            (1, false, 0)
        );
        assert!(Tree::new("{".to_owned()).is_err());
    }
}
