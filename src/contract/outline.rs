//! Where everything stands in a contract's text: one strict walk (RFC 8259) that also finds members
//! standing twice. serde knows what is wrong with a member, but not where its place is once parsed.

use super::error::{ContractError, DEPTH_MAX, Problem};
use super::pointer::encode;
use std::collections::HashSet;

/// A JSON text with the place of each of its values.
pub(crate) struct Outline<'t> {
    text: &'t str,
    root: Node,
}

struct Node {
    start: usize,
    inside: Inside,
}

enum Inside {
    Object(Vec<Member>),
    Array(Vec<Node>),
    Leaf,
}

struct Member {
    name: String,
    start: usize,
    value: Node,
}

/// Which end of a member an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Its name: the member should not be there.
    Name,
    /// Its value.
    Value,
}

impl<'t> Outline<'t> {
    /// Walks the whole text. Errors: not JSON, nested too deep, a member twice.
    pub(crate) fn parse(text: &'t str) -> Result<Self, ContractError> {
        let mut walk = Walk {
            text,
            at: 0,
            path: String::new(),
            depth: 0,
        };
        walk.skip_space();
        if walk.peek().is_none() {
            return Err(walk.error(walk.at, Problem::Empty));
        }
        let root = walk.value()?;
        walk.skip_space();
        if walk.peek().is_some() {
            return Err(walk.malformed("something follows the contract"));
        }
        Ok(Self { text, root })
    }

    /// An error at a member, by its segments. A segment that the text does not have ends the way
    /// there: the place is then the value reached so far.
    pub(crate) fn error(&self, segments: &[String], side: Side, problem: Problem) -> ContractError {
        let mut node = &self.root;
        let mut place = node.start;
        for segment in segments {
            let next = match &node.inside {
                Inside::Object(members) => members
                    .iter()
                    .find(|member| member.name == *segment)
                    .map(|member| (member.start, &member.value)),
                Inside::Array(items) => segment
                    .parse::<usize>()
                    .ok()
                    .and_then(|index| items.get(index))
                    .map(|item| (item.start, item)),
                Inside::Leaf => None,
            };
            let Some((name_start, value)) = next else {
                break;
            };
            node = value;
            place = match side {
                Side::Name => name_start,
                Side::Value => value.start,
            };
        }
        let path = segments.iter().fold(String::new(), |path, segment| {
            format!("{path}/{}", encode(segment))
        });
        at_offset(self.text, place, path, problem)
    }
}

/// An error at a byte offset of the text.
pub(crate) fn at_offset(
    text: &str,
    offset: usize,
    path: String,
    problem: Problem,
) -> ContractError {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    ContractError {
        line: before.matches('\n').count() + 1,
        column: before.get(line_start..).unwrap_or("").chars().count() + 1,
        path,
        problem,
    }
}

struct Walk<'t> {
    text: &'t str,
    at: usize,
    path: String,
    depth: usize,
}

