//! Kafka's tools.

use serde_json::Value;

use super::{Wrap, lines, quoted};

pub const WRAPS: &[(&str, Wrap)] = &[
    ("kcat", kcat),
    ("kcat's avro", kcat_avro),
    ("rpk", rpk),
    ("kafka-ui", kafka_ui),
    ("akhq", akhq),
    ("redpanda-console", redpanda_console),
    ("kafkactl", kafkactl),
    ("kafka-console-consumer", console),
    ("kafka-console-consumer 2.6", old_console),
    ("kafka-console-consumer's keys", console_keys),
    ("kafka-console-consumer's avro", console_avro),
    ("confluent", confluent),
    ("kafka-dump-log", dump_log),
    ("connect-json in kcat", connect),
];

/// What `kcat -f` writes, by its template.
pub const TEMPLATES: &[(&str, Wrap)] = &[
    (r"%s\n", by_itself),
    (r"Topic %t [%p] at offset %o: key %k: %s\n", of_the_manual),
    (r"%T|%h|%k|%s|%p\r\n", between_bars),
    (
        r"\nKey (%K bytes): %k\t\nValue (%S bytes): %s\n\Timestamp: %T\tPartition: %p\n--\n",
        over_lines,
    ),
    (r"%R%s", binary),
];

fn by_itself(records: &[String]) -> Vec<u8> {
    lines(records, |_, record| record.to_owned())
}

/// The example of kcat's own manual, with the lines that it prints beside.
fn of_the_manual(records: &[String]) -> Vec<u8> {
    let mut capture = b"% Auto-selecting Consumer mode (use -P or -C to override)\n".to_vec();
    capture.extend(lines(records, |number, record| {
        format!("Topic orders.v1-a [0] at offset {number}: key order:{number}: {record}")
    }));
    capture
}

fn between_bars(records: &[String]) -> Vec<u8> {
    lines(records, |number, record| {
        format!("-1|trace=x,id=y|NULL|{record}|{number}\r")
    })
}

fn over_lines(records: &[String]) -> Vec<u8> {
    lines(records, |number, record| {
        let length = record.len() + 3;
        format!(
            "\nKey (3 bytes): a\nb\t\nValue ({length} bytes): \n {record}\n\nTimestamp: -1\tPartition: {number}\n--"
        )
    })
}

fn binary(records: &[String]) -> Vec<u8> {
    let of = |record: &String| {
        let length = u32::try_from(record.len()).unwrap().to_be_bytes();
        [length.as_slice(), record.as_bytes()].concat()
    };
    records.iter().flat_map(of).collect()
}

fn kcat(records: &[String]) -> Vec<u8> {
    let mut capture = b"% Auto-selecting Consumer mode (use -P or -C to override)\n".to_vec();
    capture.extend(lines(records, |number, record| {
        format!(
            r#"{{"topic":"orders","partition":{},"offset":{number},"tstype":"create","ts":-1,"broker":1,"headers":["trace","x"],"key":null,"payload":{}}}"#,
            number % 3,
            quoted(record)
        )
    }));
    capture.extend(b"% Reached end of topic orders [0] at offset 9: exiting\n");
    capture
}

/// A record as the value itself, where it is one.
fn value(record: &str) -> Option<&str> {
    let is_value = serde_json::from_str::<Value>(record).is_ok_and(|value| value.is_object());
    is_value.then_some(record)
}

fn kcat_avro(records: &[String]) -> Vec<u8> {
    lines(records, |number, record| {
        let payload = value(record).map_or_else(|| quoted(record), str::to_owned);
        format!(
            r#"{{"topic":"orders","partition":0,"offset":{number},"payload":{payload},"value_schema_id":7}}"#
        )
    })
}

fn rpk(records: &[String]) -> Vec<u8> {
    lines(records, |number, record| {
        format!(
            "{{\n  \"topic\": \"orders\",\n  \"value\": {},\n  \"timestamp\": -1,\n  \"partition\": 0,\n  \"offset\": {number}\n}}",
            quoted(record)
        )
    })
}

fn kafka_ui(records: &[String]) -> Vec<u8> {
    lines(records, |number, record| {
        format!(
            "{{\n\t\"Value\": {},\n\t\"Offset\": {number},\n\t\"Key\": null,\n\t\"Partition\": 0,\n\t\"Headers\": {{}}\n}}",
            quoted(record)
        )
    })
}

/// One array over many lines.
fn array(records: &[String], element: impl Fn(usize, &str) -> String) -> Vec<u8> {
    let elements: Vec<_> = records
        .iter()
        .enumerate()
        .map(|(number, record)| element(number, record))
        .collect();
    format!("[\n{}\n]\n", elements.join(",\n")).into_bytes()
}

fn akhq(records: &[String]) -> Vec<u8> {
    array(records, |number, record| {
        format!(
            r#"  {{"partition": 0, "offset": {number}, "timestamp": "unknown", "headers": [{{"key": "trace", "value": "x"}}], "key": null, "value": {}}}"#,
            quoted(record)
        )
    })
}

fn redpanda_console(records: &[String]) -> Vec<u8> {
    array(records, |number, record| {
        let payload = value(record).map_or_else(|| quoted(record), str::to_owned);
        format!(
            r#"  {{"partitionID": 0, "offset": {number}, "headers": [], "key": {{"payload": "k", "isPayloadNull": false, "encoding": "text"}}, "value": {{"payload": {payload}, "isPayloadNull": false, "encoding": "json"}}}}"#
        )
    })
}

fn kafkactl(records: &[String]) -> Vec<u8> {
    lines(records, |number, record| {
        format!(
            "{{\n  \"Partition\": 0,\n  \"Offset\": {number},\n  \"Value\": {}\n}}",
            quoted(record)
        )
    })
}

fn console(records: &[String]) -> Vec<u8> {
    let mut capture = lines(records, |number, record| {
        format!(
            "NO_TIMESTAMP\tPartition:0\tOffset:{number}\tDelivery:NONE\ttrace:x,id:y\tk:1\t{record}"
        )
    });
    capture.extend(b"Processed a total of 9 messages\n");
    capture
}

fn old_console(records: &[String]) -> Vec<u8> {
    lines(records, |number, record| {
        format!("NO_TIMESTAMP\tkey\t{record}\t{}", number % 3)
    })
}

fn console_keys(records: &[String]) -> Vec<u8> {
    lines(records, |_, record| {
        format!("{{\"orderId\":\"order-1\"}}\t{record}")
    })
}

fn console_avro(records: &[String]) -> Vec<u8> {
    lines(records, |number, record| {
        format!("Partition:0\tOffset:{number}\tk\t3\t{record}\t4")
    })
}

fn confluent(records: &[String]) -> Vec<u8> {
    lines(records, |number, record| {
        format!("k\tPartition:0 Offset:{number}\t{record}\n% Headers: [trace=\"x\" n=nil]")
    })
}

fn dump_log(records: &[String]) -> Vec<u8> {
    lines(records, |number, record| {
        format!(
            "baseOffset: {number} lastOffset: {number} count: 1 isvalid: true\n| offset: {number} CreateTime: -1 keySize: 1 valueSize: {} sequence: -1 headerKeys: [trace] key: k payload: {record}",
            record.len()
        )
    })
}

fn connect(records: &[String]) -> Vec<u8> {
    let wrapped = records.iter().map(|record| {
        let payload = value(record).map_or_else(|| quoted(record), str::to_owned);
        format!(r#"{{"schema":{{"type":"string"}},"payload":{payload}}}"#)
    });
    let wrapped: Vec<_> = wrapped.collect();
    kcat(&wrapped)
}
