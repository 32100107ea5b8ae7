//! Text whose records may run over several lines: each begins at a line that its tool begins a
//! message with, and goes on to the next such line (capture.md, "Framing": text blocks).
//!
//! The tools escape nothing, so a value with line ends in it goes on below. What ends a block early
//! is a line of noise, and a value that is whole JSON, behind which nothing of it can come: then the
//! last message of a pipe need not wait for the next one. The records depend on the bytes alone, never
//! on how they came.

use super::super::bytes::CaptureError;
use super::super::json::{MAX_DEPTH, read_prefix};
use super::super::unwrap::is_known;
use super::chunk::{Chunk, is_separator};
use super::noise::{self, Sight};
use super::scanning::{Scanned, scanned};
use super::window::Window;

/// Which tool's text it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// kafka-console-consumer: a message begins with `CreateTime:`, `Partition:` and the like.
    ConsoleConsumer,
    /// The confluent command line: the line of headers comes behind the value.
    Confluent,
    /// kafka-dump-log: a message begins with `| offset: `.
    DumpLog,
}

/// A message over many lines is read at most so often to see whether it is whole: a limit that
/// depends on its bytes alone, so that one of very many lines stays cheap.
const MOST_TRIES: u32 = 64;

/// How the confluent command line's line of headers begins.
const HEADERS: &[u8] = b"% Headers: [";

/// What kafka-console-consumer can print before a message, with a number behind it.
const FIELDS: [&[u8]; 6] = [
    b"CreateTime:",
    b"LogAppendTime:",
    b"Partition:",
    b"Offset:",
    b"Delivery:",
    b"Epoch:",
];

/// What the first whole line of a head says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Early {
    /// It is this tool's text.
    Is(Kind),
    /// Each line is a record by itself: a key, a tab and a value.
    Lines,
    /// What stands below it must be read first.
    Unfinished,
    /// Nothing.
    Other,
}

/// What the first whole line of a head says, so that a stream need not be waited for.
pub(super) fn early(head: &[u8], ended: bool) -> Early {
    let head = head.get(noise::leading(head)..).unwrap_or_default();
    let Some(end) = memchr::memchr(b'\n', head) else {
        return Early::Other;
    };
    let (first, below) = head.split_at_checked(end + 1).unwrap_or((head, b""));
    if below.starts_with(HEADERS) || is_confluents(first) {
        return Early::Is(Kind::Confluent);
    }
    if begins_dumped(first) {
        return Early::Is(Kind::DumpLog);
    }
    if begins_consumed(first) {
        return Early::Is(Kind::ConsoleConsumer);
    }
    if is_keyed(first) {
        return Early::Lines;
    }
    // A line of headers may be on its way. An event that is whole without it need not wait.
    let may_come = HEADERS.starts_with(below) && !(below.is_empty() && is_known(first));
    if !ended && may_come {
        return Early::Unfinished;
    }
    Early::Other
}

/// Whether a line is a key that is JSON, a tab, and a value that is.
fn is_keyed(line: &[u8]) -> bool {
    if line.first() != Some(&b'{') {
        return false;
    }
    let Ok(length) = read_prefix(line, MAX_DEPTH, &mut Vec::new()) else {
        return false;
    };
    let value = line.get(length..).and_then(|rest| rest.strip_prefix(b"\t"));
    value.is_some_and(|value| value.starts_with(b"{") || value.starts_with(b"null"))
}

/// Which tool's text a head is, if it is one's whose records may run over several lines.
pub(super) fn detect(head: &[u8]) -> Option<Kind> {
    let start = noise::leading(head);
    let head = head.get(start..)?;
    let mut lines = head.split(|byte| *byte == b'\n');
    let first = lines.next()?;
    if is_confluents(first) || has_headers_line(head) {
        return Some(Kind::Confluent);
    }
    if begins_dumped(first) {
        return Some(Kind::DumpLog);
    }
    begins_consumed(first).then_some(Kind::ConsoleConsumer)
}

