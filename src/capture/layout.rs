//! The names that objects at one place had so far, in the order they came in.
//!
//! Captures repeat one layout record after record. So the next name is guessed from the record
//! before and checked with one comparison; names that are known to differ need no search for one
//! that stands twice, only a mark each.

use super::json::Fault;
use super::plan::Plan;
use super::skip::behind_colon;
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

/// Why a name was not found.
pub(super) enum Missed {
    /// The text is no JSON.
    Fault,
    /// It stands twice, has an escape, or is one too many: another way of reading must tell.
    Unsure,
}

impl From<Fault> for Missed {
    fn from(_: Fault) -> Self {
        Self::Fault
    }
}

/// A known name, ready to be compared with its quotes and its colon.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Its first sixteen bytes, and which of them it has.
    head: u128,
    mask: u128,
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
    fn is_at(&self, block: u128, bytes: &[u8], at: usize) -> bool {
        block & self.mask == self.head && (self.length <= 16 || self.has_tail_at(bytes, at))
    }

    fn has_tail_at(&self, bytes: &[u8], at: usize) -> bool {
        bytes
            .get(at + 16..)
            .is_some_and(|rest| rest.starts_with(&self.tail))
    }
}

/// Up to sixteen bytes as a number, zeros behind them.
fn block(bytes: &[u8]) -> u128 {
    let mut sixteen = [0; 16];
    for (to, from) in sixteen.iter_mut().zip(bytes) {
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

    /// The name at a byte with the place behind its colon, where it is the one that is expected.
    #[inline]
    pub(super) fn guess(
        &self,
        cursor: &mut Cursor,
        bytes: &[u8],
        at: usize,
    ) -> Option<(&Entry, usize)> {
        let index = cursor.expected;
        let entry = self.entries.get(index)?;
        let sixteen = bytes.get(at..)?.first_chunk::<16>()?;
        let is_known = entry.is_at(u128::from_le_bytes(*sixteen), bytes, at);
        let bit = 1u64 << (index & (NAMES_MAX - 1));
        if !is_known || cursor.seen & bit != 0 {
            return None;
        }
        cursor.seen |= bit;
        cursor.expected = entry.next;
        cursor.last = Some(index);
        Some((entry, at + entry.length))
    }

    /// The name at a byte with the place behind its colon, however it is spelled and whenever it
    /// came; a new one is learned.
    #[inline(never)]
    pub(super) fn find(
        &mut self,
        cursor: &mut Cursor,
        bytes: &[u8],
        at: usize,
        plan: &Plan,
    ) -> Result<(&Entry, usize), Missed> {
        if bytes.get(at) != Some(&b'"') {
            return Err(Missed::Fault);
        }
        let (end, is_escaped) = string_end(bytes, at)?;
        let behind = behind_colon(bytes, end)?;
        if is_escaped {
            return Err(Missed::Unsure);
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
        let bit = 1u64 << (index & (NAMES_MAX - 1));
        let entry = self.entries.get(index).ok_or(Missed::Unsure)?;
        if cursor.seen & bit != 0 {
            return Err(Missed::Unsure);
        }
        cursor.seen |= bit;
        cursor.expected = entry.next;
        cursor.last = Some(index);
        Ok((entry, behind))
    }

    fn position(&self, quoted: &[u8]) -> Option<usize> {
        let length = quoted.len() + 1;
        let mut spelled = [b':'; 16];
        for (to, from) in spelled.iter_mut().zip(quoted) {
            *to = *from;
        }
        let head = u128::from_le_bytes(spelled);
        self.entries.iter().position(|entry| {
            entry.length == length
                && head & entry.mask == entry.head
                && (length <= 16
                    || quoted.get(16..) == entry.tail.split_last().map(|(_, tail)| tail))
        })
    }

    fn learn(&mut self, quoted: &[u8], plan: &Plan) -> Result<usize, Missed> {
        if self.entries.len() >= NAMES_MAX {
            // Names that never come again must not keep out those that do.
            self.entries.clear();
            return Err(Missed::Unsure);
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
        Ok(index)
    }
}
