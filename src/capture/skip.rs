//! Values that nobody asks for: checked as strictly as any other, and nothing kept of them.

use super::json::MAX_DEPTH;
use super::token::{literal_end, number_end, skip_whitespace, string_end};

/// Where the value that begins at a byte, `depth` levels deep, ends; nothing where it is no value.
#[inline]
pub(super) fn value_end(bytes: &[u8], at: usize, depth: u32) -> Option<usize> {
    match bytes.get(at)? {
        b'"' => Some(string_end(bytes, at).ok()?.0),
        b'{' | b'[' => container_end(bytes, at, depth),
        _ => scalar_end(bytes, at),
    }
}

/// Whether a text is one JSON value, as the reader would say.
pub(super) fn is_value(text: &str) -> bool {
    let bytes = text.as_bytes();
    let end = value_end(bytes, skip_whitespace(bytes, 0), 0);
    end.is_some_and(|end| skip_whitespace(bytes, end) == bytes.len())
}

/// Where the number or literal that begins here ends.
#[inline]
pub(super) fn scalar_end(bytes: &[u8], at: usize) -> Option<usize> {
    let first = bytes.get(at)?;
    if first.is_ascii_digit() {
        return number_end(bytes, at).ok();
    }
    match first {
        b'-' => number_end(bytes, at),
        b't' => literal_end(bytes, at, b"true"),
        b'f' => literal_end(bytes, at, b"false"),
        b'n' => literal_end(bytes, at, b"null"),
        _ => return None,
    }
    .ok()
}

/// Behind the colon and the whitespace that follow a member's name, whose end is given.
#[inline]
pub(super) fn behind_colon(bytes: &[u8], name_end: usize) -> Option<usize> {
    let at = if bytes.get(name_end) == Some(&b':') {
        name_end
    } else {
        skip_whitespace(bytes, name_end)
    };
    (bytes.get(at) == Some(&b':')).then(|| skip_whitespace(bytes, at + 1))
}

/// What follows a member or an element.
pub(super) enum Next {
    /// Another one begins at this byte.
    Another(usize),
    /// The container's closing bracket is before this byte.
    Closed(usize),
}

/// What follows the member or element that ends here, in a container with this closing bracket.
#[inline]
pub(super) fn next(bytes: &[u8], at: usize, closing: u8) -> Option<Next> {
    let mut at = at;
    let mut byte = *bytes.get(at)?;
    if byte <= b' ' {
        at = skip_whitespace(bytes, at);
        byte = *bytes.get(at)?;
    }
    if byte == b',' {
        Some(Next::Another(skip_whitespace(bytes, at + 1)))
    } else if byte == closing {
        Some(Next::Closed(at + 1))
    } else {
        None
    }
}

/// What follows the member that ends here. The next one's name is behind the comma at once or behind
/// whitespace: who looks for the name they expect need not look for whitespace first.
#[inline]
pub(super) fn next_member(bytes: &[u8], at: usize) -> Option<Next> {
    if bytes.get(at) == Some(&b',') {
        return Some(Next::Another(at + 1));
    }
    next(bytes, at, b'}')
}

/// Where the first member or element begins, in the container that opens at a byte.
#[inline]
pub(super) fn first(bytes: &[u8], at: usize, closing: u8) -> Next {
    let at = skip_whitespace(bytes, at + 1);
    if bytes.get(at) == Some(&closing) {
        Next::Closed(at + 1)
    } else {
        Next::Another(at)
    }
}

/// A name with its colon; answers where the value begins.
#[inline]
fn name_end(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes.get(at) != Some(&b'"') {
        return None;
    }
    behind_colon(bytes, string_end(bytes, at).ok()?.0)
}

/// Where the object or array that begins here ends. The levels that are open inside it are the bits
/// of one word, the innermost the lowest, set for an object: 128 are all that a record may have.
fn container_end(bytes: &[u8], start: usize, depth: u32) -> Option<usize> {
    let mut objects = 0u128;
    let mut is_object = false;
    let mut open = 0u32;
    let mut at = start;
    loop {
        let byte = *bytes.get(at)?;
        let mut end = match byte {
            b'"' => string_end(bytes, at).ok()?.0,
            b'{' | b'[' => {
                if depth + open >= MAX_DEPTH {
                    return None;
                }
                objects = objects << 1 | u128::from(is_object);
                is_object = byte == b'{';
                open += 1;
                match first(bytes, at, if is_object { b'}' } else { b']' }) {
                    Next::Another(first) => {
                        at = if is_object {
                            name_end(bytes, first)?
                        } else {
                            first
                        };
                        continue;
                    }
                    Next::Closed(end) => {
                        is_object = objects & 1 == 1;
                        objects >>= 1;
                        open -= 1;
                        end
                    }
                }
            }
            _ => scalar_end(bytes, at)?,
        };
        loop {
            if open == 0 {
                return Some(end);
            }
            match next(bytes, end, if is_object { b'}' } else { b']' })? {
                Next::Another(next) => {
                    at = if is_object {
                        name_end(bytes, next)?
                    } else {
                        next
                    };
                    break;
                }
                Next::Closed(closed) => {
                    is_object = objects & 1 == 1;
                    objects >>= 1;
                    open -= 1;
                    end = closed;
                }
            }
        }
    }
}
