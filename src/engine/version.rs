//! Version: is this the owner's next transition for the aggregate?

use super::waiting::Waiter;
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
    Gap,
    /// It already waits, with this record.
    GapAgain { first: RecordNo, deliveries: u32 },
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
        let next = self.now(event.aggregate).next;
        match next {
            Some(next) if event.version == next => Order::Next { assumed },
            Some(next) if event.version > next => self.gap(event, recall, findings),
            Some(_) | None => self.not_above(event, next, recall, findings),
        }
    }

    /// `--baseline first-seen`: where nothing is known of an aggregate, this event is taken as next.
    fn assume(&mut self, event: &Candidate, findings: &mut Vec<Finding>) -> bool {
        let nothing_waits = self.waiting.of(event.aggregate).is_none();
        let policy = self.baseline;
        let now = self.now(event.aggregate);
        let assumed = policy == BaselinePolicy::FirstSeen && now.state.is_none() && nothing_waits;
        if assumed {
            now.next = Some(event.version);
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
        let limit = self.contract.deferral_limit;
        let is_new = self.now(event.aggregate).state.is_none();
        let waiters = self.waiting.of_mut(event.aggregate);
        let same_key = waiters.with_key(event, recall);
        let repeated = same_key
            .iter()
            .find(|(version, _)| *version == event.version);
        let repeated = repeated.map(|(_, record)| *record);
        let reused = same_key.iter().find(|(version, record)| {
            *version != event.version || !recall.same_content(*record, event.key.record)
        });
        if let Some(first) = repeated {
            if let Some((_, record)) = reused {
                findings.push(Finding {
                    code: FindingCode::EventIdReused,
                    record: Some(*record),
                });
            }
            let waiter = waiters.get_mut(event.version, first);
            let deliveries = waiter.map_or(1, |waiter| {
                waiter.deliveries = waiter.deliveries.saturating_add(1);
                waiter.deliveries
            });
            return Order::GapAgain { first, deliveries };
        }
        if waiters.count() >= limit {
            return Order::Limit;
        }
        if let Some((_, record)) = reused {
            findings.push(Finding {
                code: FindingCode::EventIdReused,
                record: Some(*record),
            });
        }
        let others = waiters.at(event.version);
        if let Some(first) = others.first().map(|waiter| waiter.event.key.record) {
            let mut records = others.iter().map(|waiter| waiter.event.key.record);
            let same_fact = records.find(|record| recall.same_content(*record, event.key.record));
            findings.push(match same_fact {
                Some(record) => Finding {
                    code: FindingCode::SameFactNewId,
                    record: Some(record),
                },
                None => Finding {
                    code: FindingCode::DeferredVersionConflict,
                    record: Some(first),
                },
            });
        }
        if is_new {
            findings.push(Finding {
                code: FindingCode::NoBaseline,
                record: None,
            });
        }
        waiters.push(Waiter {
            event: *event,
            deliveries: 1,
            evidence: Vec::new(),
        });
        Order::Gap
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
