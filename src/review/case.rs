//! A case: the marks of one capture, and the file they are saved in as they are made.
//!
//! Opening never fails. Whatever the disk does, marks can be made; [`Case::condition`] says whether
//! they are saved, and [`Case::banner`] says it in words. An entry is acknowledged
//! ([`Outcome::Saved`]) only once it is written and synced, and the folder too where the file is new.
//! Nothing is made on the disk before there is something to save.
//!
//! ```text
//!            nothing there             first mark
//!  open ───────────────────▶ Saving ───────────────▶ Saving, with the lock
//!    │ lock held, chain broken, newer    │ write or sync fails     ▲ next mark or retry
//!    ▼                                   ▼                         │
//!  ReadOnly (marks in memory) ──:w──▶ MemoryOnly ──────────────────┘
//! ```
//!
//! A failed save leaves its entries pending. The next one writes all that is pending again, from the
//! end of what was acknowledged: the same bytes in the same place, for a sync that failed may have
//! dropped them. For the same reason the first save of a session writes the last lines of the
//! session before again, byte for byte, where nothing says that they were acknowledged. A torn tail
//! that an earlier process left is kept, ended with a marker and vouched for by the next entry (see
//! `chain`).
//!
//! One writer: whoever has the file open to write holds an advisory lock on it, and says so in
//! `FILE.lock` beside it, which only serves to tell a second window who that is.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::anchor::{Anchor, Disposition};
use super::book::CaseBook;
use super::chain::{Chain, Ending, Fault};
use super::condition::{self, Condition, Notice, ReadOnly, Trouble};
use super::digest::Digest;
use super::entry::{Act, Entry, EntryError, EntryNo, Identity, Signature};
use super::stale::{self, CaptureBytes};
use super::store::{How, Store, StoredFile};

/// The largest case file that is read, in bytes.
pub const CASE_LIMIT_BYTES: u64 = 256 * 1024 * 1024;

/// Where a case file lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CasePlace {
    /// The file.
    pub path: PathBuf,
    /// Whether its folder is ours to make, as in the folder of the user's state.
    pub may_make_folder: bool,
}

impl CasePlace {
    /// A file in a folder that is there.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            may_make_folder: false,
        }
    }
}

/// What came of a new entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is on the disk and stays there.
    Saved(EntryNo),
    /// It is in memory only; the banner says why.
    Kept(EntryNo),
}

impl Outcome {
    /// The entry's number.
    pub fn entry(self) -> EntryNo {
        match self {
            Self::Saved(entry) | Self::Kept(entry) => entry,
        }
    }
}

/// The marks of one capture, and their file.
pub struct Case {
    pub(super) store: Arc<dyn Store>,
    pub(super) place: Option<CasePlace>,
    pub(super) operator: String,
    pub(super) identity: Option<Identity>,
    pub(super) book: CaseBook,
    /// What is acknowledged.
    pub(super) chain: Chain,
    /// Entries that are not acknowledged, in order.
    pub(super) pending: Vec<Entry>,
    /// Open and locked, where we are the writer.
    pub(super) file: Option<Box<dyn StoredFile>>,
    /// How far the file may reach beyond what is acknowledged, after a save that failed.
    pub(super) beyond_bytes: u64,
    pub(super) condition: Condition,
    /// What was found in the file when it was read.
    pub(super) found: Vec<Notice>,
    /// The first line as it was first tried: a second try must write the same bytes.
    pub(super) first_line: Option<Identity>,
}

impl Case {
    /// Opens the case at a place, or one without a file. `identity` says what the marks are about; it
    /// may come later ([`Case::identify`]), since a large capture is long in reading. `operator` is
    /// whom a second window names as the holder.
    pub fn open(
        store: Arc<dyn Store>,
        place: Option<CasePlace>,
        identity: Option<Identity>,
        operator: &str,
    ) -> Self {
        let condition = if place.is_some() {
            Condition::Saving
        } else {
            Condition::MemoryOnly(Trouble::NoPlace)
        };
        let mut case = Self {
            store,
            place,
            operator: operator.to_owned(),
            identity: None,
            book: CaseBook::default(),
            chain: Chain::default(),
            pending: Vec::new(),
            file: None,
            beyond_bytes: 0,
            condition,
            found: Vec::new(),
            first_line: None,
        };
        case.attach_if_there();
        if let Some(identity) = identity {
            case.identify(identity);
        }
        case
    }

