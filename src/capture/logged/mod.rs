//! Lines of logs that hold another tool's block of text, one line of it each: event-display's, as a
//! container's log keeps them.
//!
//! ```text
//! 2026-03-02T09:00:11.1Z stdout F ☁️  cloudevents.Event      ┐
//! 2026-03-02T09:00:11.1Z stdout F Context Attributes,        │ one record
//! 2026-03-02T09:00:11.2Z stdout F   specversion: 1.0         ┘
//! ```
//!
//! A block's title tells its stream: whatever stands around it that is the same around the block's other
//! lines. A pod's name, a container's, labels; not the time. A text may be in several wrappers. The
//! framing asks here which lines are one record, and the shapes what they hold; lines of one stream that
//! lie between others are found again by what is around them.

mod head;
mod object;

use std::borrow::Cow;

pub(super) use head::{Head, is_pod, labels};

use super::ansi;
use super::framing::marks::{is_banner, is_context, is_validation, trim};
use super::pieces::{self, Cutter, PIECE_BYTES, Piece};
use super::string;
use crate::model::Instant;
use object::{Object, members};

/// Wrappers around one line that are looked into.
const MOST_LAYERS: usize = 3;

/// A longer line is not blank: labels are shorter.
const LONGEST_BLANK: usize = 4 << 10;

/// What logs a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrapper {
    /// docker's `json-file`.
    Docker,
    /// The CRI's files.
    Cri,
    /// `kubectl logs` with `--prefix`, `--timestamps` or both.
    Kubectl,
    /// `docker compose logs`.
    Compose,
    /// `stern -o json`.
    Stern,
    /// stern's text.
    SternText,
    /// `logcli -o jsonl`.
    Logcli,
    /// logcli's text.
    LogcliText,
}

/// Each of them; what one writes, those behind it do not.
const ALL: [Wrapper; 8] = [
    Wrapper::Docker,
    Wrapper::Cri,
    Wrapper::Stern,
    Wrapper::Logcli,
    Wrapper::LogcliText,
    Wrapper::Kubectl,
    Wrapper::Compose,
    Wrapper::SternText,
];

/// What was logged with one line, and whether that is all of it: a runtime cuts long lines into pieces.
type Text<'a> = (Cow<'a, [u8]>, bool);

/// One wrapper, the same around every line of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layer {
    wrapper: Wrapper,
    /// What tells the stream: where it is text, as it stands before the line.
    name: Vec<u8>,
    /// A time stands before the text.
    is_timed: bool,
    /// When the line was logged that this was read from, in the wrapper's words.
    pub(super) time: Option<String>,
    /// The pod, container or labels, for people.
    pub(super) channel: Option<String>,
}

/// The wrappers around every line of a stream, outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stream {
    layers: Vec<Layer>,
}

/// A block without one wrapper.
#[derive(Clone, Debug)]
pub(super) struct Joined {
    /// Its lines, with line ends between them.
    pub(super) text: Vec<u8>,
    /// What was around the first one.
    pub(super) layer: Layer,
}

/// Whether a text is one of the titles that a block begins with.
pub(super) fn is_title(text: &[u8]) -> bool {
    is_banner(trim(text)) || is_validation(text) || is_context(text)
}

/// Whether a line may hold a title: nearly no line does.
fn may_hold_title(line: &[u8]) -> bool {
    const PARTS: [&[u8]; 3] = [
        b"cloudevents.Event",
        b"Context Attributes,",
        b"Validation: ",
    ];
    PARTS
        .iter()
        .any(|part| memchr::memmem::find(line, part).is_some())
}

/// The stream whose block begins with a line, where one does.
pub(super) fn begins(line: &[u8]) -> Option<Stream> {
    if !may_hold_title(line) {
        return None;
    }
    let mut layers = Vec::new();
    is_wrapped_title(line, &mut layers).then_some(Stream { layers })
}

fn is_wrapped_title(line: &[u8], layers: &mut Vec<Layer>) -> bool {
    if layers.len() == MOST_LAYERS {
        return false;
    }
    ALL.iter().any(|wrapper| {
        let Some(layer) = Layer::of(*wrapper, line) else {
            return false;
        };
        let Some((text, true)) = layer.text(line) else {
            return false;
        };
        layers.push(layer);
        let is_it = is_title(&text) || is_wrapped_title(&text, layers);
        if !is_it {
            layers.pop();
        }
        is_it
    })
}

/// Whether nothing was logged with a line but its end.
pub(super) fn is_blank(line: &[u8]) -> bool {
    if line.len() > LONGEST_BLANK {
        return false;
    }
    if let Some(piece) = Piece::of(line) {
        return piece.is_last && (piece.is_blank() || holds_blank(piece.text));
    }
    if line.first() == Some(&b'{') {
        let objects = [Wrapper::Stern, Wrapper::Logcli].into_iter();
        let mut objects = objects.filter_map(|wrapper| Object::of(wrapper, line));
        let object = objects.next();
        return object.is_some_and(|object| holds_blank(object.text.trim().as_bytes()));
    }
    let plain = plain(line);
    let text = plain.as_deref().map(std::str::from_utf8);
    text.is_some_and(|text| text.is_ok_and(head::is_all))
}

