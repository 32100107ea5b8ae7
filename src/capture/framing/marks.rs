//! The lines with which the listed tools begin a block of text, one block a record.
//!
//! Which tool wrote a capture is told once, from its head; from then on only that tool's lines begin a
//! block, so that a payload which quotes another tool's output stays whole.

use super::super::{logged, pieces};
use super::chunk::is_separator;
pub(in crate::capture) use super::cut::{is_attribute, is_pair, is_title_within};
use super::ends::is_stray;
use super::messages::headers;
pub(in crate::capture) use super::messages::{bare_headers, header, is_request, is_status};

/// A tool that writes its records as blocks of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Knative's event-display, and whatever prints sdk-go's `Event.String()`.
    EventDisplay,
    /// `nats sub`, `nats stream get` and `nats stream view`.
    Nats,
    /// `pulsar-client consume`.
    Pulsar,
    /// Dumps of HTTP messages: request or status line, or nothing but headers and body.
    Http,
}

/// What the head says of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// They are this tool's.
    Blocks(Tool),
    /// A log has a wrapper around each of their lines.
    Logged,
    /// It is something else.
    Other,
    /// More must be read to know.
    Open,
}

/// Lines of a tool's own log that may stand before its first block.
const PREFACE_LINES: usize = 32;

/// Which tool's blocks these are, from the head: the first line that begins one decides, unless a
/// line that may be JSON comes before it.
pub(super) fn told(head: &[u8], complete: bool) -> Told {
    let mut at = 0;
    let mut others = 0;
    let mut in_attributes = true;
    while others < PREFACE_LINES {
        let rest = head.get(at..).unwrap_or_default();
        let Some(length) = line_length(rest, complete) else {
            return if complete { Told::Other } else { Told::Open };
        };
        let untrimmed = rest.get(..length).unwrap_or_default();
        let line = trim(untrimmed);
        at += length + 1;
        if line.is_empty() {
            continue;
        }
        if line.starts_with(b"{") {
            return Told::Other;
        }
        // The capture begins inside a block.
        if in_attributes && is_title_within(untrimmed) {
            return Told::Blocks(Tool::EventDisplay);
        }
        in_attributes = is_attribute(untrimmed);
        if is_banner(line) || is_validation(line) || is_context(line) {
            return Told::Blocks(Tool::EventDisplay);
        }
        if logged::begins(line).is_some() {
            return Told::Logged;
        }
        if is_nats(line) || is_nats_stored(line) {
            return Told::Blocks(Tool::Nats);
        }
        if is_pulsar(line) {
            return Told::Blocks(Tool::Pulsar);
        }
        // HTTP's lines are too common in other tools' logs to be looked for further down.
        if others == 0 && !pieces::begins_with_date(line) {
            if is_request(line) || is_status(line) {
                return Told::Blocks(Tool::Http);
            }
            match bare_headers(rest, complete) {
                Some(true) => return Told::Blocks(Tool::Http),
                Some(false) => {}
                None => return Told::Open,
            }
        }
        others += 1;
    }
    Told::Other
}

/// Whose block begins with the line at the start, if one does. `in_headers`: the line above looks like
/// a header and begins none, so no run of headers begins with this one.
pub(super) fn begins(rest: &[u8], in_headers: bool, ended: bool) -> Told {
    if rest.first() == Some(&b'{') {
        return Told::Other;
    }
    let Some(length) = line_length(rest, ended) else {
        // An array may be long, and is none.
        let is_array = rest.first() == Some(&b'[') && rest.len() > LONGEST_TITLE;
        return if is_array { Told::Other } else { Told::Open };
    };
    let line = trim(rest.get(..length).unwrap_or_default());
    if is_banner(line) || is_validation(line) || is_context(line) {
        Told::Blocks(Tool::EventDisplay)
    } else if is_nats(line) || is_nats_stored(line) {
        Told::Blocks(Tool::Nats)
    } else if is_pulsar(line) {
        Told::Blocks(Tool::Pulsar)
    } else if is_request(line) || is_status(line) {
        Told::Blocks(Tool::Http)
    } else if in_headers {
        Told::Other
    } else {
        match bare_headers(rest, ended) {
            Some(true) => Told::Blocks(Tool::Http),
            Some(false) => Told::Other,
            None => Told::Open,
        }
    }
}

