//! What the trace and the screen show of one record, from its bytes and with the same reader.
//!
//! The run keeps no payloads: whoever looks at a record reads it again. Nothing here is made safe for
//! a terminal; the text room does that for everything that is shown.

use std::borrow::Cow;

use bumpalo::Bump;

use super::conformance;
use super::json::{Fault, MAX_DEPTH, read};
use super::judge::{About, Facts, Subject, judge};
use super::shape::{Shape, shape};
use super::statement::statement;
use super::take::{MAX_RECORD_BYTES, Scratch, may_be_wrapped, refused_text};
use super::tape::Doc;
use super::twice;
use super::unwrap::{self, Around, Asked, Opened};
use crate::contract::{Contract, EventRule, StateRule};
use crate::model::{EventText, Instant, Kind, Passage, ReasonId, Rule, Transport, reason};

/// What can be read of a record, whatever becomes of it (cli.md, "The trace document").
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Delivery, order, refusal or baseline; `None` for an unreadable record.
    pub kind: Option<Kind>,
    /// Everything that is text or a number whatever became of it.
    pub text: EventText,
    /// The fields that the event's rule reads, as found and with defaults filled in, as JSON text in
    /// the contract's order; what is absent without a default is left out.
    pub reads: Vec<(String, String)>,
    /// What a refusal by the record alone is about.
    pub refused: Option<Refused>,
    /// Why it is unreadable.
    pub unreadable: Option<Unreadable>,
    /// What it breaks of the CloudEvents specification.
    pub conformance: Vec<Rule>,
    /// What its wrappers say, where it has any.
    pub transport: Option<Transport>,
    /// What is inside the wrappers; all that is said here is then about that text.
    pub inner: Option<Vec<u8>>,
}

/// What a remark speaks of that tells why nothing is inside a wrapper, rather than of times and order.
const ABOUT_WHAT_IS_INSIDE: [&str; 8] = [
    "payload",
    "value",
    "body",
    "event",
    "pieces",
    "results",
    "packed",
    "template:",
];

impl Look {
    /// What the reader or else the wrapper says of why the record is unreadable.
    pub fn in_words(&self) -> Option<&str> {
        let message = self.unreadable.as_ref()?.message.as_deref();
        message.or_else(|| self.why())
    }

    /// What the wrapper says of why nothing could be read inside it, where that is so.
    pub fn why(&self) -> Option<&'static str> {
        let unreadable = self.unreadable.as_ref()?;
        if !matches!(
            unreadable.reason,
            reason::NO_PAYLOAD
                | reason::PAYLOAD_NOT_DECODED
                | reason::PAYLOAD_TRUNCATED
                | reason::TEMPLATE_MISMATCH
        ) {
            return None;
        }
        let is_why = |remark: &&str| {
            let mut words = ABOUT_WHAT_IS_INSIDE.iter();
            words.any(|word| remark.contains(word)) && !remark.contains("headers")
        };
        // What decided is noted last.
        let remarks = self.transport.as_ref()?.remarks.iter().copied();
        remarks.rev().find(is_why)
    }
}

/// What a refusal is about: which field, what is there, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The stage's verdict.
    pub passage: Passage,
    /// A JSON pointer into the event, or into the wrapper for its consumer.
    pub pointer: String,
    /// The value found there, as it is spelled in JSON.
    pub found: Option<String>,
}

/// Why a record is unreadable, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The reason in the trace document.
    pub reason: ReasonId,
    /// What the reader says, in words: where the text is no JSON, and of a name that stands twice.
    pub message: Option<Cow<'static, str>>,
    /// Where it says it; also for the first byte that is no UTF-8.
    pub at: Option<Position>,
}

/// A place inside a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Bytes from the record's start.
    pub offset_bytes: usize,
    /// Line ends before it: added to the record's own line it is the line in the capture.
    pub lines_down: u64,
    /// Characters before it on its line, plus one; on the record's first line they are counted from
    /// the record's start.
    pub column: u64,
}

