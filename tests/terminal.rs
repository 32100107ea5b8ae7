//! The real binary on a real (pseudo) terminal, as a person has it.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod support;

mod terminal {
    mod triage;
}

use std::path::Path;

use support::keys::Key;
use support::terminal::{Setup, Terminal};

/// A home for the marks of the built-in walk-through, which outlives one run.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn start(&self, arguments: &[&str], size: (u16, u16)) -> Terminal {
        let state = self.0.path().to_str().unwrap();
        Setup::replayscope(arguments)
            .size(size.0, size.1)
            .variable("XDG_STATE_HOME", state)
            .variable("XDG_CONFIG_HOME", state)
            .variable("REPLAYSCOPE_OPERATOR", "anna")
            .start()
    }
}

fn at_step(terminal: &Terminal, step: u32) -> String {
    let text = format!("step {step}/31");
    terminal.wait_for_text(&text).contents()
}

/// To the step that waits, to what closed its gap, and through the stages of what that released.
fn from_the_gap_to_its_release(terminal: &mut Terminal) {
    at_step(terminal, 1);
    for step in 2..=9 {
        terminal.send(".");
        at_step(terminal, step);
    }
    // The gap: what waits, for what, and why.
    terminal.wait_for_text("v2 is missing");
    terminal.wait_for_text("waits     for v2");
    terminal.send("gd");
    let cause = at_step(terminal, 12);
    assert!(cause.contains("evt-417-2"), "{cause}");
    terminal.wait_for_text("( goes");
    terminal.send("gr");
    let replayed = at_step(terminal, 13);
    assert!(replayed.contains("released by"), "{replayed}");
    terminal.wait_for_text("-> v3");
    // Stage by stage: nothing has changed until apply is reached.
    terminal.send(",");
    at_step(terminal, 12);
    terminal.send(">");
    let before = terminal.wait_for(
        |screen| {
            let text = screen.contents();
            text.contains("step 13/31") && text.contains("read+ addressee envelope")
        },
        "the first stage of the replay",
    );
    let before = before.contents();
    assert!(before.contains("v2 awaiting-reservation"), "{before}");
    assert!(!before.contains("-> v3"), "{before}");
    let receipts = |text: &str| text.matches("evt-417-").count();
    let shown_before = receipts(&before);
    for _ in 0..7 {
        terminal.send(">");
    }
    let after = terminal.wait_for(
        |screen| screen.contents().contains("[APPLY"),
        "the apply stage of the replay",
    );
    let after = after.contents();
    assert!(after.contains("v2 awaiting-reservation -> v3"), "{after}");
    assert!(
        receipts(&after) > shown_before,
        "before\n{before}\nafter\n{after}"
    );
}

fn mark_here(terminal: &mut Terminal, note: &str) {
    terminal.send("m");
    terminal.wait_for_text("anna");
    terminal.send(note);
    terminal.wait_for_text(note);
    terminal.press(Key::Enter);
    terminal.wait_for_text("saved");
    terminal.wait_for_text("1 marked");
}

fn quit(mut terminal: Terminal) {
    terminal.send("q");
    terminal.wait_exit().assert_clean(0);
}

fn walk(size: (u16, u16)) {
    let home = Home::new();
    let mut terminal = home.start(&[], size);
    from_the_gap_to_its_release(&mut terminal);
    mark_here(&mut terminal, "ask the owner");
    quit(terminal);
    let mut again = home.start(&[], size);
    at_step(&again, 1);
    again.wait_for_text("1 marked");
    again.send(":s13");
    again.press(Key::Enter);
    at_step(&again, 13);
    again.wait_for_text("1 marked");
    quit(again);
}

#[test]
fn the_walk_through_is_walked_marked_and_found_marked_again() {
    walk((120, 36));
}

#[test]
fn the_same_in_a_small_terminal() {
    walk((80, 24));
}

