//! The one JSON reader (RFC 8259), strict: every look at a record's bytes goes through here.
//!
//! One pass checks syntax, the number grammar, escapes, surrogate pairs, control characters and the
//! nesting depth, and leaves a flat list of nodes. Two readers with two opinions would be a trace
//! that says "malformed" and a screen that shows a value; so there is one.

use super::tape::{Node, NodeKind};
use super::token::{fault, literal_end, number_end, string_end};
pub use super::token::{skip_plain, skip_whitespace};

/// Levels of nesting that a record may have (contract.md, stage 0).
pub const MAX_DEPTH: u32 = 128;

/// Why a text is no JSON value, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The byte that made it so, counted from the start of the text.
    pub offset_bytes: usize,
}

/// What is wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The text ends inside a value.
    UnexpectedEnd,
    /// Something else stands where a value should.
    ExpectedValue,
    /// Something else stands where a member's name should.
    ExpectedName,
    /// Something else stands where the colon behind a name should.
    ExpectedColon,
    /// Something else stands where a comma or the closing bracket should.
    ExpectedCommaOrClose,
    /// A raw control character inside a string.
    ControlCharacter,
    /// A backslash with something that cannot follow it.
    BadEscape,
    /// Half of a surrogate pair.
    LoneSurrogate,
    /// A number that breaks the grammar.
    BadNumber,
    /// Something behind the value.
    TrailingCharacters,
    /// Nested deeper than allowed.
    TooDeep,
}

impl FaultKind {
    /// The message a person reads.
    pub fn message(self) -> &'static str {
        match self {
            Self::UnexpectedEnd => "the text ends inside a value",
            Self::ExpectedValue => "a value is expected here",
            Self::ExpectedName => "a member's name in double quotes is expected here",
            Self::ExpectedColon => "a colon is expected here",
            Self::ExpectedCommaOrClose => "a comma or the closing bracket is expected here",
            Self::ControlCharacter => "a raw control character inside a string",
            Self::BadEscape => "an escape that JSON does not have",
            Self::LoneSurrogate => "half of a surrogate pair",
            Self::BadNumber => "a number that JSON does not have",
            Self::TrailingCharacters => "something follows the value",
            Self::TooDeep => "nested deeper than 128 levels",
        }
    }
}

/// Reads a text that is one value and nothing else. `nodes` is emptied first and holds the value's
/// nodes afterwards; after a fault its content means nothing. Texts of 4 GiB or more are not for it.
pub fn read(text: &str, max_depth: u32, nodes: &mut Vec<Node>) -> Result<(), Fault> {
    let bytes = text.as_bytes();
    let end = read_prefix(bytes, max_depth, nodes)?;
    let end = skip_whitespace(bytes, end);
    if end < bytes.len() {
        return Err(fault(FaultKind::TrailingCharacters, end));
    }
    Ok(())
}

/// Reads the value a text begins with, and says where it ends. The bytes should be UTF-8: what is
/// inside strings is not checked for it here.
pub fn read_prefix(bytes: &[u8], max_depth: u32, nodes: &mut Vec<Node>) -> Result<usize, Fault> {
    nodes.clear();
    read_inside(bytes, 0, 0, max_depth, nodes)
}

/// Reads the value that begins at a byte and `depth` levels deep, and says where it ends; its nodes
/// come behind those that are there.
pub fn read_inside(
    bytes: &[u8],
    at: usize,
    depth: u32,
    max_depth: u32,
    nodes: &mut Vec<Node>,
) -> Result<usize, Fault> {
    let mut reader = Reader {
        bytes,
        nodes,
        at,
        open: NOTHING_OPEN,
        in_object: false,
        depth,
        max_depth,
    };
    reader.run()?;
    Ok(reader.at)
}

/// Whether brackets outside strings reach deeper than a level. Most texts have too few of them, in
/// strings or not, for a closer look.
pub fn is_deeper_than(bytes: &[u8], level: u32) -> bool {
    let opened = bytes
        .iter()
        .filter(|byte| matches!(byte, b'{' | b'['))
        .count();
    opened > level as usize && bracket_depth(bytes) > level
}

