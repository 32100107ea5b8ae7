//! An EventBridge event, as a target gets it or an archive holds it (EventBridge user guide, "Event
//! structure reference"). `version` is the envelope's own and always "0". Where the detail is a whole
//! CloudEvent, EventBridge only carried it: that event is the one that the producer wrote.

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
    let detail = layer.member("detail");
    if let Some(detail) = detail.filter(|at| is_cloudevent(layer, *at)) {
        note(layer, "id", &["id"], around);
        around
            .remarks
            .push("the detail is a CloudEvent itself: it is the event, and EventBridge carried it");
        return Inner::Text(layer.doc.raw(detail));
    }
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
    if let Some(detail) = detail.filter(|at| !layer.doc.is(*at, NodeKind::Null)) {
        event.raw("data", layer.doc.raw(detail));
    }
    event.finish()
}

/// Whether a value has all that a CloudEvent must have (CloudEvents 1.0.2, "REQUIRED Attributes").
fn is_cloudevent(layer: Layer<'_, '_>, at: usize) -> bool {
    ["specversion", "id", "source", "type"].iter().all(|name| {
        let member = layer.doc.member(at, name);
        let text = member.and_then(|member| layer.string(member));
        text.is_some_and(|text| !text.is_empty())
    })
}
