//! `kubectl logs --timestamps` and `--prefix`: `[pod/NAME/CONTAINER] TIME line`, either part alone or
//! both; `docker logs --timestamps` writes the time alone as well.

use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::{Head, Wrapper, begins_value, block, is_block, labels};
use crate::model::{Instant, reason};

pub(super) const SHAPE: Shape = Shape {
    name: "kubectl",
    told_by: ToldBy::Text(fits),
    unwrap,
};

fn fits(text: &str) -> bool {
    if is_block(text, Wrapper::Kubectl) {
        return true;
    }
    // Loki's text output has labels behind the time.
    Head::kubectl(text).is_some_and(|line| begins_value(line.rest) && labels(line.rest).is_none())
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    if is_block(layer.text, Wrapper::Kubectl) {
        return block(layer, around);
    }
    let Some(line) = Head::kubectl(layer.text) else {
        return Inner::Nothing(reason::NO_PAYLOAD);
    };
    around.received(line.time.and_then(Instant::parse));
    if layer.facts && !line.channel.is_empty() {
        around.channel = Some(line.channel.into());
    }
    Inner::Text(line.rest)
}
