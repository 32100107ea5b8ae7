//! Which framing a capture has, from its head (capture.md, "Framing").

use super::super::json::{Fault, FaultKind, read_prefix, skip_whitespace};
use super::super::pieces;
use super::chunk::is_separator;
use super::marks::{Told, Tool, told};

/// How records follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// One value a line.
    Lines,
    /// Values with a NUL between them.
    NulSeparated,
    /// Values one after the other, each over as many lines as it likes.
    Concatenated,
    /// One array.
    Array,
    /// Blocks of text, each from a line that this tool begins a record with.
    Blocks(Tool),
    /// A tool's text, where a record may run over several lines.
    Text,
}

impl Framing {
    /// The name in the trace document.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lines => "jsonl",
            Self::NulSeparated => "json-nul",
            Self::Concatenated => "json-concatenated",
            Self::Array => "json-array",
            Self::Blocks(_) => "text-blocks",
            Self::Text => "text",
        }
    }
}

/// Depth is no question of framing: a value that is too deep is still one value.
const ANY_DEPTH: u32 = u32::MAX;

/// The framing where the first value alone makes it certain: then a stream need not be waited for,
/// and a file gets the same answer.
pub(super) fn early(head: &[u8]) -> Option<Framing> {
    let start = skip_separators(head, 0);
    let rest = head.get(start..)?;
    if begins_as_log(rest) {
        return Some(Framing::Lines);
    }
    if rest.first() != Some(&b'{') {
        return match told(head, false) {
            Told::Blocks(tool) => Some(Framing::Blocks(tool)),
            Told::Logged => Some(Framing::Lines),
            // What stands further down changes nothing then.
            Told::Other if pieces::begins_with_date(rest) => Some(Framing::Lines),
            Told::Other | Told::Open => None,
        };
    }
    let end = read_prefix(rest, ANY_DEPTH, &mut Vec::new()).ok()?;
    let over_lines = memchr::memchr(b'\n', rest.get(..end)?).is_some();
    let behind = rest.get(end..)?;
    let blank = behind
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
        .count();
    match (behind.get(blank)?, behind.get(blank + 1)) {
        (0, Some(next)) if *next != b'\n' => Some(Framing::NulSeparated),
        (0, _) => None,
        _ if over_lines => Some(Framing::Concatenated),
        (b'\n', _) => Some(Framing::Lines),
        _ => None,
    }
}

/// Whether a text begins as a log's line does, which other rules would take for a number, an array or
/// a string: with a moment and what a container wrote then, with kubectl's `[pod/…]`, or with a member
/// as stern's extjson has it.
fn begins_as_log(head: &[u8]) -> bool {
    let marks: [&[u8]; 3] = [b"[pod/", b"\"pod\": \"", b"\"namespace\": \""];
    if marks.iter().any(|mark| head.starts_with(mark)) {
        return true;
    }
    // A tool's own log may stand before its records, which are no lines then.
    let behind = memchr::memchr(b' ', head).and_then(|space| head.get(space + 1..));
    let writes: [&[u8]; 4] = [b"{", b"stdout ", b"stderr ", b"\x1b["];
    pieces::begins_with_date(head)
        && behind.is_some_and(|behind| writes.iter().any(|write| behind.starts_with(write)))
}

/// The framing by the whole head. `complete`: the head is the whole capture.
pub(super) fn detect(head: &[u8], complete: bool) -> Framing {
    let start = skip_separators(head, 0);
    match told(head, complete) {
        Told::Blocks(tool) => return Framing::Blocks(tool),
        Told::Logged => return Framing::Lines,
        Told::Other | Told::Open => {}
    }
    // What a log's first line is about need not be an event.
    if head.get(start..).is_some_and(pieces::begins_with_date) {
        return Framing::Lines;
    }
    let values = Sequence::read(head);
    let lines = Evidence::read(head, complete);
    let clean = match values.fault {
        None => true,
        // The head ends inside a value, but the capture does not.
        Some(fault) => fault.kind == FaultKind::UnexpectedEnd && !complete,
    };
    if head.get(start) == Some(&b'[') {
        return array_or_lines(head, complete, clean, &values, &lines);
    }
    if values.nul_between {
        return Framing::NulSeparated;
    }
    if clean && values.over_lines {
        return Framing::Concatenated;
    }
    if lines.openers > lines.whole {
        return Framing::Concatenated;
    }
    if lines.whole > 0 {
        return Framing::Lines;
    }
    if lines.openers > 0 || values.on_one_line {
        return Framing::Concatenated;
    }
    Framing::Lines
}

