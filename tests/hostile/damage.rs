//! Random bytes, and samples with one thing wrong in them at every place: nothing panics, and a
//! record that was not touched keeps its own step.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use replayscope::contract::{LoadedContract, load};
use replayscope::model::StepNo;
use replayscope::session::Run;

use crate::common::{assert_harmless, built_in, print, print_as_of, records, run};

fn sample(name: &str) -> (Vec<u8>, LoadedContract) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("samples")
        .join(name);
    (
        std::fs::read(&path).unwrap(),
        load(None, Some(&path)).unwrap(),
    )
}

/// Prints everything, and holds the document against the history.
fn print_all(run: &Run) {
    let printed = print(run);
    assert_harmless(&printed.table, "damaged");
    assert_harmless(&printed.json, "damaged");
    let steps = run.history().last_step().0 as usize;
    assert_eq!(printed.document["steps"].as_array().unwrap().len(), steps);
    assert!(steps >= run.history().last_record().0 as usize);
}

/// Whether all of `some` stand in `all`, in order.
fn is_subsequence(some: &[Vec<u8>], all: &[Vec<u8>]) -> bool {
    let mut rest = all.iter();
    some.iter().all(|wanted| rest.any(|found| found == wanted))
}

/// The lines that stand wholly before or behind the touched bytes, without their ends.
fn untouched(bytes: &[u8], touched: std::ops::Range<usize>) -> Vec<&[u8]> {
    let mut start = 0;
    let mut lines = Vec::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let end = start + line.len();
        if (end <= touched.start || start >= touched.end) && !line.trim_ascii().is_empty() {
            lines.push(line.trim_ascii());
        }
        start = end;
    }
    lines
}

/// Damages of one byte's size at one place: what comes out, and the touched range of what went in.
fn damages(bytes: &[u8], at: usize) -> Vec<(Vec<u8>, std::ops::Range<usize>)> {
    let mut damaged = Vec::new();
    for mask in [0x01, 0x20, 0x80] {
        let mut flipped = bytes.to_vec();
        flipped[at] ^= mask;
        // A line end that is one no longer joins its line with the next.
        let joins = usize::from(bytes[at] == b'\n');
        damaged.push((flipped, at..at + 1 + joins));
    }
    for inserted in [b'"', b'{', b'}', b'[', b'\n', 0, 0xff, b'\\'] {
        let mut longer = bytes.to_vec();
        longer.insert(at, inserted);
        damaged.push((longer, at..at + 1));
    }
    damaged.push((bytes[..at].to_vec(), at..bytes.len()));
    let mut shorter = bytes.to_vec();
    shorter.remove(at);
    let joins = usize::from(bytes[at] == b'\n');
    damaged.push((shorter, at..at + 1 + joins));
    damaged
}

fn hold(bytes: &[u8], contract: &LoadedContract, at: usize, line_framed: bool) {
    for (damaged, touched) in damages(bytes, at) {
        let found_run = run(&damaged, contract);
        assert_eq!(found_run.failure(), None, "{at}");
        print_all(&found_run);
        if line_framed {
            // A line that holds several records comes back as them.
            let kept = untouched(bytes, touched).into_iter().flat_map(|line| {
                if line.starts_with(b"{\"Records\"") {
                    records(&run(line, contract))
                } else {
                    vec![line.to_vec()]
                }
            });
            let kept: Vec<Vec<u8>> = kept.collect();
            let found = records(&found_run);
            assert!(
                is_subsequence(&kept, &found),
                "at {at}: {}\nfound {:#?}",
                String::from_utf8_lossy(&damaged),
                found
                    .iter()
                    .map(|one| String::from_utf8_lossy(one))
                    .collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn damage_at_every_place_of_a_small_capture() {
    let contract = built_in("consistency");
    let capture = concat!(
        r#"{"order":{"id":"o","status":"paid","version":2}}"#,
        "\n",
        r#"{"refusal":{"orderId":"o","orderVersion":2,"reason":"r"}}"#,
        "\r\n",
        r#"{"specversion":"1.0","id":"a","source":"urn:checkout:","type":"training.order.paid","#,
        r#""subject":"o","data":{"schemaVersion":1,"orderId":"o","orderVersion":2}}"#,
        "\n",
    );
    for at in 0..capture.len() {
        hold(capture.as_bytes(), &contract, at, true);
    }
}

#[test]
fn damage_at_every_place_of_a_small_batch() {
    let contract = built_in("cloudevents");
    let event = |id| format!(r#"{{"specversion":"1.0","id":"{id}","source":"s","type":"t"}}"#);
    let batch = format!("[\n{},\n{}\n]\n", event(1), event(2)).into_bytes();
    for at in 0..batch.len() {
        hold(&batch, &contract, at, false);
    }
}

#[test]
fn damage_here_and_there_in_every_sample() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let mut logs: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.with_extension("expected.json").exists())
        .collect();
    logs.sort();
    assert!(logs.len() >= 13, "{logs:?}");
    for log in logs {
        let (bytes, contract) = sample(log.file_name().unwrap().to_str().unwrap());
        let line_framed = log
            .extension()
            .is_some_and(|extension| extension == "jsonl");
        // A prime distance, and the neighbourhood of the first line end.
        let first_end = bytes.iter().position(|byte| *byte == b'\n').unwrap();
        let places = (0..bytes.len()).step_by(499);
        for at in places.chain(first_end.saturating_sub(2)..first_end + 3) {
            hold(&bytes, &contract, at, line_framed);
        }
    }
}

/// Pieces that captures are made of, so that random bytes get past the first stage.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let known = [
        "\n",
        "\r\n",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\\ud83d",
        "null",
        "1e400",
        "2.0",
        "\0",
        "\u{feff}",
        "\u{1e}",
        "{\"event\":",
        "{\"order\":",
        "{\"refusal\":",
        "{\"baseline\":",
        "\"id\":\"a\"",
        "\"source\":\"urn:checkout:orders\"",
        "\"specversion\":\"1.0\"",
        "\"data\":{\"schemaVersion\":1,\"orderId\":\"o\",",
        "\"orderVersion\":2",
        "\"status\":\"paid\"}",
        "\"receivedAt\":\"2026-03-02T09:00:00Z\"",
        "{\"order\":{\"id\":\"o\",\"status\":\"paid\",\"version\":1}}\n",
    ];
    prop_oneof![
        6 => proptest::sample::select(known.to_vec()).prop_map(|text| text.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..6),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_bytes_are_a_capture_like_any_other(
        pieces in proptest::collection::vec(piece(), 0..40),
    ) {
        let bytes = pieces.concat();
        let run = run(&bytes, &built_in("consistency"));
        if run.failure().is_none() {
            print_all(&run);
            let last = run.history().last_step();
            for at in (0..=last.0.min(20)).map(StepNo) {
                print_as_of(&run, at);
            }
        }
    }

    #[test]
    fn bytes_of_no_kind_at_all(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let run = run(&bytes, &built_in("cloudevents"));
        if run.failure().is_none() {
            print_all(&run);
        }
    }
}
