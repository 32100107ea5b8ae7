//! Brokers, event stores and webhooks.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{Wrap, lines, quoted};

pub const WRAPS: &[(&str, Wrap)] = &[
    ("rabbitmq", rabbitmq),
    ("rabbitmq in Base64", rabbitmq_base64),
    ("rabbitmq-trace", rabbitmq_trace),
    ("rabtap", rabtap),
    ("amqp", amqp),
    ("nats-stream-get", nats_stream_get),
    ("nats-dump", nats_dump),
    ("nats-text", nats_text),
    ("nats-text, the oldest", nats_oldest),
    ("nats-stream-text", nats_stream_text),
    ("pulsar", pulsar),
    ("mosquitto %j", mosquitto),
    ("mosquitto %J", mosquitto_json),
    ("mosquitto-text", mosquitto_text),
    ("http", http),
    ("http with answers", http_answered),
    ("http, kept alive", http_kept_alive),
    ("http-json", http_json),
];

/// All records in one text.
fn blocks(records: &[String], block: impl Fn(usize, &str) -> String) -> Vec<u8> {
    let blocks: Vec<String> = records
        .iter()
        .enumerate()
        .map(|(number, record)| block(number, record))
        .collect();
    blocks.concat().into_bytes()
}

fn rabbitmq(records: &[String]) -> Vec<u8> {
    let messages: Vec<String> = records
        .iter()
        .map(|record| {
            format!(
                r#"{{"payload_bytes":{},"redelivered":true,"exchange":"","routing_key":"orders","properties":[],"payload":{},"payload_encoding":"string"}}"#,
                record.len(),
                quoted(record)
            )
        })
        .collect();
    format!("[{}]", messages.join(",\n")).into_bytes()
}

fn rabbitmq_base64(records: &[String]) -> Vec<u8> {
    lines(records, |_, record| {
        format!(
            r#"{{"payload_bytes":{},"exchange":"","routing_key":"orders","properties":{{"headers":{{"x-delivery-count":1}}}},"payload":"{}","payload_encoding":"base64"}}"#,
            record.len(),
            STANDARD.encode(record)
        )
    })
}

fn rabbitmq_trace(records: &[String]) -> Vec<u8> {
    lines(records, |_, record| {
        format!(
            r#"{{"type":"received","exchange":"","queue":"orders","routed_queues":"none","routing_keys":["orders"],"properties":{{}},"payload":"{}"}}"#,
            STANDARD.encode(record)
        )
    })
}

fn rabtap(records: &[String]) -> Vec<u8> {
    blocks(records, |_, record| {
        format!(
            "{{\n  \"Exchange\": \"orders\",\n  \"XRabtapReceivedTimestamp\": \"2026-03-01T08:00:00Z\",\n  \"Body\": \"{}\"\n}}\n",
            STANDARD.encode(record)
        )
    })
}

fn amqp(records: &[String]) -> Vec<u8> {
    lines(records, |_, record| {
        format!(r#"{{"application_properties":{{"trace":"t"}},"body":{record}}}"#)
    })
}

fn nats_stream_get(records: &[String]) -> Vec<u8> {
    lines(records, |number, record| {
        format!(
            r#"{{"subject":"orders","seq":{number},"hdrs":"{}","data":"{}","time":"2026-03-01T08:00:00Z"}}"#,
            STANDARD.encode("NATS/1.0\r\nTrace: t\r\n\r\n"),
            STANDARD.encode(record)
        )
    })
}

fn nats_dump(records: &[String]) -> Vec<u8> {
    blocks(records, |number, record| {
        format!(
            "{{\"Subject\":\"orders\",\"Reply\":\"$JS.ACK.S.c.1.{number}.{number}.1772352000000000000.0\",\"Header\":null,\"Data\":\"{}\"}}\0",
            STANDARD.encode(record)
        )
    })
}

fn nats_text(records: &[String]) -> Vec<u8> {
    blocks(records, |number, record| {
        format!("[#{number}] Received on \"orders\"\nTrace: t\n\n{record}\n\n")
    })
}

fn nats_oldest(records: &[String]) -> Vec<u8> {
    blocks(records, |number, record| {
        format!("08:00:00 [#{number}] Received on [orders]: '{record}'\n")
    })
}

fn nats_stream_text(records: &[String]) -> Vec<u8> {
    blocks(records, |number, record| {
        format!(
            "Item: ORDERS#{number} received 2026-03-01 08:00:00 +0000 UTC on Subject orders\n\nHeaders:\n  Trace: t\n\n{record}\n\n"
        )
    })
}

fn pulsar(records: &[String]) -> Vec<u8> {
    blocks(records, |_, record| {
        format!("----- got message -----\nkey:[null], properties:[a=b], content:{record}\n")
    })
}

fn mosquitto(records: &[String]) -> Vec<u8> {
    lines(records, |_, record| {
        format!(
            r#"{{"tst":"2026-03-01T08:00:00.000000Z+0000","topic":"orders","qos":0,"retain":0,"payloadlen":{},"payload":{}}}"#,
            record.len(),
            quoted(record)
        )
    })
}

fn mosquitto_json(records: &[String]) -> Vec<u8> {
    lines(records, |_, record| {
        format!(
            r#"{{"tst":"2026-03-01T08:00:00.000000Z+0000","topic":"orders","qos":0,"retain":0,"payloadlen":{},"payload":{record}}}"#,
            record.len()
        )
    })
}

fn mosquitto_text(records: &[String]) -> Vec<u8> {
    lines(records, |_, record| format!("shop/orders {record}"))
}

fn http(records: &[String]) -> Vec<u8> {
    blocks(records, |_, record| {
        format!(
            "POST / HTTP/1.1\r\nContent-Type: application/cloudevents+json\r\nContent-Length: {}\r\n\r\n{record}\r\n\r\n",
            record.len()
        )
    })
}

fn http_answered(records: &[String]) -> Vec<u8> {
    blocks(records, |_, record| {
        format!("POST / HTTP/1.1\nHost: x\n\n{record}\nHTTP/1.1 202 Accepted\nDate: x\n\n")
    })
}

/// No line end stands between a body and the next request.
fn http_kept_alive(records: &[String]) -> Vec<u8> {
    blocks(records, |_, record| {
        format!(
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{record}",
            record.len()
        )
    })
}

fn http_json(records: &[String]) -> Vec<u8> {
    lines(records, |_, record| {
        format!(
            r#"{{"headers":{{"Content-Type":"application/cloudevents+json"}},"body":{}}}"#,
            quoted(record)
        )
    })
}
