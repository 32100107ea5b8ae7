//! The reference capture, made from a seed, with the true outcome of every delivery under the
//! built-in contract `consistency`.
//!
//! Orders of 3 to 6 versions, as many open at once as the window holds; every delivery is the next
//! one of an open order chosen at random. What goes wrong is planned per order (`plan`), what a
//! consumer must make of it is worked out by a ledger of one order (`truth`) that shares no code
//! with the program, and a delivery is spelt from its order and version alone (`spell`), so that a
//! repeat is the same event byte for byte.
//!
//! The same seed and size give the same bytes, on any machine. Only the open orders are kept, so a
//! capture of any size can be made.
#![allow(
    dead_code,
    reason = "a test or a benchmark that includes this uses a part of it"
)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a generator that goes wrong should stop"
)]

mod extreme;
mod plan;
mod random;
mod spell;
mod truth;

use std::collections::VecDeque;

use plan::Planned;
use random::Random;
use truth::Ledger;

#[allow(
    unused_imports,
    reason = "only the program that writes captures asks for these"
)]
pub(crate) use extreme::Extreme;
pub(crate) use plan::Class;

/// How many orders are open at once, at the reference size and above.
const WINDOW_ORDERS: u64 = 20_000;

/// Below the reference size the window shrinks with the capture, so that its orders still close.
const DELIVERIES_PER_OPEN_ORDER: u64 = 50;

/// The true outcome of one delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expected {
    /// The record's number, from 1.
    pub(crate) record: u64,
    /// The number of its order.
    pub(crate) order: u64,
    /// The version that it carries.
    pub(crate) version: u64,
    /// What the generator meant it to be.
    pub(crate) class: Class,
    /// The state of its step, by its name in the trace document.
    pub(crate) state: &'static str,
    /// Why, where the state has a reason.
    pub(crate) reason: Option<&'static str>,
    /// The replays that it releases, in order: the record that waited, and its state.
    pub(crate) releases: Vec<(u64, &'static str)>,
}

/// The reference capture of so many deliveries, line by line (without line ends).
pub(crate) fn generate(seed: u64, deliveries: u64) -> impl Iterator<Item = (String, Expected)> {
    let window = (deliveries / DELIVERIES_PER_OPEN_ORDER).clamp(1, WINDOW_ORDERS);
    let mut random = Random::new(seed);
    let mut orders_begun = 0;
    let mut at_ms = 0;
    let mut open: Vec<Order> = (0..window).map(|_| Order::default()).collect();
    (1..=deliveries).map(move |record| {
        let order = &mut open[random.index(window)];
        while order.planned.is_empty() {
            orders_begun += 1;
            *order = Order::begin(orders_begun, at_ms, &mut random);
        }
        let planned = order
            .planned
            .pop_front()
            .expect("an open order has more to come");
        at_ms += random.below(9);
        let decision = order.ledger.decide(record, planned);
        let line = spell::line(seed, order.number, order.begun_ms, at_ms, planned);
        let expected = Expected {
            record,
            order: order.number,
            version: planned.version,
            class: planned.class,
            state: decision.state,
            reason: decision.reason,
            releases: decision.releases,
        };
        (line, expected)
    })
}

/// An order that is not over yet.
#[derive(Default)]
struct Order {
    number: u64,
    begun_ms: u64,
    planned: VecDeque<Planned>,
    ledger: Ledger,
}

impl Order {
    fn begin(number: u64, begun_ms: u64, random: &mut Random) -> Self {
        Self {
            number,
            begun_ms,
            planned: plan::order(random).into(),
            ledger: Ledger::default(),
        }
    }
}
