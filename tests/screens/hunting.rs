//! What a stranger found hard while hunting faults in a long capture: each fault has its test here.

use super::desk::{Opening, Person};

/// The consistency lesson: an order that was cancelled ships all the same.
const SHIPPED: &[u8] = include_bytes!("../../samples/consistency.jsonl");

fn walkthrough(keys: &str) -> Person {
    let mut person = Person::opens(&Opening::walkthrough(80, 24));
    person.presses(keys);
    person
}

fn sees(person: &Person, text: &str) {
    assert!(person.sees_line(text), "{text}\n{}", person.sees());
}

fn misses(person: &Person, text: &str) {
    assert!(!person.sees_line(text), "{text}\n{}", person.sees());
}

#[test]
fn the_cause_of_an_action_against_the_gate_is_what_spoke_against_it() {
    let mut person = Person::opens_bytes(SHIPPED, "c.jsonl", &Opening::capture(120, 36));
    person.presses("&finding:action-against-gate\nK");
    sees(&person, "the gate saw");
    sees(&person, "owner cancelled v3");
    sees(&person, "so it was shut: owner cancelled");
    person.presses("qgd");
    sees(&person, "that the action went against");
    misses(&person, "it was next");
}

#[test]
fn what_is_typed_replaces_an_old_filter() {
    let mut person = walkthrough("&state:deferred\n&");
    sees(&person, "typing replaces; arrows edit; Ctrl-u clears");
    person.presses("open");
    sees(&person, "filter: open");
    misses(&person, "state:deferredopen");
    person.presses("\n&");
    person.key(
        crossterm::event::KeyCode::End,
        crossterm::event::KeyModifiers::NONE,
    );
    person.presses(" paid");
    sees(&person, "filter: open paid");
    person.presses("\u{1b}/evt-500\n/");
    sees(&person, "typing replaces");
    person.presses("evt-417\n");
    sees(&person, "found evt-417");
}

#[test]
fn a_filter_on_what_was_replayed_says_where_the_rest_waits() {
    let replayed = walkthrough("&state:deferred aggregate:order-417\n");
    sees(&replayed, "all of them were replayed; 2 lists");
    let open = walkthrough("&state:deferred\n");
    misses(&open, "all of them were replayed");
}

#[test]
fn waiting_shows_what_waits_now_and_why() {
    let mut person = walkthrough("&waiting\nz");
    for record in ["r18 ", "r19 ", "r24 "] {
        sees(&person, record);
    }
    misses(&person, "order-417");
    person.presses("z");
}

#[test]
fn an_empty_filter_suggests_what_was_meant() {
    sees(&walkthrough("&duplicate\n"), "state:duplicate would show");
    sees(&walkthrough("&aggregate:417\n"), "aggregate:*417* shows");
    sees(&walkthrough("&status:paid\n"), "expected state: here");
    let hints = walkthrough("&");
    assert!(hints.sees_line("type:") && hints.sees_line("before:"));
}

#[test]
fn the_same_fact_under_a_new_id_is_no_conflict_of_facts() {
    let mut person = walkthrough(":4\nK");
    sees(&person, "the same fact under a new id");
    misses(&person, "which of the two is");
    person.presses("q5");
    sees(&person, "1 sign  Two different facts");
    sees(&person, "handled once  A cancellation stands there");
}

#[test]
fn evidence_has_one_name_everywhere() {
    let name = "same-fact-new-id (same-version-event-rejected)";
    sees(&walkthrough(":4\nm"), name);
    sees(&walkthrough("3"), name);
}

#[test]
fn a_search_wraps_and_says_so() {
    let mut person = walkthrough(":20\n/evt-417-1\n");
    sees(&person, "found evt-417-1, wrapped");
    person.presses("/nowhere\n");
    sees(&person, "nothing has nowhere");
    misses(&person, "0 in all");
}

#[test]
fn a_focus_without_evidence_leads_out() {
    let mut person = walkthrough(":10\na");
    person.presses("E");
    sees(&person, "a shows all orders");
}

#[test]
fn what_was_saved_and_copied_says_where() {
    let mut person = Person::opens(&Opening::walkthrough(160, 36));
    person.presses(":4\nm5x\tanna\n");
    sees(&person, "saved in orders.jsonl.case.jsonl");
    person.presses(":6\nm5x\n");
    sees(&person, "marked and saved");
    person.presses(":2\nyi");
    sees(
        &person,
        "sent to the terminal's clipboard (your terminal may not take it)",
    );
    person.presses("M");
    sees(&person, "only marked steps");
    person.presses("M");
    sees(&person, "all steps again");
}

#[test]
fn a_zoomed_pane_gives_the_list_back_as_it_was() {
    let mut person = walkthrough(":20\n.,,");
    let before = person.sees();
    for keys in ["zz", "\tzz", "\tzz"] {
        person.presses(keys);
    }
    let rows = |screen: &str| {
        screen
            .lines()
            .skip(2)
            .take(4)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(rows(&before), rows(&person.sees()));
}
