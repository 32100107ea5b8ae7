//! The curtain: what will happen is asked first, and nothing on the screen answers before the stage
//! that decides was stepped through.

use replayscope::model::StepNo;

use super::desk::{Opening, Person};

const SIZES: [(u16, u16); 2] = [(80, 24), (120, 36)];

fn curtained(columns: u16, rows: u16) -> Person {
    Person::opens(&Opening {
        curtain: true,
        ..Opening::walkthrough(columns, rows)
    })
}

/// Whatever would tell what a step comes to.
fn answers(person: &Person, step: u32) -> Vec<String> {
    let history = person.history();
    let step = history.step(StepNo(step)).unwrap();
    let mut words = vec![format!("{} ", step.state.name())];
    words.extend(
        step.reason
            .map(|reason| history.reason_name(reason).to_owned()),
    );
    for finding in step.findings {
        words.push(finding.code.name().to_owned());
        words.push(finding.code.meaning().to_owned());
    }
    words
}

/// The rows of the list from the cursor's on, where nothing was stepped through yet.
fn rows_to_come(screen: &str) -> impl Iterator<Item = &str> {
    let is_row = |line: &&str| {
        let words = line.trim_start_matches(['›', ' ']);
        words.starts_with('r')
            && words
                .chars()
                .nth(1)
                .is_some_and(|digit| digit.is_ascii_digit())
    };
    let rows = screen.lines().skip(2).filter(is_row);
    rows.skip_while(|line| !line.starts_with('›'))
        .map(|line| line.split('│').next().unwrap_or_default())
}

#[test]
fn through_the_whole_walkthrough_nothing_is_told_too_early() {
    for (columns, rows) in SIZES {
        let mut person = curtained(columns, rows);
        let last = person.history().last_step().0;
        let mut walked = 0;
        // What earlier steps came to is the premise of the question, and stays in sight.
        let mut told_before: Vec<String> = Vec::new();
        while walked < last {
            walked += 1;
            let note = person.note();
            let mut answers = answers(&person, walked);
            answers.retain(|told| !told_before.contains(told));
            told_before.extend(answers.iter().cloned());
            let mut presses = 0;
            while !person.model.is_decided() {
                for keys in ["", "R", "q", "z", "q", "\n", "q", "1"] {
                    person.presses(keys);
                    let screen = person.sees();
                    for told in answers.iter().chain(&note) {
                        let head: String = told.chars().take(30).collect();
                        // Words that earlier steps or the rule in question say too, the rows cannot.
                        let is_common = head.len() < 16 && !head.contains('-');
                        assert!(is_common || !screen.contains(&head), "{told}\n{screen}");
                    }
                    for row in rows_to_come(&screen) {
                        for sign in ["+ ", "~ ", "= ", "! ", "X ", "? ", "# ", ". "] {
                            let tells = format!(" {sign}");
                            assert!(
                                !row.trim_start_matches('›').contains(&tells),
                                "{row}\n{screen}"
                            );
                        }
                    }
                    assert!(!screen.contains("is no JSON") && !screen.contains(", unreadable"));
                    let header = screen.lines().next().unwrap();
                    assert!(!header.contains("to review"), "{header}");
                }
                presses += 1;
                assert!(presses < 20, "{}", person.sees());
                person.presses(">");
            }
            while !person.model.is_whole() {
                person.presses(">");
            }
            person.presses(".");
        }
    }
}

#[test]
fn a_step_that_was_jumped_over_stays_covered() {
    let mut person = curtained(120, 36);
    person.presses("....");
    for covered in ["recorded", "applied", "duplicate"] {
        let screen = person.sees();
        let told = screen
            .lines()
            .any(|line| line.starts_with(" r") && line.contains(covered));
        assert!(!told, "{covered}\n{screen}");
    }
    person.presses(">>>>>>>>>");
    person.presses(":9\n");
    let screen = person.sees();
    let row = |record: &str| {
        let mut lines = screen.lines();
        let found = lines.find(|line| line.starts_with(&format!(" {record} ")));
        found.unwrap().split('│').next().unwrap().to_owned()
    };
    assert!(row("r5").contains("recorded"), "{screen}");
    assert!(!row("r2").contains("applied"), "{screen}");
    // Back over them, stage by stage, they are still questions.
    person.presses(":4\n<");
    assert!(
        person.sees_line("what will come of it?"),
        "{}",
        person.sees()
    );
}

#[test]
fn a_replay_behind_the_curtain_comes_with_what_released_it() {
    let mut person = curtained(120, 36);
    person.presses(":12\n.");
    assert!(person.sees_line("record 13"), "{}", person.sees());
    person.presses(":12\n>>>>>>>>>>");
    assert!(person.sees_line(" r9  replay"), "{}", person.sees());
}

#[test]
fn a_report_is_not_written_behind_the_curtain() {
    let mut person = curtained(120, 36);
    person.presses(":export all.md\n");
    assert!(
        person.sees().contains("the curtain is drawn"),
        "{}",
        person.sees()
    );
}

#[test]
fn what_is_to_review_is_behind_the_curtain() {
    let mut person = curtained(80, 24);
    for keys in ["e", "E", "w", "W"] {
        person.presses(keys);
        assert!(
            person.sees_line("the curtain is drawn"),
            "{keys}\n{}",
            person.sees()
        );
        assert!(!person.sees_line("nothing is left"));
    }
    assert!(person.sees_line("curtain drawn"));
}

#[test]
fn the_note_is_masked_where_the_record_stands() {
    let mut person = curtained(120, 36);
    person.presses(":9\nR");
    assert!(
        person.sees_line("(behind the curtain)"),
        "{}",
        person.sees()
    );
    assert!(!person.sees_line("overtakes"));
    person.presses("q\ngg");
    assert!(
        person.sees_line("note: (behind the curtain)"),
        "{}",
        person.sees()
    );
    person.presses("q>>>>>>>R");
    assert!(person.sees_line("overtakes"), "{}", person.sees());
}
