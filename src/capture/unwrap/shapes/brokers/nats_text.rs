//! `nats sub`: a title, headers and an empty line where there are headers, the message as it is. The
//! title's wording has changed over time (natscli `sub_command.go`):
//!
//! ```text
//! [#1] Received on "orders" with reply "…"
//! 10:00:00 [#1] Received on [orders]: '…'
//! [#1] Received JetStream message: stream: S seq 2 / subject: T / time: 2026-03-01T08:00:00Z
//! [#1] Received JetStream message: stream: S seq: 2 / pending: 0 / subject: T / time: 2026-03-01 08:00:00
//! [#1] Received JetStream message: consumer: S > C / subject: T / delivered: 1 / consumer seq: 1 / stream seq: 2
//! ```

use super::super::super::super::framing::Tool;
use super::nats::{acknowledgement, stored_at, unwrap_message};
use super::text::{Lines, headers as header_lines};
use super::{Around, Header, Inner, Instant, Layer, Payload, Shape, ToldBy, marks, stood};

pub(super) const SHAPE: Shape = Shape {
    name: "nats-text",
    told_by: ToldBy::Text(fits),
    unwrap,
};

fn fits(text: &str) -> bool {
    title(&mut Lines::new(text)).is_some()
}

/// The title, below nothing but the tool's own log.
fn title<'a>(lines: &mut Lines<'a>) -> Option<&'a str> {
    for line in lines.by_ref() {
        if marks::is_nats(line.as_bytes()) {
            return line.split_once("] Received ").map(|(_, title)| title);
        }
        if !line.trim().is_empty() && !marks::is_own_log(Tool::Nats, line.as_bytes()) {
            return None;
        }
    }
    None
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let mut lines = Lines::new(layer.text);
    let title = title(&mut lines).unwrap_or_default();
    remark_log(layer.text, around);
    if let Some(about) = title.strip_prefix("JetStream message: ") {
        jetstream(about, around);
    } else if let Some(about) = title.strip_prefix("on [") {
        return oldest(layer, about, lines.rest, around);
    } else {
        let mut quoted = title.split('"').skip(1).step_by(2);
        stood(around, quoted.next().map(Into::into), None);
        acknowledgement(quoted.next().unwrap_or_default(), around);
    }
    let (headers, body) = headers_and_body(lines);
    let payload = if body.is_empty() {
        Payload::Absent
    } else {
        Payload::Text(body)
    };
    unwrap_message(layer, headers, payload, around)
}

/// Says what stands around the message and is no part of it.
fn remark_log(text: &str, around: &mut Around<'_>) {
    let is_log = |line: &str| marks::is_own_log(Tool::Nats, line.as_bytes());
    if Lines::new(text).any(is_log) {
        around
            .remarks
            .push("lines of the tool's own log stand around the message");
    }
    if Lines::new(text).any(is_reply) {
        around
            .remarks
            .push("the reply that was matched to it stands below it, and is left out");
    }
}

fn is_reply(line: &str) -> bool {
    line.starts_with("[#") && line.contains("] Matched reply ")
}

/// `orders]: '…'`, where the message may run over several lines.
fn oldest<'a>(
    layer: Layer<'a, '_>,
    about: &'a str,
    below: &'a str,
    around: &mut Around<'a>,
) -> Inner<'a> {
    let Some((subject, _)) = about.split_once("]: '") else {
        return unwrap_message(layer, Vec::new(), Payload::Absent, around);
    };
    stood(around, Some(subject.into()), None);
    let below = without_log(below);
    let end = layer.text.len() - (below_start(layer.text, below) - below.len());
    let whole = layer.text.get(..end).unwrap_or(layer.text);
    let message = whole
        .split_once("]: '")
        .map_or("", |(_, message)| message.trim_end());
    let message = message.strip_suffix('\'').unwrap_or(message);
    unwrap_message(layer, Vec::new(), Payload::Text(message), around)
}

/// How many bytes of the text there are from a piece of it on.
fn below_start(text: &str, piece: &str) -> usize {
    let start = piece.as_ptr().addr().saturating_sub(text.as_ptr().addr());
    text.len().saturating_sub(start)
}

/// `name: value / name: value …`
fn jetstream<'a>(about: &'a str, around: &mut Around<'a>) {
    let (mut channel, mut offset) = (None, None);
    for part in about.split(" / ") {
        let Some((name, value)) = part.split_once(": ") else {
            continue;
        };
        match name.trim() {
            "stream" => {
                let (stream, sequence) = value.split_once(" seq").unwrap_or((value, ""));
                channel = Some(stream.into());
                let sequence = sequence.trim_start_matches(':').trim();
                offset = Some(sequence)
                    .filter(|text| !text.is_empty())
                    .map(Into::into);
            }
            "consumer" => {
                let stream = value.split_once(" > ").map_or(value, |(stream, _)| stream);
                channel = Some(stream.into());
            }
            "stream seq" => offset = Some(value.into()),
            "subject" => around.key = Some(value.into()),
            "delivered" => around.attempt = Some(value),
            // Without an offset it is the time of a clock nobody knows.
            "time" => stored_at(Instant::parse(value), around),
            _ => {}
        }
    }
    stood(around, channel, offset);
}

/// Header lines are told from a message that looks like some by the empty line and the message below.
fn headers_and_body(mut lines: Lines<'_>) -> (Vec<Header<'_>>, &str) {
    let whole = lines.rest;
    let headers = header_lines(&mut lines);
    let is_followed = lines.peek().is_some_and(|line| line.trim().is_empty());
    let body = without_log(lines.rest);
    let are_known = headers.iter().all(|(name, _)| {
        let name = name.to_ascii_lowercase();
        name.starts_with("nats-") || name.starts_with("ce-")
    });
    let are_headers = !headers.is_empty() && (is_followed && !body.is_empty() || are_known);
    if are_headers {
        (headers, body)
    } else {
        (Vec::new(), without_log(whole))
    }
}

/// A message without the tool's log, or a matched reply, below it.
fn without_log(text: &str) -> &str {
    let mut lines = Lines::new(text);
    while let Some(line) = lines.peek() {
        if is_reply(line) || marks::is_own_log(Tool::Nats, line.as_bytes()) {
            let end = text.len() - lines.rest.len();
            return text.get(..end).unwrap_or(text).trim();
        }
        lines.next();
    }
    text.trim()
}
