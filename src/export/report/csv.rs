//! The report as CSV (RFC 4180) for a spreadsheet: one row for each fact, total, mark and open step.
//!
//! A spreadsheet takes a cell for a formula where it begins with one of a few characters, also with
//! their full-width forms; such a cell gets an apostrophe in front. Every cell is quoted. One that
//! reads semicolons as separators, as many do outside English, splits inside quotes that it does not
//! see: so the same holds behind a semicolon.

use std::io::{self, Write};

use super::model::{GapCause, Item, Report, Stand};
use crate::text::Safe;

/// The columns.
const COLUMNS: [&str; 25] = [
    "section",
    "name",
    "value",
    "step",
    "record",
    "kind",
    "state",
    "reason",
    "findings",
    "source",
    "id",
    "type",
    "subject",
    "aggregate",
    "version",
    "before",
    "after",
    "waiting_for",
    "gap_causes",
    "disposition",
    "closes",
    "note",
    "operator",
    "marked_at",
    "masked_fields",
];

/// One row: cells by column.
#[derive(Default)]
struct Row(Vec<(&'static str, String)>);

impl Row {
    fn new(section: &str) -> Self {
        Self::default().cell("section", section)
    }

    fn cell(mut self, column: &'static str, text: impl Into<String>) -> Self {
        self.0.push((column, text.into()));
        self
    }

    fn maybe(self, column: &'static str, text: Option<impl ToString>) -> Self {
        match text {
            Some(text) => self.cell(column, text.to_string()),
            None => self,
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let cells = COLUMNS.map(|column| {
            let mut cells = self.0.iter();
            let found = cells.find(|(name, _)| *name == column);
            found.map_or(String::new(), |(_, text)| guarded(text))
        });
        write_row(&cells, out)
    }
}

/// Writes the report.
pub fn write_csv(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    write_row(&COLUMNS.map(str::to_owned), out)?;
    for (name, value) in facts(report) {
        let row = Row::new("fact").cell("name", name).cell("value", value);
        row.write(out)?;
    }
    for count in &report.counts {
        Row::new("total")
            .cell("state", count.state)
            .cell("value", count.steps.to_string())
            .write(out)?;
    }
    for finding in &report.findings {
        Row::new("finding")
            .cell("name", finding.code)
            .cell("value", finding.raised.to_string())
            .write(out)?;
    }
    for waiting in &report.waiting.listed {
        Row::new("waits")
            .cell("source", &waiting.source)
            .cell("aggregate", &waiting.aggregate)
            .cell("before", stand(&waiting.stand))
            .cell("value", waiting.deferred.to_string())
            .maybe("waiting_for", waiting.waiting_for)
            .cell("gap_causes", causes(&waiting.gap_causes))
            .write(out)?;
    }
    for gate in &report.gates.shut.listed {
        Row::new("gate")
            .maybe("name", report.gates.action.as_ref())
            .cell("aggregate", &gate.aggregate)
            .cell("reason", gate.reasons.join(" "))
            .write(out)?;
    }
    write_marks(report, out)?;
    for group in &report.open {
        for item in &group.unmarked.listed {
            of_item(Row::new("open"), item).write(out)?;
            write_payload(item, out)?;
        }
    }
    write_left_out(report, out)
}

fn facts(report: &Report) -> Vec<(&'static str, String)> {
    let evidence = &report.evidence;
    let mut facts = vec![
        ("made_at", report.made_at.clone()),
        ("tool", report.tool.clone()),
        ("capture", report.capture.path.clone()),
        ("capture_sha256", report.capture.sha256.clone()),
        ("capture_bytes", report.capture.bytes.to_string()),
        ("capture_format", report.capture.format.clone()),
        ("records", report.capture.records.to_string()),
        ("steps", report.steps.to_string()),
        ("contract", report.contract.name.clone()),
        ("contract_sha256", report.contract.sha256.clone()),
        ("contract_origin", report.contract.origin.to_owned()),
        ("consumer", report.contract.consumer.clone()),
        ("payload_included", report.payload.included.to_string()),
        ("masked_fields", report.payload.masked_fields.to_string()),
        ("evidence_open", evidence.open.to_string()),
        (
            "evidence_open_and_marked",
            evidence.open_and_marked.to_string(),
        ),
        (
            "evidence_resolved_by_steps",
            evidence.resolved_by_steps.to_string(),
        ),
        (
            "evidence_closed_by_marks",
            evidence.closed_by_marks.to_string(),
        ),
    ];
    if let Some(policy) = report.contract.baseline_policy {
        facts.push(("baseline_policy", policy.to_owned()));
    }
    if let Some(case) = &report.case {
        facts.push(("case", case.path.clone()));
        facts.push(("case_entries", case.entries.to_string()));
        facts.push(("case_head", case.head.clone().unwrap_or_default()));
        facts.push(("case_verified", case.verified.to_string()));
        facts.push(("case_marks_count", case.marks_count.to_string()));
        let differences = case.differences.iter();
        facts.extend(differences.map(|text| ("case_difference", text.clone())));
    }
    facts
}

fn write_marks(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    for mark in &report.marks.listed {
        let mut row = Row::new("mark")
            .cell("value", mark.stale.join(" "))
            .maybe("name", mark.about.as_ref())
            .cell("disposition", mark.disposition)
            .cell("closes", mark.closes.to_string())
            .cell("note", &mark.note)
            .cell("operator", &mark.operator)
            .cell("marked_at", &mark.time);
        if let Some(item) = &mark.item {
            row = of_item(row, item);
        }
        if let Some(missing) = &mark.missing {
            let aggregate = &missing.aggregate;
            row = row
                .cell("source", &aggregate.source)
                .cell("aggregate", &aggregate.aggregate)
                .cell("version", missing.version.to_string())
                .maybe("waiting_for", aggregate.waiting_for)
                .cell("gap_causes", causes(&aggregate.gap_causes));
        }
        row.write(out)?;
        if let Some(item) = &mark.item {
            write_payload(item, out)?;
        }
    }
    for remark in &report.remarks.listed {
        Row::new("remark")
            .cell("kind", remark.kind)
            .cell("name", &remark.about)
            .cell("note", &remark.note)
            .cell("operator", &remark.operator)
            .cell("marked_at", &remark.time)
            .write(out)?;
    }
    Ok(())
}

fn of_item(row: Row, item: &Item) -> Row {
    let findings = item.findings.iter().map(|finding| {
        let record = finding.record.map(|record| format!(" r{record}"));
        format!("{}{}", finding.code, record.unwrap_or_default())
    });
    row.cell("step", item.step.to_string())
        .cell("record", item.record.to_string())
        .cell("kind", item.kind)
        .cell("state", item.state)
        .maybe("reason", item.reason.as_ref())
        .cell("findings", findings.collect::<Vec<_>>().join(", "))
        .maybe("source", item.event.source.as_ref())
        .maybe("id", item.event.id.as_ref())
        .maybe("type", item.event.event_type.as_ref())
        .maybe("subject", item.event.subject.as_ref())
        .maybe("aggregate", item.event.aggregate.as_ref())
        .maybe("version", item.event.version)
        .cell("before", stand(&item.before))
        .cell("after", stand(&item.after))
        .maybe("waiting_for", item.waiting_for)
        .cell("gap_causes", causes(&item.gap_causes))
        .cell("masked_fields", item.masked_fields.to_string())
}

fn write_payload(item: &Item, out: &mut dyn Write) -> io::Result<()> {
    for field in &item.payload {
        Row::new("payload")
            .cell("step", item.step.to_string())
            .cell("record", item.record.to_string())
            .cell("name", &field.pointer)
            .cell("value", &field.value)
            .write(out)?;
    }
    Ok(())
}

/// A table that stops without a word would be taken for the whole.
fn write_left_out(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut left: Vec<(&str, Option<&str>, usize)> = vec![
        (
            "waits",
            None,
            report.waiting.total - report.waiting.listed.len(),
        ),
        (
            "gate",
            None,
            report.gates.shut.total - report.gates.shut.listed.len(),
        ),
        ("mark", None, report.marks.total - report.marks.listed.len()),
        (
            "remark",
            None,
            report.remarks.total - report.remarks.listed.len(),
        ),
    ];
    let groups = report.open.iter().map(|group| {
        let unmarked = &group.unmarked;
        (
            "open",
            Some(group.state),
            unmarked.total - unmarked.listed.len(),
        )
    });
    left.extend(groups);
    for (section, state, count) in left.into_iter().filter(|(_, _, count)| *count > 0) {
        Row::new("left-out")
            .cell("name", section)
            .maybe("state", state)
            .cell("value", count.to_string())
            .write(out)?;
    }
    Ok(())
}

fn stand(stand: &Stand) -> String {
    let version = stand.version.map(|version| format!("v{version}"));
    let words = [version, stand.state.clone()];
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn causes(causes: &[GapCause]) -> String {
    let words = causes.iter().map(|cause| {
        let record = cause.record.map(|record| format!(" r{record}"));
        let reason = cause.reason.as_deref().map(|reason| format!(" {reason}"));
        format!(
            "{}{}{}",
            cause.cause,
            record.unwrap_or_default(),
            reason.unwrap_or_default()
        )
    });
    words.collect::<Vec<_>>().join(", ")
}

fn write_row(cells: &[String], out: &mut dyn Write) -> io::Result<()> {
    for (index, cell) in cells.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        write!(out, "{comma}\"{}\"", cell.replace('"', "\"\""))?;
    }
    write!(out, "\r\n")
}

/// The text made safe to show, and safe from being taken for a formula.
fn guarded(text: &str) -> String {
    let safe = Safe::value(text);
    let mut guarded = String::with_capacity(safe.as_str().len() + 1);
    let mut may_begin = true;
    for character in safe.as_str().chars() {
        if may_begin && begins_formula(character) {
            guarded.push('\'');
        }
        // Quotes and spaces may stand between a separator and what a spreadsheet takes for a formula.
        may_begin = character == ';' || (may_begin && matches!(character, ' ' | '"' | '\''));
        guarded.push(character);
    }
    guarded
}

/// Characters that begin a formula, with their full-width forms.
fn begins_formula(character: char) -> bool {
    matches!(
        character,
        '=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '＝' | '＋' | '－' | '＠'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_be_a_formula_is_text() {
        assert_eq!(guarded("order-417"), "order-417");
        assert_eq!(guarded("=1+1"), "'=1+1");
        assert_eq!(guarded("＝1"), "'＝1");
        assert_eq!(guarded("a;=1"), "a;'=1");
        assert_eq!(guarded("a; \"@x"), "a; \"'@x");
        assert_eq!(guarded("\t=1"), "\\t=1", "a control is spelled out before");
        assert_eq!(guarded("-"), "'-");
        assert_eq!(guarded("1,-2"), "1,-2");
    }
}
