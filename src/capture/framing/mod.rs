//! Where records begin and end in the capture's bytes (capture.md, "Framing").
//!
//! The framer reads the capture in order and hands out chunks of whole records, about 256 KiB
//! each; a chunk is taken apart on any thread. Only what must be known in order is done here: the
//! kind of framing, and where a chunk may be cut.
//!
//! ```text
//! Input ─▶ window ─┬─ lines: cut at the last line end ──────────┐
//!                  ├─ values: cut behind the last whole value ──┼─▶ Chunk ─▶ records
//!                  ├─ blocks: cut before the last message ──────┤
//!                  ├─ template: cut behind the last that fits ──┤
//!                  └─ sections: cut before the last that begins ┘
//! ```
//!
//! Lines, and what is left of a block, end where a text block's title stands bare in the capture's head
//! (`watch`): from there on it is sections. Whole values do not: blocks between them are records (`texts`).

mod batch;
mod blocks;
mod broken;
mod chunk;
mod cut;
mod detect;
mod ends;
mod joined;
mod lines;
pub(in crate::capture) mod marks;
mod matching;
pub(in crate::capture) mod messages;
mod noise;
mod outline;
mod pretty;
mod printed;
mod scanning;
mod sections;
mod streams;
mod templated;
mod texts;
mod values;
mod watch;
mod window;

pub use chunk::{Chunk, Frame, Tally};
pub use detect::Framing;
pub use marks::Tool;
pub use noise::{is_error, is_noise};
pub use outline::Outline;

use super::bytes::{CaptureError, Input, UTF8_BOM};
use super::take::MAX_RECORD_BYTES;
use super::template::Template;
use blocks::{Blocks, Early};
use lines::{next_lines, pass_long_line};
use scanning::{Scanned, scanned};
use sections::Sections;
use values::Values;
use watch::{First, Watch};
use window::Window;

/// Bytes of a chunk, if its records allow it: what a core's second cache holds beside all else.
pub const CHUNK_BYTES: usize = 1 << 18;

/// How much of the capture's head decides its framing.
const HEAD_BYTES: usize = 256 << 10;

/// Bytes that stand around a record on its line (spaces, a carriage return) without making it too
/// long; what is longer is passed over without being kept.
const SLACK_BYTES: usize = 4 << 10;

/// Reads a capture in order, chunk by chunk.
#[derive(Debug)]
pub struct Framer<'i> {
    window: Window<'i>,
    mode: Mode,
    has_bom: bool,
    chunk_bytes: usize,
    record_bytes: usize,
    template: Option<&'static Template>,
    /// The user says that the capture holds text blocks.
    has_blocks: bool,
}

#[derive(Debug)]
enum Mode {
    /// Nothing has been read yet.
    Fresh,
    Lines {
        separator: u8,
        watch: Watch,
    },
    Values {
        values: Values,
        watch: Watch,
    },
    Sections(Sections),
    Blocks(Blocks),
    Templated(&'static Template),
}

/// What the screen says of a capture's framing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FramingFacts {
    /// Its kind; `None` before the first chunk.
    pub framing: Option<Framing>,
    /// It begins with a UTF-8 byte order mark, which was passed over.
    pub has_bom: bool,
    /// An array was not closed: the capture may be cut off.
    pub unclosed_array: bool,
}

impl<'i> Framer<'i> {
    /// A framer at the start of a capture.
    pub fn new(input: &'i Input) -> Self {
        Self::with_sizes(input, CHUNK_BYTES, MAX_RECORD_BYTES)
    }

    /// With other sizes, which change nothing in the records but where the limit is: for tests.
    pub fn with_sizes(input: &'i Input, chunk_bytes: usize, record_bytes: usize) -> Self {
        Self {
            window: Window::new(input),
            mode: Mode::Fresh,
            has_bom: false,
            chunk_bytes: chunk_bytes.max(1),
            record_bytes,
            template: None,
            has_blocks: false,
        }
    }

    /// The same, where a template tells the records apart, whatever else they look like.
    #[must_use]
    pub fn by_template(mut self, template: Option<&'static Template>) -> Self {
        self.template = template;
        self
    }

    /// The same, where text blocks are looked for in all of the capture and not in its head alone.
    #[must_use]
    pub fn for_blocks(mut self, has_blocks: bool) -> Self {
        self.has_blocks = has_blocks;
        self
    }

    /// The next chunk of whole records; `None` at the end. A stream's chunks come as its records do.
    /// Errors: the bytes cannot be read, or are no text (UTF-16); behind the last chunk, why the text
    /// ended before the capture did.
    pub fn next_chunk(&mut self) -> Result<Option<Chunk>, CaptureError> {
        if matches!(self.mode, Mode::Fresh) {
            self.start()?;
        }
        self.turn()?;
        let chunk = match &mut self.mode {
            Mode::Fresh => None,
            Mode::Lines { separator, watch } => {
                let keep = (self.chunk_bytes, self.record_bytes);
                next_lines(&mut self.window, *separator, watch, keep)?
            }
            Mode::Values { values, watch } => {
                let keep = self.record_bytes + SLACK_BYTES;
                values.next_chunk(&mut self.window, watch, self.chunk_bytes, keep)?
            }
            Mode::Sections(sections) => {
                let keep = self.record_bytes + SLACK_BYTES;
                sections.next_chunk(&mut self.window, self.chunk_bytes, keep)?
            }
            Mode::Blocks(blocks) => {
                let keep = self.record_bytes + SLACK_BYTES;
                blocks.next_chunk(&mut self.window, self.chunk_bytes, keep)?
            }
            Mode::Templated(template) => {
                let template = *template;
                self.next_templated(template)?
            }
        };
        match chunk {
            Some(chunk) => Ok(Some(chunk)),
            None => self.window.fault().map_or(Ok(None), Err),
        }
    }

