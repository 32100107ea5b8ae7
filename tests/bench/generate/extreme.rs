//! Captures that no consumer should ever meet, each hard in one way: a million of one thing. The
//! program must take them at about the cost of a plain capture, in time and in memory.

use std::fmt::Write;

use super::random::Random;

/// What there are many of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extreme {
    /// Aggregates, each with one event.
    Aggregates,
    /// Versions of one aggregate, in order.
    Versions,
    /// Deferred events of one aggregate whose first version never comes.
    Deferred,
    /// The same, deferred from the last version down, and released by the first version at the end.
    Cascade,
    /// Events that wait for one version, each with other content.
    Rivals,
    /// Versions that one id waits at.
    OneKey,
    /// Deliveries of one event.
    Duplicates,
    /// Deliveries of one id, each with other content.
    Reuses,
    /// Deliveries of one event that waits.
    Repeats,
    /// Envelopes that are refused, each of its own aggregate.
    Envelopes,
    /// Envelopes that are refused, all of one event that is then applied.
    Refused,
    /// Owner's records, each of its own order.
    Orders,
    /// Refusals of one order, each a review of its own.
    Reviews,
}

impl Extreme {
    /// Every kind, with its name on the command line.
    pub(crate) const ALL: [(&'static str, Self); 13] = [
        ("aggregates", Self::Aggregates),
        ("versions", Self::Versions),
        ("deferred", Self::Deferred),
        ("cascade", Self::Cascade),
        ("rivals", Self::Rivals),
        ("one-key", Self::OneKey),
        ("duplicates", Self::Duplicates),
        ("reuses", Self::Reuses),
        ("repeats", Self::Repeats),
        ("envelopes", Self::Envelopes),
        ("refused", Self::Refused),
        ("orders", Self::Orders),
        ("reviews", Self::Reviews),
    ];

    /// The kind with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|(known, _)| *known == name).map(|(_, kind)| kind)
    }

    /// Line `number` of `last`, from 1.
    pub(crate) fn line(self, number: u64, last: u64) -> String {
        let event = Event::plain(number);
        match self {
            Self::Aggregates => event.of(number, 1).line(),
            Self::Versions => event.of(1, number).line(),
            Self::Deferred => event.of(1, number + 1).line(),
            Self::Cascade => event.of(1, last + 1 - number).line(),
            Self::Rivals => event.of(1, 2).line(),
            Self::OneKey => event.of(1, number + 1).with_id(1).line(),
            Self::Duplicates => event.of(1, 1).with_id(1).with_trace(1).line(),
            Self::Reuses => event.of(1, 1).with_id(1).line(),
            Self::Repeats => event.of(1, 2).with_id(1).with_trace(1).line(),
            Self::Envelopes => event.of(number, 1).with_context("0.3").line(),
            Self::Refused => {
                let context = if number == last { "1.0" } else { "0.3" };
                event.of(1, 1).with_id(1).with_context(context).line()
            }
            Self::Orders => format!(
                r#"{{"receivedAt":"2026-03-02T09:00:00Z","note":"{}","order":{{"id":"order-{number:08}","status":"paid","version":2}}}}"#,
                filler(number, 500)
            ),
            Self::Reviews => format!(
                r#"{{"receivedAt":"2026-03-02T09:00:00Z","note":"{}","refusal":{{"orderId":"order-1","orderVersion":{number},"reason":"timeout"}}}}"#,
                filler(number, 500)
            ),
        }
    }

    /// The contract to lay beside the capture: the built-in `consistency` with the deferral limit
    /// raised, where events wait.
    pub(crate) fn contract(self, last: u64) -> Option<String> {
        let waits = matches!(
            self,
            Self::Deferred | Self::Cascade | Self::Rivals | Self::OneKey | Self::Repeats
        );
        waits.then(|| CONTRACT.replace("LIMIT", &last.to_string()))
    }
}

const CONTRACT: &str = r#"{
  "consumer": "orders-projection@1",
  "resultVersion": 1,
  "boundary": { "name": "orders", "sources": ["urn:checkout:"] },
  "schemaVersion": {
    "pointer": "/data/schemaVersion",
    "accepted": [1, 2],
    "unknown": "contract-update-required"
  },
  "aggregate": { "pointer": "/data/orderId" },
  "version": { "pointer": "/data/orderVersion", "first": 1 },
  "deferral": { "limitPerAggregate": LIMIT },
  "events": [
    {
      "type": "com.example.order.status.changed",
      "reads": { "status": { "pointer": "/data/status", "type": "string" } },
      "state": { "pointer": "/data/status", "values": { "accepted": "accepted" } }
    }
  ]
}
"#;

/// What varies from line to line.
struct Event {
    number: u64,
    order: u64,
    version: u64,
    id: u64,
    trace: u64,
    context: &'static str,
}

impl Event {
    fn plain(number: u64) -> Self {
        Self {
            number,
            order: number,
            version: 1,
            id: number,
            trace: number,
            context: "1.0",
        }
    }

    fn of(self, order: u64, version: u64) -> Self {
        Self {
            order,
            version,
            ..self
        }
    }

    fn with_id(self, id: u64) -> Self {
        Self { id, ..self }
    }

    fn with_trace(self, trace: u64) -> Self {
        Self { trace, ..self }
    }

    fn with_context(self, context: &'static str) -> Self {
        Self { context, ..self }
    }

    /// About as long as a line of the reference capture.
    fn line(&self) -> String {
        let Self {
            number,
            order,
            version,
            id,
            trace,
            context,
        } = self;
        let filler = filler(*trace, 240);
        format!(
            concat!(
                r#"{{"receivedAt":"2026-03-02T09:00:00Z","attempt":{},"event":{{"specversion":"{}","#,
                r#""id":"evt-{:08}","source":"urn:checkout:orders","#,
                r#""type":"com.example.order.status.changed","subject":"order-{:08}","#,
                r#""time":"2026-03-02T09:00:00Z","datacontenttype":"application/json","#,
                r#""data":{{"schemaVersion":1,"orderId":"order-{:08}","orderVersion":{},"#,
                r#""status":"accepted","trace":"{}"}}}}}}"#
            ),
            number, context, id, order, order, version, filler
        )
    }
}

/// Letters that say nothing, the same for the same number.
fn filler(number: u64, length: usize) -> String {
    let mut random = Random::new(number);
    let mut text = String::with_capacity(length + 16);
    while text.len() < length {
        write!(text, "{:016x}", random.next()).expect("a string takes all");
    }
    text
}