    /// Says what the marks are about, once the capture is read, or anew when it has grown. Flags
    /// marks that were made on something else, and saves what waited for it.
    pub fn identify(&mut self, identity: Identity) {
        // What is pending was made on what had been read until now.
        self.settle_basis();
        stale::flag(&mut self.book, &identity, None);
        self.identity = Some(identity);
        self.settle_basis();
        self.save();
    }

    /// Looks up the bytes of marks made on another capture: those whose bytes are the same keep
    /// their say.
    pub fn compare(&mut self, capture: &mut dyn CaptureBytes) {
        if let Some(identity) = &self.identity {
            stale::flag(&mut self.book, identity, Some(capture));
        }
    }

    /// The marks.
    pub fn book(&self) -> &CaseBook {
        &self.book
    }

    /// How the case stands with its file.
    pub fn condition(&self) -> &Condition {
        &self.condition
    }

    /// What a banner over the screen must say; `None` while all is saved. Not yet safe to show.
    pub fn banner(&self) -> Option<String> {
        let is_identified = self.identity.is_some();
        condition::banner(&self.condition, self.unsaved(), is_identified)
    }

    /// What is to be told once the case is opened, and again once it is identified.
    pub fn notices(&self) -> Vec<Notice> {
        let mut notices = self.found.clone();
        if let (Some(header), Some(identity)) = (&self.chain.header, &self.identity) {
            if header.decompressed.sha256 != identity.decompressed.sha256 {
                let name = header.capture_name.clone();
                notices.push(Notice::OtherCapture { name });
            }
            if header.contract_sha256 != identity.contract_sha256 {
                let name = header.contract_name.clone();
                notices.push(Notice::OtherContract { name });
            }
        }
        notices
    }

    /// How many entries are in memory only, or may be.
    pub fn unsaved(&self) -> usize {
        let entries = self.book.entries().iter().rev();
        entries
            .take_while(|entry| !self.book.is_saved(entry.number))
            .count()
    }

    /// The file, where there is to be one.
    pub fn path(&self) -> Option<&Path> {
        self.place.as_ref().map(|place| place.path.as_path())
    }

    /// Digest of the last acknowledged line. Whoever keeps it elsewhere can tell later that no line
    /// up to it was changed or taken away.
    pub fn head(&self) -> Option<Digest> {
        self.chain.head
    }

    /// Marks a piece of evidence.
    pub fn mark(
        &mut self,
        anchor: Anchor,
        disposition: Disposition,
        note: &str,
        signature: Signature<'_>,
    ) -> Result<Outcome, EntryError> {
        let note = note.to_owned();
        self.add(anchor, Act::Mark { disposition, note }, signature)
    }

    /// Marks several pieces of evidence alike, in one save. Nothing is marked where any cannot be.
    pub fn mark_all(
        &mut self,
        anchors: Vec<Anchor>,
        disposition: Disposition,
        note: &str,
        signature: Signature<'_>,
    ) -> Result<Vec<Outcome>, EntryError> {
        self.prepare();
        for anchor in &anchors {
            let note = note.to_owned();
            let act = Act::Mark { disposition, note };
            self.book.draft(anchor.clone(), act, signature)?;
        }
        let mut numbers = Vec::with_capacity(anchors.len());
        for anchor in anchors {
            let note = note.to_owned();
            let act = Act::Mark { disposition, note };
            let entry = self.book.draft(anchor, act, signature)?;
            numbers.push(entry.number);
            self.take(entry);
        }
        self.save();
        Ok(numbers
            .into_iter()
            .map(|number| self.outcome(number))
            .collect())
    }

    /// Takes back a mark.
    pub fn unmark(
        &mut self,
        entry: EntryNo,
        signature: Signature<'_>,
    ) -> Result<Outcome, EntryError> {
        self.prepare();
        let entry = self.book.draft_unmark(entry, signature)?;
        Ok(self.add_drafted(entry))
    }

    /// Takes back several marks, in one save; those that were taken back already are passed over.
    pub fn unmark_all(
        &mut self,
        entries: &[EntryNo],
        signature: Signature<'_>,
    ) -> Result<Outcome, EntryError> {
        self.prepare();
        let mut last = Err(EntryError::NothingToUndo);
        for entry in entries {
            if let Ok(entry) = self.book.draft_unmark(*entry, signature) {
                last = Ok(entry.number);
                self.take(entry);
            }
        }
        self.save();
        last.map(|number| self.outcome(number))
    }

