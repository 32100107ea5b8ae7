//! `stern -o json`: `{"message":"…","nodeName":"…","namespace":"…","podName":"…","containerName":"…"}`.

use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::line;

pub(super) const SHAPE: Shape = Shape {
    name: "stern",
    told_by: ToldBy::Keys {
        has: &["message", "nodeName", "namespace", "podName"],
        lacks: &[],
        fits,
    },
    unwrap,
};

fn fits(layer: Layer<'_, '_>) -> bool {
    layer.string_at(&["message"]).is_some()
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    around.channel = layer.fact(&["podName"]);
    line(layer.string_at(&["message"]))
}
