//! Brings near what the engine needs for the next records, before it needs it.
//!
//! A decision looks into four tables that are far larger than any cache: the names, the receipts, what
//! the engine knows of the aggregate, and the end of its past. One after the other, each look waits
//! for memory and the next one cannot begin. Here the places are read for many records in a row, which
//! do not depend on each other, so that the processor waits for all of them at once. Nothing is decided.

use std::hint::black_box;

use crate::capture::framing::Frame;
use crate::engine::Engine;
use crate::history::History;
use crate::model::{AggregateId, Body, Delivery, Record};

/// For so many records at a time: what they need fits the nearest caches. After so many the engine also
/// looks whether somebody waits to look at the history.
pub(super) const AHEAD: usize = 64;

/// The aggregates that the records most likely are about, by their place among them.
pub(super) type Likely = [Option<AggregateId>; AHEAD];

/// Reads a part of everything that the decisions on these records, no more than [`AHEAD`], will look
/// at.
pub(super) fn touch(records: &[(Frame, Record<'_>)], engine: &Engine, history: &History) -> Likely {
    let mut seen = 0;
    for delivery in records.iter().filter_map(delivery) {
        seen ^= history.touch_name(delivery.aggregate_hash);
        seen ^= engine.touch_key(delivery.key_hash);
        seen ^= texts(delivery);
    }
    // Where the names stand is near by now: it tells which rows come next.
    let mut likely = [None; AHEAD];
    for (record, slot) in records.iter().zip(&mut likely) {
        *slot = delivery(record).and_then(|found| history.likely_aggregate(found.aggregate_hash));
        if let Some(id) = *slot {
            seen ^= history.touch_aggregate(id) ^ engine.touch_aggregate(id);
        }
    }
    black_box(seen);
    likely
}

fn delivery<'r, 'a>((_, record): &'r (Frame, Record<'a>)) -> Option<&'r Delivery<'a>> {
    match &record.body {
        Body::Delivery(delivery) => Some(delivery),
        Body::Statement(_) | Body::Unreadable(_) => None,
    }
}

/// The first bytes of the texts that are looked up or compared: they lie all over the chunk.
fn texts(delivery: &Delivery<'_>) -> u64 {
    let texts = [&delivery.source, &delivery.aggregate, &delivery.state];
    let firsts = texts.map(|text| text.as_ref().and_then(|text| text.as_bytes().first()));
    firsts
        .into_iter()
        .flatten()
        .map(|byte| u64::from(*byte))
        .sum()
}
