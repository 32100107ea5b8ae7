//! Looks back at the bytes of a run's records.

use std::borrow::Cow;
use std::cell::RefCell;

use sha2::{Digest as _, Sha256};

use super::explain;
use super::run::Run;
use crate::capture::tape::NodeKind;
use crate::capture::tree::Tree;
use crate::capture::{Asked, CaptureError, MAX_RECORD_BYTES, Scratch};
use crate::capture::{Look as Seen, Unreadable, look};
use crate::contract::{LoadedContract, Origin};
use crate::engine::BaselinePolicy;
use crate::history::History;
use crate::model::{
    EventText, Instant, Look, Place, ReadFault, RecordNo, RowText, StepNo, TreeKind, TreeNode,
};

/// Records that are looked at on either side for a time.
const RECORDS_NEAR: usize = 2_000;

/// Reading in capture order costs one system call for so many bytes.
const WINDOW_BYTES: usize = 256 << 10;

/// Of a longer record, only so much is shown as text and tree.
const SHOWN_BYTES: usize = 4 << 20;

/// Looks back at records; one a thread.
#[derive(Debug)]
pub struct Reader<'r> {
    run: &'r Run,
    window: RefCell<Window>,
    scratch: RefCell<Scratch>,
}

#[derive(Debug, Default)]
struct Window {
    offset_bytes: u64,
    bytes: Vec<u8>,
}

/// What a receipt says, read from its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The event's source.
    pub source: Option<String>,
    /// The event's id.
    pub id: Option<String>,
    /// `inputSchemaVersion`.
    pub schema_version: Option<i64>,
    /// `result`: the reads as found, defaults filled in, as a JSON object.
    pub result: String,
}

impl<'r> Reader<'r> {
    /// A reader of this run's records.
    pub fn new(run: &'r Run) -> Self {
        Self {
            run,
            window: RefCell::default(),
            scratch: RefCell::new(Scratch::asking(&run.loaded().contract, run.asked())),
        }
    }

