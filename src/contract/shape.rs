//! The shape of a contract: serde reads it, and what is wrong gets the member's place and our words.

use super::error::{ContractError, Problem, plain};
use super::file::ContractFile;
use super::outline::{Outline, Side};
use super::wire::Object;
use serde_path_to_error::Segment;

/// Reads the file's members and types. Errors: an unknown or missing member, a wrong type.
pub(crate) fn read_shape(text: &str, outline: &Outline<'_>) -> Result<ContractFile, ContractError> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize::<_, Object<ContractFile>>(&mut deserializer)
        .map(|Object(file)| file)
        .map_err(|error| shape_error(outline, &error))
}

/// serde's error with its place. serde_json ends its text with a place of its own, which is where it
/// noticed rather than where the member is.
fn shape_error(
    outline: &Outline<'_>,
    error: &serde_path_to_error::Error<serde_json::Error>,
) -> ContractError {
    let segments: Vec<String> = error
        .path()
        .iter()
        .filter_map(|segment| match segment {
            Segment::Seq { index } => Some(index.to_string()),
            Segment::Map { key } => Some(key.clone()),
            Segment::Enum { .. } | Segment::Unknown => None,
        })
        .collect();
    let inner = error.inner();
    let text = inner.to_string();
    let its_place = format!(" at line {} column {}", inner.line(), inner.column());
    let message = text.strip_suffix(&its_place).unwrap_or(&text);
    let side = if message.starts_with("unknown field") {
        Side::Name
    } else {
        Side::Value
    };
    outline.error(
        &segments,
        side,
        Problem::Shape(in_our_words(&plain(message))),
    )
}

/// serde's words for what JSON calls member, array and object.
fn in_our_words(message: &str) -> String {
    const AT_THE_START: [(&str, &str); 4] = [
        ("unknown field", "unknown member"),
        ("missing field", "missing member"),
        ("invalid type: sequence", "invalid type: array"),
        ("invalid type: map", "invalid type: object"),
    ];
    let translated = AT_THE_START.into_iter().find_map(|(theirs, ours)| {
        let rest = message.strip_prefix(theirs)?;
        Some(format!("{ours}{rest}"))
    });
    let message = translated.unwrap_or_else(|| message.to_owned());
    match message.strip_suffix("a sequence") {
        Some(start) => format!("{start}an array"),
        None => message,
    }
}
