//! The lines of a case file: serde shapes, and the sum that ends every line.
//!
//! ```text
//! {"replayscope-case":1, tool, engine, capture, contract,                     "sum":"…"}
//! {"entry":1,"kind":"mark", operator, time, anchor, …, "setAside"?, "saved":0,"prev":"…","sum":"…"}
//! ```
//!
//! `sum` is the SHA-256 of the line's own bytes before `,"sum"`. `prev` is the SHA-256 of the whole
//! line before (the last line that is an entry or the header), without its newline. `prev` alone
//! would leave the last line unguarded; with both, any byte that is changed shows. `saved` is the
//! number of the last entry that had been acknowledged when the line was written: whatever stands
//! behind that one may not have reached the disk.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::model::{Kind, RecordNo, State, StepNo};

use super::anchor::{Anchor, Disposition, MissingAnchor, RecordAnchor};
use super::digest::{Digest, HEX_LENGTH};
use super::entry::{Act, Basis, Entry, EntryNo, Extent, Identity};

/// Version of the case file's format that this program writes.
pub const FORMAT: u64 = 1;

/// How every case file begins.
pub(super) const OPENING: &[u8] = b"{\"replayscope-case\":";

const SUM_OPENING: &[u8] = b",\"sum\":\"";
const SUM_CLOSING: &[u8] = b"\"}";

/// Bytes between two lines that belong to neither: what a crash left of a line never acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SetAside {
    /// How many, the last newline included.
    pub(super) bytes: u64,
    /// Their digest.
    #[serde(with = "hex")]
    pub(super) sha256: Digest,
}

impl SetAside {
    /// Of the bytes that were set aside; `None` where there are none.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        (!bytes.is_empty()).then(|| Self {
            bytes: bytes.len() as u64,
            sha256: Digest::of(bytes),
        })
    }
}

mod hex {
    //! Digests as text.

    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    use super::{Cow, Digest};

    pub(super) fn serialize<S: Serializer>(digest: &Digest, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(digest)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Digest, D::Error> {
        let text = Cow::<str>::deserialize(from)?;
        Digest::parse(&text).ok_or_else(|| D::Error::custom("not a SHA-256 in lower-case hex"))
    }
}

#[derive(Serialize, Deserialize)]
struct HexDigest(#[serde(with = "hex")] Digest);

#[derive(Serialize, Deserialize)]
struct HeaderWire<'a> {
    #[serde(rename = "replayscope-case")]
    format: u64,
    tool: Cow<'a, str>,
    engine: Cow<'a, str>,
    capture: CaptureWire<'a>,
    contract: ContractWire<'a>,
}

#[derive(Serialize, Deserialize)]
struct CaptureWire<'a> {
    name: Cow<'a, str>,
    bytes: u64,
    #[serde(with = "hex")]
    sha256: Digest,
    decompressed: SetAside,
}

#[derive(Serialize, Deserialize)]
struct ContractWire<'a> {
    name: Cow<'a, str>,
    #[serde(with = "hex")]
    sha256: Digest,
}

/// What every entry has, of whatever kind: enough to follow the chain past one that we do not know.
#[derive(Deserialize)]
pub(super) struct Link {
    /// The entry's number.
    pub(super) entry: u64,
    /// The last entry that was acknowledged when this one was written.
    pub(super) saved: u64,
    /// Digest of the line before.
    #[serde(with = "hex")]
    pub(super) prev: Digest,
    /// What lies between the line before and this one.
    #[serde(rename = "setAside")]
    pub(super) set_aside: Option<SetAside>,
}

#[derive(Serialize, Deserialize)]
struct EntryWire<'a> {
    entry: u64,
    kind: Cow<'a, str>,
    operator: Cow<'a, str>,
    time: Cow<'a, str>,
    anchor: AnchorWire<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    disposition: Option<Cow<'a, str>>,
    #[serde(rename = "takesBack", skip_serializing_if = "Option::is_none")]
    takes_back: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    open: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    capture: Option<HexDigest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contract: Option<HexDigest>,
    #[serde(rename = "setAside", skip_serializing_if = "Option::is_none")]
    set_aside: Option<SetAside>,
    saved: u64,
    #[serde(with = "hex")]
    prev: Digest,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum AnchorWire<'a> {
    #[serde(rename_all = "camelCase")]
    Record {
        number: u32,
        offset_bytes: u64,
        length_bytes: u32,
        #[serde(with = "hex")]
        sha256: Digest,
        kind: Cow<'a, str>,
        step: u32,
        state: Cow<'a, str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<Cow<'a, str>>,
    },
    Missing {
        source: Cow<'a, str>,
        aggregate: Cow<'a, str>,
        version: u64,
    },
    Capture {},
}

