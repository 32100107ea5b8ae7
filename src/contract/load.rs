//! Which contract is in force, and where it comes from: the one named, else the one beside the
//! capture, else the default (cli.md, `--contract`).

use super::builtin::{self, BuiltIn};
use super::error::{ContractError, FILE_BYTES_MAX, plain};
use super::rules::Contract;
use sha2::{Digest, Sha256};
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// What the contract beside a capture is called after the capture's own name.
const SIDECAR_EXTENSION: &str = ".contract.json";

/// A contract in force, with its text and where it comes from.
#[derive(Clone, Debug)]
pub struct LoadedContract {
    /// The compiled contract.
    pub contract: Arc<Contract>,
    /// Its name in every output: a built-in's name, or the file's without its extensions.
    pub name: String,
    /// Where it comes from.
    pub origin: Origin,
    /// SHA-256 of its file's bytes.
    pub sha256: [u8; 32],
    /// Its file's text.
    pub text: String,
}

/// Where a contract comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Out of the program.
    BuiltIn,
    /// The file that was named.
    File(PathBuf),
    /// The file beside the capture.
    Sidecar(PathBuf),
}

/// Why no contract is in force (exit 2). Its text is safe for a terminal.
#[derive(Debug, Error)]
pub enum LoadError {
    /// What was named is neither.
    #[error(
        "no built-in contract and no file is called \"{}\" (built in: {})",
        plain(.choice),
        builtin::names()
    )]
    NoSuchContract {
        /// What was asked for.
        choice: String,
    },
    /// The file cannot be read.
    #[error("the contract {} cannot be read: {source}", shown(.path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is no usable contract.
    #[error("the contract {}: {source}", shown(.path))]
    Invalid {
        /// The file, or a built-in's name.
        path: PathBuf,
        /// What is wrong, and where.
        source: ContractError,
    },
}

impl LoadedContract {
    /// The digest as it is written everywhere: 64 lower-case hexadecimal digits.
    pub fn sha256_hex(&self) -> String {
        let mut digits = String::with_capacity(64);
        for byte in self.sha256 {
            for nibble in [byte >> 4, byte & 0x0f] {
                digits.extend(char::from_digit(u32::from(nibble), 16));
            }
        }
        digits
    }

    fn new(bytes: &[u8], name: String, origin: Origin) -> Result<Self, ContractError> {
        Ok(Self {
            contract: Arc::new(Contract::from_bytes(bytes)?),
            name,
            origin,
            sha256: Sha256::digest(bytes).into(),
            text: String::from_utf8_lossy(bytes).into_owned(),
        })
    }
}

/// The contract in force for a choice (`--contract NAME|FILE`) and a capture's path; no path for
/// standard input and for the built-in walk-through. A built-in's name comes before a file of the
/// same name (`./consistency` is the file). A file beside the capture that is there but broken is an
/// error, never a reason to fall back.
pub fn load(choice: Option<&str>, capture: Option<&Path>) -> Result<LoadedContract, LoadError> {
    if let Some(choice) = choice {
        return named(choice);
    }
    if let Some(path) = capture.and_then(sidecar_path)
        && is_there(&path)?
    {
        return from_file(&path, Origin::Sidecar(path.clone()));
    }
    built_in(builtin::DEFAULT)
}

/// Where the contract beside a capture would be: its path with its extensions replaced, so that
/// `orders.jsonl.gz` has `orders.contract.json`. A name's leading dot starts no extension. None
/// where the path has no file name, or is itself that file.
pub fn sidecar_path(capture: &Path) -> Option<PathBuf> {
    let mut stem: &OsStr = capture.file_name()?;
    while let Some(shorter) = Path::new(stem)
        .file_stem()
        .filter(|shorter| *shorter != stem)
    {
        if shorter.as_encoded_bytes().iter().all(|byte| *byte == b'.') {
            break;
        }
        stem = shorter;
    }
    let mut name: OsString = stem.to_owned();
    name.push(SIDECAR_EXTENSION);
    let path = capture.with_file_name(name);
    (path != capture).then_some(path)
}

fn named(choice: &str) -> Result<LoadedContract, LoadError> {
    if let Some(found) = builtin::find(choice) {
        return built_in(found);
    }
    let path = PathBuf::from(choice);
    match from_file(&path, Origin::File(path.clone())) {
        Err(LoadError::Unreadable { source, .. }) if is_absence(&source) => {
            Err(LoadError::NoSuchContract {
                choice: choice.to_owned(),
            })
        }
        outcome => outcome,
    }
}

fn built_in(found: BuiltIn) -> Result<LoadedContract, LoadError> {
    LoadedContract::new(
        found.text.as_bytes(),
        found.name.to_owned(),
        Origin::BuiltIn,
    )
    .map_err(|source| LoadError::Invalid {
        path: PathBuf::from(found.name),
        source,
    })
}

/// Whether something stands at the path, a dangling link included: that is a broken contract.
fn is_there(path: &Path) -> Result<bool, LoadError> {
    let unreadable = |source| LoadError::Unreadable {
        path: path.to_owned(),
        source,
    };
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => fs::metadata(path)
            .and_then(|target| regular(&target))
            .map_err(unreadable)
            .map(|()| true),
        Ok(found) => regular(&found).map_err(unreadable).map(|()| true),
        Err(error) if is_absence(&error) => Ok(false),
        Err(error) => Err(unreadable(error)),
    }
}

/// A pipe beside the capture would be waited for without end.
fn regular(found: &fs::Metadata) -> io::Result<()> {
    if found.is_file() {
        return Ok(());
    }
    Err(io::Error::new(ErrorKind::InvalidInput, "not a file"))
}

fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn from_file(path: &Path, origin: Origin) -> Result<LoadedContract, LoadError> {
    let bytes = read_limited(path).map_err(|source| LoadError::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    LoadedContract::new(&bytes, name_of(path), origin).map_err(|source| LoadError::Invalid {
        path: path.to_owned(),
        source,
    })
}

/// One byte more than a contract may have is enough to refuse it, however large the file is.
fn read_limited(path: &Path) -> io::Result<Vec<u8>> {
    let limit_bytes = u64::try_from(FILE_BYTES_MAX).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    File::open(path)?
        .take(limit_bytes.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// `orders` for `orders.contract.json` and `orders.json`.
fn name_of(path: &Path) -> String {
    let file = path
        .file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy();
    [SIDECAR_EXTENSION, ".json"]
        .into_iter()
        .find_map(|extension| file.strip_suffix(extension))
        .filter(|stem| !stem.is_empty())
        .unwrap_or(&file)
        .to_owned()
}

/// A path need not be UTF-8; its other bytes show as `\xNN`.
fn shown(path: &Path) -> String {
    let mut shown = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        shown.push_str(&plain(chunk.valid()));
        for byte in chunk.invalid() {
            // Writing to a String cannot fail.
            let _ = write!(shown, "\\x{byte:02x}");
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    #[test]
    fn the_sidecar_replaces_all_extensions() {
        for (capture, sidecar) in [
            ("orders.jsonl", "orders.contract.json"),
            ("a.d/orders.jsonl.gz", "a.d/orders.contract.json"),
            ("/x/orders", "/x/orders.contract.json"),
            (".orders.jsonl", ".orders.contract.json"),
            (".orders", ".orders.contract.json"),
            ("..orders.jsonl", "..orders.contract.json"),
            ("orders.", "orders.contract.json"),
        ] {
            assert_eq!(
                sidecar_path(Path::new(capture)),
                Some(PathBuf::from(sidecar)),
                "{capture}"
            );
        }
        assert_eq!(sidecar_path(Path::new("orders.contract.json")), None);
        assert_eq!(sidecar_path(Path::new("/")), None);
    }

    #[test]
    fn the_default_is_in_force_where_nothing_else_is() {
        let folder = folder();
        let loaded = load(None, Some(&folder.path().join("orders.jsonl"))).unwrap();
        assert_eq!(
            (loaded.name.as_str(), &loaded.origin),
            ("consistency", &Origin::BuiltIn)
        );
        assert_eq!(load(None, None).unwrap().sha256, loaded.sha256);
        let ends = (
            loaded.sha256_hex().len(),
            format!("{:02x}", loaded.sha256[31]),
        );
        assert!(ends.0 == 64 && loaded.sha256_hex().ends_with(&ends.1));
        assert_eq!(load(Some("cloudevents"), None).unwrap().name, "cloudevents");
    }

    #[test]
    fn the_file_beside_the_capture_comes_before_the_default_and_after_a_choice() {
        let folder = folder();
        let sidecar = folder.path().join("orders.contract.json");
        let capture = folder.path().join("orders.jsonl.gz");
        fs::write(&sidecar, builtin::find("cloudevents").unwrap().text).unwrap();
        let beside = load(None, Some(&capture)).unwrap();
        assert_eq!(beside.name, "orders");
        assert_eq!(beside.origin, Origin::Sidecar(sidecar.clone()));
        assert_eq!(beside.contract.consumer, "any-consumer@1");
        let chosen = load(Some("event-contract"), Some(&capture)).unwrap();
        assert_eq!(chosen.origin, Origin::BuiltIn);
        let file = load(Some(sidecar.to_str().unwrap()), None).unwrap();
        assert_eq!(
            (file.name.as_str(), file.origin),
            ("orders", Origin::File(sidecar))
        );
    }

    #[test]
    fn a_broken_sidecar_is_an_error() {
        let folder = folder();
        let sidecar = folder.path().join("orders.contract.json");
        let capture = folder.path().join("orders.jsonl");
        fs::write(&sidecar, "{").unwrap();
        let error = load(None, Some(&capture)).unwrap_err();
        assert!(matches!(error, LoadError::Invalid { .. }));
        assert!(
            error
                .to_string()
                .contains("orders.contract.json: line 1, column 2"),
            "{error}"
        );
        fs::remove_file(&sidecar).unwrap();
        fs::create_dir(&sidecar).unwrap();
        let error = load(None, Some(&capture)).unwrap_err();
        assert!(error.to_string().ends_with("not a file"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_sidecar_that_is_a_dangling_link_is_an_error() {
        let folder = folder();
        let sidecar = folder.path().join("orders.contract.json");
        std::os::unix::fs::symlink("nowhere", &sidecar).unwrap();
        let error = load(None, Some(&folder.path().join("orders.jsonl"))).unwrap_err();
        assert!(matches!(error, LoadError::Unreadable { .. }), "{error}");
    }

    #[test]
    fn what_is_neither_a_name_nor_a_file_names_the_built_ins() {
        let error = load(Some("consistancy\u{1b}[2J"), None).unwrap_err();
        assert_eq!(
            error.to_string(),
            "no built-in contract and no file is called \"consistancy\\u{1b}[2J\" \
             (built in: consistency, event-contract, cloudevents)"
        );
    }

    #[test]
    fn a_hundred_megabytes_are_no_contract() {
        let folder = folder();
        let path = folder.path().join("large.json");
        File::create(&path).unwrap().set_len(100_000_000).unwrap();
        let error = load(Some(path.to_str().unwrap()), None).unwrap_err();
        assert!(error.to_string().contains("larger than 1 MiB"), "{error}");
    }
}
