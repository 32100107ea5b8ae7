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
mod empty;
mod event;
mod known;
mod layer;
mod name_set;
mod outer;
mod plain;
mod registry;
mod shapes;
mod unescape;

use bumpalo::Bump;

use super::json::{MAX_DEPTH, read};
use super::tape::{Doc, Node};
use super::template::Template;
use super::value::has_duplicate;
use super::{logged, pieces};
use crate::model::{ReasonId, reason};

pub use around::{Around, Header, Path};
pub use event::is_json;
pub use plain::Inside;
pub use registry::{Sight, names, names_an_event, ways_of_containers};

use known::Known;
use layer::{Inner, Layer};
use registry::{CLOUD_EVENT, Found, registry};
use shapes::kcat_format;

/// Wrappers that are taken off one record at most (capture.md, "Shape").
pub const MOST_WRAPPERS: usize = 6;

/// Records at most for which the quick way is not tried again after it failed.
const MOST_PAUSED: u32 = 256;

/// Room for taking wrappers off, kept from record to record.
#[derive(Clone, Debug, Default)]
pub struct Room {
    nodes: Vec<Node>,
    known: Known,
    /// Wrappers that the last record had, so the next one probably has them too.
    wrappers_likely: usize,
    /// The last record was an event in one wrapper: the quick way may go through the next one's.
    plain_likely: bool,
    /// Records for which the quick way is not tried, and how many that were when it failed last: a
    /// capture in which it always fails pays hardly anything.
    plain_pause: u32,
    plain_paused: u32,
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

    /// The template that wrote the records, where one was given.
    pub fn template(self) -> Option<&'static Template> {
        match self.only {
            Some(Only::Template(template)) => Some(template),
            Some(Only::Shape(_)) | None => None,
        }
    }

    /// Whether the records are said to be text blocks.
    pub fn has_blocks(self) -> bool {
        const NAMES: [&str; 5] = [
            "event-display",
            "http",
            "nats-stream-text",
            "nats-text",
            "pulsar",
        ];
        let name = self.shape().and_then(|shape| names().nth(shape));
        name.is_some_and(|name| NAMES.contains(&name))
    }

    fn shape(self) -> Option<usize> {
        match self.only {
            Some(Only::Shape(shape)) => Some(shape),
            Some(Only::Template(_)) | None => None,
        }
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

/// The same without what the wrappers said.
#[derive(Clone, Debug)]
pub enum Off<'a> {
    /// No known wrapper is around it.
    Bare,
    /// What was inside, or why there is nothing to read in there.
    One(Result<&'a [u8], ReasonId>),
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
    /// What the outermost wrapper is, whatever it looks like.
    pub only: Option<Only>,
}

/// What the outermost wrapper was said to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Only {
    /// This shape (`--input-format`), by index.
    Shape(usize),
    /// What this template wrote (`--kcat-format`).
    Template(&'static Template),
}

/// Takes the wrappers off a record. What is put together on the way lives in `arena`.
pub fn open<'a>(bytes: &'a [u8], asked: Asked, room: &mut Room, arena: &'a Bump) -> Opened<'a> {
    let mut around = Around::default();
    match off((bytes, None), asked, room, arena, &mut around, |_| false) {
        Off::Bare => Opened::Bare,
        Off::Many(ranges) => Opened::Many(ranges),
        Off::One(inner) => Opened::One(Unwrapped { inner, around }),
    }
}

/// [`open`], asking someone who reads events anyway whether what is inside is one: then nobody looks
/// for further wrappers, and the path does not end in the event's own name. They must say so only of
/// what is a native record or a CloudEvent by its names. The text is the same bytes, where somebody
/// knows that they are UTF-8.
pub fn off<'a>(
    (bytes, text): (&'a [u8], Option<&'a str>),
    asked: Asked,
    room: &mut Room,
    arena: &'a Bump,
    around: &mut Around<'a>,
    mut is_event: impl FnMut(&'a str) -> bool,
) -> Off<'a> {
    let may_ask = !asked.facts && !asked.inside;
    let Room {
        nodes,
        known,
        wrappers_likely,
        plain_likely,
        ..
    } = room;
    let mut next = text.map_or(Inner::Bytes(bytes), Inner::Text);
    if let Some(template) = asked.template() {
        next = kcat_format::unwrap(bytes, template, (arena, asked.facts), around);
    }
    loop {
        let wrappers = around.path.len();
        let text = match next {
            Inner::Text(text) => text,
            Inner::Bytes(bytes) => match text_of(bytes, arena) {
                Some(text) => text,
                None => return finished(bytes, around),
            },
            // Looked at once more, as an event: its payload may have something inside.
            Inner::Event(text) if asked.inside => text,
            Inner::Event(text) => return event(CLOUD_EVENT, text, around),
            Inner::Nothing(why) => return Off::One(Err(why)),
        };
        if may_ask && wrappers > 0 && wrappers >= *wrappers_likely && is_event(text) {
            *wrappers_likely = wrappers;
            *plain_likely = wrappers == 1;
            return finished(text.as_bytes(), around);
        }
        let Some((layer, is)) = layer(text, asked, known, nodes, arena) else {
            return finished(text.as_bytes(), around);
        };
        let Some((found, is_known)) = find(layer, (asked, wrappers), known, is) else {
            return finished(text.as_bytes(), around);
        };
        let found = match found {
            Found::Event(name) => match data::inside(layer).filter(|_| asked.inside) {
                Some((wrapper, within)) if wrappers < MOST_WRAPPERS => {
                    around.path.push(wrapper);
                    next = Inner::Text(within);
                    continue;
                }
                _ => {
                    *wrappers_likely = wrappers;
                    return event(name, text, around);
                }
            },
            Found::Nothing if wrappers == 0 => {
                return registry().elements(layer).map_or(Off::Bare, Off::Many);
            }
            Found::Nothing => return finished(text.as_bytes(), around),
            Found::Shape(shape) => shape,
        };
        if wrappers == MOST_WRAPPERS {
            return Off::One(Err(reason::TOO_MANY_WRAPPERS));
        }
        around.path.push(found.name);
        let wrapper = known.last().filter(|_| is_known);
        next = (found.unwrap)(Layer { wrapper, ..layer }, around);
    }
}

