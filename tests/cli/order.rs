//! Records that stand in another order than they were received in, and what is said of it.

use serde_json::{Value, json};

use super::common::{event, folder_with, lines, run_on};

/// One line of a stream of Loki's: its time in nanoseconds, and the event.
fn line(number: u64) -> Value {
    let at = (1_772_442_000 + number) * 1_000_000_000;
    json!([
        at.to_string(),
        event(&format!("e{number}"), number, "paid").to_string()
    ])
}

fn loki(streams: &[Vec<Value>]) -> String {
    let streams = streams
        .iter()
        .enumerate()
        .map(|(pod, values)| json!({"stream": {"pod": format!("p{pod}")}, "values": values}));
    let result: Vec<_> = streams.collect();
    json!({"status": "success", "data": {"resultType": "streams", "result": result}}).to_string()
}

const STARTS_AGAIN: &str = "the times of receipt start again";

#[test]
fn streams_that_stand_one_behind_the_other_are_told() {
    for (last, place) in [(4, "once at r3 (line 1)"), (40, "once at r21 (line 1)")] {
        let every_second = |from: u64| (from..=last).step_by(2).map(line).collect();
        let text = loki(&[every_second(1), every_second(2)]);
        let (_folder, path) = folder_with("loki.json", text.as_bytes());
        for command in ["check", "trace", "report"] {
            let ran = run_on(command, &path, &[]);
            let told = format!("{STARTS_AGAIN} {place}");
            assert!(ran.err.contains(&told), "{command}: {}", ran.err);
            assert!(
                ran.err.contains("export one stream"),
                "{command}: {}",
                ran.err
            );
            assert!(!ran.err.contains("newest first"), "{command}: {}", ran.err);
        }
        let document = run_on("check", &path, &["--format", "json"]).json();
        assert_eq!(document["capture"]["timesStartAgain"], 1);
    }
    // One stream, and one of late lines alone.
    for order in [[1, 2, 3, 4], [1, 3, 2, 4]] {
        let text = loki(&[order.into_iter().map(line).collect()]);
        let (_folder, path) = folder_with("loki.json", text.as_bytes());
        let ran = run_on("check", &path, &[]);
        assert!(!ran.err.contains(STARTS_AGAIN), "{order:?}: {}", ran.err);
    }
}

#[test]
fn streams_that_are_newest_first_are_told_to_be_that() {
    let backwards = |last: u64| (0..20).map(|number| line(last - number * 2)).collect();
    let text = loki(&[backwards(41), backwards(40)]);
    let (_folder, path) = folder_with("loki.json", text.as_bytes());
    let ran = run_on("check", &path, &[]);
    assert!(ran.err.contains("looks newest first"), "{}", ran.err);
    assert!(!ran.err.contains(STARTS_AGAIN), "{}", ran.err);
    // The right way round they still are several.
    let ran = run_on("check", &path, &["--reverse"]);
    assert!(ran.err.contains(STARTS_AGAIN), "{}", ran.err);
}

#[test]
fn files_in_the_wrong_order_are_told_with_the_file() {
    let received = |number: u64| {
        let at = format!("2026-03-02T09:00:{number:02}Z");
        json!({"receivedAt": at, "event": event(&format!("e{number}"), number, "paid")})
    };
    let part = |from: u64, to: u64| lines(&(from..=to).map(received).collect::<Vec<_>>());
    let (folder, first) = folder_with("first.jsonl", part(1, 3).as_bytes());
    let second = folder.path().join("second.jsonl");
    std::fs::write(&second, part(4, 6)).unwrap();
    let name = first.to_str().unwrap();
    let ran = run_on("check", &second, &[name]);
    let told = format!("{STARTS_AGAIN} once at r4 (line 1 of {name})");
    assert!(ran.err.contains(&told), "{}", ran.err);
    run_on("check", &first, &[second.to_str().unwrap()]).expect(0);
}

