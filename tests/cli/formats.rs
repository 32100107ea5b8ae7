//! The formats of `trace`: as of any step, the same steps in all of them.

use serde_json::Value;

use super::common::{event, first_of, folder_with, lines, run_on, sample};

fn as_of(step: u32) -> Value {
    let at = step.to_string();
    let options = ["--format", "json", "--at", &at];
    run_on("trace", &sample("reused-ids.jsonl"), &options)
        .expect(0)
        .json()
}

#[test]
fn as_of_step_zero_is_a_run_that_has_not_begun() {
    let document = as_of(0);
    for (name, empty) in [
        ("steps", serde_json::json!([])),
        ("counts", serde_json::json!({})),
        ("aggregates", serde_json::json!([])),
        ("receipts", serde_json::json!([])),
    ] {
        assert_eq!(document[name], empty, "{name}");
    }
    let table = run_on("trace", &sample("reused-ids.jsonl"), &["--at", "0"]).expect(0);
    assert!(table.out.contains("as of step 0 of 14"), "{}", table.out);
    assert!(!table.out.contains("evt-"), "{}", table.out);
    let lines = run_on(
        "trace",
        &sample("reused-ids.jsonl"),
        &["--at", "0", "--format", "jsonl"],
    );
    assert_eq!(lines.expect(0).out, "");
}

#[test]
fn as_of_a_step_inside_a_cascade() {
    // Step 9 closes the gap at version 2; steps 10 to 13 replay what waits for 3 and 4.
    let before = as_of(9);
    let order = &before["aggregates"][0];
    assert_eq!(order["version"], 2);
    assert_eq!(order["waitingFor"], 3);
    assert_eq!(
        order["gapCauses"],
        serde_json::json!([{"cause": "being-released"}])
    );
    assert_eq!(
        order["deferred"],
        serde_json::json!([{"version": 3, "records": [4, 6, 7]}, {"version": 4, "records": [5]}])
    );
    let between = as_of(11);
    let order = &between["aggregates"][0];
    assert_eq!(
        (&order["version"], &order["state"]),
        (&3.into(), &"reserved".into())
    );
    assert_eq!(
        order["deferred"],
        serde_json::json!([{"version": 3, "records": [7]}, {"version": 4, "records": [5]}])
    );
    assert_eq!(between["steps"].as_array().unwrap().len(), 11);
    assert_eq!(between["receipts"].as_array().unwrap().len(), 3);
    let table = run_on("trace", &sample("reused-ids.jsonl"), &["--at", "11"]).expect(0);
    assert!(table.out.contains("as of step 11 of 14"), "{}", table.out);
    assert!(table.out.contains("for v4, 2 deferred"), "{}", table.out);
}

#[test]
fn beyond_the_end_names_how_many_steps_there_are() {
    for format in ["table", "json", "jsonl"] {
        let options = ["--format", format, "--at", "15"];
        let ran = run_on("trace", &sample("reused-ids.jsonl"), &options).expect(2);
        assert!(ran.err.contains("--at 15"), "{}", ran.err);
        assert!(ran.err.contains("14 steps"), "{}", ran.err);
        if format != "jsonl" {
            assert_eq!(
                ran.out, "",
                "{format}: nothing is shown as of a step that is not there"
            );
        }
        let options = ["--format", format, "--at", "14"];
        run_on("trace", &sample("reused-ids.jsonl"), &options).expect(0);
    }
}

#[test]
fn the_formats_tell_of_the_same_steps() {
    let path = sample("walkthrough.jsonl");
    let document = run_on("trace", &path, &["--format", "json"])
        .expect(0)
        .json();
    let stream = run_on("trace", &path, &["--format", "jsonl"]).expect(0).out;
    let streamed: Vec<Value> = stream
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(document["steps"], Value::from(streamed.clone()));
    let table = run_on("trace", &path, &[]).expect(0).out;
    let rows: Vec<&str> = table
        .lines()
        .filter(|line| {
            line.trim_start()
                .starts_with(|first: char| first.is_ascii_digit())
        })
        .take(streamed.len())
        .collect();
    for (row, step) in rows.iter().zip(&streamed) {
        assert!(row.contains(step["state"].as_str().unwrap()), "{row}");
        if let Some(id) = step["id"].as_str() {
            assert!(row.ends_with(id), "{row}");
        }
    }
}

