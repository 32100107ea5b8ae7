//! `check`: a summary for scripts.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use color_eyre::eyre::eyre;

use super::args::{CheckArguments, CheckFormat};
use super::case::Marks;
use super::{Failure, open_run, output, safe_name, say_order, shown_name, terms, whole};
use crate::export::{self, Prefix};
use crate::session::{Facts, Reader, bad_fit_text, beside_text};
use crate::text::Safe;

/// Exit code while evidence is open.
const OPEN: u8 = 1;

/// Prints the summary; the exit code says whether evidence is open. Of a capture that could not be read
/// to its end a person is told what comes before, and then the error.
pub(super) fn check(arguments: &CheckArguments) -> Result<ExitCode, Failure> {
    let run = open_run(&arguments.capture, &arguments.run)?;
    output::load_whole(run);
    let failure = run.failure();
    // A script must not take a part for the whole.
    let is_for_scripts = arguments.format == CheckFormat::Json;
    if failure.is_some() && (is_for_scripts || run.history().last_record().0 == 0) {
        whole(run)?;
    }
    say_order(run, &arguments.capture);
    let history = run.history();
    let reader = Reader::new(run);
    let marks = Marks::read(run, &history, &reader, &arguments.capture, &arguments.run)?;
    let prefix = Prefix {
        history: &history,
        reader: &reader,
        at: history.last_step(),
        closed: &|step| marks.close(&history, step),
    };
    if let Some(text) = beside_text(run) {
        output::complain(&text);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let misfit = bad_fit_text(&history, &run.loaded().name);
    let path = shown_name(&arguments.capture);
    match arguments.format {
        CheckFormat::Json => {
            if let Some(text) = misfit {
                output::complain(&text);
            }
            prefix.write_summary(&Facts::of(run, &path)?, &mut out)?;
        }
        CheckFormat::Text => {
            if let Some(text) = misfit {
                writeln!(out, "{}", Safe::own(text))?;
            }
            writeln!(
                out,
                "{}: {} records, {} steps\n{}",
                safe_name(&arguments.capture),
                history.last_record().0,
                history.last_step(),
                terms(run, &reader, history.last_record()),
            )?;
            if failure.is_some() {
                writeln!(
                    out,
                    "the capture ends early here: it could not be read to its end, and all counts are of what came before"
                )?;
            }
            if history.last_record().0 == 0 {
                writeln!(out, "no records: nothing was checked")?;
            }
            export::write_summary(&prefix, &mut out)?;
        }
    }
    out.flush()?;
    if let Some(failure) = failure {
        return Err(eyre!(failure));
    }
    let (open, _) = prefix.evidence_counts();
    Ok(if open > 0 {
        ExitCode::from(OPEN)
    } else {
        ExitCode::SUCCESS
    })
}
