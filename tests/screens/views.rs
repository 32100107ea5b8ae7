//! The views beside the steps: what each shows, where its rows lead, and the ways back.

use super::desk::{Opening, Person};

const SIZES: [(u16, u16); 2] = [(80, 24), (120, 36)];

const CONSISTENCY: &[u8] = include_bytes!("../../samples/consistency.jsonl");

fn walkthrough() -> Person {
    Person::opens(&Opening::walkthrough(80, 24))
}

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
        ":15\nm↓↓↓↓two writers\tanna\n:24\nm↓\n3\tj",
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
    snapshots("contract_text", "6\t");
}

fn person(columns: u16, rows: u16) -> Person {
    Person::opens(&Opening::capture(columns, rows))
}

fn cursor_row(person: &Person) -> String {
    let screen = person.sees();
    let mut rows = screen.lines().rev();
    rows.find(|line| line.starts_with('›'))
        .unwrap_or_default()
        .to_owned()
}

#[track_caller]
fn sees(person: &Person, text: &str) {
    assert!(person.sees_line(text), "{text}\n{}", person.sees());
}

#[test]
fn digits_open_views_from_anywhere_and_the_cursor_stays() {
    let mut person = person(80, 24);
    person.presses(":12\n");
    let titles = [
        ("2", "Aggregates 4, 2 waiting"),
        ("3", "Evidence, as of the last step"),
        ("4", "Owner, as of the last step"),
        ("5", "Guide, as of the last step"),
        ("6", "Contract in force: consistency"),
    ];
    for (key, title) in titles {
        person.presses(key);
        sees(&person, title);
        sees(&person, "step 12/31");
        person.presses("?");
        sees(&person, "Keys");
        person.presses("\u{1b}");
        sees(&person, title);
    }
    for way_out in ["1", "\u{1b}", "q", "(", "h"] {
        person.presses("6").presses(way_out);
        sees(&person, "Ledger");
        assert!(cursor_row(&person).starts_with("›r12 "), "{way_out}");
        assert!(!person.ended);
    }
}

#[test]
fn an_aggregate_leads_to_its_timeline_to_a_step_and_back() {
    let mut person = person(80, 24);
    person.presses("2jj\n");
    sees(&person, "Timeline of order-417, 16 steps");
    person.presses("gg");
    assert!(cursor_row(&person).contains("r1 "), "{}", person.sees());
    person.presses("Gk");
    assert!(cursor_row(&person).contains("r15 "));
    person.presses("\n");
    sees(
        &person,
        "timeline of order-417; from Aggregates, ( goes back",
    );
    assert!(cursor_row(&person).starts_with("›r15 "));
    person.presses("(");
    sees(&person, "Timeline of order-417");
    sees(&person, "step 31/31");
    person.presses("q");
    assert!(cursor_row(&person).contains("order-417"), "the list again");
    person.presses("q");
    sees(&person, "Ledger");
    // A place further on comes back over the steps first.
    person.presses("2\nkk\n(").presses("\n.o((");
    sees(&person, "Timeline of order-417");
}

#[test]
fn aggregates_are_put_in_order_and_narrowed() {
    let mut person = person(120, 36);
    person.presses("2s");
    sees(&person, "order: by how long they wait");
    assert!(cursor_row(&person).contains("order-502"));
    person.presses("s");
    sees(&person, "order: by id");
    assert!(cursor_row(&person).contains("order-417"));
    person.presses("s");
    assert!(cursor_row(&person).contains("order-500"), "v5 is highest");
    person.presses("s");
    assert!(cursor_row(&person).contains("order-417"), "most steps");
    person.presses("/50\n");
    sees(&person, "Aggregates 3, 2 waiting, ids with 50");
    assert!(!person.sees_line("order-417 "), "{}", person.sees());
    person.presses("/\u{15}");
    for _ in 0..2 {
        person.key(
            crossterm::event::KeyCode::Backspace,
            crossterm::event::KeyModifiers::NONE,
        );
    }
    person.presses("zzz\n");
    sees(&person, "No id holds that text");
    person.presses("\n");
    sees(&person, "No id holds that text");
    person.presses("m");
    assert!(!person.sees_line("Mark"), "there is nothing to mark");
}