/// The deepest level that brackets outside strings reach; looks at nothing else. Only for a text
/// that the reader refused: too deep wins over malformed.
pub fn bracket_depth(bytes: &[u8]) -> u32 {
    let mut depth = 0u32;
    let mut deepest = 0u32;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' => at = loose_string_end(bytes, at),
            b'{' | b'[' => {
                depth = depth.saturating_add(1);
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Behind the quote that ends a string's body, whatever the body is.
fn loose_string_end(bytes: &[u8], mut at: usize) -> usize {
    loop {
        at = skip_plain(bytes, at);
        match bytes.get(at) {
            Some(b'"') => return at + 1,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
            None => return bytes.len(),
        }
    }
}

/// No container is open: the value itself is at hand.
const NOTHING_OPEN: u32 = u32::MAX;

struct Reader<'a, 't> {
    bytes: &'a [u8],
    nodes: &'t mut Vec<Node>,
    at: usize,
    /// The innermost open container. While it is open, its `next` holds the one around it, so that
    /// no stack is needed.
    open: u32,
    in_object: bool,
    depth: u32,
    max_depth: u32,
}

impl Reader<'_, '_> {
    fn run(&mut self) -> Result<(), Fault> {
        loop {
            self.at = skip_whitespace(self.bytes, self.at);
            let opened = match self.peek()? {
                b'"' => {
                    self.string()?;
                    false
                }
                b'{' => self.open(NodeKind::Object, b'}')?,
                b'[' => self.open(NodeKind::Array, b']')?,
                b't' => self.literal(b"true", NodeKind::True)?,
                b'f' => self.literal(b"false", NodeKind::False)?,
                b'n' => self.literal(b"null", NodeKind::Null)?,
                b'-' | b'0'..=b'9' => self.number()?,
                _ => return Err(fault(FaultKind::ExpectedValue, self.at)),
            };
            if opened {
                if self.in_object {
                    self.name()?;
                }
                continue;
            }
            if self.after_value()? {
                return Ok(());
            }
        }
    }

    /// Behind a value: closes what closes here. True where nothing is open any more; else the reader
    /// stands where the next value begins.
    fn after_value(&mut self) -> Result<bool, Fault> {
        loop {
            if self.open == NOTHING_OPEN {
                return Ok(true);
            }
            self.at = skip_whitespace(self.bytes, self.at);
            match (self.peek()?, self.in_object) {
                (b',', true) => {
                    self.at = skip_whitespace(self.bytes, self.at + 1);
                    self.name()?;
                    return Ok(false);
                }
                (b',', false) => {
                    self.at += 1;
                    return Ok(false);
                }
                (b'}', true) | (b']', false) => {
                    self.at += 1;
                    self.close();
                }
                _ => return Err(fault(FaultKind::ExpectedCommaOrClose, self.at)),
            }
        }
    }

    fn peek(&self) -> Result<u8, Fault> {
        match self.bytes.get(self.at) {
            Some(byte) => Ok(*byte),
            None => Err(fault(FaultKind::UnexpectedEnd, self.bytes.len())),
        }
    }

    fn push(&mut self, start: usize, kind: NodeKind, escaped: bool) {
        let next = small(self.nodes.len() + 1);
        self.nodes.push(Node {
            start: small(start),
            end: small(self.at),
            next,
            kind,
            escaped,
        });
    }

    /// Opens a container, and closes it at once where it is empty. True where it stays open; an
    /// object's reader then stands at its first name.
    fn open(&mut self, kind: NodeKind, closing: u8) -> Result<bool, Fault> {
        if self.depth >= self.max_depth {
            return Err(fault(FaultKind::TooDeep, self.at));
        }
        self.depth += 1;
        let index = small(self.nodes.len());
        let start = self.at;
        self.at += 1;
        self.push(start, kind, false);
        if let Some(node) = self.nodes.last_mut() {
            node.next = self.open;
        }
        self.open = index;
        self.in_object = kind == NodeKind::Object;
        self.at = skip_whitespace(self.bytes, self.at);
        if self.peek()? == closing {
            self.at += 1;
            self.close();
            return Ok(false);
        }
        Ok(true)
    }

    fn close(&mut self) {
        let next = small(self.nodes.len());
        let end = small(self.at);
        if let Some(node) = self.nodes.get_mut(self.open as usize) {
            self.open = std::mem::replace(&mut node.next, next);
            node.end = end;
        }
        self.depth = self.depth.saturating_sub(1);
        self.in_object = self
            .nodes
            .get(self.open as usize)
            .is_some_and(|node| node.kind == NodeKind::Object);
    }

    /// A member's name and the colon behind it.
    fn name(&mut self) -> Result<(), Fault> {
        if self.peek()? != b'"' {
            return Err(fault(FaultKind::ExpectedName, self.at));
        }
        self.string()?;
        self.at = skip_whitespace(self.bytes, self.at);
        if self.peek()? != b':' {
            return Err(fault(FaultKind::ExpectedColon, self.at));
        }
        self.at += 1;
        Ok(())
    }

    fn string(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let (end, escaped) = string_end(self.bytes, start)?;
        self.at = end;
        self.push(start, NodeKind::String, escaped);
        Ok(())
    }

    fn literal(&mut self, word: &[u8], kind: NodeKind) -> Result<bool, Fault> {
        let start = self.at;
        self.at = literal_end(self.bytes, start, word)?;
        self.push(start, kind, false);
        Ok(false)
    }

    fn number(&mut self) -> Result<bool, Fault> {
        let start = self.at;
        self.at = number_end(self.bytes, start)?;
        self.push(start, NodeKind::Number, false);
        Ok(false)
    }
}

/// Offsets and indexes inside one text; longer texts never reach the reader.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
