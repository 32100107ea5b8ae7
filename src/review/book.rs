//! The marks of a case, folded from its entries: what is marked now, by whom, and what it closes.
//!
//! Pure: no file and no clock. A screen holds a clone of it and asks; what it asks to change goes
//! through [`Case`](super::case::Case), which saves it first.

use std::collections::BTreeMap;

use crate::model::{RecordNo, State};

use super::anchor::{Anchor, AnchorKey, Disposition, MissingAnchor};
use super::entry::{Act, Basis, Entry, EntryError, EntryNo, Signature, check};

/// A mark that has not been taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The entry that made it.
    pub entry: EntryNo,
    /// What is marked.
    pub anchor: Anchor,
    /// What was decided.
    pub disposition: Disposition,
    /// Why; any text, not yet safe to show.
    pub note: String,
    /// Who; any text, not yet safe to show.
    pub operator: String,
    /// When (RFC 3339, UTC).
    pub time: String,
    /// What it was made under, where that is known by now.
    pub basis: Option<Basis>,
    /// How what it is about differs from what is read now.
    pub stale: Stale,
}

/// How a mark's capture and contract differ from those that are read now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stale {
    /// Another capture, or the same one with other content.
    pub capture_differs: bool,
    /// Another contract.
    pub contract_differs: bool,
    /// Whether other bytes stand at the mark's place; `None` where nobody looked.
    pub bytes_differ: Option<bool>,
    /// Whether nobody knows yet: the mark comes from a file, and what is read now is not read whole.
    pub is_unknown: bool,
}

impl Stale {
    /// Whether the mark must be shown as stale.
    pub fn is_stale(self) -> bool {
        self.capture_differs || self.contract_differs || self.bytes_differ == Some(true)
    }
}

impl Mark {
    /// Whether the mark closes a step that came to this. It does so only where it was made on the
    /// same outcome and the same bytes: an explanation of one thing does not close another.
    pub fn closes(&self, state: State, reason: Option<&str>) -> bool {
        let Anchor::Record(anchor) = &self.anchor else {
            return false;
        };
        let has_same_bytes = match self.stale.bytes_differ {
            Some(differ) => !differ,
            None => !self.stale.capture_differs && !self.stale.is_unknown,
        };
        self.disposition.closes()
            && has_same_bytes
            && anchor.state == state
            && anchor.reason.as_deref() == reason
    }
}

/// Characters of a note that are enough to know it by.
const NOTE_BEGINS: usize = 40;

/// What was marked, how, and how the note begins: `r4 explained, "one payment, tw..."`. Not yet safe
/// to show.
impl std::fmt::Display for Mark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.anchor, self.disposition.label())?;
        if self.note.is_empty() {
            return Ok(());
        }
        let begins: String = self.note.chars().take(NOTE_BEGINS).collect();
        let more = if begins.len() < self.note.len() {
            "..."
        } else {
            ""
        };
        write!(f, ", \"{begins}{more}\"")
    }
}

/// The marks of a case.
#[derive(Clone, Debug, Default)]
pub struct CaseBook {
    entries: Vec<Entry>,
    last: EntryNo,
    marks: BTreeMap<EntryNo, Mark>,
    /// Marks of one piece of evidence, the latest last.
    by_key: BTreeMap<AnchorKey, Vec<EntryNo>>,
    session_after: EntryNo,
    saved_through: EntryNo,
    is_closed: bool,
}

impl CaseBook {
    /// Every entry that we know, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What is marked now, one mark for each piece of evidence, in the order they were made.
    pub fn marks(&self) -> impl Iterator<Item = &Mark> {
        self.marks
            .values()
            .filter(|mark| self.is_current(mark.entry, &mark.anchor.key()))
    }

    /// The mark that counts for a record, or for its replay.
    pub fn mark_of(&self, record: RecordNo, replay: bool) -> Option<&Mark> {
        self.current(&AnchorKey::Record { record, replay })
    }

    /// The mark that counts for a version that an aggregate waits for.
    pub fn mark_of_missing(&self, missing: &MissingAnchor) -> Option<&Mark> {
        self.current(&AnchorKey::Missing(missing.clone()))
    }

    /// The mark that counts for a piece of evidence.
    pub fn current(&self, key: &AnchorKey) -> Option<&Mark> {
        let entry = self.by_key.get(key)?.last()?;
        self.marks.get(entry)
    }

    /// Whether a step of this record is closed by a mark, given what it came to.
    pub fn closes(
        &self,
        record: RecordNo,
        replay: bool,
        state: State,
        reason: Option<&str>,
    ) -> bool {
        self.mark_of(record, replay)
            .is_some_and(|mark| mark.closes(state, reason))
    }

    /// The comments on a piece of evidence, in order.
    pub fn comments(&self, key: &AnchorKey) -> impl Iterator<Item = &Entry> {
        self.entries
            .iter()
            .filter(move |entry| matches!(entry.act, Act::Comment { .. }))
            .filter(move |entry| entry.anchor.key() == *key)
    }

