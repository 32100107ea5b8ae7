//! One wrapper as its shape sees it, and what a shape may answer.

use std::borrow::Cow;

use bumpalo::Bump;

use super::super::tape::{Doc, NodeKind};
use super::decode;
use super::known::Wrapper;
use crate::model::{Instant, ReasonId};

/// A wrapper that was read: a JSON value, or a text that is none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer<'a, 't> {
    /// The JSON value; of a plain text, without any nodes.
    pub(super) doc: Doc<'a, 't>,
    /// The whole text.
    pub(super) text: &'a str,
    /// Whether it is a JSON value.
    pub(super) is_json: bool,
    /// What is put together lives here.
    pub(super) arena: &'a Bump,
    /// Whether headers, keys and positions are wanted.
    pub(super) facts: bool,
    /// A string of it that was decoded while it was read.
    pub(super) ready: Option<Ready<'a>>,
    /// The wrapper whose names it has, where one is known.
    pub(super) wrapper: Option<&'t Wrapper>,
    /// How many containers it was looked for in, when one is asked whether it holds records.
    pub(super) level: u32,
}

/// A string that is decoded already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ready<'a> {
    /// Its node.
    pub(super) index: usize,
    /// What it stands for.
    pub(super) text: &'a str,
}

/// What is inside a wrapper.
#[derive(Clone, Copy, Debug)]
pub(super) enum Inner<'a> {
    /// A text, which may be a wrapper again.
    Text(&'a str),
    /// Bytes, which may be a text.
    Bytes(&'a [u8]),
    /// A whole CloudEvent, put together from headers and payload.
    Event(&'a str),
    /// Nothing that can be read, for this reason.
    Nothing(ReasonId),
}

impl<'a, 't> Layer<'a, 't> {
    pub(super) fn new(doc: Doc<'a, 't>, arena: &'a Bump, facts: bool) -> Self {
        Self {
            doc,
            text: doc.text(),
            is_json: true,
            arena,
            facts,
            ready: None,
            wrapper: None,
            level: 0,
        }
    }

    pub(super) fn text(text: &'a str, arena: &'a Bump, facts: bool) -> Self {
        Self {
            doc: Doc::new(text, &[]),
            text,
            is_json: false,
            arena,
            facts,
            ready: None,
            wrapper: None,
            level: 0,
        }
    }

    /// A member of the wrapper itself.
    pub(super) fn member(self, name: &str) -> Option<usize> {
        self.doc.member(Doc::ROOT, name)
    }

    /// The members of these names, each in its name's place. Where captures repeat a wrapper, no name
    /// is compared.
    pub(super) fn members<const N: usize>(
        self,
        wanted: &'static [&'static str; N],
    ) -> [Option<usize>; N] {
        let mut found = [None; N];
        let members = self.doc.members(Doc::ROOT);
        if let Some(wrapper) = self.wrapper {
            for (index, (_, value)) in members.enumerate() {
                let place = wrapper.place(wanted, index);
                if let Some(found) = place.and_then(|place| found.get_mut(place)) {
                    *found = Some(value);
                }
            }
            return found;
        }
        for (key, value) in members {
            let Some(key) = self.doc.node(key) else {
                continue;
            };
            for (found, name) in found.iter_mut().zip(wanted) {
                if self.doc.string_is(key, name) {
                    *found = Some(value);
                }
            }
        }
        found
    }

    /// A value by the names that lead to it.
    pub(super) fn at(self, names: &[&str]) -> Option<usize> {
        self.doc.follow(Doc::ROOT, names)
    }

    /// A string, decoded into the arena; nothing for any other value.
    pub(super) fn string(self, index: usize) -> Option<&'a str> {
        let node = self.doc.node(index)?;
        if node.kind != NodeKind::String {
            return None;
        }
        if let Some(ready) = self.ready.filter(|ready| ready.index == index) {
            return Some(ready.text);
        }
        let raw = self.doc.raw_string(node);
        Some(if node.escaped {
            decode::unescape(raw, self.arena)
        } else {
            raw
        })
    }

    /// A member that is a string, decoded.
    pub(super) fn string_at(self, names: &[&str]) -> Option<&'a str> {
        self.string(self.at(names)?)
    }

    /// A string or a number, as text: transports write positions both ways.
    pub(super) fn scalar(self, index: usize) -> Option<Cow<'a, str>> {
        match self.doc.kind(index)? {
            NodeKind::String => self.string(index).map(Cow::Borrowed),
            NodeKind::Number => Some(Cow::Borrowed(self.doc.raw(index))),
            NodeKind::Object
            | NodeKind::Array
            | NodeKind::True
            | NodeKind::False
            | NodeKind::Null => None,
        }
    }

    /// The same by names, only where people's facts are wanted.
    pub(super) fn fact(self, names: &[&str]) -> Option<Cow<'a, str>> {
        if self.facts {
            self.scalar(self.at(names)?)
        } else {
            None
        }
    }

    /// Text or number of the value as it is written, without copying.
    pub(super) fn digits(self, index: usize) -> Option<&'a str> {
        match self.doc.kind(index)? {
            NodeKind::Number => Some(self.doc.raw(index)),
            NodeKind::String => self.string(index),
            NodeKind::Object
            | NodeKind::Array
            | NodeKind::True
            | NodeKind::False
            | NodeKind::Null => None,
        }
    }

    /// A moment: an RFC 3339 text, or a number (also as text) of milliseconds since 1970.
    pub(super) fn millis_or_time(self, index: usize) -> Option<Instant> {
        let text = self.digits(index)?;
        decode::millis(text).or_else(|| Instant::parse(text))
    }

    /// Whether the value is null or absent.
    pub(super) fn is_null(self, index: Option<usize>) -> bool {
        index.is_none_or(|index| self.doc.is(index, NodeKind::Null))
    }

    /// What stands in a member as payload: a string's text, or a value as it is spelled.
    pub(super) fn payload(self, index: usize) -> &'a str {
        self.string(index).unwrap_or_else(|| self.doc.raw(index))
    }
}