/// The first line of a case file, without its newline. `padding_bytes` spaces make it longer than
/// what an interrupted first save left in its place.
pub(super) fn header_line(identity: &Identity, padding_bytes: usize) -> std::io::Result<Vec<u8>> {
    let header = HeaderWire {
        format: FORMAT,
        tool: Cow::Borrowed(&identity.tool),
        engine: Cow::Borrowed(&identity.engine),
        capture: CaptureWire {
            name: Cow::Borrowed(&identity.capture_name),
            bytes: identity.stored.bytes,
            sha256: identity.stored.sha256,
            decompressed: SetAside {
                bytes: identity.decompressed.bytes,
                sha256: identity.decompressed.sha256,
            },
        },
        contract: ContractWire {
            name: Cow::Borrowed(&identity.contract_name),
            sha256: identity.contract_sha256,
        },
    };
    with_sum(&header, padding_bytes)
}

/// An entry's line, without its newline.
pub(super) fn entry_line(
    entry: &Entry,
    header: Basis,
    set_aside: Option<SetAside>,
    saved: u64,
    prev: Digest,
) -> std::io::Result<Vec<u8>> {
    let basis = entry.basis.unwrap_or(header);
    let mut wire = EntryWire {
        entry: entry.number.0,
        kind: Cow::Borrowed(entry.act.name()),
        operator: Cow::Borrowed(&entry.operator),
        time: Cow::Borrowed(&entry.time),
        anchor: anchor_to_wire(&entry.anchor),
        disposition: None,
        takes_back: None,
        version: None,
        state: None,
        open: None,
        note: None,
        capture: (basis.capture != header.capture).then_some(HexDigest(basis.capture)),
        contract: (basis.contract != header.contract).then_some(HexDigest(basis.contract)),
        set_aside,
        saved,
        prev,
    };
    match &entry.act {
        Act::Mark { disposition, note } => {
            wire.disposition = Some(Cow::Borrowed(disposition.name()));
            wire.note = Some(Cow::Borrowed(note));
        }
        Act::Unmark { entry } => wire.takes_back = Some(entry.0),
        Act::Comment { note } => wire.note = Some(Cow::Borrowed(note)),
        Act::Baseline {
            version,
            state,
            note,
        } => {
            wire.version = Some(*version);
            wire.state = state.as_deref().map(Cow::Borrowed);
            wire.note = Some(Cow::Borrowed(note));
        }
        Act::Closed { open, note } => {
            wire.open = Some(*open);
            wire.note = Some(Cow::Borrowed(note));
        }
    }
    with_sum(&wire, 0)
}

fn with_sum(wire: &impl Serialize, padding_bytes: usize) -> std::io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(wire)?;
    // The closing brace comes back after the sum.
    line.pop();
    line.resize(line.len() + padding_bytes, b' ');
    let sum = Digest::of(&line);
    line.extend_from_slice(SUM_OPENING);
    line.extend_from_slice(sum.to_string().as_bytes());
    line.extend_from_slice(SUM_CLOSING);
    Ok(line)
}

/// Whether a line ends with the sum of what stands before it.
pub(super) fn sum_holds(line: &[u8]) -> bool {
    let tail_length = SUM_OPENING.len() + HEX_LENGTH + SUM_CLOSING.len();
    let Some((body, tail)) = line
        .len()
        .checked_sub(tail_length)
        .and_then(|cut| line.split_at_checked(cut))
    else {
        return false;
    };
    let sum = tail
        .strip_prefix(SUM_OPENING)
        .and_then(|rest| rest.strip_suffix(SUM_CLOSING));
    sum == Some(Digest::of(body).to_string().as_bytes())
}

