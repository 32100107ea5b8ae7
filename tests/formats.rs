//! Captures as other tools write them: every shape has fixtures made by hand from its documented
//! structure, a golden trace, and one shape that claims it; whatever is around a log, its verdicts are
//! the same; and no damage makes the program panic or hang.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::pedantic,
    clippy::print_stderr,
    missing_docs,
    unreachable_pub,
    reason = "a test fails by panicking, and its parts are nobody's library"
)]

#[path = "formats/fixtures.rs"]
mod fixtures;
#[allow(dead_code, reason = "another test takes the other half of it")]
#[path = "properties/logs.rs"]
mod logs;
#[path = "formats/mutations.rs"]
mod mutations;
#[path = "formats/rewrap/mod.rs"]
mod rewrap;

use std::io::Cursor;
use std::path::{Path, PathBuf};

use replayscope::capture::Input;
use replayscope::contract::{LoadedContract, load};
use replayscope::engine::BaselinePolicy;
use replayscope::session::Run;

/// A run over some bytes.
fn run(bytes: Vec<u8>, loaded: LoadedContract) -> Run {
    let input = Input::stream("capture", Box::new(Cursor::new(bytes))).unwrap();
    let run = Run::new(input, loaded, BaselinePolicy::None);
    run.load(1);
    run
}

/// One fixture: its shape is its folder's name.
#[derive(Clone, Debug)]
struct Fixture {
    shape: String,
    path: PathBuf,
}

impl Fixture {
    fn loaded(&self) -> LoadedContract {
        load(None, Some(&self.path)).unwrap()
    }

    fn run(&self) -> Run {
        run(std::fs::read(&self.path).unwrap(), self.loaded())
    }

    /// Made to be wrong: what claims it is not asked.
    fn is_damaged(&self) -> bool {
        let name = self.path.file_name().unwrap().to_string_lossy();
        name.starts_with("damaged")
    }
}

/// Every fixture, by name.
fn fixtures() -> Vec<Fixture> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/fixtures");
    let mut found = Vec::new();
    for folder in sorted(&root) {
        let shape = folder.file_name().unwrap().to_string_lossy().into_owned();
        for path in sorted(&folder) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if !name.contains(".expected.") && !name.ends_with(".contract.json") {
                found.push(Fixture {
                    shape: shape.clone(),
                    path,
                });
            }
        }
    }
    assert!(!found.is_empty());
    found
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}
