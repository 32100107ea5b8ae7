//! What the inspector is told of the contract in force: where it comes from, and what it says in
//! words. The inspector itself knows no contract.

use crate::app::guide::ContractFacts;
use crate::contract::{
    Contract, EventRule, LoadedContract, Origin, OtherTypes, Pointer, Read, StateRule,
};
use crate::engine::BaselinePolicy;

/// What is known of a contract.
pub fn facts(loaded: &LoadedContract, baseline: BaselinePolicy) -> ContractFacts {
    let contract = &loaded.contract;
    let reads: Vec<&Read> = contract
        .events
        .iter()
        .flat_map(|event| &event.reads)
        .collect();
    ContractFacts {
        name: loaded.name.clone(),
        origin: origin(&loaded.origin),
        sha256: loaded.sha256_hex(),
        text: loaded.text.clone(),
        words: words(contract, baseline),
        accepted: contract
            .schema_version
            .as_ref()
            .map(|rule| joined(&rule.accepted)),
        reads: reads.len(),
        typed_reads: reads.iter().filter(|read| !read.types.is_empty()).count(),
        defaults: reads.iter().filter(|read| read.default.is_some()).count(),
        consumer: contract.consumer.clone(),
        result_version: contract.result_version,
        retention_days: contract.receipt_retention_days,
        deferral_limit: contract.deferral_limit,
        compensation_reasons: contract.compensation.reasons.clone(),
        compensation_step: contract.compensation.step.clone(),
        gate_action: contract.gate.as_ref().map(|gate| gate.action.clone()),
    }
}

fn origin(origin: &Origin) -> String {
    match origin {
        Origin::BuiltIn => "built into the program".to_owned(),
        Origin::File(path) => format!("the file {}", path.to_string_lossy()),
        Origin::Sidecar(path) => format!("beside the capture: {}", path.to_string_lossy()),
    }
}

type Words = Vec<(&'static str, String)>;

fn words(contract: &Contract, baseline: BaselinePolicy) -> Words {
    let mut words: Words = vec![
        (
            "consumer",
            format!(
                "{}, creates result version {}",
                contract.consumer, contract.result_version
            ),
        ),
        (
            "boundary",
            format!(
                "{}: sources that start with {}",
                contract.boundary.name,
                joined(&contract.boundary.sources)
            ),
        ),
        (
            "envelope",
            format!(
                "must have {}",
                joined(contract.required.iter().map(|attribute| &attribute.name))
            ),
        ),
        ("schema", schema(contract)),
        ("aggregate", aggregate(contract)),
        ("version", version(contract)),
    ];
    for event in &contract.events {
        events(event, &mut words);
    }
    words.push((
        "other types",
        match contract.other_types {
            OtherTypes::Refuse => "refused: the contract has to be updated",
            OtherTypes::Ignore => "ignored",
        }
        .to_owned(),
    ));
    words.push(("receipts", retention(contract)));
    words.push(("waiting", deferral(contract)));
    words.push(("gate", gate(contract)));
    words.push(("compensation", compensation(contract)));
    words.push((
        "baselines",
        match baseline {
            BaselinePolicy::None => "none assumed; a baseline record states one",
            BaselinePolicy::FirstSeen => {
                "assumed (--baseline first-seen): the first version seen of an aggregate is next"
            }
        }
        .to_owned(),
    ));
    words
}

fn schema(contract: &Contract) -> String {
    match &contract.schema_version {
        Some(rule) => format!(
            "accepts {} at {}; any other needs a contract update",
            joined(&rule.accepted),
            place(&rule.pointer)
        ),
        None => "not checked".to_owned(),
    }
}

fn aggregate(contract: &Contract) -> String {
    let at = place(&contract.aggregate.pointer);
    match &contract.aggregate.default {
        Some(default) => format!("its id at {at}, or else {default}"),
        None => format!("its id at {at}"),
    }
}

fn version(contract: &Contract) -> String {
    match &contract.version {
        Some(rule) => format!(
            "at {}, the first is {}; each change is one more",
            place(&rule.pointer),
            rule.first
        ),
        None => "none: every new event applies and replaces the state".to_owned(),
    }
}

fn events(event: &EventRule, words: &mut Words) {
    words.push(("event", format!("type {}", event.pattern)));
    for read in &event.reads {
        words.push(("  reads", reads(read)));
    }
    words.push((
        "  state",
        match &event.state {
            StateRule::Is(state) => format!("always {state}"),
            StateRule::From {
                pointer,
                values: None,
                ..
            } => format!("the word at {}", place(pointer)),
            StateRule::From {
                pointer,
                values: Some(values),
                ..
            } => {
                let values = values.iter().map(|(from, to)| {
                    if from == to {
                        from.clone()
                    } else {
                        format!("{from} as {to}")
                    }
                });
                format!("the word at {}: {}", place(pointer), joined(values))
            }
        },
    ));
}

fn reads(read: &Read) -> String {
    let types = if read.types.is_empty() {
        "any type".to_owned()
    } else {
        let names = read.types.iter().map(|one| one.name());
        names.collect::<Vec<_>>().join(" or ")
    };
    let mut text = format!("{} at {}, {types}", read.name, place(&read.pointer));
    if let Some(values) = &read.values {
        text.push_str(", one of ");
        text.push_str(&joined(values.iter().map(|value| &value.json)));
    }
    if let Some(default) = &read.default {
        text.push_str(", default ");
        text.push_str(&default.json);
    }
    text
}

fn retention(contract: &Contract) -> String {
    match contract.receipt_retention_days {
        Some(days) => format!("kept {days} days; an older one no longer suppresses a repeat"),
        None => "kept for ever".to_owned(),
    }
}

fn deferral(contract: &Contract) -> String {
    match (contract.version.is_some(), contract.deferral_limit) {
        (false, _) => "nothing waits without versions".to_owned(),
        (true, 0) => "nothing may wait: what comes too early is refused".to_owned(),
        (true, limit) => format!("at most {limit} events for one aggregate; one more is refused"),
    }
}

fn gate(contract: &Contract) -> String {
    let Some(gate) = &contract.gate else {
        return "none".to_owned();
    };
    let mut text = format!(
        "{}: only where the owner is {} and the projection {}, at equal versions, nothing open",
        gate.action,
        either(&gate.owner_statuses),
        either(&gate.projection_states),
    );
    if !gate.done_states.is_empty() {
        text.push_str("; it has happened where the state is ");
        text.push_str(&either(&gate.done_states));
    }
    text
}

fn compensation(contract: &Contract) -> String {
    let rule = &contract.compensation;
    let Some(to) = &rule.to else {
        return "none: every refusal is reviewed".to_owned();
    };
    format!(
        "for {} only: from {} to {to}, once for each order, step {} and version; any other reason is \
         reviewed",
        joined(&rule.reasons),
        either(&rule.from),
        rule.step
    )
}

fn place(pointer: &Pointer) -> String {
    pointer.text.clone()
}

fn joined<T: std::fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(", ")
}

fn either(items: &[String]) -> String {
    items.join(" or ")
}
