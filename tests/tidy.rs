//! Holds the rules of the house that no compiler checks: a reason at the head of every file, small
//! files and functions, which room may know which, nothing unfinished, and a fixed top level.
//!
//! The checks read the source as text. Comments and literals are blanked first, so that prose about
//! a rule does not break it. Each rule is a function from a source to its problems, and each has a
//! test that it can fail.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says where it had to skip"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "tidy/reading.rs"]
mod reading;

use reading::{after_path, blank_prose, body_end, leading_word, words};

/// The longest file, in lines.
const FILE_LIMIT_LINES: usize = 500;

/// The longest function, in lines from `fn` to its closing brace.
const FUNCTION_LIMIT_LINES: usize = 70;

/// Every entry that the top level may have. `target` is where builds go and is not kept.
const TOP_LEVEL: [&str; 11] = [
    ".ci",
    ".git",
    ".gitignore",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "samples",
    "src",
    "target",
    "tests",
];

/// Which room may know which others; `lib` only lists them. A room that is not here may not exist.
const ROOMS: [(&str, &[&str]); 14] = [
    ("main", &["cli"]),
    ("model", &[]),
    ("text", &[]),
    ("contract", &["model"]),
    ("capture", &["model", "contract"]),
    ("engine", &["model", "contract"]),
    ("history", &["model"]),
    (
        "session",
        &["model", "contract", "capture", "engine", "history"],
    ),
    ("review", ABOVE_REVIEW),
    ("export", ABOVE_REVIEW),
    ("drill", ABOVE_REVIEW),
    ("app", &["model", "history", "review", "text"]),
    ("tui", &["app", "text"]),
    (
        "cli",
        &[
            "model", "text", "contract", "capture", "engine", "history", "session", "review",
            "export", "drill", "app", "tui",
        ],
    ),
];

/// What stands above review, export and drill, which do not know each other.
const ABOVE_REVIEW: &[&str] = &[
    "model", "text", "contract", "capture", "engine", "history", "session",
];

/// Names that a room never uses: its standard modules, then its crates. The rooms that decide stay
/// pure, the model has no wire format, and text has no terminal.
const FORBIDDEN: [(&str, &[&str], &[&str]); 5] = [
    ("engine", OUTSIDE_WORLD, WIRE_AND_TERMINAL),
    ("history", OUTSIDE_WORLD, WIRE_AND_TERMINAL),
    ("app", OUTSIDE_WORLD, WIRE_AND_TERMINAL),
    (
        "model",
        &["fs", "io", "net", "process", "env", "time", "thread"],
        WIRE_AND_TERMINAL,
    ),
    ("text", &["fs", "net", "process"], &["ratatui", "crossterm"]),
];

const OUTSIDE_WORLD: &[&str] = &["fs", "time", "thread"];
const WIRE_AND_TERMINAL: &[&str] = &[
    "serde",
    "serde_json",
    "serde_path_to_error",
    "ratatui",
    "crossterm",
];

/// Marks of unfinished or switched-off code.
const UNFINISHED: [&str; 4] = ["todo!", "unimplemented!", "dbg!", concat!("#", "[ignore")];

// ---------------------------------------------------------------------------------------------
// The rules, each over one source.

/// One source file: where it is, what it says, and the same with comments and literals blanked.
struct Source {
    /// From the repository's root, with `/`.
    path: String,
    text: String,
    code: String,
}

impl Source {
    fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
            code: blank_prose(text),
        }
    }

    /// The room that this file stands in, or none outside `src`.
    fn room(&self) -> Option<&str> {
        let inside = self.path.strip_prefix("src/")?;
        let first = inside.split('/').next()?;
        Some(first.strip_suffix(".rs").unwrap_or(first))
    }

    /// A problem at a byte offset, as an editor can jump to it.
    fn problem(&self, offset_bytes: usize, what: &str) -> String {
        let line = 1 + self.text[..offset_bytes].matches('\n').count();
        format!("{}:{line}: {what}", self.path)
    }
}

/// A file says at its head why it exists.
fn has_header(source: &Source) -> Vec<String> {
    if source.text.starts_with("//!") {
        return Vec::new();
    }
    vec![source.problem(0, "does not start with `//!`")]
}

/// A file fits into a head.
fn is_short(source: &Source) -> Vec<String> {
    let lines = source.text.lines().count();
    if lines <= FILE_LIMIT_LINES {
        return Vec::new();
    }
    vec![format!("{}: {lines} lines", source.path)]
}

/// So does a function.
fn has_short_functions(source: &Source) -> Vec<String> {
    let mut problems = Vec::new();
    for start in words(&source.code, "fn") {
        let Some(length) = body_end(&source.code[start..]) else {
            continue;
        };
        let lines = source.text[start..start + length].lines().count();
        if lines > FUNCTION_LIMIT_LINES {
            problems.push(source.problem(start, &format!("a function of {lines} lines")));
        }
    }
    problems
}