#[test]
fn keys_come_from_the_terminal_while_the_capture_is_piped_in() {
    let folder = tempfile::tempdir().unwrap();
    let case = folder.path().join("piped.case.jsonl");
    let case = case.to_str().unwrap();
    let capture =
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/walkthrough.jsonl"))
            .unwrap();
    let start = || {
        Setup::replayscope(&["-", "--case", case])
            .size(120, 36)
            .variable("REPLAYSCOPE_OPERATOR", "anna")
            .piped(&capture)
            .start()
    };
    let mut terminal = start();
    at_step(&terminal, 31);
    terminal.send("gg");
    from_the_gap_to_its_release(&mut terminal);
    mark_here(&mut terminal, "piped in");
    quit(terminal);
    let again = start();
    at_step(&again, 31);
    again.wait_for_text("1 marked");
    quit(again);
}

#[test]
fn signals_give_the_terminal_back() {
    for (signal, code) in [("TERM", 143), ("HUP", 129)] {
        let home = Home::new();
        let mut terminal = home.start(&[], (80, 24));
        at_step(&terminal, 1);
        terminal.signal(signal);
        terminal.wait_exit().assert_clean(code);
    }
}

#[test]
fn a_mark_that_could_not_be_saved_outlives_a_hang_up() {
    let home = Home::new();
    // A folder that is none: nothing can be saved there, whoever one is.
    let nowhere = home.0.path().join("operator-file");
    std::fs::write(&nowhere, "").unwrap();
    let case = nowhere.join("x.case.jsonl");
    let mut terminal = home.start(&["--case", case.to_str().unwrap()], (120, 36));
    at_step(&terminal, 1);
    terminal.send("m");
    terminal.wait_for_text("> note");
    terminal.send("precious");
    terminal.wait_for_text("precious");
    terminal.press(Key::Enter);
    terminal.wait_for_text("1 marked");
    terminal.signal("HUP");
    terminal.wait_exit().assert_clean(129);
    let state = home.0.path().join("replayscope");
    let files = std::fs::read_dir(state).unwrap();
    let kept = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    assert!(kept.into_iter().any(|text| text.contains("precious")));
}

#[test]
fn a_vanished_terminal_ends_it() {
    let home = Home::new();
    let mut terminal = home.start(&[], (80, 24));
    at_step(&terminal, 1);
    let pid = terminal.vanish();
    terminal.wait_gone(pid);
}

/// Only a debug build can be asked to panic.
#[cfg(debug_assertions)]
#[test]
fn a_panic_gives_the_terminal_back_and_says_what_happened() {
    let mut terminal = Setup::replayscope(&[])
        .variable("REPLAYSCOPE_PANIC_AT_STEP", "3")
        .start();
    at_step(&terminal, 1);
    terminal.send("..");
    terminal.wait_exit().assert_clean(101);
    let text = String::from_utf8_lossy(&terminal.transcript()).into_owned();
    assert!(text.contains("asked to panic at step 3"), "{text}");
}

/// What a panic prints may be pasted into a ticket: nothing of a payload is in it.
#[cfg(debug_assertions)]
#[test]
fn a_panic_tells_nothing_of_a_payload() {
    let folder = tempfile::tempdir().unwrap();
    let capture = folder.path().join("secret.jsonl");
    let event = |version: u32| {
        format!(
            r#"{{"specversion":"1.0","id":"e{version}","source":"urn:checkout:orders","type":"com.example.order.status.changed","subject":"o","data":{{"schemaVersion":1,"orderId":"o","orderVersion":{version},"status":"paid","card":"canary-4111"}}}}"#
        )
    };
    std::fs::write(&capture, format!("{}\n{}\n", event(1), event(2))).unwrap();
    let mut terminal = Setup::replayscope(&[capture.to_str().unwrap()])
        .variable("REPLAYSCOPE_PANIC_AT_STEP", "1")
        .start();
    terminal.wait_for_text("step 2/2");
    terminal.send(",");
    terminal.wait_exit().assert_clean(101);
    let transcript = String::from_utf8_lossy(&terminal.transcript()).into_owned();
    // Everything behind the way back to the ordinary screen.
    let (_, report) = transcript.rsplit_once("\u{1b}[?1049l").unwrap();
    assert!(report.contains("asked to panic at step 1"), "{report}");
    assert!(!report.contains("canary"), "{report}");
}

