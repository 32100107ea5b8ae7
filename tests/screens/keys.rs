//! Every key of the table, from the key to the screen. A key that is added without a case here fails
//! the test: nothing may be promised in the help that nobody has seen work.

use crossterm::event::{KeyCode, KeyModifiers};
use replayscope::app::{Action, ViewName};
use replayscope::tui::keys::chord::Chord;
use replayscope::tui::keys::layout::by_position;
use replayscope::tui::keys::table::{Keys, ROWS};

use super::desk::{Opening, Person};

/// Keys that lead to where the action is tried, and what the screen says afterwards.
struct Case {
    action: Action,
    before: &'static str,
    after: &'static str,
}

const fn case(action: Action, before: &'static str, after: &'static str) -> Case {
    Case {
        action,
        before,
        after,
    }
}

/// On a screen of 80 by 24, with the built-in incident opened at its first step.
#[rustfmt::skip]
const CASES: &[Case] = &[
    case(Action::NextStep, "", "step 2/31"),
    case(Action::PreviousStep, "..", "step 2/31"),
    case(Action::NextStage, ":2\n<<", "[APPLY+] replay"),
    case(Action::PreviousStage, ":2\n<", "version+ apply replay"),
    case(Action::Forward, "", "step 2/31"),
    case(Action::Back, ":2\n<", "version+ apply replay"),
    case(Action::NextReview, "", "step 4/31"),
    case(Action::PreviousReview, ":5\n", "step 4/31"),
    case(Action::NextRoutine, "", "step 3/31"),
    case(Action::PreviousRoutine, ":5\n", "step 3/31"),
    case(Action::NextOfAggregate, ":10\n", "same aggregate, order-500"),
    case(Action::PreviousOfAggregate, ":16\n", "same aggregate, order-500"),
    case(Action::Focus, ":10\n", "only order-500"),
    case(Action::Mark, ":15\n", "( ) explained"),
    case(Action::Undo, ":4\nmx\tanna\n", "taken back: "),
    case(Action::Select, "", "1 selected"),
    case(Action::NextMark, ":4\nmx\tanna\ngg", "marked manual review"),
    case(Action::PreviousMark, ":4\nmx\tanna\nG", "marked manual review"),
    case(Action::OnlyMarked, "", "Nothing is marked."),
    case(Action::GoToCause, ":9\n", "brings the missing version"),
    case(Action::GoToReleased, ":12\n", "was released"),
    case(Action::HistoryBack, ":12\n", "back at step 1"),
    case(Action::HistoryForward, ":12\n(", "back at step 12"),
    case(Action::Show(ViewName::Steps), "3", "› Steps 31/31"),
    case(Action::Show(ViewName::Aggregates), "", "› Aggregates 4"),
    case(Action::Show(ViewName::Evidence), "", "› Evidence, as of"),
    case(Action::Show(ViewName::Owner), "", "› Owner, as of"),
    case(Action::Show(ViewName::Guide), "", "› Guide, as of"),
    case(Action::Show(ViewName::Contract), "", "› Contract in force"),
    case(Action::NextPart, "5", "ready for production?"),
    case(Action::PreviousPart, "5\t", "› Guide, as of"),
    case(Action::Sort, "2", "s order: by how long"),
    case(Action::Down, "", "step 2/31"),
    case(Action::Up, "..", "step 2/31"),
    case(Action::HalfPageDown, "", "step 3/31"),
    case(Action::HalfPageUp, ":5\n", "step 3/31"),
    case(Action::PageDown, "?", "aggregates: what waits"),
    case(Action::PageUp, "?G", "to the bottom"),
    case(Action::Top, "G", "step 1/31"),
    case(Action::Bottom, "", "step 31/31"),
    case(Action::NextPane, "", "› r1 order-417"),
    case(Action::PreviousPane, "\t", "› Steps"),
    case(Action::Maximise, ":20\n", "r29"),
    case(Action::AllReceipts, "G", "Ledger all 9"),
    case(Action::Open, "", "› Event r1"),
    case(Action::Fold, "\n", "+ record"),
    case(Action::Search, "", "\n/\n"),
    case(Action::NextMatch, "/evt-500\n", "2 of 7"),
    case(Action::PreviousMatch, "/evt-500\nn", "1 of 7"),
    case(Action::SearchValue, ":10\n\t", "found order-500"),
    case(Action::Filter, "", "\nfilter:"),
    case(Action::SuspendFilter, "", "no filter yet: & asks"),
    case(Action::Compare, ":12\n", "Before and after step 12"),
    case(Action::Rule, ":12\n", "The rule behind step 12"),
    case(Action::CopyValue, ":2\n", "clipboard, if taken: r2"),
    case(Action::CopyPointer, ":12\n\nj", "clipboard, if taken: /receivedAt"),
    case(Action::CopyIdentity, ":2\n", "clipboard, if taken: urn:checkout:orders evt-417-1"),
    case(Action::RawBytes, "", "Bytes of r1"),
    case(Action::Command, "", "\n:\n"),
    case(Action::Accept, ":7", "step 7/31"),
    case(Action::Help, "", "Keys, j/k"),
    case(Action::Mouse, "", "the mouse is taken"),
    // These reach the terminal, which a test of the real program looks at.
    case(Action::Redraw, "", "step 1/31"),
    case(Action::Suspend, "", "step 1/31"),
    case(Action::Cancel, "?", "Projection"),
    case(Action::Interrupt, "?", "Projection"),
    case(Action::Quit, "?", "Projection"),
];

