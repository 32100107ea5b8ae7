//! `:export`: the report of what the inspector shows, written on a thread of its own to a new file.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use color_eyre::eyre::{bail, eyre};

use super::report::{ReportFormat, gather_report, write};
use super::{Failure, saving};
use crate::app::Message;
use crate::session::Run;

/// What reports are made from, and those under way.
pub(super) struct Exporter {
    run: &'static Run,
    /// The capture's paths, or what it is called where it is no file.
    capture: Vec<PathBuf>,
    case: Option<PathBuf>,
    under_way: Vec<Receiver<Message>>,
}

impl Exporter {
    pub(super) fn new(run: &'static Run, capture: Vec<PathBuf>, case: Option<PathBuf>) -> Self {
        Self {
            run,
            capture,
            case,
            under_way: Vec::new(),
        }
    }

    /// Starts to write a report.
    pub(super) fn start(&mut self, path: String) {
        let (sender, receiver) = channel();
        let (run, capture, case) = (self.run, self.capture.clone(), self.case.clone());
        std::thread::spawn(move || {
            let answer = match export(run, &capture, case.as_deref(), Path::new(&path)) {
                Ok(()) => Message::Said(format!(
                    "{} is written; payload values are masked",
                    whole(&path).display()
                )),
                Err(failure) => Message::Failed(format!("no report: {failure}")),
            };
            // Nobody listens any more once the inspector has ended.
            let _ = sender.send(answer);
        });
        self.under_way.push(receiver);
    }

    /// What came of those that ended.
    pub(super) fn answers(&mut self) -> Vec<Message> {
        let mut answers = Vec::new();
        self.under_way.retain(|report| match report.try_recv() {
            Ok(answer) => {
                answers.push(answer);
                false
            }
            Err(TryRecvError::Empty) => true,
            Err(TryRecvError::Disconnected) => false,
        });
        answers
    }

    /// Whether one is under way.
    pub(super) fn is_busy(&self) -> bool {
        !self.under_way.is_empty()
    }
}

/// A path that says where a file is from anywhere.
fn whole(path: &str) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path))
}

fn export(run: &Run, capture: &[PathBuf], case: Option<&Path>, path: &Path) -> Result<(), Failure> {
    if !run.progress().is_finished {
        bail!("the capture is still being read");
    }
    if let Some(failure) = run.failure() {
        return Err(eyre!(failure));
    }
    if !run.is_whole() {
        bail!("the capture's bytes changed since they were decided on; open it again");
    }
    let format = ReportFormat::of(path)
        .ok_or_else(|| eyre!("its name must end in .md, .html, .csv or .json"))?;
    if std::fs::symlink_metadata(path).is_ok() {
        bail!("{} is there already, and is not replaced", path.display());
    }
    let report = gather_report(run, capture, case, false)?;
    saving::save(path, false, &[], |out| write(&report, format, out))
}
