//! What must hold for every log: as-of questions are exact, runs are deterministic, duplicates change
//! nothing, order does not matter where it must not, and nothing panics.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::pedantic,
    missing_docs,
    unreachable_pub,
    reason = "a test fails by panicking, and its parts are nobody's library"
)]

mod logs;
mod proposed;
mod stopped;

use std::io::Cursor;

use proptest::prelude::*;
use replayscope::capture::Input;
use replayscope::contract::{Contract, LoadedContract, Origin, load};
use replayscope::engine::BaselinePolicy;
use replayscope::export::Prefix;
use replayscope::history::History;
use replayscope::model::StepNo;
use replayscope::session::{Facts, Reader, Run};
use serde_json::{Value, json};

/// The default contract with members changed.
fn contract(changes: &[(&str, Value)]) -> LoadedContract {
    let built_in = load(None, None).unwrap();
    let mut file: Value = serde_json::from_str(&built_in.text).unwrap();
    for (name, value) in changes {
        file[*name] = value.clone();
    }
    let text = file.to_string();
    LoadedContract {
        contract: Contract::from_bytes(text.as_bytes()).unwrap().into(),
        name: "changed".to_owned(),
        origin: Origin::BuiltIn,
        sha256: [0; 32],
        text,
    }
}

fn contracts() -> impl Strategy<Value = LoadedContract> {
    prop_oneof![
        Just(contract(&[])),
        Just(contract(&[("deferral", json!({"limitPerAggregate": 2}))])),
        Just(contract(&[
            ("receiptRetentionDays", json!(1)),
            ("otherTypes", json!("ignore"))
        ])),
        Just(contract(&[("version", Value::Null)])),
        Just(contract(&[(
            "version",
            json!({"pointer": "/data/orderVersion", "first": 0})
        )])),
    ]
}

fn policies() -> impl Strategy<Value = BaselinePolicy> {
    prop_oneof![3 => Just(BaselinePolicy::None), 1 => Just(BaselinePolicy::FirstSeen)]
}

fn run_bytes(
    bytes: Vec<u8>,
    loaded: LoadedContract,
    policy: BaselinePolicy,
    workers: usize,
) -> Run {
    let input = Input::stream("log", Box::new(Cursor::new(bytes))).unwrap();
    let run = Run::new(input, loaded, policy);
    run.load(workers);
    assert_eq!(run.failure(), None);
    run
}

fn run(lines: &[String], loaded: &LoadedContract, policy: BaselinePolicy) -> Run {
    run_bytes(text(lines), loaded.clone(), policy, 1)
}

fn text(lines: &[String]) -> Vec<u8> {
    (lines.join("\n") + "\n").into_bytes()
}

fn document(run: &Run, at: StepNo) -> Value {
    let history = run.history();
    let reader = Reader::new(run);
    let prefix = Prefix {
        history: &history,
        reader: &reader,
        at,
        closed: &|_| false,
    };
    let mut out = Vec::new();
    prefix
        .write_trace(&Facts::of(run, "log").unwrap(), &mut out)
        .unwrap();
    let mut document: Value = serde_json::from_slice(&out).unwrap();
    document.as_object_mut().unwrap().remove("capture");
    document
}

/// Every as-of answer of a history, as text.
fn answers(history: &History, at: StepNo) -> String {
    let mut all = Vec::new();
    for number in 1..=at.0 {
        let step = history.step(StepNo(number));
        all.push(format!(
            "{step:?} {:?}",
            history.evidence_status(StepNo(number), at)
        ));
    }
    for id in history.listed_aggregates(at) {
        let projection = history.projection(id, at);
        let state = projection.state.map(|state| history.word(state));
        all.push(format!(
            "{} {} {projection:?} {state:?} {:?} {:?} {:?} {:?} {}",
            history.source_of(id),
            history.name_of(id),
            history.waiting_for(id, at),
            history.deferred(id, at),
            history.gap_causes(id, at),
            history.version_conflict(id, at),
            history.receipt_count_of(id, at),
        ));
    }
    for id in history.known_orders(at) {
        all.push(format!(
            "{} {:?} {:?}",
            history.order_name(id),
            history.owner_order(id, at),
            history.gate(id, at)
        ));
    }
    for id in history.orders() {
        all.push(format!("{:?}", history.reviews_of(id, at)));
    }
    all.retain(|line| line != "[]");
    all.push(format!(
        "{:?} {}",
        history.compensations(at),
        history.receipt_count(at)
    ));
    all.push(format!(
        "{:?} {:?}",
        history.evidence_counts(at),
        history.state_counts(at)
    ));
    all.push(format!(
        "{:?}",
        history.open_evidence(at).collect::<Vec<_>>()
    ));
    all.push(format!(
        "{:?}",
        history.resolved_evidence(at).collect::<Vec<_>>()
    ));
    all.join("\n")
}

