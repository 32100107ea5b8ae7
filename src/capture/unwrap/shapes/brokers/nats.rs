//! What NATS' tools share: headers as text, and what an acknowledgement's subject says.

use super::text::{Lines, decode_attributes, headers as header_lines};
use super::{Around, Header, Inner, Layer, Payload, decode, message, stood};
use crate::model::reason;

/// JetStream's `$JS.ACK.<stream>.<consumer>.<delivered>.<stream seq>.<consumer seq>.<ns>.<pending>`;
/// newer servers put a domain and an account before the stream and a token behind (nats.go `js.go`).
pub(super) fn acknowledgement<'a>(reply: &'a str, around: &mut Around<'a>) {
    let tokens: Vec<&str> = reply.split('.').collect();
    let Some(["$JS", "ACK", rest @ ..]) = tokens.get(..) else {
        return;
    };
    let rest = match rest.len() {
        7 => Some(rest),
        9.. => rest.get(2..),
        _ => None,
    };
    let Some([stream, _, delivered, sequence, _, stored, ..]) = rest else {
        return;
    };
    let is_count = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_count(delivered) && is_count(sequence) {
        around.attempt = Some(delivered);
        stood(around, Some((*stream).into()), Some((*sequence).into()));
        stored_at(decode::nanos(stored), around);
    }
}

/// When the stream stored the message: the nearest to a delivery's time that NATS keeps.
pub(super) fn stored_at(at: Option<crate::model::Instant>, around: &mut Around<'_>) {
    if at.is_some() {
        around.received(at);
        around
            .remarks
            .push("the time is when the stream stored the message, not when it was delivered");
    }
}

/// Headers as they go over the wire: `NATS/1.0`, then a line each.
pub(super) fn wire_headers(text: &str) -> Option<Vec<Header<'_>>> {
    let mut lines = Lines::new(text);
    lines
        .next()
        .filter(|line| line.starts_with("NATS/1.0"))
        .map(|_| header_lines(&mut lines))
}

/// What is inside a message: `ce-` headers are percent-encoded, and unlike in HTTP the content type
/// may be one of them (CloudEvents NATS binding, 1.0.3).
pub(super) fn unwrap_message<'a>(
    layer: Layer<'a, '_>,
    headers: Vec<Header<'a>>,
    payload: Payload<'a>,
    around: &mut Around<'a>,
) -> Inner<'a> {
    let Some(headers) = decode_attributes(headers) else {
        around
            .remarks
            .push("a ce- header's percent-encoding is no UTF-8, which must be refused");
        return Inner::Nothing(reason::NOT_UTF8);
    };
    message(layer, headers, None, &["ce-"], payload, around)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(reply: &str) -> Option<(&str, String, String)> {
        let mut around = Around::default();
        acknowledgement(reply, &mut around);
        let (attempt, channel, offset) = (around.attempt?, around.channel?, around.offset?);
        Some((attempt, channel.into_owned(), offset.into_owned()))
    }

    #[test]
    fn acknowledgements_of_both_ages() {
        let wanted = Some(("2", "ORDERS".to_owned(), "17".to_owned()));
        for reply in [
            "$JS.ACK.ORDERS.worker.2.17.5.1772352000000000000.0",
            "$JS.ACK.hub.ACCHASH.ORDERS.worker.2.17.5.1772352000000000000.0",
            "$JS.ACK._.ACCHASH.ORDERS.worker.2.17.5.1772352000000000000.0.tok",
        ] {
            assert_eq!(told(reply), wanted, "{reply}");
        }
        for reply in ["", "_INBOX.x", "$JS.ACK.a.b", "$JS.ACK.S.c.two.17.5.1.0"] {
            assert_eq!(told(reply), None, "{reply}");
        }
    }
}
