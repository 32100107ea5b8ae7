//! The names that wrappers had, in their order, with what follows from names alone.
//!
//! Captures repeat one wrapper record after record. Names that are the same as before, one by one,
//! need no lookup, no search for one that stands twice, and no look through all shapes: only those
//! that names allow are asked about the values. What is remembered is what a lookup would give, so
//! the answer never depends on what was read before.

use std::cell::Cell;

use super::super::digest::words;
use super::super::layout::block;
use super::super::tape::Doc;
use super::plain::Plain;
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

/// One wrapper's names, and what they say.
#[derive(Clone, Debug, Default)]
pub(super) struct Wrapper {
    /// Nothing where nothing is remembered.
    names: Vec<Name>,
    candidates: Candidates,
    /// The quick way through it, where its shape has one.
    plain: Option<&'static Plain>,
    /// The list of names that was asked for last, by its address and length: it never changes.
    asked: Cell<(usize, usize)>,
    /// For each name, which of that list it is, counted from 1.
    places: [Cell<u8>; MOST_NAMES],
}

/// A list of names that a shape asks for, as it lies in the program.
pub(super) type Wanted = &'static [&'static str];

/// A name with its quotes, ready to be compared.
#[derive(Clone, Debug)]
pub(super) struct Name {
    /// Its first sixteen bytes in two words, and which of them it has.
    head: [u64; 2],
    mask: [u64; 2],
    /// Its other bytes.
    tail: Box<[u8]>,
    length: usize,
    /// All of it, without its quotes.
    text: Box<[u8]>,
}

impl Name {
    fn new(quoted: &[u8]) -> Self {
        let (head, tail) = quoted.split_at(quoted.len().min(16));
        Self {
            head: block(head),
            mask: block([0xff; 16].get(..head.len()).unwrap_or_default()),
            tail: tail.into(),
            length: quoted.len(),
            text: quoted.get(1..quoted.len() - 1).unwrap_or_default().into(),
        }
    }

    /// Where it ends, if it is what stands at a byte.
    #[inline]
    pub(super) fn end_at(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let rest = bytes.get(at..)?;
        let [one, two] = match rest.first_chunk::<16>() {
            Some(sixteen) => words(sixteen),
            None => block(rest),
        };
        let ([head, tail], [mask, other]) = (self.head, self.mask);
        let is_it = ((one & mask) ^ head) | ((two & other) ^ tail) == 0
            && (self.length <= 16 || rest.get(16..)?.starts_with(&self.tail));
        is_it.then_some(at + self.length)
    }
}

impl Wrapper {
    /// Its names, in order.
    pub(super) fn names(&self) -> &[Name] {
        &self.names
    }

    /// Whether it is remembered with all its names.
    pub(super) fn is_whole(&self) -> bool {
        !self.names.is_empty()
    }

    /// What they say; none of them stands twice.
    pub(super) fn candidates(&self) -> &Candidates {
        &self.candidates
    }

    /// The quick way through it.
    pub(super) fn plain(&self) -> Option<&'static Plain> {
        self.plain
    }

    /// Which of a list one of its names is.
    #[inline]
    pub(super) fn place(&self, wanted: Wanted, name: usize) -> Option<usize> {
        if self.asked.get() != (wanted.as_ptr().addr(), wanted.len()) {
            self.ask(wanted);
        }
        let place = self.places.get(name)?.get();
        usize::from(place).checked_sub(1)
    }

    /// Looks for the names of a list. No shape asks for more than 255.
    #[cold]
    fn ask(&self, wanted: Wanted) {
        self.asked.set((wanted.as_ptr().addr(), wanted.len()));
        let names = self.names.iter().map(Some).chain(std::iter::repeat(None));
        for (place, name) in self.places.iter().zip(names) {
            let is_it = |wanted: &&str| name.is_some_and(|name| wanted.as_bytes() == &*name.text);
            let index = wanted.iter().position(is_it);
            let counted = index.and_then(|index| u8::try_from(index + 1).ok());
            place.set(counted.unwrap_or(0));
        }
    }

    /// Whether these are an object's names, each as it is spelled and in this order.
    fn is(&self, doc: Doc<'_, '_>) -> bool {
        let bytes = doc.text().as_bytes();
        let mut names = self.names.iter();
        for (key, _) in doc.members(Doc::ROOT) {
            let (Some(node), Some(name)) = (doc.node(key), names.next()) else {
                return false;
            };
            if name.end_at(bytes, node.start as usize) != Some(node.end as usize) {
                return false;
            }
        }
        names.next().is_none() && !self.names.is_empty()
    }

    fn learn(&mut self, doc: Doc<'_, '_>, list: &Registry) {
        list.candidates(doc, &mut self.candidates);
        self.plain = list.plain(&self.candidates);
        self.asked.take();
        self.names.clear();
        for (key, _) in doc.members(Doc::ROOT) {
            let name = doc.node(key).filter(|name| !name.escaped);
            let Some(name) = name.filter(|_| self.names.len() < MOST_NAMES) else {
                self.names.clear();
                return;
            };
            let range = name.start as usize..name.end as usize;
            let quoted = doc.text().as_bytes().get(range);
            self.names.push(Name::new(quoted.unwrap_or_default()));
        }
    }
}

impl Known {
    /// The wrapper that an object may be whose first name is at a byte.
    #[inline]
    pub(super) fn expected(&self, bytes: &[u8], at: usize) -> Option<(usize, &Wrapper)> {
        let begins = |wrapper: &Wrapper| {
            let first = wrapper.names.first();
            first.is_some_and(|first| first.end_at(bytes, at).is_some())
        };
        let last = self.wrappers.get(self.last)?;
        if begins(last) {
            return Some((self.last, last));
        }
        let mut wrappers = self.wrappers.iter().enumerate();
        wrappers.find(|(_, wrapper)| begins(wrapper))
    }

    /// The wrapper that an object is, where it is one that is remembered; which one that is, if that is
    /// known.
    pub(super) fn recall(&mut self, doc: Doc<'_, '_>, is: Option<usize>) -> Option<&Wrapper> {
        let mut wrappers = self.wrappers.iter();
        self.last = is.or_else(|| wrappers.position(|wrapper| wrapper.is(doc)))?;
        self.wrappers.get(self.last)
    }

    /// The same of an object none of whose names stands twice; it is remembered from now on.
    pub(super) fn learn(&mut self, doc: Doc<'_, '_>, list: &Registry) -> Option<&Wrapper> {
        self.last = self.next;
        self.next = (self.next + 1) % REMEMBERED;
        let wrapper = self.wrappers.get_mut(self.last)?;
        wrapper.learn(doc, list);
        Some(wrapper)
    }

    /// The wrapper that was recalled or learned last.
    pub(super) fn last(&self) -> Option<&Wrapper> {
        self.wrappers.get(self.last)
    }
}
