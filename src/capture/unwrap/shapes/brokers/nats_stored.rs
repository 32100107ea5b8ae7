//! `nats stream get` and `nats stream view` as text (natscli `stream_command.go`): a title, headers that
//! are indented, the message as it is.
//!
//! ```text
//! Item: ORDERS#7 received 2026-03-02 09:00:00.5 +0000 UTC on Subject orders.417
//!
//! Headers:
//!   Ce-Id: evt-a1
//!
//! {…}
//! ```
//!
//! The other one's title is `[7] Subject: orders.417 Received: 2026-03-02T09:00:00Z`, and its headers
//! have none above them.

use super::nats::{stored_at, unwrap_message};
use super::text::Lines;
use super::{
    Around, Cow, Header, Inner, Instant, Layer, Payload, Shape, ToldBy, marks, spelled_moment,
    stood,
};

pub(super) const SHAPE: Shape = Shape {
    name: "nats-stream-text",
    told_by: ToldBy::Text(fits),
    unwrap,
};

fn fits(text: &str) -> bool {
    let mut lines = Lines::new(text);
    lines.next().and_then(title).is_some()
}

/// What a title says.
struct Title<'a> {
    stream: Option<&'a str>,
    sequence: &'a str,
    time: &'a str,
    subject: &'a str,
}

fn title(line: &str) -> Option<Title<'_>> {
    if !marks::is_nats_stored(line.as_bytes()) {
        return None;
    }
    if let Some(rest) = line.strip_prefix("Item: ") {
        let (item, rest) = rest.split_once(" received ")?;
        let (stream, sequence) = item.rsplit_once('#')?;
        let (time, subject) = rest.split_once(" on Subject ")?;
        return Some(Title {
            stream: Some(stream),
            sequence,
            time,
            subject: subject.trim(),
        });
    }
    let (sequence, rest) = line.strip_prefix('[')?.split_once("] Subject: ")?;
    let (subject, time) = rest.split_once(" Received: ")?;
    Some(Title {
        stream: None,
        sequence,
        time: time.trim(),
        subject,
    })
}

/// Go writes the zone's name behind its offset.
fn moment(time: &str) -> Option<Instant> {
    let end = time
        .match_indices(' ')
        .nth(2)
        .map_or(time.len(), |(at, _)| at);
    Instant::parse(&spelled_moment(time.get(..end).unwrap_or(time)))
}

fn unwrap<'a>(layer: Layer<'a, '_>, around: &mut Around<'a>) -> Inner<'a> {
    let mut lines = Lines::new(layer.text);
    if let Some(title) = lines.next().and_then(title) {
        // Without the stream's name a number is nowhere.
        let channel = title.stream.unwrap_or(title.subject);
        stood(around, Some(channel.into()), Some(title.sequence.into()));
        if title.stream.is_some() {
            around.key = Some(title.subject.into());
        }
        stored_at(moment(title.time), around);
    }
    let (headers, body) = headers_and_body(lines);
    let payload = match body {
        "" | "nil body" => Payload::Absent,
        body => Payload::Text(body),
    };
    unwrap_message(layer, headers, payload, around)
}

/// Indented lines of headers stand below an empty line, and above another one.
fn headers_and_body(mut lines: Lines<'_>) -> (Vec<Header<'_>>, &str) {
    let mut headers = Vec::new();
    while lines.peek().is_some_and(|line| line.trim().is_empty()) {
        lines.next();
    }
    let whole = lines.rest.trim();
    let is_titled = lines.peek().is_some_and(|line| line.trim() == "Headers:");
    if is_titled {
        lines.next();
    }
    while let Some((name, value)) = lines.peek().and_then(indented) {
        headers.push((Cow::Borrowed(name), Some(Cow::Borrowed(value))));
        lines.next();
    }
    let ends = lines.peek().is_none_or(|line| line.trim().is_empty());
    if ends && (is_titled || !headers.is_empty()) {
        (headers, lines.rest.trim())
    } else {
        (Vec::new(), whole)
    }
}

fn indented(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix("  ")?;
    marks::header(line.as_bytes())?;
    let (name, value) = line.split_once(':')?;
    Some((name, value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_both_commands() {
        let read = |line| {
            let title = title(line).map(|title| {
                let time = moment(title.time).map(Instant::rfc3339);
                (title.stream, title.sequence, time, title.subject)
            });
            title.map(|(stream, sequence, time, subject)| {
                (stream, sequence, time.unwrap_or_default(), subject)
            })
        };
        assert_eq!(
            read("Item: A#B#7 received 2026-03-02 10:00:00.5 +0100 CET on Subject orders.417"),
            Some((
                Some("A#B"),
                "7",
                "2026-03-02T09:00:00.5Z".to_owned(),
                "orders.417"
            ))
        );
        assert_eq!(
            read("[7] Subject: orders.417 Received: 2026-03-02T09:00:00Z"),
            Some((None, "7", "2026-03-02T09:00:00Z".to_owned(), "orders.417"))
        );
        assert_eq!(read("Item: ORDERS received now"), None);
        assert_eq!(read("[7] Received on \"a\""), None);
    }
}
