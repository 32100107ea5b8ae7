//! Gathers a report, once, from the history, the capture and the case.
//!
//! The case comes in as plain values: this room does not know the one that keeps it.

use std::collections::{BTreeMap, BTreeSet};

use super::super::document::Prefix;
use super::item::{bounded, item, waiting};
use super::model::{
    Capture, CaseFile, Contract, Count, Evidence, FindingCount, Gate, Gates, Listed, Marked,
    Missing, OpenGroup, Payload, Remark, Report, Stand, Waiting,
};
use super::timeline::timeline;
use super::{OPEN_LISTED, OTHERS_LISTED};
use crate::engine::BaselinePolicy;
use crate::history::{Step, evidence_name};
use crate::model::finding::{FindingCode, Severity};
use crate::model::{AggregateId, ReasonId, RecordNo, State, StepNo};
use crate::session::Facts;

/// Version of the report's shape.
const SHAPE: u32 = 1;

/// What the caller decides.
#[derive(Clone, Debug)]
pub struct Options {
    /// When the report is made: UTC, RFC 3339.
    pub made_at: String,
    /// Version of the program.
    pub tool: String,
    /// Whether payload values are shown.
    pub include_payload: bool,
}

/// A case, as plain values.
#[derive(Clone, Debug)]
pub struct CaseInput {
    /// The file and what verifying it came to.
    pub file: CaseFile,
    /// The marks that stand, in order.
    pub marks: Vec<MarkInput>,
    /// Comments, baselines and closings, in order.
    pub remarks: Vec<RemarkInput>,
}

/// One mark.
#[derive(Clone, Debug)]
pub struct MarkInput {
    /// Its entry.
    pub entry: u64,
    /// What it is about.
    pub place: MarkPlace,
    /// The disposition, by name.
    pub disposition: &'static str,
    /// The disposition, in words.
    pub label: &'static str,
    /// The operator's note.
    pub note: String,
    /// The operator.
    pub operator: String,
    /// When.
    pub time: String,
    /// How what it was made on differs from what is read now, in words.
    pub stale: Vec<&'static str>,
}

/// What a mark is about.
#[derive(Clone, Debug)]
pub enum MarkPlace {
    /// A record's delivery, or its replay.
    Record {
        /// The record.
        record: RecordNo,
        /// Whether its replay is meant.
        replay: bool,
        /// What it had come to.
        state: State,
        /// Why.
        reason: Option<String>,
    },
    /// A version that is not there.
    Missing {
        /// The aggregate's source.
        source: String,
        /// Its id.
        aggregate: String,
        /// The version.
        version: u64,
    },
    /// The capture as a whole.
    Capture,
}

/// One remark; its fields are those of [`Remark`].
pub type RemarkInput = Remark;

/// Gathers a report as of the prefix's step.
pub fn gather(
    prefix: &Prefix<'_>,
    facts: &Facts,
    case: Option<&CaseInput>,
    options: &Options,
) -> Report {
    let marks = case.map_or(&[][..], |case| case.marks.as_slice());
    let marked: BTreeSet<StepNo> = marks
        .iter()
        .filter_map(|mark| step_of(prefix, &mark.place))
        .collect();
    let (open, closed): (Vec<StepNo>, Vec<StepNo>) = prefix
        .history
        .open_evidence(prefix.at)
        .partition(|step| !(prefix.closed)(*step));
    let loaded = prefix.reader.loaded();
    let mut report = Report {
        report: SHAPE,
        made_at: options.made_at.clone(),
        tool: options.tool.clone(),
        capture: Capture {
            path: bounded(&facts.path),
            sha256: facts.sha256.clone(),
            bytes: facts.bytes,
            records: facts.records,
            format: facts.format_text(),
        },
        contract: Contract {
            name: bounded(&loaded.name),
            consumer: bounded(&loaded.contract.consumer),
            sha256: loaded.sha256_hex(),
            origin: prefix.reader.origin_name(),
            baseline_policy: (prefix.reader.baseline() == BaselinePolicy::FirstSeen)
                .then_some("first-seen"),
        },
        case: case.map(|case| case.file.clone()),
        payload: Payload::default(),
        steps: prefix.at.0,
        counts: counts(prefix),
        findings: findings(prefix),
        evidence: Evidence {
            open: open.len(),
            open_and_marked: open.iter().filter(|step| marked.contains(step)).count(),
            resolved_by_steps: prefix.history.evidence_counts(prefix.at).resolved,
            closed_by_marks: closed.len(),
        },
        open: open_groups(prefix, &open, &marked, options.include_payload),
        waiting: waiting_list(prefix),
        gates: gates(prefix),
        marks: marked_list(prefix, marks, options.include_payload),
        remarks: remarks(case),
        timeline: timeline(prefix, &open, &marked),
    };
    report.payload = Payload {
        included: options.include_payload,
        masked_fields: masked_fields(&report),
    };
    report
}

