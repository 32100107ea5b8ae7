//! Output files: new, for their owner only, and there as a whole or not at all.

use std::fs;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use color_eyre::eyre::{bail, eyre};

use super::Failure;

/// Writes a file under a temporary name in its folder and gives it its own name once it is on the
/// disk. A file that is there stays, unless it is to be replaced (`force`); never one of `read`, what
/// the output was made from, and never what is no regular file.
pub(super) fn save(
    path: &Path,
    force: bool,
    read: &[PathBuf],
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let shown = path.display();
    if read.iter().any(|other| is_same(other, path)) {
        bail!("{shown}: is what this output is made from; it is not replaced");
    }
    match fs::symlink_metadata(path) {
        Ok(_) if !force => bail!("{shown}: is there already; --force replaces it"),
        Ok(found) if !found.is_file() => {
            bail!("{shown}: is not a regular file; it is not replaced")
        }
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => bail!("{shown}: {error}"),
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let failed = |error: io::Error| eyre!("{shown}: {error}");
    // Temporary files are for their owner only (mode 0600), and gone if anything fails.
    let mut file = tempfile::Builder::new()
        .prefix(".replayscope-")
        .tempfile_in(folder.unwrap_or(Path::new(".")))
        .map_err(failed)?;
    let mut out = BufWriter::new(file.as_file_mut());
    write(&mut out).and_then(|()| out.flush()).map_err(failed)?;
    drop(out);
    file.as_file().sync_all().map_err(failed)?;
    let named = if force {
        file.persist(path)
    } else {
        file.persist_noclobber(path)
    };
    named.map(drop).map_err(|error| failed(error.error))
}

/// Whether two paths are the same file, or would be once both are there.
fn is_same(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| {
        fs::canonicalize(path)
            .or_else(|_| std::path::absolute(path))
            .ok()
    };
    whole(one).is_some() && whole(one) == whole(other)
}
