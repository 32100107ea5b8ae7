//! `journalctl -o json`, one object a line, and `json-pretty` and `json-sse`: the message is a text, or
//! an array of its bytes where they are no printable UTF-8, and null where they are more than 4096,
//! unless `--all` was given (systemd's `logs-show.c`). Times are microseconds.

use super::super::super::super::tape::NodeKind;
use super::super::super::around::Around;
use super::super::super::layer::{Inner, Layer};
use super::super::super::registry::{Shape, ToldBy, any};
use super::line;
use super::moment::micros;
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "journald",
    told_by: ToldBy::Keys {
        has: &["MESSAGE", "__REALTIME_TIMESTAMP"],
        lacks: &[],
        fits: any,
    },
    unwrap,
};

/// What wrote the message: its unit, else what it calls itself.
const UNITS: [&str; 3] = ["_SYSTEMD_UNIT", "CONTAINER_NAME", "SYSLOG_IDENTIFIER"];

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let time = layer.string_at(&["__REALTIME_TIMESTAMP"]);
    around.received(time.and_then(micros));
    around.channel = UNITS.iter().find_map(|name| layer.fact(&[name]));
    let Some(message) = layer.member("MESSAGE") else {
        return Inner::Nothing(reason::NO_PAYLOAD);
    };
    if layer.doc.is(message, NodeKind::Null) {
        around.remarks.push(
            "journalctl writes null for a value of more than 4096 bytes, unless it is given --all",
        );
        return Inner::Nothing(reason::PAYLOAD_TRUNCATED);
    }
    if layer.doc.is(message, NodeKind::Array) {
        let bytes = layer.doc.elements(message).map(|element| {
            let byte = layer.doc.raw(element).parse::<u8>();
            byte.ok()
        });
        return match bytes.collect::<Option<Vec<u8>>>() {
            Some(bytes) => {
                let end = bytes.trim_ascii_end().len();
                let bytes = bytes.get(..end).unwrap_or_default();
                Inner::Bytes(layer.arena.alloc_slice_copy(bytes))
            }
            None => Inner::Nothing(reason::PAYLOAD_NOT_DECODED),
        };
    }
    line(layer.string(message))
}
