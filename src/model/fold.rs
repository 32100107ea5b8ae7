//! Spellings that a person would take for the same: equal after NFKC, full case folding, NFKC.
//!
//! Used only to warn (contract.md, findings of the near-miss kind); identities compare byte for byte.

use std::borrow::Cow;

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;

/// The folded spelling. ASCII without capitals is its own and costs nothing.
pub fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(text.to_ascii_lowercase())
        } else {
            Cow::Borrowed(text)
        };
    }
    Cow::Owned(text.nfkc().default_case_fold().nfkc().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compatibility_forms_and_case_fold_together() {
        for (a, b) in [
            ("Order-1", "order-1"),
            ("straße", "STRASSE"),
            ("ﬁn", "FIN"),
            ("Ａ", "a"),
            ("e\u{301}", "É"),
            ("Σς", "σσ"),
        ] {
            assert_eq!(fold(a), fold(b), "{a} {b}");
        }
        assert_ne!(fold("order-1"), fold("order-l"));
        assert!(matches!(fold("order-1"), Cow::Borrowed(_)));
    }
}
