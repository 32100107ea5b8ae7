//! An EventBridge event, as a target gets it or an archive holds it (EventBridge user guide, "Event
//! structure reference"). `version` is the envelope's own and always "0".

use super::super::super::super::tape::NodeKind;
use super::super::super::around::Around;
use super::super::super::event::EventText;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy};
use super::message::{filled, note};

pub(super) const SHAPE: Shape = Shape {
    name: "eventbridge",
    told_by: ToldBy::Keys {
        has: &["source", "detail"],
        lacks: &["specversion", "type"],
        fits,
    },
    unwrap,
};

/// Some tools take the hyphen out.
const TYPE: [&str; 2] = ["detail-type", "detailType"];

fn detail_type<'a>(layer: Layer<'a, '_>) -> Option<&'a str> {
    TYPE.iter().find_map(|name| layer.string_at(&[name]))
}

fn fits(layer: Layer<'_, '_>) -> bool {
    detail_type(layer).is_some()
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    // The name of a replay is there on events out of an archive, and on no others.
    if filled(layer, &["replay-name"]).is_some() {
        around
            .remarks
            .push("replayed from an EventBridge archive: a replay keeps no order");
        note(layer, "replay-name", &["replay-name"], around);
    }
    note(layer, "account", &["account"], around);
    note(layer, "region", &["region"], around);
    let resource = layer.member("resources").and_then(|list| {
        let first = layer.doc.elements(list).next()?;
        layer.string(first).filter(|text| !text.is_empty())
    });
    let mut event = EventText::new(layer.arena);
    event.string("specversion", "1.0");
    event.maybe("id", layer.string_at(&["id"]));
    event.maybe("source", layer.string_at(&["source"]));
    event.maybe("type", detail_type(layer));
    event.maybe("subject", resource);
    event.maybe("time", layer.string_at(&["time"]));
    let detail = layer.member("detail");
    if let Some(detail) = detail.filter(|at| !layer.doc.is(*at, NodeKind::Null)) {
        event.raw("data", layer.doc.raw(detail));
    }
    Inner::Event(event.finish())
}
