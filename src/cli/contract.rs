//! `contract show`, `contract check`, `contract schema`.

use std::io::Write;
use std::process::ExitCode;

use color_eyre::eyre::eyre;

use super::args::ContractCommand;
use super::{Failure, safe_path};
use crate::contract::{builtin, load, schema_text};
use crate::text::Safe;

/// Looks at contracts.
pub(super) fn contract(command: &ContractCommand) -> Result<ExitCode, Failure> {
    let mut out = std::io::stdout().lock();
    match command {
        ContractCommand::Check { file } => {
            // A path is always a file here, also one that is called like a built-in contract.
            let name = std::path::absolute(file)?;
            let loaded = load(Some(&name.to_string_lossy()), None)?;
            let contract = &loaded.contract;
            let versions = match &contract.version {
                Some(version) => format!("versions from {} on", version.first),
                None => "no versions".to_owned(),
            };
            writeln!(
                out,
                "{}: a contract for {}, {} event types, {versions}",
                safe_path(file),
                Safe::value(&contract.consumer),
                contract.events.len(),
            )?;
        }
        ContractCommand::Show { name: Some(name) } => {
            let names = builtin::names;
            let found = builtin::find(name).ok_or_else(|| {
                eyre!(
                    "no built-in contract is called {}; there are {}",
                    Safe::value(name),
                    names()
                )
            })?;
            out.write_all(found.text.as_bytes())?;
        }
        ContractCommand::Show { name: None } => {
            for contract in builtin::ALL {
                writeln!(out, "{:<16} {}", contract.name, contract.purpose)?;
            }
        }
        ContractCommand::Schema => writeln!(out, "{}", schema_text().trim_end())?,
    }
    Ok(ExitCode::SUCCESS)
}
