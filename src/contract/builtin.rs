//! The contracts that are built into the program, by name (contract.md, "The contract file"). Their
//! texts are `samples/contracts`, so what `contract show` prints is what a person can start from.

/// One built-in contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its file.
    pub text: &'static str,
    /// What it is for, in a few words.
    pub purpose: &'static str,
}

/// All built-in contracts; the first is the default.
pub const ALL: [BuiltIn; 3] = [DEFAULT, EVENT_CONTRACT, CLOUDEVENTS];

/// The contract in force where nothing else is chosen or found.
pub const DEFAULT: BuiltIn = BuiltIn {
    name: "consistency",
    text: include_str!("../../samples/contracts/consistency.json"),
    purpose: "orders with versions, owner and gate",
};

const EVENT_CONTRACT: BuiltIn = BuiltIn {
    name: "event-contract",
    text: include_str!("../../samples/contracts/event-contract.json"),
    purpose: "orders without versions",
};

const CLOUDEVENTS: BuiltIn = BuiltIn {
    name: "cloudevents",
    text: include_str!("../../samples/contracts/cloudevents.json"),
    purpose: "any CloudEvents capture",
};

/// The built-in contract of that name.
pub fn find(name: &str) -> Option<BuiltIn> {
    ALL.into_iter().find(|built_in| built_in.name == name)
}

/// Their names for an error or a help text: `consistency, event-contract, cloudevents`.
pub fn names() -> String {
    ALL.map(|built_in| built_in.name).join(", ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::super::rules::{Contract, StateRule};
    use super::super::test_support::shared;
    use super::*;

    fn compiled(name: &str) -> Contract {
        Contract::from_text(find(name).unwrap().text).unwrap()
    }

    #[test]
    fn all_are_usable() {
        for built_in in ALL {
            assert!(
                Contract::from_text(built_in.text).is_ok(),
                "{}",
                built_in.name
            );
        }
        assert!(find("orders").is_none());
    }

    #[test]
    fn they_are_the_published_ones_byte_for_byte() {
        let Some(folder) = shared("contracts") else {
            return;
        };
        for built_in in ALL {
            let published = folder.join(format!("{}.json", built_in.name));
            assert_eq!(std::fs::read_to_string(published).unwrap(), built_in.text);
        }
    }

    #[test]
    fn consistency_has_versions_a_gate_and_a_compensation() {
        let contract = compiled("consistency");
        assert_eq!(contract.version.as_ref().unwrap().first, 1);
        assert!(contract.gate.as_ref().unwrap().has_versions);
        assert_eq!(contract.compensation.to.as_deref(), Some("cancelled"));
        assert_eq!(
            contract.compensation_key("order-417", 2),
            "compensation:order-417:reservation:v2"
        );
        assert!(contract.accepts_schema(2) && !contract.accepts_schema(3));
        assert!(contract.within_boundary("urn:checkout:orders"));
        assert!(!contract.within_boundary("URN:checkout:orders"));
        let name = |reason| contract.vocabulary.name(reason);
        assert_eq!(
            name(contract.outside_boundary),
            "source-outside-orders-boundary"
        );
        assert_eq!(name(contract.aggregate.missing), "missing-order-id");
        let version = contract.version.as_ref().unwrap();
        assert_eq!(name(version.missing), "missing-order-version");
        assert_eq!(name(version.invalid), "invalid-order-version");
        let schema = contract.schema_version.as_ref().unwrap();
        assert_eq!(name(schema.missing), "missing-schema-version");
        let required: Vec<_> = contract
            .required
            .iter()
            .map(|one| name(one.missing))
            .collect();
        assert_eq!(
            required,
            [
                "missing-id",
                "missing-source",
                "missing-type",
                "missing-subject",
                "missing-specversion"
            ]
        );
    }

    #[test]
    fn event_contract_has_no_versions() {
        let contract = compiled("event-contract");
        assert!(contract.version.is_none() && contract.gate.is_none());
        assert_eq!(contract.compensation.step, "reservation");
        assert!(contract.compensation.reasons.is_empty());
        assert!(contract.event_rule("com.example.order.created").is_some());
        assert!(contract.event_rule("com.example.orders").is_none());
        let texts: Vec<_> = contract.pointers.iter().map(|p| p.text.as_str()).collect();
        assert_eq!(
            texts,
            ["/data/schemaVersion", "/data/orderId", "/data/status"]
        );
    }

    #[test]
    fn cloudevents_takes_any_source_and_type() {
        let contract = compiled("cloudevents");
        assert!(contract.within_boundary("anything") && contract.accepts_schema(77));
        let rule = contract.event_rule("any.type").unwrap();
        assert!(
            matches!(&rule.state, StateRule::From { pointer, values: None, .. } if pointer.text == "/type")
        );
        assert_eq!(contract.required.len(), 4);
        assert!(contract.extension_pointers.is_empty());
    }
}
