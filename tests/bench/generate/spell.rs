//! How a delivery is spelt: a native record of about 640 bytes. Everything in the event comes from
//! the seed, the order and the version, so a repeat says the same.

use std::fmt::Write;

use super::plan::{Class, Flaw, Planned};
use super::random::Random;

const SOURCES: [&str; 3] = [
    "urn:checkout:orders",
    "urn:checkout:web",
    "urn:checkout:store",
];

/// What an order is at each version, from 1.
const STATUSES: [&str; 6] = [
    "accepted",
    "paid",
    "reserved",
    "packed",
    "shipped",
    "delivered",
];

/// Text as people have it: two scripts, a quote, an escape.
const NAMES: [&str; 4] = [
    "Ada Example",
    "Анна Примерова",
    r"Bo \u201cBobby\u201d Sample",
    r#"Zoë \"Zed\" Muster"#,
];

/// One line of the capture, without its line end.
pub(super) fn line(seed: u64, order: u64, begun_ms: u64, at_ms: u64, planned: Planned) -> String {
    let Planned { version, class } = planned;
    let traits = Random::new(seed ^ order.wrapping_mul(0x9e37_79b9)).next();
    let is_rival = class == Class::Conflict;
    let schema = if class == Class::UnknownSchema {
        3
    } else {
        1 + traits % 2
    };
    let received = time(at_ms + 40);
    let attempt = 1 + u8::from(class == Class::Duplicate);

    let mut line = String::with_capacity(768);
    let out = &mut line;
    put(
        out,
        format_args!(r#"{{"receivedAt":"{received}","attempt":{attempt},"event":{{"#),
    );
    attributes(out, traits, order, planned);
    let happened = time(begun_ms + version);
    put(
        out,
        format_args!(
            r#","time":"{happened}","dataschema":"https://example.test/schemas/order-status/{schema}""#
        ),
    );
    let quote = match class.flaw() {
        Some(Flaw::SchemaVersionNoInteger) => "\"",
        _ => "",
    };
    put(
        out,
        format_args!(
            r#","datacontenttype":"application/json","data":{{"schemaVersion":{quote}{schema}{quote},"#
        ),
    );
    put(
        out,
        format_args!(r#""orderId":"order-{order:08}","orderVersion":{version},"#),
    );
    data(out, traits, version, is_rival);
    out.push_str("}}}");
    line
}

/// The attributes that a contract requires, or what is left of them.
fn attributes(out: &mut String, traits: u64, order: u64, planned: Planned) {
    let Planned { version, class } = planned;
    let flaw = class.flaw();
    let context = if flaw == Some(Flaw::OldContextVersion) {
        "0.3"
    } else {
        "1.0"
    };
    put(out, format_args!(r#""specversion":"{context}""#));
    if flaw != Some(Flaw::MissingId) {
        let suffix = match (class == Class::Conflict, class == Class::Stale) {
            (true, _) => "-rival",
            (_, true) => "-again",
            _ => "",
        };
        put(
            out,
            format_args!(r#","id":"evt-{order:08}-{version}{suffix}""#),
        );
    }
    let source = if flaw == Some(Flaw::SourceOutside) {
        "urn:warehouse:orders"
    } else {
        SOURCES[usize::try_from(traits / 2 % 3).unwrap()]
    };
    put(
        out,
        format_args!(r#","source":"{source}","type":"com.example.order.status.changed""#),
    );
    if flaw == Some(Flaw::MissingSubject) {
        out.push_str(r#","subject":null"#);
    } else {
        put(out, format_args!(r#","subject":"order-{order:08}""#));
    }
}

/// What the contract reads least of: the order itself.
fn data(out: &mut String, traits: u64, version: u64, is_rival: bool) {
    let status = match usize::try_from(version).unwrap() {
        _ if is_rival => "cancelled",
        version => STATUSES[version - 1],
    };
    let name = NAMES[usize::try_from(traits / 8 % 4).unwrap()];
    let customer = traits / 32 % 100_000;
    put(
        out,
        format_args!(
            r#""status":"{status}","customer":{{"id":"customer-{customer:05}","name":"{name}"}},"currency":"EUR","lines":["#
        ),
    );
    for number in 0..2 {
        let mixed = Random::new(traits ^ number).next();
        let (sku, quantity, cents) = (mixed % 100_000, 1 + mixed / 7 % 5, 10 + mixed / 64 % 90);
        let comma = if number == 0 { "" } else { "," };
        put(
            out,
            format_args!(
                r#"{comma}{{"sku":"SKU-{sku:05}","quantity":{quantity},"price":19.{cents}}}"#
            ),
        );
    }
    put(out, format_args!(r#"],"trace":"{traits:016x}""#));
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a string takes all");
}

/// A moment so long after the capture's first, as RFC 3339.
fn time(after_ms: u64) -> String {
    let (seconds, milliseconds) = (after_ms / 1000 + 9 * 3600, after_ms % 1000);
    let (day, second) = (2 + seconds / 86_400, seconds % 86_400);
    assert!(day <= 31, "the capture leaves its month");
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("2026-03-{day:02}T{hour:02}:{minute:02}:{second:02}.{milliseconds:03}Z")
}
