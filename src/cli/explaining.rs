//! `trace --explain-format`: how a capture was read, from its bytes to its events, and what was tried
//! where nothing was recognised.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};

use super::output;
use crate::capture::unwrap::{Sight, explain as sights};
use crate::model::{Place, RecordNo};
use crate::session::{Reader, Run, beside_text};
use crate::text::Safe;
use crate::text::number::grouped;

/// Shapes that come nearest to a record that none fits.
const NEAREST: usize = 5;

/// Names that are listed of one shape.
const NAMES_MAX: usize = 6;

/// Records that were read in one way.
struct Group {
    count: u64,
    first: (RecordNo, Place),
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
        writeln!(
            out,
            "  {count:>11}  {way}   (first: {record}, line {})",
            place.line
        )?;
    }
    if groups.is_empty() {
        writeln!(out, "            0  the capture has no records")?;
    }
    for (way, group) in &groups {
        if way.ends_with(UNKNOWN) {
            write_tried(&reader, group, &mut out)?;
        }
    }
    out.flush()
}

/// What stands for a record that is no event and has no known wrapper.
const UNKNOWN: &str = "not recognised";

fn write_framing(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    let tally = run.tally();
    if let Some(facts) = run.framing() {
        let name = facts.framing.map_or("empty", |framing| framing.name());
        let bom = if facts.has_bom {
            ", after a byte order mark"
        } else {
            ""
        };
        let open = if facts.unclosed_array {
            ", never closed"
        } else {
            ""
        };
        writeln!(out, "framing: {name}{bom}{open}")?;
    }
    let counted = [
        (tally.blank_lines, "blank lines"),
        (tally.crlf_lines, "lines that end in CR LF"),
        (
            tally.separators,
            "NUL bytes or record separators around records",
        ),
        (tally.batches, "values that hold several records"),
    ];
    for (count, what) in counted {
        if count > 0 {
            writeln!(out, "  {:>11}  {what}", grouped(count))?;
        }
    }
    if let Some(text) = beside_text(run) {
        writeln!(out, "  {}", Safe::own(text))?;
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
                let what = if is_text {
                    "a line of text, "
                } else {
                    "damaged JSON"
                };
                format!("{what}{}", if is_text { UNKNOWN } else { "" })
            }
            (None, Some(why)) => why.to_owned(),
        };
        let first = (record, place);
        groups.entry(way).or_insert(Group { count: 0, first }).count += 1;
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
    writeln!(
        out,
        "{record}, line {}, is no event and fits none of the known formats:",
        place.line
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