/// Whose block begins with the line at the start, where nothing said before that there are blocks: an
/// HTTP message must hold an event then, for its first line alone is in many logs.
pub(super) fn turns(rest: &[u8], ended: bool) -> Told {
    let told = begins(rest, true, ended);
    if told != Told::Blocks(Tool::Http) {
        return told;
    }
    let below = line_length(rest, ended).and_then(|length| rest.get(length + 1..));
    match headers(below.unwrap_or_default(), ended) {
        Some(headers) if headers.of_event => told,
        Some(_) => Told::Other,
        None => Told::Open,
    }
}

/// The length of the line at the start, without its end; `None`: it is not all there.
pub(super) fn line_length(bytes: &[u8], ended: bool) -> Option<usize> {
    if bytes.is_empty() {
        return None;
    }
    memchr::memchr(b'\n', bytes).or_else(|| ended.then_some(bytes.len()))
}

/// No line that begins with a bracket and a block is longer.
const LONGEST_TITLE: usize = 64 << 10;

/// Follows a capture's lines and says where blocks begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanner {
    tool: Tool,
    /// The first byte that has not been looked at.
    pub(super) at: usize,
    /// The line at hand began before the bytes at hand.
    in_line: bool,
    reading: Reading,
    /// A line that belongs to no block ends one too.
    stops_at_strays: bool,
}

/// What the lines before were.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// event-display's banner was the line before.
    after_banner: bool,
    /// A banner or `Validation:` began the block, and its context is still to come.
    awaits_context: bool,
    /// The block is an HTTP request: an answer below it is no record of its own.
    in_request: bool,
    in_headers: bool,
    after_blank: bool,
}

impl Scanner {
    pub(super) fn new(tool: Tool) -> Self {
        Self::within(tool, 0, true)
    }

    /// Inside a block, from the beginning of a line on.
    pub(super) fn within(tool: Tool, at: usize, stops_at_strays: bool) -> Self {
        Self {
            tool,
            at,
            in_line: false,
            reading: Reading {
                after_blank: at == 0,
                ..Reading::new()
            },
            stops_at_strays,
        }
    }

    /// The next place where a block begins, or what belongs to none; `None` where the bytes end first.
    pub(super) fn next(&mut self, bytes: &[u8], ended: bool) -> Option<usize> {
        loop {
            let start = self.at;
            let rest = bytes.get(start..).unwrap_or_default();
            let length = line_length(rest, ended)?;
            let begins = if self.in_line {
                false
            } else {
                let line = rest.get(..length).unwrap_or_default();
                self.reading.begins(self.tool, line, rest, ended)?
                    || self.stops_at_strays && is_stray(line)
            };
            self.in_line = false;
            self.at = start + length + 1;
            if begins {
                return Some(start);
            }
        }
    }

    /// The bytes up to here were passed over; at their end a line may be unfinished.
    pub(super) fn passed(&mut self, length: usize) {
        self.in_line = length > self.at;
        self.at = self.at.saturating_sub(length);
    }
}

impl Reading {
    pub(super) fn new() -> Self {
        Self {
            after_banner: false,
            awaits_context: false,
            in_request: false,
            in_headers: false,
            after_blank: true,
        }
    }

    /// Whether a line begins a block; `None`: more must be read to know. `rest` begins with the line.
    fn begins(&mut self, tool: Tool, line: &[u8], rest: &[u8], ended: bool) -> Option<bool> {
        let line = trim(line);
        match tool {
            Tool::EventDisplay => Some(self.event_display(line)),
            Tool::Nats => Some(is_nats(line) || is_nats_stored(line)),
            Tool::Pulsar => Some(is_pulsar(line)),
            Tool::Http => self.http(line, rest, ended),
        }
    }

    /// The banner, else `Validation:`, else the context's title, whichever is the block's first.
    pub(super) fn event_display(&mut self, line: &[u8]) -> bool {
        let after_banner = std::mem::take(&mut self.after_banner);
        if is_banner(line) {
            self.after_banner = true;
            self.awaits_context = true;
            true
        } else if is_validation(line) {
            self.awaits_context = true;
            !after_banner
        } else {
            is_context(line) && !std::mem::take(&mut self.awaits_context)
        }
    }

