//! What is around events and inside them: how it is told, and what the options change.

use serde_json::{Value, json};

use crate::common::{replayscope, run};

fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn event(changes: &[(&str, Value)]) -> Value {
    let mut event = json!({
        "specversion": "1.0", "id": "a", "source": "urn:checkout:orders", "subject": "order-1",
        "type": "com.example.order.status.changed", "datacontenttype": "application/json",
        "data": {"schemaVersion": 1, "orderId": "order-1", "orderVersion": 1, "status": "accepted"},
    });
    for (name, value) in changes {
        event[*name] = value.clone();
    }
    event
}

/// The steps of a trace with some arguments.
fn steps(text: &str, arguments: &[&str]) -> Vec<Value> {
    let folder = scratch();
    let path = folder.path().join("log.jsonl");
    std::fs::write(&path, text).unwrap();
    let output = replayscope()
        .args(["trace", "--format", "jsonl"])
        .args(arguments)
        .arg(&path)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn the_specification_is_told_and_changes_no_verdict_unless_it_must() {
    let log = event(&[("time", json!("2026-03-02 09:00:00"))]).to_string() + "\n";
    let plain = steps(&log, &[]);
    assert_eq!(plain[0]["state"], "event-applied");
    assert_eq!(plain[0].get("conformance"), None);
    let told = steps(&log, &["--conformance"]);
    assert_eq!(told[0]["state"], "event-applied");
    assert_eq!(told[0]["conformance"], json!(["ce-time"]));
    let strict = steps(&log, &["--strict"]);
    assert_eq!(strict[0]["state"], "rejected");
    assert_eq!(strict[0]["reason"], "ce-time");
    // What the specification only advises refuses nothing.
    let log = event(&[("averyveryverylongname1", json!("x"))]).to_string() + "\n";
    assert_eq!(steps(&log, &["--strict"])[0]["state"], "event-applied");
}

#[test]
fn what_is_inside_data_is_read_only_where_the_contract_says_so() {
    let data = event(&[])["data"].clone();
    let mut encoded = event(&[("id", json!("b"))]);
    let members = encoded.as_object_mut().unwrap();
    members.remove("data");
    members.insert(
        "data_base64".to_owned(),
        json!("eyJzY2hlbWFWZXJzaW9uIjoxLCJvcmRlcklkIjoib3JkZXItMSIsIm9yZGVyVmVyc2lvbiI6Miwic3RhdHVzIjoicGFpZCJ9"),
    );
    let next = |version: u64, id: &str| {
        let data = json!({"schemaVersion": 1, "orderId": "order-1", "orderVersion": version, "status": "packed"});
        event(&[("id", json!(id)), ("data", data)])
    };
    let log = [
        event(&[("data", json!(data.to_string()))]),
        encoded,
        json!({"receivedAt": "2026-03-02T09:00:00Z", "event": event(&[
            ("id", json!("outer")), ("type", json!("com.dapr.event.sent")), ("data", next(3, "c")),
        ])}),
    ];
    let log = log.map(|line| line.to_string() + "\n").concat();
    for step in steps(&log, &[]) {
        assert_eq!(step["state"], "rejected", "{step}");
    }
    let folder = scratch();
    let mut contract = run(&["contract", "show", "consistency"]).expect(0).json();
    contract["readInside"] = json!(true);
    let path = folder.path().join("inside.json");
    std::fs::write(&path, contract.to_string()).unwrap();
    let read = steps(&log, &["--contract", path.to_str().unwrap()]);
    let states: Vec<_> = read
        .iter()
        .map(|step| (&step["state"], &step["wrap"], &step["id"]))
        .collect();
    let applied = json!("event-applied");
    assert_eq!(
        states,
        [
            (&applied, &json!(["json-string", "cloudevent"]), &json!("a")),
            (&applied, &json!(["base64", "cloudevent"]), &json!("b")),
            (&applied, &json!(["cloudevent", "native"]), &json!("c")),
        ]
    );
}

#[test]
fn a_format_can_be_forced_and_explained() {
    let inner = event(&[]).to_string();
    let line = json!({"topic": "t", "partition": 0, "offset": 1, "payload": inner}).to_string();
    let log = line.clone() + "\n{\"topic\":1,\"partition\":2}\n";
    let forced = steps(&log, &["--input-format", "docker"]);
    assert_eq!(forced[0]["reason"], "not-a-delivery");
    let folder = scratch();
    let path = folder.path().join("log.jsonl");
    std::fs::write(&path, &log).unwrap();
    let output = replayscope()
        .args(["trace", "--explain-format"])
        .arg(&path)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("framing: jsonl"), "{text}");
    assert!(
        text.contains("1  kcat > cloudevent   (first: r1, line 1)"),
        "{text}"
    );
    assert!(text.contains("r2, line 2, is no event"), "{text}");
    assert!(text.contains("kcat: lacks offset, payload"), "{text}");
}

