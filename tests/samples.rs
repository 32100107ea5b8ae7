//! The samples show everything that can happen: every state, finding, reason, gap cause and gate
//! reason is reached by one of the logs in `samples/` itself, and each of them can be traced in every
//! format. On failure the table says which log reaches what.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use replayscope::engine::BaselinePolicy;
use replayscope::history::History;
use replayscope::model::{
    Cause, FindingCode, GateReason, Kind, ReasonId, Rule, State, StepNo, Vocabulary, reason,
};
use replayscope::session::{CaptureChoice, Run, open};

/// A record that is too long takes more than 64 MiB.
const TOO_LARGE_FOR_A_SAMPLE: &str = "too-long";

/// Only --kcat-format gives it; it has fixtures of its own.
const NEEDS_AN_OPTION: &str = "template-mismatch";

/// What a log can reach, by kind of thing and name, with the first step of each log that does.
#[derive(Default)]
struct Reached(BTreeMap<(&'static str, String), BTreeMap<String, StepNo>>);

impl Reached {
    fn note(&mut self, what: &'static str, name: &str, log: &str, step: StepNo) {
        let logs = self.0.entry((what, name.to_owned())).or_default();
        logs.entry(log.to_owned()).or_insert(step);
    }

    /// Everything that one run shows, as of every one of its steps.
    fn read(&mut self, log: &str, history: &History) {
        for number in (1..=history.last_step().0).map(StepNo) {
            let step = history.step(number).unwrap();
            self.note("kind", step.kind.name(), log, number);
            self.note("state", step.state.name(), log, number);
            if let Some(reason) = step.reason {
                let what = if step.state == State::ManualReview {
                    "review reason"
                } else if step.state == State::Unreadable {
                    "unreadable reason"
                } else {
                    "refusal reason"
                };
                self.note(what, history.reason_name(reason), log, number);
            }
            for finding in step.findings {
                self.note("finding", finding.code.name(), log, number);
            }
            for id in history.listed_aggregates(number) {
                for cause in history.gap_causes(id, number) {
                    self.note("gap cause", cause.cause.name(), log, number);
                }
            }
            for order in history.known_orders(number) {
                let gate = history.gate(order, number).into_iter();
                for reason in gate.flat_map(|gate| gate.reasons) {
                    self.note("gate reason", reason.name(), log, number);
                }
            }
        }
    }

    fn table(&self) -> String {
        let mut table = String::new();
        for ((what, name), logs) in &self.0 {
            let logs: Vec<String> = logs
                .iter()
                .map(|(log, step)| format!("{log} {}", step.0))
                .collect();
            writeln!(table, "{what:<18} {name:<34} {}", logs.join(", ")).unwrap();
        }
        table
    }

    fn lacks<'a>(&self, what: &'static str, wanted: impl Iterator<Item = &'a str>) -> Vec<String> {
        wanted
            .filter(|name| !self.0.contains_key(&(what, (*name).to_owned())))
            .map(|name| format!("{what} {name}"))
            .collect()
    }
}

/// The logs in `samples/` itself, not those in the folders below.
fn samples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut logs: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .filter(|path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            !name.ends_with(".contract.json") && !name.ends_with(".expected.json")
        })
        .collect();
    logs.sort();
    logs
}

fn name_of(log: &Path) -> String {
    log.file_name().unwrap().to_string_lossy().into_owned()
}

fn run(log: &Path, policy: BaselinePolicy) -> Run {
    let run = open(CaptureChoice::File(log), None, policy).unwrap();
    run.load(1);
    assert_eq!(run.failure(), None, "{}", log.display());
    run
}