impl Position {
    /// The position of a byte.
    pub fn of(bytes: &[u8], offset_bytes: usize) -> Self {
        let before = bytes.get(..offset_bytes).unwrap_or(bytes);
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        let line = before.get(line_start..).unwrap_or_default();
        // Every byte that does not continue a character begins one.
        let characters = line.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        Self {
            offset_bytes,
            lines_down: memchr::memchr_iter(b'\n', before).count() as u64,
            column: characters as u64 + 1,
        }
    }
}

/// Looks at a record, its wrappers off. `scratch` must have been made for this contract.
pub fn look(bytes: &[u8], contract: &Contract, scratch: &mut Scratch) -> Look {
    let is_forced = scratch.asked.always_opens();
    let bare = (!is_forced).then(|| look_bare(bytes, contract, scratch));
    let may_be_wrapped = bare.as_ref().is_none_or(|look| {
        let why = look.unreadable.as_ref();
        why.is_some_and(|why| may_be_wrapped(why.reason, bytes))
    });
    let wrapped = may_be_wrapped.then(|| look_inside(bytes, contract, scratch));
    let found = wrapped.flatten().or(bare);
    found.unwrap_or_else(|| look_bare(bytes, contract, scratch))
}

/// Looks at what is inside a record's wrappers, where it has any.
fn look_inside(bytes: &[u8], contract: &Contract, scratch: &mut Scratch) -> Option<Look> {
    if bytes.len() > MAX_RECORD_BYTES {
        return None;
    }
    let arena = Bump::new();
    let asked = Asked {
        facts: true,
        ..scratch.asked
    };
    let Opened::One(unwrapped) = unwrap::open(bytes, asked, &mut scratch.room, &arena) else {
        return None;
    };
    let mut seen = match unwrapped.inner {
        Ok(inner) => Look {
            inner: Some(inner.to_vec()),
            ..look_bare(inner, contract, scratch)
        },
        Err(why) => unreadable(why, None, None),
    };
    let around = unwrapped.around;
    let text = &mut seen.text;
    // The event's own word counts before its wrappers', as it does for the engine.
    let own = text.received_at.as_deref().and_then(Instant::parse);
    if own.is_none()
        && let Some(received_at) = around.received_at()
    {
        text.received_at = Some(received_at.rfc3339());
    }
    if text.attempt.is_none() {
        text.attempt = around.attempt.map(str::to_owned);
    }
    seen.transport = Some(transport(around));
    Some(seen)
}

fn transport(around: Around<'_>) -> Transport {
    let headers = around.headers.into_iter();
    Transport {
        path: around.path.names().to_vec(),
        channel: around.channel.map(owned),
        partition: around.partition.map(owned),
        offset: around.offset.map(owned),
        key: around.key.map(owned),
        headers: headers
            .map(|(name, value)| (owned(name), value.map(owned)))
            .collect(),
        remarks: around.remarks,
    }
}

fn look_bare(bytes: &[u8], contract: &Contract, scratch: &mut Scratch) -> Look {
    if bytes.len() > MAX_RECORD_BYTES {
        return unreadable(reason::TOO_LONG, None, None);
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = Position::of(bytes, error.valid_up_to());
            return unreadable(reason::NOT_UTF8, None, Some(at));
        }
    };
    let Scratch {
        plan,
        nodes,
        places,
        asked,
        ..
    } = scratch;
    if let Err(Fault { kind, offset_bytes }) = read(text, MAX_DEPTH, nodes) {
        let at = Position::of(bytes, offset_bytes);
        let message = Some(kind.message().into());
        return unreadable(refused_text(text), message, Some(at));
    }
    let doc = Doc::new(text, nodes);
    match shape(doc, plan, places) {
        Err(reason::DUPLICATE_KEY) => {
            let second = twice::second(doc);
            let message = second.map(|key| twice::message(doc, key).into());
            let at = second.map(|key| Position::of(bytes, key.start as usize));
            unreadable(reason::DUPLICATE_KEY, message, at)
        }
        Err(reason) => unreadable(reason, None, None),
        Ok(shape) => {
            let event = Subject {
                doc,
                plan,
                places,
                contract,
            };
            readable(event, shape, asked.strict)
        }
    }
}

fn unreadable(reason: ReasonId, message: Option<Cow<'static, str>>, at: Option<Position>) -> Look {
    Look {
        unreadable: Some(Unreadable {
            reason,
            message,
            at,
        }),
        ..Look::default()
    }
}

