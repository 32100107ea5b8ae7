//! The stages that look at one delivery alone: addressee, envelope, schema, payload
//! (contract.md, "Processing").
//!
//! Pure: a record's nodes and the contract in, a verdict out. The verdict also says what it is about,
//! so that the screen shows the very field that decided and nobody works it out a second time.

use std::borrow::Cow;

use super::number;
use super::plan::{Places, Plan, ReadPlan};
use super::tape::{Doc, NodeKind};
use super::value;
use crate::contract::{Contract, JsonType, OtherTypes, Read, StateRule};
use crate::model::fold::fold;
use crate::model::{FindingCode, Passage, RecordFindings, reason};

/// How far a delivery gets by itself, and why no further.
#[derive(Clone, Debug)]
pub struct Verdict<'a> {
    /// The stage that refuses it, if one does.
    pub passage: Passage,
    /// The state it would bring, where the payload passes.
    pub state: Option<Cow<'a, str>>,
    /// What was found on the way.
    pub findings: RecordFindings,
    /// What the refusal is about.
    pub about: Option<About>,
}

/// What a refusal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// The wrapper's `consumer`.
    Consumer,
    /// A required attribute, by its index in the contract.
    Attribute(usize),
    /// `specversion`
    ContextVersion,
    /// `source`
    Source,
    /// The schema version.
    SchemaVersion,
    /// `type`
    EventType,
    /// The aggregate's id.
    Aggregate,
    /// The version.
    Version,
    /// A read, by the indexes of its rule and of itself in it.
    Read(usize, usize),
    /// The state's source, by the index of its rule.
    State(usize),
}

/// One event with all that is needed to look at it.
#[derive(Clone, Copy)]
pub struct Subject<'a, 't> {
    /// The record.
    pub doc: Doc<'a, 't>,
    /// Where the contract looks.
    pub plan: &'t Plan,
    /// What stands there.
    pub places: &'t Places,
    /// The contract.
    pub contract: &'t Contract,
}

/// What several stages ask an event, read once.
#[derive(Clone, Debug)]
pub struct Facts<'a> {
    /// The decoded source, empty or not.
    pub source: Option<Cow<'a, str>>,
    /// See [`Subject::schema_version`].
    pub schema_version: Option<i64>,
    /// See [`Subject::aggregate`].
    pub aggregate: Option<Cow<'a, str>>,
    /// See [`Subject::version`].
    pub version: Option<u64>,
}

impl<'a> Facts<'a> {
    /// Reads them.
    pub fn of(event: Subject<'a, '_>) -> Self {
        Self {
            source: event.string(event.plan.source),
            schema_version: event.schema_version(),
            aggregate: event.aggregate(),
            version: event.version(),
        }
    }
}

/// Judges a delivery; `consumer` is the wrapper's member, if it has one.
pub fn judge<'a>(
    event: Subject<'a, '_>,
    facts: &Facts<'a>,
    consumer: Option<usize>,
) -> Verdict<'a> {
    let mut findings = RecordFindings::default();
    let addressee = consumer.and_then(|consumer| event.doc.string(consumer));
    if addressee.is_some_and(|addressee| *addressee != *event.contract.consumer) {
        return refused(Passage::OtherConsumer, About::Consumer, findings);
    }
    if let Some((passage, about)) = envelope(event, facts, &mut findings) {
        return refused(passage, about, findings);
    }
    if schema_disagrees(event, facts) {
        findings.add(FindingCode::DataschemaMismatch);
    }
    if let Some(version) = facts.schema_version
        && !event.contract.accepts_schema(version)
    {
        return refused(Passage::SchemaNotAccepted, About::SchemaVersion, findings);
    }
    match payload(event, facts) {
        Err((passage, about)) => refused(passage, about, findings),
        Ok(passed) => {
            payload_findings(event, facts, passed.default_used, &mut findings);
            Verdict {
                passage: Passage::Whole,
                state: Some(passed.state),
                findings,
                about: None,
            }
        }
    }
}

fn refused<'a>(passage: Passage, about: About, findings: RecordFindings) -> Verdict<'a> {
    Verdict {
        passage,
        state: None,
        findings,
        about: Some(about),
    }
}