/// The reasons that a small log can reach: of unreadable records, of reviews, of everything else.
fn reasons() -> [(&'static str, Vec<String>); 3] {
    let vocabulary = Vocabulary::default();
    let named = |reasons: &[ReasonId]| -> Vec<String> {
        let names = reasons.iter().map(|reason| vocabulary.name(*reason));
        names.map(str::to_owned).collect()
    };
    let unreadable = named(&[
        reason::NOT_UTF8,
        reason::TOO_DEEP,
        reason::MALFORMED_JSON,
        reason::NOT_AN_OBJECT,
        reason::DUPLICATE_KEY,
        reason::AMBIGUOUS_RECORD,
        reason::NOT_A_DELIVERY,
        reason::NO_PAYLOAD,
        reason::PAYLOAD_NOT_DECODED,
        reason::PAYLOAD_TRUNCATED,
        reason::TOO_MANY_WRAPPERS,
    ]);
    let reviews = named(&[
        reason::UNKNOWN_REASON,
        reason::OWNER_UNKNOWN,
        reason::VERSION_MISMATCH,
        reason::OWNER_NOT_COMPENSABLE,
    ]);
    // A contract's own reasons come behind the fixed ones, which end where the names do.
    let refusals: Vec<String> = (0..u16::MAX)
        .map(|index| vocabulary.name(ReasonId(index)).to_owned())
        .take_while(|name| name != "unknown")
        .filter(|name| name != TOO_LARGE_FOR_A_SAMPLE && name != NEEDS_AN_OPTION)
        // Only --strict gives these; each has its own test beside the rules.
        .filter(|name| Rule::named(name).is_none())
        .filter(|name| !unreadable.contains(name) && !reviews.contains(name))
        .collect();
    assert!(refusals.len() > 10, "{refusals:?}");
    [
        ("unreadable reason", unreadable),
        ("review reason", reviews),
        ("refusal reason", refusals),
    ]
}

#[test]
fn every_outcome_is_reached_by_a_sample() {
    let mut reached = Reached::default();
    for log in samples() {
        let name = name_of(&log);
        reached.read(&name, &run(&log, BaselinePolicy::None).history());
        let assumed = format!("{name} --baseline first-seen");
        reached.read(&assumed, &run(&log, BaselinePolicy::FirstSeen).history());
    }
    let causes = [
        Cause::NotAccepted,
        Cause::SuppressedAsIdReuse,
        Cause::Ignored,
        Cause::NeverSeen,
        Cause::BeingReleased,
    ];
    let mut missing = reached.lacks("kind", Kind::ALL.iter().map(|kind| kind.name()));
    missing.extend(reached.lacks("state", State::ALL.iter().map(|state| state.name())));
    missing.extend(reached.lacks("finding", FindingCode::ALL.iter().map(|code| code.name())));
    missing.extend(reached.lacks("gap cause", causes.iter().map(|cause| cause.name())));
    missing.extend(reached.lacks("gate reason", gate_reasons().iter().map(|one| one.name())));
    for (what, names) in reasons() {
        missing.extend(reached.lacks(what, names.iter().map(String::as_str)));
    }
    assert!(
        missing.is_empty(),
        "no sample reaches: {missing:#?}\nreached:\n{}",
        reached.table()
    );
}

fn gate_reasons() -> [GateReason; 9] {
    [
        GateReason::AmbiguousSource,
        GateReason::DeferredEvents,
        GateReason::OpenReview,
        GateReason::OwnerConflict,
        GateReason::OwnerStatus,
        GateReason::ProjectionMissing,
        GateReason::ProjectionState,
        GateReason::VersionConflict,
        GateReason::VersionMismatch,
    ]
}

#[test]
fn every_sample_has_a_document_that_a_person_has_read() {
    let lacking: Vec<PathBuf> = samples()
        .into_iter()
        .filter(|log| !log.with_extension("expected.json").exists())
        .collect();
    assert!(lacking.is_empty(), "{lacking:#?}");
}

#[test]
fn every_sample_is_traced_in_every_format() {
    for log in samples() {
        let steps = run(&log, BaselinePolicy::None).history().last_step().0;
        for (format, lines_at_least) in [("table", steps), ("jsonl", steps), ("json", steps)] {
            let output = Command::cargo_bin("replayscope")
                .unwrap()
                .args(["trace", "--format", format])
                .arg(&log)
                .output()
                .unwrap();
            let name = format!("{} {format}", log.display());
            assert!(output.status.success(), "{name}");
            let said = String::from_utf8_lossy(&output.stderr);
            // Programs that read the output get the way out of a mid-stream capture beside it.
            let is_mid_stream = format != "table" && name.contains("mid-stream");
            assert_eq!(
                said.contains("--baseline first-seen"),
                is_mid_stream,
                "{name}: {said}"
            );
            assert_eq!(said.is_empty(), !is_mid_stream, "{name}: {said}");
            let text = String::from_utf8(output.stdout).expect("UTF-8 goes out");
            assert!(text.lines().count() >= lines_at_least as usize, "{name}");
            if format == "jsonl" {
                let numbers: BTreeSet<u64> = text
                    .lines()
                    .map(|line| serde_json::from_str(line).unwrap())
                    .map(|step: serde_json::Value| step["step"].as_u64().unwrap())
                    .collect();
                assert_eq!(numbers, (1..=u64::from(steps)).collect(), "{name}");
            }
        }
    }
}

/// A contract to start from is the very one that its producer's sample is read with.
#[test]
fn a_producers_contract_is_the_one_beside_its_sample() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let mut compared = 0;
    for entry in std::fs::read_dir(folder.join("contracts")).unwrap() {
        let start = entry.unwrap().path();
        let name = start.file_stem().unwrap().to_str().unwrap().to_owned();
        let beside = folder.join(format!("{name}.contract.json"));
        if beside.exists() {
            let [start, beside] = [start, beside].map(|path| std::fs::read(path).unwrap());
            assert_eq!(start, beside, "{name}");
            compared += 1;
        }
    }
    assert!(compared > 0);
}

/// A caption stands beside a step on the screen; a paragraph would not be read.
#[test]
fn captions_are_short() {
    for log in samples() {
        let run = run(&log, BaselinePolicy::None);
        let history = run.history();
        let reader = replayscope::session::Reader::new(&run);
        for record in (1..=history.last_record().0).map(replayscope::model::RecordNo) {
            let note = reader.row(&history, record).note.unwrap_or_default();
            let length = note.chars().count();
            assert!(length <= 160, "{} {record}: {length}", log.display());
        }
    }
}
