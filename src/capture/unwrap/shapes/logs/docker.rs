//! Docker's `json-file` log driver: `{"log":"…\n","stream":"stdout","time":"…"}`. What was longer than
//! 16 KiB lies in several lines, of which only the last one's `log` ends in a line end
//! (`jsonfilelog.go`, `copier.go`; moby#36777): the framing joins them into one record, which is then
//! no JSON value but several.

use super::super::super::super::json::{MAX_DEPTH, read};
use super::super::super::super::pieces;
use super::super::super::super::tape::{Doc, NodeKind};
use super::super::super::around::{Around, Clock};
use super::super::super::layer::{Inner, Layer};
use super::super::super::plain::{Inside, Plain, Spellings};
use super::super::super::registry::{Shape, ToldBy};
use super::{Wrapper, block, is_block};
use crate::model::{Instant, reason};

pub(super) const SHAPE: Shape = Shape {
    name: "docker",
    told_by: ToldBy::KeysOrText {
        has: &["log", "stream", "time"],
        lacks: &[],
        fits,
        text: is_several,
    },
    unwrap,
};

pub(super) static PLAIN: Plain = Plain {
    names: &["log", "time"],
    take: take_plain,
};

/// A line that docker ended.
fn take_plain<'t, 'a>(spellings: &Spellings<'t>, line: &'a str) -> Option<Inside<'t, 'a>> {
    let [_, time, ..] = *spellings;
    let time = time
        .strip_prefix('"')
        .and_then(|time| time.strip_suffix('"'));
    // An escape in it is for others to read.
    let time = time.filter(|time| !time.contains('\\'))?;
    line.ends_with('\n').then(|| Inside {
        text: line.trim_end_matches(['\r', '\n']),
        received: Some((time, Clock::Timestamp)),
    })
}

const CUT_OFF: &str = "docker cut the line into pieces, and the last ones do not follow: they are \
                       missing, or above it in a file that is newest first (tac turns it around)";
const CUT_CHARACTER: &str =
    "docker cut a character in two where a piece ends, and wrote U+FFFD for it";

/// What is read of it.
static NAMES: [&str; 2] = ["log", "time"];

fn fits(layer: Layer<'_, '_>) -> bool {
    let [log, _] = layer.members(&NAMES);
    log.is_some_and(|log| layer.doc.is(log, NodeKind::String))
}

fn is_several(text: &str) -> bool {
    pieces::is_several_docker(text.as_bytes())
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    if !layer.is_json && is_block(layer.text, Wrapper::Docker) {
        return block(layer, around);
    }
    if !layer.is_json {
        return joined(layer, around);
    }
    let [log, time] = layer.members(&NAMES);
    if let Some(time) = time.and_then(|time| layer.string(time)) {
        around.received_as(time, Clock::Timestamp);
    }
    match log.and_then(|log| layer.string(log)) {
        Some(line) => whole(line, around),
        None => Inner::Nothing(reason::NO_PAYLOAD),
    }
}

/// A line that ends where docker ended it. Other programs write this shape without line ends, so what
/// has none is only cut off where it stops inside a value.
fn whole<'a>(line: &'a str, around: &mut Around<'a>) -> Inner<'a> {
    if !line.ends_with('\n') && pieces::ends_early(line) {
        around.remarks.push(CUT_OFF);
        return Inner::Nothing(reason::PAYLOAD_TRUNCATED);
    }
    Inner::Text(line.trim_end_matches(['\r', '\n']))
}

/// What several lines say together.
fn joined<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let mut text = bumpalo::collections::String::with_capacity_in(layer.text.len(), layer.arena);
    let mut nodes = Vec::new();
    let mut is_first = true;
    for (line, _) in pieces::of_record(layer.text.as_bytes()) {
        let Ok(line) = std::str::from_utf8(line) else {
            return Inner::Nothing(reason::NOT_UTF8);
        };
        if read(line, MAX_DEPTH, &mut nodes).is_err() {
            return Inner::Nothing(reason::MALFORMED_JSON);
        }
        let one = Layer::new(Doc::new(line, &nodes), layer.arena, layer.facts);
        if is_first {
            around.received(one.string_at(&["time"]).and_then(Instant::parse));
        }
        let piece = one.string_at(&["log"]).unwrap_or_default();
        let is_cut = text.ends_with('\u{fffd}') || piece.starts_with('\u{fffd}');
        if !is_first && is_cut && !around.remarks.contains(&CUT_CHARACTER) {
            around.remarks.push(CUT_CHARACTER);
        }
        text.push_str(piece);
        is_first = false;
    }
    whole(text.into_bump_str(), around)
}