/// Whether a line of headers stands below some other line.
fn has_headers_line(head: &[u8]) -> bool {
    memchr::memmem::find_iter(head, HEADERS).any(|at| at > 0 && head.get(at - 1) == Some(&b'\n'))
}

/// Whether a line begins as the confluent command line's: `Timestamp:1 Partition:0 Offset:3⇥`, behind
/// a key and its tab where that is printed.
fn is_confluents(line: &[u8]) -> bool {
    let behind_key = memchr::memchr(b'\t', line).map(|tab| tab + 1);
    let mut places = [Some(0), behind_key].into_iter().flatten();
    places.any(|at| {
        let rest = line.get(at..).unwrap_or_default();
        let fields = rest.split(|byte| *byte == b'\t').next().unwrap_or_default();
        let is_placed = fields.starts_with(b"Partition:")
            && memchr::memmem::find(fields, b" Offset:").is_some()
            && memchr::memmem::find(fields, b"  ").is_none();
        (fields.starts_with(b"Timestamp:") || is_placed) && fields.len() < rest.len()
    })
}

fn begins_dumped(line: &[u8]) -> bool {
    line.starts_with(b"| offset: ")
}

fn begins_consumed(line: &[u8]) -> bool {
    let numbered = FIELDS.iter().find_map(|field| line.strip_prefix(*field));
    match numbered {
        Some(rest) => rest
            .first()
            .is_some_and(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'N')),
        None => line.starts_with(b"NO_TIMESTAMP"),
    }
}

impl Kind {
    /// Whether a message begins at this line, given how the one above it ended.
    fn begins(self, line: &[u8], is_closed: bool) -> bool {
        match self {
            Self::ConsoleConsumer => begins_consumed(line),
            Self::DumpLog => begins_dumped(line),
            Self::Confluent => {
                !line.starts_with(HEADERS)
                    && (is_closed || line.starts_with(b"{") || is_confluents(line))
            }
        }
    }

    /// Whether nothing can follow these lines of one message, the last of which is `line`. `tries`:
    /// how often the whole message may still be read for that.
    fn closes(self, block: &[u8], line: &[u8], tries: &mut u32) -> bool {
        match self {
            Self::ConsoleConsumer | Self::DumpLog if *tries > 0 && line.contains(&b'}') => {
                *tries -= 1;
                is_whole(block)
            }
            Self::ConsoleConsumer | Self::DumpLog => false,
            Self::Confluent => line.starts_with(HEADERS),
        }
    }
}

/// Whether a message ends with whole JSON, or with that and a number behind it. A key may be JSON too.
fn is_whole(block: &[u8]) -> bool {
    let block = block.trim_ascii_end();
    let digits = block
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let numbered = block.get(..block.len() - digits).unwrap_or(block);
    let block = match numbered.strip_suffix(b"\t") {
        Some(shorter) if digits > 0 => shorter,
        _ => block,
    };
    if block.last() != Some(&b'}') {
        return false;
    }
    let mut nodes = Vec::new();
    let mut from = 0;
    while let Some(at) = memchr::memchr(b'{', block.get(from..).unwrap_or_default()) {
        let start = from + at;
        let rest = block.get(start..).unwrap_or_default();
        match read_prefix(rest, MAX_DEPTH, &mut nodes) {
            Ok(length) if start + length == block.len() => return true,
            Ok(length) => from = start + length,
            // The value goes on below, or is damaged: its end is not known here.
            Err(_) => return false,
        }
    }
    false
}

/// The state between blocks.
#[derive(Debug)]
pub(super) struct Blocks {
    kind: Kind,
}

impl Blocks {
    pub(super) fn new(kind: Kind) -> Self {
        Self { kind }
    }

    pub(super) fn next_chunk(
        &self,
        window: &mut Window<'_>,
        chunk_bytes: usize,
        keep_bytes: usize,
    ) -> Result<Option<Chunk>, CaptureError> {
        let scan = |bytes: &[u8], ended| self.scan(bytes, ended);
        match scanned(window, chunk_bytes, keep_bytes, scan)? {
            Scanned::Chunk(chunk) => Ok(Some(chunk)),
            Scanned::TooLong => pass_long_block(self.kind, window, chunk_bytes).map(Some),
            Scanned::End => Ok(None),
        }
    }