fn readable(event: Subject<'_, '_>, shape: Shape, is_strict: bool) -> Look {
    let doc = event.doc;
    let string = |index: Option<usize>| index.and_then(|index| doc.string(index)).map(owned);
    let around = EventText {
        received_at: string(shape.wrapper.received_at),
        consumer: string(shape.wrapper.consumer),
        note: string(shape.wrapper.note),
        attempt: shape
            .wrapper
            .attempt
            .map(|attempt| doc.raw(attempt).to_owned()),
        ..EventText::default()
    };
    if shape.kind != Kind::Delivery {
        let statement = statement(doc, shape.kind, shape.body);
        return Look {
            kind: Some(shape.kind),
            text: EventText {
                source: statement.source.map(owned),
                aggregate: statement.aggregate.map(owned),
                version: statement.version,
                ..around
            },
            ..Look::default()
        };
    }
    let broken = conformance::broken(doc, shape.body);
    let strictly = broken.iter().find(|rule| is_strict && rule.is_must());
    let strictly = strictly.map(|rule| Refused {
        passage: Passage::EnvelopeRejected(rule.reason()),
        pointer: String::new(),
        found: None,
    });
    let refused = refused(event, shape);
    let comes_first = |refused: &Refused| {
        matches!(
            refused.passage,
            Passage::OtherConsumer | Passage::EnvelopeRejected(_)
        )
    };
    let refused = match strictly {
        Some(strictly) if !refused.as_ref().is_some_and(comes_first) => Some(strictly),
        _ => refused,
    };
    let plan = event.plan;
    let at = |slot: usize| event.string(slot).map(owned);
    Look {
        kind: Some(shape.kind),
        text: EventText {
            source: at(plan.source),
            id: at(plan.id),
            event_type: at(plan.event_type),
            subject: at(plan.subject),
            time: at(plan.time),
            schema_version: event.schema_version(),
            aggregate: event.aggregate().map(owned),
            version: event.version(),
            ..around
        },
        reads: reads(event),
        refused,
        conformance: broken,
        ..Look::default()
    }
}

fn owned(text: Cow<'_, str>) -> String {
    text.into_owned()
}

/// The first rule for the event's type, with its index.
fn rule<'t>(event: Subject<'_, 't>) -> Option<(usize, &'t EventRule)> {
    let event_type = event.string(event.plan.event_type)?;
    event
        .contract
        .events
        .iter()
        .enumerate()
        .find(|(_, rule)| rule.pattern.matches(&event_type))
}

fn reads(event: Subject<'_, '_>) -> Vec<(String, String)> {
    let Some((at, rule)) = rule(event) else {
        return Vec::new();
    };
    let Some(plan) = event.plan.events.get(at) else {
        return Vec::new();
    };
    rule.reads
        .iter()
        .zip(&plan.reads)
        .filter_map(|(field, plan)| {
            let json = match event.places.get(plan.slot) {
                Some(found) => event.doc.raw(found).to_owned(),
                None => field.default.as_ref()?.json.to_string(),
            };
            Some((field.name.clone(), json))
        })
        .collect()
}

fn refused(event: Subject<'_, '_>, shape: Shape) -> Option<Refused> {
    let verdict = judge(event, &Facts::of(event), shape.wrapper.consumer);
    let about = verdict.about?;
    let pointer = pointer(event.contract, about);
    let found = if about == About::Consumer {
        shape.wrapper.consumer
    } else {
        slot(event, about).and_then(|slot| event.places.get(slot))
    };
    Some(Refused {
        passage: verdict.passage,
        pointer: pointer.unwrap_or_default(),
        found: found.map(|found| event.doc.raw(found).to_owned()),
    })
}

fn slot(event: Subject<'_, '_>, about: About) -> Option<usize> {
    let plan = event.plan;
    match about {
        About::Consumer => None,
        About::Attribute(index) => plan.required.get(index).copied(),
        About::ContextVersion => Some(plan.specversion),
        About::Source => Some(plan.source),
        About::SchemaVersion => plan.schema_version,
        About::EventType => Some(plan.event_type),
        About::Aggregate => Some(plan.aggregate),
        About::Version => plan.version,
        About::Read(rule, index) => Some(plan.events.get(rule)?.reads.get(index)?.slot),
        About::State(rule) => plan.events.get(rule)?.state,
    }
}

