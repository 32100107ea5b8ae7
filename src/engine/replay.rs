//! Replay: what waited for the version that was just reached runs again, under the same identity.

use super::pipeline::Source;
use super::waiting::Released;
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
        while self.aggregates.is_waiting(id) {
            let Some(next) = self.aggregates.next(id) else {
                return;
            };
            self.replay_version(id, next, released_by, recall);
            if self.aggregates.next(id) == Some(next) {
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
        while let Some(lowest) = self.waiting.lowest_until(id, version) {
            self.replay_version(id, lowest, released_by, recall);
        }
        self.cascade(id, released_by, recall);
    }

    /// Replays all that wait for one version, in arrival order.
    fn replay_version(
        &mut self,
        id: AggregateId,
        version: u64,
        released_by: StepNo,
        recall: &mut impl Recall,
    ) {
        let released = self.waiting.take(id, version);
        let is_waiting = self.waiting.count(id) > 0;
        self.aggregates.set_waiting(id, is_waiting);
        for Released { event, explains } in released {
            let source = Source::Replay {
                released_by,
                explains: &explains,
            };
            self.event(&event, source, recall);
        }
    }
}