    /// The whole blocks in the window, and the bytes that are done with.
    fn scan(&self, bytes: &[u8], ended: bool) -> (Vec<(usize, usize)>, usize) {
        let mut ranges = Vec::new();
        let mut consumed = 0;
        loop {
            let rest = bytes.get(consumed..).unwrap_or_default();
            let blank = rest.iter().take_while(|byte| is_separator(**byte)).count();
            let start = consumed + blank;
            let rest = bytes.get(start..).unwrap_or_default();
            if rest.is_empty() {
                return (ranges, if ended { bytes.len() } else { consumed });
            }
            match noise::sight(rest, ended) {
                Sight::Noise(length) => consumed = start + length,
                Sight::Unfinished => return (ranges, consumed),
                Sight::Other => match self.block_end(rest, ended) {
                    Some(length) => {
                        let block = rest.get(..length).unwrap_or(rest);
                        // A tab at the end has an empty value behind it.
                        let is_kept = |byte: &u8| *byte == b'\t' || !is_separator(*byte);
                        let kept = block.iter().rposition(is_kept);
                        ranges.push((start, start + kept.map_or(length, |last| last + 1)));
                        consumed = start + length;
                    }
                    None => return (ranges, consumed),
                },
            }
        }
    }

    /// The length of the block that begins here; `None`: more must be read to know.
    fn block_end(&self, rest: &[u8], ended: bool) -> Option<usize> {
        let first = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end);
        let is_message = self
            .kind
            .begins(rest.get(..first).unwrap_or_default(), true);
        let mut end = 0;
        let mut tries = MOST_TRIES;
        loop {
            let line = rest.get(end..).unwrap_or_default();
            let Some(length) = memchr::memchr(b'\n', line) else {
                return ended.then_some(rest.len());
            };
            let line = line.get(..length).unwrap_or_default();
            end += length + 1;
            let block = rest.get(..end - 1).unwrap_or_default();
            // What stands where no message begins is a record by itself, line by line.
            if !is_message || self.kind.closes(block, line, &mut tries) {
                return Some(end);
            }
            let below = rest.get(end..).unwrap_or_default();
            let next_end = memchr::memchr(b'\n', below);
            let next_end = next_end.or_else(|| ended.then_some(below.len()))?;
            let next = below.get(..next_end).unwrap_or_default();
            let is_next = self.kind.begins(next, false);
            if below.is_empty() || is_next || noise::is_noise(next) {
                return Some(end);
            }
        }
    }
}

/// Passes over a block that is longer than a record may be, without keeping it.
fn pass_long_block(
    kind: Kind,
    window: &mut Window<'_>,
    chunk_bytes: usize,
) -> Result<Chunk, CaptureError> {
    let mut long = Long {
        kind,
        length_bytes: 0,
        lines: 0,
        is_at_line: false,
    };
    let offset_bytes = window.offset_bytes();
    loop {
        let (passed, is_done) = long.pass(window.filled(), window.has_ended());
        window.pass(passed);
        if is_done || !window.read_more(chunk_bytes)? && window.filled().is_empty() {
            return Ok(Chunk::too_long(offset_bytes, long.length_bytes, long.lines));
        }
    }
}

/// So much of a line tells whether a message begins with it.
const TELLING_BYTES: usize = 64 << 10;

/// A block that is being passed over.
struct Long {
    kind: Kind,
    length_bytes: u64,
    lines: u64,
    /// What comes next begins a line, and may begin the next message.
    is_at_line: bool,
}

