//! `nats sub --dump`: `{"Subject":…,"Reply":…,"Header":{"K":["v"]},"Data":…}` in a file each, or with a
//! NUL behind each on standard output (natscli `sub_command.go`; the data is Base64). Attempt and
//! sequence are in the reply's subject.

use std::borrow::Cow;

use super::nats::{acknowledgement, unwrap_message};
use super::{Around, Header, Inner, Layer, Shape, ToldBy, any, base64_payload, plain, stood};
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "nats-dump",
    told_by: ToldBy::Keys {
        has: &["Subject", "Reply", "Header", "Data"],
        lacks: &[],
        fits: any,
    },
    unwrap,
};

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    stood(around, layer.fact(&["Subject"]), None);
    around.key = layer.fact(&["Subject"]);
    acknowledgement(layer.string_at(&["Reply"]).unwrap_or_default(), around);
    match base64_payload(layer, layer.member("Data")) {
        Ok(payload) => unwrap_message(layer, headers(layer), payload, around),
        Err(()) => Inner::Nothing(reason::PAYLOAD_NOT_DECODED),
    }
}

/// Every value of every name.
fn headers<'a>(layer: Layer<'a, '_>) -> Vec<Header<'a>> {
    let Some(object) = layer.member("Header") else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (key, values) in layer.doc.members(object) {
        let Some(name) = layer.string(key) else {
            continue;
        };
        for value in layer.doc.elements(values) {
            found.push((Cow::Borrowed(name), plain(layer, value)));
        }
    }
    found
}
