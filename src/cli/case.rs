//! The case beside a capture, for commands that only ask what is marked: read once, never made,
//! locked or written to. What cannot be trusted about it is said on standard error.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use color_eyre::eyre::eyre;

use super::args::RunArguments;
use super::{Failure, output, shown_name};
use crate::history::History;
use crate::model::StepNo;
use crate::review::{Disk, How, Identity, Reading, RunBytes, Store, default_place, read_file};
use crate::session::{CaptureChoice, Facts, Reader, Run};

/// The marks of a capture, where it has a case file.
pub(super) struct Marks {
    reading: Option<Reading>,
}

/// The case file of a capture: the one that is named, else the one beside its first file. Standard
/// input has none beside it.
pub(super) fn case_path(capture: &[PathBuf], named: Option<&Path>) -> Option<PathBuf> {
    named.map(Path::to_owned).or_else(|| {
        let file = match CaptureChoice::of(capture) {
            Some(choice) => choice.path()?,
            // That these cannot be read together is told where they are opened.
            None => capture.first()?,
        };
        Some(default_place(file)?.path)
    })
}

/// What marks on a run are about.
pub(super) fn identity(run: &Run, facts: &Facts) -> Result<Identity, Failure> {
    Identity::of_run(run, facts).ok_or_else(|| eyre!("the capture has no digest"))
}

impl Marks {
    /// Reads the case of a run that has read everything. A case file that is there but cannot be
    /// read is an error: going on without it would hide what a person said.
    pub(super) fn read(
        run: &Run,
        history: &History,
        reader: &Reader<'_>,
        capture: &[PathBuf],
        arguments: &RunArguments,
    ) -> Result<Self, Failure> {
        let path = case_path(capture, arguments.case.as_deref());
        let marks = Self::look_up(run, history, reader, capture, path.as_deref())?;
        match (path, &marks.reading) {
            (Some(path), Some(reading)) => say_doubts(&path, reading),
            (Some(path), None) if arguments.case.is_some() => {
                let shown = path.display();
                output::complain(&format!("{shown}: there is no such case file, so no marks"));
            }
            (_, None | Some(_)) => {}
        }
        Ok(marks)
    }

    /// [`Marks::read`], for who has no history at hand yet.
    pub(super) fn of_capture(
        run: &Run,
        capture: &[PathBuf],
        arguments: &RunArguments,
    ) -> Result<Self, Failure> {
        Self::read(run, &run.history(), &Reader::new(run), capture, arguments)
    }

    /// The same, of a named file where it is there, without a word on standard error.
    pub(super) fn in_file(
        run: &Run,
        capture: &[PathBuf],
        case: Option<&Path>,
    ) -> Result<Self, Failure> {
        Self::look_up(run, &run.history(), &Reader::new(run), capture, case)
    }

    fn look_up(
        run: &Run,
        history: &History,
        reader: &Reader<'_>,
        capture: &[PathBuf],
        case: Option<&Path>,
    ) -> Result<Self, Failure> {
        let Some(path) = case.map(|path| is_there(path).map(|there| there.then_some(path))) else {
            return Ok(Self { reading: None });
        };
        let Some(path) = path? else {
            return Ok(Self { reading: None });
        };
        let identity = identity(run, &Facts::of(run, &shown_name(capture))?)?;
        let mut bytes = RunBytes { history, reader };
        let reading = read_file(&Disk, path, &identity, &mut bytes)
            .map_err(|error| eyre!("{}: {error}", path.display()))?;
        Ok(Self {
            reading: Some(reading),
        })
    }

    /// What was read, where there is a case file.
    pub(super) fn reading(&self) -> Option<&Reading> {
        self.reading.as_ref()
    }

    /// Whether a step's evidence is closed by a person's mark.
    pub(super) fn close(&self, history: &History, step: StepNo) -> bool {
        let Some(reading) = &self.reading else {
            return false;
        };
        history
            .step(step)
            .is_some_and(|step| reading.closes(history, &step))
    }
}

/// Whether there is such a file. Errors: what is there cannot be opened.
fn is_there(path: &Path) -> Result<bool, Failure> {
    match Disk.open(path, How::ReadOnly) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(eyre!("{}: {error}", path.display())),
    }
}

fn say_doubts(path: &Path, reading: &Reading) {
    let path = path.display();
    if let Some(fault) = reading.fault() {
        output::complain(&format!(
            "{path}: {fault}; no mark of it closes any evidence (see replayscope verify)"
        ));
    }
    for notice in reading.notices() {
        output::complain(&format!("{path}: {notice}"));
    }
    let moved = reading.book().marks();
    let moved = moved
        .filter(|mark| mark.stale.bytes_differ == Some(true))
        .count();
    if moved > 0 {
        output::complain(&format!(
            "{path}: {moved} marks were made on other bytes than stand there now: they close nothing"
        ));
    }
}
