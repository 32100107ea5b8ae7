//! A disk that forgets: what was not synced may be lost in part or whole, and any operation may fail.
//!
//! Two images are kept of everything: what running programs see, and what a power cut leaves. Bytes
//! reach the second by `sync`, names by `sync_dir`. A sync that fails drops what it should have
//! written, as Linux does: a second sync alone then succeeds and saves nothing.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use replayscope::review::{How, Store, StoredFile};

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// Nothing.
    Well,
    /// The power is cut: this operation and all after it fail and do nothing.
    CutAt(usize),
    /// This one operation fails; a write leaves this many quarters of its bytes.
    FailAt(usize, usize),
    /// The first; then the power is cut at the second.
    FailThenCut(usize, usize),
    /// Nothing can be made or opened to write.
    ReadOnly,
    /// Files can be made and every write fails, having written half.
    Full,
    /// There are no locks.
    NoLocks,
}

#[derive(Clone, Default)]
struct Inode {
    now: Vec<u8>,
    lasting: Vec<u8>,
    /// Writes since the last sync.
    unsynced: Vec<(usize, Vec<u8>)>,
    locked_by: Option<u64>,
}

type Names = BTreeMap<PathBuf, usize>;

struct Inner {
    plan: Plan,
    operations: usize,
    handles: u64,
    inodes: Vec<Inode>,
    /// What names may be found after a power cut: the lasting ones, then each change since.
    names: Vec<Names>,
}

/// The disk; clones are the same disk.
#[derive(Clone)]
pub(crate) struct SimDisk(Arc<Mutex<Inner>>);

impl SimDisk {
    pub(crate) fn new() -> Self {
        Self::with(Vec::new(), Names::new())
    }

    fn with(inodes: Vec<Inode>, names: Names) -> Self {
        Self(Arc::new(Mutex::new(Inner {
            plan: Plan::Well,
            operations: 0,
            handles: 0,
            inodes,
            names: vec![names],
        })))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap()
    }

    pub(crate) fn store(&self) -> Arc<dyn Store> {
        Arc::new(self.clone())
    }

    pub(crate) fn plan(&self, plan: Plan) {
        self.inner().plan = plan;
    }

    pub(crate) fn operations(&self) -> usize {
        self.inner().operations
    }

    /// The names that programs see now.
    pub(crate) fn names(&self) -> Vec<PathBuf> {
        self.inner().current().keys().cloned().collect()
    }

    /// The bytes that programs see now.
    pub(crate) fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        let inner = self.inner();
        let index = *inner.current().get(Path::new(path))?;
        Some(inner.inodes[index].now.clone())
    }

    /// Puts a file there, lastingly.
    pub(crate) fn put(&self, path: &str, bytes: &[u8]) {
        let mut inner = self.inner();
        let index = inner.inodes.len();
        inner.inodes.push(Inode {
            now: bytes.to_vec(),
            lasting: bytes.to_vec(),
            ..Inode::default()
        });
        for names in &mut inner.names {
            names.insert(path.into(), index);
        }
    }

    /// How many bytes at most, and how many changes of names, are not lasting.
    pub(crate) fn at_risk(&self) -> (usize, usize) {
        let inner = self.inner();
        let unsynced = |inode: &Inode| inode.unsynced.iter().map(|(_, bytes)| bytes.len()).sum();
        let bytes = inner.inodes.iter().map(unsynced).max().unwrap_or(0);
        (bytes, inner.names.len() - 1)
    }

    /// The disk after a power cut: of each file's unsynced writes the first `kept_bytes` are there,
    /// and the first `kept_names` changes of names. With `as_zeros`, files have their new lengths
    /// and zeros in the place of what was lost.
    pub(crate) fn after_power_cut(
        &self,
        kept_bytes: usize,
        kept_names: usize,
        as_zeros: bool,
    ) -> Self {
        let inner = self.inner();
        let inodes = inner.inodes.iter().map(|inode| {
            let mut bytes = inode.lasting.clone();
            let mut left = kept_bytes;
            for (offset, written) in &inode.unsynced {
                let kept = left.min(written.len());
                left -= kept;
                write(&mut bytes, *offset, &written[..kept]);
                if as_zeros && bytes.len() < offset + written.len() {
                    bytes.resize(offset + written.len(), 0);
                }
            }
            Inode {
                now: bytes.clone(),
                lasting: bytes,
                ..Inode::default()
            }
        });
        let names = inner.names[kept_names.min(inner.names.len() - 1)].clone();
        Self::with(inodes.collect(), names)
    }

    /// The disk after kill -9: everything is seen as it was, synced or not, and locks are free.
    pub(crate) fn after_kill(&self) -> Self {
        let inner = self.inner();
        let unlocked = |inode: &Inode| Inode {
            locked_by: None,
            ..inode.clone()
        };
        let disk = Self::with(inner.inodes.iter().map(unlocked).collect(), Names::new());
        disk.inner().names.clone_from(&inner.names);
        disk
    }
}

fn write(bytes: &mut Vec<u8>, offset: usize, written: &[u8]) {
    if written.is_empty() {
        return;
    }
    let end = offset + written.len();
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[offset..end].copy_from_slice(written);
}

impl Inner {
    fn current(&self) -> &Names {
        self.names.last().unwrap()
    }

    fn rename_in(&mut self, change: impl FnOnce(&mut Names)) {
        let mut names = self.current().clone();
        change(&mut names);
        self.names.push(names);
    }

