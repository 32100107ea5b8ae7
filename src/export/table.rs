//! The trace as a table for people: one line a step, then what a person has to know at the end.
//!
//! Every text out of the capture goes through [`Safe`], and nothing is cut: a long id makes its line
//! longer.

use std::io::{self, Write};

use super::document::Prefix;
use crate::history::{History, Step};
use crate::model::{Kind, State, StepNo, Subject};
use crate::text::{Safe, Zone, time, width};

/// Paints a state's words; the identity where there is no colour.
type Paint<'a> = &'a dyn Fn(State, &str) -> String;

const STEP_CELLS: usize = 6;
const RECORD_CELLS: usize = 7;
const TIME_CELLS: usize = 9;
const ABOUT_CELLS: usize = 22;

/// The table's head.
pub fn write_head(out: &mut dyn Write) -> io::Result<()> {
    let head = ["step", "record", "received", "about", "outcome"];
    let cells = [STEP_CELLS, RECORD_CELLS, TIME_CELLS, ABOUT_CELLS, 0];
    let mut line = String::new();
    for (name, cells) in head.iter().zip(cells) {
        let cell = width::pad(&Safe::own(name), cells);
        line.push_str(cell.as_str());
        line.push(' ');
    }
    writeln!(out, "{}", line.trim_end())
}

/// One step's line.
pub fn write_row(
    prefix: &Prefix<'_>,
    number: StepNo,
    paint: Paint<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let history = prefix.history;
    let Some(step) = history.step(number) else {
        return Ok(());
    };
    let text = prefix.reader.event_text(history, step.record);
    let own_time = || clock(text.time.as_deref()).map(|time| format!("~{time}"));
    let when = if step.kind == Kind::Replay {
        "replay".to_owned()
    } else {
        clock(text.received_at.as_deref())
            .or_else(own_time)
            .unwrap_or_default()
    };
    let mut about = text
        .aggregate
        .as_deref()
        .map_or_else(|| Safe::own("?"), Safe::value);
    if let Some(version) = text.version {
        about.push(&Safe::own(format!(" v{version}")));
    }
    let cell = |text: &Safe, cells| width::pad(text, cells);
    write!(
        out,
        "{} {} {} {} ",
        cell(&Safe::own(number.to_string()), STEP_CELLS),
        cell(&Safe::own(step.record.to_string()), RECORD_CELLS),
        cell(&Safe::own(when), TIME_CELLS),
        cell(&about, ABOUT_CELLS),
    )?;
    writeln!(out, "{}", outcome(prefix, &step, text.id.as_deref(), paint))
}

fn clock(text: Option<&str>) -> Option<String> {
    let instant = crate::model::Instant::parse(text?)?;
    Some(time::clock(instant.seconds, &Zone::utc()))
}

/// State, reason, and what explains it, in words.
fn outcome(prefix: &Prefix<'_>, step: &Step<'_>, id: Option<&str>, paint: Paint<'_>) -> String {
    let history = prefix.history;
    let mut words = paint(step.state, step.state.name());
    let mut add = |text: String| words.push_str(&text);
    if let Some(reason) = step.reason {
        add(format!(" · {}", Safe::value(history.reason_name(reason))));
    }
    if let Some(released_by) = step.released_by {
        add(format!(", released by step {released_by}"));
    }
    add(effect(history, step));
    if let Some(first) = step.first {
        add(format!(", first {first}"));
    }
    if let Some(count) = step.count {
        let what = if step.state == State::Deferred {
            "delivery"
        } else {
            "occurrence"
        };
        add(format!(", {what} {count}"));
    }
    for finding in step.findings {
        let record = finding
            .record
            .map_or_else(String::new, |record| format!(" {record}"));
        add(format!("  [{}{record}]", finding.code.name()));
    }
    if let Some(id) = id {
        add(format!("  {}", Safe::value(id)));
    }
    words
}

