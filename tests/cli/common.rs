//! Running the binary, and captures to run it on.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

/// One run of the binary.
pub(crate) struct Ran {
    /// The exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8 goes out");
        Self {
            code: output.status.code().expect("an exit code, not a signal"),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }

    /// Fails unless the run ended with this code, with nothing on standard error unless it is 2.
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}\n{}", self.out, self.err);
        assert_eq!(self.err.is_empty(), code != 2, "{}", self.err);
        self
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).expect("a JSON document")
    }
}

/// The binary, with nothing of the surroundings that could change its output.
pub(crate) fn replayscope() -> Command {
    let mut command = Command::cargo_bin("replayscope").unwrap();
    command.env_remove("NO_COLOR");
    command
}

pub(crate) fn run(arguments: &[&str]) -> Ran {
    Ran::of(&replayscope().args(arguments).output().unwrap())
}

/// Runs a command on a capture.
pub(crate) fn run_on(command: &str, capture: &Path, options: &[&str]) -> Ran {
    let mut process = replayscope();
    process.args(command.split(' ')).arg(capture).args(options);
    Ran::of(&process.output().unwrap())
}

pub(crate) fn sample(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("samples")
        .join(name);
    assert!(path.exists(), "{}", path.display());
    path
}

/// A whole event for the `consistency` contract.
pub(crate) fn event(id: &str, version: u64, status: &str) -> Value {
    serde_json::json!({
        "specversion": "1.0",
        "id": id,
        "source": "urn:checkout:orders",
        "type": "com.example.order.status.changed",
        "subject": "order-417",
        "time": "2026-03-02T09:00:00Z",
        "data": {"schemaVersion": 1, "orderId": "order-417", "orderVersion": version, "status": status},
    })
}

/// The first version of an order of its own.
pub(crate) fn first_of(number: usize) -> Value {
    let mut event = event(&format!("evt-{number}"), 1, "accepted");
    let order = format!("order-{number}");
    event["subject"] = order.clone().into();
    event["data"]["orderId"] = order.into();
    event
}

/// One value a line.
pub(crate) fn lines(values: &[Value]) -> String {
    values.iter().fold(String::new(), |mut text, value| {
        writeln!(text, "{value}").unwrap();
        text
    })
}

/// A folder with one file in it.
pub(crate) fn folder_with(name: &str, bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}
