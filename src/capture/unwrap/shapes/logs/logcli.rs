//! Loki's `logcli -o jsonl`: `{"labels":{…},"line":"…","timestamp":"…"}`, newest first unless it was
//! asked with `--forward` (loki#9174); labels may be left out. Grafana's download has the same, with
//! nanoseconds as time.

use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::moment::moment;
use super::{Wrapper, block, is_block, line};

pub(super) const SHAPE: Shape = Shape {
    name: "logcli",
    told_by: ToldBy::KeysOrText {
        has: &["line", "timestamp"],
        lacks: &["message", "offset", "partition"],
        fits,
        text: is_several,
    },
    unwrap,
};

fn fits(layer: Layer<'_, '_>) -> bool {
    layer.string_at(&["line"]).is_some() && layer.string_at(&["timestamp"]).is_some()
}

/// event-display's block, one of its lines in each object.
fn is_several(text: &str) -> bool {
    is_block(text, Wrapper::Logcli)
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    if !layer.is_json {
        return block(layer, around);
    }
    around.received(layer.string_at(&["timestamp"]).and_then(moment));
    if layer.facts
        && let Some(labels) = layer.member("labels")
    {
        around.channel = Some(layer.doc.raw(labels).into());
    }
    line(layer.string_at(&["line"]))
}
