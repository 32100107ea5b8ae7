//! Lines of which several may be one: docker's `json-file` and the CRI's log files cut what a container
//! wrote after 16 KiB.
//!
//! - docker (`jsonfilelog.go`, `copier.go`): `{"log":"…","stream":"stdout","time":"…"}`; only the last
//!   piece's `log` ends in a line end.
//! - CRI (Kubernetes' `kubelet/kuberuntime/logs`, containerd, CRI-O): `TIME stdout P …` for a piece,
//!   `TIME stdout F …` for the last one; the file is cut between bytes, so a character may lie in two.
//!
//! What is read here is only what joining needs. Shapes read the lines again, as strictly as any.

use super::json::{Fault, FaultKind, MAX_DEPTH, read};
use super::string;
use super::unwrap::is_known;
use crate::model::Instant;

/// Bytes after which docker and containerd cut.
pub const PIECE_BYTES: usize = 16 << 10;

/// How a docker line begins; the driver writes its members in one order.
const DOCKER: &[u8] = b"{\"log\":";

/// Who cut a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cutter {
    /// docker's `json-file` driver.
    Docker,
    /// A container runtime behind the CRI.
    Cri,
}

/// One line that may be a piece.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// Who wrote it.
    pub cutter: Cutter,
    /// Standard error, not standard output: pieces of the two may interleave.
    pub is_error: bool,
    /// What was written; docker's with JSON's escapes.
    pub text: &'a [u8],
    /// Whether nothing follows it.
    pub is_last: bool,
}

/// Whether a line may be a piece, by its first bytes.
#[inline]
pub fn may_be(line: &[u8]) -> bool {
    match line.first() {
        Some(b'{') => line.starts_with(DOCKER),
        Some(b'0'..=b'9') => begins_with_date(line),
        _ => false,
    }
}

/// Whether a line begins with a date and a `T`, which no JSON value does.
#[inline]
pub fn begins_with_date(line: &[u8]) -> bool {
    line.get(4) == Some(&b'-') && line.get(7) == Some(&b'-') && line.get(10) == Some(&b'T')
}

/// Whether a line is one docker line that was not cut, told by its last bytes alone.
pub fn is_whole_docker(line: &[u8]) -> bool {
    const ENDED: &[u8] = b"\\n\",\"stream\":\"std";
    if !line.starts_with(DOCKER) {
        return false;
    }
    let tail = line.len().saturating_sub(128);
    let end = line.get(tail..).unwrap_or_default();
    // Inside a string the quotes of this would have backslashes before them: it is the line's own.
    // Nearly always it begins with the last backslash of the line.
    let last = memchr::memrchr(b'\\', end);
    let last = last.filter(|at| end.get(*at..).is_some_and(|end| end.starts_with(ENDED)));
    let found = last.or_else(|| memchr::memmem::rfind(end, ENDED));
    found.is_some_and(|at| {
        let before = line.get(..tail + at).unwrap_or_default();
        backslashes(before).is_multiple_of(2)
    })
}

/// Backslashes at the end.
fn backslashes(text: &[u8]) -> usize {
    text.iter().rev().take_while(|byte| **byte == b'\\').count()
}

impl<'a> Piece<'a> {
    /// Reads a line, without its line end.
    pub fn of(line: &'a [u8]) -> Option<Self> {
        match line.first()? {
            b'{' => Self::docker(line),
            b'0'..=b'9' => Self::cri(line),
            _ => None,
        }
    }

    fn docker(line: &'a [u8]) -> Option<Self> {
        let rest = line.strip_prefix(DOCKER)?.trim_ascii_start();
        let rest = rest.strip_prefix(b"\"")?;
        let end = end_of_string(rest)?;
        let (text, rest) = rest.split_at_checked(end)?;
        let rest = rest.strip_prefix(b"\"")?.trim_ascii_start();
        let rest = rest.strip_prefix(b",")?.trim_ascii_start();
        let rest = rest.strip_prefix(b"\"stream\"")?.trim_ascii_start();
        let rest = rest.strip_prefix(b":")?.trim_ascii_start();
        let is_error = match rest.get(..8)? {
            b"\"stdout\"" => false,
            b"\"stderr\"" => true,
            _ => return None,
        };
        // What ends elsewhere than its line is damaged.
        if !line.ends_with(b"}") {
            return None;
        }
        let is_last = text
            .strip_suffix(b"n")
            .is_some_and(|before| backslashes(before) % 2 == 1);
        Some(Self {
            cutter: Cutter::Docker,
            is_error,
            text,
            is_last,
        })
    }