impl Long {
    /// The bytes that belong to the block, and whether it ends with them.
    fn pass(&mut self, bytes: &[u8], ended: bool) -> (usize, bool) {
        let mut at = 0;
        let is_done = loop {
            let rest = bytes.get(at..).unwrap_or_default();
            let end = memchr::memchr(b'\n', rest);
            if self.is_at_line {
                let is_telling = ended || rest.len() >= TELLING_BYTES;
                let Some(length) = end.or_else(|| is_telling.then_some(rest.len())) else {
                    break false;
                };
                let line = rest.get(..length).unwrap_or_default();
                if self.kind.begins(line, false) || noise::is_noise(line) {
                    break true;
                }
                self.is_at_line = false;
            }
            let Some(end) = end else {
                at = bytes.len();
                break false;
            };
            at += end + 1;
            self.lines += 1;
            self.is_at_line = true;
        };
        self.length_bytes += at as u64;
        (at, is_done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(kind: Kind, text: &str, ended: bool) -> (Vec<&str>, usize) {
        let (ranges, consumed) = Blocks::new(kind).scan(text.as_bytes(), ended);
        let blocks = ranges
            .into_iter()
            .filter_map(|(from, to)| text.get(from..to));
        (blocks.collect(), consumed)
    }

    #[test]
    fn a_message_goes_on_to_the_next_ones_beginning() {
        let text = "Partition:0\tk\t{\n \"a\": 1\n}\nPartition:1\tk\tplain\nmore\nProcessed a total of 2 messages\n";
        let (found, consumed) = blocks(Kind::ConsoleConsumer, text, true);
        let wanted = [
            "Partition:0\tk\t{\n \"a\": 1\n}",
            "Partition:1\tk\tplain\nmore",
        ];
        assert_eq!(found, wanted);
        assert_eq!(consumed, text.len());
    }

    #[test]
    fn a_whole_value_ends_its_message_and_the_rest_is_records_by_itself() {
        let text = "Partition:0\t{\"k\":1}\t{\"a\":1}\t3\nstray\nstray too\n";
        let (found, _) = blocks(Kind::ConsoleConsumer, text, true);
        assert_eq!(
            found,
            ["Partition:0\t{\"k\":1}\t{\"a\":1}\t3", "stray", "stray too"]
        );
        // Nothing else need come.
        let (found, consumed) = blocks(Kind::ConsoleConsumer, "Offset:1\t{}\n", false);
        assert_eq!((found, consumed), (vec!["Offset:1\t{}"], 12));
    }

    #[test]
    fn headers_belong_to_the_value_above() {
        let text =
            "{\"a\":1}\n% Headers: [ce_id=\"1\"]\n{\"a\":2}\n{\n\"a\":3}\n% Headers: [x=nil]\n";
        let (found, _) = blocks(Kind::Confluent, text, true);
        let wanted = [
            "{\"a\":1}\n% Headers: [ce_id=\"1\"]",
            "{\"a\":2}",
            "{\n\"a\":3}\n% Headers: [x=nil]",
        ];
        assert_eq!(found, wanted);
        assert_eq!(detect(text.as_bytes()), Some(Kind::Confluent));
    }

    #[test]
    fn blocks_do_not_depend_on_how_their_bytes_came() {
        let consumed = "% Auto-selecting Consumer mode (use -P or -C to override)\nCreateTime:1\tk\t{\"a\":\n1}\n\nOffset:2\tnull\nmore\n^C\nstray\nOffset:3\t{}";
        let confluent = "k\tPartition:0 Offset:1\t{\"a\":1}\r\n% Headers: [a=\"b\"]\r\nk\tPartition:0 Offset:2\t\n{}";
        let dumped = "| offset: 0 headerKeys: [] payload: a\nb\nbaseOffset: 1 \n| offset: 1 headerKeys: [] key: k";
        for (kind, text) in [
            (Kind::ConsoleConsumer, consumed),
            (Kind::Confluent, confluent),
            (Kind::DumpLog, dumped),
        ] {
            let (whole, _) = blocks(kind, text, true);
            assert_eq!(detect(text.as_bytes()), Some(kind));
            for cut in (0..text.len()).filter(|cut| text.is_char_boundary(*cut)) {
                let (mut pieces, done) = blocks(kind, text.get(..cut).unwrap_or_default(), false);
                let (rest, _) = blocks(kind, text.get(done..).unwrap_or_default(), true);
                pieces.extend(rest);
                assert_eq!(pieces, whole, "{kind:?} cut at {cut}");
            }
        }
    }
}
