//! Standard output and standard error: errors, colour, and the progress bar.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::CommandFactory;
use clap::error::ErrorKind;
use indicatif::{ProgressBar, ProgressStyle};

use super::args::{Arguments, ColorChoice};
use super::{Failure, UNUSABLE};
use crate::app::Class;
use crate::model::State;
use crate::session::Run;
use crate::text::Safe;

/// A load that takes longer than this shows how far it is.
const PATIENCE: Duration = Duration::from_millis(300);

/// What clap has to say: help and version as they are, errors with the arguments made safe.
pub(super) fn usage(error: &clap::Error) -> ExitCode {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        // Nothing is left to do where even that cannot be written.
        drop(error.print());
        return ExitCode::SUCCESS;
    }
    complain(error.render().to_string().trim_end());
    let of_options = matches!(
        error.kind(),
        ErrorKind::ArgumentConflict | ErrorKind::UnknownArgument
    );
    if of_options && stands_before_command(std::env::args_os().skip(1)) {
        complain(
            "tip: the options of a command stand behind it, as in replayscope check --contract NAME CAPTURE",
        );
    }
    ExitCode::from(UNUSABLE)
}

/// Whether options stand before a command, which is then read as a capture's name.
fn stands_before_command(mut arguments: impl Iterator<Item = OsString>) -> bool {
    let first = arguments.next();
    let is_option = first.is_some_and(|first| {
        let bytes = first.as_encoded_bytes();
        bytes.len() > 1 && bytes.starts_with(b"-")
    });
    let names = Arguments::command();
    is_option && arguments.any(|argument| names.find_subcommand(&argument).is_some())
}

/// One error, with its causes, on standard error. Where a text already ends with its cause's, that is
/// not said twice.
pub(super) fn error(failure: &Failure) {
    let mut text = String::from("replayscope");
    for cause in failure.chain().map(ToString::to_string) {
        if !text.ends_with(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    complain(&text);
}

/// Lines on standard error. A standard error that is gone is no reason to panic.
pub(super) fn complain(text: &str) {
    let mut out = io::stderr().lock();
    for line in text.lines() {
        drop(writeln!(out, "{}", Safe::own(line)));
    }
}

/// Whether standard output gets colours.
pub(super) fn colours(choice: ColorChoice) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
            wanted && io::stdout().is_terminal()
        }
    }
}

/// Loads on threads of its own while `meanwhile` runs here, with a progress bar on standard error if
/// that is a terminal. The load is told to stop when `meanwhile` is done, and nobody waits for it: it
/// may be waiting for a silent pipe.
pub(super) fn while_loading<T>(run: &'static Run, meanwhile: impl FnOnce() -> T) -> T {
    std::thread::spawn(|| run.load(crate::session::workers()));
    let bar = io::stderr()
        .is_terminal()
        .then(|| std::thread::spawn(|| show_progress(run)));
    let done = meanwhile();
    run.stop();
    if let Some(bar) = bar {
        // It has to be off the screen before anything else is written there.
        drop(bar.join());
    }
    done
}

/// Loads everything.
pub(super) fn load_whole(run: &'static Run) {
    while_loading(run, || {
        while !run.progress().is_finished {
            run.wait_for_end(Duration::from_secs(1));
        }
    });
}

fn show_progress(run: &Run) {
    run.wait_for_end(PATIENCE);
    if run.progress().is_finished {
        return;
    }
    let bar = ProgressBar::new(run.progress().bytes_total);
    let style =
        ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes}  {bytes_per_sec}  {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    while !run.progress().is_finished && !run.is_stopped() {
        let progress = run.progress();
        bar.set_length(progress.bytes_total);
        bar.set_position(progress.bytes_done);
        run.wait_for_end(Duration::from_millis(100));
    }
    bar.finish_and_clear();
}

/// A state's words in its class's colour.
pub(super) fn painted(state: State, words: &str, colours: bool) -> String {
    if !colours {
        return words.to_owned();
    }
    let code = match Class::of(state) {
        Class::Applied => 32,
        Class::Deferred => 33,
        Class::Duplicate | Class::Stale | Class::Ignored => 90,
        Class::Refused | Class::Conflict | Class::Unreadable => 31,
        Class::Owner => 36,
        Class::Review => 35,
    };
    format!("\u{1b}[{code}m{words}\u{1b}[0m")
}