/// A head that begins with `[`: one array is all there is, or its lines are values.
fn array_or_lines(
    head: &[u8],
    complete: bool,
    clean: bool,
    values: &Sequence,
    lines: &Evidence,
) -> Framing {
    if clean {
        return if values.count <= 1 {
            Framing::Array
        } else if values.over_lines {
            Framing::Concatenated
        } else if values.on_one_line {
            Framing::Array
        } else {
            Framing::Lines
        };
    }
    if lines.first_is_text {
        return Framing::Lines;
    }
    let opens_alone = lines.first_is_bracket && lines.whole <= 1;
    if opens_alone || lines.with_comma > lines.whole {
        return Framing::Array;
    }
    if lines.whole > 0 {
        return Framing::Lines;
    }
    let one_line = memchr::memchr(b'\n', head.trim_ascii()).is_none();
    let closes = head.trim_ascii_end().ends_with(b"]");
    if lines.nested_openers > 0 || one_line || closes || !complete {
        Framing::Array
    } else {
        Framing::Lines
    }
}

fn skip_separators(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|byte| is_separator(*byte)) {
        at += 1;
    }
    at
}

/// The head read as values one after the other, as far as that goes.
#[derive(Debug, Default)]
struct Sequence {
    count: usize,
    /// A value has a line end inside.
    over_lines: bool,
    /// Two objects or arrays stand on one line; a log's date is a row of numbers to the reader.
    on_one_line: bool,
    /// A NUL separates two values, and no line end does.
    nul_between: bool,
    fault: Option<Fault>,
}

impl Sequence {
    fn read(head: &[u8]) -> Self {
        let mut sequence = Self::default();
        let mut nodes = Vec::new();
        let mut end = 0;
        let mut was_bracketed = false;
        loop {
            let start = skip_separators(head, end);
            let gap = head.get(end..start).unwrap_or_default();
            let Some(rest) = head.get(start..).filter(|rest| !rest.is_empty()) else {
                return sequence;
            };
            let new_line = memchr::memchr(b'\n', gap).is_some();
            let is_bracketed = matches!(rest.first(), Some(b'{' | b'['));
            if sequence.count > 0 && !new_line {
                sequence.nul_between |= gap.contains(&0);
                sequence.on_one_line |= !gap.contains(&0) && was_bracketed && is_bracketed;
            }
            was_bracketed = is_bracketed;
            match read_prefix(rest, ANY_DEPTH, &mut nodes) {
                Ok(length) => {
                    let value = rest.get(..length).unwrap_or_default();
                    sequence.over_lines |= memchr::memchr(b'\n', value).is_some();
                    sequence.count += 1;
                    end = start + length;
                }
                Err(fault) => {
                    sequence.fault = Some(fault);
                    let unfinished = fault.kind == FaultKind::UnexpectedEnd;
                    let first = sequence.count == 0;
                    sequence.over_lines |=
                        unfinished && first && memchr::memchr(b'\n', rest).is_some();
                    return sequence;
                }
            }
        }
    }
}

/// What the head's lines look like, each by itself: what is left to go by where something is damaged.
#[derive(Debug, Default)]
struct Evidence {
    /// Lines that are whole objects, no further to the right than the first line.
    whole: usize,
    /// The same with a comma behind: elements of an array.
    with_comma: usize,
    /// Lines that are `{` and no more, no further to the right than the first line.
    openers: usize,
    /// Lines that are `{` and no more, anywhere.
    nested_openers: usize,
    /// The first line is `[` and no more.
    first_is_bracket: bool,
    /// The first line begins with a bracket that no array of records has: `[main] INFO …`.
    first_is_text: bool,
}

impl Evidence {
    fn read(head: &[u8], complete: bool) -> Self {
        let mut evidence = Self::default();
        let mut nodes = Vec::new();
        let mut first_indent = None;
        let mut lines = head.split(|byte| *byte == b'\n').peekable();
        while let Some(line) = lines.next() {
            let is_cut_off = lines.peek().is_none() && !complete;
            let trimmed = trim(line);
            if trimmed.is_empty() || is_cut_off {
                continue;
            }
            let indent = skip_whitespace(line, 0);
            let first = *first_indent.get_or_insert_with(|| {
                evidence.first_is_bracket = trimmed == b"[";
                evidence.first_is_text = is_text_in_brackets(trimmed);
                indent
            });
            if trimmed == b"{" {
                evidence.nested_openers += 1;
                evidence.openers += usize::from(indent <= first);
                continue;
            }
            if !trimmed.starts_with(b"{") {
                continue;
            }
            let Ok(end) = read_prefix(trimmed, ANY_DEPTH, &mut nodes) else {
                continue;
            };
            match trimmed.get(end..).map(trim) {
                Some([]) if indent <= first => evidence.whole += 1,
                Some([b',']) => evidence.with_comma += 1,
                _ => {}
            }
        }
        evidence
    }
}

