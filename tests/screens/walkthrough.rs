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

#[test]
fn a_capture_opens_with_what_is_to_review() {
    for (columns, rows) in SIZES {
        let person = Person::opens(&Opening::capture(columns, rows));
        insta::assert_snapshot!(format!("capture_{columns}x{rows}"), person.sees());
    }
}

#[test]
fn behind_the_curtain() {
    for (columns, rows) in SIZES {
        let opening = Opening {
            curtain: true,
            ..Opening::walkthrough(columns, rows)
        };
        let mut person = Person::opens(&opening);
        person.presses(":12\n");
        insta::assert_snapshot!(format!("curtain_before_{columns}x{rows}"), person.sees());
        person.presses(">>>>>>>");
        insta::assert_snapshot!(format!("curtain_between_{columns}x{rows}"), person.sees());
        person.presses(">>");
        insta::assert_snapshot!(format!("curtain_after_{columns}x{rows}"), person.sees());
    }
}

#[test]
fn stage_by_stage_the_effect_comes_last() {
    snapshots("stages_before_apply", ":11\n.<<");
}

#[test]
fn marking() {
    snapshots("mark_form", "em");
    snapshots("mark_written", ":15\nm↓↓two writers\tanna");
    snapshots("marked", ":15\nm↓↓↓↓two writers\tanna\n");
}

#[test]
fn a_version_that_is_missing() {
    snapshots("never_seen", ":24\nm");
}

#[test]
fn focus() {
    snapshots("focus", ":18\na");
}

#[test]
fn bytes_of_a_torn_line() {
    snapshots("bytes", ":23\nR");
    snapshots("unreadable", ":23\n");
}

#[test]
fn the_keys() {
    snapshots("help", "?");
}

#[test]
fn the_event_opens() {
    snapshots("event", ":12\n\njjjjjj");
}

#[test]
fn a_typing_mistake_stays_where_it_was_made() {
    snapshots("mistake", ":order order-99\n");
}
