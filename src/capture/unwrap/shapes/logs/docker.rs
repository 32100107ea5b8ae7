//! Docker's `json-file` log driver: `{"log":"…\n","stream":"stdout","time":"…"}`.

use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use crate::model::{Instant, reason};

pub(super) const SHAPE: Shape = Shape {
    name: "docker",
    told_by: ToldBy::Keys {
        has: &["log", "stream", "time"],
        lacks: &[],
        fits,
    },
    unwrap,
};

fn fits(layer: Layer<'_, '_>) -> bool {
    layer.string_at(&["log"]).is_some()
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    around.received(layer.string_at(&["time"]).and_then(Instant::parse));
    match layer.string_at(&["log"]) {
        Some(line) => Inner::Text(line.trim_end_matches(['\r', '\n'])),
        None => Inner::Nothing(reason::NO_PAYLOAD),
    }
}
