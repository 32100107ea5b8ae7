//! `trace`: every step, as a table, as JSON Lines while it is decided, or as one document.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use color_eyre::eyre::{bail, eyre};

use super::args::{TraceArguments, TraceFormat};
use super::case::Marks;
use super::{Failure, open_asking, output, say_order, shown_name, terms, whole};
use crate::capture::Asked;
use crate::export::{self, Prefix};
use crate::model::StepNo;
use crate::session::{Facts, Reader, Run, bad_fit_text, beside_text, unread_text};
use crate::text::Safe;

/// Steps that are put together while the history is held, before they are written out.
const BATCH_STEPS: u32 = 256;

/// Of a stream, so many steps tell how well it fits its contract.
const FIT_STEPS: StepNo = StepNo(100);

/// A stream that has begun and keeps silent for so long is judged by what came.
const FIT_PATIENCE: Duration = Duration::from_secs(1);

/// Prints the trace.
pub(super) fn trace(arguments: &TraceArguments) -> Result<ExitCode, Failure> {
    let asked = Asked {
        conformance: arguments.conformance,
        ..arguments.run.asked()
    };
    let run = open_asking(&arguments.capture, &arguments.run, asked)?;
    if arguments.explain_format {
        super::explaining::explain(run)?;
        unfailed(run)?;
        return Ok(ExitCode::SUCCESS);
    }
    match arguments.format {
        TraceFormat::Json => document(run, arguments)?,
        TraceFormat::Jsonl => {
            let reader = Reader::new(run);
            output::while_loading(run, || {
                stream(run, arguments, &reader, |prefix, step, out| {
                    export::write_step(prefix, step, out)?;
                    writeln!(out)
                })
            })?;
            // An --at beyond the end is told once the end is known.
            chosen(&run.history(), arguments)?;
            say_bad_fit(run);
        }
        TraceFormat::Table => table(run, arguments)?,
    }
    if let Some(text) = beside_text(run) {
        output::complain(&text);
    }
    unfailed(run)?;
    if run.progress().is_finished
        && let Some(text) = unread_text(&run.history())
    {
        output::complain(&text);
    }
    say_order(run, &arguments.capture);
    Ok(ExitCode::SUCCESS)
}

/// An error where the capture could not be read to its end.
fn unfailed(run: &Run) -> Result<(), Failure> {
    run.failure().map_or(Ok(()), |failure| Err(eyre!(failure)))
}

fn document(run: &'static Run, arguments: &TraceArguments) -> Result<(), Failure> {
    output::load_whole(run);
    whole(run)?;
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
    let facts = Facts::of(run, &shown_name(&arguments.capture))?;
    let mut out = BufWriter::new(io::stdout().lock());
    prefix.write_trace(&facts, &mut out)?;
    Ok(out.flush()?)
}

fn table(run: &'static Run, arguments: &TraceArguments) -> Result<(), Failure> {
    let reader = Reader::new(run);
    let colours = output::colours(arguments.run.color);
    let paint = |state, words: &str| output::painted(state, words, colours);
    let mut table = export::Table::new(&paint);
    let (warned, ended) = output::while_loading(run, || -> Result<(bool, bool), Failure> {
        wait_for_fit(run);
        if run.progress().is_finished {
            chosen(&run.history(), arguments)?;
        }
        if run.history().last_step() == StepNo(0) {
            unfailed(run)?;
        }
        let mut out = io::stdout().lock();
        let warned = write_bad_fit(run, &mut out)?;
        table.write_head(&mut out)?;
        drop(out);
        let ended = stream(run, arguments, &reader, |prefix, step, out| {
            table.write_row(prefix, step, out)
        })?;
        Ok((warned, ended))
    })?;
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
    table.write_foot(&mut out)?;
    writeln!(out)?;
    // Of a stream that was left early, nobody knows how long it is.
    let of_last = if ended {
        format!(" of {}", history.last_step())
    } else {
        String::new()
    };
    writeln!(
        out,
        "as of step {at}{of_last}, {}",
        terms(run, &reader, history.last_record())
    )?;
    if !warned {
        write_bad_fit(run, &mut out)?;
    }
    if ended && history.last_record().0 == 0 {
        writeln!(out, "the capture has no records")?;
    }
    export::write_summary(&prefix, &mut out)?;
    Ok(out.flush()?)
}

/// Waits until it can be said how well the capture fits its contract, which stands above the first
/// row: for a file until all of it is decided, for a stream until it shows itself or keeps silent.
fn wait_for_fit(run: &Run) {
    let second = Duration::from_secs(1);
    let finished = || run.progress().is_finished;
    while !run.input().is_pipe() && !finished() {
        run.wait_for_end(second);
    }
    let last = || run.history().last_step();
    while last() == StepNo(0) && !finished() {
        run.wait(StepNo(0), second);
    }
    let deadline = Instant::now() + FIT_PATIENCE;
    while last() < FIT_STEPS && !finished() {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        run.wait(last(), left);
    }
}

/// Writes that the capture hardly fits its contract, where it is so.
fn write_bad_fit(run: &Run, out: &mut dyn Write) -> io::Result<bool> {
    let text = bad_fit_text(&run.history(), &run.loaded().name);
    if let Some(text) = &text {
        writeln!(out, "{}", Safe::own(text))?;
    }
    Ok(text.is_some())
}

fn say_bad_fit(run: &Run) {
    let history = run.history();
    // Of a capture that is all unread, that is said once it is whole.
    if run.progress().is_finished && unread_text(&history).is_some() {
        return;
    }
    if let Some(text) = bad_fit_text(&history, &run.loaded().name) {
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
/// Answers whether the run has ended with them.
fn stream(
    run: &'static Run,
    arguments: &TraceArguments,
    reader: &Reader<'_>,
    mut write_one: impl FnMut(&Prefix<'_>, StepNo, &mut dyn Write) -> io::Result<()>,
) -> Result<bool, Failure> {
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
                out.flush()?;
                return Ok(finished);
            }
            out.flush()?;
            run.wait(next.before(), Duration::from_secs(1));
        }
    }
}
