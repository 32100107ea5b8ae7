//! Takes wrappers off a record, one by one, until a native record or a CloudEvent is left
//! (capture.md, "Shape").
//!
//! What a transport or a log put around an event is no part of it. Each shape is one small module
//! under `shapes/` that tells its wrapper by the set of its keys and hands out what is inside; the
//! `registry` is the only list of them.
//!
//! ```text
//! record ─▶ keys ─▶ registry: which shape? ─▶ unwrap ─┬─▶ a text: looked at again (at most 6 times)
//!                                                     ├─▶ an event, put together from headers
//!                                                     └─▶ nothing, with a reason
//! ```
//!
//! Whatever went in, what comes out is the text of a native record or a CloudEvent: the later stages,
//! "same content" and the screen read it with the same reader as a bare one. Nothing is kept: whoever
//! looks at a record again takes its wrappers off again.

mod around;
mod data;
mod decode;
mod event;
mod layer;
mod registry;
mod shapes;

use bumpalo::Bump;

use super::json::{MAX_DEPTH, read};
use super::pieces;
use super::tape::{Doc, Node};
use super::value::has_duplicate;
use crate::model::{ReasonId, reason};

pub use around::{Around, Header, Path};
pub use event::is_json;
pub use registry::{Sight, names, names_an_event, ways_of_containers};

use layer::{Inner, Layer};
use registry::{CLOUD_EVENT, Found, registry};

/// Wrappers that are taken off one record at most (capture.md, "Shape").
pub const MOST_WRAPPERS: usize = 6;

/// Room for taking wrappers off, kept from record to record.
#[derive(Clone, Debug, Default)]
pub struct Room {
    nodes: Vec<Node>,
}

/// A record without its wrappers.
#[derive(Clone, Debug)]
pub struct Unwrapped<'a> {
    /// What was inside, or why there is nothing to read in there.
    pub inner: Result<&'a [u8], ReasonId>,
    /// What the wrappers said.
    pub around: Around<'a>,
}

impl Asked {
    /// Whether a record must be opened even where it reads as an event.
    pub fn always_opens(self) -> bool {
        self.inside || self.only.is_some()
    }
}

/// What a record turned out to be.
#[derive(Clone, Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "it lives for one record; a box would cost an allocation a record"
)]
pub enum Opened<'a> {
    /// No known wrapper is around it.
    Bare,
    /// One event, or nothing, in wrappers.
    One(Unwrapped<'a>),
    /// Several records: the ranges of their bytes.
    Many(Vec<(usize, usize)>),
}

/// How a record's wrappers are taken off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Whether headers, keys and positions are wanted too, which only people look at.
    pub facts: bool,
    /// Whether what is inside `data` is read (the contract's `readInside`).
    pub inside: bool,
    /// Whether documents tell what breaks the CloudEvents specification.
    pub conformance: bool,
    /// Whether what breaks the CloudEvents specification is refused (`--strict`).
    pub strict: bool,
    /// The only shape that the outermost wrapper may have (`--input-format`), by index.
    pub only: Option<usize>,
}

/// Takes the wrappers off a record. What is put together on the way lives in `arena`.
pub fn open<'a>(bytes: &'a [u8], asked: Asked, room: &mut Room, arena: &'a Bump) -> Opened<'a> {
    let mut around = Around::default();
    let mut inner = bytes;
    loop {
        let is_outermost = around.path.is_empty();
        let only = asked.only.filter(|_| is_outermost);
        let Some(text) = text_of(inner, arena) else {
            return finished(inner, around);
        };
        inner = text.as_bytes();
        let layer = match read(text, MAX_DEPTH, &mut room.nodes) {
            Ok(()) => Layer::new(Doc::new(text, &room.nodes), arena, asked.facts),
            Err(_) if is_no_json(inner) => Layer::text(text, arena, asked.facts),
            Err(_) => return finished(inner, around),
        };
        // What a name that stands twice means, nobody knows: the reader refuses it.
        if has_duplicate(layer.doc, Doc::ROOT) {
            return finished(inner, around);
        }
        let found = match registry().find(layer, only) {
            Found::Event(name) => match data::inside(layer).filter(|_| asked.inside) {
                Some((wrapper, within)) if around.path.len() < MOST_WRAPPERS => {
                    around.path.push(wrapper);
                    inner = within.as_bytes();
                    continue;
                }
                _ => return event(name, inner, around),
            },
            Found::Nothing if is_outermost => {
                return registry()
                    .elements(layer)
                    .map_or(Opened::Bare, Opened::Many);
            }
            Found::Nothing => return finished(inner, around),
            Found::Shape(shape) => shape,
        };
        if around.path.len() == MOST_WRAPPERS {
            return Opened::One(Unwrapped {
                inner: Err(reason::TOO_MANY_WRAPPERS),
                around,
            });
        }
        around.path.push(found.name);
        match (found.unwrap)(layer, &mut around) {
            Inner::Text(text) => inner = text.as_bytes(),
            Inner::Bytes(bytes) => inner = bytes,
            // Looked at once more, as an event: its payload may have something inside.
            Inner::Event(text) if asked.inside => inner = text.as_bytes(),
            Inner::Event(text) => return event(CLOUD_EVENT, text.as_bytes(), around),
            Inner::Nothing(why) => {
                return Opened::One(Unwrapped {
                    inner: Err(why),
                    around,
                });
            }
        }
    }
}

