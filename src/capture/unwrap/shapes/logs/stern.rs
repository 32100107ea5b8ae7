//! `stern -o json`: `{"message":"…","nodeName":"…","namespace":"…","podName":"…","containerName":"…"}`.

use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::{Wrapper, block, is_block, line};

pub(super) const SHAPE: Shape = Shape {
    name: "stern",
    told_by: ToldBy::KeysOrText {
        has: &["message", "nodeName", "namespace", "podName"],
        lacks: &[],
        fits,
        text: is_several,
    },
    unwrap,
};

fn fits(layer: Layer<'_, '_>) -> bool {
    layer.string_at(&["message"]).is_some()
}

/// event-display's block, one of its lines in each object.
fn is_several(text: &str) -> bool {
    is_block(text, Wrapper::Stern)
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    if !layer.is_json {
        return block(layer, around);
    }
    around.channel = layer.fact(&["podName"]);
    line(layer.string_at(&["message"]))
}
