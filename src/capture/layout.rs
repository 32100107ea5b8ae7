//! The names that objects at one place had so far, in the order they came in.
//!
//! Captures repeat one layout record after record. So the next name is guessed from the record
//! before and checked with one comparison; names that are known to differ need no search for one
//! that stands twice, only a mark each.

use super::digest::words;
use super::plan::Plan;
use super::skip::behind_colon;
use super::token::{skip_whitespace, string_end};

/// Names that are remembered at one place: one bit each.
const NAMES_MAX: usize = 64;

/// What a record's own member is to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// `specversion`
    Specversion,
    /// `id`
    Id,
    /// `source`
    Source,
    /// `type`
    Type,
    /// `event`
    Event,
    /// `order`, `refusal` or `baseline`
    Statement,
    /// `receivedAt`
    ReceivedAt,
    /// `consumer`
    Consumer,
    /// Any other.
    Other,
}

impl Role {
    fn of(name: &[u8]) -> Self {
        match name {
            b"specversion" => Self::Specversion,
            b"id" => Self::Id,
            b"source" => Self::Source,
            b"type" => Self::Type,
            b"event" => Self::Event,
            b"order" | b"refusal" | b"baseline" => Self::Statement,
            b"receivedAt" => Self::ReceivedAt,
            b"consumer" => Self::Consumer,
            _ => Self::Other,
        }
    }
}

/// A known name, ready to be compared with its quotes and its colon.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Its first sixteen bytes in two words, and which of them it has.
    head: [u64; 2],
    mask: [u64; 2],
    /// Its other bytes.
    tail: Box<[u8]>,
    /// Bytes of all of it.
    length: usize,
    /// The name that came after it, when it came last.
    next: usize,
    /// The plan's branch of the member, where it has one.
    pub(super) branch: Option<u32>,
    /// The plan's slot of the member, where somebody asks for its value.
    pub(super) slot: Option<u32>,
    /// What it is to a record.
    pub(super) role: Role,
}

impl Entry {
    #[inline]
    fn is_at(&self, sixteen: [u64; 2], bytes: &[u8], at: usize) -> bool {
        let ([one, two], [mask, other], [head, tail]) = (sixteen, self.mask, self.head);
        let differences = ((one & mask) ^ head) | ((two & other) ^ tail);
        differences == 0 && (self.length <= 16 || self.has_tail_at(bytes, at))
    }

    fn has_tail_at(&self, bytes: &[u8], at: usize) -> bool {
        bytes
            .get(at + 16..)
            .is_some_and(|rest| rest.starts_with(&self.tail))
    }
}

/// Up to sixteen bytes as two words, zeros behind them.
pub(super) fn block(bytes: &[u8]) -> [u64; 2] {
    let mut sixteen = [0; 16];
    for (to, from) in sixteen.iter_mut().zip(bytes) {
        *to = *from;
    }
    words(&sixteen)
}

/// The names at one place of the plan.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    entries: Vec<Entry>,
    first: usize,
    /// The plan's branch whose members these are.
    branch: usize,
}

/// Where the walk over one object is in its layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor {
    seen: u64,
    expected: usize,
    last: Option<usize>,
}

impl Cursor {
    /// Behind the name that was expected; nothing where it came before.
    #[inline]
    fn behind(self, entry: &Entry) -> Option<Self> {
        let bit = 1u64 << (self.expected & (NAMES_MAX - 1));
        (self.seen & bit == 0).then_some(Self {
            seen: self.seen | bit,
            expected: entry.next,
            last: Some(self.expected),
        })
    }
}

impl Layout {
    pub(super) fn new(branch: usize) -> Self {
        Self {
            entries: Vec::new(),
            first: 0,
            branch,
        }
    }

    /// At the start of an object.
    #[inline]
    pub(super) fn cursor(&self) -> Cursor {
        Cursor {
            seen: 0,
            expected: self.first,
            last: None,
        }
    }

