//! The engine's door to the run so far and to earlier records' bytes.

use bumpalo::Bump;

use crate::capture::{
    Asked, CaptureError, Comparison, Files, Identity, Scratch, Taken, take_off_and_apart,
};
use crate::contract::Contract;
use crate::engine::Recall;
use crate::history::History;
use crate::model::{AggregateId, Body, Instant, OrderId, Outcome, RecordNo, StepNo, WordId};

/// Buffers that looking back needs, kept from one question to the next.
#[derive(Debug)]
pub(super) struct LookBack {
    one: Earlier,
    other: Earlier,
    comparison: Comparison,
    /// Made when two events first wait for one version.
    contents: Option<Box<Contents>>,
    /// Two records that were seen to have one identity and content: the next question about a repeat is
    /// always the second one.
    alike: Option<(RecordNo, RecordNo)>,
    asked: Asked,
}

/// An earlier record's bytes, kept because the next question is nearly always about the same one: a
/// key, then its content, then the next repeat.
#[derive(Debug, Default)]
struct Earlier {
    record: Option<RecordNo>,
    bytes: Vec<u8>,
}

/// Tells the hash of a record's content, which taking it apart gives only without versions.
#[derive(Debug)]
struct Contents {
    contract: Contract,
    scratch: Scratch,
}

impl Contents {
    fn new(contract: &Contract, asked: Asked) -> Self {
        let contract = Contract {
            version: None,
            ..contract.clone()
        };
        Self {
            scratch: Scratch::asking(&contract, asked),
            contract,
        }
    }

    fn hash(&mut self, bytes: &[u8]) -> u64 {
        // Nothing is allocated unless a wrapper is taken off.
        let arena = Bump::new();
        let taken = take_off_and_apart(bytes, None, &self.contract, &mut self.scratch, &arena);
        match taken {
            Taken::One(record) => match record.body {
                Body::Delivery(delivery) => delivery.content_hash,
                Body::Statement(_) | Body::Unreadable(_) => 0,
            },
            Taken::Many(_) => 0,
        }
    }
}

impl LookBack {
    pub(super) fn new(contract: &Contract, asked: Asked) -> Self {
        Self {
            one: Earlier::default(),
            other: Earlier::default(),
            comparison: Comparison::asking(contract, asked),
            contents: None,
            alike: None,
            asked,
        }
    }
}

/// Answers the engine from the history and the capture, and appends what it decides.
pub(super) struct Recorder<'a> {
    pub(super) history: &'a mut History,
    pub(super) input: &'a Files,
    pub(super) contract: &'a Contract,
    /// The chunk at hand, which most questions are about: where it begins, and its bytes.
    pub(super) chunk: (u64, &'a [u8]),
    pub(super) buffers: &'a mut LookBack,
    /// The aggregate that the record at hand is most likely about; its name is still compared.
    pub(super) likely: Option<AggregateId>,
    /// The first error while looking back. The run goes on, and the caller is told.
    pub(super) failed: Option<CaptureError>,
}

/// The bytes of a record: out of the chunk at hand, or read again.
fn bytes_of<'b>(
    history: &History,
    input: &Files,
    chunk: (u64, &'b [u8]),
    record: RecordNo,
    earlier: &'b mut Earlier,
) -> Result<&'b [u8], CaptureError> {
    let Some(place) = history.place(record) else {
        return Ok(&[]);
    };
    let length = place.length_bytes as usize;
    let in_chunk = place
        .offset_bytes
        .checked_sub(chunk.0)
        .and_then(|start| usize::try_from(start).ok());
    if let Some(bytes) = in_chunk.and_then(|start| chunk.1.get(start..start.checked_add(length)?)) {
        return Ok(bytes);
    }
    if earlier.record != Some(record) {
        earlier.record = None;
        earlier.bytes.resize(length, 0);
        input.read_exact_at(place.offset_bytes, &mut earlier.bytes)?;
        earlier.record = Some(record);
    }
    Ok(&earlier.bytes)
}

