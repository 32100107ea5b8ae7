//! `contract show`, `contract check`, `contract schema`.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use color_eyre::eyre::eyre;

use super::args::ContractCommand;
use super::{Failure, safe_path};
use crate::contract::{LoadedContract, advice, builtin, load, schema_text};
use crate::text::Safe;

/// Looks at contracts.
pub(super) fn contract(command: &ContractCommand) -> Result<ExitCode, Failure> {
    if let ContractCommand::Init(arguments) = command {
        return super::proposing::init(arguments);
    }
    let mut out = std::io::stdout().lock();
    match command {
        ContractCommand::Check { file } => {
            let loaded = check_target(file)?;
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
            for advice in advice(contract) {
                writeln!(out, "  look again: {}", Safe::own(advice))?;
            }
        }
        // It writes its contract itself, above.
        ContractCommand::Init(_) => {}
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

/// The file, also one that is called like a built-in contract; without such a file, the contract
/// that is built in under this name.
fn check_target(file: &Path) -> Result<LoadedContract, Failure> {
    let name = file.to_str().filter(|name| builtin::find(name).is_some());
    if let Some(name) = name.filter(|_| !file.exists()) {
        return Ok(load(Some(name), None)?);
    }
    let path = std::path::absolute(file)?;
    Ok(load(Some(&path.to_string_lossy()), None)?)
}
