//! What is wrong with a contract, and where: line, column and the member's path.

use super::pointer::PointerError;
use thiserror::Error;

/// A contract is a page or two; a file above this is not one.
pub const FILE_BYTES_MAX: usize = 1024 * 1024;

/// How deep a contract may nest. Declared defaults and values are the only deep part.
pub const DEPTH_MAX: usize = 128;

/// How many different reasons a contract's names may give.
pub const REASONS_MAX: usize = 8192;

/// A contract that cannot be used. Its text is safe for a terminal: what it quotes from the file is
/// escaped.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}{}: {problem}", shown_path(.path))]
pub struct ContractError {
    /// Line in the file, from 1.
    pub line: usize,
    /// Column in that line in characters, from 1.
    pub column: usize,
    /// JSON pointer (RFC 6901) of the member, `/events/0/reads/status/pointer`; empty for the whole
    /// file. Where a member is missing, it is the path of the object that lacks it.
    pub path: String,
    /// What is wrong there.
    pub problem: Problem,
}

/// The ways in which a contract can be wrong (contract.md, "The contract file").
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// The file is far too large for a contract.
    #[error("larger than {} MiB: this is no contract", FILE_BYTES_MAX / (1024 * 1024))]
    TooLarge,
    /// Bytes that are no UTF-8.
    #[error("not UTF-8 text")]
    NotUtf8,
    /// Nothing but white space.
    #[error("the file is empty")]
    Empty,
    /// Not JSON (RFC 8259).
    #[error("not JSON: {0}")]
    Malformed(&'static str),
    /// Deeper than [`DEPTH_MAX`].
    #[error("nested deeper than {DEPTH_MAX} levels")]
    TooDeep,
    /// A member twice in one object.
    #[error("the member {} stands twice", quoted(.0))]
    DuplicateMember(String),
    /// An unknown or missing member, or one of a wrong type; the text says which.
    #[error("{0}")]
    Shape(String),
    /// Not a JSON pointer.
    #[error("{0}")]
    Pointer(#[from] PointerError),
    /// The pointer `""`.
    #[error(
        "the pointer \"\" is the whole event; point at one of its members, as in \"/data/orderId\""
    )]
    WholeEvent,
    /// An empty string where a name is needed.
    #[error("must not be empty")]
    EmptyText,
    /// An empty list that would refuse everything.
    #[error("needs at least one entry")]
    EmptyList,
    /// `envelope.required` lacks an attribute that identity rests on.
    #[error("must contain id, source, type and specversion; {} is missing", quoted(.0))]
    LacksRequired(&'static str),
    /// An entry twice in a list of names.
    #[error("{} stands twice", quoted(.0))]
    StatedTwice(String),
    /// A state with neither or both of its sources.
    #[error("needs exactly one of `is` and `pointer`")]
    StateSource,
    /// A fixed state with a list of values.
    #[error("`values` belongs to `pointer`, not to `is`")]
    ValuesWithoutPointer,
    /// More names than there are reasons.
    #[error("reads more than {REASONS_MAX} differently named fields")]
    TooManyNames,
}

fn shown_path(path: &str) -> String {
    if path.is_empty() {
        String::new()
    } else {
        format!(", {}", plain(path))
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", plain(text))
}

/// Text out of a file as it may stand in an error: invisible and control characters escaped, and the
/// backslash with them, so that what looks the same is the same; long texts are cut. The `text` room
/// does this for the screen, but the contract room does not know it.
pub(crate) fn plain(text: &str) -> String {
    const SHOWN_MAX: usize = 300;
    let mut shown = String::new();
    for (index, c) in text.chars().enumerate() {
        if index == SHOWN_MAX {
            shown.push('…');
            break;
        }
        match c {
            '"' | '\'' => shown.push(c),
            other => shown.extend(other.escape_debug()),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_its_place_and_carries_nothing_a_terminal_would_obey() {
        let error = ContractError {
            line: 3,
            column: 7,
            path: "/a\u{1b}[2J".to_owned(),
            problem: Problem::DuplicateMember("x\u{202e}y".to_owned()),
        };
        assert_eq!(
            error.to_string(),
            "line 3, column 7, /a\\u{1b}[2J: the member \"x\\u{202e}y\" stands twice"
        );
    }

    #[test]
    fn a_spelled_out_escape_does_not_look_like_the_character() {
        assert_eq!(plain("a\u{1b}b"), "a\\u{1b}b");
        assert_eq!(plain("a\\u{1b}b"), "a\\\\u{1b}b");
        assert_eq!(plain("it's \"quoted\""), "it's \"quoted\"");
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(plain(&"x".repeat(1000)).chars().count(), 301);
    }
}
