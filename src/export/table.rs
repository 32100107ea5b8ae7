//! The trace as a table for people: one line a step, under the day it happened on.
//!
//! Every text out of the capture goes through [`cell`], and nothing is cut: a long id makes its line
//! longer.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::document::Prefix;
use crate::history::{History, Step};
use crate::model::{EventText, Instant, Kind, Rule, State, StepNo, Subject};
use crate::text::{Safe, Zone, time, width};

/// Paints a state's words; the identity where there is no colour.
type Paint<'a> = &'a dyn Fn(State, &str) -> String;

/// Steps and records are numbers of up to five digits in nearly every capture that is read as a
/// table; larger ones push their line to the right.
const STEP_CELLS: usize = 5;
const RECORD_CELLS: usize = 6;
const TIME_CELLS: usize = 9;
const ABOUT_CELLS: usize = 16;

/// A table that is being written, row by row.
pub struct Table<'a> {
    paint: Paint<'a>,
    zone: Zone,
    day: Option<String>,
    has_own_times: bool,
    /// Rules of the specification that events break, with how many do and the first step of one.
    broken: Option<BTreeMap<Rule, (u64, StepNo)>>,
}

impl<'a> Table<'a> {
    /// A table of which nothing is written yet.
    pub fn new(paint: Paint<'a>) -> Self {
        Self {
            paint,
            zone: Zone::utc(),
            day: None,
            has_own_times: false,
            broken: None,
        }
    }

    /// Writes what stands above the columns.
    pub fn write_head(&self, out: &mut dyn Write) -> io::Result<()> {
        let texts = ["step", "record", "UTC", "about", "outcome"].map(Safe::own);
        let [step, record, when, about, outcome] = &texts;
        write_cells(out, [step, record, when, about])?;
        writeln!(out, "{outcome}")
    }

    /// Writes one step's line, and above it the day where that is another than before.
    pub fn write_row(
        &mut self,
        prefix: &Prefix<'_>,
        number: StepNo,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let history = prefix.history;
        let Some(step) = history.step(number) else {
            return Ok(());
        };
        let seen = prefix.reader.facts(history, step.record);
        let text = &seen.text;
        if prefix.reader.asked().conformance {
            let broken = self.broken.get_or_insert_default();
            // A replay is no other event.
            for rule in seen
                .conformance
                .iter()
                .filter(|_| step.kind != Kind::Replay)
            {
                broken.entry(*rule).or_insert((0, number)).0 += 1;
            }
        }
        let when = if step.kind == Kind::Replay {
            Safe::own("replay")
        } else {
            self.time(text, out)?
        };
        let number = width::pad_start(&Safe::own(number.to_string()), STEP_CELLS);
        let record = Safe::own(step.record.to_string());
        write_cells(out, [&number, &record, &when, &about(text)])?;
        writeln!(out, "{}", self.outcome(prefix, &step, text.id.as_deref()))
    }

    /// Writes what explains the rows, if anything in them needs it.
    pub fn write_foot(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.has_own_times {
            writeln!(
                out,
                "~ the event's own time, where no time of receipt is known"
            )?;
        }
        let Some(broken) = &self.broken else {
            return Ok(());
        };
        writeln!(
            out,
            "-- CloudEvents specification: {} broken --",
            rules(broken.len())
        )?;
        for (rule, (count, first)) in broken {
            let (name, meaning) = (rule.name(), rule.meaning());
            writeln!(out, "{count:>5}  {name}, first step {first}: {meaning}")?;
        }
        Ok(())
    }

    /// The time of day, under its date.
    fn time(&mut self, text: &EventText, out: &mut dyn Write) -> io::Result<Safe> {
        let parse = |text: &Option<String>| Instant::parse(text.as_deref()?);
        let received = parse(&text.received_at);
        let Some(instant) = received.or_else(|| parse(&text.time)) else {
            return Ok(Safe::default());
        };
        let day = time::date(instant.seconds, &self.zone);
        if self.day.as_ref() != Some(&day) {
            writeln!(out, "-- {} --", Safe::own(&day))?;
            self.day = Some(day);
        }
        let clock = time::clock(instant.seconds, &self.zone);
        self.has_own_times |= received.is_none();
        let sign = if received.is_none() { "~" } else { "" };
        Ok(Safe::own(format!("{sign}{clock}")))
    }

