//! The naughty strings in every field that a report shows, in every format.

use std::fs;
use std::path::Path;

use replayscope::engine::BaselinePolicy;
use replayscope::export::Prefix;
use replayscope::export::report::{
    CaseFile, CaseInput, MarkInput, MarkPlace, Options, Remark, Report, gather, write_csv,
    write_html, write_json, write_markdown,
};
use replayscope::model::{RecordNo, State};
use replayscope::session::{CaptureChoice, Facts, Reader, open};
use replayscope::text::Safe;
use serde_json::{Value, json};

use super::parse::{assert_printable, checked_csv, checked_html, checked_markdown};
use super::support::hostile::naughty_strings;

/// Further strings, for what a report's formats are made of.
const OURS: [&str; 14] = [
    "`",
    "``` `` `",
    "\\`",
    "[a](http://b)",
    "![a](b)",
    "<a href=x>",
    "</code><script>",
    "a|b",
    "=1+1",
    "＝1",
    "a;=cmd|' /C calc'!A0",
    "\"\";@x",
    "$x$ [^1] [[w]] {#i .c}",
    "http://a.b www.c.d",
];

fn strings() -> Vec<String> {
    let mut all: Vec<String> = OURS.iter().map(|text| (*text).to_owned()).collect();
    all.extend(naughty_strings().unwrap_or_default());
    all
}

/// The marks and the file of a case, with the text wherever a case has any.
fn hostile_case(records: u32, texts: &[String]) -> CaseInput {
    let text = |at: u32| texts[at as usize % texts.len()].clone();
    let mark = |record: u32| MarkInput {
        entry: record.into(),
        place: match record % 4 {
            0 => MarkPlace::Missing {
                source: text(record),
                aggregate: text(record + 1),
                version: 2,
            },
            _ => MarkPlace::Record {
                record: RecordNo(record),
                replay: false,
                state: State::Rejected,
                reason: Some(text(record)),
            },
        },
        disposition: "explained",
        label: "explained",
        note: text(record),
        operator: text(record + 1),
        time: text(record + 2),
        stale: vec!["made under another contract"],
    };
    let remark = |record: u32| Remark {
        entry: record.into(),
        kind: "comment",
        about: text(record),
        note: text(record + 1),
        operator: text(record + 2),
        time: text(record + 3),
    };
    CaseInput {
        file: CaseFile {
            path: text(0),
            entries: 1,
            head: Some("ab".to_owned()),
            verified: false,
            differences: texts.to_vec(),
            marks_count: true,
            closed: true,
        },
        // The even records stay unmarked.
        marks: (1..=records)
            .filter(|record| record % 3 == 1)
            .map(mark)
            .collect(),
        remarks: (1..=records).map(remark).collect(),
    }
}

fn made(capture: &Path, contract: Option<&str>, texts: &[String]) -> Option<Report> {
    let run = open(CaptureChoice::File(capture), contract, BaselinePolicy::None).ok()?;
    run.load(1);
    let history = run.history();
    let reader = Reader::new(&run);
    let prefix = Prefix {
        history: &history,
        reader: &reader,
        at: history.last_step(),
        closed: &|step| step.0 % 5 == 0,
    };
    let facts = Facts::of(&run, &texts[0]).unwrap();
    let case = hostile_case(history.last_record().0, texts);
    let options = Options {
        made_at: "2026-03-02T10:00:00Z".to_owned(),
        tool: "0.1.0".to_owned(),
        include_payload: true,
    };
    Some(gather(&prefix, &facts, Some(&case), &options))
}

/// What each format gives back of a report.
struct Read {
    cells: Vec<Vec<String>>,
    markdown: Vec<String>,
    html: Vec<String>,
    json: Value,
}

