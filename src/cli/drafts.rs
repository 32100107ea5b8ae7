//! Half-written marks, kept in the folder of the user's state so that a note survives a lost
//! terminal: written a second after it changed and at the end, read when the capture is opened again.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::app::{Draft, MarkTarget};
use crate::model::StepNo;
use crate::review::{Digest, Disk, Disposition, How, MissingAnchor, Store as _, drafts_path};
use crate::session::Run;

/// How often they are written at most.
const WRITE_EVERY: Duration = Duration::from_secs(1);

/// A file with more is none of ours.
const LIMIT_BYTES: u64 = 16 << 20;

/// The drafts' file, and what is still to be written there.
pub(super) struct DraftKeeper {
    path: Option<PathBuf>,
    /// What the steps' numbers belong to: the capture's size and the contract.
    basis: (u64, String),
    unwritten: Option<Vec<Draft>>,
    written_at: Instant,
}

/// What an earlier session left.
pub(super) enum Restored {
    Drafts(Vec<Draft>),
    /// Half-written marks on other bytes or under another contract, left where they are.
    Elsewhere(PathBuf),
}

impl DraftKeeper {
    /// The drafts that belong to a case file; without one they last as long as the inspector.
    pub(super) fn new(run: &Run, case: Option<&Path>) -> Self {
        let whole = case.map(|case| std::path::absolute(case).unwrap_or_else(|_| case.to_owned()));
        let name = whole.map(|whole| Digest::of(whole.as_os_str().as_encoded_bytes()).to_string());
        let input = run.input();
        // What comes through a pipe is not there yet; its case file tells it apart.
        let bytes = if input.is_pipe() {
            0
        } else {
            input.stored_bytes()
        };
        Self {
            path: name.and_then(|name| drafts_path(&name)),
            basis: (bytes, Digest(run.loaded().sha256).to_string()),
            unwritten: None,
            written_at: Instant::now(),
        }
    }

    /// Whether they outlast the inspector.
    pub(super) fn keeps(&self) -> bool {
        self.path.is_some()
    }

    /// What an earlier session left.
    pub(super) fn restored(&self) -> Option<Restored> {
        let path = self.path.as_ref()?;
        let mut file = Disk.open(path, How::ReadOnly).ok()?;
        let bytes = file.read(LIMIT_BYTES).ok()?;
        let document: Value = serde_json::from_slice(&bytes).ok()?;
        let is_same = document.get("captureBytes").and_then(Value::as_u64) == Some(self.basis.0)
            && document.get("contract").and_then(Value::as_str) == Some(&self.basis.1);
        if !is_same {
            return Some(Restored::Elsewhere(path.clone()));
        }
        let drafts = document.get("drafts")?.as_array()?;
        Some(Restored::Drafts(drafts.iter().filter_map(read).collect()))
    }

    /// Keeps these in place of the ones before, soon.
    pub(super) fn keep(&mut self, drafts: Vec<Draft>) {
        if self.path.is_some() {
            self.unwritten = Some(drafts);
        }
    }

    /// Whether something is still to be written.
    pub(super) fn is_busy(&self) -> bool {
        self.unwritten.is_some()
    }

    /// Writes what is due.
    pub(super) fn tick(&mut self) {
        if self.written_at.elapsed() >= WRITE_EVERY {
            self.flush();
        }
    }

    /// Writes now. A folder that cannot be written to costs the drafts, never the inspector.
    pub(super) fn flush(&mut self) {
        let (Some(path), Some(drafts)) = (&self.path, self.unwritten.take()) else {
            return;
        };
        self.written_at = Instant::now();
        if drafts.is_empty() {
            drop(std::fs::remove_file(path));
            return;
        }
        let document = json!({
            "captureBytes": self.basis.0,
            "contract": self.basis.1,
            "drafts": drafts.iter().map(written).collect::<Vec<Value>>(),
        });
        drop(save(path, &document));
    }
}

/// Afterwards either these or the ones before are there; for their owner only.
fn save(path: &Path, document: &Value) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    Disk.make_dir(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(document.to_string().as_bytes())?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

fn written(draft: &Draft) -> Value {
    let (key, target) = match &draft.target {
        MarkTarget::Step(step) => ("step", json!(step.0)),
        MarkTarget::Steps(steps) => {
            let numbers: Vec<u32> = steps.iter().map(|step| step.0).collect();
            ("steps", json!(numbers))
        }
        MarkTarget::Missing(missing) => (
            "missing",
            json!([
                missing.source,
                missing.aggregate,
                missing.version.to_string()
            ]),
        ),
    };
    json!({ key: target, "disposition": draft.disposition.name(), "note": draft.note })
}

fn read(value: &Value) -> Option<Draft> {
    let number = |value: &Value| u32::try_from(value.as_u64()?).ok().map(StepNo);
    let target = if let Some(step) = value.get("step") {
        MarkTarget::Step(number(step)?)
    } else if let Some(steps) = value.get("steps") {
        MarkTarget::Steps(steps.as_array()?.iter().filter_map(number).collect())
    } else {
        let [source, aggregate, version] = value.get("missing")?.as_array()?.as_slice() else {
            return None;
        };
        MarkTarget::Missing(MissingAnchor {
            source: source.as_str()?.to_owned(),
            aggregate: aggregate.as_str()?.to_owned(),
            version: version.as_str()?.parse().ok()?,
        })
    };
    Some(Draft {
        target,
        disposition: Disposition::from_name(value.get("disposition")?.as_str()?)?,
        note: value.get("note")?.as_str()?.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_are_read_as_they_were_written() {
        let targets = [
            MarkTarget::Step(StepNo(7)),
            MarkTarget::Steps(vec![StepNo(1), StepNo(2)]),
            MarkTarget::Missing(MissingAnchor {
                source: "urn:a".to_owned(),
                aggregate: "o\n".to_owned(),
                version: u64::MAX,
            }),
        ];
        for target in targets {
            let draft = Draft {
                target,
                disposition: Disposition::Explained,
                note: "half a \"note\"".to_owned(),
            };
            assert_eq!(read(&written(&draft)), Some(draft));
        }
        assert_eq!(read(&json!({"step": -1})), None);
    }
}
