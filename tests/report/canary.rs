//! Secrets in every payload field, and everywhere that they must not come out.

use serde_json::{Value, json};

use super::common::{Bench, FORMATS, event};

/// Records that are all evidence, with a secret in each place that no identity, version or state is
/// read from. None of the secrets may stand in a masked output.
fn records() -> Vec<Value> {
    let mut conflict = event("evt-2", "order-1", 1, "paid");
    conflict["note"] = json!("CANARY-note");
    conflict["attempt"] = json!("CANARY-attempt");
    conflict["further"] = json!({"CANARY-further-name": "CANARY-further"});
    let inner = &mut conflict["event"];
    inner["dataschema"] = json!("https://example.test/CANARY-dataschema");
    inner["extension"] = json!("CANARY-extension");
    inner["data_base64"] = json!("CANARY-base64");
    inner["data"]["card"] = json!("CANARY-card");
    inner["data"]["lines"] = json!([{"name": "CANARY-line"}, ["CANARY-deep"]]);
    inner["data"]["CANARY-name"] = json!(1);
    inner["data"]["nested"] = json!("{\"inner\": \"CANARY-nested\"}");

    let status = event("evt-3", "order-2", 1, "CANARY-status");
    let mut version = event("evt-4", "order-3", 1, "paid");
    version["event"]["data"]["orderVersion"] = json!("CANARY-version");
    let mut aggregate = event("evt-5", "order-4", 1, "paid");
    aggregate["event"]["data"]["orderId"] = json!({"CANARY-id-name": "CANARY-id"});
    let mut schema = event("evt-6", "order-5", 1, "paid");
    schema["event"]["data"]["schemaVersion"] = json!("CANARY-schema");
    vec![
        event("evt-1", "order-1", 1, "accepted"),
        conflict,
        status,
        version,
        aggregate,
        schema,
        json!({"order": {"id": "order-1", "status": "paid", "version": 1, "x": "CANARY-order"}}),
        json!({"refusal": {"refusalId": "CANARY-refusal-id", "orderId": "order-1",
            "orderVersion": 1, "reason": "CANARY-reason"}}),
        json!({"baseline": {"source": "urn:checkout:orders", "aggregate": "order-1", "version": 3,
            "state": "CANARY-baseline"}}),
        json!({"event": {"specversion": "CANARY-specversion"}, "order": {"x": "CANARY-ambiguous"}}),
    ]
}

fn bench() -> Bench {
    let mut lines: Vec<String> = records().iter().map(Value::to_string).collect();
    lines.push("CANARY-not-json {".to_owned());
    let bytes = lines.join("\n");
    let bench = Bench::with_bytes(bytes.as_bytes());
    for step in [2, 3, 8, 11] {
        let disposition = replayscope::review::Disposition::ManualReview;
        bench.mark(step, disposition, "who did this?");
    }
    bench
}

#[test]
fn secrets_stay_out_of_masked_reports_and_everything_beside_them() {
    let bench = bench();
    let before = bench.names();
    for format in FORMATS {
        let ran = bench.run("report", &["--format", format]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.out.contains("evt-2"), "{format}: the identity is shown");
        assert!(!ran.out.contains("CANARY"), "{format}:\n{}", ran.out);
        assert!(!ran.err.contains("CANARY"), "{format}: {}", ran.err);
        let piped = bench.run_piped("report", &["--format", format]);
        assert!(!piped.out.contains("CANARY") && !piped.err.contains("CANARY"));
    }
    for (command, options) in [
        ("check", &[][..]),
        ("verify", &[]),
        ("report", &["--output", "incident.md"]),
        ("report", &["--output", "orders.jsonl", "--force"]),
    ] {
        let ran = bench.run(command, options);
        assert!(!ran.out.contains("CANARY"), "{command}: {}", ran.out);
        assert!(!ran.err.contains("CANARY"), "{command}: {}", ran.err);
    }
    let written = std::fs::read_to_string(bench.path("incident.md")).unwrap();
    assert!(!written.contains("CANARY"), "{written}");
    let case = std::fs::read_to_string(bench.case()).unwrap();
    assert!(!case.contains("CANARY"), "{case}");
    std::fs::remove_file(bench.path("incident.md")).unwrap();
    assert_eq!(bench.names(), before, "no temporary file is left");
}

#[test]
fn what_is_masked_is_counted_and_comes_out_when_asked_for() {
    let bench = bench();
    let masked = bench.json(&[]);
    let shown = bench.json(&["--include-payload"]);
    assert_eq!(masked["payload"]["included"], false);
    assert_eq!(
        shown["payload"],
        json!({"included": true, "maskedFields": 0})
    );
    let items = |report: &Value| -> Vec<Value> {
        let of = |value: &Value, pointer: &str| value.pointer(pointer).cloned().unwrap_or_default();
        let groups = of(report, "/open");
        let unmarked = groups.as_array().unwrap().iter();
        let unmarked =
            unmarked.flat_map(|group| of(group, "/unmarked/listed").as_array().cloned().unwrap());
        let listed = of(report, "/marks/listed");
        let with_mark = listed
            .as_array()
            .unwrap()
            .iter()
            .map(|mark| mark["item"].clone());
        unmarked.chain(with_mark).collect()
    };
    let total: u64 = items(&masked)
        .iter()
        .map(|item| item["maskedFields"].as_u64().unwrap())
        .sum();
    let listed: usize = items(&shown)
        .iter()
        .map(|item| item["payload"].as_array().unwrap().len())
        .sum();
    assert_eq!(masked["payload"]["maskedFields"], total);
    assert_eq!(listed as u64, total, "as many as are masked otherwise");
    let all = records().iter().map(Value::to_string).collect::<String>() + "CANARY-not-json";
    for format in FORMATS {
        let text = bench.report(format, &["--include-payload"]);
        for piece in all.split("CANARY-").skip(1) {
            let name: String = piece
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '-')
                .collect();
            let canary = format!("CANARY-{name}");
            // The owner's plain statement is no evidence, so it is not told of at all.
            let is_told = text.contains(&canary) || canary == "CANARY-order";
            assert!(is_told, "{format}: {canary}");
        }
    }
}
