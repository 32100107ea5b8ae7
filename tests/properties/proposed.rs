//! `contract init` on damaged logs: the version is found whatever is missing, doubled or late, and
//! never a counter that runs through the capture.

use std::fmt::Write as _;
use std::io::Cursor;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use replayscope::capture::Input;
use replayscope::contract::load;
use replayscope::engine::BaselinePolicy;
use replayscope::session::{Run, propose};
use serde_json::{Value, json};

/// What is planted, each in a hundred events.
#[derive(Clone, Copy, Debug)]
struct Damage {
    gaps: u32,
    conflicts: u32,
    repeats: u32,
    late: u32,
}

fn damage() -> impl Strategy<Value = Damage> {
    (1u32..=20, 1u32..=20, 1u32..=20, 0u32..=20).prop_map(|(gaps, conflicts, repeats, late)| {
        Damage {
            gaps,
            conflicts,
            repeats,
            late,
        }
    })
}

/// Small numbers from a seed, enough for planting.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    /// So many of a hundred events, wherever they fall.
    fn some(&mut self, per_cent: u32, events: usize) -> Vec<bool> {
        let planted = events * per_cent as usize / 100;
        let mut some: Vec<bool> = (0..events).map(|at| at < planted).collect();
        for at in (1..events).rev() {
            some.swap(at, self.below(at + 1));
        }
        some
    }
}

/// Aggregates whose events are shuffled into each other, each with numbers that mean something else.
fn log(seed: u64, aggregates: usize, events: usize, damage: Damage, name: &str) -> Vec<Value> {
    let mut dice = Dice(seed);
    let mut next = vec![1u64; aggregates];
    let mut open: Vec<usize> = (0..aggregates)
        .flat_map(|at| vec![at; events + at % 3])
        .collect();
    let all = open.len();
    let gap = dice.some(damage.gaps, all);
    let repeat = dice.some(damage.repeats, all);
    let conflict = dice.some(damage.conflicts, all);
    let mut log: Vec<Value> = Vec::new();
    while !open.is_empty() {
        let at = dice.below(open.len());
        let thing = open.swap_remove(at);
        let version = next[thing];
        next[thing] += 1;
        if gap[open.len()] {
            continue;
        }
        let event = json!({
            "specversion": "1.0", "id": format!("{thing}-{version}"), "source": "urn:made:things",
            "type": "thing.changed", "time": "2026-03-02T09:00:00Z",
            "data": {
                "thing": format!("T-{thing}"), name: version, "tenantId": "one", "currency": "EUR",
                "schemaVersion": 1, "items": 1 + dice.below(4), "weight": dice.below(1_000),
                "customerId": format!("C-{}", thing / 3), "made": 1_772_442_000 + log.len(),
                "tick": log.len(),
            },
        });
        log.push(event.clone());
        if repeat[open.len()] {
            log.push(event.clone());
        }
        if conflict[open.len()] {
            let mut other = event;
            other["id"] = json!(format!("{thing}-{version}-other"));
            other["data"]["weight"] = json!(dice.below(1_000));
            log.push(other);
        }
    }
    let late = dice.some(damage.late, log.len());
    for (at, is_late) in late.into_iter().enumerate() {
        if is_late {
            let to = (at + 1 + dice.below(6)).min(log.len() - 1);
            let event = log.remove(at);
            log.insert(to, event);
        }
    }
    log
}

/// What is proposed as the aggregate and the version, and the notes.
fn proposed(log: &[Value]) -> (Value, Value, String) {
    let mut text = String::new();
    for event in log {
        writeln!(text, "{event}").unwrap();
    }
    let loaded = load(Some("cloudevents"), None).unwrap();
    let input = Input::stream("log", Box::new(Cursor::new(text))).unwrap();
    let run = Run::new(input, loaded, BaselinePolicy::None);
    run.load(1);
    let proposal = propose(&run, "log").unwrap();
    let contract: Value = serde_json::from_str(&proposal.text).unwrap();
    (
        contract["aggregate"]["pointer"].clone(),
        contract["version"]["pointer"].clone(),
        proposal.notes.join("\n"),
    )
}

proptest! {
    // The same cases each time: what is guessed from a dozen events may be wrong once in thousands.
    #![proptest_config(ProptestConfig {
        cases: 120, rng_seed: RngSeed::Fixed(1_417), ..ProptestConfig::default()
    })]

    #[test]
    fn a_version_is_found_in_a_damaged_log(
        seed in any::<u64>(), aggregates in 2usize..=40, events in 3usize..=10, damage in damage(),
        name in prop::sample::select(vec!["thingVersion", "revision", "v"]),
    ) {
        let log = log(seed, aggregates, events, damage, name);
        let (aggregate, version, notes) = proposed(&log);
        prop_assert_eq!(version, format!("/data/{name}"), "{}", notes);
        prop_assert_eq!(aggregate, "/data/thing", "{}", notes);
    }

    /// Numbers alone need more events than a name does.
    #[test]
    fn a_version_is_found_by_its_numbers_alone(
        seed in any::<u64>(), aggregates in 4usize..=40, events in 6usize..=10, damage in damage(),
    ) {
        let log = log(seed, aggregates, events, damage, "nth");
        let (aggregate, version, notes) = proposed(&log);
        prop_assert_eq!(version, "/data/nth", "{}", notes);
        prop_assert_eq!(aggregate, "/data/thing", "{}", notes);
    }

    #[test]
    fn no_version_is_made_up(
        seed in any::<u64>(), aggregates in 4usize..=40, events in 6usize..=10, damage in damage(),
    ) {
        let mut log = log(seed, aggregates, events, damage, "nth");
        for event in &mut log {
            event["data"].as_object_mut().unwrap().remove("nth");
        }
        let (_, version, notes) = proposed(&log);
        prop_assert_eq!(version, Value::Null, "{}", notes);
    }
}