fn step_of(prefix: &Prefix<'_>, place: &MarkPlace) -> Option<StepNo> {
    let MarkPlace::Record { record, replay, .. } = place else {
        return None;
    };
    let step = if *replay {
        prefix.history.replay_of_record(*record)
    } else {
        prefix.history.step_of_record(*record)
    };
    step.filter(|step| *step <= prefix.at)
}

fn counts(prefix: &Prefix<'_>) -> Vec<Count> {
    let counts = prefix.history.state_counts(prefix.at);
    let mut counts: Vec<Count> = State::ALL
        .iter()
        .zip(counts)
        .filter(|(_, steps)| *steps > 0)
        .map(|(state, steps)| Count {
            state: state.name(),
            steps,
        })
        .collect();
    counts.sort_by_key(|count| count.state);
    counts
}

fn findings(prefix: &Prefix<'_>) -> Vec<FindingCount> {
    let mut raised: BTreeMap<FindingCode, u64> = BTreeMap::new();
    for step in 1..=prefix.at.0 {
        for finding in prefix.history.findings(StepNo(step)) {
            *raised.entry(finding.code).or_default() += 1;
        }
    }
    let raised = raised.into_iter();
    raised
        .map(|(code, raised)| FindingCount {
            code: code.name(),
            severity: match code.severity() {
                Severity::Conflict => "conflict",
                Severity::Warning => "warning",
                Severity::Information => "information",
            },
            raised,
            meaning: code.meaning().trim(),
        })
        .collect()
}

/// What open steps of a group have in common.
type Ground = (State, Option<FindingCode>, Option<ReasonId>);

/// Open evidence by heaviest finding, state and reason.
fn open_groups(
    prefix: &Prefix<'_>,
    open: &[StepNo],
    marked: &BTreeSet<StepNo>,
    included: bool,
) -> Vec<OpenGroup> {
    // By kind: the steps that are marked, and the others.
    type Steps = (Vec<StepNo>, Vec<StepNo>);
    let history = prefix.history;
    let mut groups: BTreeMap<Ground, Steps> = BTreeMap::new();
    for number in open {
        let Some(step) = history.step(*number) else {
            continue;
        };
        let ground = (step.state, step.heaviest_finding(), step.reason);
        let (with_mark, without) = groups.entry(ground).or_default();
        let steps = if marked.contains(number) {
            with_mark
        } else {
            without
        };
        steps.push(*number);
    }
    let mut groups: Vec<OpenGroup> = groups
        .into_iter()
        .map(|((state, finding, reason), (with_mark, without))| {
            let listed = without.iter().take(OPEN_LISTED);
            let firsts = [with_mark.first(), without.first()];
            OpenGroup {
                name: evidence_name(state, finding),
                state: state.name(),
                finding: finding.map(FindingCode::name),
                reason: reason.map(|reason| bounded(history.reason_name(reason))),
                open: with_mark.len() + without.len(),
                marked: with_mark.len(),
                first: firsts.into_iter().flatten().min().map_or(0, |step| step.0),
                unmarked: Listed {
                    total: without.len(),
                    listed: listed
                        .filter_map(|step| history.step(*step))
                        .map(|step| item(prefix, &step, included))
                        .collect(),
                },
            }
        })
        .collect();
    groups.sort_by(|a, b| {
        let name = |group: &OpenGroup| (group.state, group.finding, group.reason.clone());
        b.open.cmp(&a.open).then_with(|| name(a).cmp(&name(b)))
    });
    groups
}

fn waiting_list(prefix: &Prefix<'_>) -> Listed<Waiting> {
    let history = prefix.history;
    let waits = |id: &AggregateId| history.waiting_for(*id, prefix.at).is_some();
    let mut ids: Vec<(usize, AggregateId)> = history
        .listed_aggregates(prefix.at)
        .filter(waits)
        .map(|id| (history.deferred_count(id, prefix.at, usize::MAX), id))
        .collect();
    ids.sort_by(|(held_a, a), (held_b, b)| {
        let name = |id: AggregateId| (history.source_of(id), history.name_of(id));
        held_b.cmp(held_a).then_with(|| name(*a).cmp(&name(*b)))
    });
    let listed = ids.iter().take(OTHERS_LISTED);
    Listed {
        total: ids.len(),
        listed: listed.map(|(_, id)| waiting(prefix, *id)).collect(),
    }
}

