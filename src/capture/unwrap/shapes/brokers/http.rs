//! Dumps of HTTP messages: a request or status line or neither, headers, an empty line, a body (RFC
//! 9112). CloudEvents in binary mode (`ce-` headers), structured mode and batches (CloudEvents HTTP
//! binding), Standard Webhooks (`webhook-id`, `webhook-timestamp`) and GitHub's webhooks
//! (`x-github-delivery`); any other body is looked at by itself.

use bumpalo::Bump;

use super::super::super::super::framing::messages::{self, End};
use super::text::{Lines, decode_attributes, headers as header_lines};
use super::{
    Around, Doc, EventText, Header, Inner, Layer, MAX_DEPTH, NodeKind, Payload, Shape, ToldBy,
    carried, header, is_json_value, is_structured, marks, message, read, seconds, spelled_moment,
};
use crate::model::reason;

pub(super) const SHAPE: Shape = Shape {
    name: "http",
    told_by: ToldBy::Text(fits),
    unwrap,
};

fn fits(text: &str) -> bool {
    let text = text.trim_start();
    let first = text.lines().next().unwrap_or_default();
    let starts = marks::is_request(first.as_bytes()) || marks::is_status(first.as_bytes());
    (starts || marks::bare_headers(text.as_bytes(), true) == Some(true)) && batch(text).is_none()
}

/// A message taken apart.
struct Parts<'a> {
    headers: Vec<Header<'a>>,
    body: &'a str,
    has_answer: bool,
}

fn parts(text: &str) -> Parts<'_> {
    let (headers, rest) = head(text);
    let (body, has_answer) = body(text, rest, header(&headers, "content-length"));
    Parts {
        headers,
        body,
        has_answer,
    }
}

/// The headers, and what stands below the empty line behind them.
fn head(text: &str) -> (Vec<Header<'_>>, &str) {
    let mut lines = Lines::new(text.trim_start());
    let is_first = |line: &str| {
        let line = line.as_bytes();
        marks::is_request(line) || marks::is_status(line)
    };
    if lines.peek().is_some_and(is_first) {
        lines.next();
    }
    let headers = header_lines(&mut lines);
    if lines.peek().is_some_and(|line| line.trim().is_empty()) {
        lines.next();
    }
    (headers, lines.rest)
}

/// The body, and whether an answer stands below it: as the framing sees it, and where that does not know
/// its end, up to the answer, and no longer than it says it is.
fn body<'a>(text: &'a str, rest: &'a str, length: Option<&str>) -> (&'a str, bool) {
    let text = text.trim_start();
    let message = messages::message(text.as_bytes(), 0, true);
    // Behind a broken line of headers nothing is a body.
    if message.body_at + rest.len() == text.len()
        && let End::At(end) = message.end
        && let Some((before, below)) = text.split_at_checked(end)
        && let Some(body) = before.get(message.body_at..)
    {
        let below = below.trim_start().lines().next().unwrap_or_default();
        let body = match body.trim() {
            json if is_json_value(json) => json,
            _ => body,
        };
        return (body, marks::is_status(below.as_bytes()));
    }
    let mut lines = Lines::new(rest);
    let mut end = rest.len();
    let mut has_answer = false;
    while let Some(line) = lines.peek() {
        if marks::is_status(line.as_bytes()) {
            end = rest.len() - lines.rest.len();
            has_answer = true;
            break;
        }
        lines.next();
    }
    let whole = rest.get(..end).unwrap_or(rest);
    if is_json_value(whole.trim()) {
        return (whole.trim(), has_answer);
    }
    let told = length
        .and_then(|length| length.parse().ok())
        .and_then(|length: usize| rest.get(..length));
    let body = told.unwrap_or_else(|| whole.trim_end_matches(['\r', '\n']));
    (body, has_answer)
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let Parts {
        headers,
        body,
        has_answer,
    } = parts(layer.text);
    if has_answer {
        around.remarks.push("the answer to it stands below it");
    }
    if begins_inside(layer.text, &headers) {
        around.remarks.push(
            "the capture begins inside this event's message: the headers above are not in it",
        );
        return Inner::Nothing(reason::PAYLOAD_TRUNCATED);
    }
    let is_chunked = header(&headers, "transfer-encoding")
        .is_some_and(|encoding| encoding.to_ascii_lowercase().contains("chunked"));
    let body = if is_chunked && !is_json_value(body) {
        unchunked(body, layer.arena).unwrap_or(body)
    } else {
        body
    };
    // What was sent is longer than what is here; a body that is whole JSON all the same was only
    // written in another way.
    let length: Option<usize> =
        header(&headers, "content-length").and_then(|length| length.parse().ok());
    if length.is_some_and(|length| length > body.len()) && !is_json_value(body) && !body.is_empty()
    {
        let lost = length.unwrap_or_default() - body.len();
        // Line ends behind a body are no part of the record.
        if lost > 2 {
            around
                .remarks
                .push("the body is shorter than its content-length");
            return Inner::Nothing(reason::PAYLOAD_TRUNCATED);
        }
    }
    let payload = if body.is_empty() {
        Payload::Absent
    } else {
        Payload::Text(body)
    };
    request(layer, headers, payload, around)
}

