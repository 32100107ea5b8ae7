//! Hostile inputs that others have collected, read from beside the repository where they are there:
//! JSONTestSuite (nst) and the Big List of Naughty Strings (minimaxir).

use std::fs;
use std::path::{Path, PathBuf};

/// What JSONTestSuite says of an input (RFC 8259).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// `y_`: must be accepted.
    Accept,
    /// `n_`: must be refused.
    Refuse,
    /// `i_`: either way, but always the same way.
    Either,
}

/// One input of JSONTestSuite.
#[derive(Clone, Debug)]
pub(crate) struct JsonCase {
    /// The file's name, which says what is wrong with it.
    pub(crate) name: String,
    /// The input, which need not be UTF-8.
    pub(crate) bytes: Vec<u8>,
    /// What a reader must make of it.
    pub(crate) verdict: Verdict,
}

/// A folder of inputs that live beside the repository, not in it: `../shared/NAME`. Says so and
/// answers none where it is absent, so that a test can skip.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared")
        .join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: there is no ../shared/{name}");
    None
}

/// The parsing cases of JSONTestSuite, by name; none where they are absent.
pub(crate) fn json_test_suite() -> Option<Vec<JsonCase>> {
    let folder = shared("hostile/jsontestsuite/test_parsing")?;
    let mut cases = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let verdict = match name.get(..2) {
            Some("y_") => Verdict::Accept,
            Some("n_") => Verdict::Refuse,
            Some("i_") => Verdict::Either,
            _ => continue,
        };
        cases.push(JsonCase {
            bytes: fs::read(&path).unwrap(),
            name,
            verdict,
        });
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    Some(cases)
}

/// The naughty strings; none where they are absent.
pub(crate) fn naughty_strings() -> Option<Vec<String>> {
    let text = fs::read_to_string(shared("hostile/naughty-strings.json")?).unwrap();
    Some(serde_json::from_str(&text).expect("a list of strings"))
}
