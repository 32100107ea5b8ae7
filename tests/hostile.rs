//! Inputs made to break readers and terminals, from those who collect them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says what it looked at"
)]

mod support;

#[path = "hostile/archives.rs"]
mod archives;
#[path = "hostile/common.rs"]
mod common;
#[path = "hostile/damage.rs"]
mod damage;
#[path = "hostile/json.rs"]
mod json;
#[path = "hostile/names.rs"]
mod names;
#[path = "hostile/values.rs"]
mod values;

use support::hostile::{Verdict, json_test_suite, naughty_strings};

#[test]
fn the_collections_are_read_whole() {
    if let Some(cases) = json_test_suite() {
        for verdict in [Verdict::Accept, Verdict::Refuse, Verdict::Either] {
            let of_kind = cases.iter().filter(|case| case.verdict == verdict).count();
            assert!(of_kind > 30, "{verdict:?}: {of_kind}");
        }
    }
    if let Some(strings) = naughty_strings() {
        assert!(strings.len() > 500, "{}", strings.len());
        assert!(
            strings
                .iter()
                .any(|text| text.chars().any(char::is_control))
        );
    }
}