#[test]
fn partitions_one_behind_the_other_are_nothing_to_tell() {
    let message = |partition: u64, number: u64| {
        let payload = event(&format!("e{partition}-{number}"), number, "paid").to_string();
        json!({"topic": "orders", "partition": partition, "offset": number, "tstype": "create",
               "ts": (1_772_442_000 + number) * 1_000, "broker": 0, "key": null, "payload": payload})
    };
    let all = (0..2).flat_map(|partition| (1..=20).map(move |number| message(partition, number)));
    let text = lines(&all.collect::<Vec<_>>());
    let (_folder, path) = folder_with("orders.jsonl", text.as_bytes());
    let ran = run_on("check", &path, &[]);
    assert!(!ran.err.contains(STARTS_AGAIN), "{}", ran.err);
}

#[test]
fn a_sort_by_positions_says_how_many_have_one() {
    let bare: Vec<_> = (1..=3)
        .map(|number| event(&format!("e{number}"), number, "paid"))
        .collect();
    let (_folder, path) = folder_with("bare.jsonl", lines(&bare).as_bytes());
    let options = ["--order", "position"];
    let ran = run_on("check", &path, &options);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("nothing was sorted"), "{}", ran.err);
    assert!(
        ran.out
            .contains("no record has a position (--order position)"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("by its offsets"), "{}", ran.out);
    let ran = run_on("trace", &path, &options);
    assert!(
        ran.out
            .contains("no record has a position (--order position)"),
        "{}",
        ran.out
    );
    let json = [&options[..], &["--format", "json"]].concat();
    assert_eq!(
        run_on("check", &path, &json).json()["capture"]["positionedRecords"],
        0
    );
    let message = json!({"topic": "orders", "partition": 0, "offset": 7, "tstype": "create",
        "ts": 1_772_442_000_000_u64, "broker": 0, "key": null, "payload": bare[0].to_string()});
    let some = lines(&[message, bare[1].clone(), bare[2].clone()]);
    let (_folder, path) = folder_with("some.jsonl", some.as_bytes());
    let ran = run_on("check", &path, &options).expect(0);
    let told = "each partition by its offsets, which 1 of 3 records have (--order position)";
    assert!(ran.out.contains(told), "{}", ran.out);
}

#[test]
fn pieces_in_a_file_that_is_newest_first_ask_for_tac_at_once() {
    let docker = |text: &str, second: u64| json!({"log": text, "stream": "stdout", "time": format!("2026-03-02T09:00:{second:02}Z")});
    let whole = |number: u64| event(&format!("e{number}"), number, "paid").to_string();
    let long = whole(3);
    let (head, tail) = long.split_at(100);
    let pieces = [
        docker(&(whole(1) + "\n"), 1),
        docker(&(whole(2) + "\n"), 2),
        docker(head, 3),
        docker(&format!("{tail}\n"), 3),
        docker(&(whole(4) + "\n"), 4),
        docker(&(whole(5) + "\n"), 5),
    ];
    let (_folder, path) = folder_with("right.json", lines(&pieces).as_bytes());
    run_on("check", &path, &[]).expect(0);
    let turned: Vec<_> = pieces.iter().rev().cloned().collect();
    let (_folder, path) = folder_with("turned.json", lines(&turned).as_bytes());
    let ran = run_on("check", &path, &[]);
    assert!(ran.err.contains("turn it around with tac"), "{}", ran.err);
    assert!(!ran.err.contains("open it with --reverse"), "{}", ran.err);
    let ran = run_on("check", &path, &["--reverse"]);
    assert!(ran.err.contains("turn it around with tac"), "{}", ran.err);
    // Without pieces, --reverse is the way.
    let (_folder, path) = folder_with(
        "whole.json",
        lines(&[turned[0].clone(), turned[1].clone(), turned[4].clone()]).as_bytes(),
    );
    let ran = run_on("check", &path, &[]);
    assert!(ran.err.contains("open it with --reverse"), "{}", ran.err);
}
