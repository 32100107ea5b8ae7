//! Text that can be drawn. Bytes from a capture can hold terminal commands, text that runs backwards
//! or nothing visible at all; a widget may drop such characters silently, and then two different
//! values look the same. Here every one of them becomes a visible escape, and only [`Safe`] is drawn.
//!
//! Three spellings, each for one origin:
//!
//! ```text
//! value    a<TAB>b → a\tb      a\tb → a\\tb     a backslash always starts an escape
//! source   a<TAB>b → a\u{9}b   a\tb → a\tb      a backslash stays, as JSON source is full of them
//! own      composed by this program: spaces at the ends and backslashes stay
//! ```
//!
//! Value and source spellings are injective: what looks the same is the same, byte for byte. They are
//! also in Unicode's form NFC, so two spellings of `é` do not look alike either.

use std::fmt;
use std::ops::Range;

use unicode_normalization::{IsNormalized, is_nfc, is_nfc_quick};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// More marks than this on one letter are shown as escapes: no script needs them, and a pile of
/// them draws over the neighbouring lines.
const MARKS_MAX: usize = 3;

/// Text without a character that a terminal could act on, hide or reorder by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Safe {
    text: String,
    /// Byte ranges of `text`, one an escape, in order.
    escapes: Vec<Range<usize>>,
    width: usize,
}

/// A run of [`Safe`] text with one look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    /// The characters to draw.
    pub text: &'a str,
    /// Whether this run stands for characters that cannot be shown.
    pub escaped: bool,
}

/// What cannot be cut: one grapheme, or one escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit<'a> {
    /// The characters to draw.
    pub text: &'a str,
    /// Cells that they take.
    pub cells: usize,
    /// Whether this is an escape.
    pub escaped: bool,
}

/// Where a text comes from decides how a backslash and a space at an end are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelling {
    Value,
    Source,
    Own,
}

impl Safe {
    /// A value out of a capture, such as an id. A backslash is doubled; a space at either end is
    /// escaped, since it could not be told from padding.
    pub fn value(text: &str) -> Self {
        Self::spell(text.as_bytes(), Spelling::Value)
    }

    /// Like [`Safe::value`]; a byte that is not UTF-8 becomes `\xNN`.
    pub fn value_bytes(bytes: &[u8]) -> Self {
        Self::spell(bytes, Spelling::Value)
    }

    /// JSON source as it stands in a capture: its own escapes stay readable. What cannot be shown
    /// becomes `\u{…}` or `\xNN`, which are never valid JSON; a backslash that would make such an
    /// escape becomes `\u{5c}`.
    pub fn source(bytes: &[u8]) -> Self {
        Self::spell(bytes, Spelling::Source)
    }

    /// Text that this program composed itself: labels, numbers, times. Still safe if something else
    /// slips in, but not injective.
    pub fn own(text: impl AsRef<str>) -> Self {
        Self::spell(text.as_ref().as_bytes(), Spelling::Own)
    }

    /// The characters to draw.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Cells that the text takes.
    pub fn cells(&self) -> usize {
        self.width
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether something could not be shown as it is.
    pub fn has_escapes(&self) -> bool {
        !self.escapes.is_empty()
    }

    /// The text in runs of one look, in order.
    pub fn pieces(&self) -> impl Iterator<Item = Piece<'_>> {
        let mut rest = self.escapes.iter().peekable();
        let mut at = 0;
        std::iter::from_fn(move || {
            if at >= self.text.len() {
                return None;
            }
            let start = at;
            let escaped = rest.peek().is_some_and(|escape| escape.start == at);
            if escaped {
                while let Some(escape) = rest.next_if(|escape| escape.start == at) {
                    at = escape.end;
                }
            } else {
                at = rest.peek().map_or(self.text.len(), |escape| escape.start);
            }
            let text = self.text.get(start..at).unwrap_or_default();
            Some(Piece { text, escaped })
        })
    }