/// Whether a line begins with a text in brackets, as many logs' lines do.
fn is_text_in_brackets(line: &[u8]) -> bool {
    let Some(inside) = line.strip_prefix(b"[") else {
        return false;
    };
    let begins = inside.get(skip_whitespace(inside, 0));
    let may_be_array = matches!(begins, None | Some(b'{' | b'[' | b'"' | b']' | b','));
    let fault = read_prefix(line, ANY_DEPTH, &mut Vec::new()).err();
    !may_be_array && fault.is_some_and(|fault| fault.kind != FaultKind::UnexpectedEnd)
}

fn trim(bytes: &[u8]) -> &[u8] {
    let start = bytes
        .iter()
        .position(|byte| !is_separator(*byte))
        .unwrap_or(bytes.len());
    let end = bytes
        .iter()
        .rposition(|byte| !is_separator(*byte))
        .map_or(start, |last| last + 1);
    bytes.get(start..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Framing {
        early(text.as_bytes()).unwrap_or_else(|| detect(text.as_bytes(), true))
    }

    #[test]
    fn undamaged_captures() {
        for (text, framing) in [
            ("", Framing::Lines),
            ("{}\n{}\n", Framing::Lines),
            ("{}", Framing::Lines),
            ("\n\n{\"a\":1}\r\n{}\r\n", Framing::Lines),
            ("1\n\"a\"\nnull\n", Framing::Lines),
            ("[{}]\n[{},{}]\n", Framing::Lines),
            ("{}{}", Framing::Concatenated),
            ("{}\0{}\0", Framing::NulSeparated),
            ("{}\0\n{}\0\n", Framing::Lines),
            ("\u{1e}{}\n\u{1e}{}\n", Framing::Lines),
            ("{\n \"a\": 1\n}\n{}\n", Framing::Concatenated),
            ("[]", Framing::Array),
            (" [ ]\n", Framing::Array),
            ("[{},{}]\n", Framing::Array),
            ("[\n{},\n{}\n]\n", Framing::Array),
            ("[\n  {\n  \"a\": 1\n  }\n]", Framing::Array),
            (
                "{\n  \"a\": [\n    {\"b\":1},\n    {\"b\":2}\n  ]\n}",
                Framing::Concatenated,
            ),
        ] {
            assert_eq!(whole(text), framing, "{text:?}");
        }
    }

    #[test]
    fn damage_does_not_change_the_framing() {
        for (text, framing) in [
            ("nonsense\n{}\n{}\n", Framing::Lines),
            ("{\"a\":[1,\n{}\n", Framing::Lines),
            ("{\"a\":{\n{}\n{}\n", Framing::Lines),
            ("[1,2\n{}\n{}\n", Framing::Lines),
            ("[{\"a\":1},{\"b\n{}\n{}\n", Framing::Lines),
            ("[\n{},\n{\"a\":},\n{}\n]\n", Framing::Array),
            ("[{},{\"a\":},{}]", Framing::Array),
            (
                "[\n  {\n  \"a\": 1\n  },\n  {\n  \"a\"\n  }\n]",
                Framing::Array,
            ),
            ("{\n  \"a\": 1\n\n{\n  \"a\": 2\n}\n", Framing::Concatenated),
            ("nonsense", Framing::Lines),
            ("2026-03-02 09:00:00.123 INFO {\"a\":1}\n", Framing::Lines),
            ("02/03/2026 09:00:00 {\"a\":1}", Framing::Lines),
            ("1772442000 {}\n1772442001 {}\n", Framing::Lines),
            ("[main] INFO {}\n[main] INFO {}\n", Framing::Lines),
            ("[2026-03-02 09:00:00] INFO [{}]", Framing::Lines),
            ("{}{}\n{}{}\n", Framing::Concatenated),
        ] {
            assert_eq!(whole(text), framing, "{text:?}");
        }
    }

    #[test]
    fn the_first_value_decides_early() {
        assert_eq!(early(b"{\"a\":1}"), None);
        assert_eq!(early(b"{\"a\":1}\n"), Some(Framing::Lines));
        assert_eq!(early(b"{\n}\n"), Some(Framing::Concatenated));
        assert_eq!(early(b"{\n}\0{"), Some(Framing::NulSeparated));
        assert_eq!(early(b"{} {}"), None);
        assert_eq!(early(b"["), None);
    }

    #[test]
    fn a_log_is_known_by_its_first_lines() {
        for text in [
            "web-1  | \u{2601}\u{fe0f}  cloudevents.Event\n".to_owned(),
            "web web listening\nweb web Context Attributes,\n".to_owned(),
            "2026-03-02T09:00:00Z listening\n2026-03-02T09:00:00Z Validation: valid\n".to_owned(),
            // What stands further down cannot change it.
            "2026-03-02T09:00:00Z listening\n".repeat(40),
        ] {
            assert_eq!(early(text.as_bytes()), Some(Framing::Lines), "{text:?}");
            assert_eq!(whole(&text), Framing::Lines, "{text:?}");
        }
        assert_eq!(early(b"2026-03-02T09:00:00Z listening\n"), None);
    }
}
