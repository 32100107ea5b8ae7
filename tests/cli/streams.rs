//! Standard input and output as pipes: what comes is told as it comes, and a reader who has seen
//! enough is no error.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

use super::common::{Ran, event, first_of, folder_with, lines, replayscope, run_on, sample};

fn binary() -> Command {
    Command::new(env!("CARGO_BIN_EXE_replayscope"))
}

/// Writes one half, reads what it gives, writes the other.
fn told_as_they_come(format: &str, skipped_lines: usize) {
    let mut process = binary()
        .args(["trace", "-", "--format", format])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = process.stdin.take().unwrap();
    let mut output = BufReader::new(process.stdout.take().unwrap());
    let first = lines(&[event("evt-a", 1, "accepted"), event("evt-b", 2, "paid")]);
    input.write_all(first.as_bytes()).unwrap();
    input.flush().unwrap();
    let mut line = String::new();
    for _ in 0..skipped_lines {
        output.read_line(&mut line).unwrap();
    }
    for id in ["evt-a", "evt-b"] {
        line.clear();
        // Would wait for ever if the program waited for the end.
        output.read_line(&mut line).unwrap();
        assert!(line.contains(id), "{line}");
    }
    let second = lines(&[event("evt-c", 3, "reserved")]);
    input.write_all(second.as_bytes()).unwrap();
    drop(input);
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("evt-c"), "{rest}");
    assert!(process.wait().unwrap().success());
}

#[test]
fn json_lines_come_before_the_end_of_the_input() {
    told_as_they_come("jsonl", 0);
}

#[test]
fn rows_come_before_the_end_of_the_input() {
    // The head, and the day.
    told_as_they_come("table", 2);
}

#[test]
fn a_block_in_a_log_comes_with_its_last_line() {
    let mut process = binary()
        .args(["trace", "-", "--format", "jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = process.stdin.take().unwrap();
    let mut output = BufReader::new(process.stdout.take().unwrap());
    let block = |id: &str| {
        let block = format!(
            "☁️  cloudevents.Event\nContext Attributes,\n  specversion: 1.0\n  type: t\n  source: urn:x\n  id: {id}\nData,\n  {{\n    \"a\": 1\n  }}\n"
        );
        let line = |line: &str| format!("2026-03-02T09:00:11Z {line}\n");
        block.lines().map(line).collect::<String>()
    };
    for id in ["evt-a", "evt-b"] {
        input.write_all(block(id).as_bytes()).unwrap();
        input.flush().unwrap();
        let mut line = String::new();
        // Would wait for ever if the program waited for the next block.
        output.read_line(&mut line).unwrap();
        assert!(line.contains(id), "{line}");
        let wrap = r#""wrap":["kubectl","event-display","cloudevent"]"#;
        assert!(line.contains(wrap), "{line}");
    }
    drop(input);
    assert!(process.wait().unwrap().success());
}

#[test]
fn a_stream_is_left_at_the_step_that_was_asked_for() {
    let mut process = binary()
        .args(["trace", "-", "--format", "jsonl", "--at", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = process.stdin.take().unwrap();
    let mut output = BufReader::new(process.stdout.take().unwrap());
    let text = lines(&[event("evt-a", 1, "accepted"), event("evt-b", 2, "paid")]);
    input.write_all(text.as_bytes()).unwrap();
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert!(line.contains("evt-a"), "{line}");
    drop(input);
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
    assert!(process.wait().unwrap().success());
}

#[test]
fn a_pipe_gives_what_the_file_gives() {
    let path = sample("walkthrough.jsonl");
    let bytes = std::fs::read(&path).unwrap();
    for format in ["table", "jsonl"] {
        let mut command = replayscope();
        command.args(["trace", "-", "--format", format]);
        let piped = Ran::of(&command.write_stdin(bytes.clone()).output().unwrap()).expect(0);
        let filed = run_on("trace", &path, &["--format", format]).expect(0);
        assert_eq!(piped.out, filed.out, "{format}");
    }
    let mut command = replayscope();
    command.args(["trace", "-", "--format", "json"]);
    let piped = Ran::of(&command.write_stdin(bytes).output().unwrap()).expect(0);
    let filed = run_on("trace", &path, &["--format", "json"]).expect(0);
    let (mut piped, mut filed) = (piped.json(), filed.json());
    assert_eq!(piped["capture"]["path"], "-");
    assert_eq!(piped["capture"]["sha256"], filed["capture"]["sha256"]);
    piped["capture"] = filed["capture"].take();
    filed["capture"] = piped["capture"].clone();
    assert_eq!(piped, filed);
}

/// Two mebibytes of steps, so that a pipe fills up long before the end.
fn large() -> String {
    let values: Vec<_> = (0..5000).map(first_of).collect();
    lines(&values)
}

#[test]
fn a_reader_who_has_seen_enough_is_no_error() {
    let (_folder, path) = folder_with("orders.jsonl", large().as_bytes());
    for command in [
        "trace",
        "trace --format jsonl",
        "trace --format json",
        "contract show consistency",
    ] {
        let mut process = binary();
        process.args(command.split(' '));
        if command.starts_with("trace") {
            process.arg(&path);
        }
        let mut process = process
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        output.read_line(&mut String::new()).unwrap();
        drop(output);
        let mut error = String::new();
        process
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut error)
            .unwrap();
        assert_eq!(error, "", "{command}");
        assert_eq!(process.wait().unwrap().code(), Some(0), "{command}");
    }
}

#[test]
fn a_closed_standard_error_takes_nothing_down() {
    let folder = tempfile::tempdir().unwrap();
    let mut process = binary()
        .arg("check")
        .arg(folder.path().join("missing"))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(process.stderr.take());
    assert_eq!(process.wait().unwrap().code(), Some(2));
}
