//! The trace document: every section is an as-of question to the history, written as it is answered.
//!
//! Steps and receipts are streamed, one object at a time, so that a capture of any size can be traced
//! without holding its document.

use std::io::{self, Write};

use serde::Serialize;

use super::json::to;
use super::shape::{
    AggregateShape, CaptureShape, CompensationShape, ContractShape, DeferredShape, EvidenceShape,
    FileShape, GapCauseShape, GateShape, OrderShape, ReceiptShape, ReviewShape,
};
use super::step::write_step;
use crate::engine::BaselinePolicy;
use crate::history::{History, Review, Standing};
use crate::model::{AggregateId, OrderId, State, StepNo};
use crate::session::{Facts, FileFacts, Reader};

/// A run as of one of its steps, with the bytes it was made from.
pub struct Prefix<'a> {
    /// The run.
    pub history: &'a History,
    /// The capture's bytes and the contract.
    pub reader: &'a Reader<'a>,
    /// The step that everything is told as of.
    pub at: StepNo,
    /// Steps that a person's mark has closed.
    pub closed: &'a dyn Fn(StepNo) -> bool,
}

impl<'a> Prefix<'a> {
    /// Writes the whole document (`trace --format json`).
    pub fn write_trace(&self, facts: &Facts, out: &mut dyn Write) -> io::Result<()> {
        self.begin(facts, out)?;
        write!(out, ",\n\"steps\": [")?;
        each(out, (1..=self.at.0).map(StepNo), |step, out| {
            write_step(self, step, out)
        })?;
        write!(out, "],\n\"counts\": ")?;
        self.write_counts(out)?;
        member(out, "evidence", &self.evidence_steps())?;
        member(out, "aggregates", &self.aggregates(|_| true))?;
        write!(out, ",\n\"receipts\": [")?;
        let receipts = (0..self.history.receipt_count(self.at))
            .filter_map(|index| self.history.receipt(index));
        each(out, receipts, |step, out| self.write_receipt(step, out))?;
        write!(out, "]")?;
        self.end(out)
    }

    /// Writes the summary (`check --format json`): no steps, no receipts, only aggregates that wait.
    pub fn write_summary(&self, facts: &Facts, out: &mut dyn Write) -> io::Result<()> {
        self.begin(facts, out)?;
        write!(out, ",\n\"counts\": ")?;
        self.write_counts(out)?;
        let counts = self.evidence_counts();
        member(
            out,
            "evidence",
            &EvidenceShape::Counts {
                open: counts.0,
                resolved: counts.1,
            },
        )?;
        let waits = |id| self.history.waiting_for(id, self.at).is_some();
        member(out, "aggregates", &self.aggregates(waits))?;
        self.end(out)
    }

    /// Open and resolved evidence, a person's closing marks counted as resolving.
    pub fn evidence_counts(&self) -> (usize, usize) {
        let counts = self.history.evidence_counts(self.at);
        let closed = self
            .history
            .open_evidence(self.at)
            .filter(|step| (self.closed)(*step))
            .count();
        (counts.open - closed, counts.resolved + closed)
    }

    fn begin(&self, facts: &Facts, out: &mut dyn Write) -> io::Result<()> {
        let loaded = self.reader.loaded();
        let sha256 = loaded.sha256_hex();
        write!(out, "{{\n\"capture\": ")?;
        to(
            out,
            &CaptureShape {
                path: &facts.path,
                sha256: &facts.sha256,
                bytes: facts.bytes,
                records: facts.records,
                format: &facts.format,
                compression: facts.compression.as_ref().map(|(how, _)| how.as_str()),
                decompressed_bytes: facts.compression.as_ref().map(|(_, bytes)| *bytes),
                noise_lines: (facts.noise_lines > 0).then_some(facts.noise_lines),
                from_the_end: facts.from_the_end,
                order: facts.by_position.then_some("position"),
                positioned_records: facts.positioned,
                newest_first: facts.newest_first,
                times_start_again: (facts.times_start_again > 0).then_some(facts.times_start_again),
                files: facts.files.iter().map(file).collect(),
            },
        )?;
        member(
            out,
            "contract",
            &ContractShape {
                name: &loaded.name,
                consumer: &loaded.contract.consumer,
                sha256: &sha256,
                origin: self.reader.origin_name(),
                baseline_policy: (self.reader.baseline() == BaselinePolicy::FirstSeen)
                    .then_some("first-seen"),
            },
        )
    }