    /// Whether the file cannot be believed: no mark of it closes anything (see
    /// [`Reading::fault`](super::reading::Reading::fault)).
    pub fn is_doubtful(&self) -> bool {
        self.chain.fault.is_some()
    }

    /// Takes back the last mark of this session, or else the last of this operator.
    pub fn undo(&mut self, signature: Signature<'_>) -> Result<Outcome, EntryError> {
        self.prepare();
        let entry = self.book.draft_undo(signature)?;
        Ok(self.add_drafted(entry))
    }

    /// Adds any entry: a comment, a baseline, the closing of the case.
    pub fn add(
        &mut self,
        anchor: Anchor,
        act: Act,
        signature: Signature<'_>,
    ) -> Result<Outcome, EntryError> {
        self.prepare();
        let entry = self.book.draft(anchor, act, signature)?;
        Ok(self.add_drafted(entry))
    }

    /// Tries again to save what is pending; whether all is saved now.
    pub fn retry(&mut self) -> bool {
        self.save();
        self.unsaved() == 0
    }

    /// Before the first entry: another window may have begun the case since we looked.
    fn prepare(&mut self) {
        if self.file.is_some() || !self.pending.is_empty() {
            return;
        }
        if matches!(self.condition, Condition::ReadOnly(ReadOnly::Held(_))) {
            // That window may have closed since; if not, asking again says so again.
            self.condition = Condition::Saving;
        }
        if self.identity.is_some() {
            self.attach_or_create();
        } else {
            self.attach_if_there();
        }
    }

    fn add_drafted(&mut self, entry: Entry) -> Outcome {
        let number = entry.number;
        self.take(entry);
        self.save();
        self.outcome(number)
    }

    fn take(&mut self, entry: Entry) {
        self.book.apply(entry.clone());
        self.pending.push(entry);
        self.settle_basis();
    }

    fn outcome(&self, number: EntryNo) -> Outcome {
        if self.book.is_saved(number) {
            Outcome::Saved(number)
        } else {
            Outcome::Kept(number)
        }
    }

    /// Writes into pending entries what they were made under, as soon as that is known.
    fn settle_basis(&mut self) {
        let Some(identity) = &self.identity else {
            return;
        };
        for entry in &mut self.pending {
            if entry.basis.is_none() {
                entry.basis = Some(identity.basis());
                self.book.set_basis(entry.number, identity.basis());
            }
        }
    }

    /// Takes in the bytes of a case file.
    pub(super) fn load(&mut self, bytes: Vec<u8>) -> Result<(), ReadOnly> {
        let mut chain = super::chain::read(bytes);
        self.found.clear();
        if !chain.loose.is_empty() {
            self.found.push(Notice::TornLine {
                bytes: chain.loose.len() as u64,
            });
        } else if chain.ending == Ending::NoNewline {
            self.found.push(Notice::NoNewline);
        }
        let entries = std::mem::take(&mut chain.entries);
        self.book = CaseBook::load(entries, EntryNo(chain.lines));
        if let Some(identity) = &self.identity {
            stale::flag(&mut self.book, identity, None);
        }
        let fault = chain.fault.clone();
        self.chain = chain;
        match fault {
            None => Ok(()),
            Some(fault) => Err(match fault {
                Fault::NotACase => ReadOnly::NotACase,
                Fault::Broken {
                    line,
                    why,
                    lines_left,
                } => ReadOnly::Broken {
                    line,
                    why,
                    lines_left,
                },
                Fault::Newer { format } => ReadOnly::Newer { format },
                Fault::Unknown { entries } => ReadOnly::Unknown { entries },
            }),
        }
    }

    fn attach_if_there(&mut self) {
        if let Err(condition) = self.attach(How::Existing) {
            self.condition = condition;
        }
    }

    fn attach_or_create(&mut self) {
        if let Err(condition) = self.attach(How::Create) {
            self.condition = condition;
        }
    }
}

impl Drop for Case {
    fn drop(&mut self) {
        self.forget_holder();
    }
}

impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Case")
            .field("place", &self.place)
            .field("condition", &self.condition)
            .field("unsaved", &self.pending.len())
            .finish_non_exhaustive()
    }
}
