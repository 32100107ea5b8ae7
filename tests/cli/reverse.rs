//! `--reverse`: an export that is newest first is noticed, and read from its end.

use serde_json::{Value, json};

use super::common::{Ran, event, folder_with, lines, replayscope, run_on};

const NAME: &str = "newest-first.jsonl";

/// What `logcli -o jsonl` prints: the newest line first.
fn capture() -> String {
    let line = |number: u64| {
        let line = event(&format!("e{number}"), number, "paid").to_string();
        let timestamp = format!("2026-03-02T09:00:0{number}Z");
        json!({"labels": {}, "line": line, "timestamp": timestamp})
    };
    lines(&(1..=4).rev().map(line).collect::<Vec<_>>())
}

/// What each step came to, by the event's id, with the record and its line.
fn steps(ran: &Ran) -> Vec<(String, String, u64, u64)> {
    let text = |step: &Value, name: &str| step[name].as_str().unwrap().to_owned();
    ran.out
        .lines()
        .map(|line| {
            let step: Value = serde_json::from_str(line).unwrap();
            let number = |name: &str| step[name].as_u64().unwrap();
            let record = (number("record"), number("line"));
            (text(&step, "id"), text(&step, "state"), record.0, record.1)
        })
        .collect()
}

#[test]
fn newest_first_is_said_on_standard_error_and_in_the_facts() {
    let (_folder, path) = folder_with(NAME, capture().as_bytes());
    for command in ["trace", "check", "report"] {
        let ran = run_on(command, &path, &[]);
        assert!(
            ran.err.contains("looks newest first"),
            "{command}: {}",
            ran.err
        );
        assert!(ran.err.contains("--reverse"), "{command}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{command}: {}", ran.err);
    }
    let document = run_on("trace", &path, &["--format", "json"]).json();
    assert_eq!(document["capture"]["newestFirst"], true);
    assert_eq!(document["capture"]["fromTheEnd"], Value::Null);
}

#[test]
fn read_from_the_end_everything_applies_and_lines_stay_those_of_the_file() {
    let (_folder, path) = folder_with(NAME, capture().as_bytes());
    let options = ["--reverse", "--format", "jsonl"];
    let ran = run_on("trace", &path, &options).expect(0);
    let expected: Vec<_> = (1..=4)
        .map(|number| {
            let id = format!("e{number}");
            (id, "event-applied".to_owned(), number, 5 - number)
        })
        .collect();
    assert_eq!(steps(&ran), expected);
    let document = run_on("check", &path, &["--reverse", "--format", "json"]).expect(0);
    let facts = &document.json()["capture"];
    assert_eq!(facts["fromTheEnd"], true);
    assert_eq!(facts["newestFirst"], Value::Null);
    let mut process = replayscope();
    process.args(["trace", "-"]).args(options);
    let piped = Ran::of(&process.write_stdin(capture()).output().unwrap()).expect(0);
    assert_eq!(steps(&piped), expected, "from a pipe as from a file");
}

#[test]
fn the_wrong_way_round_is_said_too() {
    let all: Vec<String> = capture().lines().rev().map(str::to_owned).collect();
    let (_folder, path) = folder_with(NAME, all.join("\n").as_bytes());
    let ran = run_on("check", &path, &["--reverse"]);
    assert!(ran.err.contains("without --reverse"), "{}", ran.err);
    run_on("check", &path, &[]).expect(0);
}

#[test]
fn events_own_times_tell_it_where_none_of_receipt_are_there() {
    let at = |number: u64| {
        let mut event = event(&format!("e{number}"), number, "paid");
        event["time"] = format!("2026-03-02T09:{:02}:{:02}Z", number / 60, number % 60).into();
        event
    };
    let bare: Vec<_> = (1..=300).rev().map(at).collect();
    let stripe: Vec<_> = (1..=5).rev().map(|number| json!({
        "id": format!("evt_{number}"), "object": "event", "api_version": "2024-06-20",
        "created": 1_772_442_000 + number, "type": "payment_intent.created", "livemode": false,
        "data": {"object": {"id": "pi_1", "object": "payment_intent", "status": "created"}},
        "pending_webhooks": 0, "request": {"id": null, "idempotency_key": null},
    })).collect();
    let list = json!({"object": "list", "data": stripe, "has_more": false, "url": "/v1/events"});
    for text in [lines(&bare), list.to_string()] {
        let (_folder, path) = folder_with(NAME, text.as_bytes());
        let ran = run_on("check", &path, &[]);
        assert!(ran.err.contains("looks newest first"), "{}", ran.err);
        assert!(ran.err.contains("events' own times"), "{}", ran.err);
        let document = run_on("trace", &path, &["--format", "json"]).json();
        assert_eq!(document["capture"]["newestFirst"], true);
        let ran = run_on("check", &path, &["--reverse"]);
        assert_eq!(ran.err, "", "read from its end");
    }
    // In order, or mixed, nothing is said.
    let forwards: Vec<_> = bare.into_iter().rev().collect();
    let mut mixed = forwards.clone();
    mixed.rotate_left(100);
    for events in [forwards, mixed] {
        let (_folder, path) = folder_with(NAME, lines(&events).as_bytes());
        assert_eq!(run_on("check", &path, &[]).err, "");
    }
}

#[test]
fn pieces_in_reverse_order_are_not_joined_and_that_is_said() {
    let text = event("e1", 1, "paid").to_string();
    let (one, other) = text.split_at(100);
    let piece = |text: String| {
        json!({"log": text, "stream": "stdout", "time": "2026-03-02T09:00:00Z"}).to_string()
    };
    let pieces = [piece(one.to_owned()), piece(format!("{other}\n"))];
    let (_folder, path) = folder_with(NAME, pieces.join("\n").as_bytes());
    run_on("check", &path, &[]).expect(0);
    let wrong: Vec<_> = pieces.into_iter().rev().collect();
    let (_folder, path) = folder_with(NAME, wrong.join("\n").as_bytes());
    let ran = run_on("trace", &path, &["--reverse"]);
    assert!(
        ran.out.contains("payload-truncated, line 2: docker cut"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("(tac turns it around)"), "{}", ran.out);
}

#[test]
fn clouds_exports_that_are_newest_first_are_noticed() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/fixtures");
    for name in [
        "generic-log/datadog.json",
        "generic-log/google.json",
        "log-row/loki.json",
        "logcli/grafana.json",
    ] {
        let path = root.join(name);
        let ran = run_on("check", &path, &[]);
        assert!(
            ran.err.contains("looks newest first"),
            "{name}: {}",
            ran.err
        );
        let ran = run_on("trace", &path, &["--reverse", "--format", "jsonl"]).expect(0);
        let states: Vec<_> = steps(&ran).into_iter().map(|step| step.1).collect();
        assert_eq!(states, ["event-applied"; 4], "{name}");
    }
}
