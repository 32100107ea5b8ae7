//! event-display, bare and as a cluster's logs have it. It prints a CloudEvent's attributes as texts, and
//! can carry neither anything else among them nor an owner's record: those stand between the blocks as
//! lines by themselves.

use serde_json::Value;

use super::{Wrap, quoted};

pub const WRAPS: &[(&str, Wrap)] = &[
    ("event-display", bare),
    ("event-display in CRI", cri),
    ("event-display in CRI, cut", cri_pieces),
    ("event-display in kubectl --timestamps", kubectl_timestamps),
    ("event-display in kubectl --prefix", kubectl_prefix),
    ("event-display in kubectl, both", kubectl_both),
    ("event-display in docker", docker),
    ("event-display in stern -o json", stern),
    ("event-display in stern", stern_text),
    ("event-display in compose", compose),
    ("event-display in logcli -o jsonl", logcli),
    ("event-display in logcli", logcli_text),
    ("event-display of two pods", two_pods),
];

const TIME: &str = "2026-03-01T08:00:00.5Z";

/// What event-display prints for a record, if it is an event that it can print.
fn printed(record: &str, number: usize) -> Option<String> {
    let event: Value = serde_json::from_str(record).ok()?;
    let event = event
        .as_object()
        .filter(|event| event.contains_key("source"))?;
    let mut text = "☁️  cloudevents.Event\n".to_owned();
    if number.is_multiple_of(3) {
        text += "Validation: valid\n";
    }
    text += "Context Attributes,\n";
    for (name, value) in event.iter().filter(|(name, _)| *name != "data") {
        text += &format!("  {name}: {}\n", value.as_str()?);
    }
    if let Some(data) = event.get("data") {
        let pretty = serde_json::to_string_pretty(data).ok()?;
        text += "Data,\n";
        let lines = pretty.lines().map(|line| format!("  {line}\n"));
        text.extend(lines);
    }
    // Some versions print an empty line behind it.
    if number.is_multiple_of(4) {
        text += "\n";
    }
    Some(text)
}

fn bare(records: &[String]) -> Vec<u8> {
    in_lines(records, |_, text| text.to_owned())
}

/// Each line of what a container logs in its wrapper.
fn in_lines(records: &[String], line: impl Fn(usize, &str) -> String) -> Vec<u8> {
    let mut out = String::new();
    for (number, record) in records.iter().enumerate() {
        let text = printed(record, number).unwrap_or_else(|| format!("{record}\n"));
        for text in text.lines() {
            out += &line(number, text);
            out.push('\n');
        }
    }
    out.into_bytes()
}

fn cri(records: &[String]) -> Vec<u8> {
    in_lines(records, |_, text| format!("{TIME} stdout F {text}"))
}

/// Lines of attributes and data in two pieces each.
fn cri_pieces(records: &[String]) -> Vec<u8> {
    in_lines(records, |_, text| match text.split_once(": ") {
        Some((head, tail)) if text.starts_with("  ") => {
            format!("{TIME} stdout P {head}\n{TIME} stdout F : {tail}")
        }
        _ => format!("{TIME} stdout F {text}"),
    })
}

fn kubectl_timestamps(records: &[String]) -> Vec<u8> {
    in_lines(records, |_, text| format!("{TIME} {text}"))
}

fn kubectl_prefix(records: &[String]) -> Vec<u8> {
    in_lines(records, |_, text| {
        format!("[pod/display-5d9c/user-container] {text}")
    })
}

fn kubectl_both(records: &[String]) -> Vec<u8> {
    in_lines(records, |_, text| {
        format!("[pod/display-5d9c/user-container] {TIME} {text}")
    })
}

fn docker_line(text: &str) -> String {
    let text = quoted(&format!("{text}\n"));
    format!(r#"{{"log":{text},"stream":"stdout","time":"{TIME}"}}"#)
}

fn docker(records: &[String]) -> Vec<u8> {
    in_lines(records, |_, text| docker_line(text))
}

fn stern(records: &[String]) -> Vec<u8> {
    in_lines(records, |_, text| {
        let text = quoted(text);
        format!(
            r#"{{"message":{text},"nodeName":"n","namespace":"shop","podName":"display-1","containerName":"c"}}"#
        )
    })
}

fn stern_text(records: &[String]) -> Vec<u8> {
    in_lines(records, |_, text| {
        format!("\u{1b}[38;5;2mdisplay-5d9c\u{1b}[0m \u{1b}[32muser-container\u{1b}[0m {text}")
    })
}

fn compose(records: &[String]) -> Vec<u8> {
    in_lines(records, |_, text| format!("display-1  | {text}"))
}

fn logcli(records: &[String]) -> Vec<u8> {
    in_lines(records, |_, text| {
        let text = quoted(text);
        format!(r#"{{"labels":{{"app":"display"}},"line":{text},"timestamp":"{TIME}"}}"#)
    })
}

/// logcli takes the blanks before a line away.
fn logcli_text(records: &[String]) -> Vec<u8> {
    in_lines(records, |_, text| {
        format!(r#"{TIME} {{app="display"}}   {}"#, text.trim())
    })
}

/// Every second record by another pod, line by line between the lines of the one before.
fn two_pods(records: &[String]) -> Vec<u8> {
    let mut out = String::new();
    for (number, pair) in records.chunks(2).enumerate() {
        let texts = pair.iter().enumerate().map(|(at, record)| {
            printed(record, number * 2 + at).unwrap_or_else(|| format!("{record}\n"))
        });
        let texts: Vec<String> = texts.collect();
        let mut pods: Vec<_> = texts.iter().map(|text| text.lines()).collect();
        loop {
            let before = out.len();
            for (pod, lines) in pods.iter_mut().enumerate() {
                if let Some(line) = lines.next() {
                    out += &format!("[pod/display-{pod}/user-container] {line}\n");
                }
            }
            if out.len() == before {
                break;
            }
        }
    }
    out.into_bytes()
}
