//! `verify`: does a case file still belong to its capture, and is it unbroken?

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use color_eyre::eyre::{bail, eyre};

use super::args::RunArguments;
use super::case::{case_path, identity};
use super::{Failure, open_run, output, shown_name};
use crate::review::{Disk, Identity, RunBytes, Verdict, verify_file};
use crate::session::{Facts, Reader};
use crate::text::Safe;

/// Exit code of a case that is not proven.
const NOT_PROVEN: u8 = 1;

pub(super) const EXPLANATION: &str = "\
Compared are: every line of the case file with its own sum and with the line before it; size and
SHA-256 of the capture and SHA-256 of the contract with those in the first line; and the bytes of
every record that an entry is about.

What this proves, and what not: a line changed, moved, left out or put in by accident shows, and so
does a capture that is not the one that was marked. The chain is NOT SIGNED. Whoever can write the
file can forge a chain that holds, lines taken away from its end leave one that holds, and operators'
names and times are only what the program was told. Keep the head hash where the file's owner cannot
write (a ticket, a chat, a signed mail) and compare it.

Exit codes: 0 proven, 1 not proven (also: there is no case file), 2 the capture, the contract or the
case file cannot be read.

Examples:
  replayscope verify orders.jsonl
  replayscope verify orders.jsonl --case /archive/INC-417.case.jsonl";

/// Arguments of `verify`.
#[derive(Debug, Args)]
pub(super) struct VerifyArguments {
    /// Capture that the case is about, in one file or several in their order; - reads standard input
    #[arg(value_name = "CAPTURE", required = true)]
    pub(super) capture: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) run: RunArguments,
}

/// Verifies the case of a capture.
pub(super) fn verify(arguments: &VerifyArguments) -> Result<ExitCode, Failure> {
    let Some(path) = case_path(&arguments.capture, arguments.run.case.as_deref()) else {
        bail!("standard input has no case file beside it: name one with --case");
    };
    let run = open_run(&arguments.capture, &arguments.run)?;
    output::load_whole(run);
    if let Some(failure) = run.failure() {
        return Err(eyre!(failure));
    }
    let facts = Facts::of(run, &shown_name(&arguments.capture))?;
    let identity = identity(run, &facts)?;
    let history = run.history();
    let reader = Reader::new(run);
    let mut bytes = RunBytes {
        history: &history,
        reader: &reader,
    };
    let verdict = match verify_file(&Disk, &path, &identity, &mut bytes) {
        Ok(verdict) => verdict,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let path = path.display();
            output::complain(&format!(
                "{path}: there is no such case file, so nothing is proven"
            ));
            return Ok(ExitCode::from(NOT_PROVEN));
        }
        Err(error) => return Err(eyre!("{}: {error}", path.display())),
    };
    let mut out = io::stdout().lock();
    write_verdict(&verdict, &path, &identity, &facts, &mut out)?;
    out.flush()?;
    Ok(if verdict.proven {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(NOT_PROVEN)
    })
}

fn write_verdict(
    verdict: &Verdict,
    path: &Path,
    identity: &Identity,
    facts: &Facts,
    out: &mut dyn Write,
) -> io::Result<()> {
    let capture = Safe::value(&facts.path);
    let contract = Safe::value(&identity.contract_name);
    let case = Safe::value(&path.to_string_lossy());
    let head = verdict
        .head
        .map_or_else(|| "none".to_owned(), |head| head.to_string());
    writeln!(
        out,
        "capture    {capture}: {} bytes, sha256 {}",
        facts.bytes, facts.sha256
    )?;
    writeln!(
        out,
        "contract   {contract}: sha256 {}",
        identity.contract_sha256
    )?;
    let hold = if verdict.entries == 1 {
        "entry holds"
    } else {
        "entries hold"
    };
    writeln!(out, "case file  {case}: {} {hold}", verdict.entries)?;
    writeln!(out, "head hash  {head}")?;
    if verdict.set_aside_bytes > 0 {
        writeln!(
            out,
            "set aside  {} bytes of torn lines, which later entries vouch for",
            verdict.set_aside_bytes
        )?;
    }
    for difference in &verdict.differences {
        writeln!(out, "differs    {}", Safe::own(difference))?;
    }
    if verdict.proven {
        writeln!(
            out,
            "proven: chain, capture, contract and the bytes of every marked record agree"
        )?;
        writeln!(
            out,
            "The chain is not signed: compare the head hash with one kept elsewhere (--help says why)."
        )
    } else {
        let count = verdict.differences.len();
        writeln!(out, "NOT PROVEN: {count} differences")
    }
}
