//! `trace`: every step, as a table, as JSON Lines while it is decided, or as one document.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::time::Duration;

use color_eyre::eyre::{bail, eyre};

use super::args::{TraceArguments, TraceFormat};
use super::case::Marks;
use super::{Failure, open_run, output, shown_path};
use crate::export::{self, Prefix};
use crate::model::StepNo;
use crate::session::{Facts, Reader, Run, bad_fit_text};

/// Steps that are put together while the history is held, before they are written out.
const BATCH_STEPS: u32 = 256;

/// Prints the trace.
pub(super) fn trace(arguments: &TraceArguments) -> Result<ExitCode, Failure> {
    let run = open_run(&arguments.capture, &arguments.run)?;
    match arguments.format {
        TraceFormat::Json => document(run, arguments)?,
        TraceFormat::Jsonl => {
            let reader = Reader::new(run);
            stream(
                run,
                arguments,
                |prefix, step, out| {
                    export::write_step(prefix, step, out)?;
                    writeln!(out)
                },
                &reader,
            )?;
        }
        TraceFormat::Table => table(run, arguments)?,
    }
    match run.failure() {
        Some(failure) => Err(eyre!(failure)),
        None => Ok(ExitCode::SUCCESS),
    }
}

fn document(run: &'static Run, arguments: &TraceArguments) -> Result<(), Failure> {
    output::load_whole(run);
    let history = run.history();
    say_bad_fit(run);
    let reader = Reader::new(run);
    let at = chosen(&history, arguments)?;
    let marks = Marks::read(run, &history, &reader, &arguments.capture, &arguments.run)?;
    let prefix = Prefix {
        history: &history,
        reader: &reader,
        at,
        closed: &|step| marks.close(&history, step),
    };
    let facts = Facts::of(run, &shown_path(&arguments.capture))?;
    let mut out = BufWriter::new(io::stdout().lock());
    prefix.write_trace(&facts, &mut out)?;
    Ok(out.flush()?)
}

fn table(run: &'static Run, arguments: &TraceArguments) -> Result<(), Failure> {
    let reader = Reader::new(run);
    let colours = output::colours(arguments.run.color);
    let paint = |state, words: &str| output::painted(state, words, colours);
    let mut out = io::stdout().lock();
    export::write_head(&mut out)?;
    drop(out);
    stream(
        run,
        arguments,
        |prefix, step, out| export::write_row(prefix, step, &paint, out),
        &reader,
    )?;
    let history = run.history();
    let at = chosen(&history, arguments)?;
    let marks = Marks::read(run, &history, &reader, &arguments.capture, &arguments.run)?;
    let prefix = Prefix {
        history: &history,
        reader: &reader,
        at,
        closed: &|step| marks.close(&history, step),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(out)?;
    let loaded = run.loaded();
    let consumer = crate::text::Safe::value(&loaded.contract.consumer);
    let name = crate::text::Safe::value(&loaded.name);
    writeln!(
        out,
        "as of step {at} of {}, for {consumer} (contract {name}, {})",
        history.last_step(),
        reader.origin_name()
    )?;
    if let Some(text) = bad_fit_text(&history, &loaded.name) {
        writeln!(out, "{}", crate::text::Safe::own(text))?;
    }
    export::write_summary(&prefix, &mut out)?;
    Ok(out.flush()?)
}

fn say_bad_fit(run: &'static Run) {
    if let Some(text) = bad_fit_text(&run.history(), &run.loaded().name) {
        output::complain(&text);
    }
}

fn chosen(
    history: &crate::history::History,
    arguments: &TraceArguments,
) -> Result<StepNo, Failure> {
    let last = history.last_step();
    match arguments.at.map(StepNo) {
        Some(at) if at > last => bail!("--at {at}: the run has {last} steps"),
        Some(at) => Ok(at),
        None => Ok(last),
    }
}

/// Writes steps as they are decided, in batches, so that a slow reader never holds the engine up.
fn stream(
    run: &'static Run,
    arguments: &TraceArguments,
    write_one: impl Fn(&Prefix<'_>, StepNo, &mut dyn Write) -> io::Result<()>,
    reader: &Reader<'_>,
) -> Result<(), Failure> {
    output::start_loading(run);
    let mut next = StepNo(1);
    let end = arguments.at.map_or(StepNo(u32::MAX), StepNo);
    let mut batch = Vec::new();
    let mut out = io::stdout().lock();
    loop {
        let finished = run.progress().is_finished;
        batch.clear();
        {
            let history = run.history();
            let last = history.last_step().min(end);
            let stop = StepNo(next.0.saturating_add(BATCH_STEPS)).min(last.after());
            let prefix = Prefix {
                history: &history,
                reader,
                at: last,
                closed: &|_| false,
            };
            while next < stop {
                write_one(&prefix, next, &mut batch)?;
                next = next.after();
            }
        }
        out.write_all(&batch)?;
        if batch.is_empty() {
            if finished || next > end {
                break;
            }
            out.flush()?;
            run.wait(next.before(), Duration::from_secs(1));
        }
    }
    out.flush()?;
    // An --at beyond the end is told once the end is known.
    chosen(&run.history(), arguments).map(drop)
}
