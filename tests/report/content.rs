//! What a report says of a small incident, with and without marks.

use replayscope::export::report::{OPEN_LISTED, TEXT_SHOWN_BYTES};
use replayscope::review::Disposition;
use serde_json::{Value, json};

use super::common::{Bench, FORMATS, conflict_and_gap, event};
use super::parse::{checked_csv, checked_html, checked_markdown};

fn marked() -> Bench {
    let bench = Bench::new(&conflict_and_gap());
    bench.mark(3, Disposition::Explained, "paid by card,\nthen cancelled");
    bench.mark(4, Disposition::ManualReview, "");
    bench.mark_missing("order-417", 3, "asked the owner");
    bench
}

#[test]
fn a_report_tells_what_was_read_what_is_open_and_who_said_what() {
    let report = marked().json(&[]);
    assert_eq!(report["capture"]["records"], 4);
    assert_eq!(report["contract"]["consumer"], "orders-projection@1");
    let case = &report["case"];
    assert_eq!(
        (&case["entries"], &case["verified"]),
        (&json!(3), &json!(true))
    );
    assert_eq!(case["head"].as_str().unwrap().len(), 64);
    assert_eq!(
        report["evidence"],
        json!({"open": 1, "openAndMarked": 1, "resolvedBySteps": 0, "closedByMarks": 1})
    );
    let open = &report["open"][0];
    assert_eq!(open["state"], "deferred-version-gap");
    assert_eq!(open["unmarked"], json!({"total": 0, "listed": []}));
    let waits = &report["waiting"]["listed"][0];
    assert_eq!(
        *waits,
        json!({"source": "urn:checkout:orders", "aggregate": "order-417", "version": 2,
            "state": "awaiting-reservation", "waitingFor": 3, "deferred": 1, "sinceRecord": 4,
            "gapCauses": [{"cause": "never-seen"}]})
    );
    let marks = report["marks"]["listed"].as_array().unwrap();
    let said: Vec<_> = marks
        .iter()
        .map(|mark| (&mark["disposition"], &mark["closes"]))
        .collect();
    assert_eq!(
        said,
        [
            (&json!("explained"), &json!(true)),
            (&json!("manual-review"), &json!(false)),
            (&json!("needs-owner-decision"), &json!(false))
        ]
    );
    assert_eq!(marks[0]["note"], "paid by card,\nthen cancelled");
    assert_eq!(
        (&marks[0]["operator"], &marks[0]["time"]),
        (&json!("anna"), &json!("2026-03-02T09:14:00Z"))
    );
    let item = &marks[0]["item"];
    assert_eq!((&item["record"], &item["first"]), (&json!(3), &json!(2)));
    assert_eq!(item["event"]["id"], "evt-2b");
    assert_eq!(
        item["before"],
        json!({"version": 2, "state": "awaiting-reservation"})
    );
    assert_eq!(item["before"], item["after"]);
    assert_eq!(marks[2]["missing"]["version"], 3);
    let timeline = &report["timeline"];
    assert_eq!(timeline["marked"], json!([3, 4]));
    assert_eq!(timeline["parts"].as_array().unwrap().len(), 4);
}

#[test]
fn before_and_after_show_what_an_applied_step_changed() {
    let mut against = event("evt-2", "order-9", 2, "shipped");
    against["event"]["subject"] = json!("order-9 ");
    let bench = Bench::new(&[event("evt-1", "order-9", 1, "paid"), against]);
    let report = bench.json(&[]);
    let item = &report["open"][0]["unmarked"]["listed"][0];
    assert_eq!(item["state"], "event-applied");
    assert_eq!(
        item["before"],
        json!({"version": 1, "state": "awaiting-reservation"})
    );
    assert_eq!(item["after"], json!({"version": 2, "state": "shipped"}));
    assert_eq!(
        item["findings"],
        json!([{"code": "action-against-gate"}, {"code": "subject-mismatch"}])
    );
}

#[test]
fn every_format_tells_the_same() {
    let bench = marked();
    let head = bench.json(&[])["case"]["head"].as_str().unwrap().to_owned();
    let markdown = bench.report("markdown", &[]);
    let told = [
        checked_markdown(&markdown),
        checked_html(&bench.report("html", &[])),
    ];
    for codes in &told {
        for value in [
            head.as_str(),
            "evt-2b",
            "then cancelled",
            "anna",
            "order-417",
        ] {
            assert!(codes.iter().any(|code| code == value), "{value}");
        }
    }
    assert_eq!(told[0], told[1], "one prose");
    assert!(
        markdown.contains("missing because never-seen"),
        "{markdown}"
    );
    let rows = checked_csv(&bench.report("csv", &[]));
    let column = |name: &str| rows[0].iter().position(|head| head == name).unwrap();
    let of_marks: Vec<&str> = rows
        .iter()
        .filter(|row| row[column("section")] == "mark")
        .map(|row| row[column("note")].as_str())
        .collect();
    assert_eq!(
        of_marks,
        ["paid by card,\\nthen cancelled", "", "asked the owner"]
    );
}

#[test]
fn the_picture_shows_steps_open_evidence_and_marks() {
    let html = marked().report("html", &[]);
    for class in ["applied", "held", "open", "mark", "axis"] {
        assert!(
            html.contains(&format!("<rect class=\"{class}\"")),
            "{class}"
        );
    }
    assert!(html.contains("prefers-color-scheme: dark"));
    for foreign in [
        "<script", "http://", "https://", "url(", "@import", "href", "src=",
    ] {
        assert!(!html.contains(foreign), "{foreign}");
    }
}

#[test]
fn the_same_run_gives_the_same_report() {
    let bench = marked();
    let without_time = |format: &str| {
        let text = bench.report(format, &[]);
        let at = text.find("20").expect("the year of making");
        (
            text[..at].to_owned(),
            text[at + "2026-03-02T09:14:00Z".len()..].to_owned(),
        )
    };
    for format in ["csv", "json"] {
        assert_eq!(without_time(format), without_time(format), "{format}");
    }
}

#[test]
fn long_lists_and_long_texts_are_cut_and_say_so() {
    let many = OPEN_LISTED + 50;
    let mut records: Vec<Value> = (0..many)
        .map(|at| event(&format!("evt-{at}"), "order-1", 0, "paid"))
        .collect();
    records[0]["event"]["id"] = json!("x".repeat(TEXT_SHOWN_BYTES + 7));
    let bench = Bench::new(&records);
    let report = bench.json(&[]);
    let unmarked = &report["open"][0]["unmarked"];
    assert_eq!(unmarked["total"], many);
    assert_eq!(unmarked["listed"].as_array().unwrap().len(), OPEN_LISTED);
    let id = unmarked["listed"][0]["event"]["id"].as_str().unwrap();
    assert!(id.ends_with("x… and 7 more bytes"), "{id}");
    let markdown = bench.report("markdown", &[]);
    assert!(markdown.contains("50 more are not listed."));
    let rows = checked_csv(&bench.report("csv", &[]));
    let left: Vec<_> = rows.iter().filter(|row| row[0] == "left-out").collect();
    assert_eq!(
        (left.len(), left[0][1].as_str(), left[0][2].as_str()),
        (1, "open", "50")
    );
}

#[test]
fn an_empty_capture_has_a_report() {
    let bench = Bench::with_bytes(b"");
    for format in FORMATS {
        assert!(
            bench.report(format, &[]).contains("orders.jsonl"),
            "{format}"
        );
    }
}