#[test]
fn the_table_says_where_and_why_nothing_is_inside() {
    let folder = scratch();
    let path = folder.path().join("cut.json");
    let piece =
        json!({"log": "{\"specversion\":", "stream": "stdout", "time": "2026-03-02T09:00:03Z"});
    let empty = json!({"topic": "t", "partition": 0, "offset": 1, "tstype": "create",
        "ts": 1_772_442_000_000_u64, "broker": 1, "payload": null, "key": "k"});
    for (record, told) in [
        (
            &piece,
            "unreadable · payload-truncated, line 2: docker cut the line into pieces",
        ),
        (
            &empty,
            "unreadable · no-payload, line 2: the message has no value",
        ),
    ] {
        std::fs::write(&path, format!("\n{record}\n")).unwrap();
        let output = replayscope().arg("trace").arg(&path).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(told), "{text}");
    }
}

/// The option's template, and a log that it wrote, with a line that it did not.
fn by_template() -> (&'static str, String) {
    let of = |version: u64| {
        let data = json!({"schemaVersion": 1, "orderId": "order-1", "orderVersion": version, "status": "accepted"});
        event(&[("id", json!(version.to_string())), ("data", data)])
    };
    let line = |version| format!("orders [0] {version} order-1;{}\n", of(version));
    let log = [line(1), "orders [x] 2 order-1;{}\n".to_owned(), line(2)].concat();
    (r"%t [%p] %o %k;%s\n", log)
}

#[test]
fn what_kcat_wrote_by_a_template_is_read_by_it() {
    let (template, log) = by_template();
    let read = steps(&log, &["--kcat-format", template]);
    let told: Vec<_> = read
        .iter()
        .map(|step| (step["state"].as_str().unwrap(), &step["position"]["offset"]))
        .collect();
    let number = |text: &str| json!(text);
    assert_eq!(
        told,
        [
            ("event-applied", &number("1")),
            ("unreadable", &Value::Null),
            ("event-applied", &number("2")),
        ]
    );
    assert_eq!(read[1]["reason"], "template-mismatch");
    let folder = scratch();
    let path = folder.path().join("log.txt");
    std::fs::write(&path, &log).unwrap();
    let path = path.to_str().unwrap();
    let explained = run(&["trace", "--explain-format", "--kcat-format", template, path]).expect(0);
    let words = "kcat-format > template-mismatch   (first: r2, line 2)\n               the record does not fit \
                 the template: behind %t, a number (%p) is expected (column 5 of the template)";
    assert!(explained.out.contains(words), "{}", explained.out);
    let checked = run(&["check", "--kcat-format", template, path]).expect(1);
    assert!(checked.out.contains("template-mismatch"), "{}", checked.out);
    let report = run(&["report", "--kcat-format", template, path]).expect(0);
    assert!(report.out.contains("template-mismatch"), "{}", report.out);
    let proposed = run(&["contract", "init", "--kcat-format", template, path]);
    let words = "2 different events, 0 repeats, 0 orders, refusals and baselines, 1 unreadable";
    assert!(proposed.err.contains(words), "{}", proposed.err);
    assert_eq!(proposed.code, 0);
}

#[test]
fn another_template_than_kcats_is_told_as_such() {
    let (_, log) = by_template();
    let folder = scratch();
    let path = folder.path().join("log.txt");
    std::fs::write(&path, log.repeat(2)).unwrap();
    let path = path.to_str().unwrap();
    for command in ["trace", "check"] {
        let ran = run(&[command, "--kcat-format", "%t;%s\\n", path]);
        let told = format!("{}{}", ran.out, ran.err);
        assert!(told.contains("hardly fits the template"), "{told}");
        assert!(
            told.contains("the very template that kcat -f was given"),
            "{told}"
        );
        assert!(!told.contains("hardly fits the contract"), "{told}");
    }
}

#[test]
fn without_its_template_such_a_capture_is_told_of_the_option() {
    let folder = scratch();
    let path = folder.path().join("log.txt");
    std::fs::write(&path, "order-1;cut\n").unwrap();
    let explained = run(&["trace", "--explain-format", path.to_str().unwrap()]).expect(0);
    assert!(
        explained.out.contains("--kcat-format TEMPLATE"),
        "{}",
        explained.out
    );
    std::fs::write(&path, "{}\n").unwrap();
    let explained = run(&["trace", "--explain-format", path.to_str().unwrap()]).expect(0);
    assert!(
        !explained.out.contains("--kcat-format"),
        "{}",
        explained.out
    );
}

#[test]
fn a_template_that_cannot_be_used_is_told_before_anything_is_read() {
    for (template, words) in [
        ("%t%s\\n", "column 3: %s follows %t with nothing between"),
        ("%k\\n", "column 5: there is no %s"),
        ("%q %s\\n", "column 1: kcat knows no %q"),
        ("%s", "column 3: nothing follows %s"),
    ] {
        let ran = run(&["trace", "--kcat-format", template, "nowhere.txt"]).expect(2);
        assert!(ran.err.contains(words), "{}", ran.err);
    }
    let both = [
        "check",
        "--kcat-format",
        "%s\\n",
        "--input-format",
        "kcat",
        "x",
    ];
    assert!(run(&both).expect(2).err.contains("cannot be used with"));
}
