//! Naughty strings as names that a person gives: files, contracts, what stands in contracts. The real
//! binary prints them.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::common::{Shown, assert_harmless, strings};

/// Runs the binary; what it prints on either side, and its exit code.
fn ran(command: &mut Command) -> (String, i32) {
    let output = command.output().unwrap();
    let mut text = String::from_utf8(output.stdout).expect("UTF-8 goes out");
    text.push_str(&String::from_utf8(output.stderr).expect("UTF-8 goes out"));
    (text, output.status.code().unwrap())
}

fn binary() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_replayscope"));
    // Thousands of errors, each with a backtrace that nobody sees, take minutes.
    command.env_remove("RUST_BACKTRACE");
    command
}

/// Those that can be an argument at all. Errors cut longer ones, and say so.
fn arguments() -> impl Iterator<Item = String> {
    let fits = |text: &String| !text.contains('\0') && text.chars().count() <= 300;
    strings().into_iter().filter(fits)
}

/// Those that can be the name of a file.
fn file_names() -> impl Iterator<Item = String> {
    let fits = |text: &String| {
        let dots = text == "." || text == "..";
        !text.is_empty() && !text.contains('/') && text.len() <= 200 && !dots
    };
    arguments().filter(fits)
}

fn contract() -> Value {
    json!({
        "consumer": "reader@1",
        "resultVersion": 1,
        "boundary": {"name": "orders", "sources": ["urn:orders"]},
        "aggregate": {"pointer": "/subject"},
        "version": {"pointer": "/data/version", "first": 1},
        "events": [{"type": "*", "state": {"is": "seen"}}],
        "gate": {"action": "shipping", "projectionStates": ["seen"], "ownerStatuses": ["paid"]}
    })
}

const CAPTURE: &str = concat!(
    r#"{"specversion":"1.0","id":"a","source":"urn:other","type":"t","subject":"order-1"}"#,
    "\n",
    r#"{"order": {"id": "order-1", "status": "paid", "version": 1}}"#,
    "\n"
);

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("capture.jsonl"), CAPTURE).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, contract: &Value) -> std::path::PathBuf {
        std::fs::write(self.path(name), contract.to_string()).unwrap();
        self.path(name)
    }

    /// `check` on the capture under a contract file.
    fn check(&self, contract: &Path) -> (String, i32) {
        let capture = self.path("capture.jsonl");
        ran(binary()
            .arg("check")
            .arg(capture)
            .arg("--contract")
            .arg(contract))
    }
}

#[test]
fn a_captures_file_name() {
    let place = Place::new();
    let (mut shown, mut missing) = (Shown::default(), Shown::default());
    for name in file_names() {
        let path = place.path(&name);
        let (text, code) = ran(binary().arg("check").arg(&path));
        if name != "capture.jsonl" {
            assert_eq!(code, 2, "{name:?}: {text}");
        }
        assert_harmless(&text, &name);
        missing.note(&name, text);
        std::fs::write(&path, CAPTURE).unwrap();
        let (text, code) = ran(binary().arg("check").arg(&path));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(code, 1, "{name:?}: {text}");
        assert_harmless(&text, &name);
        shown.note(&name, text);
    }
}

#[test]
fn a_contracts_file_name() {
    let place = Place::new();
    let (mut shown, mut broken) = (Shown::default(), Shown::default());
    for name in file_names() {
        let path = place.write(&format!("{name}.json"), &contract());
        let (text, code) = place.check(&path);
        assert_eq!(code, 1, "{name:?}: {text}");
        assert_harmless(&text, &name);
        shown.note(&name, text);
        std::fs::write(&path, "{").unwrap();
        let (text, code) = place.check(&path);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(code, 2, "{name:?}: {text}");
        assert_harmless(&text, &name);
        broken.note(&name, text);
    }
}

#[test]
fn a_contract_that_is_not_there() {
    let place = Place::new();
    let capture = place.path("capture.jsonl");
    let (mut chosen, mut shown) = (Shown::default(), Shown::default());
    for name in arguments() {
        let choice = format!("--contract=no-{name}");
        let (text, code) = ran(binary().arg("check").arg(&capture).arg(choice));
        assert_eq!(code, 2, "{name:?}: {text}");
        assert_harmless(&text, &name);
        // How long a file's name may be is the system's to say.
        if name.len() < 200 {
            chosen.note(&name, text);
        }
        let (text, code) = ran(binary().args(["contract", "show", "--", &format!("no-{name}")]));
        assert_eq!(code, 2, "{name:?}: {text}");
        assert_harmless(&text, &name);
        shown.note(&name, text);
    }
}

#[test]
fn names_inside_a_contract() {
    let place = Place::new();
    for pointer in ["/consumer", "/boundary/name", "/gate/action"] {
        let mut shown = Shown::default();
        for text in strings().into_iter().filter(|text| !text.is_empty()) {
            let mut contract = contract();
            *contract.pointer_mut(pointer).unwrap() = text.clone().into();
            let path = place.write("named.json", &contract);
            let (printed, code) = place.check(&path);
            assert_eq!(code, 1, "{pointer} {text:?}: {printed}");
            assert_harmless(&printed, &text);
            shown.note(&text, printed);
            if pointer == "/consumer" {
                let (printed, code) = ran(binary().args(["contract", "check"]).arg(&path));
                assert_eq!(code, 0, "{text:?}: {printed}");
                assert_harmless(&printed, &text);
            }
        }
    }
}

#[test]
fn the_path_in_a_contracts_error() {
    let place = Place::new();
    let mut shown = Shown::default();
    for text in strings()
        .into_iter()
        .filter(|text| text.chars().count() <= 200)
    {
        let mut contract = contract();
        contract["gate"][format!("no {text}")] = 1.into();
        let path = place.write("bad.json", &contract);
        let (printed, code) = ran(binary().args(["contract", "check"]).arg(&path));
        assert_eq!(code, 2, "{text:?}: {printed}");
        assert!(printed.contains("line 1, column "), "{printed}");
        assert_harmless(&printed, &text);
        shown.note(&text, printed);
    }
}

#[test]
fn a_value_in_a_contracts_error() {
    let place = Place::new();
    for text in strings() {
        let mut contract = contract();
        contract["version"]["pointer"] = format!("no {text}").into();
        let path = place.write("bad.json", &contract);
        let (printed, code) = ran(binary().args(["contract", "check"]).arg(&path));
        assert_eq!(code, 2, "{text:?}: {printed}");
        assert_harmless(&printed, &text);
    }
}

#[test]
fn arguments_in_usage_errors() {
    for text in arguments() {
        let (printed, code) = ran(binary().args(["trace", "x", &format!("--at=no {text}")]));
        assert_eq!(code, 2, "{text:?}: {printed}");
        assert_harmless(&printed, &text);
    }
}
