//! Steps that someone has to explain, and what has explained them since (contract.md, "Evidence").

use super::History;
use super::intervals::Intervals;
use crate::model::StepNo;
use crate::model::compact::Column;

/// The evidence of a run, by step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Evidence {
    spans: Intervals,
    by_person: Column<bool>,
    /// The steps at which some evidence was resolved, in order.
    resolved_at: Column<u32>,
}

/// How a step stands as evidence, as of another step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvidenceStatus {
    /// Nobody has to explain it.
    Routine,
    /// Nothing in the capture has explained it.
    Open {
        /// Whether only a person's closing mark can.
        by_person: bool,
    },
    /// This later step explained it.
    Resolved {
        /// The step that did.
        by: StepNo,
    },
}

/// How much evidence there is as of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvidenceCounts {
    /// Open.
    pub open: usize,
    /// Resolved by what came later.
    pub resolved: usize,
}

impl Evidence {
    pub(super) fn open(&mut self, step: StepNo, by_person: bool) {
        self.spans.open(step);
        self.by_person.push(by_person);
    }

    pub(super) fn resolve(&mut self, step: StepNo, by: StepNo) {
        if let Some(index) = self
            .spans
            .beginning_at(step)
            .filter(|index| self.spans.ended(*index).is_none())
        {
            self.spans.close(index, by);
            self.resolved_at.push(by.0);
        }
    }
}

impl History {
    /// How a step stands as evidence, as of step `at`.
    pub fn evidence_status(&self, step: StepNo, at: StepNo) -> EvidenceStatus {
        let spans = &self.evidence.spans;
        let Some(index) = spans.beginning_at(step).filter(|_| step <= at) else {
            return EvidenceStatus::Routine;
        };
        match spans.ended(index).filter(|by| *by <= at) {
            Some(by) => EvidenceStatus::Resolved { by },
            None => EvidenceStatus::Open {
                by_person: self.evidence.by_person.get(index).unwrap_or(true),
            },
        }
    }

    /// How much evidence there is as of step `at`.
    pub fn evidence_counts(&self, at: StepNo) -> EvidenceCounts {
        let begun = self.evidence.spans.begun(at);
        let resolved = self
            .evidence
            .resolved_at
            .partition_point(|step| step <= at.0);
        EvidenceCounts {
            open: begun - resolved,
            resolved,
        }
    }

    /// The first step after `from` whose evidence is open as of step `at`.
    pub fn next_open_evidence(&self, from: StepNo, at: StepNo) -> Option<StepNo> {
        let spans = &self.evidence.spans;
        spans.from(spans.next_open(spans.begun(from), at)?)
    }

    /// The last step before `from` whose evidence is open as of step `at`.
    pub fn previous_open_evidence(&self, from: StepNo, at: StepNo) -> Option<StepNo> {
        let spans = &self.evidence.spans;
        spans.from(spans.previous_open(spans.begun(from.before()), at)?)
    }

    /// The first step after `from` whose evidence was resolved by the end of step `at`.
    pub fn next_resolved_evidence(&self, from: StepNo, at: StepNo) -> Option<StepNo> {
        let spans = &self.evidence.spans;
        let mut later = spans.begun(from)..spans.begun(at);
        let found = later.find(|index| spans.ended(*index).is_some_and(|by| by <= at));
        spans.from(found?)
    }

    /// Every step whose evidence is open as of step `at`, in order.
    pub fn open_evidence(&self, at: StepNo) -> impl Iterator<Item = StepNo> + '_ {
        self.evidence
            .spans
            .open_at(at)
            .filter_map(|index| self.evidence.spans.from(index))
    }

    /// Every step whose evidence was resolved by the end of step `at`, in order.
    pub fn resolved_evidence(&self, at: StepNo) -> impl Iterator<Item = StepNo> + '_ {
        let spans = &self.evidence.spans;
        (0..spans.begun(at))
            .filter(move |index| spans.ended(*index).is_some_and(|by| by <= at))
            .filter_map(move |index| spans.from(index))
    }
}