impl<'a> Subject<'a, '_> {
    /// The decoded string at a slot, empty or not.
    pub fn string(self, slot: usize) -> Option<Cow<'a, str>> {
        self.doc.string(self.places.get(slot)?)
    }

    /// The number's spelling at a slot.
    fn number(self, slot: usize) -> Option<&'a str> {
        let index = self.places.get(slot)?;
        self.doc
            .is(index, NodeKind::Number)
            .then(|| self.doc.raw(index))
    }

    /// The value at a slot, where null is the same as absent.
    fn not_null(self, slot: usize) -> Option<usize> {
        let index = self.places.get(slot)?;
        (!self.doc.is(index, NodeKind::Null)).then_some(index)
    }

    /// The schema version, where the contract has one and it is an integer within 64 bits, signed.
    pub fn schema_version(self) -> Option<i64> {
        self.number(self.plan.schema_version?)
            .and_then(number::signed)
    }

    /// The version, where the contract has one and it is an integer in 0 … 2^64 − 1.
    pub fn version(self) -> Option<u64> {
        self.number(self.plan.version?).and_then(number::unsigned)
    }

    /// The aggregate's id: a non-empty string, or the contract's default for an absent one.
    pub fn aggregate(self) -> Option<Cow<'a, str>> {
        match self.not_null(self.plan.aggregate) {
            Some(index) => self.doc.string(index).filter(|id| !id.is_empty()),
            None => self.contract.aggregate.default.clone().map(Cow::Owned),
        }
    }
}

fn is_filled_string(doc: Doc<'_, '_>, index: usize) -> bool {
    doc.node(index)
        .is_some_and(|node| node.kind == NodeKind::String && !doc.string_bytes(node).is_empty())
}

fn envelope(
    event: Subject<'_, '_>,
    facts: &Facts<'_>,
    findings: &mut RecordFindings,
) -> Option<(Passage, About)> {
    let Subject {
        doc,
        plan,
        places,
        contract,
    } = event;
    let required = contract.required.iter().zip(&plan.required);
    for (index, (attribute, slot)) in required.enumerate() {
        let filled = places
            .get(*slot)
            .is_some_and(|found| is_filled_string(doc, found));
        if !filled {
            let passage = Passage::EnvelopeRejected(attribute.missing);
            return Some((passage, About::Attribute(index)));
        }
    }
    let is_version_one = places
        .get(plan.specversion)
        .and_then(|found| doc.node(found))
        .is_some_and(|node| node.kind == NodeKind::String && doc.string_is(node, "1.0"));
    if !is_version_one {
        let passage = Passage::EnvelopeRejected(reason::UNSUPPORTED_CONTEXT_VERSION);
        return Some((passage, About::ContextVersion));
    }
    let source = facts.source.as_deref().unwrap_or_default();
    if !contract.within_boundary(source) {
        let folded = fold(source);
        let inside = contract
            .boundary
            .sources
            .iter()
            .any(|prefix| folded.starts_with(&*fold(prefix)));
        if inside {
            findings.add(FindingCode::SourceDiffersOnlyByCase);
        }
        let passage = Passage::EnvelopeRejected(contract.outside_boundary);
        return Some((passage, About::Source));
    }
    if let Some(rule) = &contract.schema_version
        && facts.schema_version.is_none()
    {
        let passage = Passage::EnvelopeRejected(rule.missing);
        return Some((passage, About::SchemaVersion));
    }
    None
}

/// Whether dataschema ends in a number that is not the schema version: the part after its last
/// slash, all ASCII digits, compared as a number of any length.
fn schema_disagrees(event: Subject<'_, '_>, facts: &Facts<'_>) -> bool {
    let Some(version) = facts.schema_version else {
        return false;
    };
    let Some(dataschema) = event.string(event.plan.dataschema) else {
        return false;
    };
    // From a byte to a byte: looking for a character from the end is slow.
    let slash = dataschema.bytes().rposition(|byte| byte == b'/');
    let Some(last) = slash.and_then(|slash| dataschema.get(slash + 1..)) else {
        return false;
    };
    if last.is_empty() || !last.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    // Digits that no version has room for are another number than any version.
    last.parse() != Ok(version)
}

struct Passed<'a> {
    state: Cow<'a, str>,
    default_used: bool,
}

fn payload<'a>(event: Subject<'a, '_>, facts: &Facts<'a>) -> Result<Passed<'a>, (Passage, About)> {
    let Subject { plan, contract, .. } = event;
    let event_type = event.string(plan.event_type).unwrap_or_default();
    let rule = contract
        .events
        .iter()
        .position(|rule| rule.pattern.matches(&event_type));
    let found = rule.and_then(|at| Some((at, contract.events.get(at)?, plan.events.get(at)?)));
    let Some((at, rule, rule_plan)) = found else {
        let passage = match contract.other_types {
            OtherTypes::Refuse => Passage::PayloadUnknown(reason::UNKNOWN_EVENT_TYPE),
            OtherTypes::Ignore => Passage::TypeIgnored,
        };
        return Err((passage, About::EventType));
    };
    if facts.aggregate.is_none() {
        let passage = Passage::PayloadRejected(contract.aggregate.missing);
        return Err((passage, About::Aggregate));
    }
    version(event, facts)?;
    let mut default_used = false;
    for (index, (field, field_plan)) in rule.reads.iter().zip(&rule_plan.reads).enumerate() {
        match read_field(event, field, field_plan) {
            Ok(by_default) => default_used |= by_default,
            Err(passage) => return Err((passage, About::Read(at, index))),
        }
    }
    let state = state(event, &rule.state, rule_plan.state)
        .map_err(|passage| (passage, About::State(at)))?;
    Ok(Passed {
        state,
        default_used,
    })
}