#[test]
fn another_day_stands_above_its_rows() {
    let out = run_on("trace", &sample("invoices.jsonl"), &[])
        .expect(0)
        .out;
    let (_, under_first) = out.split_once("-- 2026-03-02 --").unwrap();
    let (between, _) = under_first.split_once("-- 2026-03-09 --").unwrap();
    assert!(between.contains("r11") && !between.contains("r12"), "{out}");
    assert_eq!(out.matches("-- 2026").count(), 2, "{out}");
}

#[test]
fn an_events_own_time_is_told_from_a_time_of_receipt() {
    let out = run_on("trace", &sample("cloudevents-batch.json"), &[])
        .expect(0)
        .out;
    assert!(out.contains(" ~07:00:00 "), "{out}");
    assert!(out.contains("~ the event's own time"), "{out}");
    let out = run_on("trace", &sample("three-inputs.jsonl"), &[])
        .expect(0)
        .out;
    assert!(!out.contains('~'), "{out}");
}

#[test]
fn an_assumed_baseline_is_named() {
    let path = sample("mid-stream.jsonl");
    let assumed = ["--baseline", "first-seen"];
    for command in ["trace", "check"] {
        let out = run_on(command, &path, &assumed).expect(0).out;
        assert!(
            out.contains("baselines assumed (--baseline first-seen)"),
            "{out}"
        );
        let mut plain = run_on(command, &path, &[]);
        plain.code = 0;
        assert!(!plain.out.contains("baselines assumed"), "{}", plain.out);
        assert!(
            plain
                .out
                .contains("start with --baseline first-seen, or state")
        );
        let mut options = assumed.to_vec();
        options.extend(["--format", "json"]);
        let document = run_on(command, &path, &options).expect(0).json();
        assert_eq!(document["contract"]["baselinePolicy"], "first-seen");
    }
}

#[test]
fn more_than_one_chunk_changes_nothing_as_of_a_step() {
    // Two mebibytes: a run that stops early knows no longer how many steps there are.
    let values: Vec<Value> = (0..6000)
        .map(|number| {
            let mut event = first_of(number);
            event["data"]["padding"] = "x".repeat(100).into();
            event
        })
        .collect();
    let (_folder, path) = folder_with("orders.jsonl", lines(&values).as_bytes());
    let table = run_on("trace", &path, &["--at", "3"]).expect(0).out;
    assert!(table.contains("as of step 3 of 6000"), "{table}");
    assert!(table.contains("0 open, 0 resolved"), "{table}");
}

#[test]
fn the_table_counts_broken_rules_below_it() {
    let mut late = event("b", 3, "reserved");
    late["time"] = "yesterday".into();
    let mut other = event("c", 2, "paid");
    other["time"] = "today".into();
    other["Extension"] = "x".into();
    let log = lines(&[event("a", 1, "accepted"), late, other]);
    let (_folder, path) = folder_with("orders.jsonl", log.as_bytes());
    let out = run_on("trace", &path, &["--conformance"]).expect(0).out;
    // The second is replayed, and still one event.
    for told in [
        "-- CloudEvents specification: 2 rules broken --\n",
        "    2  ce-time, first step 2: time is not as RFC 3339 writes it.\n",
        "    1  ce-attribute-name, first step 3: ",
    ] {
        assert!(out.contains(told), "{told}: {out}");
    }
    assert!(out.contains("replay"), "{out}");
    let out = run_on("trace", &path, &[]).expect(0).out;
    assert!(!out.contains("CloudEvents specification"), "{out}");
    let (_folder, path) = folder_with("o.jsonl", lines(&[event("a", 1, "accepted")]).as_bytes());
    let out = run_on("trace", &path, &["--conformance"]).expect(0).out;
    assert!(out.contains("no rule broken"), "{out}");
}
