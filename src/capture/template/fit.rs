//! Fits a template to bytes: where a record ends, and what stands where the tokens are.
//!
//! What has no length ends at the text behind its token, on its own line; of several places it is the
//! first one at which the rest fits, best with a payload that looks like JSON. A payload without a
//! length runs over several lines only where it is JSON that does. So a line that fits nothing costs no
//! more than itself.

use super::super::json::{FaultKind, MAX_DEPTH, read_prefix};
use super::super::take::MAX_RECORD_BYTES;
use super::{Template, Token, What};

/// Places that are tried in one record, at most.
const MOST_TRIES: u32 = 64;

/// What kcat writes for a null key and payload (`-Z`), and always for a header without a value.
pub(in crate::capture) const NULL: &[u8] = b"NULL";

/// What a record says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::capture) struct Fields<'a> {
    pub(in crate::capture) topic: Option<&'a [u8]>,
    pub(in crate::capture) partition: Option<&'a [u8]>,
    pub(in crate::capture) offset: Option<&'a [u8]>,
    pub(in crate::capture) time: Option<&'a [u8]>,
    pub(in crate::capture) headers: Option<&'a [u8]>,
    pub(in crate::capture) key: Option<Value<'a>>,
    pub(in crate::capture) payload: Option<Value<'a>>,
    key_length: Option<i64>,
    payload_length: Option<i64>,
}

/// A key or a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::capture) struct Value<'a> {
    pub(in crate::capture) bytes: &'a [u8],
    /// The length that was said of it; −1 of one that is null.
    pub(in crate::capture) length: Option<i64>,
}

/// How a template fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::capture) enum Fit<'a> {
    /// A record.
    Whole {
        fields: Fields<'a>,
        /// Where it ends, without the text that ends every record.
        end: usize,
        /// Where the next one begins.
        next: usize,
    },
    /// More must be read to know.
    More,
    /// There is none here: this part of the template was not found.
    Not { part: usize },
}

impl Template {
    /// The record at the start of some bytes. `ended`: there are no more.
    pub(in crate::capture) fn fit<'a>(&self, bytes: &'a [u8], ended: bool) -> Fit<'a> {
        let mut fitting = Fitting {
            template: self,
            bytes,
            ended,
            tries: MOST_TRIES,
            furthest: 0,
            needs_more: false,
            found: None,
        };
        fitting.from(0, 0, Fields::default());
        match fitting.found {
            _ if fitting.needs_more => Fit::More,
            Some((fields, end, next)) => Fit::Whole { fields, end, next },
            None => Fit::Not {
                part: fitting.furthest,
            },
        }
    }
}

struct Fitting<'t, 'a> {
    template: &'t Template,
    bytes: &'a [u8],
    ended: bool,
    tries: u32,
    /// The last part that was looked for.
    furthest: usize,
    needs_more: bool,
    /// The first way in which all of it fits; a better one takes its place.
    found: Option<(Fields<'a>, usize, usize)>,
}

impl<'a> Fitting<'_, 'a> {
    /// Fits the parts from one on, at a byte. True: nothing better need be looked for.
    fn from(&mut self, mut part: usize, mut at: usize, mut fields: Fields<'a>) -> bool {
        let mut end = at;
        while let Some(next) = self.template.parts.get(part) {
            self.furthest = self.furthest.max(part);
            let is_last = part + 1 == self.template.parts.len();
            at = match &next.what {
                What::Text(text) => {
                    end = at;
                    match self.text(text, at, is_last) {
                        Some(behind) => behind,
                        None => return self.needs_more,
                    }
                }
                What::Token(token) if token.is_number() => match self.number(at) {
                    Some(behind) => {
                        fields.note(*token, self.between(at, behind));
                        behind
                    }
                    None => return self.needs_more,
                },
                What::Token(Token::BinaryLength) => match self.binary(at) {
                    Some(length) => {
                        fields.payload_length = Some(i64::from(length));
                        at + 4
                    }
                    None => return self.needs_more,
                },
                What::Token(token) => match fields.length_of(*token) {
                    Some(length) => return self.sized((part, *token), at, length, fields),
                    None => return self.open((part, *token), at, fields),
                },
            };
            part += 1;
            if !matches!(next.what, What::Text(_)) {
                end = at;
            }
        }
        self.done(fields, end, at)
    }

    /// All parts fit.
    fn done(&mut self, fields: Fields<'a>, end: usize, next: usize) -> bool {
        let is_good = fields.payload.is_none_or(|payload| {
            payload.length.is_some() || looks_whole(payload.bytes) || payload.bytes.is_empty()
        });
        if is_good || self.found.is_none() {
            self.found = Some((fields, end, next));
        }
        is_good
    }