#[test]
fn ctrl_z_suspends_and_coming_back_draws_again() {
    let home = Home::new();
    let mut terminal = home.start(&[], (80, 24));
    at_step(&terminal, 1);
    terminal.send("...");
    at_step(&terminal, 4);
    terminal.press(Key::Ctrl('z'));
    terminal.wait_for_text("suspended: fg?");
    terminal.state_of_terminal().assert_unchanged();
    terminal.press(Key::Enter);
    at_step(&terminal, 4);
    terminal.send(".");
    at_step(&terminal, 5);
    quit(terminal);
}

#[test]
fn two_hundred_resizes_keep_the_cursor() {
    let home = Home::new();
    let mut terminal = home.start(&[], (80, 24));
    at_step(&terminal, 1);
    terminal.send("....");
    at_step(&terminal, 5);
    // A fixed sequence that looks random: the same in every run.
    let mut state = 417u32;
    let mut next = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        u16::try_from((state >> 8) % below).unwrap()
    };
    for _ in 0..200 {
        terminal.resize(1 + next(160), 1 + next(60));
    }
    terminal.resize(100, 30);
    at_step(&terminal, 5);
    terminal.send(".");
    at_step(&terminal, 6);
    quit(terminal);
}

#[test]
fn pasted_text_never_runs_as_keys() {
    let home = Home::new();
    let mut terminal = home.start(&[], (80, 24));
    at_step(&terminal, 1);
    terminal.paste("q..order-500\nqq");
    terminal.wait_for_text(":order q..order-500");
    terminal.press(Key::Esc);
    terminal.wait_for(
        |screen| !screen.contents().contains(":order"),
        "the closed prompt",
    );
    at_step(&terminal, 1);
    quit(terminal);
}

#[test]
fn escape_sequences_in_a_capture_are_shown_and_never_obeyed() {
    let folder = tempfile::tempdir().unwrap();
    let capture = folder.path().join("evil.jsonl");
    let evil = r"\u001b]0;owned\u0007\u001b[31m\u202e\u200b\u009b2J";
    let line = format!(
        r#"{{"note":"{evil}","event":{{"specversion":"1.0","id":"i{evil}","source":"urn:checkout:{evil}","type":"com.example.order.status.changed","subject":"{evil}","data":{{"schemaVersion":1,"orderId":"o{evil}","orderVersion":1,"status":"paid"}}}}}}"#
    );
    std::fs::write(&capture, format!("{line}\n{line}\n")).unwrap();
    let terminal = Setup::replayscope(&[capture.to_str().unwrap()])
        .size(120, 36)
        .start();
    terminal.wait_for_text("step 2/2");
    terminal.wait_for_text(r"\u{1b}");
    let title = terminal.screen();
    assert!(!title.contents().contains('\u{202e}'));
    let transcript = String::from_utf8_lossy(&terminal.transcript()).into_owned();
    assert!(!transcript.contains("\u{1b}]0;owned"), "a title was set");
    assert!(!transcript.contains('\u{202e}') && !transcript.contains('\u{200b}'));
    quit(terminal);
}

/// A capture that is longer than a chunk, so that it takes a thread's work to search it.
fn long_capture(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("long.jsonl");
    let line = |number: u32| {
        format!(
            r#"{{"event":{{"specversion":"1.0","id":"evt-{number}","source":"urn:checkout:orders","type":"com.example.order.status.changed","subject":"order-{number}","data":{{"schemaVersion":1,"orderId":"order-{number}","orderVersion":1,"status":"accepted"}}}}}}"#
        )
    };
    let lines: Vec<String> = (1..=20_000).map(line).collect();
    std::fs::write(&path, lines.join("\n")).unwrap();
    path
}

