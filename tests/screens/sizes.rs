//! Every size is survived, whatever is open and however wide the capture's characters are.

use replayscope::app::{Banner, Message};

use super::desk::{Opening, Person};

/// Ids of wide characters, marks and escapes, so that edges fall everywhere.
const WIDE: &str = r#"{"event":{"specversion":"1.0","id":"漢字漢字漢字漢字漢字","source":"urn:checkout:orders","type":"com.example.order.status.changed","subject":"注文\u0007\u001b[2J注文","data":{"schemaVersion":1,"orderId":"注文\u0007\u001b[2J注文","orderVersion":1,"status":"accepted"}},"note":"\u202eכיוון 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字"}
{"event":{"specversion":"1.0","id":"e\u0301","source":"urn:checkout:orders","type":"com.example.order.status.changed","subject":"注文\u0007\u001b[2J注文","data":{"schemaVersion":1,"orderId":"注文\u0007\u001b[2J注文","orderVersion":3,"status":"paid"}}}
{"order":{"id":"注文\u0007\u001b[2J注文","status":"漢\\字","version":1}}
{"not json
"#;

/// What can be open: keys that lead there.
const STATES: [&str; 18] = [
    "",
    "e",
    "?",
    "R",
    "em",
    ":order \u{3053}\u{3093}",
    "\t\tjj",
    "\n",
    "\t\t\tz",
    "a,<",
    "2s",
    "2\n",
    "3j\nj",
    "3j\njm",
    "4jj",
    "5j",
    "5\tjj",
    "6\t",
];

#[test]
fn no_size_is_too_small_or_too_large() {
    for state in STATES {
        let mut person =
            Person::opens_bytes(WIDE.as_bytes(), "漢字.jsonl", &Opening::capture(80, 24));
        person.learns(Message::Banner(
            Banner::Fit,
            Some("漢字 \u{1b}[2J fits badly".to_owned()),
        ));
        person.presses(state);
        for columns in (0..=122).step_by(3).chain([39, 40, 41, 79, 80, 99, 100]) {
            for rows in (0..=50).step_by(4).chain([1, 9, 10, 11, 23]) {
                person.resizes(columns, rows);
                let screen = person.sees();
                assert_eq!(screen.lines().count(), usize::from(rows));
                assert!(
                    !screen.contains('\u{1b}') && !screen.contains('\u{7}'),
                    "{state}"
                );
            }
        }
    }
}

/// Draws what these keys lead to at every size up to 120×50.
fn at_every_size(keys: &[&str]) {
    for keys in keys {
        let mut person =
            Person::opens_bytes(WIDE.as_bytes(), "漢字.jsonl", &Opening::capture(80, 24));
        person.presses(keys);
        for columns in 0..=120 {
            for rows in 0..=50 {
                person.resizes(columns, rows);
                person.sees();
            }
        }
    }
}

#[test]
fn the_steps_at_every_size() {
    at_every_size(&["", "e"]);
}

#[test]
fn the_aggregates_and_a_timeline_at_every_size() {
    at_every_size(&["2", "2\n"]);
}

#[test]
fn the_evidence_and_the_owner_at_every_size() {
    at_every_size(&["3", "4"]);
}

#[test]
fn the_guide_and_the_contract_at_every_size() {
    at_every_size(&["5", "6"]);
}

#[test]
fn an_empty_capture_has_a_screen() {
    let mut person = Person::opens_bytes(b"", "empty.jsonl", &Opening::capture(80, 24));
    for keys in [
        "e", "E", ".", ",", ">", "<", "gd", "gr", "a", "m", "o", "\n", "R\u{1b}", "G", "gg",
        "/x\n", ":7\n",
    ] {
        person.presses(keys);
        assert!(person.sees_line("step 0/0"), "{keys}\n{}", person.sees());
    }
}

#[test]
fn too_small_says_so() {
    let person = Person::opens(&Opening::walkthrough(30, 9));
    assert!(person.sees_line("30x9 is too small"), "{}", person.sees());
}

#[test]
fn another_size_keeps_the_cursor_in_sight() {
    let mut person = Person::opens(&Opening::walkthrough(80, 24));
    person.presses(":15\n");
    for (columns, rows) in [(120, 36), (40, 10), (100, 12), (80, 24), (1, 1), (80, 50)] {
        person.resizes(columns, rows);
        if rows > 9 {
            let row = person
                .sees()
                .lines()
                .find(|line| line.starts_with("›r15 *"))
                .map(str::to_owned);
            assert!(row.is_some(), "{columns}x{rows}\n{}", person.sees());
        }
    }
}
