//! The whole triage of a stuck order, as a person goes through it: from the symptom to the cause, the
//! mark, the report and the proof, and what a changed byte does to all of them.

use std::path::Path;

use crate::support::keys::Key;
use crate::support::terminal::Terminal;
use crate::{Home, quit};

/// A capture with an order that is stuck: its second version has a schema that the consumer does not
/// know, so that the third waits for ever.
fn stuck_capture(folder: &Path) -> std::path::PathBuf {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/consistency.jsonl");
    let mut log = std::fs::read_to_string(sample).unwrap();
    for (version, schema, status) in [(1, 1, "accepted"), (2, 9, "paid"), (3, 1, "reserved")] {
        let event = format!(
            r#"{{"receivedAt":"2026-03-09T15:00:0{version}Z","event":{{"specversion":"1.0","id":"evt-900-{version}","source":"urn:checkout:orders","type":"com.example.order.status.changed","subject":"order-900","data":{{"schemaVersion":{schema},"orderId":"order-900","orderVersion":{version},"status":"{status}"}}}}}}"#
        );
        log.push_str(&event);
        log.push('\n');
    }
    let path = folder.join("stuck.jsonl");
    std::fs::write(&path, log).unwrap();
    path
}

/// Through the Guide to the step that shows a symptom.
fn ask_the_guide(terminal: &mut Terminal, symptom: &str) {
    terminal.send("5");
    let screen = terminal.wait_for_text(symptom).contents();
    let first = screen
        .lines()
        .position(|line| line.contains("Guide,"))
        .unwrap();
    let row = screen
        .lines()
        .position(|line| line.contains(symptom))
        .unwrap();
    for _ in first + 1..row {
        terminal.send("j");
    }
    terminal.wait_for_text(&format!("─ {symptom} ─"));
    terminal.press(Key::Enter);
    terminal.wait_for_text("the first sign: ");
}

/// Another command of the program on a file: its exit code, and what it printed.
fn prints(arguments: &[&str]) -> (i32, String) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_replayscope"))
        .args(arguments)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code().unwrap(), text)
}

#[test]
fn a_stuck_order_is_found_explained_reported_and_proven_until_a_byte_changes() {
    let (home, folder) = (Home::new(), tempfile::tempdir().unwrap());
    let path = stuck_capture(folder.path());
    let capture = path.to_str().unwrap();
    let note = "4 schemas at once: the shop went first";
    let mut terminal = home.start(&[capture], (120, 36));
    terminal.wait_for_text("4 to review");
    ask_the_guide(&mut terminal, "A projection never moves");
    terminal.wait_for_text("waits     for v2");
    // Where the sign leads to, and from there to the cause.
    terminal.send("gd");
    terminal.wait_for_text("step 18/19");
    terminal.wait_for_text("schema-version-not-accepted");
    terminal.send("m");
    terminal.wait_for_text("> note");
    for _ in 0..3 {
        terminal.press(Key::Down);
    }
    terminal.send(note);
    terminal.wait_for_text("(*) explained");
    terminal.wait_for_text(note);
    terminal.press(Key::Enter);
    terminal.wait_for_text("saved in stuck.jsonl.case.jsonl");
    terminal.wait_for_text("3 to review  1 marked");
    quit(terminal);
    // Another day.
    let mut again = home.start(&[capture], (120, 36));
    again.wait_for_text("3 to review  1 marked");
    again.send("'\"");
    again.wait_for_text("step 18/19");
    again.wait_for_text("marked explained by anna: 4 schemas at once");
    quit(again);
    let (code, report) = prints(&["report", capture]);
    assert_eq!(code, 0);
    assert!(
        report.contains(note) && report.contains("explained"),
        "{report}"
    );
    let (code, verdict) = prints(&["verify", capture]);
    assert!(
        code == 0 && verdict.contains("proven: "),
        "{code}\n{verdict}"
    );
    // One byte of the marked record.
    let log = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, log.replace("15:00:02Z", "15:00:07Z")).unwrap();
    let (code, verdict) = prints(&["verify", capture]);
    assert_eq!(code, 1, "{verdict}");
    assert!(
        verdict.contains("differs    the capture's content"),
        "{verdict}"
    );
    assert!(verdict.contains("entry 1: r17 is not the "), "{verdict}");
    let mut stale = home.start(&[capture], (120, 36));
    // It closes nothing any more, and the banner stays.
    stale.wait_for_text("4 to review  1 marked");
    stale.wait_for_text("MARKS the capture changed: 1 mark is stale");
    stale.send("'\"");
    stale.wait_for_text("step 18/19");
    stale.wait_for_text("(stale: other bytes stand there");
    stale.wait_for_text("anna (stale: other bytes stand");
    stale.wait_for_text("MARKS the capture changed: 1 mark is stale");
    quit(stale);
}

#[test]
fn a_note_that_was_kept_is_there_again_in_the_next_session() {
    let (home, folder) = (Home::new(), tempfile::tempdir().unwrap());
    let path = stuck_capture(folder.path());
    let capture = path.to_str().unwrap();
    let mut terminal = home.start(&[capture], (80, 24));
    terminal.wait_for_text("step 19/19");
    terminal.send("m");
    terminal.wait_for_text("> note");
    terminal.send("ask the sh");
    terminal.wait_for_text("ask the sh");
    terminal.press(Key::Esc);
    terminal.wait_for_text("the note is kept");
    terminal.send("q");
    terminal.wait_for_text("1 note is half written and kept");
    quit(terminal);
    let mut again = home.start(&[capture], (80, 24));
    again.wait_for_text("step 19/19");
    again.send("m");
    again.wait_for_text("> note       ask the sh");
    again.press(Key::Esc);
    again.wait_for_text("the note is kept");
    quit(again);
}