    fn end(&self, out: &mut dyn Write) -> io::Result<()> {
        member(out, "orders", &self.orders())?;
        member(out, "compensations", &self.compensations())?;
        member(out, "reviews", &self.reviews())?;
        member(out, "gates", &self.gates())?;
        writeln!(out, "\n}}")
    }

    fn write_counts(&self, out: &mut dyn Write) -> io::Result<()> {
        let counts = self.history.state_counts(self.at);
        let mut named: Vec<(&str, u32)> = State::ALL
            .iter()
            .map(|state| state.name())
            .zip(counts)
            .filter(|(_, count)| *count > 0)
            .collect();
        named.sort_unstable();
        let map: serde_json::Map<String, serde_json::Value> = named
            .into_iter()
            .map(|(name, count)| (name.to_owned(), count.into()))
            .collect();
        to(out, &map)
    }

    fn evidence_steps(&self) -> EvidenceShape {
        let (mut open, mut resolved) = (Vec::new(), Vec::new());
        for step in self.history.open_evidence(self.at) {
            if (self.closed)(step) {
                &mut resolved
            } else {
                &mut open
            }
            .push(step.0);
        }
        resolved.extend(self.history.resolved_evidence(self.at).map(|step| step.0));
        resolved.sort_unstable();
        EvidenceShape::Steps { open, resolved }
    }

