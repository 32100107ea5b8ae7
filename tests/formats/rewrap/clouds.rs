//! Clouds' queues and buses.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::{Wrap, lines, quoted};

pub const WRAPS: &[(&str, Wrap)] = &[
    ("sqs, one a line", sqs_lines),
    ("sqs, batches", sqs_batches),
    ("sqs-cli, one a line", sqs_cli_lines),
    ("sqs-cli, pretty containers", sqs_cli_containers),
    ("sns in sqs", sns_in_sqs),
    ("sns-lambda, batches", sns_lambda),
    ("pubsub, push", pubsub_push),
    ("pubsub, pull array", pubsub_array),
    ("pubsub, pull container", pubsub_container),
    ("kinesis, batches", kinesis),
    ("kinesis-cli, pretty containers", kinesis_cli),
    ("sqs in firehose", firehose),
    ("lambda-kafka, events", lambda_kafka),
    ("lambda-rabbitmq, events", lambda_rabbitmq),
    ("service-bus, inlined", service_bus_inlined),
    ("service-bus, texts", service_bus_texts),
];

fn encoded(record: &str) -> String {
    format!("\"{}\"", STANDARD.encode(record))
}

/// Some records to a container, one container a line.
fn batches(records: &[String], around: [&str; 2], one: fn(usize, &str) -> String) -> Vec<u8> {
    let wrapped = wrapped(records, one);
    let batches: Vec<String> = wrapped
        .chunks(7)
        .map(|batch| format!("{}{}{}\n", around[0], batch.join(","), around[1]))
        .collect();
    batches.concat().into_bytes()
}

/// The same, with each element and bracket on lines of its own, and no line end between containers.
fn pretty(records: &[String], around: [&str; 2], one: fn(usize, &str) -> String) -> Vec<u8> {
    let wrapped = wrapped(records, one);
    let batches: Vec<String> = wrapped
        .chunks(7)
        .map(|batch| format!("{}\n  {}\n{}", around[0], batch.join(",\n  "), around[1]))
        .collect();
    batches.concat().into_bytes()
}

fn wrapped(records: &[String], one: fn(usize, &str) -> String) -> Vec<String> {
    let numbered = records.iter().enumerate();
    numbered
        .map(|(number, record)| one(number, record))
        .collect()
}

fn sqs(number: usize, record: &str) -> String {
    let body = quoted(record);
    format!(
        r#"{{"messageId":"m-{number}","receiptHandle":"h","body":{body},"attributes":{{"ApproximateReceiveCount":"1","SentTimestamp":"1772352000000","ApproximateFirstReceiveTimestamp":"1772352000000"}},"messageAttributes":{{"trace":{{"stringValue":"x","dataType":"String"}}}},"md5OfBody":"0","eventSource":"aws:sqs","eventSourceARN":"arn:aws:sqs:eu-central-1:111122223333:orders","awsRegion":"eu-central-1"}}"#
    )
}

fn sqs_lines(records: &[String]) -> Vec<u8> {
    lines(records, sqs)
}

