//! The ways that keys lead: to causes and back, through stages, into the form and out of it.

use replayscope::app::{Banner, Message};
use replayscope::model::Kind;

use super::desk::{Opening, Person};

fn walkthrough() -> Person {
    Person::opens(&Opening::walkthrough(80, 24))
}

#[track_caller]
fn at(person: &Person, record: &str) {
    let screen = person.sees();
    let row = screen
        .lines()
        .find(|line| line.starts_with('›') && line.contains(':'));
    assert!(
        screen
            .lines()
            .any(|line| line.starts_with('›') && line.contains(&format!("{record} "))),
        "{row:?}\n{screen}"
    );
}

#[test]
fn a_file_opens_at_its_end_and_e_goes_round() {
    let mut person = Person::opens(&Opening::capture(80, 24));
    assert!(person.sees_line("To review, by reason"));
    at(&person, "r30");
    person.presses("e");
    at(&person, "r4");
    assert!(!person.sees_line("To review, by reason"));
    person.presses("E");
    at(&person, "r25");
}

#[test]
fn any_key_takes_the_summary_away_and_still_does_what_it_does() {
    let mut person = Person::opens(&Opening::capture(80, 24));
    person.presses(",");
    at(&person, "r29");
    assert!(!person.sees_line("To review, by reason"));
}

#[test]
fn the_cause_of_a_deferral_is_who_brings_what_is_missing() {
    let mut person = walkthrough();
    person.presses(":9\ngd");
    at(&person, "r12");
    assert!(person.sees_line("brings the missing version"));
    person.presses("gr");
    assert!(person.sees_line("r9 was released"));
    person.presses("gd");
    at(&person, "r12");
    person.presses("((");
    at(&person, "r12");
    person.presses(")");
    assert!(person.sees_line("( goes back"));
}

#[test]
fn a_duplicate_leads_to_its_receipt_and_a_conflict_to_the_holder() {
    let mut person = walkthrough();
    person.presses(":3\ngd");
    at(&person, "r2");
    // The holder of version 3 was applied by its replay, not by its delivery.
    person.presses(":15\ngd");
    assert!(person.sees_line("› ") && person.sees_line("holds this version"));
    assert_eq!(person.kind_of(13), Some(Kind::Replay));
    assert!(person.sees_line("step 13/31"));
}

#[test]
fn a_second_press_shows_the_next_cause() {
    let refused = r#"{"event":{"specversion":"1.0","id":"e1","source":"urn:checkout:orders","type":"com.example.order.status.changed","subject":"o","data":{"schemaVersion":9,"orderId":"o","orderVersion":1,"status":"accepted"}}}"#;
    let waiting = refused
        .replace("\"e1\"", "\"e2\"")
        .replace("n\":9", "n\":1")
        .replace("orderVersion\":1", "orderVersion\":2");
    let log = format!("{refused}\n{refused}\n{waiting}\n");
    let mut person = Person::opens_bytes(log.as_bytes(), "o.jsonl", &Opening::capture(80, 24));
    person.presses("gd");
    assert!(person.sees_line("(1 of 2)"), "{}", person.sees());
    at(&person, "r1");
    person.presses("gd");
    at(&person, "r2");
    assert!(person.sees_line("(2 of 2)"));
    person.presses("gd");
    at(&person, "r1");
}

#[test]
fn stages_lead_from_step_to_step_and_back() {
    let mut person = walkthrough();
    person.presses(":2\n");
    let whole = person.sees();
    for _ in 0..9 {
        person.presses("<");
    }
    assert!(person.sees_line("step 1/31"), "{}", person.sees());
    person.presses(">");
    assert!(person.sees_line("step 2/31") && person.sees_line("no receipt yet"));
    for _ in 0..8 {
        person.presses(">");
    }
    assert_eq!(
        person.sees().lines().skip(6).take(15).collect::<Vec<_>>(),
        whole.lines().skip(6).take(15).collect::<Vec<_>>()
    );
}

