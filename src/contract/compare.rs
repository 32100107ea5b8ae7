//! What a person should know where two contracts are compared (contract.md, last paragraph).

use super::rules::Contract;

/// The warning where two contracts are for one consumer under two suffixes (`orders@1` and
/// `orders@2`), or one of them has none; nothing otherwise.
pub fn new_suffix_warning(a: &Contract, b: &Contract) -> Option<String> {
    let (a_stem, a_suffix) = split(&a.consumer);
    let (b_stem, b_suffix) = split(&b.consumer);
    (a_stem == b_stem && a_suffix != b_suffix).then(|| {
        "A consumer id with a new suffix makes every event new to it: right for a projection, wrong \
         for an effect on the outside."
            .to_owned()
    })
}

/// The consumer's stem and its suffix, the digits after the last `@`.
fn split(consumer: &str) -> (&str, Option<&str>) {
    match consumer.rsplit_once('@') {
        Some((stem, digits))
            if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) =>
        {
            (stem, Some(digits))
        }
        _ => (consumer, None),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::super::builtin;
    use super::*;

    fn consumer(id: &str) -> Contract {
        let mut contract = Contract::from_text(builtin::DEFAULT.text).unwrap();
        id.clone_into(&mut contract.consumer);
        contract
    }

    fn warns(a: &str, b: &str) -> bool {
        new_suffix_warning(&consumer(a), &consumer(b)).is_some()
    }

    #[test]
    fn a_new_suffix_of_the_same_consumer_is_told() {
        assert!(warns("orders@1", "orders@2"));
        assert!(warns("orders", "orders@2"));
    }

    #[test]
    fn the_same_id_and_other_consumers_are_not() {
        assert!(!warns("orders@1", "orders@1"));
        assert!(!warns("orders@1", "shipping@2"));
        assert!(!warns("ops@a.example", "ops@b.example"));
    }
}
