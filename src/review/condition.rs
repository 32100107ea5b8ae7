//! How a case stands with its file, and the words for it.
//!
//! Every banner and notice of the room is here. Names in them may hold any text and are made safe by
//! whoever shows them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a case stands with its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Marks are saved as they are made.
    Saving,
    /// The file is not written to; marks made now stay in memory.
    ReadOnly(ReadOnly),
    /// The file cannot be written to; marks stay in memory.
    MemoryOnly(Trouble),
}

/// Why a case file is not written to, although it perhaps could be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadOnly {
    /// Another window has the case open.
    Held(Option<Holder>),
    /// The file is no case file.
    NotACase,
    /// Its chain is broken.
    Broken {
        /// At which line, from 1.
        line: u64,
        /// In which way.
        why: &'static str,
        /// How many lines from there on are not shown.
        lines_left: u64,
    },
    /// It was written by a newer version.
    Newer {
        /// The version of its format.
        format: u64,
    },
    /// It holds entries that this version does not know.
    Unknown {
        /// How many.
        entries: u64,
    },
}

/// Why marks cannot be saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// There is no file to save them in.
    NoPlace,
    /// The file is there and cannot be read.
    CannotRead(String),
    /// The file, or its folder, cannot be made.
    CannotCreate(String),
    /// The file is there and cannot be written to.
    CannotWrite(String),
    /// The file's bytes were written, and did not reach the disk.
    CannotSync(String),
    /// The file was read, and may not be on the disk.
    CannotTrust(String),
    /// The file system has no locks, so that two windows could overwrite each other.
    CannotLock(String),
    /// The file was removed or replaced while the case was open.
    Replaced,
    /// Somebody else wrote to the file, past the lock.
    ChangedOutside,
}

impl Trouble {
    /// Whether trying again cannot help, or could overwrite what another wrote.
    pub(super) fn is_final(&self) -> bool {
        match self {
            Self::CannotCreate(_) | Self::CannotWrite(_) | Self::CannotSync(_) => false,
            Self::NoPlace
            | Self::CannotRead(_)
            | Self::CannotTrust(_)
            | Self::CannotLock(_)
            | Self::Replaced
            | Self::ChangedOutside => true,
        }
    }
}

/// Who has a case open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// The operator's name; any text.
    pub operator: String,
    /// The process.
    pub pid: u32,
}

/// What is told once, when a case is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A crash left part of a line that was never acknowledged; it stays in the file, set aside.
    TornLine {
        /// How many bytes.
        bytes: u64,
    },
    /// The last line lacks its newline; the line itself holds.
    NoNewline,
    /// The case was begun on another capture, or on other content of this one.
    OtherCapture {
        /// The name it had.
        name: String,
    },
    /// The case was begun under another contract.
    OtherContract {
        /// The name it had.
        name: String,
    },
}

impl fmt::Display for ReadOnly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Held(Some(holder)) => write!(
                f,
                "{} (process {}) has this case open",
                holder.operator, holder.pid
            ),
            Self::Held(None) => f.write_str("another window has this case open"),
            Self::NotACase => f.write_str("the file is no case file"),
            Self::Broken {
                line,
                why,
                lines_left,
            } => write!(
                f,
                "the chain of the case file is broken at line {line}: {why}; \
                 {lines_left} lines from there on are not shown"
            ),
            Self::Newer { format } => write!(
                f,
                "the case file has format {format}, which is newer than this program"
            ),
            Self::Unknown { entries } => write!(
                f,
                "the case file holds {entries} entries that this version does not know"
            ),
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPlace => f.write_str("there is no case file"),
            Self::CannotRead(why) => write!(f, "the case file cannot be read ({why})"),
            Self::CannotCreate(why) => write!(f, "the case file cannot be made ({why})"),
            Self::CannotWrite(why) => write!(f, "the case file cannot be written ({why})"),
            Self::CannotSync(why) => write!(f, "the case file did not reach the disk ({why})"),
            Self::CannotTrust(why) => {
                write!(f, "the case file may not be on the disk ({why})")
            }
            Self::CannotLock(why) => write!(f, "the case file cannot be locked ({why})"),
            Self::Replaced => f.write_str("the case file was removed or replaced"),
            Self::ChangedOutside => f.write_str("another program wrote to the case file"),
        }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TornLine { bytes } => write!(
                f,
                "the case file ended in a torn line of {bytes} bytes, never acknowledged: set aside"
            ),
            Self::NoNewline => f.write_str("the case file's last line lacked its newline"),
            Self::OtherCapture { name } => write!(
                f,
                "the case was begun on another capture or other content ({name}): marks are stale"
            ),
            Self::OtherContract { name } => write!(
                f,
                "the case was begun under another contract ({name}): marks are stale"
            ),
        }
    }
}

/// The banner over a case; `None` while all is saved.
pub(super) fn banner(condition: &Condition, unsaved: usize, is_identified: bool) -> Option<String> {
    let (head, why) = match condition {
        Condition::Saving if unsaved == 0 => return None,
        Condition::Saving if is_identified => ("not saved yet", String::new()),
        Condition::Saving => (
            "not saved yet",
            ": the capture is not read to its end".to_owned(),
        ),
        Condition::ReadOnly(why) => ("read-only", format!(": {why}")),
        Condition::MemoryOnly(why) => ("not saved", format!(": {why}")),
    };
    let kept = match unsaved {
        0 => "new marks stay in memory".to_owned(),
        1 => "1 entry is only in memory".to_owned(),
        many => format!("{many} entries are only in memory"),
    };
    Some(format!("{head}{why}; {kept}, :w FILE saves"))
}