impl Room {
    /// Takes a record's one wrapper off the quick way, where that probably works and nobody is told of
    /// the wrapper. Who looks at what is inside must take it the usual way where it is no event.
    pub fn plain<'t, 'a>(
        &mut self,
        text: &'t str,
        asked: Asked,
        arena: &'a Bump,
    ) -> Option<Inside<'t, 'a>> {
        if !self.plain_likely || asked.facts || asked.always_opens() {
            return None;
        }
        if let Some(left) = self.plain_pause.checked_sub(1) {
            self.plain_pause = left;
            return None;
        }
        // Until the usual way has found another one of the kind.
        self.plain_likely = false;
        self.plain_paused = (self.plain_paused * 2).clamp(1, MOST_PAUSED);
        self.plain_pause = self.plain_paused;
        plain::take(text, self.known.last()?, arena)
    }

    /// Whether the next record is tried the quick way.
    #[cfg(test)]
    pub(super) fn is_plain_likely(&self) -> bool {
        self.plain_likely && self.plain_pause == 0
    }

    /// What came the quick way was an event.
    pub fn was_plain(&mut self) {
        self.plain_likely = true;
        self.plain_pause = 0;
        self.plain_paused = 0;
    }
}

/// A text as a layer, and which known wrapper it is, where that was seen on the way; nothing where
/// it is damaged JSON.
fn layer<'a, 't>(
    text: &'a str,
    asked: Asked,
    known: &Known,
    nodes: &'t mut Vec<Node>,
    arena: &'a Bump,
) -> Option<(Layer<'a, 't>, Option<usize>)> {
    if let Some(outer) = outer::object(text, known, nodes, arena) {
        let layer = Layer::new(Doc::new(text, nodes), arena, asked.facts);
        let ready = outer.ready;
        return Some((Layer { ready, ..layer }, outer.known));
    }
    match read(text, MAX_DEPTH, nodes) {
        Ok(()) => Some((Layer::new(Doc::new(text, nodes), arena, asked.facts), None)),
        Err(_) if is_no_json(text.as_bytes()) => {
            Some((Layer::text(text, arena, asked.facts), None))
        }
        Err(_) => None,
    }
}

