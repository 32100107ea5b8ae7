//! Filters, searches and what is copied or explained: from the keys to the screen.

use replayscope::app::Message;

use super::desk::{Opening, Person};

const SIZES: [(u16, u16); 2] = [(80, 24), (120, 36)];

fn snapshots(name: &str, keys: &str) {
    for (columns, rows) in SIZES {
        let mut person = Person::opens(&Opening::walkthrough(columns, rows));
        person.presses(keys);
        insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), person.sees());
    }
}

fn filtered(filter: &str) -> Person {
    let mut person = Person::opens(&Opening::walkthrough(80, 24));
    person.presses(&format!("&{filter}\n"));
    person
}

/// The records of the rows that are listed.
fn listed(person: &mut Person) -> Vec<String> {
    person.presses("z");
    let screen = person.sees();
    person.presses("z");
    let rows = screen.lines().skip(2);
    rows.filter_map(|row| {
        let record = row
            .trim_start_matches(['›', ' '])
            .split([' ', '*'])
            .next()?;
        record.starts_with('r').then(|| record.to_owned())
    })
    .filter(|record| record.trim_start_matches('r').parse::<u32>().is_ok())
    .collect()
}

#[test]
fn a_filter_on_and_suspended() {
    snapshots("filter_on", "&state:deferred,duplicate\n");
    snapshots("filter_suspended", "&state:deferred\nF");
    snapshots("filter_empty", "&state:deferred aggregate:nobody\n");
}

#[test]
fn a_filter_as_it_is_typed() {
    snapshots("filter_mistake", "&state:applied finding:nonsense x\n");
    snapshots("filter_completion", "&state:compensation");
    snapshots("filter_fresh", "&");
}

#[test]
fn every_kind_of_test_finds_its_steps() {
    for (filter, records) in [
        ("state:deferred-version-gap", 3),
        ("aggregate:order-502", 3),
        ("reason:unknown-*", 1),
        ("open", 10),
        ("finding:same-fact-new-id", 2),
        ("finding:review-still", 1),
    ] {
        let mut person = filtered(filter);
        let found = listed(&mut person);
        assert_eq!(
            found.len(),
            records,
            "{filter}: {found:?}\n{}",
            person.sees()
        );
    }
    let mut person = filtered("evt-417-2");
    assert!(listed(&mut person).contains(&"r12".to_owned()));
    let mut person = filtered("id:evt-417-2");
    assert!(listed(&mut person).contains(&"r12".to_owned()));
    let mut person = filtered("-id:*");
    let nameless = listed(&mut person);
    assert!(!nameless.is_empty() && !nameless.contains(&"r12".to_owned()));
    let mut person = filtered("after:09:00:44 before:09:00:46");
    let timed = listed(&mut person);
    assert!(!timed.is_empty() && timed.len() < 10, "{timed:?}");
}

#[test]
fn motions_go_over_what_is_shown_and_states_come_from_all() {
    let mut person = filtered("state:deferred");
    let all = listed(&mut person);
    person.presses("gg");
    let first = person.sees();
    assert!(
        first
            .lines()
            .any(|line| line.starts_with(&format!("›{}", all[0])))
    );
    // The ledger is as of the step, not of what is shown.
    assert!(person.sees_line("Ledger"));
    for record in &all[1..] {
        person.presses(".");
        let on_it = |line: &str| line.starts_with(&format!("›{record}"));
        assert!(
            person.sees().lines().any(on_it),
            "{record}\n{}",
            person.sees()
        );
    }
    person.presses(".");
    assert!(person.sees_line("this is the last step"));
    person.presses("e");
    assert!(person.sees_line("to review"), "{}", person.sees());
}

#[test]
fn a_jump_outside_suspends_the_filter_and_says_so() {
    let mut person = filtered("state:deferred");
    person.presses(":2\n");
    assert!(person.sees_line("outside of the filter, which is suspended (F)"));
    person.presses("F");
    assert!(person.sees_line("-- filter: state:deferred (F)"));
    person.presses("&\u{15}");
    person.key(
        crossterm::event::KeyCode::Char('u'),
        crossterm::event::KeyModifiers::CONTROL,
    );
    person.presses("\n");
    assert!(
        person.sees_line("no filter: everything is shown"),
        "{}",
        person.sees()
    );
    assert!(person.sees_line("Steps 31/31"));
}

#[test]
fn a_filter_within_a_focus() {
    let mut person = Person::opens(&Opening::walkthrough(80, 24));
    person.presses(":9\na&state:applied\n");
    let found = listed(&mut person);
    assert!(!found.is_empty(), "{}", person.sees());
    person.presses("a");
    assert!(listed(&mut person).len() > found.len());
}

#[test]
fn behind_the_curtain_a_filter_tells_no_outcome() {
    let opening = Opening {
        curtain: true,
        ..Opening::walkthrough(120, 36)
    };
    let mut person = Person::opens(&opening);
    person.presses("&state:deferred\n");
    assert!(person.sees_line("the curtain hides"), "{}", person.sees());
    person.presses("\u{1b}&aggregate:order-417\n");
    assert!(person.sees_line("-- filter: aggregate:order-417"));
    // One that was set before is suspended as the curtain falls.
    let mut person = filtered("state:deferred");
    person.presses(":curtain\n");
    assert!(!person.sees_line("deferred, waits"), "{}", person.sees());
}

