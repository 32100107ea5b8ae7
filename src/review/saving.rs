//! How a case gets onto the disk: taking the lock, writing what is pending, saving elsewhere.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::case::{CASE_LIMIT_BYTES, Case, CasePlace};
use super::chain;
use super::condition::{Condition, Holder, ReadOnly, Trouble};
use super::entry::EntryNo;
use super::store::{How, StoredFile, folder_of};

/// Why a case was not saved elsewhere.
#[derive(Debug, Error)]
pub enum SaveAsError {
    /// The file is there already; it is never overwritten.
    #[error("{} is there already; it is not overwritten", .0.display())]
    Exists(PathBuf),
    /// The capture is not read to its end, so the first line cannot be written.
    #[error("the capture is not read to its end yet")]
    NotIdentified,
    /// The file could not be written; nothing is left of it.
    #[error("{} could not be written: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The file was written, but its name may not last.
    #[error("{} is written but may not survive a power cut: {error}", path.display())]
    NameNotSynced {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

impl Case {
    fn may_write(&self) -> bool {
        match &self.condition {
            Condition::Saving => true,
            Condition::ReadOnly(_) => false,
            Condition::MemoryOnly(trouble) => !trouble.is_final(),
        }
    }

    /// Opens and locks the file, and reads it. Where entries are pending already, its content must
    /// be what we know, for what another began meanwhile is not ours to continue blindly.
    pub(super) fn attach(&mut self, how: How) -> Result<(), Condition> {
        let Some(place) = self.place.clone() else {
            return Ok(());
        };
        if self.file.is_some() || !self.may_write() {
            return Ok(());
        }
        let path = &place.path;
        if how == How::Create && place.may_make_folder {
            let made = self.store.make_dir(&folder_of(path));
            made.map_err(|error| failed(Trouble::CannotCreate, &error))?;
        }
        let mut file = match self.store.open(path, how) {
            Ok(file) => file,
            Err(error) if how == How::Existing && error.kind() == io::ErrorKind::NotFound => {
                return Ok(());
            }
            Err(error) => return Err(self.read_only(path, &error)),
        };
        let locked = file.try_lock();
        let bytes = match file.read(CASE_LIMIT_BYTES) {
            Ok(bytes) => bytes,
            Err(error) => return Err(failed(Trouble::CannotRead, &error)),
        };
        match locked {
            Ok(true) => {}
            Ok(false) => {
                let holder = self.read_holder(path);
                self.show(bytes)?;
                return Err(Condition::ReadOnly(ReadOnly::Held(holder)));
            }
            Err(error) => {
                self.show(bytes)?;
                return Err(failed(Trouble::CannotLock, &error));
            }
        }
        // Between opening and locking, the name may have gone to another file.
        if !matches!(file.is_at(path), Ok(true)) {
            return Err(Condition::MemoryOnly(Trouble::Replaced));
        }
        self.adopt(file, bytes, path)
    }

    /// Takes over a file that we have locked.
    fn adopt(
        &mut self,
        mut file: Box<dyn StoredFile>,
        bytes: Vec<u8>,
        path: &Path,
    ) -> Result<(), Condition> {
        let is_unborn = chain::is_unborn(&bytes);
        self.beyond_bytes = if is_unborn { bytes.len() as u64 } else { 0 };
        if self.pending.is_empty() {
            self.load(bytes).map_err(Condition::ReadOnly)?;
        } else {
            let is_known = if is_unborn {
                self.chain.head.is_none()
            } else {
                bytes == self.chain.bytes
            };
            if !is_known {
                return Err(Condition::MemoryOnly(Trouble::ChangedOutside));
            }
            if is_unborn {
                self.chain.unborn_bytes = bytes.len();
            }
        }
        if !is_unborn {
            self.make_last(file.as_mut(), path).map_err(|error| {
                let sure = EntryNo(self.chain.sure_lines);
                self.book.set_saved_through(sure);
                failed(Trouble::CannotTrust, &error)
            })?;
        }
        self.file = Some(file);
        self.condition = Condition::Saving;
        self.write_holder();
        Ok(())
    }

    /// What we show as saved has to be on the disk, not only in the system's memory: an earlier
    /// process may have been killed between writing and syncing. Where one ended with something
    /// unsaved (its `.lock` is still there), a sync may have failed, and what it did not save must
    /// be written again before another sync can help.
    fn make_last(&self, file: &mut dyn StoredFile, path: &Path) -> io::Result<()> {
        if self.store.open(&holder_path(path), How::ReadOnly).is_ok() {
            file.write_at(self.chain.unsure_from as u64, self.chain.unsure())?;
        }
        file.sync()?;
        self.store.sync_dir(&folder_of(path))
    }

    /// Shows the marks of a file that we will not write to.
    fn show(&mut self, bytes: Vec<u8>) -> Result<(), Condition> {
        if !self.pending.is_empty() {
            return Ok(());
        }
        let loaded = self.load(bytes).map_err(Condition::ReadOnly);
        // The other window may be in the middle of a line.
        self.found.clear();
        loaded
    }

    /// The file could not be opened to write: is it there to read?
    fn read_only(&mut self, path: &Path, error: &io::Error) -> Condition {
        let mut file = match self.store.open(path, How::ReadOnly) {
            Ok(file) => file,
            Err(unread) if unread.kind() == io::ErrorKind::NotFound => {
                return failed(Trouble::CannotCreate, error);
            }
            Err(unread) => return failed(Trouble::CannotRead, &unread),
        };
        match file.read(CASE_LIMIT_BYTES) {
            Ok(bytes) if self.pending.is_empty() => match self.load(bytes) {
                Ok(()) => failed(Trouble::CannotWrite, error),
                Err(read_only) => Condition::ReadOnly(read_only),
            },
            Ok(_) => failed(Trouble::CannotWrite, error),
            Err(error) => failed(Trouble::CannotRead, &error),
        }
    }

    /// Saves what is pending; what comes of it is in `condition`.
    pub(super) fn save(&mut self) {
        if self.pending.is_empty() || self.identity.is_none() || !self.may_write() {
            return;
        }
        self.condition = match self.try_save() {
            Ok(()) => Condition::Saving,
            Err(condition) => condition,
        };
    }

    fn try_save(&mut self) -> Result<(), Condition> {
        self.attach(How::Create)?;
        let (Some(place), Some(identity)) = (&self.place, &self.identity) else {
            return Ok(());
        };
        let cannot_write = |error: io::Error| failed(Trouble::CannotWrite, &error);
        let is_first = self.chain.head.is_none();
        let first_line = self.first_line.get_or_insert_with(|| identity.clone());
        let addition = self.chain.extend(&self.pending, first_line);
        let addition = addition.map_err(cannot_write)?;
        let Some(file) = self.file.as_mut() else {
            return Ok(());
        };
        if !file.is_at(&place.path).map_err(cannot_write)? {
            return Err(Condition::MemoryOnly(Trouble::Replaced));
        }
        let acknowledged_bytes = self.chain.bytes.len() as u64;
        let size_bytes = file.size().map_err(cannot_write)?;
        if size_bytes < acknowledged_bytes || size_bytes > acknowledged_bytes + self.beyond_bytes {
            return Err(Condition::MemoryOnly(Trouble::ChangedOutside));
        }
        let added_bytes = addition.bytes.len() as u64;
        self.beyond_bytes = self.beyond_bytes.max(added_bytes);
        let bytes = [self.chain.unsure(), &addition.bytes].concat();
        file.write_at(self.chain.unsure_from as u64, &bytes)
            .map_err(cannot_write)?;
        let cannot_sync = |error: io::Error| failed(Trouble::CannotSync, &error);
        file.sync().map_err(cannot_sync)?;
        if is_first {
            let folder = folder_of(&place.path);
            self.store.sync_dir(&folder).map_err(cannot_sync)?;
        }
        self.beyond_bytes -= added_bytes;
        self.chain.accept(addition);
        self.all_saved();
        Ok(())
    }

    fn all_saved(&mut self) {
        self.pending.clear();
        self.book.set_saved_through(self.book.last());
    }

    /// Saves the whole case as a new file (`:w FILE`), never over one that is there: what was
    /// acknowledged byte for byte, then what is pending. A case that could not be saved where it
    /// was goes on in the new file; one that could stays where it is.
    pub fn save_as(&mut self, path: &Path) -> Result<(), SaveAsError> {
        let failed = |error: io::Error| SaveAsError::Io {
            path: path.to_owned(),
            error,
        };
        let identity = self.identity.as_ref().ok_or(SaveAsError::NotIdentified)?;
        let addition = if self.pending.is_empty() && self.chain.head.is_some() {
            None
        } else {
            let first_line = self.first_line.as_ref().unwrap_or(identity);
            let addition = self.chain.extend(&self.pending, first_line);
            Some(addition.map_err(failed)?)
        };
        let mut bytes = self.chain.bytes.clone();
        if let Some(addition) = &addition {
            bytes.extend_from_slice(&addition.bytes);
        }
        let temporary = beside(path, &format!(".{}.tmp", std::process::id()));
        let file = self
            .write_new(&temporary, path, &bytes)
            .inspect_err(|_| drop(self.store.remove(&temporary)))
            .map_err(|error| {
                if error.kind() == io::ErrorKind::AlreadyExists {
                    SaveAsError::Exists(path.to_owned())
                } else {
                    failed(error)
                }
            })?;
        if let Err(error) = self.store.sync_dir(&folder_of(path)) {
            let path = path.to_owned();
            return Err(SaveAsError::NameNotSynced { path, error });
        }
        if self.goes_on_elsewhere() {
            self.forget_holder();
            self.place = Some(CasePlace::at(path));
            self.file = Some(file);
            self.beyond_bytes = 0;
            self.condition = Condition::Saving;
            if let Some(addition) = addition {
                self.chain.accept(addition);
            }
            self.all_saved();
            self.write_holder();
        }
        Ok(())
    }

    /// Whether a case goes on in the file that it was saved to. One that holds what this version
    /// does not know does not: it would be read-only again when it is next opened.
    fn goes_on_elsewhere(&self) -> bool {
        match &self.condition {
            Condition::Saving
            | Condition::ReadOnly(ReadOnly::Newer { .. } | ReadOnly::Unknown { .. }) => false,
            Condition::ReadOnly(
                ReadOnly::Held(_) | ReadOnly::NotACase | ReadOnly::Broken { .. },
            )
            | Condition::MemoryOnly(_) => true,
        }
    }

    /// Writes and locks a file under a passing name, then gives it its own.
    fn write_new(
        &self,
        temporary: &Path,
        path: &Path,
        bytes: &[u8],
    ) -> io::Result<Box<dyn StoredFile>> {
        // What an earlier process of the same number may have left.
        drop(self.store.remove(temporary));
        let mut file = self.store.open(temporary, How::New)?;
        file.try_lock()?;
        file.write_at(0, bytes)?;
        file.sync()?;
        self.store.rename_new(temporary, path)?;
        Ok(file)
    }

    /// Says beside the file who has it open. Only told to a second window; nothing depends on it.
    fn write_holder(&self) {
        let Some(place) = &self.place else { return };
        let holder = Holder {
            operator: self.operator.clone(),
            pid: std::process::id(),
        };
        let path = holder_path(&place.path);
        let Ok(mut line) = serde_json::to_vec(&holder) else {
            return;
        };
        line.push(b'\n');
        if let Ok(mut file) = self.store.open(&path, How::Create) {
            drop(file.write_at(0, &line));
        }
    }

    fn read_holder(&self, path: &Path) -> Option<Holder> {
        let mut file = self.store.open(&holder_path(path), How::ReadOnly).ok()?;
        let bytes = file.read(64 * 1024).ok()?;
        let line = bytes.split(|byte| *byte == b'\n').next()?;
        serde_json::from_slice(line).ok()
    }

    /// Takes back what we said beside the file. Where something is unsaved it stays: the next
    /// opening then knows that a save may have failed half-way.
    pub(super) fn forget_holder(&mut self) {
        if self.file.is_some()
            && self.pending.is_empty()
            && let Some(place) = &self.place
        {
            drop(self.store.remove(&holder_path(&place.path)));
        }
    }

    /// Number of the last entry that is on the disk.
    pub fn saved_through(&self) -> EntryNo {
        EntryNo(self.chain.lines)
    }
}

fn failed(trouble: fn(String) -> Trouble, error: &io::Error) -> Condition {
    Condition::MemoryOnly(trouble(error.to_string()))
}

fn holder_path(path: &Path) -> PathBuf {
    beside(path, ".lock")
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