impl Recorder<'_> {
    /// Asks about two records' bytes. Bytes that cannot be read are alike in nothing.
    fn compare<T>(
        &mut self,
        one: RecordNo,
        other: RecordNo,
        ask: impl FnOnce(&mut Comparison, &[u8], &[u8], &Contract) -> T,
    ) -> Option<T> {
        let LookBack {
            one: buffer,
            other: other_buffer,
            comparison,
            ..
        } = &mut *self.buffers;
        let one = bytes_of(self.history, self.input, self.chunk, one, buffer);
        let other = bytes_of(self.history, self.input, self.chunk, other, other_buffer);
        match (one, other) {
            (Ok(one), Ok(other)) => Some(ask(comparison, one, other, self.contract)),
            (Err(error), _) | (_, Err(error)) => {
                self.failed.get_or_insert(error);
                None
            }
        }
    }
}

impl Recall for Recorder<'_> {
    fn aggregate(&mut self, source: &str, name: &str) -> AggregateId {
        self.history.intern_aggregate(source, name)
    }

    fn aggregate_hashed(&mut self, source: &str, name: &str, hash: u64) -> AggregateId {
        self.history.intern_likely(source, name, hash, self.likely)
    }

    fn order(&mut self, name: &str) -> OrderId {
        self.history.intern_order(name)
    }

    fn find_order(&self, name: &str) -> Option<OrderId> {
        self.history.find_order(name)
    }

    fn word(&mut self, word: &str) -> WordId {
        self.history.intern_word(word)
    }

    fn word_text(&self, word: WordId) -> &str {
        self.history.word(word)
    }

    fn name_of(&self, id: AggregateId) -> &str {
        self.history.name_of(id)
    }

    fn find_aggregate(&self, source: &str, name: &str) -> Option<AggregateId> {
        self.history.find_aggregate(source, name)
    }

    fn holder(&self, id: AggregateId, version: u64) -> Option<RecordNo> {
        self.history.holder(id, version)
    }

    fn last_applied(&self, id: AggregateId) -> Option<RecordNo> {
        self.history.last_applied(id)
    }

    fn event_time(&mut self, record: RecordNo) -> Option<Instant> {
        let LookBack {
            one: buffer,
            comparison,
            ..
        } = &mut *self.buffers;
        match bytes_of(self.history, self.input, self.chunk, record, buffer) {
            Ok(bytes) => comparison.event_time(bytes, self.contract),
            Err(error) => {
                self.failed.get_or_insert(error);
                None
            }
        }
    }

    fn same_key(&mut self, one: RecordNo, other: RecordNo) -> bool {
        let identity = self.compare(one, other, Comparison::same_key);
        if identity == Some(Identity::SameAndAlike) {
            self.buffers.alike = Some((one, other));
        }
        identity.is_some_and(|identity| identity != Identity::Other)
    }

    fn same_content(&mut self, one: RecordNo, other: RecordNo) -> bool {
        if self.buffers.alike == Some((one, other)) {
            return true;
        }
        let is_same = self.compare(one, other, Comparison::same_content);
        is_same.unwrap_or(false)
    }

    fn content_hash(&mut self, record: RecordNo) -> u64 {
        let LookBack {
            one: buffer,
            contents,
            asked,
            ..
        } = &mut *self.buffers;
        let contents = contents.get_or_insert_with(|| Contents::new(self.contract, *asked).into());
        match bytes_of(self.history, self.input, self.chunk, record, buffer) {
            Ok(bytes) => contents.hash(bytes),
            Err(error) => {
                self.failed.get_or_insert(error);
                0
            }
        }
    }

    fn refused(&self, id: AggregateId, version: u64, tell: &mut dyn FnMut(StepNo)) {
        self.history.refused(id, version).for_each(tell);
    }

    fn append(&mut self, outcome: &Outcome<'_>) -> StepNo {
        self.history.append(outcome)
    }
}
