//! The curtain: what will happen is asked before it is shown. A step tells what it came to only once
//! its own last stage was stepped through; a step that was jumped over stays covered, however far
//! beyond it one went. Steps that were stepped through stay told until the curtain is drawn anew.
//! Ledger and projection as of just before the step are the premise of the question and are shown;
//! so they can tell of what was jumped over.

use std::collections::BTreeSet;

use crate::history::History;
use crate::model::{Look, StepNo, TreeKind};

use super::copy::decoded;
use super::model::{Model, Reach};

/// What stands in place of what would tell.
pub(super) const COVERED: &str = "(behind the curtain)";

/// Which replays the list shows while the curtain is drawn: those that were stepped through, and the
/// next one after such a step, which the stage of replays named.
#[derive(Clone, Copy)]
pub(super) struct Curtain<'a> {
    pub(super) seen: &'a BTreeSet<StepNo>,
    pub(super) cursor: StepNo,
}

impl Curtain<'_> {
    pub(super) fn shows_replay(&self, step: StepNo) -> bool {
        step == self.cursor || self.seen.contains(&step) || self.seen.contains(&step.before())
    }

    /// The last replay before `step` that may be shown, of the cascade that `root` began; else the
    /// root.
    pub(super) fn before(&self, step: StepNo, root: StepNo) -> StepNo {
        let seen = self.seen.range(..step).next_back();
        let after_seen = seen.map(|seen| seen.after()).filter(|shown| *shown < step);
        let cursor = Some(self.cursor).filter(|cursor| *cursor < step);
        root.max(after_seen.unwrap_or_default())
            .max(cursor.unwrap_or_default())
    }

    /// The first replay after `step` that may be shown.
    pub(super) fn after(&self, step: StepNo) -> Option<StepNo> {
        let seen = self.seen.range(step.after()..).next().copied();
        let cursor = Some(self.cursor).filter(|cursor| *cursor > step);
        seen.into_iter().chain(cursor).min()
    }
}

impl Model {
    /// Whether it may be told what a step came to.
    pub(super) fn is_told(&self, step: StepNo) -> bool {
        !self.has_curtain || self.seen.contains(&step) || (step == self.cursor && self.is_decided())
    }

    /// As of which step the views may tell: with the curtain no further than what was stepped
    /// through.
    pub(super) fn told_until(&self, history: &History) -> StepNo {
        let at = self.horizon(history);
        if !self.has_curtain {
            return at;
        }
        let seen = self.seen.last().copied().unwrap_or_default();
        let own = if self.is_decided() {
            self.cursor
        } else {
            StepNo(0)
        };
        at.min(seen.max(own))
    }

    /// Whether the step under the cursor is covered.
    pub(super) fn is_covered(&self) -> bool {
        self.has_curtain && !self.is_decided()
    }

    /// Notes that the step under the cursor was stepped through.
    pub(super) fn note_seen(&mut self) {
        let is_there = self.true_look().is_some();
        if self.has_curtain && self.reach == Reach::Whole && is_there {
            self.seen.insert(self.cursor);
        }
    }

    /// Makes what is shown of the record as long as its step is covered.
    pub(super) fn cover_look(&mut self) {
        self.covered_look = self
            .true_look()
            .filter(|_| self.has_curtain)
            .map(|look| Box::new(covered(look)));
    }
}

/// A look without what tells the outcome: the note is the answer, and so is what is wrong with the
/// bytes.
fn covered(look: &Look) -> Look {
    let mut look = look.clone();
    let note = look.event.note.take();
    look.fault = None;
    let is_note = |at: &crate::model::TreeNode| {
        let is_named = at.depth == 1 && at.key.as_deref() == Some("note");
        at.kind == TreeKind::String && (is_named || Some(decoded(&at.text)) == note)
    };
    let mut texts = Vec::new();
    for node in &mut look.tree {
        if is_note(node) {
            texts.push(std::mem::replace(&mut node.text, COVERED.to_owned()));
        }
    }
    let mut is_found = note.is_none();
    for text in &texts {
        is_found |= cover_bytes(&mut look.raw, text.as_bytes());
    }
    if !is_found {
        // Where it lies among the bytes cannot be said: of a very long record they are not all there.
        look.raw = COVERED.as_bytes().to_vec();
    }
    look
}

/// Covers a text wherever it stands, byte for byte, so that everything else keeps its place.
fn cover_bytes(raw: &mut [u8], text: &[u8]) -> bool {
    let mut is_found = false;
    let mut from = 0;
    while let Some(at) = memchr::memmem::find(raw.get(from..).unwrap_or_default(), text) {
        let start = from + at;
        from = start + text.len();
        let cover = COVERED.bytes().chain(std::iter::repeat(b' '));
        for (byte, cover) in raw.iter_mut().take(from).skip(start).zip(cover) {
            *byte = cover;
        }
        is_found = true;
        if text.is_empty() {
            break;
        }
    }
    is_found
}
