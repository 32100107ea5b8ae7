//! What waits, against a plain list: lists through one arena, places that are used again, and the
//! answers for keys, versions and contents.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::unreachable,
    clippy::unnecessary_literal_bound,
    reason = "a test fails by panicking"
)]

use proptest::prelude::*;

use super::super::{Candidate, Key, Recall};
use super::Waiting;
use crate::model::compact::with_colliding_hashes;
use crate::model::{AggregateId, Instant, OrderId, Outcome, RecordNo, StepNo, WordId};

/// Keys and contents of records, and nothing else.
struct Records(Vec<(u64, u64)>);

impl Records {
    fn of(&self, record: RecordNo) -> (u64, u64) {
        self.0[record.0 as usize - 1]
    }
}

impl Recall for Records {
    fn aggregate(&mut self, _: &str, _: &str) -> AggregateId {
        unreachable!("what waits asks for no names")
    }
    fn order(&mut self, _: &str) -> OrderId {
        unreachable!("what waits asks for no names")
    }
    fn find_order(&self, _: &str) -> Option<OrderId> {
        None
    }
    fn word(&mut self, _: &str) -> WordId {
        unreachable!("what waits asks for no words")
    }
    fn word_text(&self, _: WordId) -> &str {
        ""
    }
    fn name_of(&self, _: AggregateId) -> &str {
        ""
    }
    fn find_aggregate(&self, _: &str, _: &str) -> Option<AggregateId> {
        None
    }
    fn holder(&self, _: AggregateId, _: u64) -> Option<RecordNo> {
        None
    }
    fn last_applied(&self, _: AggregateId) -> Option<RecordNo> {
        None
    }
    fn event_time(&mut self, _: RecordNo) -> Option<Instant> {
        None
    }
    fn same_key(&mut self, one: RecordNo, other: RecordNo) -> bool {
        self.of(one).0 == self.of(other).0
    }
    fn same_content(&mut self, one: RecordNo, other: RecordNo) -> bool {
        self.of(one).1 == self.of(other).1
    }
    fn content_hash(&mut self, record: RecordNo) -> u64 {
        self.of(record).1
    }
    fn refused(&self, _: AggregateId, _: u64, _: &mut dyn FnMut(StepNo)) {}
    fn append(&mut self, _: &Outcome<'_>) -> StepNo {
        unreachable!("what waits decides nothing")
    }
}

/// One that waits, in a plain list.
#[derive(Clone, Debug, PartialEq)]
struct Plain {
    aggregate: u32,
    version: u64,
    record: u32,
    explains: Vec<StepNo>,
}

/// Aggregate, version, key, content, and whether all of the version are taken instead.
type Move = (u32, u64, u64, u64, bool);

/// The waiters beside the plain list of them.
struct Pair {
    waiting: Waiting,
    plain: Vec<Plain>,
    recall: Records,
}

impl Pair {
    fn take(&mut self, aggregate: u32, version: u64) {
        let taken = self.waiting.take(AggregateId(aggregate), version);
        let taken: Vec<Plain> = taken
            .into_iter()
            .map(|released| Plain {
                aggregate,
                version: released.event.version,
                record: released.event.key.record.0,
                explains: released.explains,
            })
            .collect();
        let is_it = |one: &Plain| (one.aggregate, one.version) == (aggregate, version);
        let (wanted, rest) = std::mem::take(&mut self.plain).into_iter().partition(is_it);
        self.plain = rest;
        assert_eq!(taken, wanted);
    }

    fn add(&mut self, event: &Candidate) {
        let (aggregate, version) = (event.aggregate.0, event.version);
        let record = event.key.record;
        let (key, content) = self.recall.of(record);
        let fact = |one: &Plain| self.recall.0[one.record as usize - 1];
        let of_key = |one: &&Plain| one.aggregate == aggregate && fact(one).0 == key;
        let is_other = |one: &&Plain| one.version != version || fact(one).1 != content;
        let number = |one: &Plain| RecordNo(one.record);
        let mut keyed = self.plain.iter().filter(of_key);
        let other = keyed.clone().find(is_other).map(number);
        let known = keyed.clone().find(|one| one.version == version).map(number);
        let is_keyed = keyed.next().is_some();
        let mut beside = self
            .plain
            .iter()
            .filter(|one| (one.aggregate, one.version) == (aggregate, version));
        let first = beside.clone().next().map(number);
        let same_fact = beside.find(|one| fact(one).1 == content).map(number);

        let Self {
            waiting, recall, ..
        } = self;
        let same = waiting.with_key(event, recall);
        assert_eq!(same.is_some(), is_keyed);
        let reused = same.and_then(|same| waiting.reused(same, event, recall));
        assert_eq!(reused, other);
        let repeated = same.and_then(|same| same.repeated);
        assert_eq!(repeated.and_then(|place| waiting.record(place)), known);
        if let (Some(place), Some(known)) = (repeated, known) {
            waiting.repeat(place);
            waiting.explain(place, StepNo(record.0));
            let mut plain = self.plain.iter_mut();
            let one = plain.find(|one| one.record == known.0).unwrap();
            one.explains.push(StepNo(record.0));
            return;
        }
        let rivals = waiting.rivals(event, recall);
        assert_eq!(rivals.map(|rivals| rivals.first), first);
        assert_eq!(rivals.and_then(|rivals| rivals.same_fact), same_fact);
        let place = waiting.push(event, same, rivals, false);
        waiting.explain(place, StepNo(record.0));
        self.plain.push(Plain {
            aggregate,
            version,
            record: record.0,
            explains: vec![StepNo(record.0)],
        });
    }
}

fn agrees(moves: &[Move]) {
    let mut pair = Pair {
        waiting: Waiting::default(),
        plain: Vec::new(),
        recall: Records(moves.iter().map(|made| (made.2, made.3)).collect()),
    };
    for (record, (aggregate, version, key, _, takes)) in (1u32..).zip(moves) {
        if *takes {
            pair.take(*aggregate, *version);
        } else {
            pair.add(&Candidate {
                key: Key {
                    record: RecordNo(record),
                    hash: *key,
                    received_at: None,
                },
                aggregate: AggregateId(*aggregate),
                version: *version,
                content_hash: 0,
                state: WordId(0),
            });
        }
        for aggregate in 0..2 {
            let id = AggregateId(aggregate);
            let all = pair.plain.iter().filter(|one| one.aggregate == aggregate);
            let versions = all.map(|one| one.version);
            assert_eq!(pair.waiting.count(id), versions.clone().count());
            let lowest = versions.filter(|version| *version <= 3).min();
            assert_eq!(pair.waiting.lowest_until(id, 3), lowest);
        }
    }
}

proptest! {
    #[test]
    fn agrees_with_a_plain_list(
        moves in prop::collection::vec(
            (0u32..2, 1u64..6, 0u64..5, 0u64..3, prop::bool::weighted(0.2)),
            1..120,
        ),
        is_colliding in any::<bool>(),
    ) {
        if is_colliding {
            with_colliding_hashes(|| agrees(&moves));
        } else {
            agrees(&moves);
        }
    }
}