fn version(event: Subject<'_, '_>, facts: &Facts<'_>) -> Result<(), (Passage, About)> {
    let (Some(rule), Some(slot)) = (&event.contract.version, event.plan.version) else {
        return Ok(());
    };
    let reason = if event.not_null(slot).is_none() {
        rule.missing
    } else if facts.version.is_none_or(|version| version < rule.first) {
        rule.invalid
    } else {
        return Ok(());
    };
    Err((Passage::PayloadRejected(reason), About::Version))
}

/// Whether the field's declared default stood in.
fn read_field(event: Subject<'_, '_>, field: &Read, plan: &ReadPlan) -> Result<bool, Passage> {
    let Some(index) = event.places.get(plan.slot) else {
        return match field.default {
            Some(_) => Ok(true),
            None => Err(Passage::PayloadRejected(field.missing)),
        };
    };
    let understood = field.types.is_empty()
        || field
            .types
            .iter()
            .any(|wanted| is_of_type(event.doc, index, *wanted));
    if !understood {
        return Err(Passage::PayloadUnknown(field.unexpected_type));
    }
    let known = plan.values.as_ref().is_none_or(|values| {
        values
            .iter()
            .any(|declared| value::equal(event.doc, index, declared.doc(), Doc::ROOT))
    });
    if !known {
        return Err(Passage::PayloadUnknown(field.unknown_value));
    }
    Ok(false)
}

/// Whether a value is of a contract's type; any integral number is an integer, and every integer a
/// number.
pub fn is_of_type(doc: Doc<'_, '_>, index: usize, wanted: JsonType) -> bool {
    match (doc.kind(index), wanted) {
        (Some(NodeKind::Number), JsonType::Integer) => number::normal(doc.raw(index)).is_integral(),
        (Some(NodeKind::String), JsonType::String)
        | (Some(NodeKind::Number), JsonType::Number)
        | (Some(NodeKind::True | NodeKind::False), JsonType::Boolean)
        | (Some(NodeKind::Object), JsonType::Object)
        | (Some(NodeKind::Array), JsonType::Array)
        | (Some(NodeKind::Null), JsonType::Null) => true,
        _ => false,
    }
}

fn state<'a>(
    event: Subject<'a, '_>,
    rule: &StateRule,
    slot: Option<usize>,
) -> Result<Cow<'a, str>, Passage> {
    match rule {
        StateRule::Is(state) => Ok(Cow::Owned(state.clone())),
        StateRule::From {
            values, unknown, ..
        } => {
            let unknown = Passage::PayloadUnknown(*unknown);
            let word = slot
                .and_then(|slot| event.string(slot))
                .filter(|word| !word.is_empty())
                .ok_or(unknown)?;
            let Some(values) = values else {
                return Ok(word);
            };
            let (from, to) = values
                .iter()
                .find(|(from, _)| **from == *word)
                .ok_or(unknown)?;
            // Most states are called what the payload calls them: nothing is copied then.
            Ok(if from == to {
                word
            } else {
                Cow::Owned(to.clone())
            })
        }
    }
}

/// The largest integer below which a double can tell all integers apart.
const DOUBLE_MAX: u64 = (1 << 53) - 1;

fn payload_findings(
    event: Subject<'_, '_>,
    facts: &Facts<'_>,
    default_used: bool,
    findings: &mut RecordFindings,
) {
    if default_used {
        findings.add(FindingCode::DefaultUsed);
    }
    if facts.version.is_some_and(|version| version > DOUBLE_MAX) {
        findings.add(FindingCode::VersionBeyondDouble);
    }
    let read_from_subject = event.plan.aggregate == event.plan.subject;
    if let (Some(found), Some(aggregate), false) = (
        event.places.get(event.plan.subject),
        facts.aggregate.as_deref(),
        read_from_subject,
    ) && let Some(subject) = event.doc.node(found)
        && subject.kind == NodeKind::String
        && !event.doc.string_is(subject, aggregate)
    {
        findings.add(FindingCode::SubjectMismatch);
    }
}
