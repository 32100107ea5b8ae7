//! HTTP messages in a dump: where one begins, and where its body ends (RFC 9112, section 6.3).
//!
//! A body ends where its JSON value does, else where `Content-Length` or the chunked coding says. Dumps
//! lie about lengths: line ends were changed, a body was printed pretty or cut off. So a length is
//! believed only where a line ends or a message begins there, and none begins before.

pub(in crate::capture) use super::ends::End;
use super::ends::{Value, behind_line, is_stray, rest_is_blank, value};
use super::marks::{Scanner, Tool, line_length, trim};

/// A header block that is longer begins nothing: looking ahead has to end somewhere.
const HEADERS_BYTES: usize = 64 << 10;

/// A run of header lines.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Headers {
    lines: usize,
    /// One of them says that an event comes with them.
    pub(super) of_event: bool,
}

/// The header lines at the start; `None`: they may go on beyond what has been read.
pub(super) fn headers(bytes: &[u8], ended: bool) -> Option<Headers> {
    let mut found = Headers::default();
    let mut at = 0;
    while at < HEADERS_BYTES {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(length) = line_length(rest, ended) else {
            return if ended { Some(found) } else { None };
        };
        let Some((name, value)) = header(rest.get(..length).unwrap_or_default()) else {
            return Some(found);
        };
        found.lines += 1;
        found.of_event |= is_of_event(name, value);
        at += length + 1;
    }
    Some(Headers::default())
}

/// Whether header lines of an event begin here, with no request or status line above them. One
/// alone may as well be a line of somebody's text.
pub(in crate::capture) fn bare_headers(bytes: &[u8], ended: bool) -> Option<bool> {
    let found = headers(bytes, ended)?;
    Some(found.lines >= 2 && found.of_event)
}

/// A header line's name and value (RFC 9112, section 5).
pub(in crate::capture) fn header(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = memchr::memchr(b':', line)?;
    let name = line.get(..colon)?;
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    (!name.is_empty() && name.iter().all(is_token))
        .then(|| (name, trim(line.get(colon + 1..).unwrap_or_default())))
}

fn is_of_event(name: &[u8], value: &[u8]) -> bool {
    const NAMES: [&[u8]; 2] = [b"webhook-id", b"x-github-delivery"];
    let attributes = b"ce-";
    let structured = b"application/cloudevents";
    let is_attribute = name
        .get(..attributes.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(attributes));
    is_attribute
        || NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
        || name.eq_ignore_ascii_case(b"content-type")
            && value
                .get(..structured.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(structured))
}

