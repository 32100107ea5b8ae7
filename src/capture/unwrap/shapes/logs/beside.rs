//! What stands beside a page's records and says that they are not all: a token of the next page, the
//! status of a query that had not ended. It is a record of its own.
//!
//! Such a member alone, `"status": "accepted"`, is also a line of anybody's document. So the record runs
//! from the bracket that ends the page's records to the member's end, or from the member to the bracket
//! that begins them: a record is told by its bytes alone, and no line of a pretty-printed document is
//! such a text.
//!
//! ```text
//! { "results": [ … ], "statistics": { … }, "status": "Running" }
//!                  └───────────── the record ───────────────┘
//! ```

use bumpalo::Bump;

use super::super::super::super::json::{MAX_DEPTH, read};
use super::super::super::super::tape::Doc;
use super::super::super::layer::Layer;

/// A member of the page, its name and value by index.
pub(super) type Member = (usize, usize);

/// The member that tells, where it is there and tells it.
pub(super) type Told = for<'a, 't> fn(Layer<'a, 't>) -> Option<Member>;

/// The range of the record, for a page whose records are in this array.
pub(super) fn range(layer: Layer<'_, '_>, array: &str, told: Told) -> Option<(usize, usize)> {
    let (key, value) = told(layer)?;
    let array = layer.doc.node(layer.member(array)?)?;
    let key = layer.doc.node(key)?;
    if key.start < array.start {
        return Some((key.start as usize, array.start as usize + 1));
    }
    let end = layer.doc.node(value)?.end as usize;
    Some(((array.end as usize).checked_sub(1)?, end))
}

/// Whether a text is such a record: a page again, with its array's other bracket.
pub(super) fn is_told(text: &str, array: &str, told: Told) -> bool {
    let (page, is_behind) = if text.starts_with(']') {
        (format!("{{\"{array}\":[{text}}}"), true)
    } else if text.starts_with('"') && text.ends_with('[') {
        (format!("{{{text}]}}"), false)
    } else {
        return false;
    };
    let (arena, mut nodes) = (Bump::new(), Vec::new());
    if read(&page, MAX_DEPTH, &mut nodes).is_err() {
        return false;
    }
    let layer = Layer::new(Doc::new(&page, &nodes), &arena, false);
    let mut members = layer.doc.members(Doc::ROOT);
    let first = members.next();
    let last = members.last();
    let (own, other) = if is_behind {
        (last, first)
    } else {
        (first, last)
    };
    let is_array = |(key, _): Member| {
        let key = layer.doc.node(key);
        key.is_some_and(|key| layer.doc.string_is(key, array))
    };
    own.is_some() && own == told(layer) && other.is_some_and(is_array)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::super::{cloudwatch, insights};
    use super::*;

    #[test]
    fn only_a_piece_of_the_page_tells() {
        let insights: fn(&str) -> bool = |text| is_told(text, "results", insights::unfinished);
        let cloudwatch: fn(&str) -> bool = |text| is_told(text, "events", cloudwatch::more);
        for (page, array, told, tells, other) in [
            (
                r#"{"results":[1],"statistics":{"a":[2]}, "status": "Running"}"#,
                "results",
                insights::unfinished as Told,
                insights,
                cloudwatch,
            ),
            (
                "{\n  \"status\": \"Failed\",\n  \"results\": []\n}",
                "results",
                insights::unfinished,
                insights,
                cloudwatch,
            ),
            (
                r#"{"status":"x","events":[],"status2":"y","nextToken":"t","z":1}"#,
                "events",
                cloudwatch::more,
                cloudwatch,
                insights,
            ),
        ] {
            let (arena, mut nodes) = (Bump::new(), Vec::new());
            read(page, MAX_DEPTH, &mut nodes).unwrap();
            let layer = Layer::new(Doc::new(page, &nodes), &arena, false);
            let (start, end) = range(layer, array, told).unwrap();
            let text = page.get(start..end).unwrap();
            assert!(tells(text) && !other(text), "{text}");
        }
        for text in [
            r#""status": "accepted""#,
            r#""status": "Running""#,
            r#""status": "accepted","#,
            r#""status": ["#,
            r#""nextToken": "a""#,
            r#""nextToken": ["#,
            r#""status": "Running", "orders": ["#,
            "],",
            "]",
            r#"],"status":"Complete""#,
            r#"],"status":"Running","a":1"#,
        ] {
            assert!(!insights(text) && !cloudwatch(text), "{text}");
        }
    }
}