/// Whether headers above these are missing: several that a binary event has to have, and the first line.
fn begins_inside(text: &str, headers: &[Header<'_>]) -> bool {
    const REQUIRED: [&str; 3] = ["ce-id", "ce-source", "ce-type"];
    let first = text.trim_start().lines().next().unwrap_or_default();
    let has_first = marks::is_request(first.as_bytes()) || marks::is_status(first.as_bytes());
    let is_structured = header(headers, "content-type").is_some_and(is_structured);
    let mut names = headers.iter().map(|(name, _)| name);
    let is_binary = names.any(|name| {
        let head = name.get(..3);
        head.is_some_and(|head| head.eq_ignore_ascii_case("ce-"))
    });
    let lacks = |name: &&str| header(headers, name).is_none();
    let lacks_several = lacks(&"ce-specversion") && REQUIRED.iter().any(lacks);
    is_binary && !has_first && !is_structured && lacks_several
}

/// A body as it went over the wire in chunks, each behind its length in hexadecimal (RFC 9112, section
/// 7.1). The lengths are bytes, so a dump whose line ends were changed is none.
fn unchunked<'a>(body: &str, arena: &'a Bump) -> Option<&'a str> {
    let mut whole = bumpalo::collections::String::new_in(arena);
    let mut rest = body;
    loop {
        let (size, behind) = rest.split_once('\n')?;
        let size = size.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(size, 16).ok()?;
        let (piece, after) = behind.split_at_checked(size)?;
        whole.push_str(piece);
        rest = after.trim_start_matches(['\r', '\n']);
        // The record ends with the last chunk's zero, whose line end is cut off.
        if size == 0 || matches!(rest.trim_end(), "0") {
            return Some(whole.into_bump_str());
        }
    }
}

/// What is inside a message with these headers, dumped as text or as JSON.
pub(super) fn request<'a>(
    layer: Layer<'a, '_>,
    mut headers: Vec<Header<'a>>,
    payload: Payload<'a>,
    around: &mut Around<'a>,
) -> Inner<'a> {
    let count = headers.len();
    headers.retain(|(name, _)| !name.eq_ignore_ascii_case("ce-datacontenttype"));
    if headers.len() < count {
        around.remarks.push(
            "ce-datacontenttype must not appear over HTTP; the Content-Type header is what counts",
        );
    }
    let Some(headers) = decode_attributes(headers) else {
        around
            .remarks
            .push("a ce- header's percent-encoding is no UTF-8, which must be refused");
        return Inner::Nothing(reason::NOT_UTF8);
    };
    let sent = header(&headers, "webhook-timestamp").and_then(seconds);
    around.received(sent);
    let is_event = headers.iter().any(|(name, _)| {
        name.get(..3)
            .is_some_and(|head| head.eq_ignore_ascii_case("ce-"))
    });
    let structured = header(&headers, "content-type").is_some_and(is_structured);
    if !is_event && !structured {
        let event = webhook(layer, &headers, payload, around)
            .or_else(|| github(layer, &headers, payload, around));
        if let Some(event) = event {
            if layer.facts {
                around.headers.extend(headers);
            }
            return event;
        }
    }
    if structured {
        if matches!(payload, Payload::Text(text) if text.trim() == "[]") {
            around.remarks.push("a batch of no events, which is legal");
            return Inner::Nothing(reason::NO_PAYLOAD);
        }
        if layer.facts {
            around.headers.extend(headers);
        }
        return carried(payload);
    }
    message(layer, headers, None, &["ce-"], payload, around)
}