/// The format's version, from a line whose sum holds.
pub(super) fn read_format(line: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Format {
        #[serde(rename = "replayscope-case")]
        format: u64,
    }
    serde_json::from_slice::<Format>(line)
        .ok()
        .map(|header| header.format)
}

/// The facts of a header whose sum holds.
pub(super) fn read_header(line: &[u8]) -> Option<Identity> {
    let wire: HeaderWire<'_> = serde_json::from_slice(line).ok()?;
    Some(Identity {
        tool: wire.tool.into_owned(),
        engine: wire.engine.into_owned(),
        capture_name: wire.capture.name.into_owned(),
        stored: Extent {
            bytes: wire.capture.bytes,
            sha256: wire.capture.sha256,
        },
        decompressed: Extent {
            bytes: wire.capture.decompressed.bytes,
            sha256: wire.capture.decompressed.sha256,
        },
        contract_name: wire.contract.name.into_owned(),
        contract_sha256: wire.contract.sha256,
    })
}

/// What links an entry to the line before it; `None` where the line is no entry at all.
pub(super) fn read_link(line: &[u8]) -> Option<Link> {
    serde_json::from_slice(line).ok()
}

/// An entry whose sum holds; `None` where it is of a kind, or says something, that we do not know.
pub(super) fn read_entry(line: &[u8], header: Basis) -> Option<Entry> {
    let wire: EntryWire<'_> = serde_json::from_slice(line).ok()?;
    let note = || wire.note.as_deref().map(str::to_owned);
    let act = match &*wire.kind {
        "mark" => Act::Mark {
            disposition: Disposition::from_name(wire.disposition.as_deref()?)?,
            note: note()?,
        },
        "unmark" => Act::Unmark {
            entry: EntryNo(wire.takes_back?),
        },
        "comment" => Act::Comment { note: note()? },
        "baseline" => Act::Baseline {
            version: wire.version?,
            state: wire.state.as_deref().map(str::to_owned),
            note: note()?,
        },
        "closed" => Act::Closed {
            open: wire.open?,
            note: note()?,
        },
        _ => return None,
    };
    Some(Entry {
        number: EntryNo(wire.entry),
        operator: wire.operator.into_owned(),
        time: wire.time.into_owned(),
        anchor: anchor_from_wire(wire.anchor)?,
        act,
        basis: Some(Basis {
            capture: wire.capture.map_or(header.capture, |digest| digest.0),
            contract: wire.contract.map_or(header.contract, |digest| digest.0),
        }),
    })
}

fn anchor_to_wire(anchor: &Anchor) -> AnchorWire<'_> {
    match anchor {
        Anchor::Record(anchor) => AnchorWire::Record {
            number: anchor.record.0,
            offset_bytes: anchor.offset_bytes,
            length_bytes: anchor.length_bytes,
            sha256: anchor.sha256,
            kind: Cow::Borrowed(anchor.kind.name()),
            step: anchor.step.0,
            state: Cow::Borrowed(anchor.state.name()),
            reason: anchor.reason.as_deref().map(Cow::Borrowed),
        },
        Anchor::Missing(anchor) => AnchorWire::Missing {
            source: Cow::Borrowed(&anchor.source),
            aggregate: Cow::Borrowed(&anchor.aggregate),
            version: anchor.version,
        },
        Anchor::Capture => AnchorWire::Capture {},
    }
}

fn anchor_from_wire(wire: AnchorWire<'_>) -> Option<Anchor> {
    Some(match wire {
        AnchorWire::Record {
            number,
            offset_bytes,
            length_bytes,
            sha256,
            kind,
            step,
            state,
            reason,
        } => Anchor::Record(RecordAnchor {
            record: RecordNo(number),
            offset_bytes,
            length_bytes,
            sha256,
            kind: Kind::ALL.into_iter().find(|known| known.name() == kind)?,
            step: StepNo(step),
            state: State::ALL.into_iter().find(|known| known.name() == state)?,
            reason: reason.map(Cow::into_owned),
        }),
        AnchorWire::Missing {
            source,
            aggregate,
            version,
        } => Anchor::Missing(MissingAnchor {
            source: source.into_owned(),
            aggregate: aggregate.into_owned(),
            version,
        }),
        AnchorWire::Capture {} => Anchor::Capture,
    })
}