fn written(report: &Report) -> Read {
    let text = |write: fn(&Report, &mut dyn std::io::Write) -> std::io::Result<()>| {
        let mut out = Vec::new();
        write(report, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let prose = [write_csv, write_markdown, write_html].map(text);
    for text in &prose {
        assert_printable(text);
    }
    // JSON has escapes of its own, which leave the letters of every script.
    let json = text(write_json);
    let is_plain =
        |c: char| matches!(c, ' '..='~' | '\n') || (!c.is_ascii() && c.is_alphanumeric());
    assert!(json.chars().all(is_plain));
    let [csv, markdown, html] = prose;
    Read {
        cells: checked_csv(&csv),
        markdown: checked_markdown(&markdown),
        html: checked_html(&html),
        json: serde_json::from_str(&json).unwrap(),
    }
}

fn event(text: &str, id: &str, specversion: &str) -> Value {
    json!({
        "receivedAt": text, "note": text, "attempt": text,
        "event": {
            "specversion": specversion, "id": id, "source": text, "type": text, "subject": text,
            "time": text, "dataschema": text, "extension": text, "data_base64": text,
            "data": {"a": text, (text): [text]}
        }
    })
}

#[test]
fn naughty_strings_in_every_field_of_events_and_cases_stay_text() {
    let folder = tempfile::tempdir().unwrap();
    let capture = folder.path().join("capture.jsonl");
    for texts in strings().chunks(40) {
        let records = texts.iter().flat_map(|text| {
            [
                event(text, text, "1.0"),
                event(text, &format!("{text} again"), "1.0"),
                event(text, text, "2.0"),
            ]
        });
        let lines: Vec<String> = records.map(|record| record.to_string()).collect();
        fs::write(&capture, lines.join("\n")).unwrap();
        let report = made(&capture, Some("cloudevents"), texts).unwrap();
        assert!(
            report.evidence.open > texts.len() / 2,
            "{:?}",
            report.evidence
        );
        let read = written(&report);
        for text in texts
            .iter()
            .filter(|text| !text.is_empty() && text.len() < 1_000)
        {
            let shown = Safe::value(text).to_string();
            assert!(read.markdown.contains(&shown), "{shown} in Markdown");
            assert!(read.html.contains(&shown), "{shown} in HTML");
            // An apostrophe may stand before it, or behind one of its semicolons.
            let mut cells = read.cells.iter().flatten();
            let plain = shown.replace('\'', "");
            assert!(
                cells.any(|cell| cell.replace('\'', "") == plain),
                "{shown} in CSV"
            );
            let differences = read.json["case"]["differences"].as_array().unwrap();
            assert!(differences.contains(&json!(text)), "{shown} in JSON");
        }
    }
}

#[test]
fn naughty_strings_as_a_contracts_words_and_an_owners_stay_text() {
    let folder = tempfile::tempdir().unwrap();
    let capture = folder.path().join("capture.jsonl");
    let contract = folder.path().join("hostile.contract.json");
    let mut loaded = 0;
    for text in strings() {
        let words = json!({
            "consumer": text, "resultVersion": 1,
            "boundary": {"name": text, "sources": ["urn:"]},
            "aggregate": {"pointer": "/subject"},
            "version": {"pointer": "/data/version", "first": 1},
            "events": [{"type": "t", "state": {"pointer": "/data/state"}}],
            "gate": {"action": text, "projectionStates": ["x"], "ownerStatuses": ["x"]},
            "compensation": {"reasons": [text], "from": ["x"], "to": "y", "step": text}
        });
        fs::write(&contract, words.to_string()).unwrap();
        let of = |source: &str, version: u32| {
            json!({"specversion": "1.0", "id": text, "source": format!("{source}{text}"),
                "type": "t", "subject": text, "data": {"version": version, "state": text}})
        };
        let records = [
            of("urn:", 1),
            of("urn:new", 3),
            of("outside", 1),
            json!({"order": {"id": text, "status": text, "version": 1}}),
            json!({"refusal": {"refusalId": text, "orderId": text, "orderVersion": 1, "reason": text}}),
            json!({"baseline": {"source": format!("urn:{text}"), "aggregate": text, "version": 9, "state": text}}),
        ];
        let lines: Vec<String> = records.iter().map(Value::to_string).collect();
        fs::write(&capture, lines.join("\n")).unwrap();
        // A contract may refuse a word, such as an empty one.
        if let Some(report) = made(&capture, None, std::slice::from_ref(&text)) {
            loaded += 1;
            written(&report);
        }
    }
    assert!(loaded > OURS.len() / 2, "{loaded}");
}
