//! HTTP requests dumped as JSON, `{"headers":{…},"body":…}`, where the headers are an event's: `ce-`,
//! `webhook-id` (Standard Webhooks), `x-github-delivery`, or a CloudEvents content type. The same as an
//! HTTP dump in text.

use super::http::request;
use super::{
    Around, Inner, Layer, NodeKind, Payload, Shape, ToldBy, decode, header, is_structured, members,
};
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "http-json",
    told_by: ToldBy::Keys {
        has: &["headers", "body"],
        lacks: &["topic", "partition", "guid", "application_properties"],
        fits,
    },
    unwrap,
};

fn fits(layer: Layer<'_, '_>) -> bool {
    let headers = members(layer, layer.member("headers"));
    let names = [
        "ce-id",
        "ce-type",
        "ce-source",
        "ce-specversion",
        "webhook-id",
        "x-github-delivery",
    ];
    names.iter().any(|name| header(&headers, name).is_some())
        || header(&headers, "content-type").is_some_and(is_structured)
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let headers = members(layer, layer.member("headers"));
    let body = layer
        .member("body")
        .filter(|body| !layer.is_null(Some(*body)));
    let is_base64 = layer
        .member("isBase64Encoded")
        .is_some_and(|index| layer.doc.is(index, NodeKind::True));
    let text = body.and_then(|body| layer.string(body));
    let payload = match (body, text) {
        (None, _) | (_, Some("")) => Payload::Absent,
        (_, Some(text)) if is_base64 => match decode::base64(text, layer.arena) {
            Some(bytes) => Payload::Bytes(bytes),
            None => return Inner::Nothing(reason::PAYLOAD_NOT_DECODED),
        },
        (_, Some(text)) => Payload::Text(text),
        (Some(body), None) => Payload::Json(layer.doc.raw(body)),
    };
    request(layer, headers, payload, around)
}