/// Nothing unfinished, nothing switched off.
fn is_finished(source: &Source) -> Vec<String> {
    let found = UNFINISHED.iter().flat_map(|mark| {
        let hits = source.code.match_indices(mark);
        hits.map(move |(at, _)| source.problem(at, mark))
    });
    found.collect()
}

/// A room names only the rooms that it may know.
fn knows_its_neighbours(source: &Source) -> Vec<String> {
    let Some(room) = source.room().filter(|room| *room != "lib") else {
        return Vec::new();
    };
    let Some((_, known)) = ROOMS.iter().find(|(name, _)| *name == room) else {
        return vec![source.problem(0, &format!("there is no room {room}"))];
    };
    let named = after_path(&source.code, "crate")
        .into_iter()
        .chain(after_path(&source.code, "replayscope"))
        .chain(beyond_room(source));
    named
        .filter(|(_, name)| *name != room && !known.contains(name))
        .map(|(at, name)| source.problem(at, &format!("{room} may not know {name}")))
        .collect()
}

/// A pure room names nothing of the outside world.
fn stays_pure(source: &Source) -> Vec<String> {
    let Some((room, modules, crates)) = FORBIDDEN
        .iter()
        .find(|(room, _, _)| source.room() == Some(*room))
    else {
        return Vec::new();
    };
    let standard = after_path(&source.code, "std")
        .into_iter()
        .filter(|(_, name)| modules.contains(name));
    let foreign = crates
        .iter()
        .flat_map(|name| words(&source.code, name).map(move |at| (at, *name)));
    standard
        .chain(foreign)
        .map(|(at, name)| source.problem(at, &format!("{room} may not name {name}")))
        .collect()
}

/// The room names that a chain of `super::` reaches past its own room. A chain as long as the file
/// is deep ends at the room itself or above it.
fn beyond_room(source: &Source) -> Vec<(usize, &str)> {
    let depth = source.path.split('/').count() - 1;
    let depth = depth - usize::from(source.path.ends_with("/mod.rs"));
    let chain = "super::".repeat(depth.max(1));
    let starts = source.code.match_indices(&chain);
    starts
        .map(|(at, _)| (at, leading_word(&source.code[at + chain.len()..])))
        .filter(|(_, name)| ROOMS.iter().any(|(room, _)| room == name))
        .collect()
}

// ---------------------------------------------------------------------------------------------
// The repository against the rules.

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file below a folder of the repository.
fn sources(folder: &str) -> Vec<Source> {
    let mut folders = vec![root().join(folder)];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    let read = files.iter().map(|path| {
        let parts = path.strip_prefix(root()).unwrap().iter();
        let name: Vec<_> = parts.map(|part| part.to_str().unwrap()).collect();
        Source::new(&name.join("/"), &fs::read_to_string(path).unwrap())
    });
    read.collect()
}

