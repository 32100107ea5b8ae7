//! The names that wrappers had, in their order, with what follows from names alone.
//!
//! Captures repeat one wrapper record after record. Names that are the same as before, one by one,
//! need no lookup, no search for one that stands twice, and no look through all shapes: only those
//! that names allow are asked about the values. What is remembered is what a lookup would give, so
//! the answer never depends on what was read before.

use super::super::tape::Doc;
use super::registry::{Candidates, Registry};

/// Wrappers that are remembered: a capture may have layers of several kinds, and mix them.
const REMEMBERED: usize = 4;

/// Names that are remembered of one wrapper: those with more are data.
const MOST_NAMES: usize = 32;

/// The wrappers that were seen last.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    wrappers: [Wrapper; REMEMBERED],
    /// The one that was seen last, and the one that is forgotten next.
    last: usize,
    next: usize,
}

#[derive(Clone, Debug, Default)]
struct Wrapper {
    /// All names in one; none where nothing is remembered.
    names: Vec<u8>,
    lengths: Vec<usize>,
    candidates: Candidates,
}

impl Wrapper {
    /// Whether these are an object's names, each as it is spelled and in this order.
    fn is(&self, doc: Doc<'_, '_>) -> bool {
        let mut names = self.names.as_slice();
        let mut lengths = self.lengths.iter();
        for (key, _) in doc.members(Doc::ROOT) {
            let (Some(node), Some(length)) = (doc.node(key), lengths.next()) else {
                return false;
            };
            let Some((name, rest)) = names.split_at_checked(*length) else {
                return false;
            };
            if node.escaped || doc.string_bytes(node) != name {
                return false;
            }
            names = rest;
        }
        lengths.next().is_none() && !self.lengths.is_empty()
    }

    fn learn(&mut self, doc: Doc<'_, '_>, registry: &Registry) {
        self.names.clear();
        self.lengths.clear();
        registry.candidates(doc, &mut self.candidates);
        let mut members = doc.members(Doc::ROOT).map(|(key, _)| doc.node(key));
        let is_short = members.clone().take(MOST_NAMES + 1).count() <= MOST_NAMES;
        let is_plain = members.all(|name| name.is_some_and(|name| !name.escaped));
        if !is_short || !is_plain {
            return;
        }
        let names = doc.members(Doc::ROOT).filter_map(|(key, _)| doc.node(key));
        for name in names.map(|name| doc.string_bytes(name)) {
            self.names.extend_from_slice(name);
            self.lengths.push(name.len());
        }
    }
}

impl Known {
    /// What an object's names say, where they are those of one that is remembered: then none of them
    /// stands twice.
    pub(super) fn recall(&mut self, doc: Doc<'_, '_>) -> Option<&Candidates> {
        let is_last = self.wrappers.get(self.last)?.is(doc);
        if !is_last {
            self.last = self.wrappers.iter().position(|wrapper| wrapper.is(doc))?;
        }
        self.wrappers
            .get(self.last)
            .map(|wrapper| &wrapper.candidates)
    }

    /// The same of an object none of whose names stands twice; it is remembered from now on.
    pub(super) fn learn(&mut self, doc: Doc<'_, '_>, registry: &Registry) -> Option<&Candidates> {
        self.last = self.next;
        self.next = (self.next + 1) % REMEMBERED;
        let wrapper = self.wrappers.get_mut(self.last)?;
        wrapper.learn(doc, registry);
        Some(&wrapper.candidates)
    }
}