fn press(person: &mut Person, chord: Chord) {
    let plain = KeyModifiers::NONE;
    let (code, modifiers) = match chord {
        Chord::Char(letter) => (KeyCode::Char(letter), plain),
        Chord::Ctrl(letter) => (KeyCode::Char(letter), KeyModifiers::CONTROL),
        Chord::Enter => (KeyCode::Enter, plain),
        Chord::Esc => (KeyCode::Esc, plain),
        Chord::Tab => (KeyCode::Tab, plain),
        Chord::ShiftTab => (KeyCode::BackTab, KeyModifiers::SHIFT),
        Chord::Up => (KeyCode::Up, plain),
        Chord::Down => (KeyCode::Down, plain),
        Chord::Left => (KeyCode::Left, plain),
        Chord::Right => (KeyCode::Right, plain),
        Chord::Home => (KeyCode::Home, plain),
        Chord::End => (KeyCode::End, plain),
        Chord::PageUp => (KeyCode::PageUp, plain),
        Chord::PageDown => (KeyCode::PageDown, plain),
        Chord::F(number) => (KeyCode::F(number), plain),
    };
    person.key(code, modifiers);
}

fn press_all(person: &mut Person, keys: Keys) {
    match keys {
        Keys::One(chord) => press(person, chord),
        Keys::Two(first, second) => {
            press(person, first);
            press(person, second);
        }
    }
}

#[test]
fn every_key_does_on_the_screen_what_it_says() {
    let mut faults = Vec::new();
    for row in ROWS {
        let case = CASES.iter().find(|case| case.action == row.action);
        let case = case.unwrap_or_else(|| panic!("{:?} has no case", row.action));
        for keys in row.keys {
            let mut person = Person::opens(&Opening::walkthrough(80, 24));
            person.presses(case.before);
            let before = person.sees();
            press_all(&mut person, *keys);
            let after = person.sees();
            let words = format!("{keys} ({:?}), wanted {:?}", row.action, case.after);
            if !after.contains(case.after) {
                faults.push(format!("{words}\n{after}"));
            }
            let is_outside = matches!(row.action, Action::Redraw | Action::Suspend);
            if !is_outside && before.contains(case.after) {
                faults.push(format!("{words}: it was there before\n{before}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Keys that stand elsewhere on a Russian layout, each with the command that does the same or the
/// other key for it.
const ELSEWHERE: [(char, &str); 4] = [
    ('&', ":filter TEXT"),
    ('/', ":search TEXT"),
    ('?', "F1"),
    ('*', "typed alike"),
];

#[test]
fn every_letter_works_under_a_russian_layout() {
    let cyrillic: Vec<char> = ('а'..='я').chain('А'..='Я').chain(['ё', 'Ё']).collect();
    let typed_for = |latin: char| {
        cyrillic
            .iter()
            .find(|letter| by_position(Chord::Char(**letter)) == Chord::Char(latin))
    };
    for row in ROWS {
        let chords = row.keys.iter().flat_map(|keys| match keys {
            Keys::One(chord) => vec![*chord],
            Keys::Two(first, second) => vec![*first, *second],
        });
        for chord in chords {
            let Chord::Char(latin) = chord else { continue };
            let is_typed_alike = matches!(latin, ' ' | '(' | ')' | '0'..='9');
            let is_elsewhere = ELSEWHERE.iter().any(|(known, _)| *known == latin);
            assert!(
                typed_for(latin).is_some() || is_typed_alike || is_elsewhere,
                "{latin} cannot be pressed"
            );
        }
    }
    // From the keys to the screen: the commands that stand in for what is elsewhere.
    let mut person = Person::opens(&Opening::walkthrough(80, 24));
    person.presses("Жfilter state:deferred\n");
    assert!(person.sees_line("-- filter: state:deferred (F)"));
    person.presses("А");
    assert!(person.sees_line("everything again"));
    person.presses("Жsearch evt-500\n");
    assert!(person.sees_line("1 of 7"), "{}", person.sees());
    person.presses("в");
    assert!(person.sees_line("Before and after"));
    person.presses("йнш");
    assert!(
        person.sees_line("if taken: urn:checkout:orders"),
        "{}",
        person.sees()
    );
}