#[test]
fn behind_the_curtain_nothing_is_told_too_early() {
    let opening = Opening {
        curtain: true,
        ..Opening::walkthrough(120, 36)
    };
    let mut person = Person::opens(&opening);
    for keys in ["e", "w", "gd"] {
        person.presses(keys);
        assert!(person.sees_line("record 1"), "{keys}\n{}", person.sees());
    }
    // A cause would tell what the third record comes to.
    person.presses(":3\ngd");
    assert!(person.sees_line("record 3") && person.sees_line("the curtain is drawn"));
    // What the ninth record comes to, in every word that could tell it.
    person.presses(":9\n");
    let tells = [
        "deferred",
        "VERSION",
        "waits for v2",
        "overtakes",
        "replay  ",
        "step 9/",
    ];
    for _ in 0..6 {
        let screen = person.sees();
        for told in tells {
            assert!(!screen.contains(told), "{told}\n{screen}");
        }
        person.presses(">");
    }
    person.presses(">");
    assert!(person.sees_line("deferred, waits for v2") && person.sees_line("overtakes"));
}

#[test]
fn focus_narrows_the_motions() {
    let mut person = walkthrough();
    person.presses(":18\na");
    assert!(person.sees_line("only order-502"));
    person.presses("gg");
    at(&person, "r17");
    person.presses("G");
    at(&person, "r19");
    person.presses(".");
    at(&person, "r19");
    person.presses("a");
    person.presses(".");
    at(&person, "r20");
}

#[test]
fn a_paste_never_acts_as_keys() {
    let mut person = walkthrough();
    person.pastes("order-500\nq\nq\n");
    assert!(!person.ended);
    assert!(person.sees_line(":order order-500"), "{}", person.sees());
    person.presses("\n");
    assert!(person.sees_line("only order-500"));
    at(&person, "r29");
}

#[test]
fn commands_go_to_places_and_say_what_they_expect() {
    let mut person = walkthrough();
    person.presses(":s13\n");
    assert!(person.sees_line("step 13/31"));
    person.presses(":r7\n");
    at(&person, "r7");
    person.presses(":09:00:44\n");
    at(&person, "r9");
    assert!(person.sees_line("r9 is the first received at 09:00:44 or later"));
    person.presses(":999\n");
    assert!(person.sees_line("since there is no r999"));
    person.presses(":nonsense\n");
    assert!(person.sees_line("expected a record (120)"));
    person.presses("\u{1b}:q\n");
    assert!(person.ended);
}

#[test]
fn searching_goes_on_and_back() {
    let mut person = walkthrough();
    person.presses("/evt-500\n");
    at(&person, "r10");
    person.presses("n");
    at(&person, "r16");
    person.presses("N");
    at(&person, "r10");
    person.presses("N");
    assert!(person.sees_line("found evt-500, wrapped"));
}

#[test]
fn a_note_survives_escape_and_another_size() {
    let mut person = walkthrough();
    person.presses(":15\nm↓↓↓half a no\u{1b}");
    assert!(person.sees_line("the note is kept"));
    person.resizes(120, 36);
    person.presses(".,m");
    assert!(
        person.sees_line("> note       half a no"),
        "{}",
        person.sees()
    );
    person.presses("te\tanna\n");
    assert!(person.sees_line("saved in o"), "{}", person.sees());
    assert!(person.sees_line("9 to review  1 marked"));
    person.presses("u");
    assert!(person.sees_line("10 to review"), "{}", person.sees());
    // Saved once, the draft is gone.
    person.presses("m");
    assert!(!person.sees_line("half a no"));
}

#[test]
fn a_mark_needs_a_name() {
    let mut person = walkthrough();
    person.presses(":15\nmwhy\n");
    assert!(person.sees_line("who marks?"));
    person.presses("bo\n");
    assert!(person.sees_line("saved in o"));
    // The name is remembered.
    person.presses(":14\nm");
    assert!(person.sees_line("your name  bo"));
}