    fn http(&mut self, line: &[u8], rest: &[u8], ended: bool) -> Option<bool> {
        if line.is_empty() {
            self.in_headers = false;
            self.after_blank = true;
            return Some(false);
        }
        let below = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        let begins = if is_request(line) {
            true
        } else if is_status(line) {
            let headers = headers(rest.get(below..).unwrap_or_default(), ended)?;
            self.in_headers = true;
            headers.of_event || !self.in_request
        } else {
            !self.in_headers && self.after_blank && bare_headers(rest, ended)?
        };
        self.after_blank = false;
        if begins {
            self.in_headers = true;
            self.in_request = is_request(line);
        }
        Some(begins)
    }
}

/// event-display's `☁️  cloudevents.Event`: with one or two spaces, with or without the selector that
/// makes the cloud a picture.
pub(in crate::capture) fn is_banner(line: &[u8]) -> bool {
    let cloud = "\u{2601}".as_bytes();
    trim(line).starts_with(cloud) && line.ends_with(b"cloudevents.Event")
}

/// `Validation: valid` of older event-displays.
pub(in crate::capture) fn is_validation(line: &[u8]) -> bool {
    matches!(trim(line), b"Validation: valid" | b"Validation: invalid")
}

/// The title of an event's context.
pub(in crate::capture) fn is_context(line: &[u8]) -> bool {
    trim(line) == b"Context Attributes,"
}

/// `[#1] Received …`, with the time in front in the oldest wording.
pub(in crate::capture) fn is_nats(line: &[u8]) -> bool {
    let line = after_clock(line).unwrap_or(line);
    let Some(rest) = line.strip_prefix(b"[#") else {
        return false;
    };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let behind = rest.get(digits..).unwrap_or_default();
    digits > 0 && behind.starts_with(b"] Received ")
}

/// The title of a reply that `nats sub --match-replies` prints below its request.
pub(in crate::capture) fn is_nats_reply(line: &[u8]) -> bool {
    line.starts_with(b"[#") && memchr::memmem::find(line, b"] Matched reply ").is_some()
}

/// `Item: ORDERS#1 received … on Subject …` of `nats stream get`, and `[1] Subject: … Received: …` of
/// `nats stream view`.
pub(in crate::capture) fn is_nats_stored(line: &[u8]) -> bool {
    let has = |rest: &[u8], part: &[u8]| memchr::memmem::find(rest, part).is_some();
    if let Some(rest) = line.strip_prefix(b"Item: ") {
        let received = memchr::memmem::find(rest, b" received ");
        let (item, rest) = rest
            .split_at_checked(received.unwrap_or(0))
            .unwrap_or_default();
        let digits = item.iter().rev().take_while(|byte| byte.is_ascii_digit());
        let digits = digits.count();
        let is_numbered = digits > 0 && item.iter().rev().nth(digits) == Some(&b'#');
        return is_numbered && has(rest, b" on Subject ");
    }
    let Some(rest) = line.strip_prefix(b"[") else {
        return false;
    };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let behind = rest.get(digits..).unwrap_or_default();
    digits > 0 && behind.starts_with(b"] Subject: ") && has(behind, b" Received: ")
}

/// pulsar-client's boundary between messages.
pub(in crate::capture) fn is_pulsar(line: &[u8]) -> bool {
    line == b"----- got message -----"
}

/// What follows `HH:MM:SS `, as Go's logger writes it.
pub(in crate::capture) fn after_clock(line: &[u8]) -> Option<&[u8]> {
    let (clock, rest) = line.split_at_checked(9)?;
    let fits = clock
        .iter()
        .zip(b"00:00:00 ")
        .all(|(byte, pattern)| byte == pattern || *pattern == b'0' && byte.is_ascii_digit());
    fits.then_some(rest)
}

