//! The one JSON reader (RFC 8259), strict: every look at a record's bytes goes through here.
//!
//! One pass checks syntax, the number grammar, escapes, surrogate pairs, control characters and the
//! nesting depth, and leaves a flat list of nodes. Two readers with two opinions would be a trace
//! that says "malformed" and a screen that shows a value; so there is one.

use super::tape::{Node, NodeKind};

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
    let mut reader = Reader {
        bytes,
        nodes,
        at: 0,
        open: NOTHING_OPEN,
        in_object: false,
        depth: 0,
        max_depth,
    };
    reader.run()?;
    Ok(reader.at)
}

/// The deepest level that brackets outside strings reach; looks at nothing else. Only for a text
/// that the reader refused: too deep wins over malformed.
pub fn bracket_depth(bytes: &[u8]) -> u32 {
    let mut depth = 0u32;
    let mut deepest = 0u32;
    let mut in_string = false;
    let mut escaped = false;
    for byte in bytes {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
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
        let mut at = start + 1;
        let mut escaped = false;
        loop {
            at = skip_plain(self.bytes, at);
            match self.bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    at = escape(self.bytes, at)?;
                }
                Some(_) => return Err(fault(FaultKind::ControlCharacter, at)),
                None => return Err(fault(FaultKind::UnexpectedEnd, self.bytes.len())),
            }
        }
        self.at = at + 1;
        self.push(start, NodeKind::String, escaped);
        Ok(())
    }

    fn literal(&mut self, word: &[u8], kind: NodeKind) -> Result<bool, Fault> {
        let start = self.at;
        for expected in word {
            if self.peek()? != *expected {
                return Err(fault(FaultKind::ExpectedValue, start));
            }
            self.at += 1;
        }
        self.push(start, kind, false);
        Ok(false)
    }

    fn number(&mut self) -> Result<bool, Fault> {
        let start = self.at;
        if self.bytes.get(self.at) == Some(&b'-') {
            self.at += 1;
        }
        if self.bytes.get(self.at) == Some(&b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            self.digits()?;
        }
        self.push(start, NodeKind::Number, false);
        Ok(false)
    }

    /// At least one digit.
    fn digits(&mut self) -> Result<(), Fault> {
        if !self.peek()?.is_ascii_digit() {
            return Err(fault(FaultKind::BadNumber, self.at));
        }
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        Ok(())
    }
}

fn fault(kind: FaultKind, offset_bytes: usize) -> Fault {
    Fault { kind, offset_bytes }
}

/// Offsets and indexes inside one text; longer texts never reach the reader.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The first byte from `at` on that is no JSON whitespace.
#[inline]
pub fn skip_whitespace(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// The first byte from `at` on that a string's body cannot hold plainly: a quote, a backslash or a
/// control character. Eight bytes are looked at together; the lowest mark is exact, those above it
/// may be echoes of a borrow.
#[inline]
pub fn skip_plain(bytes: &[u8], mut at: usize) -> usize {
    const QUOTES: u64 = ONES * 0x22;
    const SLASHES: u64 = ONES * 0x5c;
    while let Some(eight) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*eight);
        let quotes = word ^ QUOTES;
        let slashes = word ^ SLASHES;
        let marks = (quotes.wrapping_sub(ONES) & !quotes)
            | (slashes.wrapping_sub(ONES) & !slashes)
            | (word.wrapping_sub(ONES * 0x20) & !word);
        let marks = marks & HIGHS;
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(byte) = bytes.get(at) {
        if matches!(byte, b'"' | b'\\' | 0..=0x1f) {
            break;
        }
        at += 1;
    }
    at
}

/// Checks the escape that begins at a backslash, a surrogate pair as one; answers where it ends.
fn escape(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    let Some(letter) = bytes.get(at + 1) else {
        return Err(fault(FaultKind::UnexpectedEnd, bytes.len()));
    };
    if matches!(
        letter,
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't'
    ) {
        return Ok(at + 2);
    }
    if *letter != b'u' {
        return Err(fault(FaultKind::BadEscape, at));
    }
    let unit = hex_unit(bytes, at + 2)?;
    match unit {
        0xD800..=0xDBFF => {
            let pair = bytes.get(at + 6) == Some(&b'\\') && bytes.get(at + 7) == Some(&b'u');
            if !pair {
                return Err(fault(FaultKind::LoneSurrogate, at));
            }
            match hex_unit(bytes, at + 8)? {
                0xDC00..=0xDFFF => Ok(at + 12),
                _ => Err(fault(FaultKind::LoneSurrogate, at)),
            }
        }
        0xDC00..=0xDFFF => Err(fault(FaultKind::LoneSurrogate, at)),
        _ => Ok(at + 6),
    }
}

fn hex_unit(bytes: &[u8], at: usize) -> Result<u32, Fault> {
    let mut unit = 0;
    for place in at..at + 4 {
        let Some(byte) = bytes.get(place) else {
            return Err(fault(FaultKind::UnexpectedEnd, bytes.len()));
        };
        let Some(digit) = char::from(*byte).to_digit(16) else {
            return Err(fault(FaultKind::BadEscape, place));
        };
        unit = unit * 16 + digit;
    }
    Ok(unit)
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