    /// The text in units that may not be cut, in order.
    pub fn units(&self) -> impl Iterator<Item = Unit<'_>> {
        let mut rest = self.escapes.iter().peekable();
        let mut at = 0;
        std::iter::from_fn(move || {
            let escape = rest.next_if(|escape| escape.start == at).cloned();
            let escaped = escape.is_some();
            let text = if let Some(range) = escape {
                self.text.get(range)?
            } else {
                let end = rest.peek().map_or(self.text.len(), |escape| escape.start);
                self.text.get(at..end)?.graphemes(true).next()?
            };
            at += text.len();
            let cells = text.width();
            Some(Unit {
                text,
                cells,
                escaped,
            })
        })
    }

    /// Appends other safe text.
    pub fn push(&mut self, other: &Self) {
        let offset = self.text.len();
        self.text.push_str(&other.text);
        self.width += other.width;
        let moved = other.escapes.iter();
        self.escapes
            .extend(moved.map(|escape| escape.start + offset..escape.end + offset));
    }

    /// Appends one unit of other safe text.
    pub fn push_unit(&mut self, unit: Unit<'_>) {
        let start = self.text.len();
        self.text.push_str(unit.text);
        self.width += unit.cells;
        if unit.escaped {
            self.escapes.push(start..self.text.len());
        }
    }

    fn spell(bytes: &[u8], spelling: Spelling) -> Self {
        if let Some(text) = as_plain(bytes, spelling) {
            return Self {
                text: text.to_owned(),
                escapes: Vec::new(),
                width: text.len(),
            };
        }
        let mut writer = Writer::new(spelling, bytes.len());
        for chunk in bytes.utf8_chunks() {
            for (at, character) in chunk.valid().char_indices() {
                let rest = chunk.valid().as_bytes().get(at + character.len_utf8()..);
                writer.character(character, rest.unwrap_or_default());
            }
            for byte in chunk.invalid() {
                writer.escape(format_args!("\\x{byte:02x}"));
            }
        }
        writer.finish()
    }
}

impl fmt::Display for Safe {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.text)
    }
}

/// The text itself where every byte shows as itself: nearly always the case.
fn as_plain(bytes: &[u8], spelling: Spelling) -> Option<&str> {
    let as_itself =
        |byte: &u8| matches!(byte, b' '..=b'~') && (spelling == Spelling::Own || *byte != b'\\');
    let edges = [bytes.first(), bytes.last()];
    let edge_space = spelling == Spelling::Value && edges.contains(&Some(&b' '));
    if edge_space || !bytes.iter().all(as_itself) {
        return None;
    }
    std::str::from_utf8(bytes).ok()
}

/// Writes safe text character by character.
struct Writer {
    safe: Safe,
    spelling: Spelling,
    /// Where the last kept character that is not a mark begins, if marks may follow it.
    base: Option<usize>,
    /// Marks kept on it.
    marks: usize,
}

impl Writer {
    fn new(spelling: Spelling, capacity: usize) -> Self {
        let safe = Safe {
            text: String::with_capacity(capacity),
            ..Safe::default()
        };
        Self {
            safe,
            spelling,
            base: None,
            marks: 0,
        }
    }

    fn character(&mut self, character: char, rest: &[u8]) {
        match (character, self.spelling) {
            ('\\', Spelling::Value) => self.escape(format_args!("\\\\")),
            ('\\', Spelling::Source) if rest.starts_with(b"x") || rest.starts_with(b"u{") => {
                self.escape(format_args!("\\u{{5c}}"));
            }
            ('\t', Spelling::Value | Spelling::Own) => self.escape(format_args!("\\t")),
            ('\n', Spelling::Value | Spelling::Own) => self.escape(format_args!("\\n")),
            ('\r', Spelling::Value | Spelling::Own) => self.escape(format_args!("\\r")),
            (' ', Spelling::Value) if self.safe.text.is_empty() || rest.is_empty() => {
                self.escape(format_args!("\\u{{20}}"));
            }
            (' '..='~', _) => self.keep(character, character.is_ascii_alphanumeric()),
            _ => match category(character) {
                Category::Mark if self.takes_mark(character) => {
                    self.safe.text.push(character);
                    self.marks += 1;
                }
                Category::Letter if !self.composes(character) => self.keep(character, true),
                Category::Other => self.keep(character, false),
                Category::Hidden | Category::Mark | Category::Letter => self.hide(character),
            },
        }
    }

