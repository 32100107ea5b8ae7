//! Which contract is in force, and what is said of one that cannot be used.

use super::common::{folder_with, run, run_on, sample};

#[test]
fn the_built_in_contracts_are_listed_shown_and_valid() {
    let list = run(&["contract", "show"]).expect(0).out;
    let names: Vec<&str> = list
        .lines()
        .map(|line| line.split_whitespace().next().unwrap())
        .collect();
    assert_eq!(names, ["consistency", "event-contract", "cloudevents"]);
    for name in names {
        let shown = run(&["contract", "show", name]).expect(0).out;
        let file = sample(&format!("contracts/{name}.json"));
        assert_eq!(shown, std::fs::read_to_string(&file).unwrap(), "{name}");
        let checked = run_on("contract check", &file, &[]).expect(0).out;
        assert!(checked.contains("a contract for "), "{checked}");
    }
    let ran = run(&["contract", "show", "consistancy"]).expect(2);
    assert!(
        ran.err.contains("consistency, event-contract, cloudevents"),
        "{}",
        ran.err
    );
}

#[test]
fn the_schema_is_json() {
    let schema = run(&["contract", "schema"]).expect(0).json();
    assert!(schema["properties"]["consumer"].is_object(), "{schema}");
}

#[test]
fn the_one_beside_the_capture_is_in_force_and_named() {
    let out = run_on("trace", &sample("invoices.jsonl"), &[])
        .expect(0)
        .out;
    assert!(
        out.contains("for invoice-mailer@1 (contract invoices, sidecar)"),
        "{out}"
    );
    let document = run_on("check", &sample("invoices.jsonl"), &["--format", "json"]);
    let contract = &document.expect(1).json()["contract"];
    assert_eq!(contract["name"], "invoices");
    assert_eq!(contract["origin"], "sidecar");
    let named = run_on(
        "check",
        &sample("three-inputs.jsonl"),
        &["--contract", "event-contract"],
    );
    assert!(
        named.out.contains("(contract event-contract, built in)"),
        "{}",
        named.out
    );
    let out = run_on("check", &sample("consistency.jsonl"), &[])
        .expect(1)
        .out;
    assert!(out.contains("(contract consistency, built in)"), "{out}");
}

#[test]
fn a_bad_contract_is_two_with_line_column_and_member() {
    let good = run(&["contract", "show", "event-contract"]).expect(0).out;
    for (from, to, named) in [
        ("\"consumer\"", "\"consumr\"", "/consumr"),
        (
            "\"/data/status\"",
            "\"data/status\"",
            "/events/0/reads/status/pointer",
        ),
        (
            "\"resultVersion\": 1",
            "\"resultVersion\": \"1\"",
            "/resultVersion",
        ),
        ("[1, 2]", "[1, \"x\"]", "/schemaVersion/accepted/1"),
        ("\"version\": null,", "\"version\": null,,", ""),
    ] {
        let bad = good.replacen(from, to, 1);
        assert_ne!(bad, good);
        let line = 1 + bad.lines().position(|line| line.contains(to)).unwrap();
        let (_folder, path) = folder_with("bad.json", bad.as_bytes());
        let path_text = path.to_str().unwrap();
        let checked = run(&["contract", "check", path_text]).expect(2);
        let capture = sample("three-inputs.jsonl");
        let used = run_on("trace", &capture, &["--contract", path_text]).expect(2);
        for ran in [checked, used] {
            assert_eq!(ran.out, "");
            let place = format!("line {line}, column ");
            assert!(ran.err.contains(&place), "{to}: {}", ran.err);
            assert!(ran.err.contains(named), "{to}: {}", ran.err);
            assert!(ran.err.contains("bad.json"), "{to}: {}", ran.err);
            assert_eq!(ran.err.matches(&place).count(), 1, "once: {}", ran.err);
        }
    }
}

#[test]
fn a_broken_sidecar_is_an_error_and_not_passed_over() {
    let (folder, path) = folder_with("orders.jsonl", b"{}\n");
    std::fs::write(folder.path().join("orders.contract.json"), "{").unwrap();
    let ran = run_on("check", &path, &[]).expect(2);
    assert!(
        ran.err.contains("orders.contract.json: line 1, column"),
        "{}",
        ran.err
    );
    run_on("check", &path, &["--contract", "consistency"]).expect(1);
}

#[test]
fn no_such_contract_names_those_that_there_are() {
    let capture = sample("three-inputs.jsonl");
    let ran = run_on("trace", &capture, &["--contract", "consistancy"]).expect(2);
    assert!(ran.err.contains("built in: consistency"), "{}", ran.err);
}
