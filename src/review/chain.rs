//! Reading a case file: which lines hold, what a crash left between them, and where the chain breaks.
//!
//! Every line but the first names the one before it. Three kinds of bytes may stand in the way:
//!
//! ```text
//! …line n\n  half a li                    a torn tail: set aside, and told
//! …line n\n  half a li <torn>\n  line n+1\n   the same after the next save; n+1 vouches for it
//! …line n\n  changed line\n  line n+2\n       a broken chain: opened read-only, and told
//! ```
//!
//! A torn tail cannot be cut off, for nothing in a case file is ever rewritten. The next save ends it
//! with a marker of its own, so that it can never be taken for a line that somebody changed, and the
//! entry that follows names its length and digest (`setAside`), so that the chain covers it too.

use super::digest::Digest;
use super::entry::{Entry, Identity};
use super::wire::{self, FORMAT, OPENING, SetAside};

/// What ends a torn tail when the next entry is written behind it; a newline follows.
pub(super) const TORN_MARK: &[u8] = b" <torn>";

/// A case file as it was read.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    /// The bytes that later lines build on: the whole file, or up to where the chain breaks.
    pub(super) bytes: Vec<u8>,
    /// The facts of the first line.
    pub(super) header: Option<Identity>,
    /// The entries that we know, in order.
    pub(super) entries: Vec<Entry>,
    /// How many lines hold, the header not counted.
    pub(super) lines: u64,
    /// Digest of the last line that holds; `None` while there is no header.
    pub(super) head: Option<Digest>,
    /// What stands behind the last line that holds, and belongs to no line.
    pub(super) loose: Vec<u8>,
    /// How the bytes end.
    pub(super) ending: Ending,
    /// From where on the bytes may not be on the disk, although they are read: an earlier process
    /// may have failed to sync them, and the system then no longer tries.
    pub(super) unsure_from: usize,
    /// How many entries the last line says were acknowledged.
    pub(super) sure_lines: u64,
    /// Length of what an interrupted first save left; the first line takes its place.
    pub(super) unborn_bytes: usize,
    /// Bytes that earlier saves set aside.
    pub(super) set_aside_bytes: u64,
    /// Why nothing may be added.
    pub(super) fault: Option<Fault>,
    /// Where each line that holds ends, the header first.
    ends: Vec<usize>,
}

/// How a case file's bytes end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Ending {
    /// With a newline, or there is nothing.
    #[default]
    Line,
    /// With a line that holds but lacks its newline.
    NoNewline,
    /// With part of a line.
    Torn,
}

/// Why nothing may be added to a case file. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The first line is no header of a case file.
    NotACase,
    /// A line does not hold.
    Broken {
        /// Which.
        line: u64,
        /// In which way.
        why: &'static str,
        /// How many lines from there on were not looked at.
        lines_left: u64,
    },
    /// Written in a newer format.
    Newer {
        /// Its version.
        format: u64,
    },
    /// The chain holds, with entries that we do not know.
    Unknown {
        /// How many.
        entries: u64,
    },
}

/// The most that an interrupted first save can have left, in bytes.
const UNBORN_LIMIT_BYTES: usize = 1024 * 1024;

/// Whether nothing was ever saved here: no bytes, or part of a first line, perhaps with zeros in the
/// place of bytes that a power cut lost. A case's first line is written together with its first
/// entry, so part of a first line means that neither was acknowledged.
pub(super) fn is_unborn(bytes: &[u8]) -> bool {
    if bytes.len() > UNBORN_LIMIT_BYTES || bytes.contains(&b'\n') || wire::sum_holds(bytes) {
        return false;
    }
    let length = bytes
        .iter()
        .rposition(|byte| *byte != 0)
        .map_or(0, |last| last + 1);
    let written = bytes.get(..length).unwrap_or_default();
    written.starts_with(OPENING) || OPENING.starts_with(written)
}

/// Reads a case file. Total: whatever the bytes are, the answer says how far they hold.
pub(super) fn read(bytes: Vec<u8>) -> Chain {
    let mut chain = Chain::default();
    if is_unborn(&bytes) {
        chain.unborn_bytes = bytes.len();
        return chain;
    }
    let mut held_bytes = 0usize;
    let mut unknown_entries = 0u64;
    let mut at_bytes = 0usize;
    for (index, piece) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        at_bytes += piece.len();
        match chain.take(piece) {
            Ok(Taken::Loose) => {}
            Ok(taken) => {
                held_bytes = at_bytes;
                chain.ends.push(at_bytes);
                unknown_entries += u64::from(taken == Taken::Unknown);
            }
            Err(why) => {
                let rest = bytes.get(at_bytes..).unwrap_or_default();
                let lines_left = 1 + rest.split_inclusive(|byte| *byte == b'\n').count() as u64;
                chain.fault = Some(if index == 0 && !piece.starts_with(OPENING) {
                    Fault::NotACase
                } else {
                    Fault::Broken {
                        line: index as u64 + 1,
                        why,
                        lines_left,
                    }
                });
                break;
            }
        }
    }
    if matches!(chain.fault, Some(Fault::NotACase | Fault::Broken { .. })) {
        chain.loose.clear();
        chain.ending = Ending::Line;
        chain.bytes = bytes.get(..held_bytes).unwrap_or_default().to_vec();
        return chain;
    }
    if chain.fault.is_none() && unknown_entries > 0 {
        chain.fault = Some(Fault::Unknown {
            entries: unknown_entries,
        });
    }
    chain.bytes = bytes;
    chain
}