    /// Gives a chunk's memory back, so that the next one costs none.
    pub fn recycle(&mut self, chunk: Chunk) {
        self.window.recycle(chunk.into_storage());
    }

    /// What is known of the framing so far.
    pub fn facts(&self) -> FramingFacts {
        let (framing, unclosed_array) = match &self.mode {
            Mode::Fresh => (None, false),
            Mode::Lines { separator: 0, .. } => (Some(Framing::NulSeparated), false),
            Mode::Lines { .. } => (Some(Framing::Lines), false),
            Mode::Values { values, .. } => (Some(values.framing()), values.unclosed_array()),
            Mode::Sections(sections) => (Some(sections.framing()), false),
            Mode::Blocks(_) | Mode::Templated(_) => (Some(Framing::Text), false),
        };
        FramingFacts {
            framing,
            has_bom: self.has_bom,
            unclosed_array,
        }
    }

    /// Reads as much of the head as it takes to know the framing.
    fn start(&mut self) -> Result<(), CaptureError> {
        while self.window.filled().len() < 4 && self.window.read_more(self.chunk_bytes)? {}
        self.window.check_text()?;
        if self.window.filled().starts_with(UTF8_BOM) {
            self.has_bom = true;
            self.window.pass(UTF8_BOM.len());
        }
        if let Some(template) = self.template {
            self.mode = Mode::Templated(template);
            return Ok(());
        }
        self.mode = loop {
            let filled = self.window.filled();
            let head = filled.get(..HEAD_BYTES).unwrap_or(filled);
            let early = match blocks::early(head, self.window.has_ended()) {
                Early::Is(kind) => break Mode::Blocks(Blocks::new(kind)),
                Early::Lines => Some(Framing::Lines),
                Early::Unfinished => None,
                Early::Other => detect::early(without_noise(head)),
            };
            if let Some(framing) = early {
                break mode(framing, self.reach());
            }
            let enough = filled.len() >= HEAD_BYTES;
            if enough || !self.window.read_more(HEAD_BYTES)? {
                let head = self.window.filled();
                let head = head.get(..HEAD_BYTES).unwrap_or(head);
                if let Some(kind) = blocks::detect(head) {
                    break Mode::Blocks(Blocks::new(kind));
                }
                // Its first bytes may have come one by one.
                self.window.check_text()?;
                let head = without_noise(head);
                // Waiting for more of a stream must not change what a file gets.
                let early = detect::early(head);
                let framing =
                    early.unwrap_or_else(|| detect::detect(head, self.window.has_ended()));
                break mode(framing, self.reach());
            }
        };
        Ok(())
    }

    /// Up to where text blocks are looked for among other records.
    fn reach(&self) -> u64 {
        if self.has_blocks {
            u64::MAX
        } else {
            HEAD_BYTES as u64
        }
    }

    /// Where text blocks begin at the window's start, reads blocks from here on.
    fn turn(&mut self) -> Result<(), CaptureError> {
        let watch = match &mut self.mode {
            Mode::Lines {
                separator: b'\n',
                watch,
            }
            | Mode::Values { watch, .. } => watch,
            Mode::Fresh
            | Mode::Lines { .. }
            | Mode::Sections(_)
            | Mode::Blocks(_)
            | Mode::Templated(_) => return Ok(()),
        };
        loop {
            match watch.first(&self.window) {
                First::Turns(tool) => {
                    self.mode = Mode::Sections(Sections::new(tool));
                    return Ok(());
                }
                First::Open if !self.window.has_ended() => {
                    self.window.read_more(self.chunk_bytes)?;
                }
                First::Open | First::Other => return Ok(()),
            }
        }
    }

    /// Records that a template tells apart.
    fn next_templated(&mut self, template: &Template) -> Result<Option<Chunk>, CaptureError> {
        let keep = self.record_bytes + SLACK_BYTES;
        let scan = |bytes: &[u8], ended| templated::scan(template, bytes, ended);
        match scanned(&mut self.window, self.chunk_bytes, keep, scan)? {
            Scanned::Chunk(chunk) => Ok(Some(chunk)),
            Scanned::TooLong => pass_long_line(&mut self.window, b'\n', self.chunk_bytes).map(Some),
            Scanned::End => Ok(None),
        }
    }
}

/// What a tool says before its first record tells nothing of how the records follow each other.
fn without_noise(head: &[u8]) -> &[u8] {
    head.get(noise::leading(head)..).unwrap_or_default()
}

/// A line without the byte order marks before it, which stand where files that begin with one were put
/// together.
fn without_marks(mut line: &[u8]) -> &[u8] {
    while let Some(rest) = line.strip_prefix(UTF8_BOM) {
        line = rest;
    }
    line
}

fn mode(framing: Framing, reach: u64) -> Mode {
    let lines = |separator| Mode::Lines {
        separator,
        watch: Watch::new(true, reach),
    };
    let values = |reach| Mode::Values {
        values: Values::new(framing),
        watch: Watch::new(false, reach),
    };
    match framing {
        Framing::Lines | Framing::Text => lines(b'\n'),
        Framing::NulSeparated => lines(0),
        Framing::Concatenated => values(reach),
        // An array that is damaged stays one.
        Framing::Array => values(0),
        Framing::Blocks(tool) => Mode::Sections(Sections::at_start(tool)),
    }
}

#[cfg(test)]
#[path = "../joined_tests.rs"]
mod joined_tests;
#[cfg(test)]
#[path = "../mixed_tests.rs"]
mod mixed_tests;
#[cfg(test)]
#[path = "../streams_tests.rs"]
mod streams_tests;
#[cfg(test)]
#[path = "../framing_tests.rs"]
mod tests;
