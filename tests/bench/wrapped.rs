//! The same deliveries as tools hand them out, one wrapper around each line: how long `check` takes on
//! them, next to the bare lines.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::measure::{BINARY, Runner, in_turn};

/// A tool that wraps.
#[derive(Clone, Copy)]
pub(crate) enum Tool {
    Kcat,
    Docker,
}

/// The tools with their names.
pub(crate) const TOOLS: [(Tool, &str); 2] = [
    (Tool::Kcat, "kcat -J"),
    (Tool::Docker, "docker's json-file"),
];

/// Makes the wrapped capture beside the bare one, where it is not there.
pub(crate) fn make(capture: &Path, tool: Tool) -> PathBuf {
    let path = capture.with_extension(match tool {
        Tool::Kcat => "kcat.jsonl",
        Tool::Docker => "docker.jsonl",
    });
    if path.exists() {
        return path;
    }
    let lines = BufReader::new(File::open(capture).expect("the capture")).lines();
    let mut wrapped = BufWriter::new(File::create(&path).expect("a file to write"));
    for (number, line) in lines.enumerate() {
        let line = wrap(tool, &line.expect("the capture is read"), number);
        writeln!(wrapped, "{line}").expect("the capture is written");
    }
    wrapped.flush().expect("the capture is written");
    path
}

fn wrap(tool: Tool, line: &str, number: usize) -> String {
    let quoted = |text: &str| serde_json::to_string(text).expect("a text can be spelled");
    match tool {
        Tool::Kcat => {
            let (partition, milliseconds) = (number % 3, 1_772_442_000_000 + number);
            let payload = quoted(line);
            format!(
                r#"{{"topic":"orders","partition":{partition},"offset":{number},"tstype":"create","ts":{milliseconds},"broker":1,"headers":[],"key":null,"payload":{payload}}}"#
            )
        }
        Tool::Docker => {
            let (log, minute, second) =
                (quoted(&format!("{line}\n")), number / 60 % 60, number % 60);
            format!(
                r#"{{"log":{log},"stream":"stdout","time":"2026-03-02T09:{minute:02}:{second:02}.{number:09}Z"}}"#
            )
        }
    }
}

/// Each tool with its ratio to the bare lines, and both medians in seconds.
pub(crate) fn compared(capture: &Path, runs: usize) -> Vec<(&'static str, f64, [f64; 2])> {
    let shown = |path: &Path| path.to_str().expect("a path that can be shown").to_owned();
    let mut runners = vec![Runner::new("check", &[BINARY, "check", &shown(capture)])];
    for (tool, name) in TOOLS {
        let wrapped = shown(&make(capture, tool));
        runners.push(Runner::new(name, &[BINARY, "check", &wrapped]));
    }
    in_turn(&mut runners, capture, runs);
    let bare = runners.first().map_or(1.0, Runner::median);
    let tools = TOOLS.into_iter().zip(runners.iter().skip(1));
    let compared = tools.map(|((_, name), runner)| {
        let seconds = runner.median();
        (name, seconds / bare, [seconds, bare])
    });
    compared.collect()
}

/// Measures and prints.
pub(crate) fn report(capture: &Path, runs: usize) {
    for (name, ratio, [seconds, bare]) in compared(capture, runs) {
        println!("{name}: {ratio:.2} x the bare lines ({seconds:.3} s, {bare:.3} s)");
    }
}