fn pointer(contract: &Contract, about: About) -> Option<String> {
    Some(match about {
        About::Consumer => "/consumer".to_owned(),
        About::Attribute(index) => format!("/{}", contract.required.get(index)?.name),
        About::ContextVersion => "/specversion".to_owned(),
        About::Source => "/source".to_owned(),
        About::SchemaVersion => contract.schema_version.as_ref()?.pointer.text.clone(),
        About::EventType => "/type".to_owned(),
        About::Aggregate => contract.aggregate.pointer.text.clone(),
        About::Version => contract.version.as_ref()?.pointer.text.clone(),
        About::Read(rule, index) => {
            let rule = contract.events.get(rule)?;
            rule.reads.get(index)?.pointer.text.clone()
        }
        About::State(rule) => match &contract.events.get(rule)?.state {
            StateRule::From { pointer, .. } => pointer.text.clone(),
            StateRule::Is(_) => return None,
        },
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn contract() -> Contract {
        let text = include_str!("../../samples/contracts/consistency.json");
        Contract::from_bytes(text.as_bytes()).unwrap()
    }

    fn look_at(text: &str) -> Look {
        let contract = contract();
        look(text.as_bytes(), &contract, &mut Scratch::new(&contract))
    }

    #[test]
    fn all_that_can_be_read_is_there() {
        let seen = look_at(
            r#"{"receivedAt":"soon","attempt":2.0,"note":"n","consumer":"x@1","event":{"specversion":"1.0","id":"a","source":"urn:checkout:orders","type":"com.example.order.status.changed","subject":"s\u0041","time":"t","data":{"schemaVersion":1.0,"orderId":"o","orderVersion":2e0,"status":5}}}"#,
        );
        assert_eq!(seen.kind, Some(Kind::Delivery));
        assert_eq!(seen.text.subject.as_deref(), Some("sA"));
        assert_eq!(seen.text.received_at.as_deref(), Some("soon"));
        assert_eq!(seen.text.attempt.as_deref(), Some("2.0"));
        assert_eq!(
            (seen.text.schema_version, seen.text.version),
            (Some(1), Some(2))
        );
        assert_eq!(
            seen.reads,
            [
                ("orderId".to_owned(), "\"o\"".to_owned()),
                ("status".to_owned(), "5".to_owned())
            ]
        );
        let refused = seen.refused.unwrap();
        assert_eq!(refused.passage, Passage::OtherConsumer);
        assert_eq!(refused.found.as_deref(), Some("\"x@1\""));
    }

    #[test]
    fn a_refusal_names_its_field_and_what_is_there() {
        let seen = look_at(
            r#"{"specversion":"1.0","id":"a","source":"urn:checkout:orders","type":"com.example.order.status.changed","subject":"s","data":{"schemaVersion":1,"orderId":"o","orderVersion":2,"status":5}}"#,
        );
        let refused = seen.refused.unwrap();
        assert_eq!(refused.pointer, "/data/status");
        assert_eq!(refused.found.as_deref(), Some("5"));
    }

    #[test]
    fn a_fault_has_its_line_and_column() {
        let seen = look_at("{\n \"é\": nope\n}");
        let unreadable = seen.unreadable.unwrap();
        assert_eq!(unreadable.reason, reason::MALFORMED_JSON);
        assert_eq!(
            unreadable.message.as_deref(),
            Some("a value is expected here")
        );
        let at = unreadable.at.unwrap();
        assert_eq!((at.lines_down, at.column, at.offset_bytes), (1, 7, 9));
    }

    #[test]
    fn statements_show_their_members() {
        let seen = look_at(r#"{"refusal":{"orderId":"o","orderVersion":3},"receivedAt":"t"}"#);
        assert_eq!(seen.kind, Some(Kind::Refusal));
        assert_eq!(
            (seen.text.aggregate.as_deref(), seen.text.version),
            (Some("o"), Some(3))
        );
        assert_eq!(seen.text.received_at.as_deref(), Some("t"));
    }
}
