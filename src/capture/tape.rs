//! What the reader leaves behind: one flat list of nodes over a record's text.
//!
//! A node is sixteen bytes and holds no text, so a worker reuses one list for a million records and
//! never allocates for a payload nobody looks at. An object's members lie behind it as key, value,
//! key, value; every node knows the index behind its subtree, so skipping a value is one step.

use std::borrow::Cow;

use super::string;

/// What a JSON value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// `{ … }`
    Object,
    /// `[ … ]`
    Array,
    /// A string, also a member's name.
    String,
    /// A number, in its own spelling.
    Number,
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
}

/// One value or member name in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// First byte, the opening quote or bracket included.
    pub start: u32,
    /// Byte behind the last one, the closing quote or bracket included.
    pub end: u32,
    /// Index of the node behind this one and all inside it.
    pub next: u32,
    /// What it is.
    pub kind: NodeKind,
    /// A string with at least one backslash.
    pub escaped: bool,
}

/// A text with its nodes. Indexes that the text does not have answer as nothing, never panic.
#[derive(Clone, Copy, Debug)]
pub struct Doc<'a, 't> {
    text: &'a str,
    nodes: &'t [Node],
}

impl<'a, 't> Doc<'a, 't> {
    /// A view; `nodes` are the reader's for exactly this text.
    pub fn new(text: &'a str, nodes: &'t [Node]) -> Self {
        Self { text, nodes }
    }

    /// The text itself.
    pub fn text(self) -> &'a str {
        self.text
    }

    /// Index of the whole value.
    pub const ROOT: usize = 0;

    /// The node at an index.
    pub fn node(self, index: usize) -> Option<&'t Node> {
        self.nodes.get(index)
    }

    /// All nodes, in the order of the text.
    pub fn nodes(self) -> &'t [Node] {
        self.nodes
    }

    /// The kind of the node at an index.
    pub fn kind(self, index: usize) -> Option<NodeKind> {
        self.node(index).map(|node| node.kind)
    }

    /// Whether the node is of this kind.
    pub fn is(self, index: usize, kind: NodeKind) -> bool {
        self.kind(index) == Some(kind)
    }

    /// The value exactly as it is spelled.
    pub fn raw(self, index: usize) -> &'a str {
        self.node(index)
            .and_then(|node| self.text.get(node.start as usize..node.end as usize))
            .unwrap_or_default()
    }

    /// A string's text between the quotes, escapes as they are spelled.
    pub fn raw_string(self, node: &Node) -> &'a str {
        let inner = (node.start as usize).saturating_add(1)..(node.end as usize).saturating_sub(1);
        self.text.get(inner).unwrap_or_default()
    }

    /// The same as bytes, which costs no look at character boundaries.
    #[inline]
    pub fn string_bytes(self, node: &Node) -> &'a [u8] {
        let inner = (node.start as usize).saturating_add(1)..(node.end as usize).saturating_sub(1);
        self.text.as_bytes().get(inner).unwrap_or_default()
    }

    /// A string or member name, decoded; `None` for any other value.
    pub fn string(self, index: usize) -> Option<Cow<'a, str>> {
        let node = self.node(index)?;
        (node.kind == NodeKind::String).then(|| self.decoded(node))
    }

    /// The decoded text of a string node.
    pub fn decoded(self, node: &Node) -> Cow<'a, str> {
        let raw = self.raw_string(node);
        if node.escaped {
            Cow::Owned(string::decode(raw))
        } else {
            Cow::Borrowed(raw)
        }
    }

    /// Whether a string node's decoded text is this one.
    pub fn string_is(self, node: &Node, text: &str) -> bool {
        if node.escaped {
            // An escape is longer than what it stands for, so a shorter spelling cannot be equal.
            let raw = self.raw_string(node);
            raw.len() > text.len() && string::decode(raw) == text
        } else {
            self.string_bytes(node) == text.as_bytes()
        }
    }

    /// The members of an object as (key, value) indexes; nothing for any other value.
    pub fn members(self, index: usize) -> Members<'t> {
        let (at, end) = self.inside(index, NodeKind::Object);
        Members {
            nodes: self.nodes,
            at,
            end,
        }
    }

    /// The indexes of an array's elements; nothing for any other value.
    pub fn elements(self, index: usize) -> Elements<'t> {
        let (at, end) = self.inside(index, NodeKind::Array);
        Elements {
            nodes: self.nodes,
            at,
            end,
        }
    }

    /// The value of an object's member of this (decoded) name; the last one where it stands twice.
    pub fn member(self, index: usize, name: &str) -> Option<usize> {
        let mut found = None;
        for (key, value) in self.members(index) {
            if self.node(key).is_some_and(|key| self.string_is(key, name)) {
                found = Some(value);
            }
        }
        found
    }

    /// The value a pointer's segments lead to (RFC 6901), from a value inside the text.
    pub fn follow<S: AsRef<str>>(self, from: usize, segments: &[S]) -> Option<usize> {
        let mut at = from;
        for segment in segments {
            let segment = segment.as_ref();
            at = match self.kind(at)? {
                NodeKind::Object => self.member(at, segment)?,
                NodeKind::Array => self.elements(at).nth(array_index(segment)?)?,
                NodeKind::String
                | NodeKind::Number
                | NodeKind::True
                | NodeKind::False
                | NodeKind::Null => return None,
            };
        }
        Some(at)
    }

    fn inside(self, index: usize, kind: NodeKind) -> (usize, usize) {
        match self.node(index) {
            Some(node) if node.kind == kind => (index + 1, node.next as usize),
            _ => (0, 0),
        }
    }
}

/// A pointer's segment as an array index: digits without a leading zero (RFC 6901, section 4).
pub fn array_index(segment: &str) -> Option<usize> {
    let canonical = segment == "0" || !segment.starts_with('0');
    let digits = !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
    if canonical && digits {
        segment.parse().ok()
    } else {
        None
    }
}

/// Walks an object's members.
#[derive(Clone, Debug)]
pub struct Members<'t> {
    nodes: &'t [Node],
    at: usize,
    end: usize,
}

impl Iterator for Members<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.end {
            return None;
        }
        let key = self.at;
        let value = key + 1;
        self.at = self.nodes.get(value)?.next as usize;
        Some((key, value))
    }
}

/// Walks an array's elements.
#[derive(Clone, Debug)]
pub struct Elements<'t> {
    nodes: &'t [Node],
    at: usize,
    end: usize,
}

impl Iterator for Elements<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.end {
            return None;
        }
        let element = self.at;
        self.at = self.nodes.get(element)?.next as usize;
        Some(element)
    }
}
