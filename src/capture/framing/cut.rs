//! What is left of an event-display block in a capture that begins inside it, as `kubectl logs --tail` and
//! a rotated file do: attributes below no title, titles of what stands below them, data.

use super::ends::{End, block_rest};
use super::marks::{Scanner, Tool, line_length, trim};

/// More attributes than an event has: looking ahead has to end somewhere.
const MOST_ATTRIBUTES: usize = 64;

/// What stands at the start of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// The rest of a block, which ends here.
    At(usize),
    /// Nothing that says so.
    Not,
    /// More must be read to know.
    More,
}

/// Whether a line is an attribute as event-display prints it: `  id: evt-1`.
pub(in crate::capture) fn is_attribute(line: &[u8]) -> bool {
    matches!(line.first(), Some(b' ' | b'\t')) && is_pair(trim(line))
}

/// The same without its indentation.
pub(in crate::capture) fn is_pair(text: &[u8]) -> bool {
    let name = text.iter().take_while(|byte| byte.is_ascii_alphanumeric());
    let length = name.count();
    length > 0 && matches!(text.get(length..), Some([b':'] | [b':', b' ', ..]))
}

/// Whether a line is a title of what stands below a block's context.
pub(in crate::capture) fn is_title_within(line: &[u8]) -> bool {
    let titles: [&[u8]; 4] = [
        b"Extensions,",
        b"Transport Context,",
        b"Data,",
        b"Data (binary),",
    ];
    titles.contains(&line.strip_suffix(b"\r").unwrap_or(line))
}

/// The rest of a block at the start of a line: attributes, if any, above one of the titles within; where
/// the line is the capture's `first`, the rest of pretty-printed data too, which is indented.
pub(super) fn rest_of_block(bytes: &[u8], first: bool, ended: bool) -> Rest {
    let mut at = 0;
    for _ in 0..MOST_ATTRIBUTES {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(length) = line_length(rest, ended) else {
            return if ended { Rest::Not } else { Rest::More };
        };
        let line = rest.get(..length).unwrap_or_default();
        if is_title_within(line) {
            let end = match block_rest(bytes, ended) {
                End::At(end) => Some(end),
                End::Open(from) => {
                    Scanner::within(Tool::EventDisplay, from, true).next(bytes, ended)
                }
                End::More => None,
            };
            let end = end.or_else(|| ended.then_some(bytes.len()));
            return end.map_or(Rest::More, Rest::At);
        }
        if !is_attribute(line) {
            break;
        }
        at += length + 1;
    }
    if first && at == 0 {
        return rest_of_data(bytes, ended);
    }
    Rest::Not
}

/// Lines of an indented value that was cut: up to its last bracket, or to what is not indented.
fn rest_of_data(bytes: &[u8], ended: bool) -> Rest {
    let mut at = 0;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(length) = line_length(rest, ended) else {
            return if ended { Rest::At(at) } else { Rest::More };
        };
        let line = rest.get(..length).unwrap_or_default();
        let text = trim(line);
        let is_json = matches!(
            text.first(),
            Some(b'"' | b'{' | b'}' | b'[' | b']' | b'-' | b'0'..=b'9')
        ) || matches!(
            text,
            b"true" | b"false" | b"null" | b"true," | b"false," | b"null,"
        );
        if !line.starts_with(b"  ") || !is_json {
            return if at == 0 { Rest::Not } else { Rest::At(at) };
        }
        at = (at + length + 1).min(bytes.len());
        if matches!(line.strip_suffix(b"\r").unwrap_or(line), b"  }" | b"  ]") {
            return Rest::At(at);
        }
    }
}
