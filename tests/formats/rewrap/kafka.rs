//! Kafka's tools.

use super::{Wrap, lines, quoted};

pub const WRAPS: &[(&str, Wrap)] = &[("kcat", kcat)];

fn kcat(records: &[String]) -> Vec<u8> {
    lines(records, |number, record| {
        format!(
            r#"{{"topic":"orders","partition":{},"offset":{number},"tstype":"create","ts":-1,"broker":1,"headers":["trace","x"],"key":null,"payload":{}}}"#,
            number % 3,
            quoted(record)
        )
    })
}
