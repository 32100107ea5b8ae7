//! What kafka-console-consumer and the confluent command line print before a message, `Name:number`,
//! and how a value is found on a line that escapes nothing.

use super::{Instant, MAX_DEPTH, millis, read, read_prefix};

/// What stood before a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Prefix<'a> {
    pub(super) time: Option<Instant>,
    pub(super) is_producers_clock: bool,
    pub(super) partition: Option<&'a str>,
    pub(super) offset: Option<&'a str>,
    pub(super) attempt: Option<&'a str>,
}

/// Names before a number.
const NUMBERED: [&str; 7] = [
    "CreateTime:",
    "LogAppendTime:",
    "Partition:",
    "Offset:",
    "Delivery:",
    "Epoch:",
    "Timestamp:",
];

/// The length of the field at the start of the text; what follows is a separator or nothing.
pub(super) fn field_length(text: &str) -> Option<usize> {
    let numbered = NUMBERED.iter().find_map(|name| {
        let rest = text.strip_prefix(name)?;
        let value = rest.strip_prefix('-').unwrap_or(rest);
        let digits = value.bytes().take_while(u8::is_ascii_digit).count();
        let none = ["NONE", "unset"]
            .iter()
            .find(|none| value.starts_with(**none));
        let length = if digits > 0 { digits } else { none?.len() };
        Some(text.len() - value.len() + length)
    });
    let length = numbered.or_else(|| text.starts_with("NO_TIMESTAMP").then_some(12))?;
    let next = text.as_bytes().get(length);
    matches!(next, None | Some(b'\t' | b' ')).then_some(length)
}

/// Reads the fields at the start of the text; `rest` is what follows them and their separators.
pub(super) fn read_prefix_fields(text: &str) -> (Prefix<'_>, &str) {
    let mut prefix = Prefix::default();
    let mut rest = text;
    while let Some((field, behind)) =
        field_length(rest).and_then(|length| rest.split_at_checked(length))
    {
        let (name, value) = field.split_once(':').unwrap_or((field, ""));
        match name {
            "CreateTime" | "LogAppendTime" | "Timestamp" => {
                prefix.time = millis(value);
                prefix.is_producers_clock = name == "CreateTime" && prefix.time.is_some();
            }
            "Partition" => prefix.partition = Some(value),
            "Offset" => prefix.offset = Some(value),
            "Delivery" if value != "NONE" => prefix.attempt = Some(value),
            _ => {}
        }
        // A tab separates; where it was pasted as spaces, several of them.
        rest = match behind.strip_prefix('\t') {
            Some(rest) => rest,
            None => behind.trim_start_matches(' '),
        };
    }
    (prefix, rest)
}

/// Whether the whole text is one JSON value.
pub(super) fn is_json(text: &str) -> bool {
    read(text, MAX_DEPTH, &mut Vec::new()).is_ok()
}

/// The length of the JSON object or array at the start of the text.
pub(super) fn json_length(text: &str) -> Option<usize> {
    if !text.starts_with(['{', '[']) {
        return None;
    }
    read_prefix(text.as_bytes(), MAX_DEPTH, &mut Vec::new()).ok()
}

/// Whether a text is digits and no more.
pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
