//! Inputs made to break readers and terminals, from those who collect them.

mod support;

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