/// What a layer is, and whether its names are those of the wrapper that is known last. Nothing where a
/// name stands twice: what that means, nobody knows, and the reader refuses it.
fn find(
    layer: Layer<'_, '_>,
    (asked, wrappers): (Asked, usize),
    known: &mut Known,
    is: Option<usize>,
) -> Option<(Found, bool)> {
    let only = asked.shape().filter(|_| wrappers == 0);
    if layer.doc.members(Doc::ROOT).next().is_none() {
        return Some((registry().find(layer, only), false));
    }
    if known.recall(layer.doc, is).is_none() {
        if has_duplicate(layer.doc, Doc::ROOT) {
            return None;
        }
        known.learn(layer.doc, registry());
    }
    let wrapper = known.last()?;
    let is_whole = wrapper.is_whole();
    let layer = Layer {
        wrapper: Some(wrapper).filter(|_| is_whole),
        ..layer
    };
    let found = registry().find_among(wrapper.candidates(), layer, only);
    Some((found, is_whole))
}

/// An event that was found inside; a bare one has no path.
fn event<'a>(name: &'static str, inner: &'a str, around: &mut Around<'a>) -> Off<'a> {
    let is_bare = around.path.is_empty();
    if !is_bare {
        around.path.push(name);
    }
    finished(inner.as_bytes(), around)
}

fn finished<'a>(inner: &'a [u8], around: &Around<'a>) -> Off<'a> {
    if around.path.is_empty() {
        Off::Bare
    } else {
        Off::One(Ok(inner))
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
    let behind = |at: usize| bytes.get(at + 1..).unwrap_or_default();
    let has_key = || {
        memchr::memchr_iter(b'\t', bytes)
            .any(|tab| bytes.get(..tab).is_some_and(|key| key.ends_with(b"}")))
    };
    let has_headers =
        || memchr::memchr_iter(b'\n', bytes).any(|end| behind(end).starts_with(b"% Headers: ["));
    bytes.first() != Some(&b'{') || has_key() || has_headers() || is_several_objects(bytes)
}

/// Whether bytes are a log's lines that are JSON objects, and one record together.
fn is_several_objects(bytes: &[u8]) -> bool {
    pieces::is_several_docker(bytes) || logged::is_block_of_objects(bytes)
}

/// Whether bytes that are no UTF-8 may be a text that a log cut between two bytes of a character.
pub fn may_be_cut_text(bytes: &[u8]) -> bool {
    pieces::cri_head(bytes).is_some()
}

/// The bytes as text, also where a log cut a character in two.
fn text_of<'a>(bytes: &'a [u8], arena: &'a Bump) -> Option<&'a str> {
    if let Ok(text) = simdutf8::basic::from_utf8(bytes) {
        return Some(text);
    }
    let (time, is_error, _) = pieces::cri_head(bytes)?;
    if let Some(block) = logged::without_pieces(bytes) {
        return std::str::from_utf8(arena.alloc_slice_copy(&block)).ok();
    }
    let (joined, is_whole) = pieces::joined_cri(bytes)?;
    let joined = std::str::from_utf8(&joined).ok()?;
    let stream = if is_error { "stderr" } else { "stdout" };
    let tag = if is_whole { "F" } else { "P" };
    Some(arena.alloc_str(&format!("{time} {stream} {tag} {joined}")))
}