#[test]
fn escape_never_quits_and_interrupt_does_at_last() {
    let mut person = walkthrough();
    person.presses("\u{1b}\u{1b}\u{1b}");
    assert!(!person.ended);
    person.presses("/x\u{3}");
    assert!(!person.ended);
    person.presses("\tz");
    person.presses("q");
    assert!(!person.ended, "q leaves the maximised pane first");
    person.presses("\u{3}");
    assert!(person.ended);
}

#[test]
fn enter_goes_where_a_line_leads() {
    let mut person = walkthrough();
    person.presses(":18\n\t\t\tjj");
    person.presses("\n");
    assert!(
        person.sees_line("step 18/31") || person.sees_line("you are there"),
        "{}",
        person.sees()
    );
}

#[test]
fn banners_stay_on_top() {
    let mut person = walkthrough();
    person.learns(Message::Banner(
        Banner::Fit,
        Some("9 of 10 refused".to_owned()),
    ));
    person.presses("..");
    assert!(
        person
            .sees()
            .lines()
            .nth(1)
            .is_some_and(|line| line.contains("9 of 10 refused"))
    );
    person.learns(Message::Banner(Banner::Fit, None));
    assert!(!person.sees_line("9 of 10 refused"));
}

#[test]
fn the_tree_folds() {
    let mut person = Person::opens(&Opening::walkthrough(80, 40));
    person.presses(":12\n\n");
    assert!(person.sees_line("orderVersion: 2"));
    person.presses("jjjjh");
    assert!(person.sees_line("+ event: {9}") && !person.sees_line("orderVersion"));
    person.presses("l");
    assert!(person.sees_line("orderVersion: 2"));
    person.presses("q");
    assert!(person.sees_line("Ledger") && !person.ended);
}

#[test]
fn the_mouse_picks_steps_and_turns_lists() {
    let mut person = walkthrough();
    person.learns(Message::Click { column: 10, row: 4 });
    at(&person, "r3");
    let down = true;
    person.learns(Message::Wheel {
        column: 10,
        row: 4,
        down,
    });
    at(&person, "r6");
    person.learns(Message::Click {
        column: 70,
        row: 18,
    });
    person.presses("z");
    assert!(person.sees_line("Projection") && !person.sees_line("Ledger"));
}

#[test]
fn a_time_found_too_late_moves_nobody() {
    let mut person = walkthrough();
    person.presses("..");
    person.learns(Message::Time(Some(replayscope::model::RecordNo(9))));
    at(&person, "r3");
}

#[test]
fn while_it_loads_the_end_is_in_sight_until_a_key_is_pressed() {
    let log = replayscope::session::WALKTHROUGH;
    let mut person = Person::sits_down(log, "o.jsonl", &Opening::capture(80, 24));
    assert!(person.sees_line("step 0/0") && person.sees_line("still reading"));
    person.reads_all();
    assert!(person.sees_line("step 31/31"));
    person.presses(",");
    assert!(person.sees_line("step 30/31"));
    person.learns(Message::Tick);
    assert!(person.sees_line("step 30/31"));
}

#[test]
fn an_owners_repeat_is_no_fault_and_a_contradiction_is_said() {
    let said = [
        r#"{"receivedAt":"2026-03-02T09:00:05Z","order":{"id":"o","status":"paid","version":2}}"#,
        r#"{"receivedAt":"2026-03-02T09:00:01Z","order":{"id":"o","status":"paid","version":2}}"#,
        r#"{"receivedAt":"2026-03-02T09:00:06Z","order":{"id":"o","status":"new","version":1}}"#,
        r#"{"receivedAt":"2026-03-02T09:00:07Z","order":{"id":"o","status":"gone","version":2}}"#,
    ];
    let log = said.join("\n");
    let person = Person::opens_bytes(log.as_bytes(), "o.jsonl", &Opening::capture(80, 24));
    assert!(person.sees_line("o recorded: as known, paid v2"));
    assert!(person.sees_line("recorded: older; stays paid v2"));
    assert!(person.sees_line("recorded: another status; stays paid v2"));
    assert!(!person.sees_line("not taken over"));
}
