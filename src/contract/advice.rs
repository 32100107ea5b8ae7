//! What is allowed in a contract and yet hardly meant: said by `contract check`, never an error.

use super::rules::{Contract, StateRule, TypePattern};

/// What a person should look at again, one sentence each.
pub fn advice(contract: &Contract) -> Vec<String> {
    let mut advice = hidden_rules(contract);
    advice.extend(unreachable_states(contract));
    let compensation = &contract.compensation;
    if !compensation.reasons.is_empty() && compensation.from.is_empty() {
        advice.push("compensation.from is empty: no order can ever be compensated".to_owned());
    }
    advice
}

/// The first match wins, so a rule behind one that matches all of its types is never used.
fn hidden_rules(contract: &Contract) -> Vec<String> {
    let mut hidden = Vec::new();
    for (index, rule) in contract.events.iter().enumerate() {
        let before = contract.events.iter().take(index).enumerate();
        let hider = before
            .rev()
            .find(|(_, earlier)| covers(&earlier.pattern, &rule.pattern));
        if let Some((by, _)) = hider {
            hidden.push(format!(
                "events[{index}] ({}) is never used: events[{by}] comes first and matches its types",
                rule.pattern
            ));
        }
    }
    hidden
}

fn covers(earlier: &TypePattern, later: &TypePattern) -> bool {
    match (earlier, later) {
        (TypePattern::Exact(earlier), TypePattern::Exact(later)) => earlier == later,
        (TypePattern::Exact(_), TypePattern::Prefix(_)) => false,
        (TypePattern::Prefix(earlier), TypePattern::Exact(later) | TypePattern::Prefix(later)) => {
            later.starts_with(earlier.as_str())
        }
    }
}

/// States that the gate asks for and no event can bring; only where all states are known.
fn unreachable_states(contract: &Contract) -> Vec<String> {
    let (Some(states), Some(gate)) = (known_states(contract), &contract.gate) else {
        return Vec::new();
    };
    let lists = [
        ("gate.projectionStates", &gate.projection_states),
        ("gate.doneStates", &gate.done_states),
    ];
    let all = lists
        .into_iter()
        .flat_map(|(name, list)| list.iter().map(move |state| (name, state)));
    all.filter(|(_, state)| !states.contains(&state.as_str()))
        .map(|(name, state)| format!("{name} names {state:?}, which no event brings"))
        .collect()
}

/// Every state that an event can bring; `None` where a payload may bring any.
fn known_states(contract: &Contract) -> Option<Vec<&str>> {
    let mut states = Vec::new();
    for rule in &contract.events {
        match &rule.state {
            StateRule::Is(state) => states.push(state.as_str()),
            StateRule::From { values, .. } => {
                states.extend(values.as_ref()?.iter().map(|(_, state)| state.as_str()));
            }
        }
    }
    Some(states)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::contract::builtin;

    fn advice_on(changes: &[(&str, &str)]) -> Vec<String> {
        let mut text = builtin::DEFAULT.text.to_owned();
        for (from, to) in changes {
            assert!(text.contains(from), "{from}");
            text = text.replacen(from, to, 1);
        }
        advice(&Contract::from_bytes(text.as_bytes()).unwrap())
    }

    #[test]
    fn the_built_in_contracts_need_none() {
        for built_in in builtin::ALL {
            let contract = Contract::from_bytes(built_in.text.as_bytes()).unwrap();
            assert_eq!(advice(&contract), Vec::<String>::new(), "{}", built_in.name);
        }
    }

    #[test]
    fn a_misspelled_state_and_a_hidden_rule_are_said() {
        let misspelled = advice_on(&[(
            r#""projectionStates": ["reserved""#,
            r#""projectionStates": ["reservd""#,
        )]);
        assert_eq!(
            misspelled,
            ["gate.projectionStates names \"reservd\", which no event brings"]
        );
        let hidden = advice_on(&[(r#""training.order.paid""#, r#""training.order.accepted""#)]);
        assert_eq!(hidden.len(), 1, "{hidden:?}");
        let uncompensable = advice_on(&[(r#""from": ["paid"]"#, r#""from": []"#)]);
        assert_eq!(uncompensable.len(), 1, "{uncompensable:?}");
    }
}
