//! What of a capture is no record, and which of several files a record is in.

use std::fs::File;
use std::io::Write as _;

use replayscope::capture::{Files, Input};

use super::desk::{Opening, Person};

/// kcat's lines between two records, one of which tries to steer the terminal.
fn noisy() -> String {
    let record = |id: &str, version: u32| {
        format!(
            r#"{{"specversion":"1.0","id":"{id}","source":"urn:checkout:orders","type":"com.example.order.status.changed","subject":"order-417","time":"2026-03-02T09:00:00Z","data":{{"schemaVersion":1,"orderId":"order-417","orderVersion":{version},"status":"paid"}}}}"#
        )
    };
    format!(
        "% Reached end of topic orders [0] at offset 3\n{}\n\n% Reached end of topic \u{1b}[2Jorders [1] at offset 7: exiting\n{{\"Messages\":[]}}\n{}\nProcessed a total of 2 messages\n",
        record("evt-a1", 1),
        record("evt-a2", 2)
    )
}

#[test]
fn noise_is_counted_where_the_capture_is_summed_up_and_listed_on_demand() {
    for (columns, rows) in [(80, 24), (120, 36)] {
        let opening = Opening::capture(columns, rows);
        let mut person = Person::opens_bytes(noisy().as_bytes(), "orders.jsonl", &opening);
        assert!(person.sees_line("3 noise lines"), "{}", person.sees());
        assert!(person.sees_line(":noise lists them"), "{}", person.sees());
        insta::assert_snapshot!(format!("noise_opened_{columns}x{rows}"), person.sees());
        person.presses(":noise\n");
        assert!(!person.sees().contains('\u{1b}'));
        insta::assert_snapshot!(format!("noise_{columns}x{rows}"), person.sees());
        person.presses("q");
        assert!(!person.sees_line("What is no record"), "{}", person.sees());
    }
}

#[test]
fn without_noise_nothing_is_said_until_it_is_asked_for() {
    let mut person = Person::opens(&Opening::walkthrough(80, 24));
    assert!(!person.sees_line("noise line"), "{}", person.sees());
    person.presses(":noise\n");
    assert!(person.sees_line("no noise lines"), "{}", person.sees());
    assert!(
        person.sees_line("it holds records alone"),
        "{}",
        person.sees()
    );
}

#[test]
fn of_several_files_the_one_that_a_record_is_in_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let text = noisy();
    let (first, second) = text.split_at(text.find("\n\n").unwrap());
    let inputs = [("monday.jsonl", first), ("tuesday.jsonl", second)].map(|(name, text)| {
        let path = folder.path().join(name);
        File::create(&path)
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
        Input::open(&path).unwrap()
    });
    let files = Files::new(inputs.into());
    let mut person = Person::sits_before(files, "orders.jsonl", &Opening::capture(120, 36));
    person.reads_all();
    person.presses(":2\n");
    assert!(
        person.sees_line("r2, line 5 of tuesday.jsonl"),
        "{}",
        person.sees()
    );
    assert!(person.sees_line("in file "), "{}", person.sees());
    person.presses(":1\n");
    assert!(
        person.sees_line("r1, line 2 of monday.jsonl"),
        "{}",
        person.sees()
    );
    person.presses(":noise\n");
    assert!(person.sees_line("tuesday.jsonl"), "{}", person.sees());
}
