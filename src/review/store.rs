//! The file layer under a case: few operations, each of which may fail, and a real disk for them.
//!
//! It is a trait so that a test can stand in a disk that forgets everything since the last sync, or
//! that fails at any one operation. There is no operation that shortens a file.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// To read and write; it must be there.
    Existing,
    /// To read only; it must be there.
    ReadOnly,
    /// To read and write; made where it is not there.
    Create,
    /// To read and write; it must not be there.
    New,
}

/// Where files are kept.
pub trait Store: Send + Sync {
    /// Opens a regular file; a new one is for its owner only (mode 0600).
    fn open(&self, path: &Path, how: How) -> io::Result<Box<dyn StoredFile>>;
    /// Gives a file another name, in the place of what had it.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Gives a file another name; fails with `AlreadyExists` where something has it.
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Makes names in a folder last: returns once they are on the disk.
    fn sync_dir(&self, folder: &Path) -> io::Result<()>;
    /// Makes a folder and those above it (mode 0700), lastingly; nothing where it is there.
    fn make_dir(&self, folder: &Path) -> io::Result<()>;
    /// Removes a file's name.
    fn remove(&self, path: &Path) -> io::Result<()>;
}

/// An open file.
pub trait StoredFile: Send {
    /// Takes the advisory lock for as long as the file is open; `false` where another has it.
    fn try_lock(&mut self) -> io::Result<bool>;
    /// Its length in bytes.
    fn size(&mut self) -> io::Result<u64>;
    /// Its bytes from the first; fails with `FileTooLarge` where there are more than `limit_bytes`.
    fn read(&mut self, limit_bytes: u64) -> io::Result<Vec<u8>>;
    /// Writes all the bytes from an offset on. On an error any part of them may be there.
    fn write_at(&mut self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()>;
    /// Makes the bytes last: returns once they are on the disk. After an error, what was written
    /// since the last success must be written again: the system may have dropped it.
    fn sync(&mut self) -> io::Result<()>;
    /// Whether the path still names this file.
    fn is_at(&mut self, path: &Path) -> io::Result<bool>;
}

/// The folder that a file lies in.
pub(super) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// The real disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Store for Disk {
    fn open(&self, path: &Path, how: How) -> io::Result<Box<dyn StoredFile>> {
        // A pipe or a device would block, or has no end.
        if let Ok(metadata) = fs::metadata(path)
            && !metadata.is_file()
        {
            return Err(io::Error::other("not a regular file"));
        }
        let mut options = OpenOptions::new();
        options.read(true).write(how != How::ReadOnly);
        options.create(how == How::Create);
        options.create_new(how == How::New);
        for_owner_only(&mut options);
        let file = options.open(path)?;
        Ok(Box::new(DiskFile(file)))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        let temporary = tempfile::TempPath::try_from_path(from)?;
        temporary
            .persist_noclobber(to)
            .map_err(|failed| failed.error)
    }

    fn sync_dir(&self, folder: &Path) -> io::Result<()> {
        match File::open(folder)?.sync_all() {
            // Some network and user-space file systems have no such operation; then there is nothing
            // more that could be asked for.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
                ) =>
            {
                Ok(())
            }
            other => other,
        }
    }

    fn make_dir(&self, folder: &Path) -> io::Result<()> {
        if folder.is_dir() {
            return Ok(());
        }
        let above = folder_of(folder);
        if above != folder {
            self.make_dir(&above)?;
        }
        let mut builder = fs::DirBuilder::new();
        folder_for_owner_only(&mut builder);
        match builder.create(folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => {}
            other => other?,
        }
        self.sync_dir(&above)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}

/// How often, and how far apart, a lock is asked for before another is said to have it.
const LOCK_TRIES: u32 = 10;
const LOCK_WAIT: Duration = Duration::from_millis(10);

struct DiskFile(File);

impl StoredFile for DiskFile {
    fn try_lock(&mut self) -> io::Result<bool> {
        // A window that is just closing, or a child process between its fork and its exec, holds the
        // lock for a moment more.
        for _ in 0..LOCK_TRIES {
            match self.0.try_lock() {
                Ok(()) => return Ok(true),
                Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_WAIT),
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
        Ok(false)
    }

    fn size(&mut self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    fn read(&mut self, limit_bytes: u64) -> io::Result<Vec<u8>> {
        self.0.seek(SeekFrom::Start(0))?;
        let mut bytes = Vec::new();
        let mut bounded = (&mut self.0).take(limit_bytes.saturating_add(1));
        bounded.read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit_bytes {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(bytes)
    }

    fn write_at(&mut self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        use std::io::Write as _;
        self.0.seek(SeekFrom::Start(offset_bytes))?;
        self.0.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_all()
    }

    fn is_at(&mut self, path: &Path) -> io::Result<bool> {
        let named = match fs::metadata(path) {
            Ok(named) => named,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        Ok(is_same(&self.0.metadata()?, &named))
    }
}

#[cfg(unix)]
fn for_owner_only(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt as _;
    options.mode(0o600);
}

#[cfg(not(unix))]
fn for_owner_only(_options: &mut OpenOptions) {}

#[cfg(unix)]
fn folder_for_owner_only(builder: &mut fs::DirBuilder) {
    use std::os::unix::fs::DirBuilderExt as _;
    builder.mode(0o700);
}

#[cfg(not(unix))]
fn folder_for_owner_only(_builder: &mut fs::DirBuilder) {}

#[cfg(unix)]
fn is_same(open: &fs::Metadata, named: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    open.dev() == named.dev() && open.ino() == named.ino()
}

#[cfg(not(unix))]
fn is_same(_open: &fs::Metadata, _named: &fs::Metadata) -> bool {
    true
}