/// An event that was found inside; a bare one has no path.
fn event<'a>(name: &'static str, inner: &'a [u8], mut around: Around<'a>) -> Opened<'a> {
    if !around.path.is_empty() {
        around.path.push(name);
    }
    finished(inner, around)
}

fn finished<'a>(inner: &'a [u8], around: Around<'a>) -> Opened<'a> {
    if around.path.is_empty() {
        Opened::Bare
    } else {
        Opened::One(Unwrapped {
            inner: Ok(inner),
            around,
        })
    }
}

/// What is inside a record's wrappers; of a bare one, the record itself.
pub fn inside<'a>(
    bytes: &'a [u8],
    asked: Asked,
    room: &mut Room,
    arena: &'a Bump,
) -> Option<&'a [u8]> {
    match open(bytes, asked, room, arena) {
        Opened::Bare => Some(bytes),
        Opened::One(unwrapped) => unwrapped.inner.ok(),
        Opened::Many(_) => None,
    }
}

/// What each shape says of a record's outermost wrapper, for `--explain-format`.
pub fn explain(bytes: &[u8]) -> Vec<(&'static str, Sight)> {
    let arena = Bump::new();
    let mut nodes = Vec::new();
    let Some(text) = text_of(bytes, &arena) else {
        return Vec::new();
    };
    let layer = match read(text, MAX_DEPTH, &mut nodes) {
        Ok(()) => Layer::new(Doc::new(text, &nodes), &arena, true),
        Err(_) => Layer::text(text, &arena, true),
    };
    registry().sights(layer)
}

/// Whether a text is a JSON object that can be read by itself: an event, or one in wrappers. Framing
/// asks, where a line below might belong to it.
pub fn is_known(bytes: &[u8]) -> bool {
    let arena = Bump::new();
    let mut nodes = Vec::new();
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    if read(text, MAX_DEPTH, &mut nodes).is_err() {
        return false;
    }
    let layer = Layer::new(Doc::new(text, &nodes), &arena, false);
    !matches!(registry().find(layer, None), Found::Nothing) || registry().elements(layer).is_some()
}

/// Whether bytes that are no JSON do not even begin like an object, or like one with a text behind
/// it: a line of text, which a tool may have written around a record, or several of a log's lines. A
/// key that is JSON has a tab behind it, and the confluent command line writes headers below the value.
pub fn is_no_json(bytes: &[u8]) -> bool {
    let has = |part: &[u8]| memchr::memmem::find(bytes, part).is_some();
    let has_text = || has(b"}\t") || has(b"\n% Headers: [");
    bytes.first() != Some(&b'{') || has_text() || pieces::is_several_docker(bytes)
}

/// Whether bytes that are no UTF-8 may be a text that a log cut between two bytes of a character.
pub fn may_be_cut_text(bytes: &[u8]) -> bool {
    pieces::cri_head(bytes).is_some()
}

/// The bytes as text, also where a log cut a character in two.
fn text_of<'a>(bytes: &'a [u8], arena: &'a Bump) -> Option<&'a str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Some(text);
    }
    let (time, is_error, _) = pieces::cri_head(bytes)?;
    let (joined, is_whole) = pieces::joined_cri(bytes)?;
    let joined = std::str::from_utf8(&joined).ok()?;
    let stream = if is_error { "stderr" } else { "stdout" };
    let tag = if is_whole { "F" } else { "P" };
    Some(arena.alloc_str(&format!("{time} {stream} {tag} {joined}")))
}
