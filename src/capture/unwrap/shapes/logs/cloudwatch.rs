//! CloudWatch Logs: `aws logs get-log-events` and `filter-log-events` (`events[]`), and what a
//! subscription delivers (`logEvents[]`). Times are milliseconds; several events share one, and their
//! order is the file's. A page that is not the last one has a `nextToken`: that is a record which says
//! that more were there. (`get-log-events` always has tokens, which say nothing.)

use super::super::super::super::tape::NodeKind;
use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::Container;
use super::super::super::registry::{Shape, ToldBy};
use super::{beside, line};
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "cloudwatch",
    told_by: ToldBy::KeysOrText {
        has: &["timestamp", "message"],
        lacks: &["line", "labels", "podName"],
        fits,
        text: is_more,
    },
    unwrap,
};

/// Pages of events.
pub(super) const EVENTS: Container = Container {
    name: "cloudwatch",
    way: &[ARRAY, "*"],
};

/// A subscription's batch, unpacked.
pub(super) const LOG_EVENTS: Container = Container {
    name: "cloudwatch-subscription",
    way: &["logEvents", "*"],
};

/// Where the records of a page are.
const ARRAY: &str = "events";

/// How the AWS CLI spells it by itself, and with `--max-items`.
const TOKENS: [&str; 2] = ["nextToken", "NextToken"];

fn fits(layer: Layer<'_, '_>) -> bool {
    let number = |name| {
        let found = layer.member(name);
        found.is_some_and(|found| layer.doc.is(found, NodeKind::Number))
    };
    let is_known = ["ingestionTime", "eventId", "logStreamName", "id"]
        .into_iter()
        .any(|name| layer.member(name).is_some());
    number("timestamp") && is_known && layer.string_at(&["message"]).is_some()
}

fn is_more(text: &str) -> bool {
    beside::is_told(text, ARRAY, more)
}

/// The range of what says that more were there.
pub(super) fn told(layer: Layer<'_, '_>) -> Option<(usize, usize)> {
    beside::range(layer, ARRAY, more)
}

/// The token of a page that is not the last.
pub(super) fn more(layer: Layer<'_, '_>) -> Option<(usize, usize)> {
    let found = TOKENS
        .iter()
        .find_map(|token| super::member(layer, token))?;
    layer.doc.is(found.1, NodeKind::String).then_some(found)
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    if !layer.is_json {
        around.remarks.push(
            "a page of CloudWatch events, and not the last one: the capture lacks what follows",
        );
        return Inner::Nothing(reason::PAYLOAD_TRUNCATED);
    }
    let time = layer.member("timestamp");
    around.received(time.and_then(|time| layer.millis_or_time(time)));
    around.channel = layer.fact(&["logStreamName"]);
    around.offset = layer.fact(&["eventId"]).or_else(|| layer.fact(&["id"]));
    line(layer.string_at(&["message"]))
}
