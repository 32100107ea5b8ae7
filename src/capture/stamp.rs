//! What a file looked like from outside when it was opened, and how that differs now: whether there
//! is any reason to doubt its bytes. It proves nothing; who has to know compares the bytes.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// How a file differs from what it was when it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// As many bytes were added.
    Grown(u64),
    /// As many bytes are gone.
    Truncated(u64),
    /// It was written to, and is as long as it was.
    Rewritten,
    /// Its name belongs to another file now; the one that was opened is still read.
    Replaced,
    /// Its name belongs to no file any more; the one that was opened is still read.
    Removed,
}

/// Which file it is, how long, and when it was last touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    device: u64,
    inode: u64,
    length_bytes: u64,
    modified: (i64, i64),
    touched: (i64, i64),
}

impl Stamp {
    pub(super) fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            length_bytes: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            touched: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// Bytes of the file.
    pub(super) fn length_bytes(&self) -> u64 {
        self.length_bytes
    }

    /// How the file, which was open under `path` all the time, differs now.
    pub(super) fn change(&self, now: &Self, path: &Path) -> Option<Change> {
        let (before, after) = (self.length_bytes, now.length_bytes);
        match std::fs::metadata(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Some(Change::Removed);
            }
            Ok(named) if (named.dev(), named.ino()) != (self.device, self.inode) => {
                return Some(Change::Replaced);
            }
            // What cannot be looked up is no other file for that.
            Ok(_) | Err(_) => {}
        }
        match after.cmp(&before) {
            std::cmp::Ordering::Greater => Some(Change::Grown(after - before)),
            std::cmp::Ordering::Less => Some(Change::Truncated(before - after)),
            std::cmp::Ordering::Equal => {
                (now.modified != self.modified).then_some(Change::Rewritten)
            }
        }
    }
}
