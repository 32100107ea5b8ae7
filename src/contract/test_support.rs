//! What several tests of this room use: the published cases, and contracts broken in one place.

#![allow(
    clippy::print_stderr,
    clippy::expect_used,
    reason = "a skipped test says so, and a test fails by panicking"
)]

use std::path::{Path, PathBuf};

/// A folder of the published material beside the repository; says so where it is not there.
pub(crate) fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared")
        .join(folder);
    if !path.is_dir() {
        eprintln!("skipped: no ../shared/{folder}");
        return None;
    }
    Some(path)
}

/// A contract that uses every member there is.
pub(crate) const WHOLE: &str = r#"{
  "consumer": "c@1",
  "resultVersion": 1,
  "envelope": {"required": ["id", "source", "type", "specversion"]},
  "boundary": {"name": "b", "sources": ["urn:"]},
  "schemaVersion": {"pointer": "/data/v", "accepted": [1, 2.0, 3e0], "unknown": "contract-update-required"},
  "aggregate": {"pointer": "/partitionkey", "default": "none"},
  "version": {"pointer": "/data/n", "first": 1},
  "otherTypes": "ignore",
  "events": [
    {"type": "t", "reads": {
      "z": {"pointer": "/data/z", "type": "string", "values": ["x", 1.0, 18446744073709551617], "default": null},
      "a": {"pointer": "/data/a", "type": ["integer", "null"]}
    }, "state": {"is": "s"}},
    {"type": "u*", "state": {"pointer": "/data/theState", "values": {"x": "y"}}}
  ],
  "receiptRetentionDays": 2,
  "deferral": {"limitPerAggregate": 3},
  "gate": {"action": "shipping", "projectionStates": ["s"], "ownerStatuses": ["s"], "doneStates": ["y"]},
  "compensation": {"reasons": ["r"], "from": ["s"], "to": "z", "step": "payment"}
}"#;

/// One way to break [`WHOLE`]: a part of its text replaced. `§` stands where the error must point.
pub(crate) struct Broken {
    pub(crate) find: &'static str,
    pub(crate) put: &'static str,
    pub(crate) path: &'static str,
    pub(crate) says: &'static str,
    pub(crate) schema_sees_it: bool,
}

impl Broken {
    /// The broken text, and the line and column where the error must point.
    pub(crate) fn text(&self) -> (String, usize, usize) {
        assert_eq!(WHOLE.matches(self.find).count(), 1, "{}", self.find);
        let marked = WHOLE.replacen(self.find, self.put, 1);
        let (before, after) = marked.split_once('§').expect("a mark");
        let line = before.lines().count();
        let column = before.lines().next_back().unwrap_or("").chars().count() + 1;
        (format!("{before}{after}"), line, column)
    }
}

const fn seen(
    find: &'static str,
    put: &'static str,
    path: &'static str,
    says: &'static str,
) -> Broken {
    Broken {
        find,
        put,
        path,
        says,
        schema_sees_it: true,
    }
}

const fn unseen(
    find: &'static str,
    put: &'static str,
    path: &'static str,
    says: &'static str,
) -> Broken {
    Broken {
        schema_sees_it: false,
        ..seen(find, put, path, says)
    }
}

const Z: &str = r#""pointer": "/data/z""#;

