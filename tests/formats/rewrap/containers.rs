//! Logs of containers and clusters.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Wrap, lines, quoted};

pub const WRAPS: &[(&str, Wrap)] = &[
    ("docker", docker),
    ("docker in pieces", docker_pieces),
    ("cri", cri),
    ("cri in pieces", cri_pieces),
    ("kubectl --timestamps", kubectl_timestamps),
    ("kubectl --prefix", kubectl_prefix),
    ("stern -o json", stern),
    ("stern -o extjson", stern_extjson),
    ("stern", stern_text),
    ("compose", compose),
    ("logcli -o jsonl", logcli),
    ("logcli", logcli_text),
    ("elasticdump", elasticdump),
    ("elasticsearch", elasticsearch),
    ("filter-log-events", filter_log_events),
    ("get-query-results", insights),
    ("otlp", otlp),
    ("generic log in docker", generic_in_docker),
    ("a program's log", log_line),
    ("syslog", syslog),
    ("journald", journald),
    ("cloudwatch-packed", cloudwatch_packed),
    ("loki's rows", rows),
    ("a log under any name", any_name),
];

const TIME: &str = "2026-03-01T08:00:00.5Z";

fn docker_line(text: &str, stream: &str) -> String {
    let text = quoted(text);
    format!("{{\"log\":{text},\"stream\":\"{stream}\",\"time\":\"{TIME}\"}}\n")
}

fn docker(records: &[String]) -> Vec<u8> {
    lines(records, |_, record| {
        docker_line(&format!("{record}\n"), "stdout")
            .trim_end()
            .to_owned()
    })
}

/// Cuts a text near its middle and its end, at characters.
fn cut(text: &str, at: usize) -> Vec<&str> {
    let cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let of = |part: usize| cuts[(cuts.len() * part / 100).clamp(1, cuts.len() - 1)];
    let (head, end) = text.split_at(of(60 + at % 30));
    let (begin, middle) = head.split_at(of(20 + at % 30));
    vec![begin, middle, end]
}

/// Which records of a log lie in pieces: those that are values and long enough to be cut.
fn is_long(record: &str) -> bool {
    record.len() > 40
}

/// Every second long record on standard error, its pieces between those of the one before.
fn interleaved(records: &[String], piece: fn(&str, bool, bool) -> String) -> Vec<u8> {
    let mut out = String::new();
    let mut waiting: Vec<String> = Vec::new();
    for (number, record) in records.iter().enumerate() {
        let is_error = number % 2 == 1;
        let mut own: Vec<String> = if is_long(record) {
            let parts = cut(record, number);
            let last = parts.len() - 1;
            let piece = |(at, part): (usize, &&str)| piece(part, is_error, at == last);
            parts.iter().enumerate().map(piece).collect()
        } else {
            vec![piece(record, is_error, true)]
        };
        if is_error {
            // The one before stands open: its last piece comes after this one's first.
            let rest = own.split_off(1);
            out.extend(own);
            out.extend(waiting.drain(..));
            out.extend(rest);
        } else {
            let rest = own.split_off(own.len() - 1);
            if own.is_empty() {
                out.extend(rest);
            } else {
                out.extend(own);
                waiting = rest;
            }
        }
    }
    out.extend(waiting);
    out.into_bytes()
}

fn docker_pieces(records: &[String]) -> Vec<u8> {
    interleaved(records, |text, is_error, is_last| {
        let stream = if is_error { "stderr" } else { "stdout" };
        let end = if is_last { "\n" } else { "" };
        docker_line(&format!("{text}{end}"), stream)
    })
}

fn cri(records: &[String]) -> Vec<u8> {
    lines(records, |_, record| format!("{TIME} stdout F {record}"))
}

fn cri_pieces(records: &[String]) -> Vec<u8> {
    interleaved(records, |text, is_error, is_last| {
        let stream = if is_error { "stderr" } else { "stdout" };
        let tag = if is_last { "F" } else { "P" };
        format!("2026-03-01T09:00:00.5+01:00 {stream} {tag} {text}\n")
    })
}

