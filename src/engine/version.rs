//! Version: is this the owner's next transition for the aggregate?

use super::waiting::Place;
use super::{BaselinePolicy, Candidate, Engine, Recall};
use crate::model::{Finding, FindingCode, RecordNo};

/// What the version stage decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// It is the next one.
    Next {
        /// Whether a baseline one below it was assumed for that.
        assumed: bool,
    },
    /// An earlier version is missing: it waits.
    Gap { waiter: Place },
    /// It already waits, with this record.
    GapAgain {
        waiter: Place,
        first: Option<RecordNo>,
        deliveries: u32,
    },
    /// As many wait as may.
    Limit,
    /// The aggregate stands at this version.
    Same {
        holder: Option<RecordNo>,
        other_content: bool,
    },
    /// The aggregate is past this version.
    Stale { holder: Option<RecordNo> },
    /// Its receipt had expired, but the version's holder is the same event.
    Recognised {
        holder: RecordNo,
        other_content: bool,
    },
}

impl Engine {
    /// The stage for one event; what it finds goes to `findings`.
    pub(super) fn version(
        &mut self,
        event: &Candidate,
        recall: &mut impl Recall,
        findings: &mut Vec<Finding>,
    ) -> Order {
        let assumed = self.assume(event, findings);
        let next = self.aggregates.next(event.aggregate);
        match next {
            Some(next) if event.version == next => Order::Next { assumed },
            Some(next) if event.version > next => self.gap(event, recall, findings),
            Some(_) | None => self.not_above(event, next, recall, findings),
        }
    }

    /// `--baseline first-seen`: where nothing is known of an aggregate, this event is taken as next.
    fn assume(&mut self, event: &Candidate, findings: &mut Vec<Finding>) -> bool {
        let id = event.aggregate;
        let assumed = self.baseline == BaselinePolicy::FirstSeen
            && self.aggregates.state(id).is_none()
            && !self.aggregates.is_waiting(id);
        if assumed {
            self.aggregates.set_next(id, Some(event.version));
            findings.push(Finding {
                code: FindingCode::BaselineAssumed,
                record: None,
            });
        }
        assumed
    }

    fn gap(
        &mut self,
        event: &Candidate,
        recall: &mut impl Recall,
        findings: &mut Vec<Finding>,
    ) -> Order {
        let id = event.aggregate;
        let mut find = |code, record| findings.push(Finding { code, record });
        let same = self.waiting.with_key(event, recall);
        let reused = same.and_then(|same| self.waiting.reused(same, event, recall));
        if let Some(waiter) = same.and_then(|same| same.repeated) {
            if reused.is_some() {
                find(FindingCode::EventIdReused, reused);
            }
            return Order::GapAgain {
                waiter,
                first: self.waiting.record(waiter),
                deliveries: self.waiting.repeat(waiter),
            };
        }
        if self.waiting.count(id) >= self.contract.deferral_limit {
            return Order::Limit;
        }
        if reused.is_some() {
            find(FindingCode::EventIdReused, reused);
        }
        let rivals = self.waiting.rivals(event, recall);
        match rivals {
            Some(rivals) if rivals.same_fact.is_some() => {
                find(FindingCode::SameFactNewId, rivals.same_fact);
            }
            Some(rivals) => find(FindingCode::DeferredVersionConflict, Some(rivals.first)),
            None => {}
        }
        if self.aggregates.state(id).is_none() {
            find(FindingCode::NoBaseline, None);
        }
        let keeps_time = self.contract.receipt_retention_days.is_some();
        self.aggregates.set_waiting(id, true);
        Order::Gap {
            waiter: self.waiting.push(event, same, rivals, keeps_time),
        }
    }

    fn not_above(
        &mut self,
        event: &Candidate,
        next: Option<u64>,
        recall: &mut impl Recall,
        findings: &mut Vec<Finding>,
    ) -> Order {
        let current = next.map_or(u64::MAX, |next| next.saturating_sub(1));
        let is_same = event.version == current;
        let Some(holder) = recall.holder(event.aggregate, event.version) else {
            findings.push(Finding {
                code: FindingCode::AtOrBelowBaseline,
                record: None,
            });
            return if is_same {
                Order::Same {
                    holder: None,
                    other_content: false,
                }
            } else {
                Order::Stale { holder: None }
            };
        };
        let mut find = |code| {
            findings.push(Finding {
                code,
                record: Some(holder),
            });
        };
        let other_content = !recall.same_content(holder, event.key.record);
        if recall.same_key(holder, event.key.record) {
            find(FindingCode::RecognisedByVersion);
            if other_content {
                find(FindingCode::EventIdReused);
            }
            return Order::Recognised {
                holder,
                other_content,
            };
        }
        if !other_content {
            find(FindingCode::SameFactNewId);
        } else if !is_same {
            find(FindingCode::LateVersionConflict);
        }
        if Some(event.version) == self.first_version() && is_later_than_last(event, recall) {
            find(FindingCode::PossibleVersionReset);
        }
        if is_same {
            Order::Same {
                holder: Some(holder),
                other_content,
            }
        } else {
            Order::Stale {
                holder: Some(holder),
            }
        }
    }
}

/// Whether the event's own time is later than that of the event applied last.
fn is_later_than_last(event: &Candidate, recall: &mut impl Recall) -> bool {
    let mut times = || {
        let last = recall.last_applied(event.aggregate)?;
        Some((
            recall.event_time(last)?,
            recall.event_time(event.key.record)?,
        ))
    };
    times().is_some_and(|(last, this)| this > last)
}