    /// The name at a byte with the place behind its colon, where it is the one that is expected.
    #[inline]
    pub(super) fn guess(
        &self,
        cursor: Cursor,
        bytes: &[u8],
        at: usize,
    ) -> Option<(Cursor, &Entry, usize)> {
        let entry = self.entries.get(cursor.expected)?;
        let sixteen = bytes.get(at..)?.first_chunk::<16>()?;
        if !entry.is_at(words(sixteen), bytes, at) {
            return None;
        }
        Some((cursor.behind(entry)?, entry, at + entry.length))
    }

    /// The same, by the entry's index: for whoever may learn another name afterwards.
    fn guessed(&self, cursor: Cursor, bytes: &[u8], at: usize) -> Option<(usize, Cursor)> {
        let (behind, ..) = self.guess(cursor, bytes, at)?;
        Some((cursor.expected, behind))
    }

    /// The name at a byte, or behind whitespace, with the place behind its colon, however it is
    /// spelled and whenever it came; a new one is learned. Nothing where there is none, and where another way of reading
    /// must tell: it stands twice, has an escape, or is one too many.
    #[inline(never)]
    pub(super) fn find(
        &mut self,
        cursor: Cursor,
        bytes: &[u8],
        at: usize,
        plan: &Plan,
        is_unsure: &mut bool,
    ) -> Option<(Cursor, &Entry, usize)> {
        let at = skip_whitespace(bytes, at);
        if bytes.get(at) != Some(&b'"') {
            return None;
        }
        if let Some((index, behind)) = self.guessed(cursor, bytes, at) {
            return self
                .entries
                .get(index)
                .map(|entry| (behind, entry, at + entry.length));
        }
        let (end, is_escaped) = string_end(bytes, at).ok()?;
        let behind = behind_colon(bytes, end)?;
        *is_unsure = true;
        if is_escaped {
            return None;
        }
        let quoted = bytes.get(at..end).unwrap_or_default();
        let index = match self.position(quoted) {
            Some(index) => index,
            None => self.learn(quoted, plan)?,
        };
        match cursor.last.and_then(|last| self.entries.get_mut(last)) {
            Some(before) => before.next = index,
            None => self.first = index,
        }
        let cursor = Cursor {
            expected: index,
            ..cursor
        };
        let entry = self.entries.get(index)?;
        let cursor = cursor.behind(entry)?;
        *is_unsure = false;
        Some((cursor, entry, behind))
    }

    fn position(&self, quoted: &[u8]) -> Option<usize> {
        let length = quoted.len() + 1;
        let mut spelled = [b':'; 16];
        for (to, from) in spelled.iter_mut().zip(quoted) {
            *to = *from;
        }
        let [head, tail] = words(&spelled);
        self.entries.iter().position(|entry| {
            let [mask, other] = entry.mask;
            entry.length == length
                && [head & mask, tail & other] == entry.head
                && (length <= 16
                    || quoted.get(16..) == entry.tail.split_last().map(|(_, tail)| tail))
        })
    }

    fn learn(&mut self, quoted: &[u8], plan: &Plan) -> Option<usize> {
        if self.entries.len() >= NAMES_MAX {
            // Names that never come again must not keep out those that do.
            self.entries.clear();
            return None;
        }
        let name = quoted.get(1..quoted.len() - 1).unwrap_or_default();
        let spelled = [quoted, b":"].concat();
        let (head, tail) = spelled.split_at(spelled.len().min(16));
        let branch = plan.branches().get(self.branch);
        let branch = branch.and_then(|branch| branch.member(name));
        let slot = branch.and_then(|branch| plan.branches().get(branch)?.slot);
        let index = self.entries.len();
        self.entries.push(Entry {
            head: block(head),
            mask: block([0xff; 16].get(..head.len()).unwrap_or_default()),
            tail: tail.into(),
            length: spelled.len(),
            next: index + 1,
            branch: branch.and_then(|branch| u32::try_from(branch).ok()),
            slot: slot.and_then(|slot| u32::try_from(slot).ok()),
            role: Role::of(name),
        });
        Some(index)
    }
}
