//! An event in Event Grid's own schema, one element of the array that a request carries (Azure Event
//! Grid, "Event Grid event schema"). Its CloudEvents schema needs no unwrapping.

use super::super::super::around::Around;
use super::super::super::event::EventText;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy, any};
use super::message::{filled, remark};

pub(super) const SHAPE: Shape = Shape {
    name: "event-grid",
    told_by: ToldBy::Keys {
        has: &["id", "eventType", "eventTime", "subject"],
        lacks: &["specversion", "source", "type"],
        fits: any,
    },
    unwrap,
};

const HANDSHAKE: &str = "Microsoft.EventGrid.SubscriptionValidationEvent";

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let event_type = layer.string_at(&["eventType"]);
    if event_type == Some(HANDSHAKE) {
        around
            .remarks
            .push("a handshake of Event Grid about a subscription, no event of a producer");
    } else if layer.at(&["data", "sequencer"]).is_some() {
        remark(
            layer,
            around,
            "Event Grid keeps no order; data.sequencer orders the events of one blob, as text",
        );
    } else {
        remark(layer, around, "Event Grid keeps no order");
    }
    // A queue that it was put into is nearer to the consumer than the topic.
    if around.channel.is_none() {
        around.channel = layer.fact(&["topic"]);
    }
    let mut event = EventText::new(layer.arena);
    event.string("specversion", "1.0");
    event.maybe("id", layer.string_at(&["id"]));
    event.maybe("source", layer.string_at(&["topic"]));
    event.maybe("type", event_type);
    event.maybe("subject", filled(layer, &["subject"]));
    event.maybe("time", layer.string_at(&["eventTime"]));
    event.maybe("dataschema", filled(layer, &["dataVersion"]));
    if let Some(data) = layer.member("data").filter(|at| !layer.is_null(Some(*at))) {
        event.raw("data", layer.doc.raw(data));
    }
    event.finish()
}