#[test]
fn what_an_aggregate_waits_for_is_marked_from_the_list() {
    let mut person = person(80, 24);
    person.presses("2jm");
    sees(&person, "Mark missing: order-503 v1");
    person.presses("3 lost\tanna\n");
    sees(&person, "saved in o");
    assert!(
        cursor_row(&person).ends_with("[marked]"),
        "{}",
        person.sees()
    );
    person.presses("jm");
    sees(&person, "this aggregate waits for nothing");
    person.presses("3\t");
    sees(&person, "Marked: 1");
    person.presses("j\n");
    sees(&person, "r24; from Evidence");
}

#[test]
fn evidence_unfolds_and_a_closing_mark_takes_a_piece_away() {
    let mut person = person(80, 24);
    person.presses("3j\n");
    sees(&person, "r18    09:01:15 order-502 v2 ! contract update");
    person.presses("j");
    person.presses("m↓↓↓↓seen\tanna\n");
    sees(&person, "Open: 9");
    sees(&person, "Marked: 1");
    assert!(cursor_row(&person).contains("r19"), "{}", person.sees());
    person.presses("\n");
    sees(&person, "at r19; from Evidence, ( goes back");
    person.presses("(");
    sees(&person, "Open: 9");
    person.presses("hh");
    assert!(!person.sees_line("r19 "), "{}", person.sees());
    person.presses("u");
    sees(&person, "Open: 10");
    person.presses("gg\n");
    assert!(!person.sees_line("same-fact-new-id"), "{}", person.sees());
}

#[test]
fn the_owner_leads_to_what_it_said() {
    let mut person = person(80, 24);
    person.presses("4j\n");
    sees(&person, "at r7; from Owner");
    person.presses("4\tj\n(");
    sees(&person, "key       compensation:order-417:reservation:v2");
    person.presses("\tj");
    sees(&person, "it proves no refusal");
    person.presses("m");
    sees(&person, "Mark r6: manual-review");
    person.presses("\u{1b}/500\n");
    sees(&person, "Orders: 1");
    sees(&person, "no compensation was decided");
}

#[test]
fn the_guide_goes_to_one_sign_after_another() {
    let mut person = person(80, 24);
    person.presses("5\n");
    sees(
        &person,
        "the first sign: One effect appeared twice; from Guide",
    );
    assert!(cursor_row(&person).starts_with("›r4 "));
    for record in ["›r14*", "›r4*"] {
        person.presses("5n");
        let row = cursor_row(&person).replace("  *", "*").replace(" *", "*");
        assert!(row.starts_with(record), "{record}\n{}", person.sees());
    }
    person.presses("(");
    sees(&person, "Guide, as of the last step");
    person.presses("jj");
    sees(&person, "2 aggregates that wait");
    person.presses("\n");
    assert!(
        cursor_row(&person).starts_with("›r18 *"),
        "{}",
        person.sees()
    );
    person.presses("5G\n");
    sees(&person, "this capture does not show it");
    person.presses("\t");
    for _ in 0..9 {
        person.presses("j");
    }
    person.presses("\n");
    sees(&person, "at r3; from Guide");
}

#[test]
fn a_click_and_the_wheel_move_in_a_view() {
    let mut person = person(80, 24);
    person.presses("2");
    person.learns(replayscope::app::Message::Click { column: 9, row: 5 });
    assert!(
        cursor_row(&person).contains("order-417"),
        "{}",
        person.sees()
    );
    person.learns(replayscope::app::Message::Wheel {
        column: 9,
        row: 5,
        down: false,
    });
    assert!(cursor_row(&person).contains("order-502"));
}

#[test]
fn a_paste_and_a_command_leave_the_view() {
    let mut person = person(80, 24);
    person.presses("3");
    person.pastes("order-500");
    sees(&person, ":order order-500");
    person.presses("\n");
    sees(&person, "Ledger");
    assert!(cursor_row(&person).contains("order-500"));
}