/// 96 logs of each kind; `PROPTEST_CASES` asks for more.
fn config() -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok());
    ProptestConfig {
        cases: asked.unwrap_or(96),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    /// The document as of a step that ends a record is that of a run over the records so far.
    #[test]
    fn as_of_equals_a_fresh_run(lines in logs::log(), loaded in contracts(), policy in policies()) {
        let whole = run(&lines, &loaded, policy);
        let history = whole.history();
        for records in 1..=lines.len() {
            let fresh = run(&lines[..records], &loaded, policy);
            let at = fresh.history().last_step();
            prop_assert!(at <= history.last_step());
            let (as_of, fresh) = (document(&whole, at), document(&fresh, at));
            prop_assert_eq!(&as_of, &fresh, "as of step {} after {} records", at, records);
        }
    }

    /// Between two replays of a cascade too: as of any step, the answers are those of a run that
    /// stopped there.
    #[test]
    fn as_of_equals_a_run_that_stopped(lines in logs::log(), loaded in contracts(), policy in policies()) {
        let whole = run(&lines, &loaded, policy);
        let history = whole.history();
        for at in 1..=history.last_step().0 {
            let stopped = stopped::history_until(&lines, &loaded, policy, StepNo(at));
            prop_assert_eq!(answers(&history, StepNo(at)), answers(&stopped, StepNo(at)), "as of step {}", at);
        }
    }

    /// The same log gives the same history, on however many threads.
    #[test]
    fn same_log_same_history(lines in logs::log(), loaded in contracts(), policy in policies()) {
        let one = run_bytes(text(&lines), loaded.clone(), policy, 1);
        let two = run_bytes(text(&lines), loaded, policy, 3);
        prop_assert_eq!(&*one.history(), &*two.history());
    }

    /// Delivering again what was delivered before changes no projection.
    #[test]
    fn duplicates_change_no_projection(
        lines in logs::log(),
        repeats in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..20),
    ) {
        let loaded = contract(&[]);
        let mut repeated = lines.clone();
        for (from, to) in repeats {
            let from = from.index(repeated.len());
            // An owner's statement is no delivery: saying it again is another statement.
            if !repeated[from].contains("specversion") {
                continue;
            }
            let to = from + 1 + to.index(repeated.len() - from);
            let line = repeated[from].clone();
            repeated.insert(to, line);
        }
        let plain = run(&lines, &loaded, BaselinePolicy::None);
        let again = run(&repeated, &loaded, BaselinePolicy::None);
        prop_assert_eq!(projections(&plain), projections(&again));
    }

    /// Without conflicts and within the limit, the order of arrival does not change the end.
    #[test]
    fn order_of_arrival_does_not_change_the_end((sorted, shuffled) in logs::conflict_free()) {
        let loaded = contract(&[]);
        let (sorted, shuffled) = (
            run(&sorted, &loaded, BaselinePolicy::None),
            run(&shuffled, &loaded, BaselinePolicy::None),
        );
        let end = |run: &Run| {
            let document = document(run, run.history().last_step());
            let open = document["evidence"]["open"].clone();
            (document["aggregates"].clone(), open)
        };
        prop_assert_eq!(end(&sorted), end(&shuffled));
        prop_assert_eq!(end(&sorted).1, json!([]));
    }

    /// A contract's integers and an event's follow one rule, although two rooms read them.
    #[test]
    fn integers_are_read_alike(text in "-?(0|[1-9][0-9]{0,24})(\\.[0-9]{1,6})?([eE][+-]?[0-9]{1,4})?") {
        // Schema versions are signed, versions unsigned, both within 64 bits: beyond, neither counts.
        let narrowed = |integer: Option<i128>| {
            let integer = integer.unwrap_or(i128::MAX);
            (i64::try_from(integer).ok(), u64::try_from(integer).ok())
        };
        prop_assert_eq!(
            narrowed(replayscope::contract::number::integer(&text)),
            narrowed(replayscope::capture::number::integer(&text))
        );
    }

    /// No bytes make it panic, and every record has a step.
    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), loaded in contracts()) {
        // What begins like an archive or UTF-16 is refused as a whole, with a reason: not asked here.
        let is_refused = [&[0xfe, 0xff][..], &[0xff, 0xfe], &[0x1f, 0x8b], &[0x28, 0xb5, 0x2f, 0xfd]]
            .iter()
            .any(|mark| bytes.starts_with(mark));
        let bytes = if is_refused { bytes[1..].to_vec() } else { bytes };
        let run = run_bytes(bytes, loaded, BaselinePolicy::None, 2);
        let history = run.history();
        for record in 1..=history.last_record().0 {
            prop_assert!(history.step_of_record(replayscope::model::RecordNo(record)).is_some());
        }
        document(&run, history.last_step());
    }

    /// Nor does damage to a good log: whatever is cut, doubled or overwritten.
    #[test]
    fn no_damage_panics(
        lines in logs::log(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        loaded in contracts(),
    ) {
        let mut bytes = text(&lines);
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let run = run_bytes(bytes, loaded, BaselinePolicy::None, 2);
        let last = run.history().last_step();
        document(&run, last);
    }
}

fn projections(run: &Run) -> Vec<String> {
    let history = run.history();
    let at = history.last_step();
    let mut all: Vec<String> = history
        .listed_aggregates(at)
        .map(|id| {
            let projection = history.projection(id, at);
            let state = projection.state.map(|state| history.word(state));
            format!(
                "{} {} {:?} {state:?}",
                history.source_of(id),
                history.name_of(id),
                projection.version
            )
        })
        .collect();
    all.sort();
    all
}
