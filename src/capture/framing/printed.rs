//! One block of event-display's as its lines come one by one, out of a log that has a wrapper around
//! each of them. It ends where the same block would end bare: `ends` tells both.
//!
//! Lines that were taken may turn out not to be the block's: what looks like an attribute's second line,
//! or what stands below damaged data. They are given back.

use super::super::logged::is_title;
use super::ends::{End, Lines, data, is_no_attribute, is_stray};
use super::joined::Held;
use super::marks::{Reading, is_context, trim};

/// Data that is not whole is read again when so much of it has come, and then when it has doubled.
const READ_AGAIN_BYTES: usize = 4 << 10;

/// A block that is open.
#[derive(Debug)]
pub(super) struct Printed {
    /// What was logged, with a line end behind each line.
    text: Vec<u8>,
    lines: Vec<Line>,
    phase: Phase,
    reading: Reading,
    is_json: bool,
}

/// A line of it: where it lies in the capture, and where what was logged begins.
#[derive(Clone, Copy, Debug)]
struct Line {
    held: Held,
    from: usize,
}

/// A line that was not its own: where it lies, and what was logged.
pub(super) type GivenBack = (Held, Vec<u8>);

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// Titles and attributes.
    Head {
        in_context: bool,
        /// The line that is none of them, unless an attribute follows it.
        unsure: Option<usize>,
    },
    /// The data, from this byte on.
    Data {
        from: usize,
        has_begun: bool,
        depth: Depth,
        read_at: usize,
    },
    /// Data that is no JSON: its end is not known.
    Text,
}

/// How deep inside a JSON value some bytes end, if all of it is well so far.
#[derive(Clone, Copy, Debug, Default)]
struct Depth {
    level: usize,
    in_string: bool,
    is_escaped: bool,
}

impl Depth {
    fn pass(&mut self, bytes: &[u8]) {
        for byte in bytes {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = self.in_string,
                b'"' => self.in_string = !self.in_string,
                _ if self.in_string => {}
                b'{' | b'[' => self.level += 1,
                b'}' | b']' => self.level = self.level.saturating_sub(1),
                _ => {}
            }
        }
    }
}

impl Printed {
    pub(super) fn new() -> Self {
        Self {
            text: Vec::new(),
            lines: Vec::new(),
            phase: Phase::Head {
                in_context: false,
                unsure: None,
            },
            reading: Reading::new(),
            is_json: true,
        }
    }

    /// Takes the next line of its stream. Where the block has ended: how many of its lines are its own.
    pub(super) fn takes(&mut self, held: Held, text: &[u8]) -> Option<usize> {
        let index = self.lines.len();
        let from = self.text.len();
        self.lines.push(Line { held, from });
        self.text.extend_from_slice(text);
        self.text.push(b'\n');
        match self.phase {
            Phase::Head { in_context, unsure } => self.head(index, text, in_context, unsure),
            Phase::Data { .. } => self.data(text),
            Phase::Text => (is_title(text) || is_stray(text)).then_some(index),
        }
    }

    /// How many of its lines are its own where nothing more will come.
    pub(super) fn ends(&self) -> usize {
        let all = self.lines.len();
        match self.phase {
            Phase::Head { unsure, .. } => unsure.unwrap_or(all),
            Phase::Data { from, .. } => match self.data_end(from, true) {
                End::At(end) => self.count_before(end),
                End::Open(from) => self.stray_from(from).unwrap_or(all),
                End::More => all,
            },
            Phase::Text => all,
        }
    }

    /// Where its own lines end, without blank ones, and the lines that are not its own.
    pub(super) fn split(self, own: usize) -> (usize, Vec<GivenBack>) {
        let starts = self.lines.iter().skip(1).map(|line| line.from);
        let ends = starts.chain([self.text.len()]);
        let mut lines = self.lines.iter().zip(ends).map(|(line, end)| {
            let text = self.text.get(line.from..end - 1).unwrap_or_default();
            (line.held, text)
        });
        let mut end = 0;
        for (held, text) in lines.by_ref().take(own.max(1)) {
            if !trim(text).is_empty() {
                end = held.end;
            }
        }
        (
            end,
            lines.map(|(held, text)| (held, text.to_vec())).collect(),
        )
    }

    fn head(
        &mut self,
        index: usize,
        text: &[u8],
        in_context: bool,
        unsure: Option<usize>,
    ) -> Option<usize> {
        let trimmed = trim(text);
        if let Some(unsure) = unsure {
            if trimmed.is_empty() {
                return None;
            }
            if is_no_attribute(text) {
                return Some(unsure);
            }
        }
        let begins = self.reading.event_display(trimmed);
        if index > 0 && (begins || is_stray(text)) {
            return Some(index);
        }
        let mut head = (in_context, None);
        if is_context(trimmed) {
            head.0 = true;
        } else if in_context && matches!(trimmed, b"Data," | b"Data (binary),") {
            self.phase = Phase::Data {
                from: self.text.len(),
                has_begun: false,
                depth: Depth::default(),
                read_at: 0,
            };
            return None;
        } else if let Some(value) = trimmed.strip_prefix(b"datacontenttype:") {
            self.is_json = memchr::memmem::find(value, b"json").is_some();
        } else if in_context && is_no_attribute(text) {
            head.1 = Some(index);
        }
        let (in_context, unsure) = head;
        self.phase = Phase::Head { in_context, unsure };
        None
    }

    fn data(&mut self, text: &[u8]) -> Option<usize> {
        let length = self.text.len();
        let Phase::Data {
            from,
            has_begun,
            depth,
            read_at,
        } = &mut self.phase
        else {
            return None;
        };
        if !*has_begun && trim(text).is_empty() {
            return None;
        }
        depth.pass(text);
        // Only then can it be whole, or be known to be damaged.
        let is_due = !*has_begun || depth.level == 0 || length >= *read_at || is_title(text);
        *has_begun = true;
        if !is_due {
            return None;
        }
        let from = *from;
        *read_at = length + (length - from).max(READ_AGAIN_BYTES);
        match self.data_end(from, false) {
            End::At(end) => Some(self.count_before(end)),
            End::Open(from) => {
                self.phase = Phase::Text;
                self.stray_from(from)
            }
            End::More => None,
        }
    }

    fn data_end(&self, from: usize, ended: bool) -> End {
        let lines = Lines {
            bytes: &self.text,
            at: from,
            ended,
        };
        data(lines, self.reading, self.is_json)
    }

    /// How many lines begin before a byte.
    fn count_before(&self, end: usize) -> usize {
        self.lines.partition_point(|line| line.from < end)
    }

    /// The first line from a byte on that belongs to no text.
    fn stray_from(&self, from: usize) -> Option<usize> {
        let first = self.count_before(from);
        let ends = self.lines.iter().skip(first + 1).map(|line| line.from);
        let lines = self.lines.iter().skip(first);
        let mut lines = lines.zip(ends.chain([self.text.len()]));
        let found = lines.position(|(line, end)| {
            let text = self.text.get(line.from..end - 1).unwrap_or_default();
            is_title(text) || is_stray(text)
        });
        found.map(|found| first + found)
    }
}
