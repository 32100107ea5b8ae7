//! The command line: arguments to settings, one thin file a command.

mod args;
mod case;
mod check;
mod contract;
mod desk;
mod drafts;
mod explaining;
mod exporting;
pub mod facts;
mod gathering;
mod inspect;
mod marks;
mod output;
mod proposing;
mod report;
mod saving;
mod sifting;
mod trace;
mod verify;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use color_eyre::eyre::bail;

use crate::capture::Asked;
use crate::engine::BaselinePolicy;
use crate::model::RecordNo;
use crate::session::{CaptureChoice, Order, Reader, Run, open};
use crate::text::Safe;
use crate::tui::terminal::install_panic_hook;
use args::{Arguments, Command, RunArguments};

/// What ends a command early.
type Failure = color_eyre::Report;

/// Exit code of usage errors, unreadable files and bad contracts.
const UNUSABLE: u8 = 2;

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    color_eyre_hooks();
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

/// A panic gives the terminal back before anything is printed, whatever was open.
fn color_eyre_hooks() {
    let (panic_hook, eyre_hook) = color_eyre::config::HookBuilder::default()
        .panic_section(
            "This is a fault in replayscope. The capture and the saved marks are as they were.",
        )
        .into_hooks();
    install_panic_hook(move |info| panic_hook.panic_report(info).to_string());
    // It is installed once, at the start; where that fails, errors are only less well laid out.
    let _ = eyre_hook.install();
}

/// Whoever read our output has seen enough: no error.
fn is_closed_pipe(failure: &Failure) -> bool {
    let mut causes = failure
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Opens a capture as a command's arguments say. The run lives as long as the process: a thread that
/// waits for a silent pipe must not hold up the end.
fn open_run(capture: &[PathBuf], arguments: &RunArguments) -> Result<&'static Run, Failure> {
    open_asking(capture, arguments, arguments.asked())
}

/// The same, with records opened as asked.
fn open_asking(
    capture: &[PathBuf],
    arguments: &RunArguments,
    asked: Asked,
) -> Result<&'static Run, Failure> {
    let choice = choice(capture)?;
    let run = open(choice, arguments.contract.as_deref(), arguments.policy())?;
    let run = run.asking(asked).in_order(arguments.order());
    Ok(Box::leak(Box::new(run)))
}

/// Says where the records' order is not that of receipt, or not the one that was asked for.
fn say_order(run: &Run, capture: &[PathBuf]) {
    if let Some(advice) = run.order_advice() {
        output::complain(&format!("{}: {advice}", safe_name(capture)));
    }
}

/// An error where the capture could not be read to its end, which says what shows the part before it: in
/// a document, a part of a capture must not pass for the whole.
fn whole(run: &Run) -> Result<(), Failure> {
    let Some(failure) = run.failure() else {
        return Ok(());
    };
    if run.history().last_record() == RecordNo(0) {
        bail!(failure);
    }
    bail!(
        "{failure}; no document is made of a part: trace and check, both as text, and the inspector show what was read"
    )
}

/// What the arguments name; nothing is the walk-through.
fn choice(capture: &[PathBuf]) -> Result<CaptureChoice<'_>, Failure> {
    let Some(choice) = CaptureChoice::of(capture) else {
        bail!(
            "- reads a capture from standard input, and stands alone: name files, or pipe all of it"
        );
    };
    refuse_idle_input(choice)?;
    Ok(choice)
}

/// A terminal is no capture: waiting for it would look like hanging.
fn refuse_idle_input(choice: CaptureChoice<'_>) -> Result<(), Failure> {
    if choice == CaptureChoice::StandardInput && io::stdin().is_terminal() {
        bail!(
            "- reads a capture from standard input, but that is this terminal: pipe something in"
        );
    }
    Ok(())
}

/// Who the run was for, by which contract and out of what, as every text output says.
fn terms(run: &Run, reader: &Reader<'_>, records: RecordNo) -> String {
    let loaded = run.loaded();
    let assumed = match run.baseline() {
        BaselinePolicy::None => "",
        BaselinePolicy::FirstSeen => ", baselines assumed (--baseline first-seen)",
    };
    let names: Vec<_> = run
        .input()
        .compressions()
        .iter()
        .map(|how| how.name())
        .collect();
    let compressed = if names.is_empty() {
        String::new()
    } else {
        format!(", read from {}", names.join(" and "))
    };
    let order = match run.order() {
        Order::Forwards | Order::FromTheEnd => String::new(),
        Order::ByPosition => by_position(run.positioned(), records.0),
    };
    format!(
        "for {} (contract {}, {}){assumed}{compressed}{order}",
        Safe::value(&loaded.contract.consumer),
        Safe::value(&loaded.name),
        reader.origin_name()
    )
}

/// How records were sorted of which so many have a position, where that is known.
fn by_position(positioned: Option<u32>, records: u32) -> String {
    match positioned {
        Some(0) => ", as they stand: no record has a position (--order position)".to_owned(),
        Some(count) if count < records => format!(
            ", each partition by its offsets, which {count} of {records} records have (--order position)"
        ),
        Some(_) | None => ", each partition by its offsets (--order position)".to_owned(),
    }
}

/// The path as it may stand on a terminal: what looks the same is the same file.
fn safe_path(path: &Path) -> Safe {
    Safe::value_bytes(path.as_os_str().as_encoded_bytes())
}

/// The capture as [`shown_name`] calls it, as it may stand on a terminal.
fn safe_name(capture: &[PathBuf]) -> Safe {
    let mut name = capture
        .first()
        .map(|path| safe_path(path))
        .unwrap_or_default();
    name.push(&Safe::own(behind_the_first(capture)));
    name
}

/// The capture as it was given, for a document: the first file, and how many there are behind it.
fn shown_name(capture: &[PathBuf]) -> String {
    let first = capture.first().map(|path| path.to_string_lossy());
    format!("{}{}", first.unwrap_or_default(), behind_the_first(capture))
}

fn behind_the_first(capture: &[PathBuf]) -> String {
    match capture.len() {
        0 | 1 => String::new(),
        count => format!(" and {} more", count - 1),
    }
}
