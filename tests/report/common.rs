//! A folder with a capture in it, the program run on it, and marks made as the screen makes them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use replayscope::engine::BaselinePolicy;
use replayscope::model::StepNo;
use replayscope::review::{
    Anchor, Case, Disk, Disposition, Identity, MissingAnchor, Outcome, Signature, default_place,
};
use replayscope::session::{CaptureChoice, Facts, Reader, Run, open};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The four formats.
pub(crate) const FORMATS: [&str; 4] = ["markdown", "html", "csv", "json"];

/// Who marks in these tests, and when.
pub(crate) const ANNA: Signature<'static> = Signature {
    operator: "anna",
    time: "2026-03-02T09:14:00Z",
};

/// What a run of the program came to.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// A folder with a capture, and an empty one for temporary files.
pub(crate) struct Bench {
    folder: TempDir,
    temporary: TempDir,
}

impl Bench {
    /// A folder whose capture has these records.
    pub(crate) fn new(records: &[Value]) -> Self {
        let lines: Vec<String> = records.iter().map(Value::to_string).collect();
        Self::with_bytes((lines.join("\n") + "\n").as_bytes())
    }

    pub(crate) fn with_bytes(bytes: &[u8]) -> Self {
        let bench = Self {
            folder: tempfile::tempdir().unwrap(),
            temporary: tempfile::tempdir().unwrap(),
        };
        fs::write(bench.capture(), bytes).unwrap();
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn capture(&self) -> PathBuf {
        self.path("orders.jsonl")
    }

    pub(crate) fn case(&self) -> PathBuf {
        default_place(&self.capture()).unwrap().path
    }

    /// Names of everything in both folders.
    pub(crate) fn names(&self) -> Vec<String> {
        let folders = [self.folder.path(), self.temporary.path()];
        let entries = folders
            .iter()
            .flat_map(|folder| fs::read_dir(folder).unwrap());
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    /// Runs a command on the capture, in its folder.
    pub(crate) fn run(&self, command: &str, options: &[&str]) -> Ran {
        self.start(command, "orders.jsonl", options, Stdio::null())
    }

    /// The same with the capture on standard input.
    pub(crate) fn run_piped(&self, command: &str, options: &[&str]) -> Ran {
        let file = fs::File::open(self.capture()).unwrap();
        self.start(command, "-", options, file.into())
    }

    fn start(&self, command: &str, capture: &str, options: &[&str], input: Stdio) -> Ran {
        let output = Command::new(env!("CARGO_BIN_EXE_replayscope"))
            .args([command, capture])
            .args(options)
            .current_dir(self.folder.path())
            .env("TMPDIR", self.temporary.path())
            .stdin(input)
            .output()
            .unwrap();
        Ran {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// A report in a format.
    pub(crate) fn report(&self, format: &str, options: &[&str]) -> String {
        let mut all = vec!["--format", format];
        all.extend(options);
        let ran = self.run("report", &all);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{format}");
        ran.out
    }

    /// The report as JSON.
    pub(crate) fn json(&self, options: &[&str]) -> Value {
        serde_json::from_str(&self.report("json", options)).unwrap()
    }

    /// Marks a step, through the same room as the screen does.
    pub(crate) fn mark(&self, step: u32, disposition: Disposition, note: &str) {
        let run = loaded(&self.capture());
        let history = run.history();
        let reader = Reader::new(&run);
        let step = history.step(StepNo(step)).unwrap();
        let anchor = Anchor::of_step(&history, &reader, &step).unwrap();
        self.keep(&run, anchor, disposition, note);
    }

    /// Marks the version that an aggregate waits for.
    pub(crate) fn mark_missing(&self, aggregate: &str, version: u64, note: &str) {
        let anchor = Anchor::Missing(MissingAnchor {
            source: "urn:checkout:orders".into(),
            aggregate: aggregate.into(),
            version,
        });
        let run = loaded(&self.capture());
        self.keep(&run, anchor, Disposition::NeedsOwnerDecision, note);
    }

    fn keep(&self, run: &Run, anchor: Anchor, disposition: Disposition, note: &str) {
        let facts = Facts::of(run, &self.capture().to_string_lossy()).unwrap();
        let identity = Identity::of_run(run, &facts);
        let place = default_place(&self.capture());
        let mut case = Case::open(Arc::new(Disk), place, identity, ANNA.operator);
        let outcome = case.mark(anchor, disposition, note, ANNA).unwrap();
        assert!(matches!(outcome, Outcome::Saved(_)), "{:?}", case.banner());
    }
}

/// A run over a capture, read to its end.
pub(crate) fn loaded(capture: &Path) -> Run {
    let run = open(CaptureChoice::File(capture), None, BaselinePolicy::None).unwrap();
    run.load(1);
    assert_eq!(run.failure(), None);
    run
}

/// An event of the built-in contract, as a native record.
pub(crate) fn event(id: &str, order: &str, version: u64, status: &str) -> Value {
    json!({
        "receivedAt": "2026-03-02T09:00:05Z",
        "event": {
            "specversion": "1.0",
            "id": id,
            "source": "urn:checkout:orders",
            "type": "com.example.order.status.changed",
            "subject": order,
            "time": "2026-03-02T09:00:00Z",
            "data": {"schemaVersion": 1, "orderId": order, "orderVersion": version, "status": status}
        }
    })
}

/// Version 2 twice with other content (step 3 is evidence), and version 4 without version 3 (step 4).
pub(crate) fn conflict_and_gap() -> Vec<Value> {
    vec![
        event("evt-1", "order-417", 1, "accepted"),
        event("evt-2", "order-417", 2, "paid"),
        event("evt-2b", "order-417", 2, "cancelled"),
        event("evt-4", "order-417", 4, "packed"),
    ]
}