    /// The contract in force.
    pub fn loaded(&self) -> &'r LoadedContract {
        self.run.loaded()
    }

    /// How wrappers are taken off, and what is told of events.
    pub fn asked(&self) -> Asked {
        self.run.asked()
    }

    /// How aggregates in mid-stream are started.
    pub fn baseline(&self) -> BaselinePolicy {
        self.run.baseline()
    }

    /// Where the contract came from, in a word or two.
    pub fn origin_name(&self) -> &'static str {
        match self.loaded().origin {
            Origin::BuiltIn => "built in",
            Origin::File(_) => "file",
            Origin::Sidecar(_) => "sidecar",
        }
    }

    /// The file that a record is in, where the capture has several. What cannot be shown of its name is
    /// spelled as escapes.
    pub fn file_name(&self, place: Place) -> Option<&'r str> {
        self.run.input().name_at(place.offset_bytes)
    }

    /// What can be read of a record.
    pub fn event_text(&self, history: &History, record: RecordNo) -> EventText {
        self.seen(history, record).text
    }

    /// All that is told of a record beside its step.
    pub fn facts(&self, history: &History, record: RecordNo) -> Seen {
        self.seen(history, record)
    }

    /// Where and why a record could not be read.
    pub fn fault(&self, history: &History, record: RecordNo) -> Option<ReadFault> {
        let place = history.place(record)?;
        fault(&self.seen(history, record), place, self.file_name(place))
    }

    /// What a receipt says of its record.
    pub fn receipt(&self, history: &History, record: RecordNo) -> Receipt {
        let seen = self.seen(history, record);
        let members: Vec<String> = seen
            .reads
            .iter()
            .map(|(name, json)| format!("{}: {json}", serde_json::Value::from(name.as_str())))
            .collect();
        Receipt {
            result: format!("{{{}}}", members.join(", ")),
            source: seen.text.source,
            id: seen.text.id,
            schema_version: seen.text.schema_version,
        }
    }

    /// When a record's bytes say that it was received, or else when its event is dated.
    pub fn time_of(&self, bytes: &[u8]) -> Option<Instant> {
        let contract = &self.loaded().contract;
        let seen = look(bytes, contract, &mut self.scratch.borrow_mut());
        moments(&seen).0
    }

    /// What can be read of a record's bytes, and when they say that it was received, or else when its
    /// event is dated.
    pub fn event_and_time(&self, bytes: &[u8]) -> (EventText, Option<Instant>) {
        let contract = &self.loaded().contract;
        let seen = look(bytes, contract, &mut self.scratch.borrow_mut());
        let time = moments(&seen).0;
        (seen.text, time)
    }

    /// What the list shows of a record beside its step.
    pub fn row(&self, history: &History, record: RecordNo) -> RowText {
        let place = history.place(record);
        if place.is_some_and(|place| !self.run.is_verified(place)) {
            return RowText {
                is_unverified: true,
                ..RowText::default()
            };
        }
        let seen = self.seen(history, record);
        let (time, is_own_time) = moments(&seen);
        RowText {
            is_unverified: false,
            time,
            is_own_time,
            note: seen.text.note,
            id: seen.text.id,
        }
    }

    /// One step looked at closely.
    pub fn look(&self, history: &History, step: StepNo) -> Option<Look> {
        let decided = history.step(step)?;
        let place = history.place(decided.record)?;
        let bytes = self.bytes(place);
        let contract = &self.loaded().contract;
        let (mut raw, unverified) = match bytes {
            Ok(bytes) => (bytes, None),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        let unverified = unverified.or_else(|| {
            let words = "the bytes changed since they were decided on";
            (!self.run.is_verified(place)).then(|| words.to_owned())
        });
        // Of bytes that nothing was decided on, nothing is told but the bytes.
        let read = if unverified.is_some() {
            &[]
        } else {
            raw.as_slice()
        };
        let seen = look(read, contract, &mut self.scratch.borrow_mut());
        let (within, file) = (self.run.input().within(place), self.file_name(place));
        let of_file = file.map_or_else(String::new, |file| format!(" of {file}"));
        let fault = fault(&seen, place, file);
        let stages = explain::stages(history, contract, &decided, &seen, (within, &of_file));
        let tree = tree(seen.inner.as_deref().unwrap_or(read));
        raw.truncate(SHOWN_BYTES);
        Some(Look {
            step,
            record: decided.record,
            place: within,
            file: file.map(str::to_owned),
            event: seen.text,
            stages,
            tree,
            conformance: seen.conformance,
            transport: seen.transport,
            raw,
            fault,
            unverified,
        })
    }

    fn seen(&self, history: &History, record: RecordNo) -> Seen {
        let Some(place) = history.place(record) else {
            return Seen::default();
        };
        let contract = &self.loaded().contract;
        let in_window = self.with_window(place, |bytes| {
            look(bytes, contract, &mut self.scratch.borrow_mut())
        });
        in_window.unwrap_or_default()
    }

    /// The time of the nearest record that has one, in seconds since 1970: of those before first, the
    /// record itself among them, else of those after. Looks at so many on either side.
    pub fn day_near(&self, history: &History, record: RecordNo) -> Option<i64> {
        let last = history.last_record().0;
        let before = (1..=record.0.min(last)).rev().take(RECORDS_NEAR);
        let after = (record.0.saturating_add(1)..=last).take(RECORDS_NEAR);
        let mut times = before.chain(after).filter_map(|near| {
            let text = self.row(history, RecordNo(near));
            text.time.filter(|_| !text.is_unverified)
        });
        times.next().map(|time| time.seconds)
    }

    /// The bytes of a record; of one that is too long, as many as show that.
    pub fn bytes(&self, place: Place) -> Result<Vec<u8>, CaptureError> {
        let mut bytes = vec![0; (place.length_bytes as usize).min(MAX_RECORD_BYTES + 1)];
        self.run
            .input()
            .read_exact_at(place.offset_bytes, &mut bytes)?;
        Ok(bytes)
    }

    /// SHA-256 of some bytes of the capture, however many: a record that is too long to be read has
    /// one too.
    pub fn sha256(&self, offset_bytes: u64, length_bytes: u32) -> Result<[u8; 32], CaptureError> {
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; WINDOW_BYTES.min(length_bytes as usize)];
        let end_bytes = offset_bytes.saturating_add(u64::from(length_bytes));
        let mut at_bytes = offset_bytes;
        while at_bytes < end_bytes {
            let left = usize::try_from(end_bytes - at_bytes).unwrap_or(usize::MAX);
            let length = left.min(buffer.len());
            buffer.truncate(length);
            self.run.input().read_exact_at(at_bytes, &mut buffer)?;
            hasher.update(&buffer);
            at_bytes += length as u64;
        }
        Ok(hasher.finalize().into())
    }

    /// Hands out a record's bytes from the window, which moves forward as records are asked for in
    /// capture order.
    pub(super) fn with_window<T>(&self, place: Place, ask: impl FnOnce(&[u8]) -> T) -> Option<T> {
        let length = place.length_bytes as usize;
        let mut window = self.window.borrow_mut();
        let start = place.offset_bytes.checked_sub(window.offset_bytes);
        let start = start.and_then(|start| usize::try_from(start).ok());
        if let Some(bytes) =
            start.and_then(|start| window.bytes.get(start..start.checked_add(length)?))
        {
            return Some(ask(bytes));
        }
        let left = self
            .run
            .input()
            .length_bytes()
            .saturating_sub(place.offset_bytes);
        let wanted = (length.max(WINDOW_BYTES) as u64).min(left);
        window.bytes.resize(usize::try_from(wanted).ok()?, 0);
        window.offset_bytes = place.offset_bytes;
        let read = self
            .run
            .input()
            .read_exact_at(place.offset_bytes, &mut window.bytes);
        if read.is_err() {
            window.bytes.clear();
            return None;
        }
        window.bytes.get(..length).map(ask)
    }
}

