//! Makes reference captures, and measures the program on them against `wc -l` on the same machine in
//! the same run.
//!
//! ```text
//! cargo bench --bench reference                                   100,000 deliveries, quickly
//! cargo bench --bench reference -- generate 1000000 FILE [SEED]   makes FILE and FILE.truth.tsv
//! cargo bench --bench reference -- extreme KIND LINES FILE        many of one thing, see `extreme.rs`
//! cargo bench --bench reference -- asof FILE                      how long a screen's questions take
//! cargo bench --bench reference -- measure FILE [RUNS [PEER]]     medians of alternating runs
//! cargo bench --bench reference -- packed FILE [RUNS]             gzip and zstd against decoding alone
//! cargo bench --bench reference -- wrapped FILE [RUNS]            kcat and docker lines against bare ones
//! cargo bench --bench reference -- table [--large] [--build] ...  what `tests/bench/run` prints
//! cargo bench --bench reference -- keys FILE                      from a key to the frame that answers it
//! ```
//!
//! The sizes that promises are made for are 100 thousand, 1 million and 10 million deliveries.
//! `FILE.truth.tsv` has one line a record: record, state, reason or `-`, and the replays that it
//! releases as `RECORD:STATE,…` or `-`.
//!
//! `measure` warms the page cache with one run of each, then runs them in turn: `wc -l`,
//! `replayscope check`, the same on one core where `taskset` is there, and PEER where it is given (a
//! shell command that finds the capture's path in `$CAPTURE`). `tests/bench/run` is the whole
//! measurement, with its peers, in one command.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a program for people, that stops where it cannot go on"
)]

mod asof;
mod generate;
mod keys;
mod machine;
mod measure;
mod packed;
mod table;
mod wrapped;

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

const SEED: u64 = 417;
const QUICK_DELIVERIES: u64 = 100_000;
const RUNS: usize = 7;

fn main() {
    // Cargo adds `--bench` for harnesses that want to know.
    let arguments: Vec<String> = env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reference-100k.jsonl");
            write(QUICK_DELIVERIES, &path, SEED);
            measure::report(&path, RUNS, None);
        }
        ["generate", deliveries, path] => write(number(deliveries), Path::new(path), SEED),
        ["generate", deliveries, path, seed] => {
            write(number(deliveries), Path::new(path), number(seed));
        }
        ["extreme", kind, lines, path] => write_extreme(kind, number(lines), Path::new(path)),
        ["asof", path] => asof::report(Path::new(path)),
        ["table", options @ ..] => table(options),
        ["keys", path] => keys::report(Path::new(path)),
        ["measure", path] => measure::report(Path::new(path), RUNS, None),
        ["measure", path, runs] => measure::report(Path::new(path), count(runs), None),
        ["measure", path, runs, peer] => {
            measure::report(Path::new(path), count(runs), Some(peer));
        }
        ["packed", path] => packed::report(Path::new(path), RUNS),
        ["packed", path, runs] => packed::report(Path::new(path), count(runs)),
        ["wrapped", path] => wrapped::report(Path::new(path), RUNS),
        ["wrapped", path, runs] => wrapped::report(Path::new(path), count(runs)),
        ["read", path] => packed::read(Path::new(path)),
        ["decode", path] => packed::decode(Path::new(path)),
        _ => println!(
            "generate DELIVERIES FILE [SEED] | extreme KIND LINES FILE | asof FILE | measure FILE [RUNS [PEER]] | packed FILE [RUNS] | wrapped FILE [RUNS] | table [--large] [--build] | keys FILE"
        ),
    }
}

fn table(words: &[&str]) {
    let mut options = table::Options {
        folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("target/bench"),
        runs: RUNS,
        large: false,
        build: false,
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || *words.next().expect("a value behind an option");
        match *word {
            "--large" => options.large = true,
            "--build" => options.build = true,
            "--runs" => options.runs = count(value()),
            "--captures" => options.folder = value().into(),
            other => panic!("{other}: not one of --large --build --runs N --captures FOLDER"),
        }
    }
    table::report(&options, |deliveries, path| write(deliveries, path, SEED));
}

fn number(text: &str) -> u64 {
    text.replace('_', "").parse().expect("a whole number")
}

fn count(text: &str) -> usize {
    text.parse().expect("a whole number")
}

/// Writes a capture that is hard in one way, and the contract that it needs beside it.
fn write_extreme(kind: &str, lines: u64, path: &Path) {
    let Some(kind) = generate::Extreme::named(kind) else {
        let names = generate::Extreme::ALL.map(|(name, _)| name);
        println!("extreme {} LINES FILE", names.join("|"));
        return;
    };
    let mut capture = BufWriter::new(File::create(path).expect("a file to write"));
    for number in 1..=lines {
        writeln!(capture, "{}", kind.line(number, lines)).expect("the capture is written");
    }
    capture.flush().expect("the capture is written");
    if let Some(contract) = kind.contract(lines) {
        fs::write(path.with_extension("contract.json"), contract).expect("the contract is written");
    }
}

/// Writes a capture and its truth, and says what is in it.
fn write(deliveries: u64, path: &Path, seed: u64) {
    let begun = Instant::now();
    let mut truth_path = PathBuf::from(path).into_os_string();
    truth_path.push(".truth.tsv");
    let create = |path: &Path| BufWriter::new(File::create(path).expect("a file to write"));
    let mut capture = create(path);
    let mut truth = create(Path::new(&truth_path));
    let mut bytes = 0;
    let mut steps: BTreeMap<&str, u64> = BTreeMap::new();
    for (line, expected) in generate::generate(seed, deliveries) {
        bytes += line.len() + 1;
        writeln!(capture, "{line}").expect("the capture is written");
        let released: Vec<String> = expected
            .releases
            .iter()
            .map(|(record, state)| format!("{record}:{state}"))
            .collect();
        let released = if released.is_empty() {
            "-".to_owned()
        } else {
            released.join(",")
        };
        let (record, state) = (expected.record, expected.state);
        let reason = expected.reason.unwrap_or("-");
        writeln!(truth, "{record}\t{state}\t{reason}\t{released}").expect("the truth is written");
        *steps.entry(state).or_default() += 1;
        for (_, state) in expected.releases {
            *steps.entry(state).or_default() += 1;
        }
    }
    capture.flush().expect("the capture is written");
    truth.flush().expect("the truth is written");
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{}: {deliveries} deliveries, {bytes} bytes, seed {seed}, {seconds:.1} s",
        path.display()
    );
    for (state, steps) in steps {
        println!("{steps:>10}  {state}");
    }
}
