//! Kafka as a Lambda function gets it, from MSK or any other cluster: one element of
//! `records."topic-0"`, key and value in Base64, headers as arrays of Java's signed bytes (AWS Lambda,
//! "Process Amazon MSK messages").

use std::borrow::Cow;

use super::super::super::around::{Around, Header};
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy, any};
use super::clock::millis_at;
use super::message::{encoded, message, position, readable, remark, signed_bytes};

pub(super) const SHAPE: Shape = Shape {
    name: "lambda-kafka",
    told_by: ToldBy::Keys {
        has: &["topic", "partition", "offset", "timestampType"],
        lacks: &["payload"],
        fits: any,
    },
    unwrap,
};

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    around.received(millis_at(layer, &["timestamp"]));
    if layer.facts {
        let place = ["topic", "partition", "offset"];
        position(around, place.map(|name| layer.fact(&[name])));
        let key = layer.member("key").and_then(|key| readable(layer, key));
        around.key = key.or(around.key.take());
        if layer.at(&["valueSchemaMetadata", "dataFormat"]).is_some() {
            remark(
                layer,
                around,
                "the value was written with a schema registry",
            );
        }
    }
    let list = layer.member("headers");
    let elements = list.map(|list| layer.doc.elements(list));
    let headers: Vec<Header<'a>> = elements
        .into_iter()
        .flatten()
        .flat_map(|element| layer.doc.members(element))
        .filter_map(|(key, value)| {
            Some((
                Cow::Borrowed(layer.string(key)?),
                signed_bytes(layer, value),
            ))
        })
        .collect();
    match encoded(layer, layer.member("value"), around) {
        Ok(payload) => message(layer, headers, payload, around),
        Err(why) => Inner::Nothing(why),
    }
}
