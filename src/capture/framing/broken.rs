//! Records in a value that cannot be read as one: objects that follow each other on one line, and the
//! elements of a container (`Records`, `Messages`, `hits.hits`, …) that is damaged or cut off.
//!
//! Only a value that the reader has refused comes here, so nothing that is whole pays for it. A
//! container's brackets are followed without understanding them, up to the array in which its shape has
//! its records; the array's elements then end as those of a capture that is an array do
//! (`values::elements`). What is damaged is a record with its reason, its neighbours are records.

use super::super::json::{MAX_DEPTH, read, read_prefix, skip_plain, skip_whitespace};
use super::super::unwrap;
use super::texts::{leading_blanks, opening};
use super::values::elements;

/// Ranges of records in a value, each relative to it.
pub(super) type Ranges = Vec<(usize, usize)>;

/// Elements at a container's head that are looked at to tell whether it holds records, as for a whole
/// one.
const LOOKED_AT: usize = 8;

/// Depth is no question here: a record that is too deep is one all the same.
const ANY_DEPTH: u32 = u32::MAX;

/// The objects of a line that is two or more of them, as where a file without a last line end was put
/// before another one. Junk behind a value is none of them: the line stays what it is.
pub(super) fn objects_in_a_row(line: &[u8]) -> Option<Ranges> {
    let mut nodes = Vec::new();
    let mut ranges = Vec::new();
    let mut at = 0;
    loop {
        let rest = line.get(at..).filter(|rest| rest.starts_with(b"{"))?;
        let end = at + read_prefix(rest, ANY_DEPTH, &mut nodes).ok()?;
        ranges.push((at, end));
        let behind = line.get(end..).unwrap_or_default();
        // A tab separates a key from its value: a tool wrote that.
        let blanks = behind.iter().take_while(|byte| **byte == b' ').count();
        let behind = behind.get(blanks..).unwrap_or_default();
        let mark = if behind.starts_with(super::UTF8_BOM) {
            super::UTF8_BOM.len()
        } else {
            0
        };
        at = end + blanks + mark;
        if at >= line.len() {
            return (ranges.len() > 1).then_some(ranges);
        }
    }
}

/// The records of a container that is no whole value. Where the damage is in none of them, the part of
/// the container that has it is a record too: it is not passed over.
pub(super) fn records_of_container(value: &[u8]) -> Option<Ranges> {
    let is_text = std::str::from_utf8(value);
    let mut nodes = Vec::new();
    if is_text.is_ok_and(|text| read(text, MAX_DEPTH, &mut nodes).is_ok()) {
        return None;
    }
    let mut search = Search {
        bytes: value,
        levels: Vec::new(),
        way: None,
        root_names: Vec::new(),
        arrays: Vec::new(),
        ranges: Vec::new(),
        neighbours: Neighbours {
            opening: None,
            budget_bytes: MOST_LOOKS * value.len(),
        },
    };
    search.run();
    let Search {
        root_names,
        arrays,
        mut ranges,
        ..
    } = search;
    if unwrap::names_an_event(&root_names) {
        return None;
    }
    let part = |range: &(usize, usize)| value.get(range.0..range.1).unwrap_or_default();
    let mut objects = ranges
        .iter()
        .map(part)
        .filter(|part| part.starts_with(b"{") || part.starts_with(b"["));
    if !objects.by_ref().take(LOOKED_AT).any(unwrap::is_known) {
        return None;
    }
    if ranges.iter().all(|range| is_whole(part(range))) {
        let outside = damage_outside(value, &arrays);
        let is_something = outside.0 < outside.1;
        ranges.extend(is_something.then_some(outside));
        ranges.sort_unstable();
    }
    Some(ranges)
}

/// Whether an element is one whole value.
fn is_whole(element: &[u8]) -> bool {
    let mut nodes = Vec::new();
    let text = std::str::from_utf8(element);
    text.is_ok_and(|text| read(text, MAX_DEPTH, &mut nodes).is_ok())
}