/// The same of what stands in one wrapper: nothing, or a runtime's line.
fn holds_blank(text: &[u8]) -> bool {
    let is_blank = |piece: Piece<'_>| piece.is_last && piece.is_blank();
    // docker's has its escapes.
    let text = text.strip_suffix(b"\\n").unwrap_or(text);
    text.is_empty() || Piece::of(text).is_some_and(is_blank)
}

/// Whether several lines are a block in this wrapper.
pub(super) fn is_block(record: &[u8], wrapper: Wrapper) -> bool {
    outermost(record).is_some_and(|layer| layer.wrapper == wrapper)
}

/// Whether several lines are a block in wrappers that are JSON, so that it is no JSON by itself.
pub(super) fn is_block_of_objects(record: &[u8]) -> bool {
    record.first() == Some(&b'{') && outermost(record).is_some()
}

/// The outermost wrapper of a block of several lines.
fn outermost(record: &[u8]) -> Option<Layer> {
    let first = record.get(..memchr::memchr(b'\n', record)?)?;
    let stream = begins(without_return(first))?;
    stream.layers.into_iter().next()
}

/// A block's lines without their outermost wrapper. What other streams logged between them is left out.
pub(super) fn joined(record: &[u8]) -> Option<Joined> {
    let layer = outermost(record)?;
    let mut text = Vec::with_capacity(record.len());
    for line in record.split(|byte| *byte == b'\n') {
        let Some((piece, is_last)) = layer.text(without_return(line)) else {
            continue;
        };
        text.extend_from_slice(&piece);
        if is_last {
            text.push(b'\n');
        }
    }
    if text.last() == Some(&b'\n') {
        text.pop();
    }
    Some(Joined { text, layer })
}

/// A CRI block whose pieces may end inside a character, with each of its lines in one piece.
pub(super) fn without_pieces(record: &[u8]) -> Option<Vec<u8>> {
    let Joined { text, layer } = joined(record)?;
    let (time, is_error, _) = pieces::cri_head(record).filter(|_| layer.wrapper == Wrapper::Cri)?;
    let stream = if is_error { "stderr" } else { "stdout" };
    let head = format!("{time} {stream} F ");
    let lines = text.split(|byte| *byte == b'\n');
    let lines: Vec<_> = lines.map(|line| [head.as_bytes(), line].concat()).collect();
    Some(lines.join(&b'\n'))
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

impl Stream {
    /// What a line holds, where it is this stream's.
    pub(super) fn text<'a>(&self, line: &'a [u8]) -> Option<Text<'a>> {
        let mut text = Cow::Borrowed(line);
        let mut is_whole = true;
        for layer in &self.layers {
            let (inner, is_last) = match text {
                Cow::Borrowed(line) => layer.text(line)?,
                Cow::Owned(line) => {
                    let (inner, is_last) = layer.text(&line)?;
                    (Cow::Owned(inner.into_owned()), is_last)
                }
            };
            text = inner;
            is_whole &= is_last;
        }
        Some((text, is_whole))
    }

    /// Whether a container runtime wrote it, so that each of its lines has the wrapper: one without is
    /// damaged. Other tools write lines of their own between those of the streams.
    pub(super) fn is_runtimes(&self) -> bool {
        let outermost = self.layers.first().map(|layer| layer.wrapper);
        matches!(outermost, Some(Wrapper::Docker | Wrapper::Cri))
    }
}

impl Layer {
    /// The wrapper of a line that holds a title, perhaps in further wrappers.
    fn of(wrapper: Wrapper, line: &[u8]) -> Option<Self> {
        let layer = |name: &[u8], time: Option<&str>, channel: Option<&str>| Self {
            wrapper,
            name: name.to_vec(),
            is_timed: time.is_some(),
            time: time.map(str::to_owned),
            channel: channel.filter(|name| !name.is_empty()).map(str::to_owned),
        };
        match wrapper {
            Wrapper::Docker | Wrapper::Cri => {
                let piece = piece(wrapper, line)?;
                let time = if wrapper == Wrapper::Cri {
                    pieces::cri_head(line).map(|(time, ..)| time.to_owned())
                } else {
                    members(line, &["time"])?.pop().flatten()
                };
                let name = if piece.is_error { "stderr" } else { "stdout" };
                Some(layer(name.as_bytes(), time.as_deref(), None))
            }
            Wrapper::Stern | Wrapper::Logcli => {
                let object = Object::of(wrapper, line)?;
                let (time, channel) = (object.time.as_deref(), object.channel.as_deref());
                Some(layer(&object.name, time, channel))
            }
            Wrapper::Kubectl | Wrapper::Compose | Wrapper::SternText | Wrapper::LogcliText => {
                let line = plain(line)?;
                let head = Head::of(wrapper, std::str::from_utf8(&line).ok()?)?;
                Some(layer(head.name.as_bytes(), head.time, Some(head.channel)))
            }
        }
    }

