//! A case looked at by a command that writes nothing: no lock, no file made, no line continued.
//!
//! The inspector opens a [`Case`] to add to it. `trace`, `check` and `report` only ask what is marked,
//! and whether that can be believed, so they read the file once and leave it as it is.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::book::{CaseBook, Mark};
use super::case::{CASE_LIMIT_BYTES, Case};
use super::condition::{Notice, ReadOnly};
use super::entry::Identity;
use super::stale::CaptureBytes;
use super::store::{Disk, How, Store};
use super::verify::{Verdict, verify};
use crate::history::{History, Step};
use crate::model::Kind;

/// A case file as it was read, with what verifying it came to.
#[derive(Debug)]
pub struct Reading {
    case: Case,
    fault: Option<ReadOnly>,
    verdict: Verdict,
}

/// Reads and verifies a case file, and looks up the bytes of every mark that was made on another
/// capture. An error is one of reading the file; whatever is in it is part of the reading.
pub fn read_file(
    store: &dyn Store,
    path: &Path,
    identity: &Identity,
    capture: &mut dyn CaptureBytes,
) -> io::Result<Reading> {
    let bytes = store.open(path, How::ReadOnly)?.read(CASE_LIMIT_BYTES)?;
    let verdict = verify(bytes.clone(), identity, capture);
    // A case without a place has no file to lock or to write.
    let mut case = Case::open(Arc::new(Disk), None, None, "");
    let fault = case.load(bytes).err();
    case.identify(identity.clone());
    case.compare(capture);
    Ok(Reading {
        case,
        fault,
        verdict,
    })
}

impl Reading {
    /// The marks.
    pub fn book(&self) -> &CaseBook {
        self.case.book()
    }

    /// What verifying the same bytes came to.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// Why no mark counts: the file is no case file, its chain is broken, or it says what this
    /// version does not know. What follows a break may have taken back a mark that stands before it.
    pub fn fault(&self) -> Option<&ReadOnly> {
        self.fault.as_ref()
    }

    /// What a person should be told of a case that is read all the same.
    pub fn notices(&self) -> Vec<Notice> {
        self.case.notices()
    }

    /// Whether a step is closed by a person's mark: never by one of a case that has a fault.
    pub fn closes(&self, history: &History, step: &Step<'_>) -> bool {
        let reason = step.reason.map(|reason| history.reason_name(reason));
        self.fault.is_none()
            && self
                .mark_of(step)
                .is_some_and(|mark| mark.closes(step.state, reason))
    }

    /// The mark on a step, whether it closes it or not.
    pub fn mark_of(&self, step: &Step<'_>) -> Option<&Mark> {
        let is_replay = step.kind == Kind::Replay;
        self.book().mark_of(step.record, is_replay)
    }
}