    /// State, reason, and what explains it, in words.
    fn outcome(&self, prefix: &Prefix<'_>, step: &Step<'_>, id: Option<&str>) -> String {
        let history = prefix.history;
        let mut words = (self.paint)(step.state, step.state.name());
        let mut add = |text: String| words.push_str(&text);
        if let Some(reason) = step.reason {
            add(format!(" · {}", cell(history.reason_name(reason))));
        }
        add(effect(history, step));
        add(fault(prefix, step));
        if let Some(released_by) = step.released_by {
            add(format!(", released by step {released_by}"));
        }
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
            add(format!(" [{}{record}]", finding.code.name()));
        }
        if let Some(id) = id {
            add(format!("  {}", cell(id)));
        }
        words
    }
}

fn rules(count: usize) -> String {
    match count {
        0 => "no rule".to_owned(),
        1 => "1 rule".to_owned(),
        _ => format!("{count} rules"),
    }
}

/// A text out of the capture or the contract as it stands between this program's own words: in quotes
/// where it could be taken for them, or for nothing. What looks the same is the same.
pub(super) fn cell(text: &str) -> Safe {
    let is_structure = |character| matches!(character, ' ' | '"' | ',' | '[' | ']' | '?');
    if !text.is_empty() && !text.contains(is_structure) {
        return Safe::value(text);
    }
    // A quote inside is escaped, so that the closing one is where it seems to be.
    let mut quoted = Safe::own("\"");
    for (index, part) in text.split('"').enumerate() {
        if index > 0 {
            quoted.push(&Safe::own("\\\""));
        }
        quoted.push(&Safe::value(part));
    }
    quoted.push(&Safe::own("\""));
    quoted
}

/// The first four columns, with two spaces behind each that is not full.
fn write_cells(out: &mut dyn Write, cells: [&Safe; 4]) -> io::Result<()> {
    let widths = [STEP_CELLS, RECORD_CELLS, TIME_CELLS, ABOUT_CELLS];
    for (cell, cells) in cells.into_iter().zip(widths) {
        write!(out, "{} ", width::pad(cell, cells))?;
    }
    Ok(())
}

/// Aggregate and version, as far as they could be read.
fn about(text: &EventText) -> Safe {
    let mut about = text
        .aggregate
        .as_deref()
        .map_or_else(|| Safe::own("?"), cell);
    if let Some(version) = text.version {
        about.push(&Safe::own(format!(" v{version}")));
    }
    about
}

/// Where an unreadable record stops being JSON; where there is no such place, its line, and what its
/// wrapper says of why nothing is inside.
fn fault(prefix: &Prefix<'_>, step: &Step<'_>) -> String {
    if step.state != State::Unreadable {
        return String::new();
    }
    if let Some(fault) = prefix.reader.fault(prefix.history, step.record) {
        let file = fault
            .file
            .map_or_else(String::new, |file| format!("{} ", Safe::own(file)));
        return format!(
            ", {file}line {} column {}: {}",
            fault.line, fault.column, fault.message
        );
    }
    let place = prefix.history.place(step.record);
    let line = place.map_or_else(String::new, |place| {
        let file = prefix.reader.file_name(place);
        let file = file.map_or_else(String::new, |file| format!("{} ", Safe::own(file)));
        format!(", {file}line {}", place.line)
    });
    let why = prefix.reader.facts(prefix.history, step.record).why();
    why.map_or(line.clone(), |why| format!("{line}: {why}"))
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
        state.map(|state| cell(history.word(state)))
    };
    let after = state(step.number).unwrap_or_default();
    match state(step.number.before()) {
        Some(before) => format!(": {before} -> {after}"),
        None => format!(": {after}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_cannot_pass_for_the_programs_own_words() {
        for (text, shown) in [
            ("evt-417-2", "evt-417-2"),
            ("", "\"\""),
            ("?", "\"?\""),
            ("[no-baseline]", "\"[no-baseline]\""),
            ("a, first r2", "\"a, first r2\""),
            ("a\" v2", "\"a\\\"\\u{20}v2\""),
            ("a\\", "a\\\\"),
            ("\u{1b}[2J", "\"\\u{1b}[2J\""),
        ] {
            assert_eq!(cell(text).as_str(), shown);
        }
    }
}