fn assert_holds(folders: &[&str], rule: fn(&Source) -> Vec<String>) {
    let sources: Vec<Source> = folders.iter().flat_map(|folder| sources(folder)).collect();
    assert!(!sources.is_empty(), "no source was read");
    let problems: Vec<String> = sources.iter().flat_map(rule).collect();
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn every_file_says_why_it_exists() {
    assert_holds(&["src", "tests"], has_header);
    assert_eq!(
        has_header(&Source::new("src/a.rs", "use b;")),
        ["src/a.rs:1: does not start with `//!`"]
    );
}

#[test]
fn every_file_is_short() {
    assert_holds(&["src", "tests"], is_short);
    let fits = Source::new("src/a.rs", &"\n".repeat(500));
    let long = Source::new("src/a.rs", &"\n".repeat(501));
    assert_eq!(is_short(&fits), [""; 0]);
    assert_eq!(is_short(&long), ["src/a.rs: 501 lines"]);
}

#[test]
fn every_function_is_short() {
    assert_holds(&["src", "tests"], has_short_functions);
    let function = |lines: usize| {
        let body = "    let brace = '{'; // {\n".repeat(lines - 2);
        let text = format!("trait T {{\n    fn none(a: [u8; 2]);\n}}\nfn f() {{\n{body}}}\n");
        has_short_functions(&Source::new("src/a.rs", &text))
    };
    assert_eq!(function(70), [""; 0]);
    assert_eq!(function(71), ["src/a.rs:4: a function of 71 lines"]);
}

#[test]
fn nothing_is_unfinished() {
    assert_holds(&["src", "tests"], is_finished);
    for mark in UNFINISHED {
        let used = Source::new("src/a.rs", &format!("fn f() {{\n{mark}()\n}}"));
        let told = Source::new(
            "src/a.rs",
            &format!("// {mark}\n\"{mark}\" r#\"\"{mark}\"#"),
        );
        assert_eq!(is_finished(&used), [format!("src/a.rs:2: {mark}")]);
        assert_eq!(is_finished(&told), [""; 0]);
    }
}

#[test]
fn rooms_know_only_their_neighbours() {
    assert_holds(&["src"], knows_its_neighbours);
    let problems = |path: &str, text: &str| knows_its_neighbours(&Source::new(path, text));
    let refused = |path: &str, text: &str| {
        let found = problems(path, text);
        assert_eq!(found.len(), 1, "{path}: {text}: {found:?}");
    };
    refused("src/engine/a.rs", "use crate::history::History;");
    refused(
        "src/engine/a.rs",
        "use crate::{\n  model::{a, b},\n  tui,\n};",
    );
    refused(
        "src/engine/deep/a.rs",
        "fn f() { super::super::super::history::open() }",
    );
    refused("src/review/mod.rs", "use crate::drill;");
    refused("src/text/a.rs", "use crate::model::Kind;");
    refused("src/main.rs", "use replayscope::engine;");
    refused("src/attic/mod.rs", "//! Not a room.");
    let model = "use crate::{model::{tui, app}, contract};\nuse super::super::model;";
    assert_eq!(problems("src/engine/a.rs", model), [""; 0]);
    let prose = "// crate::tui\npub(crate) fn f<'a>(x: &'a str) { g(\"crate::tui\", '\\'') }";
    assert_eq!(problems("src/engine/a.rs", prose), [""; 0]);
}

#[test]
fn the_table_of_rooms_has_no_circles() {
    // Whoever is known has already let go of everyone who knows nobody still standing.
    let mut standing: Vec<_> = ROOMS.to_vec();
    while !standing.is_empty() {
        let before = standing.len();
        let names: Vec<&str> = standing.iter().map(|(name, _)| *name).collect();
        standing.retain(|(_, known)| known.iter().any(|room| names.contains(room)));
        assert!(standing.len() < before, "a circle among {names:?}");
    }
}

#[test]
fn pure_rooms_name_nothing_of_the_outside_world() {
    assert_holds(&["src"], stays_pure);
    let refused = |path: &str, text: &str| {
        let found = stays_pure(&Source::new(path, text));
        assert_eq!(found.len(), 1, "{path}: {text}: {found:?}");
    };
    refused("src/engine/a.rs", "use std::{collections::HashMap, fs};");
    refused("src/history/a.rs", "fn f() { std::time::Instant::now(); }");
    refused("src/app/view.rs", "use crossterm::event::KeyCode;");
    refused("src/model/a.rs", "use serde::Serialize;");
    refused("src/text/a.rs", "use ratatui::text::Line;");
    let allowed = Source::new("src/capture/a.rs", "use std::fs;\nuse serde_json::Value;");
    assert_eq!(stays_pure(&allowed), [""; 0]);
}

/// What the top level has: what is tracked where git can say so (an editor's own files are nobody's
/// business), what lies there otherwise.
fn top_level() -> Vec<String> {
    let git = Command::new("git")
        .args(["ls-tree", "--name-only", "HEAD"])
        .current_dir(root())
        .output();
    if let Ok(output) = git
        && output.status.success()
    {
        let names = String::from_utf8(output.stdout).unwrap();
        return names.lines().map(str::to_owned).collect();
    }
    let entries = fs::read_dir(root()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

fn strangers(names: &[String]) -> Vec<&String> {
    let unknown = names
        .iter()
        .filter(|name| !TOP_LEVEL.contains(&name.as_str()));
    unknown.collect()
}

#[test]
fn the_top_level_is_fixed() {
    let names = top_level();
    assert!(names.iter().any(|name| name == "Cargo.toml"), "{names:?}");
    assert_eq!(strangers(&names), [""; 0]);
    assert_eq!(strangers(&["src".to_owned(), "docs".to_owned()]), ["docs"]);
}

/// What the README lacks of its two commands, each alone on a line of a code block: the one that
/// builds or starts the program, and the one that tests it, which `.ci/run` takes from there.
fn missing_commands(readme: &str) -> Vec<&'static str> {
    let mut starts = false;
    let mut tests = false;
    for (index, block) in readme.split("```").enumerate() {
        for line in block.lines().filter(|_| index % 2 == 1) {
            tests |= line == "cargo test";
            starts |= ["cargo run", "cargo build --release", "cargo install"]
                .iter()
                .any(|command| line.starts_with(command));
        }
    }
    let wanted = [(starts, "start"), (tests, "cargo test")];
    let missing = wanted.iter().filter(|(there, _)| !there);
    missing.map(|(_, name)| *name).collect()
}

#[test]
fn the_readme_has_its_two_commands() {
    let text = "```sh\ncargo run --release\n```\nand\n```sh\ncargo test\n```\n";
    assert_eq!(missing_commands(text), [""; 0]);
    assert_eq!(
        missing_commands("cargo run, cargo test"),
        ["start", "cargo test"]
    );
    let path = root().join("README.md");
    if path.exists() {
        assert_eq!(
            missing_commands(&fs::read_to_string(path).unwrap()),
            [""; 0]
        );
    } else {
        eprintln!("skipped: there is no README.md yet");
    }
}
