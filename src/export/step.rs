//! One step as an object of the trace document; `jsonl` prints the same objects, one a line.

use std::io::{self, Write};

use super::document::Prefix;
use super::json::to;
use super::shape::{FindingShape, PositionShape, ProjectionShape, StepShape, TransportShape};
use crate::history::{History, Step};
use crate::model::{EventText, Kind, State, StepNo, Subject, Transport};

/// Writes one step's object.
pub fn write_step(prefix: &Prefix<'_>, number: StepNo, out: &mut dyn Write) -> io::Result<()> {
    let history = prefix.history;
    let Some(step) = history.step(number) else {
        return Ok(());
    };
    let seen = prefix.reader.facts(history, step.record);
    let is_told = prefix.reader.asked().conformance;
    let broken = seen
        .conformance
        .iter()
        .filter(|_| is_told)
        .map(|rule| rule.reason());
    let conformance: Vec<_> = broken.map(|rule| history.reason_name(rule)).collect();
    let shape = StepShape {
        attempt: seen
            .text
            .attempt
            .as_deref()
            .filter(|_| seen.transport.is_some()),
        transport: seen.transport.as_ref().map(transport),
        conformance: &conformance,
        ..shape(prefix, &step, &seen.text)
    };
    to(out, &shape)
}

fn transport(transport: &Transport) -> TransportShape<'_> {
    let position = PositionShape {
        channel: transport.channel.as_deref(),
        partition: transport.partition.as_deref(),
        offset: transport.offset.as_deref(),
    };
    let is_placed = [position.channel, position.partition, position.offset];
    TransportShape {
        wrap: &transport.path,
        position: is_placed.iter().any(Option::is_some).then_some(position),
        key: transport.key.as_deref(),
        remarks: &transport.remarks,
    }
}

fn shape<'a>(prefix: &Prefix<'a>, step: &Step<'_>, text: &'a EventText) -> StepShape<'a> {
    let history = prefix.history;
    let place = history.place(step.record);
    let is_repeat = step.state == State::Deferred;
    let is_review = step.state == State::ManualReview;
    StepShape {
        step: step.number.0,
        record: step.record.0,
        file: place.and_then(|place| prefix.reader.file_name(place)),
        line: place.map_or(0, |place| place.line),
        kind: step.kind.name(),
        released_by: step.released_by.map(|step| step.0),
        source: text.source.as_deref(),
        id: text.id.as_deref(),
        event_type: text.event_type.as_deref(),
        subject: text.subject.as_deref(),
        time: text.time.as_deref(),
        received_at: text.received_at.as_deref(),
        aggregate: text.aggregate.as_deref(),
        version: text.version,
        schema_version: text.schema_version,
        state: step.state.name(),
        reason: step.reason.map(|reason| history.reason_name(reason)),
        expected: expected(history, step),
        first: step.first.map(|record| record.0),
        deliveries: step.count.filter(|_| is_repeat),
        projection: projection(history, step),
        compensation_key: compensation_key(prefix, step),
        occurrences: step.count.filter(|_| is_review),
        findings: findings(step),
        attempt: None,
        transport: None,
        conformance: &[],
    }
}

fn findings(step: &Step<'_>) -> Vec<FindingShape> {
    let found = step.findings.iter();
    found
        .map(|finding| FindingShape {
            code: finding.code.name(),
            record: finding.record.map(|record| record.0),
        })
        .collect()
}

fn expected(history: &History, step: &Step<'_>) -> Option<u64> {
    match (step.state, step.subject) {
        (State::Deferred | State::DeferralLimitReached, Subject::Aggregate(id)) => {
            history.next_version(id, step.number)
        }
        _ => None,
    }
}

fn projection<'a>(history: &'a History, step: &Step<'_>) -> Option<ProjectionShape<'a>> {
    let Subject::Aggregate(id) = step.subject else {
        return None;
    };
    if !matches!(step.state, State::Applied | State::BaselineRecorded) {
        return None;
    }
    let projection = history.projection(id, step.number);
    Some(ProjectionShape {
        version: projection.version,
        state: history.word(projection.state?),
    })
}

fn compensation_key(prefix: &Prefix<'_>, step: &Step<'_>) -> Option<String> {
    let Subject::Order(order) = step.subject else {
        return None;
    };
    if step.kind != Kind::Refusal || step.state == State::Rejected {
        return None;
    }
    let contract = &prefix.reader.loaded().contract;
    Some(contract.compensation_key(prefix.history.order_name(order), step.version?))
}