/// `POST /path HTTP/1.1` (RFC 9112, section 3).
pub(in crate::capture) fn is_request(line: &[u8]) -> bool {
    let mut parts = line.split(|byte| *byte == b' ');
    let (Some(method), Some(target), Some(version), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    (3..=16).contains(&method.len())
        && method.iter().all(u8::is_ascii_uppercase)
        && !target.is_empty()
        && is_version(version)
}

/// `HTTP/1.1 200 OK` (RFC 9112, section 4).
pub(in crate::capture) fn is_status(line: &[u8]) -> bool {
    let mut parts = line.split(|byte| *byte == b' ');
    parts.next().is_some_and(is_version)
        && parts
            .next()
            .is_some_and(|code| code.len() == 3 && code.iter().all(u8::is_ascii_digit))
}

fn is_version(text: &[u8]) -> bool {
    text.strip_prefix(b"HTTP/").is_some_and(|version| {
        !version.is_empty()
            && version.len() <= 3
            && version
                .iter()
                .all(|byte| byte.is_ascii_digit() || *byte == b'.')
    })
}

/// A longer body is no record.
const BODY_BYTES: usize = 64 << 20;

/// A message as far as framing looks into it.
#[derive(Clone, Copy, Debug)]
pub(in crate::capture) struct Message {
    /// Where its body begins.
    pub(in crate::capture) body_at: usize,
    /// Where that ends.
    pub(in crate::capture) end: End,
}

/// What its head says of a body.
#[derive(Clone, Copy, Debug, Default)]
struct Head {
    length: Option<usize>,
    is_chunked: bool,
    /// The content type is one of a single JSON value, or not given.
    is_json: bool,
    /// Whatever the headers say, there is none.
    is_bodiless: bool,
    is_answer: bool,
}

/// Where a block ends that begins with a message: an answer with no event of its own belongs to the
/// request above it.
pub(super) fn block(bytes: &[u8], ended: bool) -> End {
    let first = line_length(bytes, ended).and_then(|length| bytes.get(..length));
    let may_be_answered = first.is_some_and(|line| !is_status(trim(line)));
    let mut at = 0;
    loop {
        let end = match message(bytes, at, ended).end {
            End::At(end) => {
                let blank = blank_length(bytes, end);
                // Nothing but blanks: an answer may be on its way.
                if end + blank >= bytes.len() {
                    return if ended { End::At(end) } else { End::More };
                }
                match is_answer(bytes, end + blank, ended) {
                    Some(true) if may_be_answered => at = end + blank,
                    None if may_be_answered => return End::More,
                    Some(_) | None => return End::At(end),
                }
                continue;
            }
            End::Open(from) => Scanner::within(Tool::Http, from, true).next(bytes, ended),
            End::More => return End::More,
        };
        match end.map(|end| (end, is_answer(bytes, end, ended))) {
            Some((end, Some(true))) if may_be_answered => at = end,
            Some((_, None)) if may_be_answered => return End::More,
            Some((end, _)) => return End::At(end),
            None if ended => return End::At(bytes.len()),
            None => return End::More,
        }
    }
}

/// Whether an answer without an event begins here; `None`: more must be read.
fn is_answer(bytes: &[u8], at: usize, ended: bool) -> Option<bool> {
    let rest = bytes.get(at..).unwrap_or_default();
    let length = line_length(rest, ended)?;
    if !is_status(trim(rest.get(..length).unwrap_or_default())) {
        return Some(false);
    }
    let below = rest.get(length + 1..).unwrap_or_default();
    headers(below, ended).map(|headers| !headers.of_event)
}

/// The message that begins at a byte.
pub(in crate::capture) fn message(bytes: &[u8], start: usize, ended: bool) -> Message {
    let mut head = Head {
        is_json: true,
        is_answer: start > 0,
        ..Head::default()
    };
    let mut is_get = false;
    let mut at = start;
    let whole = |body_at, end| Message { body_at, end };
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(length) = line_length(rest, ended) else {
            let end = if ended {
                End::At(bytes.len())
            } else {
                End::More
            };
            return whole(bytes.len(), end);
        };
        let line = rest.get(..length).unwrap_or_default();
        let next = (at + length + 1).min(bytes.len());
        let trimmed = trim(line);
        if at == start && is_status(trimmed) {
            head.is_bodiless = has_no_body(trimmed);
            head.is_answer = true;
        } else if at == start && is_request(trimmed) {
            let methods: [&[u8]; 4] = [b"GET ", b"HEAD ", b"DELETE ", b"OPTIONS "];
            is_get = methods.iter().any(|method| trimmed.starts_with(method));
        } else if trimmed.is_empty() {
            let is_framed = head.length.is_some() || head.is_chunked;
            head.is_bodiless |= head.length == Some(0) || is_get && !is_framed;
            return whole(next, body(bytes, next, head, ended));
        } else if let Some((name, value)) = header(line) {
            head.takes(name, value);
        } else if begins_message(trimmed) || is_stray(line) && head.is_bodiless {
            return whole(at, End::At(at));
        } else if line.starts_with(b"{") || line.starts_with(b"[") {
            // The blank line is missing.
            return whole(at, body(bytes, at, head, ended));
        }
        at = next;
    }
}

impl Head {
    fn takes(&mut self, name: &[u8], value: &[u8]) {
        let has = |part: &[u8]| memchr::memmem::find(&value.to_ascii_lowercase(), part).is_some();
        if name.eq_ignore_ascii_case(b"content-length") {
            let value = std::str::from_utf8(value).ok();
            self.length = value.and_then(|value| value.parse().ok()).or(self.length);
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            self.is_chunked |= has(b"chunked");
        } else if name.eq_ignore_ascii_case(b"content-type") {
            self.is_json = has(b"json") && !has(b"ndjson") && !has(b"jsonl") && !has(b"json-seq");
        }
    }
}

/// Statuses whose answers have no body.
fn has_no_body(status: &[u8]) -> bool {
    let code = status.split(|byte| *byte == b' ').nth(1);
    code.is_some_and(|code| code.starts_with(b"1") || matches!(code, b"204" | b"304"))
}

fn begins_message(line: &[u8]) -> bool {
    is_request(line) || is_status(line)
}