    fn keep(&mut self, character: char, takes_marks: bool) {
        self.base = takes_marks.then_some(self.safe.text.len());
        self.marks = 0;
        self.safe.text.push(character);
    }

    fn hide(&mut self, character: char) {
        self.escape(format_args!("\\u{{{:x}}}", u32::from(character)));
    }

    fn escape(&mut self, escape: fmt::Arguments<'_>) {
        let start = self.safe.text.len();
        // Writing to a String cannot fail.
        let _ = fmt::Write::write_fmt(&mut self.safe.text, escape);
        self.safe.escapes.push(start..self.safe.text.len());
        self.base = None;
        self.marks = 0;
    }

    /// A mark stays on a letter or digit, unless another spelling of the same text would look the
    /// same (a composed letter, or the marks in another order).
    fn takes_mark(&self, mark: char) -> bool {
        self.base.is_some() && self.marks < MARKS_MAX && !self.composes(mark)
    }

    fn composes(&self, next: char) -> bool {
        let cluster = self.base.and_then(|start| self.safe.text.get(start..));
        let cluster = cluster.unwrap_or_default().chars();
        match is_nfc_quick(cluster.clone().chain([next])) {
            IsNormalized::Yes => false,
            IsNormalized::No => true,
            IsNormalized::Maybe => !is_nfc(&cluster.chain([next]).collect::<String>()),
        }
    }

    fn finish(mut self) -> Safe {
        // Each run is measured by itself, as it is drawn.
        self.safe.width = self.safe.units().map(|unit| unit.cells).sum();
        self.safe
    }
}

enum Category {
    Hidden,
    Mark,
    /// What may carry a mark: letters and digits.
    Letter,
    Other,
}

fn category(character: char) -> Category {
    use GeneralCategory as General;
    // The wildcard takes letters and numbers, told apart by their group below.
    match character.general_category() {
        General::Control
        | General::Format
        | General::Surrogate
        | General::PrivateUse
        | General::Unassigned
        | General::LineSeparator
        | General::ParagraphSeparator
        | General::SpaceSeparator
        // It is drawn over its neighbours.
        | General::EnclosingMark => Category::Hidden,
        _ if is_hidden_by_name(character) || is_other_spelling(character) => Category::Hidden,
        General::NonspacingMark | General::SpacingMark => Category::Mark,
        _ if !matches!(character.width(), Some(1 | 2)) => Category::Hidden,
        General::UppercaseLetter
        | General::LowercaseLetter
        | General::TitlecaseLetter
        | General::ModifierLetter
        | General::OtherLetter
        | General::DecimalNumber
        | General::LetterNumber
        | General::OtherNumber => Category::Letter,
        General::ConnectorPunctuation
        | General::DashPunctuation
        | General::OpenPunctuation
        | General::ClosePunctuation
        | General::InitialPunctuation
        | General::FinalPunctuation
        | General::OtherPunctuation
        | General::MathSymbol
        | General::CurrencySymbol
        | General::ModifierSymbol
        | General::OtherSymbol => Category::Other,
    }
}

/// Characters that Unicode counts as another spelling of a shorter or older one, such as the
/// Ångström sign.
fn is_other_spelling(character: char) -> bool {
    is_nfc_quick([character].into_iter()) == IsNormalized::No
}

/// Characters that draw nothing, or join with a neighbour in a way that terminals measure
/// differently, although their general category says letter, mark or symbol.
fn is_hidden_by_name(character: char) -> bool {
    matches!(
        character,
        // Default-ignorable letters and marks (DerivedCoreProperties.txt).
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{e0100}'..='\u{e01ef}'
        // Blank letters and symbols: braille, Egyptian, Khitan, musical; the object placeholder.
        | '\u{2800}' | '\u{13441}' | '\u{13442}' | '\u{16fe4}' | '\u{1d159}' | '\u{fffc}'
        // Halfwidth sound marks, which programs measure as none, one or two cells.
        | '\u{ff9e}' | '\u{ff9f}'
        // Flags and skin tones: two characters that some terminals draw as one.
        | '\u{1f1e6}'..='\u{1f1ff}' | '\u{1f3fb}'..='\u{1f3ff}'
    )
}

#[cfg(test)]
#[path = "safe_tests.rs"]
mod tests;