#[test]
fn a_filter_a_search_and_a_report_over_a_long_capture() {
    let folder = tempfile::tempdir().unwrap();
    let capture = long_capture(folder.path());
    let mut terminal = Setup::replayscope(&[capture.to_str().unwrap()])
        .size(120, 36)
        .start();
    terminal.wait_for_text("step 20,000/20,000");
    terminal.send("&evt-1999 -id:evt-19990");
    terminal.press(Key::Enter);
    terminal.wait_for_text("Steps 10/20,000 -- filter: evt-19");
    terminal.send("gg/evt-19995");
    terminal.press(Key::Enter);
    terminal.wait_for_text("1 of 1: found evt-19995");
    terminal.send("yi");
    terminal.wait_for_text("urn:checkout:orders evt-19995");
    let transcript = String::from_utf8_lossy(&terminal.transcript()).into_owned();
    // urn:checkout:orders evt-19995
    let sequence = "\u{1b}]52;c;dXJuOmNoZWNrb3V0Om9yZGVycyBldnQtMTk5OTU=\u{7}";
    assert!(transcript.contains(sequence));
    let report = folder.path().join("report.csv");
    for expected in ["is written", "is there already, and is not replaced"] {
        terminal.send(&format!(":export {}", report.to_str().unwrap()));
        terminal.press(Key::Enter);
        terminal.wait_for_text(expected);
    }
    assert!(std::fs::metadata(&report).unwrap().len() > 0);
    quit(terminal);
}

#[test]
fn a_half_written_note_survives_a_lost_terminal() {
    for end in ["HUP", "vanished"] {
        let home = Home::new();
        let mut terminal = home.start(&[], (80, 24));
        at_step(&terminal, 1);
        terminal.send(":15");
        terminal.press(Key::Enter);
        terminal.send("mhalf a no");
        terminal.wait_for_text("> note       half a no");
        if end == "HUP" {
            terminal.signal("HUP");
            terminal.wait_exit();
        } else {
            let pid = terminal.vanish();
            terminal.wait_gone(pid);
        }
        let mut again = home.start(&[], (80, 24));
        at_step(&again, 1);
        again.send(":15");
        again.press(Key::Enter);
        at_step(&again, 16);
        again.send("m");
        again.wait_for_text("> note       half a no");
        again.press(Key::Enter);
        again.wait_for_text("saved");
        quit(again);
        let mut saved = home.start(&[], (80, 24));
        saved.wait_for_text("1 marked");
        saved.send("m");
        saved.wait_for_text("Mark r1");
        assert!(!saved.screen().contents().contains("half a no"));
        saved.press(Key::Esc);
        saved.wait_for(|screen| !screen.contents().contains("Mark r1"), "no form");
        quit(saved);
    }
}

#[test]
fn a_capture_that_changes_is_told_and_what_changed_is_not_judged() {
    let folder = tempfile::tempdir().unwrap();
    let capture = folder.path().join("orders.jsonl");
    let bytes = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/walkthrough.jsonl"),
    )
    .unwrap();
    std::fs::write(&capture, &bytes).unwrap();
    let mut terminal = Setup::replayscope(&[capture.to_str().unwrap()])
        .size(120, 36)
        .variable("REPLAYSCOPE_OPERATOR", "anna")
        .start();
    at_step(&terminal, 31);
    std::fs::write(&capture, bytes.replace("evt-417-2", "evt-417-X")).unwrap();
    terminal.wait_for_text("was written to while it is open");
    terminal.send(",");
    terminal.wait_for_text("NOT VERIFIED");
    terminal.send("mx");
    terminal.press(Key::Enter);
    terminal.wait_for_text("no longer those that were decided on");
    terminal.press(Key::Esc);
    terminal.wait_for_text("the note is kept");
    std::fs::remove_file(&capture).unwrap();
    terminal.wait_for_text("was removed or renamed");
    terminal.send("q");
    terminal.wait_for_text("1 note is half written and kept");
    quit(terminal);
}
