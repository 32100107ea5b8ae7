//! What belongs to the transport and never is an aggregate or a version: a change's place in a
//! database's log, offsets, counts of attempts, times.

use serde_json::{Map, Value};

/// Attributes that brokers and converters add, by what their names begin with.
const ATTRIBUTES: [&str; 5] = ["iodebezium", "kafka", "knative", "rabbitmq", "trace"];

/// Members of a change that say where and when it was recorded, or what stood there before it
/// (<https://debezium.io/documentation/reference/stable/connectors/postgresql.html>, events).
const CHANGE: [&str; 7] = [
    "before",
    "source",
    "op",
    "transaction",
    "ts_ms",
    "ts_us",
    "ts_ns",
];

/// Names of numbers that a log, a queue or a clock gives, in lower case without punctuation.
const NAMES: [&str; 20] = [
    "partition",
    "pos",
    "position",
    "globalindex",
    "globalsequence",
    "seqid",
    "scn",
    "xmin",
    "xid",
    "totalorder",
    "datacollectionorder",
    "attempt",
    "attempts",
    "retries",
    "ts",
    "tsms",
    "tsus",
    "tsns",
    "time",
    "epoch",
];

/// What such names end with.
const ENDS: [&str; 9] = [
    "offset",
    "lsn",
    "txid",
    "timestamp",
    "globalposition",
    "retrycount",
    "deliverycount",
    "deliverytag",
    "sizebytes",
];

/// A number from here on is a time or a place in a log: nothing has changed so often.
const COUNT_MAX: u64 = 100_000_000;

/// Whether an attribute is the transport's.
pub(super) fn is_attribute(name: &str) -> bool {
    ATTRIBUTES.iter().any(|begin| name.starts_with(begin))
}

/// Whether a member of this object is a change's own, not the row's.
pub(super) fn is_of_change(object: &Map<String, Value>, name: &str) -> bool {
    let is_change = object.get("source").is_some_and(Value::is_object)
        && object.get("op").is_some_and(Value::is_string)
        && ["before", "after", "ts_ms"]
            .iter()
            .any(|name| object.contains_key(*name));
    is_change && CHANGE.contains(&name)
}

/// Whether a number of this name is the transport's or a clock's. `name`: in lower case without
/// punctuation.
pub(super) fn is_counter(name: &str) -> bool {
    NAMES.contains(&name) || ENDS.iter().any(|end| name.ends_with(end))
}

/// Whether a place's smallest number is too large for a version.
pub(super) fn is_too_large(smallest: u64) -> bool {
    smallest >= COUNT_MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_keeps_its_row_and_another_object_all_it_has() {
        let change = serde_json::json!({"before": null, "after": {}, "source": {}, "op": "c"});
        let change = change.as_object().cloned().unwrap_or_default();
        assert!(is_of_change(&change, "source") && is_of_change(&change, "before"));
        assert!(!is_of_change(&change, "after"));
        let other = serde_json::json!({"source": "web", "op": "c", "after": 1});
        let other = other.as_object().cloned().unwrap_or_default();
        assert!(!is_of_change(&other, "source"));
    }

    #[test]
    fn a_log_s_numbers_are_told_by_their_names() {
        for name in ["kafkaoffset", "lsn", "commitlsn", "txid", "timestamp", "ts"] {
            assert!(is_counter(name), "{name}");
        }
        for name in ["version", "orderversion", "revision", "sequence", "v"] {
            assert!(!is_counter(name), "{name}");
        }
    }
}
