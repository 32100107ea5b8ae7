//! Verifying a case file: does it still belong to this capture, and is it unbroken?
//!
//! # What the chain proves, and what it does not
//!
//! Every line names the digest of the line before it, and ends with its own. So a line that was
//! changed, moved, left out or put in by accident or by hand shows, and so does a mark whose record
//! has other bytes now.
//!
//! The chain is **not signed**. Whoever can write the file can compute every digest anew and forge a
//! chain that holds, from the first line to the last. Lines taken away from the end leave a chain that
//! holds. Operators' names and times are what the program was told; nothing proves them. To rule the
//! first two out, keep the head hash somewhere that the file's owner cannot write to (a ticket, a
//! chat, a signed mail): the verdict's `head` and `entries` are printed for that.
//!
//! Marks of what is missing have no bytes to compare; only their place in the chain is verified.

use std::io;
use std::path::Path;

use super::anchor::Anchor;
use super::case::CASE_LIMIT_BYTES;
use super::chain::{self, Chain, Ending, Fault};
use super::digest::Digest;
use super::entry::{Entry, Identity};
use super::stale::{CaptureBytes, bytes_differ};
use super::store::{How, Store};

/// What verifying came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether nothing differs.
    pub proven: bool,
    /// SHA-256 of the last line that holds; `None` where no line does.
    pub head: Option<Digest>,
    /// How many entries hold.
    pub entries: u64,
    /// Bytes of torn lines that later entries vouch for: told, and no difference.
    pub set_aside_bytes: u64,
    /// What differs, in words; names in them are not yet safe to show.
    pub differences: Vec<String>,
}

/// Reads and verifies a case file. An error is one of reading the file; whatever is in it is a
/// verdict.
pub fn verify_file(
    store: &dyn Store,
    path: &Path,
    identity: &Identity,
    capture: &mut dyn CaptureBytes,
) -> io::Result<Verdict> {
    let bytes = store.open(path, How::ReadOnly)?.read(CASE_LIMIT_BYTES)?;
    Ok(verify(bytes, identity, capture))
}

/// Verifies the bytes of a case file: its chain, its first line against the capture and the contract
/// read now, and the bytes at every anchor.
pub fn verify(bytes: Vec<u8>, identity: &Identity, capture: &mut dyn CaptureBytes) -> Verdict {
    let chain = chain::read(bytes);
    let mut differences = Vec::new();
    differ_in_chain(&chain, &mut differences);
    match &chain.header {
        Some(header) => differ_in_header(header, identity, &mut differences),
        None => differences.push("there is no first line that says what the case is about".into()),
    }
    for entry in &chain.entries {
        differ_at_anchor(entry, capture, &mut differences);
    }
    Verdict {
        proven: differences.is_empty(),
        head: chain.head,
        entries: chain.lines,
        set_aside_bytes: chain.set_aside_bytes,
        differences,
    }
}

fn differ_in_chain(chain: &Chain, differences: &mut Vec<String>) {
    match &chain.fault {
        None => {}
        Some(Fault::NotACase) => differences.push("the file is no case file".into()),
        Some(Fault::Broken {
            line,
            why,
            lines_left,
        }) => differences.push(format!(
            "the chain is broken at line {line}: {why}; {lines_left} lines not verified"
        )),
        Some(Fault::Newer { format }) => differences.push(format!(
            "the file has format {format}, which this program cannot verify"
        )),
        Some(Fault::Unknown { entries }) => differences.push(format!(
            "{entries} entries say what this program does not know"
        )),
    }
    if !chain.loose.is_empty() {
        differences.push(format!(
            "the file ends in {} bytes of a torn line that no entry vouches for",
            chain.loose.len()
        ));
    }
    if chain.ending == Ending::NoNewline {
        differences.push("the last line lacks its newline".into());
    }
}

fn differ_in_header(header: &Identity, identity: &Identity, differences: &mut Vec<String>) {
    for (what, then, now) in [
        ("the capture as stored", header.stored, identity.stored),
        (
            "the capture's content",
            header.decompressed,
            identity.decompressed,
        ),
    ] {
        if then != now {
            differences.push(format!(
                "{what}: {} bytes, sha256 {}; in the case file {} bytes, sha256 {}",
                now.bytes, now.sha256, then.bytes, then.sha256
            ));
        }
    }
    if header.contract_sha256 != identity.contract_sha256 {
        differences.push(format!(
            "the contract {}: sha256 {}; in the case file {}: sha256 {}",
            identity.contract_name,
            identity.contract_sha256,
            header.contract_name,
            header.contract_sha256
        ));
    }
}

fn differ_at_anchor(entry: &Entry, capture: &mut dyn CaptureBytes, differences: &mut Vec<String>) {
    if let Anchor::Record(anchor) = &entry.anchor
        && bytes_differ(&entry.anchor, capture) == Some(true)
    {
        differences.push(format!(
            "entry {}: {} is not the {} bytes at {} that were marked",
            entry.number, anchor.record, anchor.length_bytes, anchor.offset_bytes
        ));
    }
}