    /// What a line holds, where it has this wrapper.
    fn text<'a>(&self, line: &'a [u8]) -> Option<Text<'a>> {
        match self.wrapper {
            Wrapper::Docker | Wrapper::Cri => {
                let piece = piece(self.wrapper, line)?;
                let name: &[u8] = if piece.is_error { b"stderr" } else { b"stdout" };
                if name != self.name {
                    return None;
                }
                if self.wrapper == Wrapper::Cri {
                    return Some((Cow::Borrowed(piece.text), piece.is_last));
                }
                let text = string::decode(std::str::from_utf8(piece.text).ok()?);
                // Other programs write this shape without line ends; docker cuts long lines alone.
                let is_last = piece.is_last || piece.text.len() < PIECE_BYTES;
                Some((Cow::Owned(without_end(text).into_bytes()), is_last))
            }
            Wrapper::Stern | Wrapper::Logcli => {
                let object = Object::of(self.wrapper, line)?;
                (object.name == self.name).then(|| {
                    let text = without_end(object.text);
                    (Cow::Owned(text.into_bytes()), true)
                })
            }
            Wrapper::Kubectl | Wrapper::Compose | Wrapper::SternText | Wrapper::LogcliText => {
                let text = match plain(line)? {
                    Cow::Borrowed(line) => self.behind(line)?,
                    Cow::Owned(line) => Cow::Owned(self.behind(&line)?.into_owned()),
                };
                Some((text, true))
            }
        }
    }

    /// What stands behind this text's wrapper. An empty line may end without the wrapper's last blank.
    fn behind<'a>(&self, line: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        let timed = |rest: &'a [u8]| {
            if self.is_timed {
                behind_time(rest)
            } else {
                Some(rest)
            }
        };
        match self.wrapper {
            Wrapper::Compose => {
                let rest = line.strip_prefix(self.name.as_slice())?;
                let rest = rest.strip_prefix(b" ")?.trim_ascii_start();
                let rest = rest.strip_prefix(b"|")?;
                Some(Cow::Borrowed(rest.strip_prefix(b" ").unwrap_or(rest)))
            }
            Wrapper::LogcliText => {
                let rest = behind_time(line)?.trim_ascii_start();
                let rest = rest.strip_prefix(self.name.as_slice())?.trim_ascii_start();
                Some(indented(rest))
            }
            // A runtime's own line begins with a time too.
            Wrapper::Kubectl if Piece::of(line).is_some() => None,
            Wrapper::Kubectl | Wrapper::SternText => {
                let rest = match line.strip_prefix(self.name.as_slice()) {
                    Some(rest) => rest,
                    None if line == self.name.trim_ascii_end() => return Some(Cow::Borrowed(&[])),
                    None => return None,
                };
                timed(rest).map(Cow::Borrowed)
            }
            Wrapper::Docker | Wrapper::Cri | Wrapper::Stern | Wrapper::Logcli => None,
        }
    }
}

/// logcli takes the blanks before a line away that tell an attribute from what stands beside a block (its
/// `pkg/logcli/output/default.go`): they are put back before what looks like one. JSON needs none.
fn indented(text: &[u8]) -> Cow<'_, [u8]> {
    let name = text.iter().take_while(|byte| byte.is_ascii_alphanumeric());
    let length = name.count();
    if length == 0 || text.get(length) != Some(&b':') || is_title(text) {
        return Cow::Borrowed(text);
    }
    Cow::Owned([b"  ", text].concat())
}

/// A runtime's line.
fn piece(wrapper: Wrapper, line: &[u8]) -> Option<Piece<'_>> {
    let cutter = if wrapper == Wrapper::Cri {
        Cutter::Cri
    } else {
        Cutter::Docker
    };
    Piece::of(line).filter(|piece| piece.cutter == cutter)
}

/// A logged text without its own line end.
fn without_end(mut text: String) -> String {
    let kept = text.trim_end_matches(['\r', '\n']).len();
    text.truncate(kept);
    text
}

/// What stands behind a time, or behind one and nothing else.
fn behind_time(text: &[u8]) -> Option<&[u8]> {
    let end = memchr::memchr(b' ', text).unwrap_or(text.len());
    let (time, rest) = text.split_at_checked(end)?;
    let time = std::str::from_utf8(time).ok()?;
    Instant::parse(time)?;
    Some(rest.strip_prefix(b" ").unwrap_or(rest))
}

/// A line without colours.
fn plain(line: &[u8]) -> Option<Cow<'_, [u8]>> {
    if memchr::memchr(0x1b, line).is_none() {
        return Some(Cow::Borrowed(line));
    }
    let text = ansi::stripped(std::str::from_utf8(line).ok()?);
    Some(Cow::Owned(text.into_owned().into_bytes()))
}

#[cfg(test)]
mod tests;
