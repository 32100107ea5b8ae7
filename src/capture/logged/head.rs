//! What stands before a log's line where it is text: names, a time, labels.

use super::super::pieces;
use super::Wrapper;
use crate::model::Instant;

/// What stands before a line, and the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::capture) struct Head<'a> {
    /// What is the same before every line of the stream.
    pub(in crate::capture) name: &'a str,
    pub(in crate::capture) time: Option<&'a str>,
    /// The pod, container or labels, for people; may be empty.
    pub(in crate::capture) channel: &'a str,
    /// What was logged.
    pub(in crate::capture) rest: &'a str,
}

impl<'a> Head<'a> {
    /// By the tool that wrote it.
    pub(super) fn of(wrapper: Wrapper, line: &'a str) -> Option<Self> {
        match wrapper {
            Wrapper::Kubectl => Self::kubectl(line),
            Wrapper::Compose => Self::compose(line),
            Wrapper::SternText => Self::stern(line),
            Wrapper::LogcliText => Self::logcli(line),
            Wrapper::Docker | Wrapper::Cri | Wrapper::Stern | Wrapper::Logcli => None,
        }
    }

    /// `[pod/NAME/CONTAINER] TIME text`, either part alone or both.
    pub(in crate::capture) fn kubectl(line: &'a str) -> Option<Self> {
        let named = line
            .strip_prefix("[pod/")
            .and_then(|rest| rest.split_once("] "));
        let (channel, rest) = match named {
            Some((pod, rest)) if pod.contains('/') && !pod.contains(' ') => (pod, rest),
            _ => ("", line),
        };
        let (name, _) = line.split_at_checked(line.len() - rest.len())?;
        let (time, rest) = timed(rest);
        (!name.is_empty() || time.is_some()).then_some(Self {
            name,
            time,
            channel,
            rest,
        })
    }

    /// `NAME  | text`
    pub(in crate::capture) fn compose(line: &'a str) -> Option<Self> {
        let (name, rest) = line.split_once("| ")?;
        let name = name.strip_suffix(' ')?.trim_end_matches(' ');
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '@');
        (!name.is_empty() && name.chars().all(allowed)).then_some(Self {
            name,
            time: None,
            channel: name,
            rest,
        })
    }

    /// `POD CONTAINER text`, a namespace before them, a time behind them.
    pub(in crate::capture) fn stern(line: &'a str) -> Option<Self> {
        let (first, behind_first) = word(line)?;
        let (second, behind_second) = word(behind_first)?;
        if !is_name(first) || !is_name(second) {
            return None;
        }
        let (channel, rest) = match word(behind_second) {
            Some((third, rest)) if is_name(third) => (second, rest),
            _ => (first, behind_second),
        };
        let (name, _) = line.split_at_checked(line.len() - rest.len())?;
        let (time, rest) = timed(rest);
        Some(Self {
            name,
            time,
            channel,
            rest,
        })
    }

    /// `TIME {labels} text`, the labels padded.
    pub(in crate::capture) fn logcli(line: &'a str) -> Option<Self> {
        let (Some(time), rest) = timed(line) else {
            return None;
        };
        let (labels, rest) = labels(rest.trim_start())?;
        Some(Self {
            name: labels,
            time: Some(time),
            channel: labels,
            rest: rest.trim_start(),
        })
    }
}

/// Whether a line has nothing behind what tools write before one.
pub(super) fn is_all(line: &str) -> bool {
    let closed = format!("{} ", line.trim_end());
    // What has no labels may be an object with no members.
    let labelled = Head::logcli(&closed).filter(|head| head.name != "{}");
    if let Some(head) = labelled.or_else(|| Head::kubectl(&closed)) {
        return head.rest.is_empty();
    }
    if let Some(head) = Head::compose(&closed) {
        return head.rest.is_empty() || matches!(timed(head.rest), (Some(_), ""));
    }
    // Two words are a line of many a program's log: a pod's name has a number, and a blank follows.
    Head::stern(line).is_some_and(|head| head.rest.is_empty() && is_pod(head.channel))
}

/// Loki's labels at the head of a text, and what follows them: `{}`, or `{name="…", name="…"}`, which no
/// JSON object looks like. Without labels of its own a line has `{}` and a space.
pub(in crate::capture) fn labels(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('{')?;
    if let Some(rest) = inner.strip_prefix("} ") {
        return Some(("{}", rest));
    }
    let name = inner.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    if name.len() == inner.len() || !name.starts_with("=\"") {
        return None;
    }
    let mut is_quoted = false;
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_quoted,
            b'"' => is_quoted = !is_quoted,
            b'}' if !is_quoted => return text.split_at_checked(at + 1),
            _ => {}
        }
    }
    None
}

/// The first word of a text, and what follows the one space behind it.
fn word(text: &str) -> Option<(&str, &str)> {
    let (word, rest) = text.split_once(' ')?;
    (!word.is_empty()).then_some((word, rest))
}

/// Whether a word is a name as Kubernetes allows it (RFC 1123: lower case, digits, `-` and `.`).
fn is_name(word: &str) -> bool {
    let allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.');
    let begins = word.bytes().next().is_some_and(|byte| byte != b'-');
    begins && word.bytes().all(allowed)
}

/// Whether a name is surely a pod's: one that a controller made has a number or a hash.
pub(in crate::capture) fn is_pod(name: &str) -> bool {
    name.contains('-') && name.contains(|c: char| c.is_ascii_digit())
}

/// The time that a text begins with, if it does, and what follows it.
fn timed(text: &str) -> (Option<&str>, &str) {
    let is_time =
        |time: &str| pieces::begins_with_date(time.as_bytes()) && Instant::parse(time).is_some();
    match text.split_once(' ') {
        Some((time, rest)) if is_time(time) => (Some(time), rest),
        _ => (None, text),
    }
}