/// What would tell of the ninth record's outcome, and of anything behind it.
const TELLS: [&str; 8] = [
    "order-502",
    "order-503",
    "r12",
    "r18",
    "deferred",
    "waits for v2",
    "shown by",
    "same-version-event-rejected  first",
];

#[test]
fn behind_the_curtain_views_tell_only_what_was_seen() {
    let opening = Opening {
        curtain: true,
        ..Opening::walkthrough(120, 36)
    };
    let mut person = Person::opens(&opening);
    // What was jumped over is not told either: the eighth record is stepped through.
    person.presses(":8\n>>>>>>>>>").presses(":9\n");
    let mut views = String::new();
    for keys in ["2", "2\n", "3j\nj", "4j", "5", "5j", "5\t"] {
        person.presses("1").presses(keys);
        let screen = person.sees();
        for told in TELLS {
            assert!(!screen.contains(told), "{keys}: {told}\n{screen}");
        }
        views.push_str(&screen);
    }
    assert!(views.contains("as of r8 (curtain drawn)"), "{views}");
    assert!(views.contains("order-417"), "{views}");
    // A list that was made before the curtain was drawn is not shown either.
    let mut person = Person::opens(&Opening::walkthrough(120, 36));
    person.presses("2235").presses("1:curtain\n2");
    assert!(!person.sees_line("order-503"), "{}", person.sees());
}

#[test]
fn a_view_of_an_empty_capture_says_so() {
    let mut person = Person::opens_bytes(b"", "empty.jsonl", &Opening::capture(80, 24));
    person.presses("2");
    sees(&person, "Nothing was applied, stated or deferred so far.");
    for keys in [
        "\n", "jm", "3\n", "jjm", "4\t\n", "5\n", "5\t\n", "6\tG", "(",
    ] {
        person.presses(keys);
        sees(&person, "step 0/0");
    }
}

#[test]
fn while_it_loads_a_view_says_so_and_catches_up() {
    let log = replayscope::session::WALKTHROUGH;
    let mut person = Person::sits_down(log, "o.jsonl", &Opening::capture(80, 24));
    person.presses("2");
    sees(&person, "as of step 0, still reading");
    person.reads_all();
    sees(&person, "Aggregates 4, 2 waiting, as of the last step");
}

#[test]
fn the_footer_offers_what_a_key_does_here() {
    let mut person = walkthrough();
    let footer = |person: &Person| person.sees().lines().last().unwrap().to_owned();
    person.presses("2");
    assert!(footer(&person).contains("q steps"), "{}", person.sees());
    assert!(footer(&person).contains("m mark") && footer(&person).contains("s order"));
    // One that waits for nothing has nothing to mark.
    person.presses("G");
    assert!(!footer(&person).contains("m mark"), "{}", person.sees());
    person.presses("\n");
    assert!(footer(&person).contains("q list"), "{}", person.sees());
    assert!(!footer(&person).contains("s order"));
    person.presses("5");
    assert!(!footer(&person).contains("m mark") && !footer(&person).contains("s order"));
    person.presses("q");
    assert!(person.sees_line("Steps 31/31") && !person.ended);
}

#[test]
fn copying_and_selecting_in_a_view_do_something_or_say_why_not() {
    let mut person = walkthrough();
    person.presses("2yy");
    assert_eq!(person.copied(), Some("order-502"));
    person.presses("5yy");
    let copied = person.copied().unwrap().to_owned();
    assert!(copied.contains("One effect appeared twice"), "{copied}");
    person.presses("2\nyy");
    assert!(
        person.copied().unwrap().starts_with("r19"),
        "{:?}",
        person.copied()
    );
    person.presses("yi");
    assert!(person.sees_line("Enter goes to the step"));
    person.presses("yp");
    assert!(person.sees_line("1 shows the steps"));
    person.presses("v");
    assert!(
        person.sees_line("v selects in the steps"),
        "{}",
        person.sees()
    );
}
