//! The built-in incident, at the moments that people are led to.

use super::desk::{Opening, Person};

const SIZES: [(u16, u16); 2] = [(80, 24), (120, 36)];

fn snapshots(name: &str, keys: &str) {
    for (columns, rows) in SIZES {
        let mut person = Person::opens(&Opening::walkthrough(columns, rows));
        person.presses(keys);
        insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), person.sees());
    }
}

#[test]
fn it_opens_at_the_first_step() {
    snapshots("start", "");
}

#[test]
fn a_gap() {
    snapshots("gap", ":9\n");
}

#[test]
fn a_replay() {
    snapshots("replay", ":12\n.");
}

#[test]
fn a_duplicate() {
    snapshots("duplicate", ":3\n");
}

#[test]
fn a_conflict() {
    snapshots("conflict", ":15\n");
}

#[test]
fn a_contract_update() {
    snapshots("contract_update", ":18\n");
}

#[test]
fn a_manual_review() {
    snapshots("manual_review", ":6\n");
}

#[test]
fn the_end() {
    snapshots("end", "G");
}
