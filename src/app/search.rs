//! What is searched for. The searching itself is done outside, in pieces; an answer to an older
//! search counts for nothing.

use crate::model::RecordNo;

/// A search and how far it is.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    pub(super) needle: String,
    pub(super) number: u64,
    pub(super) forward: bool,
    /// How far a running search has looked.
    pub(super) running: Option<RecordNo>,
}

impl Search {
    pub(super) fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// A new search begins; its number tells its answers from those of older ones.
    pub(super) fn begin(&mut self, from: RecordNo, forward: bool) -> u64 {
        self.number += 1;
        self.forward = forward;
        self.running = Some(from);
        self.number
    }
}
