//! A hash only says where to look: with hashes of two bits, so that nearly everything collides, every
//! run comes out the same.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::fmt::Write;
use std::fs;
use std::io::Cursor;
use std::path::Path;

use super::Run;
use crate::capture::Input;
use crate::contract::{LoadedContract, load};
use crate::engine::BaselinePolicy;
use crate::history::History;
use crate::model::compact::with_colliding_hashes;
use crate::model::{FindingCode, State};

fn history(log: &[u8], contract: &LoadedContract, policy: BaselinePolicy) -> History {
    let bytes = Cursor::new(log.to_vec());
    let input = Input::stream("test", Box::new(bytes)).unwrap();
    let run = Run::new(input, contract.clone(), policy);
    // One worker runs on this thread, where the hashes collide.
    run.load(1);
    run.history().clone()
}

fn assert_same(log: &[u8], contract: &LoadedContract, what: &str) -> History {
    let mut last = None;
    for policy in [BaselinePolicy::FirstSeen, BaselinePolicy::None] {
        let plain = history(log, contract, policy);
        let colliding = with_colliding_hashes(|| history(log, contract, policy));
        assert!(plain == colliding, "{what} under {policy:?}");
        last = Some(plain);
    }
    last.unwrap()
}

/// Every sample, under the contract beside it.
#[test]
fn samples_come_out_the_same_where_hashes_collide() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let mut seen = 0;
    for folder in [folder.join("cases"), folder] {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path
                .extension()
                .is_some_and(|extension| extension == "jsonl")
            {
                let contract = load(None, Some(&path)).unwrap();
                assert_same(
                    &fs::read(&path).unwrap(),
                    &contract,
                    &path.display().to_string(),
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 10, "{seen} samples");
}

/// Many aggregates and ids at once, with all that tables are asked for: repeats, reused ids, gaps,
/// rivals for a version, refused envelopes that a later apply explains, odd spellings, orders.
fn crowd() -> String {
    let mut log = String::new();
    let mut random = 1u64;
    for number in 0..700u64 {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(number | 1);
        let pick = |from: u64, below: u64| (random >> from) % below;
        let (order, version, note) = (pick(10, 25), 1 + pick(20, 5), pick(48, 3));
        let spelling = if pick(30, 30) == 0 { "Order" } else { "order" };
        let source = if pick(33, 3) == 0 { "WEB" } else { "web" };
        let id = if pick(36, 6) == 0 {
            pick(40, 20)
        } else {
            order * 10 + version
        };
        let context = if pick(44, 9) == 0 { "0.3" } else { "1.0" };
        match pick(52, 40) {
            0 => writeln!(
                log,
                r#"{{"refusal":{{"orderId":"order-{order}","orderVersion":{version},"reason":"r{id}"}}}}"#
            ),
            1 => writeln!(
                log,
                r#"{{"order":{{"id":"order-{order}","status":"paid","version":{version}}}}}"#
            ),
            _ => writeln!(
                log,
                concat!(
                    r#"{{"event":{{"specversion":"{}","id":"e{}","source":"urn:checkout:{}","#,
                    r#""type":"com.example.order.status.changed","subject":"{}-{}","data":"#,
                    r#"{{"schemaVersion":1,"orderId":"{}-{}","orderVersion":{},"#,
                    r#""status":"accepted","note":{}}}}}}}"#
                ),
                context, id, source, spelling, order, spelling, order, version, note
            ),
        }
        .unwrap();
    }
    log
}

#[test]
fn a_crowd_comes_out_the_same_where_hashes_collide() {
    let log = crowd();
    let history = assert_same(log.as_bytes(), &load(None, None).unwrap(), "a crowd");
    for state in [
        State::Applied,
        State::Deferred,
        State::DuplicateSuppressed,
        State::SameVersionRejected,
        State::Rejected,
        State::ManualReview,
    ] {
        assert!(history.state_sign(state).is_some(), "{state:?}");
    }
    for code in [
        FindingCode::EventIdReused,
        FindingCode::DeferredVersionConflict,
        FindingCode::SameFactNewId,
        FindingCode::NearMissAggregate,
        FindingCode::NearMissSource,
    ] {
        assert!(history.finding_sign(code).is_some(), "{code:?}");
    }
    assert!(history.replay_sign().is_some());
    assert!(history.evidence_counts(history.last_step()).resolved > 0);
    let without_versions = LoadedContract {
        contract: crate::contract::Contract {
            version: None,
            ..load(None, None).unwrap().contract.as_ref().clone()
        }
        .into(),
        ..load(None, None).unwrap()
    };
    let history = assert_same(
        log.as_bytes(),
        &without_versions,
        "a crowd without versions",
    );
    assert!(history.finding_sign(FindingCode::SameFactNewId).is_some());
}