/// Every kind of error at every kind of place.
pub(crate) const BROKEN: &[Broken] = &[
    // Unknown and missing members.
    seen(
        r#""resultVersion": 1,"#,
        r#""resultVersion": 1, §"other": 1,"#,
        "/other",
        "unknown member `other`",
    ),
    seen(
        Z,
        r#""pointer": "/data/z", §"x": 1"#,
        "/events/0/reads/z/x",
        "unknown member `x`",
    ),
    seen(
        r#""is": "s""#,
        r#"§"iss": "s""#,
        "/events/0/state/iss",
        "unknown member `iss`",
    ),
    seen(
        r#"{"name": "b", "sources": ["urn:"]}"#,
        r#"§{"sources": ["urn:"]}"#,
        "/boundary",
        "missing member `name`",
    ),
    seen(
        r#"{"limitPerAggregate": 3}"#,
        "§{}",
        "/deferral",
        "missing member `limitPerAggregate`",
    ),
    seen(
        r#"{"reasons": ["r"], "from": ["s"], "to": "z", "step": "payment"}"#,
        r#"§{"reasons": [], "from": [], "to": "z"}"#,
        "/compensation",
        "missing member `step`",
    ),
    // Wrong types, null where it is not said to be the same as absent, arrays for objects.
    seen(
        r#""consumer": "c@1""#,
        r#""consumer": §null"#,
        "/consumer",
        "invalid type: null, expected a string",
    ),
    seen(
        r#"{"name": "b", "sources": ["urn:"]}"#,
        r#"§["b", ["urn:"]]"#,
        "/boundary",
        "expected an object",
    ),
    seen(
        r#"["urn:"]"#,
        r#"["urn:", §7]"#,
        "/boundary/sources/1",
        "invalid type: integer `7`",
    ),
    seen(
        r#""default": "none""#,
        r#""default": §null"#,
        "/aggregate/default",
        "invalid type: null",
    ),
    seen(
        r#""otherTypes": "ignore""#,
        r#""otherTypes": §{"ignore": null}"#,
        "/otherTypes",
        "expected a string",
    ),
    seen(
        r#""otherTypes": "ignore""#,
        r#""otherTypes": §"keep""#,
        "/otherTypes",
        "unknown variant `keep`",
    ),
    seen(
        r#""contract-update-required""#,
        r#"§"reject""#,
        "/schemaVersion/unknown",
        "unknown variant `reject`",
    ),
    seen(
        r#"["integer", "null"]"#,
        r#"["integer", §"nil"]"#,
        "/events/0/reads/a/type/1",
        "unknown variant `nil`",
    ),
    seen(
        r#"["integer", "null"]"#,
        "§3",
        "/events/0/reads/a/type",
        "expected a string or a list of strings",
    ),
    seen(
        r#""receiptRetentionDays": 2"#,
        r#""receiptRetentionDays": §null"#,
        "/receiptRetentionDays",
        "expected an integer",
    ),
    seen(
        r#""doneStates": ["y"]"#,
        r#""doneStates": §null"#,
        "/gate/doneStates",
        "invalid type: null, expected an array",
    ),
    // Integers.
    seen(
        r#""resultVersion": 1"#,
        r#""resultVersion": §"1""#,
        "/resultVersion",
        "expected an integer",
    ),
    seen(
        r#""resultVersion": 1"#,
        r#""resultVersion": §1.5"#,
        "/resultVersion",
        "an integer that fits 64 bits",
    ),
    seen(
        r#""first": 1"#,
        r#""first": §-1"#,
        "/version/first",
        "an integer from 0 up",
    ),
    seen(
        r#""first": 1"#,
        r#""first": §1e40"#,
        "/version/first",
        "an integer from 0 up",
    ),
    seen(
        "[1, 2.0, 3e0]",
        "[1, §9223372036854775808]",
        "/schemaVersion/accepted/1",
        "fits 64 bits",
    ),
    // Pointers.
    seen(
        Z,
        r#""pointer": §"data/z""#,
        "/events/0/reads/z/pointer",
        "starts with \"/\"",
    ),
    seen(
        Z,
        r#""pointer": §"/data/~2""#,
        "/events/0/reads/z/pointer",
        "\"~\" is written \"~0\"",
    ),
    seen(
        Z,
        r#""pointer": §"""#,
        "/events/0/reads/z/pointer",
        "is the whole event",
    ),
    seen(
        r#""/data/theState""#,
        r#"§"data""#,
        "/events/1/state/pointer",
        "starts with \"/\"",
    ),
    // What the members mean.
    seen(
        r#""consumer": "c@1""#,
        r#""consumer": §"""#,
        "/consumer",
        "must not be empty",
    ),
    seen(
        r#""name": "b""#,
        r#""name": §"""#,
        "/boundary/name",
        "must not be empty",
    ),
    seen(
        r#"["urn:"]"#,
        "§[]",
        "/boundary/sources",
        "at least one entry",
    ),
    seen(
        r#"["id", "source", "type", "specversion"]"#,
        r#"§["id", "source", "type"]"#,
        "/envelope/required",
        "\"specversion\" is missing",
    ),
    seen(
        r#""type", "specversion"]"#,
        r#""type", "specversion", §"id"]"#,
        "/envelope/required/4",
        "\"id\" stands twice",
    ),
    seen(
        r#""type", "specversion"]"#,
        r#""type", "specversion", §""]"#,
        "/envelope/required/4",
        "must not be empty",
    ),
    seen(
        "[1, 2.0, 3e0]",
        "§[]",
        "/schemaVersion/accepted",
        "at least one entry",
    ),
    seen(
        r#""default": "none""#,
        r#""default": §"""#,
        "/aggregate/default",
        "must not be empty",
    ),
    seen(
        r#""type": "t""#,
        r#""type": §"""#,
        "/events/0/type",
        "must not be empty",
    ),
    seen(
        r#"["integer", "null"]"#,
        "§[]",
        "/events/0/reads/a/type",
        "at least one entry",
    ),
    seen(
        r#"["x", 1.0, 18446744073709551617]"#,
        "§[]",
        "/events/0/reads/z/values",
        "at least one entry",
    ),
    seen(r#"{"is": "s"}"#, "§{}", "/events/0/state", "exactly one of"),
    seen(
        r#"{"is": "s"}"#,
        r#"§{"is": "s", "pointer": "/a"}"#,
        "/events/0/state",
        "exactly one of",
    ),
    seen(
        r#"{"is": "s"}"#,
        r#"{"is": "s", "values": §{"a": "b"}}"#,
        "/events/0/state/values",
        "belongs to `pointer`",
    ),
    seen(
        r#"{"is": "s"}"#,
        r#"{"is": §""}"#,
        "/events/0/state/is",
        "must not be empty",
    ),
    seen(
        r#"{"x": "y"}"#,
        r#"{"x": §""}"#,
        "/events/1/state/values/x",
        "must not be empty",
    ),
    seen(
        r#"{"x": "y"}"#,
        "§{}",
        "/events/1/state/values",
        "at least one entry",
    ),
    seen(
        r#""action": "shipping""#,
        r#""action": §"""#,
        "/gate/action",
        "must not be empty",
    ),
    seen(
        r#""to": "z""#,
        r#""to": §"""#,
        "/compensation/to",
        "must not be empty",
    ),
    // What no schema can say.
    unseen(
        r#""is": "s""#,
        r#""is": "s", §"\u0069s": "s""#,
        "/events/0/state/is",
        "stands twice",
    ),
    unseen(
        r#"["x", 1.0, 18446744073709551617]"#,
        r#"[{"a": 1, §"a": 2}]"#,
        "/events/0/reads/z/values/0/a",
        "stands twice",
    ),
    unseen(
        r#""is": "s""#,
        r#""is": §s"#,
        "/events/0/state/is",
        "not JSON: a value is expected here",
    ),
    unseen(
        r#""to": "z", "#,
        r#""to": "z" §"#,
        "/compensation",
        "not JSON: a comma or } is expected here",
    ),
];
