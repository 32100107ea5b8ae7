//! Where case files and the operator's name are kept.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::case::CasePlace;

/// What a case file is called: the capture's whole file name, with this behind it.
pub const CASE_SUFFIX: &str = ".case.jsonl";

const FOLDER: &str = "replayscope";

/// The case file beside a capture; `None` where the path names no file.
pub fn default_place(capture: &Path) -> Option<CasePlace> {
    let mut name = capture.file_name()?.to_owned();
    name.push(CASE_SUFFIX);
    Some(CasePlace::at(capture.with_file_name(name)))
}

/// A case file in the folder of the user's state, for what has no file of its own: the built-in
/// walk-through, or standard input under a name that the caller chooses (its digest, say). The
/// name's letters, digits, `-` and `_` are kept and everything else becomes `_`. `None` without a
/// home folder.
pub fn state_place(name: &str) -> Option<CasePlace> {
    Some(CasePlace {
        path: in_state(&format!("{}{CASE_SUFFIX}", plain(name)))?,
        may_make_folder: true,
    })
}

/// Where half-written marks are kept, under a name that the caller chooses; `None` without a home
/// folder.
pub fn drafts_path(name: &str) -> Option<PathBuf> {
    in_state(&format!("{}.drafts.json", plain(name)))
}

fn in_state(name: &str) -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    let state = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
    Some(state.join(FOLDER).join(name))
}

/// The file that remembers the operator's name; `None` without a home folder.
pub fn operator_path() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.config_dir().join(FOLDER).join("operator"))
}

fn plain(name: &str) -> String {
    name.chars()
        .map(|character| match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' => character,
            _ => '_',
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn the_case_lies_beside_the_capture_under_its_whole_name() {
        let place = |capture: &str| default_place(Path::new(capture)).map(|place| place.path);
        assert_eq!(
            place("logs/orders.jsonl.gz"),
            Some("logs/orders.jsonl.gz.case.jsonl".into())
        );
        assert_eq!(place("orders"), Some("orders.case.jsonl".into()));
        assert_eq!(place("/"), None);
    }

    #[test]
    fn a_name_cannot_leave_the_state_folder() {
        let path = state_place("../../etc/x").unwrap().path;
        assert!(path.ends_with("replayscope/______etc_x.case.jsonl"));
    }
}