fn kubectl_timestamps(records: &[String]) -> Vec<u8> {
    lines(records, |_, record| format!("{TIME} {record}"))
}

fn kubectl_prefix(records: &[String]) -> Vec<u8> {
    lines(records, |_, record| format!("[pod/web-5d9c/web] {record}"))
}

fn stern(records: &[String]) -> Vec<u8> {
    lines(records, |_, record| {
        let line = quoted(record);
        format!(
            r#"{{"message":{line},"nodeName":"n","namespace":"shop","podName":"web-1","containerName":"web"}}"#
        )
    })
}

/// The message is the JSON value itself, where the line is one.
fn stern_extjson(records: &[String]) -> Vec<u8> {
    lines(records, |number, record| {
        let is_value = record.starts_with(['{', '[']);
        let line = if is_value {
            record.to_owned()
        } else {
            quoted(record)
        };
        let colours = if number % 2 == 0 {
            ["\u{1b}[32m", "\u{1b}[0m"]
        } else {
            ["", ""]
        };
        let [on, off] = colours;
        format!(r#""pod": "{on}web-1{off}", "container": "{on}web{off}", "message": {line}"#)
    })
}

fn stern_text(records: &[String]) -> Vec<u8> {
    lines(records, |_, record| {
        format!("\u{1b}[38;5;2mweb-5d9c-x1\u{1b}[0m \u{1b}[32mweb\u{1b}[0m {record}")
    })
}

fn compose(records: &[String]) -> Vec<u8> {
    lines(records, |_, record| format!("web-1  | {record}"))
}

fn logcli(records: &[String]) -> Vec<u8> {
    lines(records, |_, record| {
        let line = quoted(record);
        format!(r#"{{"labels":{{"app":"web"}},"line":{line},"timestamp":"{TIME}"}}"#)
    })
}

fn logcli_text(records: &[String]) -> Vec<u8> {
    lines(records, |_, record| {
        format!(r#"{TIME} {{app="web", path="/a}}\"b"}}   {record}"#)
    })
}

fn hit(number: usize, record: &str) -> String {
    let line = quoted(record);
    let source = match number % 3 {
        0 => format!(r#"{{"message":{line},"n":99926275868403174266}}"#),
        1 if record.starts_with('{') => format!(r#"{{"log":"-","message":{line}}}"#),
        1 => format!(r#"{{"log":{line}}}"#),
        _ => format!(r#"{{"event":{{"original":{line}}}}}"#),
    };
    format!(r#"{{"_index":"logs","_id":"{number}","_source":{source}}}"#)
}

fn elasticdump(records: &[String]) -> Vec<u8> {
    lines(records, hit)
}

fn elements(records: &[String], element: impl Fn(usize, &str) -> String) -> String {
    let elements: Vec<String> = records
        .iter()
        .enumerate()
        .map(|(number, record)| element(number, record))
        .collect();
    elements.join(",\n    ")
}

fn elasticsearch(records: &[String]) -> Vec<u8> {
    let hits = elements(records, hit);
    format!("{{\n  \"took\": 3,\n  \"hits\": {{\n   \"hits\": [\n    {hits}\n  ]}}\n}}\n")
        .into_bytes()
}

fn filter_log_events(records: &[String]) -> Vec<u8> {
    let events = elements(records, |number, record| {
        let line = quoted(record);
        format!(
            r#"{{"logStreamName": "web", "timestamp": 1772352000500, "message": {line}, "ingestionTime": 1772352000900, "eventId": "{number}"}}"#
        )
    });
    format!("{{\n    \"events\": [\n    {events}\n    ],\n    \"searchedLogStreams\": []\n}}\n")
        .into_bytes()
}

fn insights(records: &[String]) -> Vec<u8> {
    let rows = elements(records, |_, record| {
        let line = quoted(record);
        format!(
            r#"[{{"field": "@timestamp", "value": "2026-03-01 08:00:00.500"}}, {{"field": "@message", "value": {line}}}]"#
        )
    });
    format!("{{\n    \"results\": [\n    {rows}\n    ],\n    \"status\": \"Complete\"\n}}\n")
        .into_bytes()
}

fn otlp(records: &[String]) -> Vec<u8> {
    let lines = elements(records, |_, record| {
        let line = quoted(record);
        format!(
            r#"{{"timeUnixNano":"1772352000500000000","severityText":"INFO","body":{{"stringValue":{line}}}}}"#
        )
    });
    format!(r#"{{"resourceLogs":[{{"resource":{{}},"scopeLogs":[{{"scope":{{}},"logRecords":[{lines}]}}]}}]}}"#)
        .into_bytes()
}

/// What is no event stays what the program's own log says, which is no delivery either.
fn generic_in_docker(records: &[String]) -> Vec<u8> {
    let log: Vec<String> = records
        .iter()
        .map(|record| {
            if record.contains("\"specversion\"") && !record.contains("\"id\": \"b\"") {
                format!(r#"{{"level":"info","msg":{}}}"#, quoted(record))
            } else {
                record.clone()
            }
        })
        .collect();
    docker(&log)
}

/// What is no event by itself is told by nothing in a line of text, so it stays bare.
fn of_events(records: &[String], wrap: impl Fn(usize, &str) -> String) -> Vec<u8> {
    lines(records, |number, record| {
        let value: Result<serde_json::Value, _> = serde_json::from_str(record);
        if value.is_ok_and(|value| value.get("specversion").is_some()) {
            wrap(number, record)
        } else {
            record.to_owned()
        }
    })
}

fn log_line(records: &[String]) -> Vec<u8> {
    of_events(records, |_, record| {
        format!("2026-03-01 08:00:00.500  INFO 1 --- [main] {{id=4}} c.e.Listener : got {record}")
    })
}

fn syslog(records: &[String]) -> Vec<u8> {
    of_events(records, |_, record| {
        format!("<14>1 {TIME} node-1 orders 417 ID47 [a b=\"c\"] \u{feff}{record}")
    })
}

/// Every second message as its bytes, as if one of them could not be printed.
fn journald(records: &[String]) -> Vec<u8> {
    lines(records, |number, record| {
        let message = if number % 2 == 0 {
            quoted(record)
        } else {
            format!("{:?}", record.as_bytes())
        };
        format!(r#"{{"__REALTIME_TIMESTAMP":"1772352000500000","_PID":"1","MESSAGE":{message}}}"#)
    })
}

fn cloudwatch_packed(records: &[String]) -> Vec<u8> {
    lines(records, |number, record| {
        let message = quoted(record);
        let batch = format!(
            r#"{{"messageType":"DATA_MESSAGE","logGroup":"g","logStream":"s","logEvents":[{{"id":"{number}","timestamp":1772352000500,"message":{message}}}]}}"#
        );
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(batch.as_bytes()).unwrap();
        let data = STANDARD.encode(packed.finish().unwrap());
        format!(r#"{{"awslogs":{{"data":"{data}"}}}}"#)
    })
}

fn rows(records: &[String]) -> Vec<u8> {
    of_events(records, |_, record| {
        let line = quoted(record);
        format!(
            r#"{{"streams":[{{"stream":{{"app":"web"}},"values":[["1772352000500000000",{line}]]}}]}}"#
        )
    })
}

fn any_name(records: &[String]) -> Vec<u8> {
    of_events(records, |number, record| {
        let line = if number % 2 == 0 {
            record.to_owned()
        } else {
            quoted(record)
        };
        format!(r#"{{"TimeGenerated":"{TIME}","details":{{"level":"info","line":{line}}}}}"#)
    })
}