/// Where the body ends that begins at a byte.
fn body(bytes: &[u8], body_at: usize, head: Head, ended: bool) -> End {
    if head.is_bodiless {
        return End::At(body_at);
    }
    let start = body_at + blank_length(bytes, body_at);
    let rest = bytes.get(start..).unwrap_or_default();
    if rest.is_empty() {
        return if ended {
            End::At(bytes.len())
        } else {
            End::More
        };
    }
    let line = line_length(rest, ended).and_then(|length| rest.get(..length));
    let is_framed = head.length.is_some() || head.is_chunked;
    if line.is_some_and(|line| begins_message(trim(line))) && !is_framed {
        return End::At(body_at);
    }
    // What an answer without a length is followed by may be no body: an event never goes with it.
    if head.is_answer && !is_framed && rest.first() == Some(&b'{') {
        match line {
            None => return End::More,
            Some(line) if is_stray(line) => return End::At(body_at),
            Some(_) => {}
        }
    }
    let below = line.map_or(bytes.len(), |line| {
        (start + line.len() + 1).min(bytes.len())
    });
    match value(bytes, start, ended) {
        Value::Whole(end) => match ends_at(bytes, end, body_at, head, ended) {
            None => End::More,
            Some(true) if head.is_json => End::At(end),
            Some(true) => by_length(bytes, body_at, head, ended).unwrap_or(End::At(end)),
            Some(false) => by_length(bytes, body_at, head, ended)
                .unwrap_or_else(|| behind_line(bytes, end, ended)),
        },
        Value::Unfinished => {
            let is_there = head
                .length
                .is_some_and(|length| bytes.len().saturating_sub(body_at) > length);
            match by_length(bytes, body_at, head, ended) {
                Some(end) if is_there => end,
                _ => End::More,
            }
        }
        Value::None => {
            let by_chunks = head
                .is_chunked
                .then(|| by_chunks(bytes, body_at, ended))
                .flatten();
            let told = by_chunks.or_else(|| by_length(bytes, body_at, head, ended));
            match (told, line) {
                (Some(end), _) => end,
                (None, None) => End::More,
                (None, Some(_)) => End::Open(below),
            }
        }
    }
}

/// Whether a body can end behind its JSON value; `None`: more must be read.
fn ends_at(bytes: &[u8], end: usize, body_at: usize, head: Head, ended: bool) -> Option<bool> {
    if head.length == Some(end - body_at) {
        return Some(true);
    }
    if rest_is_blank(bytes, end, ended)? {
        return Some(true);
    }
    let rest = bytes.get(end..).unwrap_or_default();
    // Connections are kept alive: the next message may begin on the same line.
    let length = line_length(rest, ended)?;
    Some(begins_message(trim(rest.get(..length).unwrap_or_default())))
}

/// Where a body ends by its length, if that can be believed.
fn by_length(bytes: &[u8], body_at: usize, head: Head, ended: bool) -> Option<End> {
    let length = head.length.filter(|length| *length <= BODY_BYTES)?;
    let end = body_at + length;
    if end > bytes.len() {
        return (!ended).then_some(End::More);
    }
    let begins_before = Scanner::within(Tool::Http, body_at, false)
        .next(bytes.get(..end).unwrap_or_default(), true)
        .is_some();
    if begins_before {
        return None;
    }
    if bytes.get(..end)?.ends_with(b"\n") {
        return Some(End::At(end));
    }
    match bytes.get(end) {
        None => Some(if ended { End::At(end) } else { End::More }),
        Some(b'\r' | b'\n' | b'{') => Some(End::At(end)),
        Some(_) => {
            let rest = bytes.get(end..).unwrap_or_default();
            match line_length(rest, ended) {
                None => Some(End::More),
                Some(length) => begins_message(trim(rest.get(..length)?)).then_some(End::At(end)),
            }
        }
    }
}

/// Where a chunked body ends (RFC 9112, section 7.1), if it is one: each chunk behind its length.
fn by_chunks(bytes: &[u8], body_at: usize, ended: bool) -> Option<End> {
    let more = (!ended).then_some(End::More);
    let mut at = body_at;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(length) = line_length(rest, ended) else {
            return more;
        };
        let size = rest.get(..length)?.split(|byte| *byte == b';').next()?;
        let size = std::str::from_utf8(trim(size)).ok()?;
        let size = usize::from_str_radix(size, 16).ok();
        let size = size.filter(|size| *size <= BODY_BYTES)?;
        at += length + 1;
        if size == 0 {
            return Some(behind_trailers(bytes, at, ended));
        }
        at += size;
        match bytes.get(at..).unwrap_or_default() {
            [] | [b'\r'] => return more,
            [b'\n', ..] => at += 1,
            [b'\r', b'\n', ..] => at += 2,
            _ => return None,
        }
    }
}

/// Behind the trailers of a chunked body and the empty line below them.
fn behind_trailers(bytes: &[u8], mut at: usize, ended: bool) -> End {
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(length) = line_length(rest, ended) else {
            return if ended {
                End::At(bytes.len())
            } else {
                End::More
            };
        };
        let line = rest.get(..length).unwrap_or_default();
        if trim(line).is_empty() {
            return End::At((at + length + 1).min(bytes.len()));
        }
        if header(line).is_none() {
            return End::At(at);
        }
        at += length + 1;
    }
}

fn blank_length(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let is_blank = |byte: &&u8| super::chunk::is_separator(**byte);
    rest.iter().take_while(is_blank).count()
}
