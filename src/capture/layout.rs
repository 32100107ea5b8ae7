//! The names that objects at one place had so far, in the order they came in.
//!
//! Captures repeat one layout record after record. So the next name is guessed from the record
//! before and checked with one comparison; names that are known to differ need no search for one
//! that stands twice, only a mark each.

use super::plan::Plan;
use super::token::string_end;

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

/// A member's name, found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    /// Behind the name's closing quote.
    pub(super) end: usize,
    /// The plan's branch of the member, where it has one.
    pub(super) branch: Option<usize>,
    /// What it is to a record.
    pub(super) role: Role,
}

/// Why a name was not found.
pub(super) enum Missed {
    /// The text is no JSON.
    Fault,
    /// It stands twice, has an escape, or is one too many: another way of reading must tell.
    Unsure,
}

/// A name with the quote that closes it, ready to be compared.
#[derive(Clone, Debug)]
struct Entry {
    /// Its first sixteen bytes, and which of them it has.
    head: u128,
    mask: u128,
    /// Its other bytes.
    tail: Box<[u8]>,
    length: usize,
    branch: Option<usize>,
    role: Role,
    /// The name that came after it, when it came last.
    next: usize,
}

impl Entry {
    #[inline]
    fn is_at(&self, bytes: &[u8], at: usize, block: u128) -> bool {
        block & self.mask == self.head && (self.tail.is_empty() || self.has_tail_at(bytes, at))
    }

    fn has_tail_at(&self, bytes: &[u8], at: usize) -> bool {
        bytes
            .get(at + 16..)
            .is_some_and(|rest| rest.starts_with(&self.tail))
    }
}

/// The sixteen bytes from `at` on, zeros behind the text's end.
#[inline]
fn block(bytes: &[u8], at: usize) -> u128 {
    let rest = bytes.get(at..).unwrap_or_default();
    match rest.first_chunk::<16>() {
        Some(sixteen) => u128::from_le_bytes(*sixteen),
        None => short_block(rest),
    }
}

#[cold]
fn short_block(rest: &[u8]) -> u128 {
    let mut sixteen = [0; 16];
    for (to, from) in sixteen.iter_mut().zip(rest) {
        *to = *from;
    }
    u128::from_le_bytes(sixteen)
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

    /// Reads the name that begins at a quote.
    #[inline]
    pub(super) fn name(
        &mut self,
        cursor: &mut Cursor,
        bytes: &[u8],
        quote: usize,
        plan: &Plan,
    ) -> Result<Named, Missed> {
        let at = quote + 1;
        let block = block(bytes, at);
        let guessed = self.entries.get(cursor.expected);
        let index = match guessed.filter(|entry| entry.is_at(bytes, at, block)) {
            Some(_) => cursor.expected,
            None => self.search(cursor, bytes, quote, plan)?,
        };
        let bit = 1u64 << (index & (NAMES_MAX - 1));
        let entry = self.entries.get(index).ok_or(Missed::Unsure)?;
        if cursor.seen & bit != 0 {
            return Err(Missed::Unsure);
        }
        cursor.seen |= bit;
        cursor.expected = entry.next;
        cursor.last = Some(index);
        Ok(Named {
            end: at + entry.length,
            branch: entry.branch,
            role: entry.role,
        })
    }

    /// Finds a name that was not the guessed one, or learns it.
    #[inline(never)]
    fn search(
        &mut self,
        cursor: &Cursor,
        bytes: &[u8],
        quote: usize,
        plan: &Plan,
    ) -> Result<usize, Missed> {
        let at = quote + 1;
        let block = block(bytes, at);
        let known = self
            .entries
            .iter()
            .position(|entry| entry.is_at(bytes, at, block));
        let index = match known {
            Some(index) => index,
            None => self.learn(bytes, quote, plan)?,
        };
        let before = cursor.last.and_then(|last| self.entries.get_mut(last));
        match before {
            Some(before) => before.next = index,
            None => self.first = index,
        }
        Ok(index)
    }

    fn learn(&mut self, bytes: &[u8], quote: usize, plan: &Plan) -> Result<usize, Missed> {
        let (end, escaped) = string_end(bytes, quote).map_err(|_| Missed::Fault)?;
        if escaped {
            return Err(Missed::Unsure);
        }
        if self.entries.len() >= NAMES_MAX {
            // Names that never come again must not keep out those that do.
            self.entries.clear();
            return Err(Missed::Unsure);
        }
        let spelled = bytes.get(quote + 1..end).unwrap_or_default();
        let name = spelled.split_last().map_or(spelled, |(_, name)| name);
        let (head, tail) = spelled.split_at(spelled.len().min(16));
        let branch = plan.branches().get(self.branch);
        let index = self.entries.len();
        self.entries.push(Entry {
            head: short_block(head),
            mask: short_block([0xff; 16].get(..head.len()).unwrap_or_default()),
            tail: tail.into(),
            length: spelled.len(),
            branch: branch.and_then(|branch| branch.member(name)),
            role: Role::of(name),
            next: index + 1,
        });
        Ok(index)
    }
}
