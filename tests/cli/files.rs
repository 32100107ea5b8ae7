//! Several files as one capture: each framed by itself, in the given order or by positions.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::common::{Ran, event, first_of, lines, replayscope};

/// Runs a command in a folder, so that files are named as they are called.
fn run_in(folder: &Path, arguments: &[&str]) -> Ran {
    let mut process = replayscope();
    process.current_dir(folder).args(arguments);
    Ran::of(&process.output().unwrap())
}

fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

fn steps(ran: &Ran) -> Vec<Value> {
    ran.out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// What each step came to, and where its record is.
fn told(ran: &Ran) -> Vec<String> {
    let text = |step: &Value, name: &str| step[name].as_str().unwrap_or("-").to_owned();
    let told = |step: &Value| {
        let (file, id, state) = (text(step, "file"), text(step, "id"), text(step, "state"));
        format!("{file}:{} {id} {state}", step["line"])
    };
    steps(ran).iter().map(told).collect()
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn version(number: u64) -> Value {
    event(&format!("e{number}"), number, "paid")
}

const TRACE: [&str; 3] = ["trace", "--format", "jsonl"];

#[test]
fn files_are_read_in_the_given_order_each_framed_and_decompressed_by_itself() {
    let pretty = serde_json::to_string_pretty(&json!([version(3), version(4)])).unwrap();
    let marked = format!("\u{feff}{}\r\n\r\n{}", version(5), version(6));
    let folder = folder(&[
        // Without a last line end.
        (
            "a.jsonl",
            format!("{}\n{}", version(1), version(2)).as_bytes(),
        ),
        ("b.json.gz", &gzip(pretty.as_bytes())),
        ("nothing.jsonl", b""),
        ("c.jsonl", marked.as_bytes()),
        (
            "d.jsonl.zst",
            &zstd::encode_all(&lines(&[version(7)]).into_bytes()[..], 0).unwrap(),
        ),
    ]);
    let names = [
        "a.jsonl",
        "b.json.gz",
        "nothing.jsonl",
        "c.jsonl",
        "d.jsonl.zst",
    ];
    let ran = run_in(folder.path(), &[&TRACE[..], &names].concat()).expect(0);
    let expected = [
        "a.jsonl:1 e1 event-applied",
        "a.jsonl:2 e2 event-applied",
        "b.json.gz:2 e3 event-applied",
        "b.json.gz:16 e4 event-applied",
        "c.jsonl:1 e5 event-applied",
        "c.jsonl:3 e6 event-applied",
        "d.jsonl.zst:1 e7 event-applied",
    ];
    assert_eq!(told(&ran), expected);
    let other = ["c.jsonl", "a.jsonl"];
    let ran = run_in(folder.path(), &[&TRACE[..], &other].concat()).expect(0);
    let first = told(&ran).into_iter().take(3).collect::<Vec<_>>();
    let expected = [
        "c.jsonl:1 e5 deferred-version-gap",
        "c.jsonl:3 e6 deferred-version-gap",
        "a.jsonl:1 e1 event-applied",
    ];
    assert_eq!(first, expected);
    // From the end the files come the other way round too.
    let reversed = [&TRACE[..], &names, &["--reverse"]].concat();
    let ran = run_in(folder.path(), &reversed).expect(0);
    let places: Vec<_> = steps(&ran)
        .iter()
        .filter(|step| step["kind"] == "delivery")
        .map(|step| format!("{}:{}", step["file"].as_str().unwrap(), step["line"]))
        .collect();
    let all = [
        "d.jsonl.zst:1",
        "c.jsonl:3",
        "c.jsonl:1",
        "b.json.gz:16",
        "b.json.gz:2",
        "a.jsonl:2",
        "a.jsonl:1",
    ];
    assert_eq!(places, all);
}

#[test]
fn documents_name_every_file_and_one_file_is_told_as_before() {
    let folder = folder(&[
        ("a.jsonl", lines(&[version(1)]).as_bytes()),
        ("b.jsonl.gz", &gzip(lines(&[version(2)]).as_bytes())),
        ("a.contract.json", b"{"),
    ]);
    // The contract beside the first file is in force.
    let ran = run_in(folder.path(), &["check", "a.jsonl", "b.jsonl.gz"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("a.contract.json"), "{}", ran.err);
    std::fs::remove_file(folder.path().join("a.contract.json")).unwrap();
    let document = run_in(
        folder.path(),
        &["trace", "a.jsonl", "b.jsonl.gz", "--format", "json"],
    );
    let document = document.expect(0).json();
    let capture = &document["capture"];
    assert_eq!(capture["path"], "a.jsonl and 1 more");
    assert_eq!(
        (&capture["records"], &capture["compression"]),
        (&2.into(), &"gzip".into())
    );
    let files = capture["files"].as_array().unwrap();
    assert_eq!((files.len(), &files[1]["path"]), (2, &"b.jsonl.gz".into()));
    assert_eq!(files[1]["compression"], "gzip");
    assert_eq!(files[0].get("compression"), None);
    let bytes: u64 = files
        .iter()
        .map(|file| file["bytes"].as_u64().unwrap())
        .sum();
    assert_eq!(capture["bytes"], bytes);
    let text = run_in(folder.path(), &["check", "a.jsonl", "b.jsonl.gz"])
        .expect(0)
        .out;
    assert!(text.contains("a.jsonl and 1 more: 2 records"), "{text}");
    let one = run_in(folder.path(), &["trace", "a.jsonl", "--format", "json"])
        .expect(0)
        .json();
    assert_eq!(one["capture"].get("files"), None);
    assert_eq!(one["steps"][0].get("file"), None);
    assert_eq!(one["capture"]["sha256"], files[0]["sha256"]);
    let report = run_in(
        folder.path(),
        &["report", "a.jsonl", "b.jsonl.gz", "--format", "json"],
    );
    report.expect(0);
    let init = run_in(
        folder.path(),
        &["contract", "init", "a.jsonl", "b.jsonl.gz"],
    );
    assert_eq!(init.code, 0, "{}", init.err);
}

#[test]
fn damage_names_file_line_and_column() {
    let damaged = format!("{}\n{{\"event\":,}}\n", version(2));
    let folder = folder(&[
        ("a.jsonl", format!("{}\n\n\n", version(1)).as_bytes()),
        ("b.jsonl", damaged.as_bytes()),
    ]);
    let table = run_in(folder.path(), &["trace", "a.jsonl", "b.jsonl"])
        .expect(0)
        .out;
    assert!(table.contains(", b.jsonl line 2 column "), "{table}");
    let one = run_in(folder.path(), &["trace", "b.jsonl"]).expect(0).out;
    assert!(one.contains(", line 2 column "), "{one}");
    let report = run_in(folder.path(), &["report", "a.jsonl", "b.jsonl"])
        .expect(0)
        .out;
    assert!(report.contains("line 2 of `b.jsonl`"), "{report}");
    let explained = run_in(
        folder.path(),
        &["trace", "a.jsonl", "b.jsonl", "--explain-format"],
    );
    let explained = explained.expect(0).out;
    assert!(
        explained.contains("a.jsonl: framing: jsonl\n"),
        "{explained}"
    );
    assert!(
        explained.contains("(first: r3, line 2 of b.jsonl)"),
        "{explained}"
    );
}

#[test]
fn what_cannot_be_opened_is_an_error_that_names_it() {
    let folder = folder(&[("a.jsonl", lines(&[version(1)]).as_bytes())]);
    for command in ["trace", "check", "report", "verify"] {
        let ran = run_in(folder.path(), &[command, "a.jsonl", "b.jsonl", "a.jsonl"]);
        let ran = ran.expect(2);
        assert!(ran.err.contains("b.jsonl: no such file"), "{}", ran.err);
        assert_eq!(ran.out, "");
        let ran = run_in(folder.path(), &[command, "a.jsonl", "-"]).expect(2);
        assert!(ran.err.contains("stands alone"), "{}", ran.err);
        run_in(folder.path(), &[command]).expect(2);
    }
}

#[test]
fn a_damaged_archive_in_the_middle_ends_the_reading_and_is_named() {
    let many: Vec<Value> = (0..400).map(first_of).collect();
    let mut archive = gzip(lines(&many).as_bytes());
    archive.truncate(archive.len() / 2);
    let folder = folder(&[
        ("a.jsonl", lines(&[version(1)]).as_bytes()),
        ("b.jsonl.gz", &archive),
        ("c.jsonl", lines(&[version(2)]).as_bytes()),
    ]);
    let names = ["a.jsonl", "b.jsonl.gz", "c.jsonl"];
    let ran = run_in(folder.path(), &[&TRACE[..], &names].concat()).expect(2);
    assert!(
        ran.err.contains("b.jsonl.gz: the gzip data are cut off"),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains("the file behind it was not read"),
        "{}",
        ran.err
    );
    let told = told(&ran);
    assert!(told.len() > 10, "what comes before is read: {told:?}");
    assert!(told[0].starts_with("a.jsonl:1 e1"), "{told:?}");
    assert!(
        told.iter().all(|step| !step.starts_with("c.jsonl")),
        "{told:?}"
    );
    for order in ["--reverse", "--order=position"] {
        let ran = run_in(folder.path(), &[&["check"][..], &names, &[order]].concat()).expect(2);
        assert!(ran.err.contains("b.jsonl.gz"), "{}", ran.err);
    }
}

#[test]
fn a_case_is_proven_on_the_same_files_only() {
    let folder = folder(&[
        ("a.jsonl", lines(&[version(1)]).as_bytes()),
        ("b.jsonl", lines(&[version(2)]).as_bytes()),
    ]);
    let ran = run_in(folder.path(), &["verify", "a.jsonl", "b.jsonl"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("a.jsonl.case.jsonl"),
        "beside the first: {}",
        ran.err
    );
}

/// What kcat prints with -J.
fn kcat(partition: &str, offset: &str, inside: &Value) -> Value {
    json!({
        "topic": "orders", "partition": partition.parse::<i32>().unwrap(),
        "offset": offset.parse::<u64>().unwrap(), "tstype": "create", "ts": 1_772_442_000_000_u64,
        "broker": 1, "headers": [], "key": "k", "payload": inside.to_string(),
    })
}

fn positions(ran: &Ran) -> Vec<String> {
    let steps = steps(ran);
    let places = steps.iter().filter(|step| step["kind"] == "delivery");
    places
        .map(|step| {
            let position = &step["position"];
            let text = |name: &str| position[name].as_str().unwrap_or("-").to_owned();
            format!(
                "{}/{} {}",
                text("partition"),
                text("offset"),
                step["id"].as_str().unwrap()
            )
        })
        .collect()
}

#[test]
fn by_position_each_partition_is_in_the_order_of_its_offsets() {
    let late = lines(&[
        kcat("0", "12", &version(3)),
        kcat("1", "5", &first_of(1)),
        kcat("0", "100", &version(4)),
    ]);
    let early = lines(&[
        kcat("0", "3", &version(1)),
        version(9),
        kcat("0", "9", &version(2)),
        kcat("1", "4", &first_of(2)),
    ]);
    let noisy = format!("% Reached end of topic orders [0] at offset 13\n{late}");
    let folder = folder(&[
        ("late.jsonl", noisy.as_bytes()),
        ("early.jsonl", early.as_bytes()),
    ]);
    let arguments = ["late.jsonl", "early.jsonl", "--order", "position"];
    let ran = run_in(folder.path(), &[&TRACE[..], &arguments].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.err.starts_with("1 line is what a tool prints"),
        "{}",
        ran.err
    );
    let expected = [
        "0/3 e1",
        "1/4 evt-2",
        "0/9 e2",
        "0/12 e3",
        "-/- e9",
        "0/100 e4",
        "1/5 evt-1",
    ];
    assert_eq!(positions(&ran), expected);
    assert_eq!(told(&ran)[0], "early.jsonl:1 e1 event-applied");
    assert_eq!(told(&ran)[3], "late.jsonl:2 e3 event-applied");
    let all = format!("{noisy}{early}");
    let mut process = replayscope();
    process.args([&TRACE[..], &["-", "--order", "position"]].concat());
    let piped = Ran::of(&process.write_stdin(all).output().unwrap());
    assert_eq!(positions(&piped), expected, "from a pipe as from files");
    let document = [&["check", "--format", "json"][..], &arguments].concat();
    let document = run_in(folder.path(), &document).json();
    assert_eq!(document["capture"]["order"], "position");
    assert_eq!(document["capture"]["noiseLines"], 1);
    let text = run_in(folder.path(), &[&["check"][..], &arguments].concat()).out;
    assert!(text.contains("(--order position)"), "{text}");
    let both = [&["check"][..], &arguments, &["--reverse"]].concat();
    let ran = run_in(folder.path(), &both).expect(2);
    assert!(ran.err.contains("cannot be used with"), "{}", ran.err);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// However the records of some partitions are shuffled and cut into files, they come back.
    #[test]
    fn shuffled_partitions_come_back(
        mut keys in prop::collection::vec((0u8..3, 0u64..1 << 40), 1..40),
        shuffle in prop::collection::vec(any::<prop::sample::Index>(), 40),
        cut in any::<prop::sample::Index>(),
        blanks in 0usize..3,
    ) {
        keys.sort_unstable();
        keys.dedup();
        let records: Vec<Value> = keys
            .iter()
            .zip(0..)
            .map(|((partition, offset), number)| {
                kcat(&partition.to_string(), &offset.to_string(), &first_of(number))
            })
            .collect();
        let mut shuffled: Vec<&Value> = records.iter().collect();
        for (index, other) in shuffle.iter().enumerate().take(shuffled.len()) {
            let other = other.index(shuffled.len());
            shuffled.swap(index, other);
        }
        let text = |records: &[&Value]| {
            records.iter().fold(String::new(), |mut text, record| {
                write!(text, "{record}\n{}", "\n".repeat(blanks)).unwrap();
                text
            })
        };
        let (one, other) = shuffled.split_at(cut.index(shuffled.len() + 1));
        let folder = folder(&[
            ("one.jsonl", text(one).trim_end().as_bytes()),
            ("other.jsonl.gz", &gzip(text(other).as_bytes())),
        ]);
        let arguments = ["one.jsonl", "other.jsonl.gz", "--order", "position"];
        let ran = run_in(folder.path(), &[&TRACE[..], &arguments].concat()).expect(0);
        let found = positions(&ran);
        for partition in 0..3u8 {
            let own = |all: &[String]| -> Vec<String> {
                let begins = format!("{partition}/");
                all.iter().filter(|one| one.starts_with(&begins)).cloned().collect()
            };
            let sorted: Vec<String> = keys
                .iter()
                .zip(0..)
                .map(|((partition, offset), number)| format!("{partition}/{offset} evt-{number}"))
                .collect();
            prop_assert_eq!(own(&found), own(&sorted));
        }
        // Every partition fills the places that were its own.
        let partitions = |record: &&Value| record["partition"].to_string();
        let places: Vec<_> = shuffled.iter().map(partitions).collect();
        let filled: Vec<_> = found.iter().filter_map(|one| one.split('/').next()).collect();
        prop_assert_eq!(filled, places);
    }
}

#[test]
fn an_empty_batch_is_counted_and_told_and_no_record() {
    let polled = format!(
        "{{\"Messages\":[]}}\n{}\n{{\"Messages\":[]}}\n{{\"Messages\":[],\"x\":1}}\n",
        version(1)
    );
    let folder = folder(&[
        ("polled.jsonl", polled.as_bytes()),
        ("empty.json", b"{\n  \"Records\": []\n}\n"),
    ]);
    let ran = run_in(
        folder.path(),
        &["trace", "polled.jsonl", "--format", "jsonl"],
    );
    assert_eq!(ran.err, "2 batches are empty: they hold no record\n");
    let told = told(&ran);
    assert_eq!(told, ["-:2 e1 event-applied", "-:4 - unreadable"]);
    let ran = run_in(folder.path(), &["check", "empty.json"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.out.contains("no records: nothing was checked"),
        "{}",
        ran.out
    );
    assert!(ran.err.contains("1 batch is empty"), "{}", ran.err);
    let explained = run_in(
        folder.path(),
        &["trace", "polled.jsonl", "--explain-format"],
    )
    .expect(0);
    assert!(
        explained.out.contains("  2  batches that hold no record\n"),
        "{}",
        explained.out
    );
}

#[test]
fn lines_that_are_no_records_are_listed_and_steer_no_terminal() {
    let mut noisy = lines(&[version(1)]);
    for number in 0..25 {
        writeln!(
            noisy,
            "% Reached end of topic orders [{number}] at offset 3\u{1b}[2J"
        )
        .unwrap();
    }
    let archive = gzip(noisy.as_bytes());
    let folder = folder(&[
        ("a.jsonl", lines(&[version(2)]).as_bytes()),
        ("b.jsonl.gz", &archive),
    ]);
    let arguments = ["trace", "a.jsonl", "b.jsonl.gz", "--explain-format"];
    let explained = run_in(folder.path(), &arguments).expect(0).out;
    assert!(
        explained.contains("a.jsonl: framing: jsonl\n"),
        "{explained}"
    );
    assert!(
        explained.contains("b.jsonl.gz: framing: jsonl, compressed with gzip\n"),
        "{explained}"
    );
    assert!(
        explained.contains("25  lines that tools printed"),
        "{explained}"
    );
    assert!(
        explained.contains(
            "line 2 of b.jsonl.gz: % Reached end of topic orders [0] at offset 3\\u{1b}[2J\n"
        ),
        "{explained}"
    );
    assert!(explained.contains("orders [19]") && !explained.contains("orders [20]"));
    assert!(explained.contains("and 5 more\n"), "{explained}");
    assert!(!explained.contains('\u{1b}'));
}