    fn cri(line: &'a [u8]) -> Option<Self> {
        let (_, is_error, rest) = cri_head(line)?;
        let end = memchr::memchr(b' ', rest).unwrap_or(rest.len());
        let (tags, text) = rest.split_at_checked(end)?;
        // Further tags may follow the first one, with colons between.
        let is_last = match tags.split(|byte| *byte == b':').next()? {
            b"F" => true,
            b"P" => false,
            _ => return None,
        };
        Some(Self {
            cutter: Cutter::Cri,
            is_error,
            text: text.strip_prefix(b" ").unwrap_or(text),
            is_last,
        })
    }

    /// Whether both are of one stream.
    pub fn is_beside(&self, other: &Self) -> bool {
        (self.cutter, self.is_error) == (other.cutter, other.is_error)
    }

    /// Whether it begins like a JSON object or array.
    pub fn begins_value(&self) -> bool {
        matches!(self.text.first(), Some(b'{' | b'['))
    }

    /// Whether it is nothing but a line end.
    pub fn is_blank(&self) -> bool {
        match self.cutter {
            Cutter::Docker => matches!(self.text, b"\\n" | b"\\r\\n"),
            Cutter::Cri => self.text.trim_ascii().is_empty(),
        }
    }

    /// Whether it is a whole JSON object or array by itself: then it is no piece of one, for no
    /// beginning of a value is a value.
    pub fn is_value(&self) -> bool {
        if !self.begins_value() {
            return false;
        }
        let Ok(text) = std::str::from_utf8(self.text) else {
            return false;
        };
        match self.cutter {
            Cutter::Docker => is_value(&string::decode(text)),
            Cutter::Cri => is_value(text),
        }
    }

    /// Whether it is an event by itself, or one in wrappers: then it is no piece of the one before,
    /// while any other value may be a part of it that was cut at its brackets.
    pub fn is_record(&self) -> bool {
        let text = std::str::from_utf8(self.text).unwrap_or_default();
        self.begins_value()
            && match self.cutter {
                Cutter::Docker => is_known(string::decode(text).trim_ascii().as_bytes()),
                Cutter::Cri => is_known(text.trim_ascii().as_bytes()),
            }
    }
}

/// Whether a text is a whole JSON value.
pub fn is_value(text: &str) -> bool {
    read(text, MAX_DEPTH, &mut Vec::new()).is_ok()
}

/// Whether a text ends in the middle of a JSON value.
pub fn ends_early(text: &str) -> bool {
    let begins = text.trim_ascii_start().starts_with(['{', '[']);
    let fault = begins.then(|| read(text, MAX_DEPTH, &mut Vec::new()).err());
    let end = FaultKind::UnexpectedEnd;
    matches!(fault.flatten(), Some(Fault { kind, .. }) if kind == end)
}

/// The time of a CRI line, whether it is of standard error, and what follows.
pub fn cri_head(line: &[u8]) -> Option<(&str, bool, &[u8])> {
    if !begins_with_date(line) {
        return None;
    }
    let (time, rest) = line.split_at_checked(memchr::memchr(b' ', line)?)?;
    let time = std::str::from_utf8(time).ok()?;
    Instant::parse(time)?;
    if let Some(rest) = rest.strip_prefix(b" stdout ") {
        return Some((time, false, rest));
    }
    Some((time, true, rest.strip_prefix(b" stderr ")?))
}

/// The byte behind a JSON string's text: the first quote that no backslash is before.
fn end_of_string(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let found = memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        if text.get(at + found) == Some(&b'"') {
            return Some(at + found);
        }
        at += found + 2;
    }
}

