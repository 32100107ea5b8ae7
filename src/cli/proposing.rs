//! `contract init`: proposes a contract from a capture, and says what it gives on that capture.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use color_eyre::eyre::{bail, eyre};

use super::args::InitArguments;
use super::{Failure, choice, output, safe_path, saving};
use crate::capture::Asked;
use crate::contract::{Contract, LoadedContract, Origin, load};
use crate::engine::BaselinePolicy;
use crate::export::{self, Prefix};
use crate::session::{Proposal, Reader, Run, carries_json_inside, open, propose, workers};
use crate::text::Safe;

/// Under this one every CloudEvent is readable, so everything can be looked at.
const NEUTRAL: &str = "cloudevents";

/// Proposes a contract.
pub(super) fn init(arguments: &InitArguments) -> Result<ExitCode, Failure> {
    let choice = choice(&arguments.capture)?;
    let asked = Asked {
        only: arguments.outermost.only(),
        ..Asked::default()
    };
    let run = open(choice, Some(NEUTRAL), BaselinePolicy::None)?;
    let run = loaded(run.asking(asked))?;
    let run = if carries_json_inside(&run) {
        let neutral = load(Some(NEUTRAL), None)?;
        let mut file: serde_json::Value = serde_json::from_str(&neutral.text)?;
        if let Some(members) = file.as_object_mut() {
            members.insert("readInside".to_owned(), true.into());
        }
        loaded(again(run, file.to_string())?)?
    } else {
        run
    };
    let name = consumer_name(&arguments.capture);
    let proposal = propose(&run, &name).map_err(|words| eyre!(words))?;
    match &arguments.output {
        Some(path) => {
            saving::save(path, arguments.force, &arguments.capture, |out| {
                out.write_all(proposal.text.as_bytes())
            })?;
            output::complain(&format!("{}: written", safe_path(path)));
        }
        None => std::io::stdout()
            .lock()
            .write_all(proposal.text.as_bytes())?,
    }
    say(run, &proposal)?;
    Ok(ExitCode::SUCCESS)
}

/// What each guess rests on, and what the contract gives on this capture, where it disturbs no one who
/// reads the contract itself.
fn say(run: Run, proposal: &Proposal) -> Result<(), Failure> {
    let run = loaded(again(run, proposal.text.clone())?)?;
    let history = run.history();
    let reader = Reader::new(&run);
    let prefix = Prefix {
        history: &history,
        reader: &reader,
        at: history.last_step(),
        closed: &|_| false,
    };
    let mut summary = Vec::new();
    export::write_evidence(&prefix, &mut summary)?;
    let waiting = |id| history.waiting_for(id, prefix.at).is_some();
    let troubled = history.troubled_aggregates().iter();
    let waits = troubled.filter(|id| waiting(**id)).count();
    let waits = match waits {
        1 => "1 aggregate waits".to_owned(),
        _ => format!("{waits} aggregates wait"),
    };
    writeln!(summary, "{waits} for a version")?;
    let mut out = std::io::stderr().lock();
    for note in &proposal.notes {
        writeln!(out, "- {}", Safe::source(note.as_bytes()))?;
    }
    writeln!(out, "\nunder this contract, on this capture:")?;
    out.write_all(&summary)?;
    Ok(())
}

fn loaded(run: Run) -> Result<Run, Failure> {
    run.load(workers());
    match run.failure() {
        Some(failure) => bail!(failure),
        None => Ok(run),
    }
}

/// Another run over the same bytes, read in the same way, under a contract that is not in a file.
fn again(run: Run, text: String) -> Result<Run, Failure> {
    let contract = Contract::from_bytes(text.as_bytes())
        .map_err(|error| eyre!("the proposed contract is none: {error}"))?;
    let loaded = LoadedContract {
        contract: contract.into(),
        name: "proposed".to_owned(),
        origin: Origin::BuiltIn,
        sha256: [0; 32],
        text,
    };
    let asked = run.asked();
    Ok(Run::new(run.into_input(), loaded, BaselinePolicy::None).asking(asked))
}

/// What the consumer is called until a person gives it its name: as the capture's first file is.
fn consumer_name(capture: &[PathBuf]) -> String {
    let first = capture.first().and_then(|path| path.file_name());
    let name = first.unwrap_or_default().to_string_lossy();
    let stem = name.split('.').next().unwrap_or_default();
    let plain: String = stem
        .chars()
        .map(|character| {
            if character.is_alphanumeric() {
                character
            } else {
                '-'
            }
        })
        .collect();
    let plain = plain.trim_matches('-');
    if plain.is_empty() {
        "consumer".to_owned()
    } else {
        plain.to_owned()
    }
}
