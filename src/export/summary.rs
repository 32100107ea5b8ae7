//! The end of a table and of `check`: what is open and by what, which aggregates wait and why, and
//! which gates are shut.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::document::Prefix;
use super::table::cell;
use crate::history::History;
use crate::model::{FindingCode, GapCause, OrderId, StepNo};

/// So many steps of one kind of evidence are named; of more, it is said how many there are.
const NAMED_STEPS: usize = 4;

/// What open steps have in common: what they are called, the reason, and what else a person has to
/// look at.
type Ground = (String, Option<String>, Vec<FindingCode>);

/// What is open, what waits and why, and which gates are shut, as of the prefix.
pub fn write_summary(prefix: &Prefix<'_>, out: &mut dyn Write) -> io::Result<()> {
    write_evidence(prefix, out)?;
    write_waits(prefix, out)?;
    write_gates(prefix, out)
}

/// What is open, by what it has in common.
pub fn write_evidence(prefix: &Prefix<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (open, resolved) = prefix.evidence_counts();
    writeln!(out, "-- evidence: {open} open, {resolved} resolved --")?;
    for ((name, reason, findings), steps) in open_by_ground(prefix) {
        let reason = reason.map_or_else(String::new, |reason| format!(" · {}", cell(&reason)));
        write!(out, "{:>5}  {name}{reason}", steps.len())?;
        for code in findings {
            write!(out, " [{}]", code.name())?;
        }
        writeln!(out, ": {}", named_steps(&steps))?;
    }
    Ok(())
}

fn named_steps(steps: &[StepNo]) -> String {
    let named: Vec<String> = steps
        .iter()
        .take(NAMED_STEPS)
        .map(ToString::to_string)
        .collect();
    let word = if steps.len() == 1 { "step" } else { "steps" };
    let more = match steps.len().saturating_sub(NAMED_STEPS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{word} {}{more}", named.join(", "))
}

/// Open evidence by what it has in common, the commonest first.
fn open_by_ground(prefix: &Prefix<'_>) -> Vec<(Ground, Vec<StepNo>)> {
    let history = prefix.history;
    let mut groups: BTreeMap<Ground, Vec<StepNo>> = BTreeMap::default();
    let open = history.open_evidence(prefix.at);
    for number in open.filter(|step| !(prefix.closed)(*step)) {
        let Some(step) = history.step(number) else {
            continue;
        };
        let reason = step.reason.map(|id| history.reason_name(id).to_owned());
        let codes = step.findings.iter().map(|finding| finding.code);
        let heaviest = step.heaviest_finding();
        let others = codes.filter(|code| code.severity().needs_person() && Some(*code) != heaviest);
        let ground = (step.evidence_name(), reason, others.collect());
        groups.entry(ground).or_default().push(number);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, steps)| std::cmp::Reverse(steps.len()));
    groups
}

fn write_waits(prefix: &Prefix<'_>, out: &mut dyn Write) -> io::Result<()> {
    let history = prefix.history;
    let waiting = history.waiting_aggregates(prefix.at);
    if waiting.is_empty() {
        return Ok(());
    }
    let count = waiting.len();
    writeln!(out, "-- waits: {count} {} --", plural(count, "aggregate"))?;
    for (id, version) in waiting {
        let name = cell(history.name_of(id));
        let source = cell(history.source_of(id));
        let held = match history.deferred_count(id, prefix.at, usize::MAX) {
            0 => "nothing deferred".to_owned(),
            held => format!("{held} deferred"),
        };
        writeln!(out, "  {name} ({source}) for v{version}, {held}")?;
        for cause in history.gap_causes(id, prefix.at) {
            writeln!(out, "    {}", cause_line(history, &cause))?;
        }
    }
    Ok(())
}

fn cause_line(history: &History, cause: &GapCause) -> String {
    let Some(carrier) = cause.carrier else {
        return cause.cause.name().to_owned();
    };
    let reason = carrier.reason.map_or_else(String::new, |reason| {
        format!(" · {}", cell(history.reason_name(reason)))
    });
    format!(
        "{} {}: {}{reason}",
        cause.cause.name(),
        carrier.record,
        carrier.state.name()
    )
}

/// Shut gates by order; open ones are only counted, since nobody has to do anything about them.
fn write_gates(prefix: &Prefix<'_>, out: &mut dyn Write) -> io::Result<()> {
    let history = prefix.history;
    let Some(rule) = &history.terms().gate else {
        return Ok(());
    };
    let gate = |order: OrderId| Some((order, history.gate(order, prefix.at)?.reasons));
    let gates: Vec<_> = history.known_orders(prefix.at).filter_map(gate).collect();
    let (open, shut): (Vec<_>, Vec<_>) = gates
        .into_iter()
        .partition(|(_, reasons)| reasons.is_empty());
    if open.is_empty() && shut.is_empty() {
        return Ok(());
    }
    let (open, shut_count) = (open.len(), shut.len());
    let action = cell(&rule.action);
    writeln!(
        out,
        "-- {action}: {shut_count} {} not allowed, {open} allowed --",
        plural(shut_count, "order")
    )?;
    for (order, reasons) in shut {
        let reasons: Vec<&str> = reasons.iter().map(|reason| reason.name()).collect();
        let name = cell(history.order_name(order));
        writeln!(out, "  {name}: {}", reasons.join(", "))?;
    }
    Ok(())
}

fn plural(count: usize, word: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{word}{ending}")
}