fn gates(prefix: &Prefix<'_>) -> Gates {
    let history = prefix.history;
    let Some(rule) = &history.terms().gate else {
        return Gates::default();
    };
    let mut shut = Vec::new();
    let mut allowed = 0;
    for order in history.known_orders(prefix.at) {
        match history.gate(order, prefix.at) {
            Some(gate) if !gate.reasons.is_empty() => {
                shut.push((history.order_name(order), gate.reasons));
            }
            Some(_) => allowed += 1,
            None => {}
        }
    }
    shut.sort();
    let listed = shut.iter().take(OTHERS_LISTED);
    Gates {
        action: Some(bounded(&rule.action)),
        allowed,
        shut: Listed {
            total: shut.len(),
            listed: listed
                .map(|(name, reasons)| Gate {
                    aggregate: bounded(name),
                    reasons: reasons.iter().map(|reason| reason.name()).collect(),
                })
                .collect(),
        },
    }
}

fn marked_list(prefix: &Prefix<'_>, marks: &[MarkInput], included: bool) -> Listed<Marked> {
    let listed = marks.iter().take(OTHERS_LISTED);
    Listed {
        total: marks.len(),
        listed: listed.map(|mark| marked(prefix, mark, included)).collect(),
    }
}

fn marked(prefix: &Prefix<'_>, mark: &MarkInput, included: bool) -> Marked {
    let step = step_of(prefix, &mark.place);
    let now = step.and_then(|step| prefix.history.step(step));
    let mut told = Marked {
        entry: mark.entry,
        disposition: mark.disposition,
        label: mark.label,
        closes: step.is_some_and(|step| (prefix.closed)(step)),
        note: mark.note.clone(),
        operator: bounded(&mark.operator),
        time: mark.time.clone(),
        marked_as: None,
        stale: mark.stale.clone(),
        item: now.map(|step| item(prefix, &step, included)),
        about: None,
        missing: None,
    };
    match &mark.place {
        MarkPlace::Record {
            record,
            replay,
            state,
            reason,
        } => {
            let is_same =
                now.is_some_and(|now| came_to(prefix, &now) == (*state, reason.as_deref()));
            if !is_same {
                let reason = reason
                    .as_deref()
                    .map_or(String::new(), |r| format!(" · {r}"));
                told.marked_as = Some(bounded(&format!("{}{reason}", state.name())));
            }
            if now.is_none() {
                let replay = if *replay { " replay" } else { "" };
                told.about = Some(format!("{record}{replay}, which is not in this run"));
            }
        }
        MarkPlace::Missing {
            source,
            aggregate,
            version,
        } => {
            told.missing = Some(Missing {
                version: *version,
                aggregate: missing(prefix, source, aggregate),
            });
        }
        MarkPlace::Capture => told.about = Some("the capture".to_owned()),
    }
    told
}

fn came_to<'a>(prefix: &Prefix<'a>, step: &Step<'_>) -> (State, Option<&'a str>) {
    let reason = step.reason.map(|reason| prefix.history.reason_name(reason));
    (step.state, reason)
}

fn missing(prefix: &Prefix<'_>, source: &str, aggregate: &str) -> Waiting {
    match prefix.history.find_aggregate(source, aggregate) {
        Some(id) => waiting(prefix, id),
        None => Waiting {
            source: bounded(source),
            aggregate: bounded(aggregate),
            stand: Stand::default(),
            waiting_for: None,
            deferred: 0,
            since_record: None,
            gap_causes: Vec::new(),
        },
    }
}

fn remarks(case: Option<&CaseInput>) -> Listed<Remark> {
    let all = case.map_or(&[][..], |case| case.remarks.as_slice());
    Listed {
        total: all.len(),
        listed: all.iter().take(OTHERS_LISTED).cloned().collect(),
    }
}

fn masked_fields(report: &Report) -> u64 {
    let unmarked = report.open.iter().flat_map(|group| &group.unmarked.listed);
    let marked = report
        .marks
        .listed
        .iter()
        .filter_map(|mark| mark.item.as_ref());
    // A step can be marked and told of only once: the two lists share none.
    unmarked
        .chain(marked)
        .map(|item| item.masked_fields as u64)
        .sum()
}
