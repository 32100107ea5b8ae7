//! JSON pointers (RFC 6901): how a contract names the places of an event that it reads.

use thiserror::Error;

/// A JSON pointer, as written and taken apart. The spelling is unique: two pointers are the same
/// exactly when their texts are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pointer {
    /// The pointer as written, `/data/orderVersion`.
    pub text: String,
    /// Its segments with `~1` and `~0` decoded; none for the whole document.
    pub segments: Vec<String>,
}

/// Why a text is no JSON pointer (RFC 6901, section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PointerError {
    /// A pointer that is not empty starts with a slash.
    #[error("a JSON pointer starts with \"/\", as in \"/data/orderId\"")]
    NoSlash,
    /// A tilde is only ever the start of an escape.
    #[error("in a JSON pointer \"~\" is written \"~0\" and \"/\" inside a name \"~1\"")]
    BadEscape,
}

impl Pointer {
    /// Takes a pointer apart. The empty text is the whole document, as in the RFC; a contract
    /// refuses it where it is compiled, because what it reads must have a name for its reasons.
    pub fn parse(text: &str) -> Result<Self, PointerError> {
        if text.is_empty() {
            return Ok(Self::from_segments(Vec::new()));
        }
        let rest = text.strip_prefix('/').ok_or(PointerError::NoSlash)?;
        let segments = rest.split('/').map(decode).collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            text: text.to_owned(),
            segments,
        })
    }

    /// The pointer to the given segments, which are names as they stand in the document.
    pub fn from_segments(segments: Vec<String>) -> Self {
        let mut text = String::new();
        for segment in &segments {
            text.push('/');
            text.push_str(&encode(segment));
        }
        Self { text, segments }
    }

    /// The `<field>` in reasons such as `missing-<field>` (contract.md, "Names in reasons"): the last
    /// segment with a hyphen between a lower-case letter or digit and an upper-case letter, `_` as
    /// `-`, in lower case. `/data/orderVersion` gives `order-version`.
    pub fn field_name(&self) -> String {
        self.segments
            .last()
            .map(|last| field_name(last))
            .unwrap_or_default()
    }
}

/// The `<field>` naming rule for one name; envelope attributes are named by it as well.
pub fn field_name(name: &str) -> String {
    let mut field = String::with_capacity(name.len() + 4);
    let mut after_small = false;
    for c in name.chars() {
        if after_small && c.is_uppercase() {
            field.push('-');
        }
        after_small = c.is_lowercase() || c.is_ascii_digit();
        if c == '_' {
            field.push('-');
        } else {
            field.extend(c.to_lowercase());
        }
    }
    field
}

/// One segment as it is written in a pointer.
pub(crate) fn encode(segment: &str) -> String {
    segment.replace('~', "~0").replace('/', "~1")
}

fn decode(written: &str) -> Result<String, PointerError> {
    let mut name = String::with_capacity(written.len());
    let mut characters = written.chars();
    while let Some(c) = characters.next() {
        name.push(match c {
            '~' => match characters.next() {
                Some('0') => '~',
                Some('1') => '/',
                _ => return Err(PointerError::BadEscape),
            },
            other => other,
        });
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn the_examples_of_the_rfc() {
        let cases: &[(&str, &[&str])] = &[
            ("", &[]),
            ("/foo", &["foo"]),
            ("/foo/0", &["foo", "0"]),
            ("/", &[""]),
            ("/a~1b", &["a/b"]),
            ("/c%d", &["c%d"]),
            ("/k\"l", &["k\"l"]),
            ("/ ", &[" "]),
            ("/m~0n", &["m~n"]),
            ("/~01", &["~1"]),
            ("//", &["", ""]),
        ];
        for (text, segments) in cases {
            let pointer = Pointer::parse(text).unwrap();
            assert_eq!(pointer.segments, *segments, "{text}");
            assert_eq!(Pointer::from_segments(pointer.segments.clone()), pointer);
        }
    }

    #[test]
    fn what_is_no_pointer() {
        assert_eq!(Pointer::parse("data/id"), Err(PointerError::NoSlash));
        assert_eq!(Pointer::parse("#/data"), Err(PointerError::NoSlash));
        assert_eq!(Pointer::parse("/a~"), Err(PointerError::BadEscape));
        assert_eq!(Pointer::parse("/a~2"), Err(PointerError::BadEscape));
        assert_eq!(Pointer::parse("/a~/1"), Err(PointerError::BadEscape));
    }

    #[test]
    fn fields_are_named_by_the_last_segment() {
        for (text, field) in [
            ("/data/orderVersion", "order-version"),
            ("/data/schemaVersion", "schema-version"),
            ("/subject", "subject"),
            ("/data/order_id", "order-id"),
            ("/data/orderID", "order-id"),
            ("/data/v2Id", "v2-id"),
            ("/data/Order_Id", "order-id"),
            ("/data/HTTPStatus", "httpstatus"),
            ("/data/a~1bC", "a/b-c"),
            ("/data/items/0", "0"),
            ("/data/номерЗаказа", "номер-заказа"),
            ("/data/", ""),
        ] {
            assert_eq!(Pointer::parse(text).unwrap().field_name(), field, "{text}");
        }
    }
}