/// The part of a container outside its arrays of records that makes it no whole value: what follows the
/// last array, or where that is nothing or the damage comes before it, the container's head.
fn damage_outside(value: &[u8], arrays: &[(usize, usize)]) -> (usize, usize) {
    let first = arrays.first().map_or(0, |(start, _)| *start);
    let last = arrays.last().map_or(value.len(), |(_, end)| *end);
    let fault = read_prefix(value, ANY_DEPTH, &mut Vec::new()).err();
    let is_before = fault.is_some_and(|fault| fault.offset_bytes < first);
    let tail = value.get(last..).unwrap_or_default();
    let start = last + skip_whitespace(tail, 0);
    let end = last + tail.trim_ascii_end().len();
    if is_before || start >= end {
        (0, first)
    } else {
        (start, end)
    }
}

/// A bracket that is open, with the name of the member at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level<'b> {
    Object(Option<&'b [u8]>),
    Array,
}

/// Follows a value's brackets to the arrays in which a container has its records.
struct Search<'b> {
    bytes: &'b [u8],
    levels: Vec<Level<'b>>,
    /// The way of the container that it is, once an array of it was found.
    way: Option<&'static [&'static str]>,
    root_names: Vec<&'b [u8]>,
    /// From behind an array's bracket to behind what closes it.
    arrays: Vec<(usize, usize)>,
    ranges: Ranges,
    neighbours: Neighbours<'b>,
}

impl Search<'_> {
    fn run(&mut self) {
        let mut at = 0;
        while let Some(byte) = self.bytes.get(at) {
            let next = match byte {
                b'"' => self.string(at),
                b'{' => {
                    self.levels.push(Level::Object(None));
                    at + 1
                }
                b'[' => self.array(at + 1),
                b'}' | b']' => {
                    self.close(*byte);
                    at + 1
                }
                _ => at + 1,
            };
            // Deeper than any record may be, there are none.
            if self.levels.is_empty() || self.levels.len() > MAX_DEPTH as usize {
                return;
            }
            at = next;
        }
    }

    /// Passes over a string, which is a member's name where a colon follows. A string cannot go on in
    /// the next line: its closing quote is lost.
    fn string(&mut self, quote: usize) -> usize {
        let mut at = quote + 1;
        let end = loop {
            at = skip_plain(self.bytes, at);
            match self.bytes.get(at) {
                Some(b'"') => break at,
                Some(b'\\') => at += 2,
                Some(b'\n') | None => return at,
                Some(_) => at += 1,
            }
        };
        let behind = skip_whitespace(self.bytes, end + 1);
        if self.bytes.get(behind) != Some(&b':') {
            return end + 1;
        }
        let name = self.bytes.get(quote + 1..end).unwrap_or_default();
        if let [Level::Object(_)] = self.levels.as_slice() {
            self.root_names.push(name);
        }
        if let Some(Level::Object(at_hand)) = self.levels.last_mut() {
            *at_hand = Some(name);
        }
        behind + 1
    }

    /// Takes the elements of an array that holds records, and enters any other.
    fn array(&mut self, start: usize) -> usize {
        let way = match self.way {
            Some(way) => Some(way).filter(|way| self.is_at(way)),
            None => unwrap::ways_of_containers().find(|way| self.is_at(way)),
        };
        let Some(way) = way else {
            self.levels.push(Level::Array);
            return start;
        };
        self.way = Some(way);
        let before = self.bytes.get(..start).unwrap_or_default();
        let line = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        let indent = leading_blanks(before.get(line..).unwrap_or_default());
        let neighbours = &mut self.neighbours;
        let end = elements(
            self.bytes,
            start,
            indent,
            &mut self.ranges,
            |rest, length| neighbours.end(rest, length),
        );
        self.arrays.push((start, end));
        end
    }

    /// Whether the array that begins here is where a way ends: the last step is each of its elements.
    fn is_at(&self, way: &[&str]) -> bool {
        let Some((&"*", way)) = way.split_last() else {
            return false;
        };
        let mut steps = way.iter().zip(&self.levels);
        way.len() == self.levels.len()
            && steps.all(|(step, level)| match level {
                Level::Array | Level::Object(None) => *step == "*",
                Level::Object(Some(name)) => *step == "*" || step.as_bytes() == *name,
            })
    }

    /// A closing bracket closes the innermost bracket of its kind, with all that is open inside.
    fn close(&mut self, bracket: u8) {
        let is_object = bracket == b'}';
        let is_same = |level: &Level<'_>| matches!(level, Level::Object(_)) == is_object;
        if let Some(open) = self.levels.iter().rposition(is_same) {
            self.levels.truncate(open);
        }
    }
}

