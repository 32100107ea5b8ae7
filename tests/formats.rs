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

use replayscope::capture::{Asked, Input, Only, Template};
use replayscope::contract::{LoadedContract, load};
use replayscope::engine::BaselinePolicy;
use replayscope::session::Run;

/// A run over some bytes.
fn run(bytes: Vec<u8>, loaded: LoadedContract) -> Run {
    run_by(None, bytes, loaded)
}

/// The same over what `kcat -f` wrote with a template.
fn run_by(template: Option<&str>, bytes: Vec<u8>, loaded: LoadedContract) -> Run {
    let input = Input::stream("capture", Box::new(Cursor::new(bytes))).unwrap();
    let template = template.map(|text| &*Box::leak(Box::new(Template::parse(text).unwrap())));
    let asked = Asked {
        only: template.map(Only::Template),
        ..Asked::default()
    };
    let run = Run::new(input, loaded, BaselinePolicy::None).asking(asked);
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

    /// The template that wrote it, in a file beside it, where it is not told by its looks.
    fn template(&self) -> Option<String> {
        let text = std::fs::read_to_string(self.path.with_extension("template")).ok()?;
        Some(text.trim_end_matches('\n').to_owned())
    }

    fn run(&self) -> Run {
        let bytes = std::fs::read(&self.path).unwrap();
        run_by(self.template().as_deref(), bytes, self.loaded())
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
            let is_beside = [".contract.json", ".template"];
            let is_beside = is_beside.iter().any(|end| name.ends_with(end));
            if !name.contains(".expected.") && !is_beside {
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
