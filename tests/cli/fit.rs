//! A capture that fits its contract badly says so before anything else, with the way out.

use super::common::{Ran, event, first_of, folder_with, lines, replayscope, run_on};

/// Events of another system: `consistency` refuses each for the same reason.
fn foreign(count: usize) -> String {
    let values: Vec<_> = (0..count)
        .map(|number| {
            let mut event = first_of(number);
            event["source"] = "https://shop.example.test/".into();
            event
        })
        .collect();
    lines(&values)
}

const REASON: &str = "source-outside-orders-boundary";

#[test]
fn it_stands_above_the_first_row() {
    for count in [3, 300, 4000] {
        let (_folder, path) = folder_with("shop.jsonl", foreign(count).as_bytes());
        let out = run_on("trace", &path, &[]).expect(0).out;
        let first = out.lines().next().unwrap();
        assert!(first.contains(REASON), "{first}");
        assert!(
            first.contains(&format!("{count} of {count} steps")),
            "{first}"
        );
        assert!(first.contains("consistency"), "{first}");
        assert!(first.contains("--contract"), "the way out: {first}");
        assert_eq!(out.matches("hardly fits").count(), 1, "said once");
        let out = run_on("check", &path, &[]).expect(1).out;
        assert!(out.lines().next().unwrap().contains(REASON), "{out}");
    }
}

#[test]
fn the_way_out_leads_out() {
    let (_folder, path) = folder_with("shop.jsonl", foreign(5).as_bytes());
    let ran = run_on("check", &path, &["--contract", "cloudevents"]).expect(0);
    assert!(!ran.out.contains("hardly fits"), "{}", ran.out);
}

#[test]
fn documents_stay_whole_and_standard_error_says_it() {
    let (_folder, path) = folder_with("shop.jsonl", foreign(5).as_bytes());
    for (command, format, code) in [
        ("trace", "json", 0),
        ("trace", "jsonl", 0),
        ("check", "json", 1),
    ] {
        let ran = run_on(command, &path, &["--format", format]);
        assert_eq!(ran.code, code, "{command} {format}");
        assert!(ran.err.contains(REASON), "{command} {format}: {}", ran.err);
        assert!(!ran.out.contains("hardly fits"), "{command} {format}");
    }
}

#[test]
fn a_piped_capture_says_it_first_too() {
    for count in [3, 300] {
        let mut command = replayscope();
        command.args(["trace", "-"]).write_stdin(foreign(count));
        let ran = Ran::of(&command.output().unwrap()).expect(0);
        assert!(
            ran.out.lines().next().unwrap().contains(REASON),
            "{}",
            ran.out
        );
        assert_eq!(ran.out.matches("hardly fits").count(), 1, "said once");
    }
}

#[test]
fn text_of_another_kind_is_asked_about() {
    let (_folder, path) = folder_with("app.log", b"INFO started\nINFO ready\nWARN slow\n");
    let ran = run_on("trace", &path, &[]);
    let first = ran.out.lines().next().unwrap();
    assert!(first.contains("--explain-format"), "{first}");
    // A script that reads a document hears it too.
    for options in [&[][..], &["--format", "json"], &["--format", "jsonl"]] {
        let ran = run_on("trace", &path, options);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        let told = "none of the 3 records could be read: replayscope trace FILE --explain-format";
        assert!(ran.err.starts_with(told), "{}", ran.err);
    }
}

#[test]
fn two_in_three_refused_is_evidence_and_no_misfit() {
    let mut text = foreign(2);
    text.push_str(&lines(&[event("a", 1, "accepted")]));
    let (_folder, path) = folder_with("mixed.jsonl", text.as_bytes());
    let out = run_on("trace", &path, &[]).expect(0).out;
    assert!(!out.contains("hardly fits"), "{out}");
}
