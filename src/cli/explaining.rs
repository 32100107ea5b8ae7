//! `trace --explain-format`: how a capture was read, from its bytes to its events, and what was tried
//! where nothing was recognised.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};

use super::output;
use crate::capture::unwrap::{Sight, explain as sights};
use crate::model::{Beside, Place, RecordNo};
use crate::session::{Reader, Run, beside, error_text};
use crate::text::Safe;
use crate::text::number::grouped;

/// Shapes that come nearest to a record that none fits.
const NEAREST: usize = 5;

/// Names that are listed of one shape.
const NAMES_MAX: usize = 6;

/// Lines beside the records that are listed.
const NOISE_MAX: usize = 20;

/// Records that were read in one way.
struct Group {
    count: u64,
    first: (RecordNo, Place),
    /// What the first one's wrapper says of why nothing could be read inside it.
    why: Option<&'static str>,
}

/// Prints how the capture was read.
pub(super) fn explain(run: &'static Run) -> io::Result<()> {
    output::load_whole(run);
    let mut out = BufWriter::new(io::stdout().lock());
    write_framing(run, &mut out)?;
    let reader = Reader::new(run);
    let groups = groups(run, &reader);
    writeln!(out, "records, by what is around them:")?;
    for (way, group) in &groups {
        let (record, place) = group.first;
        let count = grouped(group.count);
        let line = line(&reader, place);
        writeln!(out, "  {count:>11}  {way}   (first: {record}, {line})")?;
        if let Some(why) = group.why {
            writeln!(out, "               {why}")?;
        }
    }
    if groups.is_empty() {
        writeln!(out, "            0  the capture has no records")?;
    }
    for (way, group) in &groups {
        if way.ends_with(UNKNOWN) {
            write_tried(&reader, group, &mut out)?;
        }
    }
    if groups.contains_key(UNKNOWN_TEXT) {
        writeln!(
            out,
            "lines that kcat -f wrote are told by its template alone: give it as --kcat-format TEMPLATE"
        )?;
    }
    out.flush()
}

/// A line, and its file where the capture has several.
fn line(reader: &Reader<'_>, place: Place) -> String {
    match reader.file_name(place) {
        Some(file) => format!("line {} of {}", place.line, Safe::own(file)),
        None => format!("line {}", place.line),
    }
}

/// What stands for a record that is no event and has no known wrapper.
const UNKNOWN: &str = "not recognised";

/// The same of a line of text.
const UNKNOWN_TEXT: &str = "a line of text, not recognised";

fn write_framing(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    let beside = beside(run, NOISE_MAX);
    for (file, words) in &beside.framings {
        let whose = file.as_ref();
        let whose = whose.map_or_else(String::new, |name| format!("{}: ", Safe::own(name)));
        writeln!(out, "{whose}framing: {words}")?;
    }
    for (count, what) in &beside.passed_over {
        let count = grouped(*count);
        writeln!(out, "  {count:>11}  {what}")?;
    }
    write_noise(run, &beside, out)
}

/// The first lines that tools printed beside their records.
fn write_noise(run: &Run, beside: &Beside, out: &mut dyn Write) -> io::Result<()> {
    let count = run.tally().noise_lines;
    for noise in &beside.lines {
        let whose = noise.file.as_ref();
        let whose = whose.map_or_else(String::new, |name| format!(" of {}", Safe::own(name)));
        let text = Safe::source(&noise.bytes);
        writeln!(out, "               line {}{whose}: {text}", noise.line)?;
    }
    let left = count.saturating_sub(NOISE_MAX as u64);
    if left > 0 {
        writeln!(out, "               and {} more", grouped(left))?;
    }
    if let Some(text) = error_text(run) {
        writeln!(out, "               {}", Safe::own(text))?;
    }
    Ok(())
}

fn groups(run: &Run, reader: &Reader<'_>) -> BTreeMap<String, Group> {
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    let last = run.history().last_record().0;
    for number in 1..=last {
        let record = RecordNo(number);
        let history = run.history();
        let Some(place) = history.place(record) else {
            continue;
        };
        let seen = reader.facts(&history, record);
        let path = seen
            .transport
            .as_ref()
            .map(|transport| transport.path.join(" > "));
        let unreadable = seen
            .unreadable
            .as_ref()
            .map(|why| history.reason_name(why.reason));
        let way = match (path, unreadable) {
            (Some(path), None) => path,
            (Some(path), Some(why)) => format!("{path} > {why}"),
            (None, None) => "bare".to_owned(),
            (None, Some("not-a-delivery" | "not-an-object")) => UNKNOWN.to_owned(),
            (None, Some("malformed-json")) => {
                let is_text = !reader
                    .bytes(place)
                    .is_ok_and(|bytes| bytes.starts_with(b"{"));
                let way = if is_text {
                    UNKNOWN_TEXT
                } else {
                    "damaged JSON"
                };
                way.to_owned()
            }
            (None, Some(why)) => why.to_owned(),
        };
        let group = Group {
            count: 0,
            first: (record, place),
            why: seen.why(),
        };
        groups.entry(way).or_insert(group).count += 1;
    }
    groups
}

/// Why no shape took the first record of a group: the nearest ones, those that lack the fewest names.
fn write_tried(reader: &Reader<'_>, group: &Group, out: &mut dyn Write) -> io::Result<()> {
    let (record, place) = group.first;
    let bytes = reader.bytes(place).unwrap_or_default();
    let mut tried: Vec<_> = sights(&bytes)
        .into_iter()
        .filter_map(|(name, sight)| Some((distance(&sight)?, name, words(&sight))))
        .collect();
    tried.sort_unstable();
    let line = line(reader, place);
    writeln!(
        out,
        "{record}, {line}, is no event and fits none of the known formats:"
    )?;
    writeln!(
        out,
        "  {}",
        Safe::source(bytes.get(..120).unwrap_or(&bytes))
    )?;
    for (_, name, words) in tried.into_iter().take(NEAREST) {
        writeln!(out, "  {name}: {words}")?;
    }
    Ok(())
}

fn distance(sight: &Sight) -> Option<usize> {
    match sight {
        Sight::Fits => Some(0),
        Sight::OtherValues => Some(1),
        Sight::HasToo(names) => Some(1 + names.len()),
        Sight::Lacks(names) => Some(2 + names.len()),
        Sight::OtherForm => None,
    }
}

fn words(sight: &Sight) -> String {
    let list = |names: &[&str]| {
        let more = names.len().saturating_sub(NAMES_MAX);
        let shown = names.get(..NAMES_MAX).unwrap_or(names).join(", ");
        if more > 0 {
            format!("{shown} and {more} more")
        } else {
            shown
        }
    };
    match sight {
        Sight::Fits => "fits".to_owned(),
        Sight::OtherValues => "has the members, but not the values".to_owned(),
        Sight::HasToo(names) => format!("would fit without {}", list(names)),
        Sight::Lacks(names) => format!("lacks {}", list(names)),
        Sight::OtherForm => "is told by other things than members".to_owned(),
    }
}