    fn between(&self, from: usize, to: usize) -> &'a [u8] {
        self.bytes.get(from..to).unwrap_or_default()
    }

    /// Where a text ends that stands at a byte; a line end may have a carriage return before it. At the
    /// capture's end the text that ends every record may be missing, or a part of it.
    fn text(&mut self, text: &[u8], at: usize, is_last: bool) -> Option<usize> {
        let mut place = at;
        for byte in text {
            let found = match (self.bytes.get(place), self.bytes.get(place + 1)) {
                (Some(b'\r'), Some(b'\n')) if *byte == b'\n' => {
                    place += 1;
                    Some(b'\n')
                }
                (Some(b'\r'), None) if *byte == b'\n' && !self.ended => None,
                (found, _) => found.copied(),
            };
            match found {
                Some(found) if found == *byte => place += 1,
                None if !self.ended => {
                    self.needs_more = true;
                    return None;
                }
                None if is_last => return Some(self.bytes.len()),
                Some(_) | None => return None,
            }
        }
        Some(place)
    }

    /// Where a whole number ends that stands at a byte.
    fn number(&mut self, at: usize) -> Option<usize> {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let sign = usize::from(rest.first() == Some(&b'-'));
        let digits = rest.iter().skip(sign);
        let digits = digits.take_while(|byte| byte.is_ascii_digit()).count();
        let length = sign + digits;
        self.needs_more |= length == rest.len() && !self.ended;
        (digits > 0 && !self.needs_more).then_some(at + length)
    }

    /// `%R`: highest byte first.
    fn binary(&mut self, at: usize) -> Option<i32> {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let length = rest.first_chunk::<4>().copied();
        self.needs_more |= length.is_none() && !self.ended;
        length.map(i32::from_be_bytes)
    }

    /// A key or a payload whose length was said. Where that is −1 or 0, nothing stands there, or `NULL`.
    fn sized(
        &mut self,
        (part, token): (usize, Token),
        at: usize,
        length: i64,
        fields: Fields<'a>,
    ) -> bool {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let wanted = usize::try_from(length.max(0)).unwrap_or(usize::MAX);
        if wanted > MAX_RECORD_BYTES || length < -1 {
            return false;
        }
        if wanted > rest.len() || wanted == 0 && is_prefix_of_null(rest) {
            self.needs_more |= !self.ended;
        }
        if self.needs_more || wanted > rest.len() {
            return self.needs_more;
        }
        let as_word = (wanted == 0 && rest.starts_with(NULL)).then_some(NULL.len());
        for wanted in as_word.into_iter().chain([wanted]) {
            let bytes = self.between(at, at + wanted);
            let mut fields = fields;
            fields.set(
                token,
                Value {
                    bytes,
                    length: Some(length),
                },
            );
            if self.from(part + 1, at + wanted, fields) {
                return true;
            }
        }
        false
    }

    /// What has no length: it ends at the text behind it.
    fn open(&mut self, (part, token): (usize, Token), at: usize, fields: Fields<'a>) -> bool {
        let template = self.template;
        let Some(What::Text(text)) = template.parts.get(part + 1).map(|next| &next.what) else {
            return false;
        };
        self.furthest = self.furthest.max(part + 1);
        let is_last = part + 2 == template.parts.len();
        let rest = self.bytes.get(at..).unwrap_or_default();
        let line_end = memchr::memchr(b'\n', rest);
        let line = rest.get(..line_end.unwrap_or(rest.len()));
        let line = line.unwrap_or_default();
        let runs_on = token == Token::Payload && !looks_whole(line) && may_run_on(line);
        if token == Token::Payload && (runs_on || !begins_with_end(text)) {
            if let Some(end) = self.json(at) {
                let ends = self.closes((part, token), at, at + end, fields);
                if ends || self.needs_more {
                    return true;
                }
            } else if self.needs_more {
                return true;
            }
        }
        let mut from = 0;
        while self.tries > 0 {
            self.tries -= 1;
            let place = place_of(text, line, from);
            let Some(end) = place.or_else(|| line_end.filter(|_| begins_with_end(text))) else {
                // Only the end of a capture, or the next bytes, can end it.
                self.needs_more |= line_end.is_none() && !self.ended;
                let is_cut = line_end.is_none() && self.ended && is_last;
                let all = at + line.len();
                return is_cut && self.closes((part, token), at, all, fields) || self.needs_more;
            };
            if self.closes((part, token), at, at + end, fields) || self.needs_more {
                return true;
            }
            if place.is_none() {
                return false;
            }
            from = end + 1;
        }
        false
    }

    /// Fits what follows a token that ends at a byte.
    fn closes(
        &mut self,
        (part, token): (usize, Token),
        at: usize,
        end: usize,
        mut fields: Fields<'a>,
    ) -> bool {
        let bytes = self.between(at, end);
        let is_line = self.bytes.get(end) == Some(&b'\n');
        let shorter = bytes.strip_suffix(b"\r").filter(|_| is_line);
        let bytes = shorter.unwrap_or(bytes);
        if token == Token::Topic && !is_topic(bytes) {
            return false;
        }
        fields.set(
            token,
            Value {
                bytes,
                length: None,
            },
        );
        self.from(part + 1, at + bytes.len(), fields)
    }

    /// The length of the JSON object or array that begins at a byte.
    fn json(&mut self, at: usize) -> Option<usize> {
        let rest = self.bytes.get(at..).unwrap_or_default();
        if !matches!(rest.first(), Some(b'{' | b'[')) {
            return None;
        }
        match read_prefix(rest, MAX_DEPTH, &mut Vec::new()) {
            Ok(length) => Some(length),
            Err(fault) => {
                self.needs_more |= fault.kind == FaultKind::UnexpectedEnd && !self.ended;
                None
            }
        }
    }
}

