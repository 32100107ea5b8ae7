//! The quick way through a wrapper against the usual one: whatever record came before, a record is the
//! same.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use bumpalo::Bump;

use super::{Scratch, take_off_and_apart};
use crate::capture::Asked;
use crate::contract::Contract;

const EVENT: &str = r#"{\"specversion\":\"1.0\",\"id\":\"a\",\"source\":\"urn:checkout:web\",\"type\":\"com.example.order.status.changed\",\"subject\":\"o-1\",\"datacontenttype\":\"application/json\",\"data\":{\"schemaVersion\":2,\"orderId\":\"o-1\",\"orderVersion\":1,\"status\":\"accepted\"}}"#;

fn kcat(time: &str, headers: &str, payload: &str) -> String {
    format!(
        r#"{{"topic":"orders","partition":1,"offset":4711,{time}"broker":1,"headers":{headers},"key":"k\"","payload":{payload}}}"#
    )
}

fn docker(log: &str, time: &str) -> String {
    format!(r#"{{"log":{log},"stream":"stdout","time":{time}}}"#)
}

/// Lines of kcat that differ in one thing each from what is usual.
fn lines_of_kcat() -> Vec<String> {
    let create = r#""tstype":"create","ts":1735689600000,"#;
    let event = format!("\"{EVENT}\"");
    vec![
        kcat(create, "[]", &event),
        kcat(create, "null", &event),
        kcat(create, r#"["ce_id","b"]"#, &event),
        kcat(
            create,
            r#"["ce_specversion","1.0","ce_id","b","ce_source","urn:checkout:web","ce_type","t"]"#,
            r#""{\"status\":1}""#,
        ),
        kcat(
            create,
            r#"["content-type","application/cloudevents+json"]"#,
            &event,
        ),
        kcat(r#""tstype":"unknown","ts":0,"#, "[]", &event),
        kcat(r#""tstype":"logappend","ts":-1,"#, "[]", &event),
        kcat(r#""tstype":"create","ts":"1735689600000","#, "[]", &event),
        kcat(r#""tstype":"create","ts":1735689600000.5,"#, "[]", &event),
        kcat(r#""tstype":"\u0075nknown","ts":1,"#, "[]", &event),
        kcat("", "[]", &event),
        kcat(create, "[]", &event.replace("1.0", r"1\u002e0")),
        kcat(create, "[]", &event.replace("\"{", "\"  {")),
        kcat(create, "[]", &event.replace("\"{", r#""\u007b"#)),
        kcat(create, "[]", &event.replace("}\"", "\"")),
        kcat(create, "[]", r#""{\"log\":1}""#),
        kcat(create, "[]", "null"),
        kcat(create, "[]", r#""""#),
        kcat(create, "[]", r#""{}""#),
        kcat(
            create,
            "[]",
            r#""\u0000\u0000\u0000\u0000\u0001{\"id\":\"a\"}""#,
        ),
        kcat(create, "[]", &event).replace(":4711", ": 4711"),
        kcat(create, "[]", &event).replace(":4711", ":04711"),
        kcat(create, "[]", &event).replace(":4711", ":{\"a\":[01]}"),
        kcat(create, "[]", &event).replace("\"topic\"", " \"topic\""),
        kcat(create, "[]", &event).replace("\"partition\"", "\"topic\""),
        kcat(create, "[]", &event).replace("\"payload\"", "\"payload_error\""),
        kcat(create, "[]", &event).replace("\"broker\":1", "\"broker\":\"\\x\""),
        format!("{} ", kcat(create, "[]", &event)),
        format!("{}}}", kcat(create, "[]", &event)),
    ]
}

/// The same of docker.
fn lines_of_docker() -> Vec<String> {
    let (event, time) = (format!("\"{EVENT}\""), r#""2026-03-02T09:00:00.5Z""#);
    let wrapped = kcat("", "[]", &event)
        .replace('\\', r"\\")
        .replace('"', "\\\"");
    vec![
        docker(&format!("\"{EVENT}\\n\""), time),
        docker(&format!("\"{EVENT}\\r\\n\""), time),
        docker(&format!("\"{EVENT}\\n\\n\""), time),
        docker(&format!("\"{EVENT}\""), time),
        docker(&format!("\"{EVENT}\\n\"").replace("}\\n", "\\n"), time),
        docker(&format!("\"level=info {EVENT}\\n\""), time),
        docker(&format!("\"{EVENT}\\n\""), "null"),
        docker(&format!("\"{EVENT}\\n\""), r#""soon""#),
        docker(
            &format!("\"{EVENT}\\n\""),
            r#""2026-03-02T09:00:00\u002e5Z""#,
        ),
        docker(&format!("\"{wrapped}\\n\""), time),
        docker("{}", time),
    ]
}

/// All of them, whole and cut off.
fn lines() -> Vec<String> {
    let mut lines = lines_of_kcat();
    lines.extend(lines_of_docker());
    let cut = |line: &String| Some(line.get(..line.len() * 2 / 3)?.to_owned());
    let cut: Vec<String> = lines.iter().filter_map(cut).collect();
    lines.extend(cut);
    lines
}

/// The same lines of the shapes' fixtures.
fn fixtures() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/fixtures");
    let mut lines = Vec::new();
    for shape in ["kcat", "docker", "rpk", "stern", "logcli"] {
        let files = fs::read_dir(folder.join(shape)).expect("a shape has fixtures");
        for file in files {
            let text = fs::read_to_string(file.expect("a file").path());
            lines.extend(text.unwrap_or_default().lines().map(str::to_owned));
        }
    }
    lines
}

fn taken(line: &str, contract: &Contract, scratch: &mut Scratch) -> String {
    let arena = Bump::new();
    let taken = take_off_and_apart(line.as_bytes(), Some(line), contract, scratch, &arena);
    format!("{taken:?}")
}

#[test]
fn a_record_is_the_same_whatever_came_before() {
    let text = include_bytes!("../../samples/contracts/consistency.json");
    let contract = &Contract::from_bytes(text).expect("it is built in");
    let made = lines();
    let mut all = made.clone();
    all.extend(fixtures());
    for asked in [
        Asked::default(),
        Asked {
            strict: true,
            ..Asked::default()
        },
    ] {
        let mut quick = 0;
        let fresh = || Scratch::asking(contract, asked);
        let expected: Vec<_> = all
            .iter()
            .map(|line| taken(line, contract, &mut fresh()))
            .collect();
        let whole = made.len() / 2;
        for first in made.iter().take(whole) {
            for (line, expected) in all.iter().zip(&expected) {
                let mut scratch = fresh();
                // Found the usual way, and then gone through.
                taken(first, contract, &mut scratch);
                taken(first, contract, &mut scratch);
                quick += usize::from(scratch.room.is_plain_likely());
                let found = taken(line, contract, &mut scratch);
                assert_eq!(&found, expected, "{line} behind {first}");
            }
        }
        assert!(
            quick > all.len() * 4,
            "the quick way was hardly tried: {quick}"
        );
    }
}
