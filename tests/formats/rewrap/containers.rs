//! Logs of containers.

use super::{Wrap, lines, quoted};

pub const WRAPS: &[(&str, Wrap)] = &[("docker", docker)];

fn docker(records: &[String]) -> Vec<u8> {
    lines(records, |_, record| {
        let line = quoted(&format!("{record}\n"));
        format!(r#"{{"log":{line},"stream":"stdout","time":"2026-03-01T08:00:00.5Z"}}"#)
    })
}
