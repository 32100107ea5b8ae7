//! The operator's name: where it comes from, and how it is remembered.
//!
//! It is what a person says of themself; nothing proves it (see [`verify`](mod@super::verify)).

use std::io;
use std::path::Path;

use super::entry::OPERATOR_LIMIT_BYTES;
use super::store::{How, Store, folder_of};

/// The variable that names the operator, before anything remembered.
pub const OPERATOR_VARIABLE: &str = "REPLAYSCOPE_OPERATOR";

/// The operator's name: `REPLAYSCOPE_OPERATOR`, else what is remembered, else `USER`. `None` where
/// none of them says anything. `variable` looks up the environment.
pub fn operator(
    variable: impl Fn(&str) -> Option<String>,
    remembered: Option<String>,
) -> Option<String> {
    let named = |name: &str| variable(name).filter(|value| is_name(value));
    named(OPERATOR_VARIABLE)
        .or_else(|| remembered.filter(|value| is_name(value)))
        .or_else(|| named("USER"))
}

/// The remembered name; `None` where there is none that could be used.
pub fn remembered(store: &dyn Store, path: &Path) -> Option<String> {
    let mut file = store.open(path, How::ReadOnly).ok()?;
    let bytes = file.read(OPERATOR_LIMIT_BYTES as u64 + 1).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let name = text.strip_suffix('\n').unwrap_or(&text);
    is_name(name).then(|| name.to_owned())
}

/// Remembers a name: afterwards either it or the one before is there, whatever happens in between.
pub fn remember(store: &dyn Store, path: &Path, name: &str) -> io::Result<()> {
    if !is_name(name) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let folder = folder_of(path);
    store.make_dir(&folder)?;
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = Path::new(&temporary);
    // What an earlier process of the same number may have left.
    drop(store.remove(temporary));
    let write = || {
        let mut file = store.open(temporary, How::New)?;
        file.write_at(0, format!("{name}\n").as_bytes())?;
        file.sync()?;
        store.rename(temporary, path)
    };
    write().inspect_err(|_| drop(store.remove(temporary)))?;
    store.sync_dir(&folder)
}

fn is_name(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= OPERATOR_LIMIT_BYTES
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::super::store::Disk;
    use super::*;

    #[test]
    fn the_nearest_name_counts() {
        let both = |name: &str| match name {
            OPERATOR_VARIABLE => Some("env".to_owned()),
            "USER" => Some("user".to_owned()),
            _ => None,
        };
        let user = |name: &str| both(name).filter(|_| name == "USER");
        let kept = || Some("kept".to_owned());
        assert_eq!(operator(both, kept()), Some("env".into()));
        assert_eq!(operator(user, kept()), Some("kept".into()));
        assert_eq!(operator(user, Some(" ".into())), Some("user".into()));
        assert_eq!(operator(|_| None, None), None);
    }

    #[test]
    fn a_name_is_remembered_in_a_folder_that_is_made() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("a/b/operator");
        assert_eq!(remembered(&Disk, &path), None);
        for name in ["анна", "x\ny"] {
            remember(&Disk, &path, name).unwrap();
            assert_eq!(remembered(&Disk, &path).as_deref(), Some(name));
        }
        assert!(remember(&Disk, &path, "").is_err());
        let left = std::fs::read_dir(path.parent().unwrap()).unwrap().count();
        assert_eq!(left, 1, "nothing but the name is left");
    }
}