/// A line of the tool's own log, which it writes between its messages.
pub(in crate::capture) fn is_own_log(tool: Tool, line: &[u8]) -> bool {
    match tool {
        Tool::Nats => !is_nats(line) && after_clock(line).is_some(),
        // `2023-05-29T19:48:00,645+0800 [thread] INFO  class - …`
        Tool::Pulsar => {
            let pattern = b"0000-00-00T00:00:00,000+0000 [";
            line.len() > pattern.len()
                && line
                    .iter()
                    .zip(pattern)
                    .all(|(byte, pattern)| match pattern {
                        b'0' => byte.is_ascii_digit(),
                        b'+' => matches!(byte, b'+' | b'-'),
                        _ => byte == pattern,
                    })
        }
        Tool::EventDisplay | Tool::Http => false,
    }
}

/// A line without what surrounds it.
pub(in crate::capture) fn trim(line: &[u8]) -> &[u8] {
    let start = line.iter().position(|byte| !is_separator(*byte));
    let end = line.iter().rposition(|byte| !is_separator(*byte));
    match (start, end) {
        (Some(start), Some(end)) => line.get(start..=end).unwrap_or_default(),
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_block_tells_the_tool() {
        for (text, tool) in [
            ("☁️  cloudevents.Event\n", Tool::EventDisplay),
            ("☁️ cloudevents.Event\r\n", Tool::EventDisplay),
            ("\n  Context Attributes,\n", Tool::EventDisplay),
            ("Validation: valid\n", Tool::EventDisplay),
            ("[#1] Received on \"a\"\n", Tool::Nats),
            (
                "10:00:00 Subscribing on a\n[#1] Received on \"a\"\n",
                Tool::Nats,
            ),
            ("10:00:00 [#1] Received on [a]: 'b'\n", Tool::Nats),
            ("----- got message -----\n", Tool::Pulsar),
            ("POST / HTTP/1.1\n", Tool::Http),
            ("HTTP/2 200\n", Tool::Http),
            ("Ce-Id: 1\nCe-Type: t\n\n", Tool::Http),
        ] {
            assert_eq!(told(text.as_bytes(), true), Told::Blocks(tool), "{text}");
        }
        for text in [
            "",
            "{}\n[#1] Received on \"a\"\n",
            "nonsense\n",
            "nonsense\nPOST / HTTP/1.1\n",
            "ce-id: 1\n",
            "Host: a\nAccept: b\n",
            "POST /\n",
            "[#x] Received on \"a\"\n",
            "----- got message ----- or so\n",
        ] {
            assert_eq!(told(text.as_bytes(), true), Told::Other, "{text}");
        }
        assert_eq!(told(b"Ce-Id: 1\nCe-Type: t\n", false), Told::Open);
        assert_eq!(told(b"POST / HTT", false), Told::Open);
    }

    fn starts(tool: Tool, text: &str) -> Vec<&str> {
        let mut scanner = Scanner::new(tool);
        let mut found = Vec::new();
        while let Some(start) = scanner.next(text.as_bytes(), true) {
            found.push(text.get(start..).and_then(|rest| rest.lines().next()));
        }
        found.into_iter().flatten().collect()
    }

    #[test]
    fn a_block_begins_at_the_first_of_its_titles() {
        let text = "☁️  cloudevents.Event\nValidation: invalid\nValidation Error: \nx\nContext Attributes,\n  id: 1\n\
            Validation: valid\nContext Attributes,\n  id: 2\nContext Attributes,\n  id: 3\n☁️ cloudevents.Event\nContext Attributes,\n";
        assert_eq!(
            starts(Tool::EventDisplay, text),
            [
                "☁️  cloudevents.Event",
                "Validation: valid",
                "Context Attributes,",
                "☁️ cloudevents.Event"
            ]
        );
    }

    #[test]
    fn an_answer_is_part_of_its_request_unless_it_holds_an_event() {
        let text = "POST / HTTP/1.1\nce-id: 1\n\n{}\n\nHTTP/1.1 202 Accepted\nDate: x\n\n\
            POST / HTTP/1.1\n\n{}\nHTTP/1.1 200 OK\nce-id: 2\n\n{}\n\nce-id: 3\nce-type: t\n\nk: v\n\nce-id: 4\n";
        assert_eq!(
            starts(Tool::Http, text),
            [
                "POST / HTTP/1.1",
                "POST / HTTP/1.1",
                "HTTP/1.1 200 OK",
                "ce-id: 3"
            ]
        );
    }
}