/// How often each byte of a container may be looked at for the next record, on average.
const MOST_LOOKS: usize = 8;

/// Finds the next record behind a damaged one in a text without lines, where a lost quote turns what is
/// a string inside out and brackets tell nothing any more.
struct Neighbours<'b> {
    /// How the first whole record of the container begins; the others begin alike.
    opening: Option<&'b [u8]>,
    /// Bytes that may still be looked at, so that a container of damaged records takes no longer than
    /// a few times its size.
    budget_bytes: usize,
}

impl<'b> Neighbours<'b> {
    /// The length of the element that begins here, where its brackets say this one.
    fn end(&mut self, rest: &'b [u8], length: usize) -> usize {
        let value = rest.get(..length).unwrap_or(rest);
        if !value.starts_with(b"{") {
            // What stands between elements may begin inside a string, and run into the next one.
            return self.next(rest, 0).map_or(length, |next| next.min(length));
        }
        let mut nodes = Vec::new();
        let fault = match read_prefix(value, MAX_DEPTH, &mut nodes) {
            Ok(_) => {
                if self.opening.is_none() && unwrap::is_known(value) {
                    self.opening = opening(value);
                }
                return length;
            }
            Err(fault) => fault.offset_bytes,
        };
        // A string without its closing quote ends inside the next record, where the fault shows.
        let read = value.get(..fault).unwrap_or(value);
        let from = quote(read).and_then(|last| quote(read.get(..last)?));
        match self.next(rest, from.unwrap_or(fault)) {
            // What ends with its own bracket ends there; what ran into the array's may have been a
            // string that was turned inside out.
            Some(next) if next < length || !value.trim_ascii_end().ends_with(b"}") => next,
            _ => length,
        }
    }

    /// Where the next record begins: a whole one that is known, with a comma before it and a comma or
    /// a bracket behind it.
    fn next(&mut self, rest: &'b [u8], fault: usize) -> Option<usize> {
        let mut nodes = Vec::new();
        let mut at = fault.max(1);
        loop {
            let found = memchr::memchr(b'{', rest.get(at..)?)?;
            self.budget_bytes = self.budget_bytes.checked_sub(found + 1)?;
            at += found;
            let value = rest.get(at..)?;
            let before = rest.get(..at)?.trim_ascii_end();
            let is_alike = self
                .opening
                .is_none_or(|opening| value.starts_with(opening));
            if is_alike && before.ends_with(b",") {
                let read = read_prefix(value, MAX_DEPTH, &mut nodes);
                let looked_at = read.unwrap_or_else(|fault| fault.offset_bytes);
                self.budget_bytes = self.budget_bytes.checked_sub(looked_at)?;
                if let Ok(end) = read {
                    let behind = value.get(skip_whitespace(value, end));
                    let is_element = matches!(behind, None | Some(b',' | b']'));
                    if is_element && unwrap::is_known(value.get(..end)?) {
                        return Some(at);
                    }
                }
            }
            at += 1;
        }
    }
}

/// The last quote that has no backslash before it.
fn quote(text: &[u8]) -> Option<usize> {
    let mut quotes = memchr::memrchr_iter(b'"', text);
    quotes.find(|at| at.checked_sub(1).and_then(|before| text.get(before)) != Some(&b'\\'))
}

#[cfg(test)]
#[path = "../broken_tests.rs"]
mod tests;