#[test]
fn tab_goes_through_names_and_up_calls_back() {
    let mut person = Person::opens(&Opening::walkthrough(80, 24));
    person.presses("&sta\tdup\t");
    assert!(person.sees_line("filter: state:duplicate-or-replay-suppressed"));
    person.presses("\n&");
    person.key(
        crossterm::event::KeyCode::Char('u'),
        crossterm::event::KeyModifiers::CONTROL,
    );
    person.presses("state:compensation\t");
    assert!(
        person.sees_line("state:compensation-recorded"),
        "{}",
        person.sees()
    );
    person.presses("\t");
    assert!(person.sees_line("filter: state:compensation-already-recorded"));
    person.presses("\u{1b}/evt-500\n/evt-417\n/");
    for (key, expected) in [
        (crossterm::event::KeyCode::Up, "/evt-417"),
        (crossterm::event::KeyCode::Up, "/evt-500"),
        (crossterm::event::KeyCode::Up, "/evt-500"),
        (crossterm::event::KeyCode::Down, "/evt-417"),
    ] {
        person.key(key, crossterm::event::KeyModifiers::NONE);
        assert!(person.sees_line(expected), "{expected}\n{}", person.sees());
    }
}

#[test]
fn a_search_says_which_of_how_many() {
    let mut person = Person::opens(&Opening::walkthrough(80, 24));
    person.presses("/evt-500\n");
    assert!(
        person.sees_line("1 of 7: found evt-500"),
        "{}",
        person.sees()
    );
    person.presses("n");
    assert!(
        person.sees_line("2 of 7: found evt-500"),
        "{}",
        person.sees()
    );
    person.presses("nnnnnn");
    assert!(
        person.sees_line("1 of 7: found evt-500, wrapped"),
        "{}",
        person.sees()
    );
    // Under a filter only what it shows is gone through.
    person.presses("gg&aggregate:order-500 state:applied\n/evt-500\n");
    assert!(
        person.sees_line("2 of 5: found evt-500"),
        "{}",
        person.sees()
    );
    person.presses("N");
    assert!(
        person.sees_line("1 of 5: found evt-500"),
        "{}",
        person.sees()
    );
    person.presses("N");
    assert!(
        person.sees_line("5 of 5: found evt-500, wrapped"),
        "{}",
        person.sees()
    );
}

#[test]
fn what_is_copied_is_said_and_runs_nothing() {
    let mut person = Person::opens(&Opening::walkthrough(120, 36));
    person.presses(":12\nyi");
    assert_eq!(person.copied(), Some("urn:checkout:orders evt-417-2"));
    assert!(person.sees_line("to clipboard, if taken: urn:checkout:orders evt-417-2"));
    person.presses("yp");
    assert!(person.sees_line("Enter opens it"));
    person.presses("\njyp");
    assert_eq!(
        person.copied(),
        Some("/event/specversion"),
        "{}",
        person.sees()
    );
    person.presses("yy");
    assert_eq!(person.copied(), Some("1.0"));
    let mut person = Person::opens(&Opening::walkthrough(120, 36));
    person.presses(":12\nyy");
    assert!(person.copied().is_some_and(|text| text.starts_with("r12")));
    let evil = r#"{"event":{"specversion":"1.0","id":"a\nrm -rf \u001b","source":"urn:checkout:orders","type":"t"}}"#;
    let mut person = Person::opens_bytes(evil.as_bytes(), "e", &Opening::capture(80, 24));
    person.presses("yi");
    let copied = person.copied().unwrap();
    assert!(!copied.contains(['\n', '\u{1b}']), "{copied:?}");
    assert!(person.sees_line("escaped"), "{}", person.sees());
}

#[test]
fn before_and_after() {
    snapshots("before_after", ":12\nd");
    snapshots("before_after_replay", ":s13\nd");
    let mut person = Person::opens(&Opening::walkthrough(80, 24));
    person.presses(":3\nd");
    assert!(
        person.sees_line("This step changed nothing here."),
        "{}",
        person.sees()
    );
}

#[test]
fn the_rule_behind_a_verdict() {
    snapshots("rule", ":15\nK");
    snapshots("rule_refused", ":18\nK");
    let mut person = Person::opens(&Opening::walkthrough(80, 24));
    person.presses("K\u{1b}");
    assert!(person.sees_line("Ledger"));
}

#[test]
fn a_report_is_asked_for_by_name() {
    let mut person = Person::opens(&Opening::walkthrough(80, 24));
    person.presses(":export report.pdf\n");
    assert!(person.sees_line("ending in .md"), "{}", person.sees());
    person.presses("\u{1b}:export report.html\n");
    assert!(person.sees_line("report.html is written"));
}

#[test]
fn a_list_that_is_read_again_shows_the_same() {
    let mut person = Person::opens(&Opening::walkthrough(80, 24));
    person.presses(":12\n");
    let before = person.sees();
    person.learns(Message::Reread);
    assert_eq!(person.sees(), before);
}