    /// Counts an operation; an error where it is planned to fail. The number is how many quarters
    /// of a write are left behind.
    fn begin(&mut self) -> Result<(), (io::Error, usize)> {
        let number = self.operations;
        self.operations += 1;
        let cut = || (io::Error::other("the power is cut"), 0);
        match self.plan {
            Plan::CutAt(at) | Plan::FailThenCut(_, at) if number >= at => Err(cut()),
            Plan::FailAt(at, quarters) if number == at => {
                Err((io::Error::other("it failed"), quarters))
            }
            Plan::FailThenCut(at, _) if number == at => Err((io::Error::other("it failed"), 2)),
            Plan::Well
            | Plan::CutAt(_)
            | Plan::FailAt(..)
            | Plan::FailThenCut(..)
            | Plan::ReadOnly
            | Plan::Full
            | Plan::NoLocks => Ok(()),
        }
    }

    fn whole(&mut self) -> io::Result<()> {
        self.begin().map_err(|(error, _)| error)
    }
}

impl Store for SimDisk {
    fn open(&self, path: &Path, how: How) -> io::Result<Box<dyn StoredFile>> {
        let mut inner = self.inner();
        inner.whole()?;
        let found = inner.current().get(path).copied();
        if inner.plan == Plan::ReadOnly
            && (how == How::Existing && found.is_some() || how == How::Create || how == How::New)
        {
            return Err(io::ErrorKind::ReadOnlyFilesystem.into());
        }
        let index = match (found, how) {
            (Some(_), How::New) => return Err(io::ErrorKind::AlreadyExists.into()),
            (Some(index), _) => index,
            (None, How::Existing | How::ReadOnly) => return Err(io::ErrorKind::NotFound.into()),
            (None, How::Create | How::New) => {
                let index = inner.inodes.len();
                inner.inodes.push(Inode::default());
                inner.rename_in(|names| {
                    names.insert(path.into(), index);
                });
                index
            }
        };
        inner.handles += 1;
        let handle = inner.handles;
        drop(inner);
        Ok(Box::new(SimFile {
            disk: self.clone(),
            index,
            handle,
        }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut inner = self.inner();
        inner.whole()?;
        let index = *inner.current().get(from).ok_or(io::ErrorKind::NotFound)?;
        inner.rename_in(|names| {
            names.remove(from);
            names.insert(to.into(), index);
        });
        Ok(())
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        if self.inner().current().contains_key(to) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.rename(from, to)
    }

    fn sync_dir(&self, _folder: &Path) -> io::Result<()> {
        let mut inner = self.inner();
        inner.whole()?;
        inner.names = vec![inner.current().clone()];
        Ok(())
    }

    fn make_dir(&self, _folder: &Path) -> io::Result<()> {
        self.inner().whole()
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut inner = self.inner();
        inner.whole()?;
        if !inner.current().contains_key(path) {
            return Err(io::ErrorKind::NotFound.into());
        }
        inner.rename_in(|names| {
            names.remove(path);
        });
        Ok(())
    }
}

struct SimFile {
    disk: SimDisk,
    index: usize,
    handle: u64,
}

impl StoredFile for SimFile {
    fn try_lock(&mut self) -> io::Result<bool> {
        let mut inner = self.disk.inner();
        inner.whole()?;
        if inner.plan == Plan::NoLocks {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let locked_by = &mut inner.inodes[self.index].locked_by;
        Ok(*locked_by.get_or_insert(self.handle) == self.handle)
    }

    fn size(&mut self) -> io::Result<u64> {
        let mut inner = self.disk.inner();
        inner.whole()?;
        Ok(inner.inodes[self.index].now.len() as u64)
    }

    fn read(&mut self, limit_bytes: u64) -> io::Result<Vec<u8>> {
        let mut inner = self.disk.inner();
        inner.whole()?;
        let bytes = inner.inodes[self.index].now.clone();
        if bytes.len() as u64 > limit_bytes {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(bytes)
    }

    fn write_at(&mut self, offset_bytes: u64, bytes: &[u8]) -> io::Result<()> {
        let mut inner = self.disk.inner();
        let begun = inner.begin();
        let (result, kept) = match begun {
            Ok(()) if inner.plan == Plan::Full => {
                (Err(io::ErrorKind::StorageFull.into()), bytes.len() / 2)
            }
            Ok(()) => (Ok(()), bytes.len()),
            Err((error, quarters)) => (Err(error), bytes.len() * quarters / 4),
        };
        let offset = usize::try_from(offset_bytes).unwrap();
        let inode = &mut inner.inodes[self.index];
        assert!(offset <= inode.now.len(), "a write leaves no hole");
        write(&mut inode.now, offset, &bytes[..kept]);
        inode.unsynced.push((offset, bytes[..kept].to_vec()));
        result
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut inner = self.disk.inner();
        let begun = inner.begin();
        let is_cut = matches!(inner.plan, Plan::CutAt(_));
        let inode = &mut inner.inodes[self.index];
        match begun {
            Ok(()) => {
                for (offset, bytes) in std::mem::take(&mut inode.unsynced) {
                    write(&mut inode.lasting, offset, &bytes);
                }
                Ok(())
            }
            Err((error, _)) => {
                if !is_cut && error.to_string() == "it failed" {
                    inode.unsynced.clear();
                }
                Err(error)
            }
        }
    }

    fn is_at(&mut self, path: &Path) -> io::Result<bool> {
        let mut inner = self.disk.inner();
        inner.whole()?;
        Ok(inner.current().get(path) == Some(&self.index))
    }
}

impl Drop for SimFile {
    fn drop(&mut self) {
        if let Ok(mut inner) = self.disk.0.lock() {
            let locked_by = &mut inner.inodes[self.index].locked_by;
            if *locked_by == Some(self.handle) {
                *locked_by = None;
            }
        }
    }
}