#[derive(PartialEq)]
enum Taken {
    Line,
    Unknown,
    Loose,
}

impl Chain {
    /// Takes the next line, with its newline where it has one.
    fn take(&mut self, piece: &[u8]) -> Result<Taken, &'static str> {
        let (line, is_ended) = match piece.strip_suffix(b"\n") {
            Some(line) => (line, true),
            None => (piece, false),
        };
        if !wire::sum_holds(line) {
            return self.take_loose(piece, line, is_ended);
        }
        let taken = match self.head {
            None => self.take_header(line)?,
            Some(head) => self.take_entry(line, head)?,
        };
        self.head = Some(Digest::of(line));
        self.ending = if is_ended {
            Ending::Line
        } else {
            Ending::NoNewline
        };
        Ok(taken)
    }

    fn take_loose(
        &mut self,
        piece: &[u8],
        line: &[u8],
        is_ended: bool,
    ) -> Result<Taken, &'static str> {
        if self.head.is_none() || (is_ended && !line.ends_with(TORN_MARK)) {
            return Err("the line differs from its own sum");
        }
        self.loose.extend_from_slice(piece);
        self.ending = if is_ended { Ending::Line } else { Ending::Torn };
        Ok(Taken::Loose)
    }

    fn take_header(&mut self, line: &[u8]) -> Result<Taken, &'static str> {
        let format = wire::read_format(line).ok_or("the first line is no header")?;
        self.header = wire::read_header(line);
        if format != FORMAT {
            self.fault = Some(Fault::Newer { format });
        } else if self.header.is_none() {
            return Err("the first line is no header");
        }
        Ok(Taken::Line)
    }

    fn take_entry(&mut self, line: &[u8], head: Digest) -> Result<Taken, &'static str> {
        let place = wire::read_link(line).ok_or("the line is no entry")?;
        if place.prev != head {
            return Err("the line does not follow the one before it");
        }
        if place.entry != self.lines + 1 {
            return Err("the entry has another number than its place");
        }
        if place.set_aside != SetAside::of(&self.loose) {
            return Err("the bytes set aside before the line are not those it names");
        }
        self.sure_lines = place.saved;
        self.unsure_from = self.end_of(place.saved);
        self.set_aside_bytes += self.loose.len() as u64;
        self.loose.clear();
        self.lines += 1;
        let basis = self.header.as_ref().map(Identity::basis);
        match basis.and_then(|basis| wire::read_entry(line, basis)) {
            Some(entry) => {
                self.entries.push(entry);
                Ok(Taken::Line)
            }
            None => Ok(Taken::Unknown),
        }
    }
}

impl Chain {
    /// The bytes that may not be on the disk (see `unsure_from`).
    pub(super) fn unsure(&self) -> &[u8] {
        self.bytes.get(self.unsure_from..).unwrap_or_default()
    }

    /// Where an entry's line ends; the first byte for none, since a header is saved together with
    /// the first entry.
    fn end_of(&self, entry: u64) -> usize {
        let index = usize::try_from(entry).ok().filter(|index| *index > 0);
        let end = index.and_then(|index| self.ends.get(index));
        end.copied().unwrap_or(0)
    }
}

/// Lines that are about to be added, and what the chain is once they are saved.
pub(super) struct Addition {
    /// The bytes to write behind the chain's.
    pub(super) bytes: Vec<u8>,
    head: Digest,
    header: Identity,
    lines: u64,
}

impl Chain {
    /// Writes out entries behind what is there; with the header, where there is none. The same
    /// entries always give the same bytes, so that an attempt that failed half-way can be repeated
    /// in place.
    pub(super) fn extend(
        &self,
        entries: &[Entry],
        identity: &Identity,
    ) -> std::io::Result<Addition> {
        let mut bytes = Vec::new();
        let mut set_aside = None;
        let header = self.header.as_ref().unwrap_or(identity);
        let mut head = if let Some(head) = self.head {
            let mut loose = self.loose.clone();
            match self.ending {
                Ending::Line => {}
                Ending::NoNewline => bytes.push(b'\n'),
                Ending::Torn => {
                    bytes.extend_from_slice(TORN_MARK);
                    bytes.push(b'\n');
                    loose.extend_from_slice(&bytes);
                }
            }
            set_aside = SetAside::of(&loose);
            head
        } else {
            let line = wire::header_line(identity, self.unborn_bytes)?;
            push_line(&mut bytes, &line)
        };
        for entry in entries {
            let line = wire::entry_line(entry, header.basis(), set_aside.take(), self.lines, head)?;
            head = push_line(&mut bytes, &line);
        }
        Ok(Addition {
            bytes,
            head,
            header: header.clone(),
            lines: entries.len() as u64,
        })
    }

    /// Takes over what was saved.
    pub(super) fn accept(&mut self, addition: Addition) {
        self.bytes.extend_from_slice(&addition.bytes);
        self.unsure_from = self.bytes.len();
        self.head = Some(addition.head);
        self.header = Some(addition.header);
        self.lines += addition.lines;
        self.sure_lines = self.lines;
        self.set_aside_bytes += self.loose.len() as u64;
        self.loose.clear();
        self.ending = Ending::Line;
    }
}

fn push_line(bytes: &mut Vec<u8>, line: &[u8]) -> Digest {
    bytes.extend_from_slice(line);
    bytes.push(b'\n');
    Digest::of(line)
}
