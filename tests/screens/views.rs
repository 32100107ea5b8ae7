//! The views beside the steps: what each shows, where its rows lead, and the ways back.

use super::desk::{Opening, Person};

const SIZES: [(u16, u16); 2] = [(80, 24), (120, 36)];

const CONSISTENCY: &[u8] = include_bytes!("../../samples/consistency.jsonl");

fn snapshots(name: &str, keys: &str) {
    for (columns, rows) in SIZES {
        let mut person = Person::opens(&Opening::capture(columns, rows));
        person.presses(keys);
        insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), person.sees());
    }
}

fn of_consistency(name: &str, keys: &str) {
    for (columns, rows) in SIZES {
        let opening = Opening::capture(columns, rows);
        let mut person = Person::opens_bytes(CONSISTENCY, "consistency.jsonl", &opening);
        person.presses(keys);
        insta::assert_snapshot!(
            format!("consistency_{name}_{columns}x{rows}"),
            person.sees()
        );
    }
}

#[test]
fn aggregates() {
    snapshots("aggregates", "2");
    of_consistency("aggregates", "2");
}

#[test]
fn a_timeline() {
    snapshots("timeline", "2jj\n");
    of_consistency("timeline", "2\n");
}

#[test]
fn evidence() {
    snapshots("evidence", "3jj\n\tk");
    of_consistency("evidence", "3j\nj");
}

#[test]
fn evidence_with_marks() {
    snapshots(
        "evidence_marked",
        ":15\nm5two writers\tanna\n:24\nm2\t\t\n3\tj",
    );
}

#[test]
fn owner() {
    snapshots("owner", "4j");
    of_consistency("owner", "4j");
}

#[test]
fn guide() {
    snapshots("guide", "5");
    of_consistency("guide", "5");
}

#[test]
fn readiness() {
    snapshots("readiness", "5\t");
    of_consistency("readiness", "5\t");
}

#[test]
fn contract() {
    snapshots("contract", "6");
    snapshots("contract_text", "6\t\t");
}