/// Where in the capture a record's text stops being JSON, and why.
fn fault(seen: &Seen, place: Place, file: Option<&str>) -> Option<ReadFault> {
    let file = file.map(str::to_owned);
    let unreadable = seen.unreadable.as_ref()?;
    let at = unreadable.at?;
    if let Some(transport) = &seen.transport {
        // What is inside was decoded: it has no line and column of its own in the capture.
        let message = message_of(unreadable);
        return Some(ReadFault {
            file,
            line: place.line,
            column: 1,
            message: format!(
                "inside {}: {message}, at byte {} of what is inside",
                transport.path.join(" › "),
                at.offset_bytes + 1
            ),
        });
    }
    Some(ReadFault {
        file,
        line: place.line + at.lines_down,
        column: at.column,
        message: message_of(unreadable).to_owned(),
    })
}

fn message_of(unreadable: &Unreadable) -> &str {
    let message = unreadable.message.as_deref();
    message.unwrap_or("a byte that is not UTF-8")
}

/// Received-at, or else the event's own time; and whether it is that.
fn moments(seen: &Seen) -> (Option<Instant>, bool) {
    let parse = |text: &Option<String>| text.as_deref().and_then(Instant::parse);
    let received_at = parse(&seen.text.received_at);
    (
        received_at.or_else(|| parse(&seen.text.time)),
        received_at.is_none(),
    )
}

/// The record as a tree; nothing where it is no JSON, or too long to be shown.
fn tree(raw: &[u8]) -> Vec<TreeNode> {
    let text = std::str::from_utf8(raw)
        .ok()
        .filter(|text| text.len() <= SHOWN_BYTES);
    let Some(tree) = text.and_then(|text| Tree::new(text.to_owned()).ok()) else {
        return Vec::new();
    };
    let mut elements: Vec<usize> = Vec::new();
    (0..tree.len())
        .filter_map(|index| {
            let row = tree.row(index)?;
            let in_array = row
                .parent
                .and_then(|parent| tree.row(parent))
                .is_some_and(|parent| parent.kind == NodeKind::Array);
            elements.truncate(row.depth);
            elements.resize(row.depth + 1, 0);
            let ordinal = row
                .depth
                .checked_sub(1)
                .and_then(|above| elements.get_mut(above));
            let number = ordinal.map_or(0, |ordinal| {
                *ordinal += 1;
                *ordinal - 1
            });
            let is_container = matches!(row.kind, NodeKind::Object | NodeKind::Array);
            Some(TreeNode {
                depth: u16::try_from(row.depth).unwrap_or(u16::MAX),
                key: row
                    .key
                    .map(Cow::into_owned)
                    .or_else(|| in_array.then(|| number.to_string())),
                kind: kind(row.kind),
                text: if is_container {
                    String::new()
                } else {
                    row.raw.to_owned()
                },
                children: row.children,
                next: row.end,
            })
        })
        .collect()
}

fn kind(kind: NodeKind) -> TreeKind {
    match kind {
        NodeKind::Object => TreeKind::Object,
        NodeKind::Array => TreeKind::Array,
        NodeKind::String => TreeKind::String,
        NodeKind::Number => TreeKind::Number,
        NodeKind::True | NodeKind::False | NodeKind::Null => TreeKind::Literal,
    }
}