fn effect(history: &History, step: &Step<'_>) -> String {
    let Subject::Aggregate(id) = step.subject else {
        return String::new();
    };
    if matches!(step.state, State::Deferred | State::DeferralLimitReached) {
        let next = history.next_version(id, step.number);
        return next.map_or_else(String::new, |version| format!(", waits for v{version}"));
    }
    if !matches!(step.state, State::Applied | State::BaselineRecorded) {
        return String::new();
    }
    let state = |at| {
        let state = history.projection(id, at).state;
        state.map(|state| Safe::value(history.word(state)))
    };
    let after = state(step.number).unwrap_or_default();
    match state(step.number.before()) {
        Some(before) => format!(": {before} -> {after}"),
        None => format!(": {after}"),
    }
}

/// What is open, what waits and why, and which gates are shut, as of the prefix.
pub fn write_summary(prefix: &Prefix<'_>, out: &mut dyn Write) -> io::Result<()> {
    let history = prefix.history;
    let (open, resolved) = prefix.evidence_counts();
    writeln!(out, "evidence: {open} open, {resolved} resolved")?;
    for (state, reason, steps) in open_by_reason(prefix) {
        let reason =
            reason.map_or_else(String::new, |reason| format!(" · {}", Safe::value(&reason)));
        let first = steps
            .first()
            .map_or_else(String::new, |step| format!(", first at step {step}"));
        writeln!(out, "  {:>5}  {}{reason}{first}", steps.len(), state.name())?;
    }
    for id in history.listed_aggregates(prefix.at) {
        let Some(version) = history.waiting_for(id, prefix.at) else {
            continue;
        };
        let name = Safe::value(history.name_of(id));
        let source = Safe::value(history.source_of(id));
        let held = history.deferred(id, prefix.at).len();
        writeln!(
            out,
            "waits: {name} ({source}) for v{version}, {held} deferred"
        )?;
        for cause in history.gap_causes(id, prefix.at) {
            writeln!(out, "  {}", cause_line(history, &cause))?;
        }
    }
    write_gates(prefix, out)
}

fn cause_line(history: &History, cause: &crate::model::GapCause) -> String {
    let Some(carrier) = cause.carrier else {
        return cause.cause.name().to_owned();
    };
    let reason = carrier.reason.map_or_else(String::new, |reason| {
        format!(" · {}", Safe::value(history.reason_name(reason)))
    });
    format!(
        "{} {}: {}{reason}",
        cause.cause.name(),
        carrier.record,
        carrier.state.name()
    )
}

fn write_gates(prefix: &Prefix<'_>, out: &mut dyn Write) -> io::Result<()> {
    let history = prefix.history;
    let Some(rule) = &history.terms().gate else {
        return Ok(());
    };
    for order in history.known_orders(prefix.at) {
        let Some(gate) = history.gate(order, prefix.at) else {
            continue;
        };
        let name = Safe::value(history.order_name(order));
        let action = Safe::value(&rule.action);
        if gate.reasons.is_empty() {
            writeln!(out, "gate: {name} {action} allowed")?;
        } else {
            let reasons: Vec<&str> = gate.reasons.iter().map(|reason| reason.name()).collect();
            writeln!(
                out,
                "gate: {name} {action} not allowed: {}",
                reasons.join(", ")
            )?;
        }
    }
    Ok(())
}

/// Open evidence by state and reason, the commonest first.
fn open_by_reason(prefix: &Prefix<'_>) -> Vec<(State, Option<String>, Vec<StepNo>)> {
    let history = prefix.history;
    let mut groups: std::collections::BTreeMap<(State, Option<String>), Vec<StepNo>> =
        std::collections::BTreeMap::default();
    for number in history
        .open_evidence(prefix.at)
        .filter(|step| !(prefix.closed)(*step))
    {
        if let Some(step) = history.step(number) {
            let reason = step
                .reason
                .map(|reason| history.reason_name(reason).to_owned());
            groups.entry((step.state, reason)).or_default().push(number);
        }
    }
    let mut groups: Vec<_> = groups
        .into_iter()
        .map(|((state, reason), steps)| (state, reason, steps))
        .collect();
    groups.sort_by_key(|(_, _, steps)| std::cmp::Reverse(steps.len()));
    groups
}