impl<'a> Fields<'a> {
    fn note(&mut self, token: Token, text: &'a [u8]) {
        let length = || std::str::from_utf8(text).ok()?.parse().ok();
        // A length that is no number that can be had is one that cannot be met.
        let length = || length().or(Some(i64::MAX));
        match token {
            Token::Partition => self.partition = Some(text),
            Token::Offset => self.offset = Some(text),
            Token::Time => self.time = Some(text),
            Token::KeyLength => self.key_length = length(),
            Token::PayloadLength => self.payload_length = length(),
            Token::Topic | Token::Key | Token::Headers | Token::Payload | Token::BinaryLength => {}
        }
    }

    fn length_of(&self, token: Token) -> Option<i64> {
        if token == Token::Key {
            self.key_length
        } else {
            self.payload_length.filter(|_| token == Token::Payload)
        }
    }

    fn set(&mut self, token: Token, value: Value<'a>) {
        match token {
            Token::Topic => self.topic = Some(value.bytes),
            Token::Headers => self.headers = Some(value.bytes),
            Token::Key => self.key = Some(value),
            Token::Payload => self.payload = Some(value),
            Token::Partition
            | Token::Offset
            | Token::Time
            | Token::KeyLength
            | Token::PayloadLength
            | Token::BinaryLength => {}
        }
    }
}

impl Value<'_> {
    /// Whether it is null: its length says so, or where none was said, the word for it.
    pub(in crate::capture) fn is_null(self) -> bool {
        match self.length {
            Some(length) => length <= 0,
            None => self.bytes == NULL,
        }
    }
}

/// Kafka's legal characters for topics.
fn is_topic(name: &[u8]) -> bool {
    let is_legal = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
    !name.is_empty() && name.len() <= 249 && name.iter().all(is_legal)
}

/// Where a text stands in a line, from a byte on; of a text with a line end, what is before that.
fn place_of(text: &[u8], line: &[u8], from: usize) -> Option<usize> {
    let own = memchr::memchr(b'\n', text);
    let rest = line.get(from..)?;
    match own {
        None => memchr::memmem::find(rest, text).map(|at| from + at),
        Some(0) => None,
        Some(length) => {
            let own = text.get(..length)?.strip_suffix(b"\r");
            let own = own.or_else(|| text.get(..length))?;
            if own.is_empty() {
                return None;
            }
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let at = line.len().checked_sub(own.len())?;
            (at >= from && line.ends_with(own)).then_some(at)
        }
    }
}

/// Whether nothing of a text stands before its line end.
fn begins_with_end(text: &[u8]) -> bool {
    text.starts_with(b"\n") || text.starts_with(b"\r\n")
}

/// Whether a payload looks like a whole JSON value, or like null.
fn looks_whole(payload: &[u8]) -> bool {
    let payload = payload.trim_ascii();
    payload == NULL
        || matches!(
            (payload.first(), payload.last()),
            (Some(b'{'), Some(b'}')) | (Some(b'['), Some(b']')) | (Some(b'"'), Some(b'"'))
        )
}

/// Whether a payload may go on in the next line.
fn may_run_on(line: &[u8]) -> bool {
    matches!(line.first(), Some(b'{' | b'['))
}

/// Whether these are all the bytes there are, and `NULL` may be on its way.
fn is_prefix_of_null(rest: &[u8]) -> bool {
    rest.len() < NULL.len() && NULL.starts_with(rest)
}

#[cfg(test)]
#[path = "fit_tests.rs"]
mod tests;
