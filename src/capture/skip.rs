//! Values that nobody asks for: checked as strictly as any other, and nothing kept of them.

use super::json::{Fault, FaultKind, MAX_DEPTH};
use super::token::{fault, literal_end, number_end, skip_whitespace, string_end};

/// Where the value that begins at a byte, `depth` levels deep, ends.
#[inline]
pub(super) fn value_end(bytes: &[u8], at: usize, depth: u32) -> Result<usize, Fault> {
    match bytes.get(at) {
        Some(b'"') => string_end(bytes, at).map(|(end, _)| end),
        Some(b'{' | b'[') => container_end(bytes, at, depth),
        _ => scalar_end(bytes, at),
    }
}

/// Where the number or literal that begins here ends.
#[inline]
pub(super) fn scalar_end(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    match bytes.get(at) {
        Some(b'-' | b'0'..=b'9') => number_end(bytes, at),
        Some(b't') => literal_end(bytes, at, b"true"),
        Some(b'f') => literal_end(bytes, at, b"false"),
        Some(b'n') => literal_end(bytes, at, b"null"),
        Some(_) => Err(fault(FaultKind::ExpectedValue, at)),
        None => Err(fault(FaultKind::UnexpectedEnd, bytes.len())),
    }
}

/// Behind the colon and the whitespace that follow a member's name, whose end is given.
#[inline]
pub(super) fn behind_colon(bytes: &[u8], name_end: usize) -> Result<usize, Fault> {
    let at = skip_whitespace(bytes, name_end);
    match bytes.get(at) {
        Some(b':') => Ok(skip_whitespace(bytes, at + 1)),
        Some(_) => Err(fault(FaultKind::ExpectedColon, at)),
        None => Err(fault(FaultKind::UnexpectedEnd, bytes.len())),
    }
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
pub(super) fn next(bytes: &[u8], at: usize, closing: u8) -> Result<Next, Fault> {
    // Mostly there is no whitespace, or one space behind the comma.
    if bytes.get(at) == Some(&b',') {
        return Ok(Next::Another(skip_whitespace(bytes, at + 1)));
    }
    let at = skip_whitespace(bytes, at);
    match bytes.get(at) {
        Some(b',') => Ok(Next::Another(skip_whitespace(bytes, at + 1))),
        Some(byte) if *byte == closing => Ok(Next::Closed(at + 1)),
        Some(_) => Err(fault(FaultKind::ExpectedCommaOrClose, at)),
        None => Err(fault(FaultKind::UnexpectedEnd, bytes.len())),
    }
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
fn name_end(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    match bytes.get(at) {
        Some(b'"') => behind_colon(bytes, string_end(bytes, at)?.0),
        Some(_) => Err(fault(FaultKind::ExpectedName, at)),
        None => Err(fault(FaultKind::UnexpectedEnd, bytes.len())),
    }
}

/// The levels that are open inside the value, the innermost in the lowest bit: set for an object.
/// 128 of them are all that a record may have.
#[derive(Clone, Copy)]
struct Levels {
    objects: u128,
    count: u32,
}

impl Levels {
    fn closing(self) -> u8 {
        if self.objects & 1 == 1 { b'}' } else { b']' }
    }
}

/// Where the object or array that begins here ends.
fn container_end(bytes: &[u8], start: usize, depth: u32) -> Result<usize, Fault> {
    let mut levels = Levels {
        objects: 0,
        count: 0,
    };
    let mut at = start;
    loop {
        let byte = bytes.get(at).copied();
        let mut end = match byte {
            Some(b'"') => string_end(bytes, at)?.0,
            Some(b'{' | b'[') => {
                if depth + levels.count >= MAX_DEPTH {
                    return Err(fault(FaultKind::TooDeep, at));
                }
                let is_object = byte == Some(b'{');
                levels.objects = levels.objects << 1 | u128::from(is_object);
                levels.count += 1;
                match first(bytes, at, levels.closing()) {
                    Next::Another(first) if is_object => {
                        at = name_end(bytes, first)?;
                        continue;
                    }
                    Next::Another(first) => {
                        at = first;
                        continue;
                    }
                    Next::Closed(end) => {
                        levels.objects >>= 1;
                        levels.count -= 1;
                        end
                    }
                }
            }
            _ => scalar_end(bytes, at)?,
        };
        loop {
            if levels.count == 0 {
                return Ok(end);
            }
            let closing = levels.closing();
            match next(bytes, end, closing)? {
                Next::Another(next) if closing == b'}' => {
                    at = name_end(bytes, next)?;
                    break;
                }
                Next::Another(next) => {
                    at = next;
                    break;
                }
                Next::Closed(closed) => {
                    levels.objects >>= 1;
                    levels.count -= 1;
                    end = closed;
                }
            }
        }
    }
}
