//! `nats stream get --json`: `{"subject":…,"seq":2,"hdrs":…,"data":…,"time":…}`, headers as on the wire
//! and in Base64 like the data (NATS' stored message; some print the headers plain).

use super::nats::{stored_at, unwrap_message, wire_headers};
use super::{
    Around, Doc, Inner, Instant, Layer, NodeKind, Shape, ToldBy, base64_payload, decode, stood,
};
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "nats-stream-get",
    told_by: ToldBy::Keys {
        has: &["subject", "seq", "time"],
        lacks: &["id", "type", "message", "line", "level", "msg"],
        fits,
    },
    unwrap,
};

/// The names are common ones, so there must be no others.
fn fits(layer: Layer<'_, '_>) -> bool {
    let doc = layer.doc;
    let mut names = doc.members(Doc::ROOT).filter_map(|(key, _)| doc.node(key));
    let are_its_own = names.all(|name| {
        matches!(
            doc.string_bytes(name),
            b"subject" | b"seq" | b"hdrs" | b"data" | b"time"
        )
    });
    let is_number = |name: &str| {
        let index = layer.member(name);
        index.is_some_and(|index| doc.is(index, NodeKind::Number))
    };
    are_its_own && is_number("seq") && layer.string_at(&["subject"]).is_some()
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    stood(around, layer.fact(&["subject"]), layer.fact(&["seq"]));
    stored_at(layer.string_at(&["time"]).and_then(Instant::parse), around);
    let headers = match layer.string_at(&["hdrs"]) {
        None | Some("") => Some(Vec::new()),
        Some(plain) if plain.starts_with("NATS/") => wire_headers(plain),
        Some(encoded) => decode::base64(encoded, layer.arena)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .and_then(wire_headers),
    };
    let (Some(headers), Ok(payload)) = (headers, base64_payload(layer, layer.member("data")))
    else {
        return Inner::Nothing(reason::PAYLOAD_NOT_DECODED);
    };
    unwrap_message(layer, headers, payload, around)
}