/// Standard Webhooks: the id is a header's, type, time and data are the body's.
fn webhook<'a>(
    layer: Layer<'a, '_>,
    headers: &[Header<'_>],
    payload: Payload<'_>,
    around: &mut Around<'a>,
) -> Option<Inner<'a>> {
    let id = header(headers, "webhook-id")?;
    let body = payload_text(payload)?;
    let mut nodes = Vec::new();
    read(body, MAX_DEPTH, &mut nodes).ok()?;
    let doc = Doc::new(body, &nodes);
    if doc.member(Doc::ROOT, "specversion").is_some() {
        return None;
    }
    let text = |name: &str| doc.string(doc.member(Doc::ROOT, name)?);
    let data = doc.member(Doc::ROOT, "data")?;
    around
        .remarks
        .push("Standard Webhooks have no source: `standard-webhooks` stands in for it");
    let mut event = EventText::new(layer.arena);
    event.string("specversion", "1.0");
    event.string("id", id);
    event.string("source", "standard-webhooks");
    event.maybe("type", text("type").as_deref());
    let time = text("timestamp").map(|time| spelled_moment(&time));
    event.maybe("time", time.as_deref());
    event.data(Payload::Json(doc.raw(data)), None);
    Some(event.finish())
}

/// GitHub's webhooks as they are sent: the guid and the event's name are headers'.
fn github<'a>(
    layer: Layer<'a, '_>,
    headers: &[Header<'_>],
    payload: Payload<'_>,
    around: &mut Around<'a>,
) -> Option<Inner<'a>> {
    let guid = header(headers, "x-github-delivery")?;
    let name = header(headers, "x-github-event")?;
    let body = payload_text(payload)?;
    let mut nodes = Vec::new();
    read(body, MAX_DEPTH, &mut nodes).ok()?;
    let doc = Doc::new(body, &nodes);
    let action = doc
        .member(Doc::ROOT, "action")
        .filter(|action| doc.is(*action, NodeKind::String))
        .and_then(|action| doc.string(action));
    Some(super::github::event(
        layer,
        Some(guid),
        Some(name),
        action.as_deref(),
        Some(body),
        around,
    ))
}

fn payload_text(payload: Payload<'_>) -> Option<&str> {
    match payload {
        Payload::Text(text) | Payload::Json(text) => Some(text),
        Payload::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
        Payload::Absent => None,
    }
}

/// The events of a batch (CloudEvents HTTP binding, section 3.3): each is a record of its own.
pub(super) fn batch(text: &str) -> Option<Vec<(usize, usize)>> {
    let (headers, rest) = head(text);
    let wanted = "application/cloudevents-batch";
    let is_batch = header(&headers, "content-type")?
        .get(..wanted.len())?
        .eq_ignore_ascii_case(wanted);
    if !is_batch {
        return None;
    }
    let (body, _) = body(text, rest, header(&headers, "content-length"));
    let mut nodes = Vec::new();
    read(body, MAX_DEPTH + 1, &mut nodes).ok()?;
    let doc = Doc::new(body, &nodes);
    // The body is a piece of the text.
    let start = body.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
    let mut found = Vec::new();
    for element in doc.elements(Doc::ROOT) {
        let node = doc.node(element)?;
        found.push((start + node.start as usize, start + node.end as usize));
    }
    (!found.is_empty()).then_some(found)
}
