//! Containers that hold no record: what a polling tool writes where nothing came. They are batches of
//! none, counted and told (capture.md, "Framing"), where nothing else stands in them that could be
//! a record of some other kind.

use super::super::tape::{Doc, NodeKind};
use super::layer::Layer;
use super::registry::Container;

/// What tools write beside an empty array: names at the top, and those of them that must be there
/// because the array's own name says too little.
struct Beside {
    container: &'static str,
    may: &'static [&'static str],
    must: Option<&'static str>,
}

const fn beside(container: &'static str, may: &'static [&'static str]) -> Beside {
    Beside {
        container,
        may,
        must: None,
    }
}

/// By the containers' names. What is not listed may have nothing beside it.
const BESIDE: [Beside; 12] = [
    // `aws kinesis get-records`, `aws dynamodbstreams get-records`
    beside(
        "Records",
        &[
            "NextShardIterator",
            "MillisBehindLatest",
            "ChildShards",
            "ResponseMetadata",
        ],
    ),
    // boto3's `receive_message`
    beside("Messages", &["ResponseMetadata"]),
    // `aws logs filter-log-events` and `get-log-events`
    beside(
        "cloudwatch",
        &[
            "searchedLogStreams",
            "nextForwardToken",
            "nextBackwardToken",
            "nextToken",
            "NextToken",
            "ResponseMetadata",
        ],
    ),
    // `aws logs get-query-results`
    beside(
        "cloudwatch-insights",
        &[
            "statistics",
            "status",
            "queryLanguage",
            "encryptionKey",
            "ResponseMetadata",
        ],
    ),
    // A search's answer
    beside(
        "elasticsearch",
        &[
            "took",
            "timed_out",
            "terminated_early",
            "num_reduces",
            "_shards",
            "_scroll_id",
            "pit_id",
        ],
    ),
    beside(
        "records",
        &[
            "invocationId",
            "deliveryStreamArn",
            "region",
            "requestId",
            "timestamp",
        ],
    ),
    beside(
        "records by partition",
        &["eventSource", "eventSourceArn", "bootstrapServers"],
    ),
    // A page of an Atom feed
    beside(
        "kurrent-feed",
        &[
            "title",
            "id",
            "updated",
            "streamId",
            "author",
            "headOfStream",
            "selfUrl",
            "eTag",
            "links",
        ],
    ),
    // Anything may be called `data`: Stripe's list says that it is one.
    Beside {
        container: "stripe-list",
        may: &["object", "has_more", "url"],
        must: Some("object"),
    },
    // The same of a page of Datadog's search
    Beside {
        container: "log-page",
        may: &["meta", "links"],
        must: Some("meta"),
    },
    // Splunk's `json`
    Beside {
        container: "splunk",
        may: &[
            "preview",
            "init_offset",
            "messages",
            "fields",
            "highlighted",
            "post_process_count",
        ],
        must: Some("preview"),
    },
    // Loki's answer to a query
    Beside {
        container: "loki",
        may: &["status"],
        must: Some("status"),
    },
];

/// Whether an object is this container and holds nothing.
pub(super) fn is_empty(container: &Container, layer: Layer<'_, '_>) -> bool {
    let doc = layer.doc;
    let Some(own) = container.way.first() else {
        return false;
    };
    let beside = BESIDE.iter().find(|one| one.container == container.name);
    let may = beside.map_or(&[][..], |beside| beside.may);
    let must = beside.and_then(|beside| beside.must);
    let is_known = |key: usize| {
        let node = doc.node(key);
        let is = |name: &&str| node.is_some_and(|node| doc.string_is(node, name));
        is(own) || may.iter().any(is)
    };
    let mut members = doc.members(Doc::ROOT);
    members.all(|(key, _)| is_known(key))
        && must.is_none_or(|name| doc.member(Doc::ROOT, name).is_some())
        && holds_nothing(doc, Doc::ROOT, container.way)
}

/// Whether the way leads to arrays (or, one for each member, to objects) without elements, and to
/// nothing else.
fn holds_nothing(doc: Doc<'_, '_>, at: usize, way: &[&str]) -> bool {
    let Some((step, rest)) = way.split_first() else {
        return false;
    };
    if *step != "*" {
        let member = doc.member(at, step);
        return member.is_some_and(|member| holds_nothing(doc, member, rest));
    }
    if doc.is(at, NodeKind::Array) {
        let mut elements = doc.elements(at);
        return elements.all(|element| holds_nothing(doc, element, rest));
    }
    let mut members = doc.members(at);
    !rest.is_empty()
        && doc.is(at, NodeKind::Object)
        && members.all(|(_, value)| holds_nothing(doc, value, rest))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use bumpalo::Bump;

    use super::super::{Asked, Opened, Room, open};

    /// How many records an object holds, where it is a container.
    fn held(text: &str) -> Option<usize> {
        let arena = Bump::new();
        match open(
            text.as_bytes(),
            Asked::default(),
            &mut Room::default(),
            &arena,
        ) {
            Opened::Many(ranges) => Some(ranges.len()),
            Opened::Bare | Opened::One(_) => None,
        }
    }

    #[test]
    fn a_known_container_without_records_holds_none() {
        for text in [
            r#"{"Records":[]}"#,
            r#"{"Messages":[ ]}"#,
            r#"{"receivedMessages":[]}"#,
            r#"{"Records":[],"NextShardIterator":"AAA","MillisBehindLatest":0}"#,
            r#"{"events":[],"searchedLogStreams":[]}"#,
            r#"{"took":1,"timed_out":false,"_shards":{"total":1},"hits":{"total":{"value":0},"max_score":null,"hits":[]}}"#,
            r#"{"results":[],"statistics":{},"status":"Complete"}"#,
            r#"{"resourceLogs":[]}"#,
            r#"{"resourceLogs":[{"resource":{},"scopeLogs":[]}]}"#,
            r#"{"records":{"orders-0":[]},"eventSource":"aws:kafka"}"#,
            r#"{"object":"list","data":[],"has_more":false,"url":"/v1/events"}"#,
            r#"{"data":[],"meta":{"elapsed":1}}"#,
            r#"{"preview":false,"init_offset":0,"messages":[],"fields":[],"results":[],"highlighted":{}}"#,
            r#"{"status":"success","data":{"resultType":"streams","result":[],"stats":{}}}"#,
            r#"{"tables":[{"name":"PrimaryResult","columns":[{"name":"a"}],"rows":[]}]}"#,
        ] {
            assert_eq!(held(text), Some(0), "{text}");
        }
    }

    #[test]
    fn what_may_be_something_else_stays_a_record() {
        for text in [
            r#"{"Records":[],"note":"x"}"#,
            r#"{"Records":null}"#,
            r#"{"Records":{}}"#,
            r#"{"Records":[1]}"#,
            r#"{"Messages":[[]]}"#,
            r#"{"records":[],"orders":[]}"#,
            r#"{"data":[]}"#,
            r#"{"hits":[]}"#,
            r#"{"data":{"result":[]}}"#,
            r#"{"rows":[],"orders":[]}"#,
            r#"{"resourceLogs":[{"resource":{}}]}"#,
            r#"{"Records":[],"Records":[]}"#,
            "{}",
            "[]",
        ] {
            assert_eq!(held(text), None, "{text}");
        }
        // That it is not all is told, as it is behind records.
        let more = r#"{"events":[],"nextToken":"abc"}"#;
        assert_eq!(held(more), Some(1));
        let running = r#"{"results":[],"status":"Running"}"#;
        assert_eq!(held(running), Some(1));
    }
}
