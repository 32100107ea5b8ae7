//! Replay: what waited for the version that was just reached runs again, under the same identity.

use super::pipeline::Source;
use super::waiting::Waiter;
use super::{Engine, Recall};
use crate::model::{AggregateId, StepNo};

impl Engine {
    /// Replays what waits for the next version, then for the one after it, as far as each is reached.
    /// One loop, never a recursion: a cascade may be as long as the deferral limit.
    pub(super) fn cascade(
        &mut self,
        id: AggregateId,
        released_by: StepNo,
        recall: &mut impl Recall,
    ) {
        while let Some(next) = self.now(id).next {
            if self.waiting.of(id).is_none() {
                return;
            }
            let waiters = self.waiting.of_mut(id).take(next);
            for waiter in waiters {
                self.replay(&waiter, released_by, recall);
            }
            if self.now(id).next == Some(next) {
                return;
            }
        }
    }

    /// After a baseline: what waits at or below it, by version, then arrival; then upwards.
    pub(super) fn release_until(
        &mut self,
        id: AggregateId,
        version: u64,
        released_by: StepNo,
        recall: &mut impl Recall,
    ) {
        while let Some(lowest) = self
            .waiting
            .of(id)
            .and_then(|waiters| waiters.lowest_until(version))
        {
            for waiter in self.waiting.of_mut(id).take(lowest) {
                self.replay(&waiter, released_by, recall);
            }
        }
        self.cascade(id, released_by, recall);
    }

    fn replay(&mut self, waiter: &Waiter, released_by: StepNo, recall: &mut impl Recall) {
        let source = Source::Replay {
            released_by,
            explains: &waiter.evidence,
        };
        self.event(&waiter.event, source, recall);
    }
}
