//! `report`: the incident report, as Markdown, HTML, CSV or JSON.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::args::RunArguments;
use super::case::{Marks, case_path};
use super::marks::now;
use super::{Failure, open_run, output, saving, say_order, shown_name, whole};
use crate::contract::Origin;
use crate::export::Prefix;
use crate::export::report::{
    CaseFile, CaseInput, MarkInput, MarkPlace, Options, RemarkInput, Report, gather, write_csv,
    write_html, write_json, write_markdown,
};
use crate::review::{Act, Anchor, Entry, Mark, Reading};
use crate::session::{Facts, Reader, Run};

pub(super) const EXAMPLES: &str = "\
Payload values are masked unless --include-payload is given; identities, versions and states are
shown. A report names files, orders and people: read it before you send it on.

Examples:
  replayscope report orders.jsonl                              Markdown for the incident channel
  replayscope report orders.jsonl --format html --output incident.html
  replayscope report orders.jsonl --format csv --include-payload";

/// Arguments of `report`.
#[derive(Debug, Args)]
pub(super) struct ReportArguments {
    /// Capture to report on, in one file or several in their order; - reads standard input
    #[arg(value_name = "CAPTURE", required = true)]
    pub(super) capture: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) run: RunArguments,
    /// How to write it
    #[arg(long, value_name = "FORMAT", default_value = "markdown")]
    pub(super) format: ReportFormat,
    /// Show payload values, which are masked otherwise
    #[arg(long)]
    pub(super) include_payload: bool,
    /// Write to a new file, for its owner only [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Replace the output file where it is there
    #[arg(long, requires = "output")]
    pub(super) force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ReportFormat {
    /// For an incident channel
    Markdown,
    /// One file with a picture, without script
    Html,
    /// For a spreadsheet; formulas are defused
    Csv,
    /// For programs
    Json,
}

/// Writes the report.
pub(super) fn report(arguments: &ReportArguments) -> Result<ExitCode, Failure> {
    let run = open_run(&arguments.capture, &arguments.run)?;
    output::load_whole(run);
    whole(run)?;
    let capture = &arguments.capture;
    say_order(run, capture);
    let case = case_path(capture, arguments.run.case.as_deref());
    let marks = Marks::of_capture(run, capture, &arguments.run)?;
    let report = gather_from(
        run,
        capture,
        &marks,
        case.as_deref(),
        arguments.include_payload,
    )?;
    let write = |out: &mut dyn Write| write(&report, arguments.format, out);
    if let Some(path) = &arguments.output {
        saving::save(path, arguments.force, &read_files(run, arguments), write)?;
    } else {
        let mut out = BufWriter::new(io::stdout().lock());
        write(&mut out)?;
        out.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}

impl ReportFormat {
    /// The format that a file's name ends with.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "md" => Some(Self::Markdown),
            "html" => Some(Self::Html),
            "csv" => Some(Self::Csv),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

/// Writes a report in a format.
pub(super) fn write(report: &Report, format: ReportFormat, out: &mut dyn Write) -> io::Result<()> {
    match format {
        ReportFormat::Markdown => write_markdown(report, out),
        ReportFormat::Html => write_html(report, out),
        ReportFormat::Csv => write_csv(report, out),
        ReportFormat::Json => write_json(report, out),
    }
}

/// The report on a run that has read everything, with the marks of a case file, where it is there.
/// Says nothing on standard error, which a screen may be over.
pub(super) fn gather_report(
    run: &Run,
    capture: &[PathBuf],
    case: Option<&Path>,
    include_payload: bool,
) -> Result<Report, Failure> {
    let marks = Marks::in_file(run, capture, case)?;
    gather_from(run, capture, &marks, case, include_payload)
}

fn gather_from(
    run: &Run,
    capture: &[PathBuf],
    marks: &Marks,
    case: Option<&Path>,
    include_payload: bool,
) -> Result<Report, Failure> {
    let history = run.history();
    let reader = Reader::new(run);
    let prefix = Prefix {
        history: &history,
        reader: &reader,
        at: history.last_step(),
        closed: &|step| marks.close(&history, step),
    };
    let case = marks
        .reading()
        .zip(case)
        .map(|(reading, path)| case_input(reading, path));
    let options = Options {
        made_at: now(),
        tool: env!("CARGO_PKG_VERSION").to_owned(),
        include_payload,
    };
    let facts = Facts::of(run, &shown_name(capture))?;
    Ok(gather(&prefix, &facts, case.as_ref(), &options))
}

/// What the report was made from: never to be replaced by it.
fn read_files(run: &Run, arguments: &ReportArguments) -> Vec<PathBuf> {
    let mut files = arguments.capture.clone();
    files.extend(case_path(&arguments.capture, arguments.run.case.as_deref()));
    match &run.loaded().origin {
        Origin::File(path) | Origin::Sidecar(path) => files.push(path.clone()),
        Origin::BuiltIn => {}
    }
    files
}

fn case_input(reading: &Reading, path: &Path) -> CaseInput {
    let verdict = reading.verdict();
    CaseInput {
        file: CaseFile {
            path: path.to_string_lossy().into_owned(),
            entries: verdict.entries,
            head: verdict.head.map(|head| head.to_string()),
            verified: verdict.proven,
            differences: verdict.differences.clone(),
            marks_count: reading.fault().is_none(),
            closed: reading.book().is_closed(),
        },
        marks: reading.book().marks().map(mark_input).collect(),
        remarks: reading.book().entries().iter().filter_map(remark).collect(),
    }
}

fn mark_input(mark: &Mark) -> MarkInput {
    let place = match &mark.anchor {
        Anchor::Record(anchor) => MarkPlace::Record {
            record: anchor.record,
            replay: anchor.kind == crate::model::Kind::Replay,
            state: anchor.state,
            reason: anchor.reason.clone(),
        },
        Anchor::Missing(missing) => MarkPlace::Missing {
            source: missing.source.clone(),
            aggregate: missing.aggregate.clone(),
            version: missing.version,
        },
        Anchor::Capture => MarkPlace::Capture,
    };
    let stale = [
        (
            mark.stale.capture_differs,
            "made on another capture or other content",
        ),
        (mark.stale.contract_differs, "made under another contract"),
        (
            mark.stale.bytes_differ == Some(true),
            "other bytes stand there now",
        ),
    ];
    MarkInput {
        entry: mark.entry.0,
        place,
        disposition: mark.disposition.name(),
        label: mark.disposition.label(),
        note: mark.note.clone(),
        operator: mark.operator.clone(),
        time: mark.time.clone(),
        stale: stale
            .iter()
            .filter(|(is_so, _)| *is_so)
            .map(|(_, words)| *words)
            .collect(),
    }
}

fn remark(entry: &Entry) -> Option<RemarkInput> {
    let note = match &entry.act {
        Act::Comment { note } => note.clone(),
        Act::Baseline {
            version,
            state,
            note,
        } => {
            let state = state
                .as_deref()
                .map_or(String::new(), |state| format!(" {state}"));
            format!("v{version}{state}\n{note}")
        }
        Act::Closed { open, note } => format!("{open} pieces of evidence still open\n{note}"),
        Act::Mark { .. } | Act::Unmark { .. } => return None,
    };
    Some(RemarkInput {
        entry: entry.number.0,
        kind: entry.act.name(),
        about: entry.anchor.to_string(),
        note,
        operator: entry.operator.clone(),
        time: entry.time.clone(),
    })
}