    /// Whether the case was closed, and nothing was marked or taken back since.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Whether an entry is on the disk, and stays there.
    pub fn is_saved(&self, entry: EntryNo) -> bool {
        entry <= self.saved_through
    }

    /// How many marks are stale.
    pub fn stale_count(&self) -> usize {
        self.marks().filter(|mark| mark.stale.is_stale()).count()
    }

    /// Whether an entry was made since the case was opened.
    pub fn is_of_session(&self, entry: EntryNo) -> bool {
        entry > self.session_after
    }

    /// The mark that an undo would take back: the last of this session, or else the last of this
    /// operator. Never another person's from an earlier session.
    pub fn undo_target(&self, operator: &str) -> Option<&Mark> {
        let of_session = self.marks.values().next_back();
        of_session
            .filter(|mark| self.is_of_session(mark.entry))
            .or_else(|| {
                let mut latest_first = self.marks.values().rev();
                latest_first.find(|mark| mark.operator == operator)
            })
    }

    /// Makes the entry that comes next, checked but not yet taken in.
    pub fn draft(
        &self,
        anchor: Anchor,
        act: Act,
        signature: Signature<'_>,
    ) -> Result<Entry, EntryError> {
        check(&anchor, &act, signature)?;
        if let Act::Unmark { entry } = act
            && !self.marks.contains_key(&entry)
        {
            return Err(EntryError::NotMarked(entry));
        }
        Ok(Entry {
            number: self.last.after(),
            operator: signature.operator.to_owned(),
            time: signature.time.to_owned(),
            anchor,
            act,
            basis: None,
        })
    }

    /// Makes the entry that takes a mark back.
    pub fn draft_unmark(
        &self,
        entry: EntryNo,
        signature: Signature<'_>,
    ) -> Result<Entry, EntryError> {
        let mark = self.marks.get(&entry).ok_or(EntryError::NotMarked(entry))?;
        self.draft(mark.anchor.clone(), Act::Unmark { entry }, signature)
    }

    /// Makes the entry that undoes the last mark (see [`Self::undo_target`]).
    pub fn draft_undo(&self, signature: Signature<'_>) -> Result<Entry, EntryError> {
        let target = self
            .undo_target(signature.operator)
            .ok_or(EntryError::NothingToUndo)?;
        self.draft_unmark(target.entry, signature)
    }

    /// Takes in an entry. One that takes back what is no mark changes nothing.
    pub fn apply(&mut self, entry: Entry) {
        self.last = self.last.max(entry.number);
        match &entry.act {
            Act::Mark { disposition, note } => {
                let mark = Mark {
                    entry: entry.number,
                    anchor: entry.anchor.clone(),
                    disposition: *disposition,
                    note: note.clone(),
                    operator: entry.operator.clone(),
                    time: entry.time.clone(),
                    basis: entry.basis,
                    stale: Stale::default(),
                };
                let of_same = self.by_key.entry(entry.anchor.key()).or_default();
                of_same.push(entry.number);
                self.marks.insert(entry.number, mark);
                self.is_closed = false;
            }
            Act::Unmark { entry: taken_back } => {
                if let Some(mark) = self.marks.remove(taken_back)
                    && let Some(of_same) = self.by_key.get_mut(&mark.anchor.key())
                {
                    of_same.retain(|number| number != taken_back);
                    self.is_closed = false;
                }
            }
            Act::Closed { .. } => self.is_closed = true,
            Act::Comment { .. } | Act::Baseline { .. } => {}
        }
        self.entries.push(entry);
    }

    /// Takes in what a case file holds; what comes later belongs to this session. `last` is the
    /// number of its last line, known to us or not.
    pub(super) fn load(entries: Vec<Entry>, last: EntryNo) -> Self {
        let mut book = Self::default();
        for entry in entries {
            book.apply(entry);
        }
        for mark in book.marks.values_mut() {
            mark.stale.is_unknown = true;
        }
        book.last = last;
        book.session_after = last;
        book.saved_through = last;
        book
    }

    /// Number of the last entry.
    pub fn last(&self) -> EntryNo {
        self.last
    }

    /// Everything up to here is on the disk.
    pub(super) fn set_saved_through(&mut self, entry: EntryNo) {
        self.saved_through = entry;
    }

    /// Entries made before the capture was known are made under it.
    pub(super) fn set_basis(&mut self, entry: EntryNo, basis: Basis) {
        if let Some(mark) = self.marks.get_mut(&entry) {
            mark.basis = Some(basis);
        }
        let mut latest_first = self.entries.iter_mut().rev();
        if let Some(known) = latest_first.find(|known| known.number == entry) {
            known.basis = Some(basis);
        }
    }

    /// Every mark not taken back, to say how stale it is.
    pub(super) fn marks_mut(&mut self) -> impl Iterator<Item = &mut Mark> {
        self.marks.values_mut()
    }

    fn is_current(&self, entry: EntryNo, key: &AnchorKey) -> bool {
        self.by_key.get(key).and_then(|of_same| of_same.last()) == Some(&entry)
    }
}
