//! The command line: arguments to settings, one thin file a command.

mod args;
mod case;
mod check;
mod contract;
mod inspect;
mod output;
mod report;
mod saving;
mod trace;
mod verify;

use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

use crate::session::{CaptureChoice, Run, open};
use args::{Arguments, Command, RunArguments};

/// What ends a command early.
type Failure = color_eyre::Report;

/// Exit code of usage errors, unreadable files and bad contracts.
const UNUSABLE: u8 = 2;

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return output::usage(&error),
    };
    let done = match arguments.command {
        None => inspect::inspect(&arguments.inspect),
        Some(Command::Trace(trace)) => trace::trace(&trace),
        Some(Command::Check(check)) => check::check(&check),
        Some(Command::Report(report)) => report::report(&report),
        Some(Command::Verify(verify)) => verify::verify(&verify),
        Some(Command::Contract(contract)) => contract::contract(&contract),
    };
    match done {
        Ok(code) => code,
        Err(failure) if is_closed_pipe(&failure) => ExitCode::SUCCESS,
        Err(failure) => {
            output::error(&failure);
            ExitCode::from(UNUSABLE)
        }
    }
}

/// Whoever read our output has seen enough: no error.
fn is_closed_pipe(failure: &Failure) -> bool {
    let mut causes = failure
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Opens a capture as a command's arguments say.
fn open_run(capture: &Path, arguments: &RunArguments) -> Result<Run, Failure> {
    let choice = CaptureChoice::of(capture);
    if choice == CaptureChoice::StandardInput && io::stdin().is_terminal() {
        color_eyre::eyre::bail!(
            "- reads a capture from standard input, but that is this terminal: pipe something in"
        );
    }
    Ok(open(
        choice,
        arguments.contract.as_deref(),
        arguments.policy(),
    )?)
}

/// The path as it was given, for a document.
fn shown_path(capture: &Path) -> String {
    if capture == Path::new("-") {
        "-".to_owned()
    } else {
        capture.to_string_lossy().into_owned()
    }
}