    fn aggregates(&self, wanted: impl Fn(AggregateId) -> bool) -> Vec<AggregateShape<'a>> {
        let history = self.history;
        let mut listed: Vec<AggregateId> = history
            .listed_aggregates(self.at)
            .filter(|id| wanted(*id))
            .collect();
        listed.sort_by(|a, b| {
            let key = |id: AggregateId| (history.source_of(id), history.name_of(id));
            key(*a).cmp(&key(*b))
        });
        listed.into_iter().map(|id| self.aggregate(id)).collect()
    }

    fn aggregate(&self, id: AggregateId) -> AggregateShape<'a> {
        let history = self.history;
        let projection = history.projection(id, self.at);
        let waiting_for = history.waiting_for(id, self.at);
        AggregateShape {
            source: history.source_of(id),
            aggregate: history.name_of(id),
            version: projection
                .version
                .filter(|_| projection.standing != Standing::Nothing),
            state: projection.state.map(|state| history.word(state)),
            assumed_baseline: projection.assumed,
            waiting_for,
            deferred: waiting_for.map(|_| self.deferred(id)),
            gap_causes: waiting_for.map(|_| self.gap_causes(id)),
        }
    }

    fn deferred(&self, id: AggregateId) -> Vec<DeferredShape> {
        let mut versions: Vec<DeferredShape> = Vec::new();
        for held in self.history.deferred(id, self.at) {
            match versions
                .last_mut()
                .filter(|last| last.version == held.version)
            {
                Some(last) => last.records.push(held.record.0),
                None => versions.push(DeferredShape {
                    version: held.version,
                    records: vec![held.record.0],
                }),
            }
        }
        versions
    }

    fn gap_causes(&self, id: AggregateId) -> Vec<GapCauseShape<'a>> {
        let history = self.history;
        let causes = history.gap_causes(id, self.at).into_iter();
        causes
            .map(|cause| GapCauseShape {
                record: cause.carrier.map(|carrier| carrier.record.0),
                cause: cause.cause.name(),
                state: cause.carrier.map(|carrier| carrier.state.name()),
                reason: cause
                    .carrier
                    .and_then(|carrier| carrier.reason)
                    .map(|reason| history.reason_name(reason)),
            })
            .collect()
    }

    fn write_receipt(&self, step: StepNo, out: &mut dyn Write) -> io::Result<()> {
        let Some(step) = self.history.step(step) else {
            return Ok(());
        };
        let contract = &self.reader.loaded().contract;
        let receipt = self.reader.receipt(self.history, step.record);
        let source = receipt.source.as_deref().unwrap_or("");
        let id = receipt.id.as_deref().unwrap_or("");
        let result =
            serde_json::value::RawValue::from_string(receipt.result).map_err(io::Error::other)?;
        to(
            out,
            &ReceiptShape {
                key: format!("{}:{source}:{id}", contract.consumer),
                source,
                id,
                record: step.record.0,
                input_schema_version: receipt.schema_version,
                result_version: contract.result_version,
                result: &result,
            },
        )
    }

    fn key(&self, order: OrderId, version: u64) -> String {
        let contract = &self.reader.loaded().contract;
        contract.compensation_key(self.history.order_name(order), version)
    }

    fn orders(&self) -> Vec<OrderShape<'a>> {
        let history = self.history;
        let known = history.known_orders(self.at);
        let mut orders: Vec<OrderShape<'a>> = known
            .filter_map(|id| {
                let now = history.owner_order(id, self.at)?;
                Some(OrderShape {
                    id: history.order_name(id),
                    status: history.word(now.status),
                    version: now.version,
                })
            })
            .collect();
        orders.sort_by_key(|order| order.id);
        orders
    }

    fn compensations(&self) -> Vec<CompensationShape<'a>> {
        let history = self.history;
        let recorded = history.compensations(self.at).iter();
        recorded
            .map(|compensation| CompensationShape {
                key: self.key(compensation.order, compensation.key_version),
                record: compensation.record.0,
                reason: history.word(compensation.reason),
                order: history.order_name(compensation.order),
                status: history.word(compensation.status),
                version: compensation.version,
            })
            .collect()
    }

    fn reviews(&self) -> Vec<ReviewShape<'a>> {
        let history = self.history;
        let mut reviews: Vec<Review> = history
            .orders()
            .flat_map(|id| history.reviews_of(id, self.at))
            .collect();
        let mut shapes: Vec<(&str, ReviewShape<'a>)> = reviews
            .drain(..)
            .map(|review| {
                let shape = ReviewShape {
                    key: self.key(review.order, review.key_version),
                    why: history.reason_name(review.why),
                    reason: history.word(review.reason),
                    occurrences: review.occurrences,
                };
                (history.order_name(review.order), shape)
            })
            .collect();
        shapes.sort_by(|(order_a, a), (order_b, b)| {
            (order_a, &a.key, a.why, a.reason).cmp(&(order_b, &b.key, b.why, b.reason))
        });
        shapes.into_iter().map(|(_, shape)| shape).collect()
    }

    fn gates(&self) -> Vec<GateShape<'a>> {
        let history = self.history;
        let Some(rule) = &history.terms().gate else {
            return Vec::new();
        };
        let known = history.known_orders(self.at);
        let mut gates: Vec<GateShape<'a>> = known
            .filter_map(|id| {
                let gate = history.gate(id, self.at)?;
                Some(GateShape {
                    aggregate: history.order_name(id),
                    action: &rule.action,
                    allowed: gate.reasons.is_empty(),
                    reasons: gate.reasons.iter().map(|reason| reason.name()).collect(),
                })
            })
            .collect();
        gates.sort_by_key(|gate| gate.aggregate);
        gates
    }
}

fn file(facts: &FileFacts) -> FileShape<'_> {
    FileShape {
        path: &facts.path,
        sha256: &facts.sha256,
        bytes: facts.bytes,
        format: facts.format,
        compression: facts.compression.map(|(how, _)| how),
        decompressed_bytes: facts.compression.map(|(_, bytes)| bytes),
    }
}

fn member(out: &mut dyn Write, name: &str, value: &impl Serialize) -> io::Result<()> {
    write!(out, ",\n\"{name}\": ")?;
    to(out, value)
}

/// Writes items with commas between them.
fn each<T>(
    out: &mut dyn Write,
    items: impl Iterator<Item = T>,
    mut write_one: impl FnMut(T, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    for (index, item) in items.enumerate() {
        out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        write_one(item, out)?;
    }
    Ok(())
}
