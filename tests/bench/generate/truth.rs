//! What a consumer must make of one order's deliveries: the rules of the built-in contract
//! `consistency`, as far as the generator uses them, written down a second time and naively.

use super::plan::{Class, Flaw, Planned};

const APPLIED: &str = "event-applied";
const SAME_VERSION: &str = "same-version-event-rejected";

/// Which event of an order this is; it stands for source and id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity {
    version: u64,
    /// The fact itself, its rival or its repeat under a new id.
    variant: Variant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variant {
    Fact,
    Rival,
    NewId,
}

/// What came of a delivery.
pub(super) struct Decision {
    pub(super) state: &'static str,
    pub(super) reason: Option<&'static str>,
    pub(super) releases: Vec<(u64, &'static str)>,
}

impl Decision {
    fn plain(state: &'static str) -> Self {
        Self {
            state,
            reason: None,
            releases: Vec::new(),
        }
    }

    fn because(state: &'static str, reason: &'static str) -> Self {
        Self {
            reason: Some(reason),
            ..Self::plain(state)
        }
    }
}

/// Where a consumer stands with one order.
#[derive(Default)]
pub(super) struct Ledger {
    current: u64,
    receipts: Vec<Identity>,
    /// Who waits, by its record, in order of arrival.
    waiting: Vec<(u64, Identity)>,
}

impl Ledger {
    /// Takes the next delivery.
    pub(super) fn decide(&mut self, record: u64, planned: Planned) -> Decision {
        let variant = match planned.class {
            Class::BadEnvelope(flaw) => return Decision::because("rejected", refusal(flaw)),
            Class::UnknownSchema => {
                return Decision::because(
                    "contract-update-required",
                    "schema-version-not-accepted",
                );
            }
            Class::Fact | Class::Late | Class::Duplicate => Variant::Fact,
            Class::Conflict => Variant::Rival,
            Class::Stale => Variant::NewId,
        };
        let version = planned.version;
        let identity = Identity { version, variant };
        if self.receipts.contains(&identity) {
            return Decision::plain("duplicate-or-replay-suppressed");
        }
        if version > self.current + 1 {
            if !self.waiting.iter().any(|(_, waits)| *waits == identity) {
                self.waiting.push((record, identity));
            }
            return Decision::plain("deferred-version-gap");
        }
        let mut decision = Decision::plain(self.judge(identity));
        if decision.state == APPLIED {
            decision.releases = self.release();
        }
        decision
    }

    /// The verdict on an event that is not ahead of the ledger.
    fn judge(&mut self, identity: Identity) -> &'static str {
        if identity.version == self.current + 1 {
            self.current += 1;
            self.receipts.push(identity);
            APPLIED
        } else if identity.version == self.current {
            SAME_VERSION
        } else {
            "stale-event-ignored"
        }
    }

    /// Replays those that wait for the next version, and so on while there are any.
    fn release(&mut self) -> Vec<(u64, &'static str)> {
        let mut released = Vec::new();
        loop {
            let next = self.current + 1;
            let ready = self
                .waiting
                .extract_if(.., |(_, waits)| waits.version == next);
            let ready: Vec<_> = ready.collect();
            if ready.is_empty() {
                return released;
            }
            for (record, identity) in ready {
                released.push((record, self.judge(identity)));
            }
        }
    }
}

fn refusal(flaw: Flaw) -> &'static str {
    match flaw {
        Flaw::MissingId => "missing-id",
        Flaw::MissingSubject => "missing-subject",
        Flaw::OldContextVersion => "unsupported-context-version",
        Flaw::SourceOutside => "source-outside-orders-boundary",
        Flaw::SchemaVersionNoInteger => "missing-schema-version",
    }
}