fn sqs_batches(records: &[String]) -> Vec<u8> {
    batches(records, [r#"{"Records":["#, "]}"], sqs)
}

fn sqs_cli(number: usize, record: &str) -> String {
    let body = quoted(record);
    format!(
        r#"{{"MessageId":"m-{number}","ReceiptHandle":"h","MD5OfBody":"0","Body":{body},"Attributes":{{"ApproximateReceiveCount":"2"}}}}"#
    )
}

fn sqs_cli_lines(records: &[String]) -> Vec<u8> {
    lines(records, sqs_cli)
}

fn sqs_cli_containers(records: &[String]) -> Vec<u8> {
    pretty(records, ["{\n\"Messages\": [", "]\n}"], sqs_cli)
}

fn sns(number: usize, record: &str) -> String {
    let message = quoted(record);
    format!(
        r#"{{"Type":"Notification","MessageId":"n-{number}","TopicArn":"arn:aws:sns:eu-central-1:111122223333:orders","Message":{message},"Timestamp":"2026-03-01T08:00:00.000Z","SignatureVersion":"1"}}"#
    )
}

fn sns_in_sqs(records: &[String]) -> Vec<u8> {
    lines(records, |number, record| sqs(number, &sns(number, record)))
}

fn sns_lambda(records: &[String]) -> Vec<u8> {
    batches(records, [r#"{"Records":["#, "]}"], |number, record| {
        let envelope = sns(number, record);
        format!(r#"{{"EventSource":"aws:sns","EventVersion":"1.0","Sns":{envelope}}}"#)
    })
}

fn pubsub_message(number: usize, record: &str) -> String {
    let data = encoded(record);
    format!(
        r#"{{"data":{data},"attributes":{{"trace":"x"}},"messageId":"{number}","publishTime":"2026-03-01T08:00:00.1Z"}}"#
    )
}

fn pubsub_push(records: &[String]) -> Vec<u8> {
    lines(records, |number, record| {
        let message = pubsub_message(number, record);
        format!(r#"{{"message":{message},"subscription":"projects/p/subscriptions/orders"}}"#)
    })
}

fn pubsub_pull(number: usize, record: &str) -> String {
    let message = pubsub_message(number, record);
    format!(r#"{{"ackId":"a-{number}","message":{message}}}"#)
}

fn pubsub_array(records: &[String]) -> Vec<u8> {
    let wrapped = wrapped(records, pubsub_pull);
    format!("[\n  {}\n]\n", wrapped.join(",\n  ")).into_bytes()
}

fn pubsub_container(records: &[String]) -> Vec<u8> {
    pretty(
        records,
        ["{\n\"receivedMessages\": [", "]\n}\n"],
        pubsub_pull,
    )
}

fn kinesis(records: &[String]) -> Vec<u8> {
    batches(records, [r#"{"Records":["#, "]}"], |number, record| {
        let data = encoded(record);
        format!(
            r#"{{"kinesis":{{"partitionKey":"k","sequenceNumber":"{number:056}","data":{data},"approximateArrivalTimestamp":1772352000.25}},"eventSource":"aws:kinesis","eventID":"shardId-0:{number}","eventName":"aws:kinesis:record"}}"#
        )
    })
}

fn kinesis_cli(records: &[String]) -> Vec<u8> {
    let around = ["{\n\"Records\": [", "],\n\"MillisBehindLatest\": 0\n}\n"];
    pretty(records, around, |number, record| {
        let data = encoded(&format!("{record}\n"));
        format!(
            r#"{{"SequenceNumber":"{number:056}","ApproximateArrivalTimestamp":"2026-03-01T08:00:00+00:00","Data":{data},"PartitionKey":"k"}}"#
        )
    })
}

fn firehose(records: &[String]) -> Vec<u8> {
    let around = [r#"{"invocationId":"i","records":["#, "]}"];
    batches(records, around, |number, record| {
        let data = encoded(&sqs(number, record));
        format!(
            r#"{{"recordId":"{number}","approximateArrivalTimestamp":1772352000000,"data":{data}}}"#
        )
    })
}

fn lambda_kafka(records: &[String]) -> Vec<u8> {
    let around = [
        r#"{"eventSource":"aws:kafka","records":{"orders-0":["#,
        "]}}",
    ];
    batches(records, around, |number, record| {
        let value = encoded(record);
        format!(
            r#"{{"topic":"orders","partition":0,"offset":{number},"timestamp":1772352000000,"timestampType":"CREATE_TIME","key":null,"value":{value},"headers":[{{"trace":[-61,-68]}}]}}"#
        )
    })
}

fn lambda_rabbitmq(records: &[String]) -> Vec<u8> {
    let around = [
        r#"{"eventSource":"aws:rmq","rmqMessagesByQueue":{"orders::/":["#,
        "]}}",
    ];
    batches(records, around, |_, record| {
        let data = encoded(record);
        format!(
            r#"{{"basicProperties":{{"contentType":"application/json","headers":{{"trace":{{"bytes":[120]}}}},"timestamp":"Mar 1, 2026, 8:00:00 AM"}},"redelivered":false,"data":{data}}}"#
        )
    })
}

fn service_bus(number: usize, body: &str) -> String {
    format!(
        r#"{{"body":{body},"contentType":"application/json","deliveryCount":1,"enqueuedTimeUtc":"2026-03-01T08:00:00Z","messageId":"m","properties":[{{"key":"trace","type":"String","value":"x"}}],"sequenceNumber":{number}}}"#
    )
}

/// Service Bus Explorer writes a body that is an object or an array as a value.
fn service_bus_inlined(records: &[String]) -> Vec<u8> {
    let around = ["[", "]\n"];
    let all = wrapped(records, |number, record| {
        let value: Result<Value, _> = serde_json::from_str(record);
        let is_value = value.is_ok_and(|value| value.is_object() || value.is_array());
        let text = quoted(record);
        service_bus(number, if is_value { record } else { &text })
    });
    format!("{}{}{}", around[0], all.join(","), around[1]).into_bytes()
}

fn service_bus_texts(records: &[String]) -> Vec<u8> {
    lines(records, |number, record| {
        service_bus(number, &quoted(record))
    })
}
