//! One run is every run: the number of workers and where the chunks are cut change nothing.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::fmt::Write as _;
use std::io::Write as _;

use super::*;
use crate::capture::Input;
use crate::contract::load;
use crate::model::State;

fn opened(bytes: &[u8]) -> (tempfile::NamedTempFile, Input) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    let input = Input::open(file.path()).unwrap();
    (file, input)
}

/// A delivery with its order's version; every third id is spelled with an escape.
fn delivery(order: usize, version: usize) -> String {
    let letter = if (order + version).is_multiple_of(3) {
        r"\u0065"
    } else {
        "e"
    };
    format!(
        r#"{{"event":{{"specversion":"1.0","id":"{letter}{order}-{version}","source":"urn:checkout:web","type":"com.example.order.status.changed","subject":"o{order}","data":{{"schemaVersion":1,"orderId":"o{order}","orderVersion":{version},"status":"paid"}}}}}}"#
    )
}

/// Orders with repeats, gaps that close late, owners' records, damage, and everything that may
/// stand around a line.
fn capture(orders: usize) -> Vec<u8> {
    let mut text = "\u{feff}".to_owned();
    for order in 0..orders {
        let end = ["\n", "\r\n", " \t\n", "\n\n", "\n \r\n"][order % 5];
        for version in [1, 3, 2, 2, 4] {
            write!(text, "{}{end}", delivery(order, version)).unwrap();
        }
        let odd = match order % 8 {
            0 => format!(r#"{{"order":{{"id":"o{order}","status":"paid","version":4}}}}"#),
            1 => delivery(order, 5).replace("\"event\":", "\"event\":1,\"event\":"),
            2 => delivery(order, 5).replace("}}}", "}}"),
            3 => format!("[{},{}]", delivery(order, 5), delivery(order, 6)),
            4 => delivery(order, 5).replace("\"subject\"", "\"\\u0073ubject\""),
            5 => delivery(order, 5).replace("paid", "\\ud800"),
            6 => "[".repeat(200),
            _ => delivery(order, 5).replace("web", "wéb"),
        };
        write!(text, "{odd}{end}").unwrap();
    }
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(b"{\"event\":{\"id\":\"\xff\"}}\n");
    bytes.extend_from_slice(delivery(orders, 1).as_bytes());
    bytes
}

/// Everything that a run decided, and where each record is.
fn decided(input: Input, contract: &str, workers: usize, chunk_bytes: usize) -> String {
    let loaded = load(Some(contract), None).unwrap();
    let run = Run::new(input, loaded, BaselinePolicy::None);
    run.load_sized(workers, (chunk_bytes, MAX_RECORD_BYTES));
    assert_eq!(run.failure(), None);
    let history = run.history();
    let mut all = format!("{:?} {:?}\n", run.tally(), run.framing());
    for number in 1..=history.last_step().0 {
        let step = history.step(StepNo(number)).unwrap();
        let place = history.place(step.record).unwrap();
        writeln!(all, "{step:?} {place:?}").unwrap();
    }
    all
}

#[test]
fn workers_and_chunks_change_nothing() {
    for (bytes, contract) in [
        (capture(80), "consistency"),
        (capture(80), "event-contract"),
        // Blocks whose lines a log keeps.
        (displayed(12), "consistency"),
    ] {
        let (_file, input) = opened(&bytes);
        let whole = decided(input, contract, 1, 1 << 20);
        for state in [
            State::Applied,
            State::Unreadable,
            State::DuplicateSuppressed,
        ] {
            assert!(whole.contains(&format!("{state:?}")), "{state:?}");
        }
        for workers in [1, 2, 3, 7] {
            for chunk_bytes in [1, 7, 300, 1_000, 4_099] {
                let (_file, input) = opened(&bytes);
                let other = decided(input, contract, workers, chunk_bytes);
                assert!(other == whole, "{contract} {workers} {chunk_bytes}");
                let stream = Box::new(std::io::Cursor::new(bytes.clone()));
                let input = Input::stream("pipe", stream).unwrap();
                let other = decided(input, contract, workers, chunk_bytes);
                assert!(other == whole, "pipe {contract} {workers} {chunk_bytes}");
            }
        }
    }
}

#[test]
fn workers_change_nothing_for_a_pipe() {
    let bytes = capture(40);
    let (_file, input) = opened(&bytes);
    let whole = decided(input, "consistency", 1, 1 << 20);
    for workers in [1, 2, 3, 7] {
        let input = Input::stream("pipe", Box::new(std::io::Cursor::new(bytes.clone()))).unwrap();
        assert!(
            decided(input, "consistency", workers, 1_000) == whole,
            "{workers}"
        );
    }
}

/// event-display's blocks of two pods, line by line between each other, with what pods log beside them.
fn displayed(orders: usize) -> Vec<u8> {
    let block = |order: usize, version: usize| {
        format!(
            "☁️  cloudevents.Event\nContext Attributes,\n  specversion: 1.0\n  type: com.example.order.status.changed\n  source: urn:checkout:web\n  subject: o{order}\n  id: e{order}-{version}\nData,\n  {{\n    \"schemaVersion\": 1,\n    \"orderId\": \"o{order}\",\n    \"orderVersion\": {version},\n    \"status\": \"paid\"\n  }}\n"
        )
    };
    let mut text = String::new();
    for order in 0..orders {
        let versions = [1, 3, 2, 2, 4].map(|version| block(order, version));
        let others = [
            "listening\n".repeat(order % 7),
            block(order + orders, 1),
            block(order + orders, 2).replace("paid\"", "paid"),
            "☁️  cloudevents.Event\n".to_owned(),
            delivery(order + orders, 3) + "\n\n",
        ];
        let (one, other) = (versions.concat(), others.concat());
        let (mut one, mut other) = (one.lines(), other.lines());
        for turn in 0.. {
            let before = text.len();
            for line in one.by_ref().take(1 + turn % 3) {
                writeln!(text, "[pod/web-1/web] 2026-03-02T09:00:11Z {line}").unwrap();
            }
            for line in other.by_ref().take(1 + turn % 2) {
                writeln!(text, "[pod/web-2/web] 2026-03-02T09:00:11Z {line}").unwrap();
            }
            if text.len() == before {
                break;
            }
        }
    }
    text.into_bytes()
}