impl Walk<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_while(&mut self, accept: impl Fn(u8) -> bool) -> usize {
        let from = self.at;
        while self.peek().is_some_and(&accept) {
            self.at += 1;
        }
        self.at - from
    }

    fn skip_space(&mut self) {
        self.skip_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'));
    }

    fn take(&mut self, byte: u8) -> bool {
        let here = self.peek() == Some(byte);
        self.at += usize::from(here);
        here
    }

    fn error(&self, offset: usize, problem: Problem) -> ContractError {
        at_offset(self.text, offset, self.path.clone(), problem)
    }

    fn malformed(&self, message: &'static str) -> ContractError {
        self.error(self.at, Problem::Malformed(message))
    }

    fn value(&mut self) -> Result<Node, ContractError> {
        let start = self.at;
        let inside = match self.peek() {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::array)?,
            Some(b'"') => {
                self.string()?;
                Inside::Leaf
            }
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true")?,
            Some(b'f') => self.word("false")?,
            Some(b'n') => self.word("null")?,
            _ => return Err(self.malformed("a value is expected here")),
        };
        Ok(Node { start, inside })
    }

    fn nested(
        &mut self,
        inner: fn(&mut Self) -> Result<Inside, ContractError>,
    ) -> Result<Inside, ContractError> {
        if self.depth == DEPTH_MAX {
            return Err(self.error(self.at, Problem::TooDeep));
        }
        self.depth += 1;
        let length = self.path.len();
        let inside = inner(self)?;
        self.path.truncate(length);
        self.depth -= 1;
        Ok(inside)
    }

    fn object(&mut self) -> Result<Inside, ContractError> {
        let parent = self.path.len();
        let mut members = Vec::new();
        let mut names = HashSet::new();
        self.take(b'{');
        self.skip_space();
        while !self.take(b'}') {
            if !members.is_empty() {
                self.comma("a comma or } is expected here")?;
            }
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.malformed("a member's name in double quotes is expected here"));
            }
            let name = self.string()?;
            self.path.truncate(parent);
            self.path.push('/');
            self.path.push_str(&encode(&name));
            if !names.insert(name.clone()) {
                return Err(self.error(start, Problem::DuplicateMember(name)));
            }
            self.skip_space();
            if !self.take(b':') {
                return Err(self.malformed("a colon is expected here"));
            }
            self.skip_space();
            let value = self.value()?;
            members.push(Member { name, start, value });
            self.path.truncate(parent);
            self.skip_space();
        }
        Ok(Inside::Object(members))
    }

    fn array(&mut self) -> Result<Inside, ContractError> {
        let parent = self.path.len();
        let mut items = Vec::new();
        self.take(b'[');
        self.skip_space();
        while !self.take(b']') {
            if !items.is_empty() {
                self.comma("a comma or ] is expected here")?;
            }
            self.path.push('/');
            self.path.push_str(&items.len().to_string());
            items.push(self.value()?);
            self.path.truncate(parent);
            self.skip_space();
        }
        Ok(Inside::Array(items))
    }

    fn comma(&mut self, otherwise: &'static str) -> Result<(), ContractError> {
        if !self.take(b',') {
            return Err(self.malformed(otherwise));
        }
        self.skip_space();
        Ok(())
    }

    /// A string, decoded; serde_json judges its escapes, so that both agree.
    fn string(&mut self) -> Result<String, ContractError> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                None => return Err(self.error(start, Problem::Malformed("a string has no end"))),
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(0..0x20) => {
                    return Err(self.malformed("a control character in a string must be escaped"));
                }
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        let written = self.text.get(start..self.at).unwrap_or("");
        serde_json::from_str(written).map_err(|_| {
            let message = "a string has a bad escape or half of a surrogate pair";
            self.error(start, Problem::Malformed(message))
        })
    }

    fn number(&mut self) -> Result<Inside, ContractError> {
        let digit = |b: u8| b.is_ascii_digit();
        let start = self.at;
        self.take(b'-');
        let mut well_formed = self.take(b'0') || self.skip_while(digit) > 0;
        if self.take(b'.') {
            well_formed &= self.skip_while(digit) > 0;
        }
        if self.take(b'e') || self.take(b'E') {
            let _sign = self.take(b'+') || self.take(b'-');
            well_formed &= self.skip_while(digit) > 0;
        }
        let ends = !self.peek().is_some_and(|b| b.is_ascii_alphanumeric());
        if well_formed && ends {
            return Ok(Inside::Leaf);
        }
        Err(self.error(
            start,
            Problem::Malformed("not a number as JSON writes them"),
        ))
    }

    fn word(&mut self, word: &str) -> Result<Inside, ContractError> {
        let rest = self.text.get(self.at..).unwrap_or("");
        if !rest.starts_with(word) {
            return Err(self.malformed("a value is expected here"));
        }
        self.at += word.len();
        Ok(Inside::Leaf)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::super::test_support::shared;
    use super::*;

    fn refused(text: &str) -> ContractError {
        Outline::parse(text).err().unwrap()
    }

    #[test]
    fn places_are_lines_and_columns_in_characters() {
        let text = "{\n  \"ё\": [1,\n  {\"a/b\": true}]\n}";
        let outline = Outline::parse(text).unwrap();
        let segments = ["ё", "1", "a/b"].map(str::to_owned);
        let value = outline.error(&segments, Side::Value, Problem::EmptyText);
        assert_eq!((value.line, value.column), (3, 11));
        assert_eq!(value.path, "/ё/1/a~1b");
        let name = outline.error(&segments, Side::Name, Problem::EmptyText);
        assert_eq!((name.line, name.column), (3, 4));
        let short = ["ё", "7"].map(str::to_owned);
        let container = outline.error(&short, Side::Value, Problem::EmptyText);
        assert_eq!((container.line, container.column), (2, 8));
    }

    #[test]
    fn a_member_twice_is_told_at_the_second_one_however_it_is_spelled() {
        let error = refused("{\"a\": {\"x\": 1,\n\"\\u0078\": 2}}");
        assert_eq!((error.line, error.column), (2, 1));
        assert_eq!(error.path, "/a/x");
        assert_eq!(error.problem, Problem::DuplicateMember("x".to_owned()));
    }

    #[test]
    fn depth_is_limited_without_a_deep_stack() {
        let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(Outline::parse(&deep(DEPTH_MAX)).is_ok());
        assert_eq!(refused(&deep(DEPTH_MAX + 1)).problem, Problem::TooDeep);
        assert_eq!(refused(&"[".repeat(500_000)).problem, Problem::TooDeep);
    }

    #[test]
    fn a_text_that_ends_early_is_malformed() {
        let whole = "{\"a\": [1, -2.5e+3, \"\\\"\\\\\"], \"b\": null}";
        assert!(Outline::parse(whole).is_ok());
        for cut in 1..whole.len() {
            let error = refused(whole.get(..cut).unwrap());
            assert!(matches!(error.problem, Problem::Malformed(_)), "{cut}");
        }
        assert_eq!(refused(" \n ").problem, Problem::Empty);
    }

    #[test]
    fn agrees_with_the_json_test_suite() {
        let Some(folder) = shared("hostile/jsontestsuite/test_parsing") else {
            return;
        };
        let mut seen = 0;
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let bytes = std::fs::read(&path).unwrap();
            let Ok(text) = String::from_utf8(bytes) else {
                assert!(!name.starts_with("y_"), "{name}");
                continue;
            };
            let outcome = Outline::parse(&text)
                .map(|_| ())
                .map_err(|error| error.problem);
            let twice = matches!(outcome, Err(Problem::DuplicateMember(_)));
            match name.get(..2) {
                Some("y_") => assert!(outcome.is_ok() || twice, "{name}: {outcome:?}"),
                Some("n_") => assert!(outcome.is_err() && !twice, "{name}"),
                _ => {}
            }
            seen += 1;
        }
        assert!(seen > 200);
    }
}