/// Whether a record is several docker lines.
pub fn is_several_docker(record: &[u8]) -> bool {
    record.starts_with(DOCKER) && memchr::memchr(b'\n', record).is_some()
}

/// The pieces of a record: its lines of the first line's stream, to the last one of that.
pub fn of_record(record: &[u8]) -> impl Iterator<Item = (&[u8], Piece<'_>)> {
    let mut rest = Some(record);
    let mut lines = std::iter::from_fn(move || {
        let text = rest.take()?;
        let end = memchr::memchr(b'\n', text).unwrap_or(text.len());
        let (line, behind) = text.split_at_checked(end)?;
        rest = behind.get(1..);
        Some(line.trim_ascii_end())
    });
    let first = lines.next().and_then(|line| Some((line, Piece::of(line)?)));
    let others = lines.filter_map(move |line| {
        let piece = Piece::of(line)?;
        piece.is_beside(&first?.1).then_some((line, piece))
    });
    first.into_iter().chain(others)
}

/// The joined bytes of a CRI record, and whether its last piece is there. A character that was cut in
/// two is whole again.
pub fn joined_cri(record: &[u8]) -> Option<(Vec<u8>, bool)> {
    let mut joined = Vec::with_capacity(record.len());
    let mut is_whole = false;
    for (_, piece) in of_record(record) {
        if piece.cutter != Cutter::Cri {
            return None;
        }
        joined.extend_from_slice(piece.text);
        is_whole |= piece.is_last;
    }
    (!joined.is_empty() || is_whole).then_some((joined, is_whole))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn last(line: &str) -> Option<bool> {
        Piece::of(line.as_bytes()).map(|piece| piece.is_last)
    }

    #[test]
    fn docker_lines_end_with_a_line_end_of_their_own() {
        for (line, expected) in [
            (r#"{"log":"a\n","stream":"stdout","time":"t"}"#, Some(true)),
            (
                r#"{"log": "a\n", "stream": "stderr", "time": "t"}"#,
                Some(true),
            ),
            (
                r#"{"log":"a\\n","stream":"stdout","time":"t"}"#,
                Some(false),
            ),
            (
                r#"{"log":"a\\\n","stream":"stdout","time":"t"}"#,
                Some(true),
            ),
            (
                r#"{"log":"\"stream\":\"n","stream":"stdout","attrs":{"tag":"x"},"time":"t"}"#,
                Some(false),
            ),
            (r#"{"log":"a\n","stream":"std","time":"t"}"#, None),
            (r#"{"log":"a\n","stream":"stdout","ti"#, None),
            (r#"{"log":5,"stream":"stdout","time":"t"}"#, None),
            (r#"{"log":"a\"#, None),
        ] {
            assert_eq!(last(line), expected, "{line}");
            if is_whole_docker(line.as_bytes()) {
                assert_ne!(expected, Some(false), "{line}");
            }
        }
        assert!(is_whole_docker(
            br#"{"log":"a\n","stream":"stdout","time":"t"}"#
        ));
    }

    #[test]
    fn cri_lines_say_whether_they_are_the_last() {
        let at = "2026-03-02T09:00:00.123456789Z";
        for (line, expected) in [
            (format!("{at} stdout F {{}}"), Some(true)),
            (
                "2026-03-02T10:00:00.1+01:00 stderr P {".to_owned(),
                Some(false),
            ),
            (format!("{at} stdout F"), Some(true)),
            (format!("{at} stdout P:x a"), Some(false)),
            (format!("{at} stdout Q a"), None),
            (format!("{at} {{}}"), None),
            ("2026-03-02Thursday stdout F a".to_owned(), None),
        ] {
            assert_eq!(last(&line), expected, "{line}");
        }
    }

    #[test]
    fn a_record_is_its_first_lines_stream() {
        let record = "2026-03-02T09:00:00Z stdout P {\"a\":\n2026-03-02T09:00:00Z stderr F x\n\
                      2026-03-02T09:00:00Z stdout F 1}";
        let (joined, is_whole) = joined_cri(record.as_bytes()).unwrap();
        assert_eq!((joined.as_slice(), is_whole), (&b"{\"a\":1}"[..], true));
    }
}
