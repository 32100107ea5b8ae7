//! Faults of the screen that somebody found, each by its name.

use replayscope::app::{Banner, Message};

use super::desk::{Opening, Person};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 36), (300, 100)];

fn walkthrough(columns: u16, rows: u16) -> Person {
    Person::opens(&Opening::walkthrough(columns, rows))
}

#[track_caller]
fn sees(person: &Person, text: &str) {
    assert!(person.sees_line(text), "wanted {text:?}\n{}", person.sees());
}

#[track_caller]
fn sees_not(person: &Person, text: &str) {
    assert!(
        !person.sees_line(text),
        "{text:?} is there\n{}",
        person.sees()
    );
}

/// A capture of one order, a delivery a time.
fn deliveries(times: &[&str]) -> String {
    let line = |(index, time): (usize, &&str)| {
        let version = index + 1;
        let received = if time.is_empty() {
            String::new()
        } else {
            format!(r#""receivedAt":"{time}","#)
        };
        format!(
            r#"{{{received}"event":{{"specversion":"1.0","id":"e{version}","source":"urn:checkout:orders","type":"com.example.order.status.changed","subject":"o","data":{{"schemaVersion":1,"orderId":"o","orderVersion":{version},"status":"paid"}}}}}}"#
        )
    };
    let lines: Vec<String> = times.iter().enumerate().map(line).collect();
    lines.join("\n")
}

#[test]
fn what_needs_a_person_is_in_sight_at_every_size() {
    for (columns, rows) in SIZES {
        let mut person = walkthrough(columns, rows);
        for (keys, told) in [
            (":4\n", "warning same-fact-new-id (r2)"),
            (":14\n", "warning same-fact-new-id"),
            (":15\n", "only a person's mark"),
        ] {
            person.presses(keys);
            sees(&person, told);
        }
    }
}

#[test]
fn a_pane_says_what_it_hides_above_and_below() {
    let mut person = walkthrough(80, 24);
    person.presses(":15\n");
    let screen = person.sees();
    let title = screen.lines().nth(1).unwrap();
    assert!(
        title.contains("above +") && title.contains(" below"),
        "{screen}"
    );
    person.presses("\n");
    sees(&person, "Event r15");
    let event = person.sees();
    let title = event.lines().nth(1).unwrap();
    assert!(title.contains("above") || title.contains("below") || event.contains("note:"));
    person.presses("qgg");
    sees(&person, "below");
}

#[test]
fn the_deciding_words_of_an_outcome_are_never_cut() {
    for (columns, rows) in [(120, 36), (200, 50), (300, 100)] {
        let person = walkthrough(columns, rows);
        for told in [
            "waits for v2",
            "schema-version-not-accepted",
            "malformed-json",
            "unknown-reason",
            "source-outside-o",
        ] {
            sees(&person, told);
        }
    }
    let mut person = walkthrough(300, 100);
    person.presses(":9\n");
    let screen = person.sees();
    let column = screen
        .lines()
        .nth(1)
        .unwrap()
        .chars()
        .position(|c| c == '┬');
    assert!(column.unwrap() > 100, "{screen}");
}

#[test]
fn a_mark_leaves_the_outcome_its_words() {
    let mut person = walkthrough(120, 36);
    person.presses(":15\nm5two writers\tanna\n");
    let screen = person.sees();
    let row = screen
        .lines()
        .find(|line| line.starts_with("›r15"))
        .unwrap();
    assert!(row.contains("'09:01:06"), "{row}");
    assert!(row.contains("same version as r9"), "{row}");
}

#[test]
fn a_title_shortens_our_words_before_a_name() {
    let mut person = walkthrough(120, 36);
    person.presses(":15\n");
    sees(&person, "3/4, order-417 ");
}

#[test]
fn a_time_is_looked_for_on_the_nearest_known_day() {
    let log = deliveries(&[
        "2026-03-01T09:00:00Z",
        "2026-03-01T09:00:07Z",
        "2026-03-01T09:00:08Z",
        "",
        "2026-03-02T08:00:00Z",
        "2026-03-02T09:30:00Z",
    ]);
    let mut person = Person::opens_bytes(log.as_bytes(), "o.jsonl", &Opening::capture(80, 24));
    person.presses(":4\n:09:00:08\n");
    sees(&person, "r3 is the first received at 09:00:08 or later");
    person.presses(":6\n:2026-03-01T09:00:01\n");
    sees(
        &person,
        "r2 is the first received at 2026-03-01 09:00:01 or later",
    );
    person.presses(":2026-03-02 09:00\n");
    sees(&person, "r6 is the first received");
}

#[test]
fn a_new_day_is_seen_in_the_list() {
    let log = deliveries(&[
        "2026-03-01T23:59:00Z",
        "2026-03-01T23:59:30Z",
        "2026-03-02T09:00:00Z",
        "2026-03-02T09:00:08Z",
    ]);
    let person = Person::opens_bytes(log.as_bytes(), "o.jsonl", &Opening::capture(80, 24));
    sees(&person, "2026-03-01 UTC");
    sees(&person, "r3   03-02 09:00");
    sees(&person, "r4   09:00:08");
    // One day needs no date.
    let person = walkthrough(80, 24);
    sees_not(&person, "2026-");
}

#[test]
fn a_replay_says_whose_caption_it_shows() {
    for (columns, rows) in SIZES {
        let mut person = walkthrough(columns, rows);
        person.presses(":s13\n");
        sees(&person, "r9's own note, from when it was delivered: ");
    }
}

#[test]
fn a_capture_without_records_says_so() {
    for (columns, rows) in SIZES {
        let mut person = Person::opens_bytes(b"", "o.jsonl", &Opening::capture(columns, rows));
        for keys in ["", ".", "e"] {
            person.presses(keys);
            sees(&person, "This capture has no records.");
            sees(&person, "Check that it is the file");
            sees_not(&person, "routine,");
            sees_not(&person, "Reading the record");
        }
    }
}

#[test]
fn what_resolves_a_deferral_names_what_released_it() {
    let mut person = walkthrough(120, 36);
    person.presses(":9\n");
    sees(
        &person,
        "replayed at step 13, released by r12; gd goes there",
    );
    let screen = person.sees();
    let footer = screen.lines().last().unwrap();
    assert!(
        footer.contains("gd cause  gr replay  w next routine"),
        "{footer}"
    );
    person.presses(":2\n");
    let screen = person.sees();
    assert!(
        !screen.lines().last().unwrap().contains("gd cause"),
        "{screen}"
    );
    sees(&person, "replay: nothing waited");
}

#[test]
fn the_way_forward_ends_at_its_own_end() {
    let mut person = walkthrough(80, 24);
    person.presses(")");
    sees(&person, "there is no place to go forward to");
}

#[test]
fn a_place_that_is_none_is_said() {
    let mut person = walkthrough(80, 24);
    person.presses(":s9999\n");
    sees(&person, "step 31, since there is no step 9999");
    person.presses(":99999999999999\n");
    sees(&person, "since there is no record of so large a number");
}

#[test]
fn the_value_of_a_row_is_its_id() {
    let mut person = walkthrough(80, 24);
    person.presses(":10\n*");
    sees(&person, "evt-500-1");
}

#[test]
fn a_key_that_means_nothing_says_so() {
    let mut person = walkthrough(80, 24);
    person.presses("x");
    sees(&person, "no such key; ? lists them");
    person.presses("gx");
    sees(&person, "no such key; ? lists them");
}

#[test]
fn a_colon_after_a_mistake_begins_anew() {
    let mut person = walkthrough(80, 24);
    person.presses(":nonsense\n");
    sees(&person, "expected a record (120)");
    person.presses(":7\n");
    sees(&person, "step 7/31");
}

#[test]
fn both_ways_around_the_end_are_said() {
    let mut person = walkthrough(80, 24);
    person.presses("Ge");
    sees(&person, "wrapped: first to review");
    person.presses("Gw");
    sees(&person, "wrapped: routine");
}

#[test]
fn the_key_of_a_cause_never_stands_alone() {
    for (columns, rows) in SIZES {
        let mut person = walkthrough(columns, rows);
        for _ in 0..31 {
            let screen = person.sees();
            let alone = |line: &str| line.split('│').any(|part| part.trim() == "gd");
            assert!(!screen.lines().any(alone), "{screen}");
            person.presses(".");
        }
    }
}

#[test]
fn help_says_how_to_scroll_and_how_much() {
    let mut person = walkthrough(80, 24);
    person.presses("?");
    sees(&person, "Keys, j/k scroll, ");
}

#[test]
fn what_cannot_be_unfolded_says_why() {
    // Docker's line of no JSON, and an event that no pane unfolds.
    let note = r#"{"log":"WARN x\n","stream":"stderr","time":"2026-03-02T09:00:03Z"}"#;
    for (bytes, told) in [
        (
            note.to_owned(),
            "What is inside is no JSON to unfold: R shows the record's bytes.",
        ),
        (
            "{no".to_owned(),
            "This record is no JSON: R shows its bytes.",
        ),
        (
            deliveries(&[""]).replace("\"paid\"", &format!("\"{}\"", "x".repeat(5 << 20))),
            "This record is too large to unfold here: R shows its bytes.",
        ),
    ] {
        let mut person =
            Person::opens_bytes(bytes.as_bytes(), "o.jsonl", &Opening::capture(80, 24));
        person.presses("gg\n");
        sees(&person, told);
    }
}

#[test]
fn why_nothing_is_inside_a_wrapper_is_in_sight() {
    let cut = r#"{"log":"{\"specversion\":","stream":"stdout","time":"2026-03-02T09:00:03Z"}"#;
    for (columns, rows) in SIZES {
        let mut person =
            Person::opens_bytes(cut.as_bytes(), "o.jsonl", &Opening::capture(columns, rows));
        person.presses(".gg");
        sees(&person, "docker cut the line into pieces");
    }
}

#[test]
fn what_is_to_review_is_said_before_all_is_read() {
    let log = deliveries(&["", "", ""]).replace("\"o\",\"orderVersion\"", "\"\",\"orderVersion\"");
    for columns in [80, 120] {
        let opening = Opening::capture(columns, 36);
        let mut person = Person::sits_down(log.as_bytes(), "o.jsonl", &opening);
        person.reads_all_but_the_end();
        sees(&person, "3 to review so far, e goes to the first");
        sees_not(&person, "Nothing to review");
    }
}

#[test]
fn a_notice_that_is_cut_is_whole_in_the_view_of_the_contract() {
    let way_out = "open it with --reverse";
    let words = format!("{way_out}: {}the end of it", "so it is said. ".repeat(9));
    for columns in [80, 120] {
        let mut person = walkthrough(columns, 24);
        person.learns(Message::Banner(Banner::Capture, Some(words.clone())));
        sees(&person, &format!("CAPTURE {way_out}"));
        sees(&person, "6 shows it all");
        sees_not(&person, "the end of it");
        person.presses("6");
        sees(&person, "the end of it");
        person.learns(Message::Banner(Banner::Capture, None));
        sees_not(&person, "the end of it");
        sees_not(&person, "6 shows it all");
    }
}

#[test]
fn the_lines_of_a_pretty_record_are_lines() {
    let event: serde_json::Value = serde_json::from_str(&deliveries(&[""])).unwrap();
    let pretty = serde_json::to_string_pretty(&event).unwrap();
    let pretty = pretty.replace("\"paid\"", "\"pa\u{202e}id\"");
    for (columns, rows) in SIZES {
        let opening = Opening::capture(columns, rows);
        let mut person = Person::opens_bytes(pretty.as_bytes(), "o.json", &opening);
        person.presses("ggR");
        sees(&person, r#"    "specversion": "1.0","#);
        sees(&person, r"\u{202e}");
        sees_not(&person, r"\u{a}");
    }
}
