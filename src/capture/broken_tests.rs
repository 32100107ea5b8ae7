//! Tests of records in values that cannot be read as one: one damaged byte in a container takes one
//! record, and two files put together without a line end lose none.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

use super::super::Framing;
use super::super::tests::{Seen, agreed};
use super::*;
use crate::model::reason;

/// An SQS message with an event inside.
fn message(number: usize) -> String {
    format!(
        "{{\"MessageId\":\"m-{number}\",\"MD5OfBody\":\"x\",\"Body\":\"{{\\\"specversion\\\":\\\"1.0\\\"}}\"}}"
    )
}

/// The same over several lines, as far to the right as in a pretty-printed container.
fn pretty(number: usize) -> String {
    let text = message(number).replace(",\"M", ",\n      \"M");
    let text = text
        .replace(",\"B", ",\n      \"B")
        .replace("{\"M", "{\n      \"M");
    text.replace("\"}\"}", "\"}\"\n    }")
}

fn container(elements: &[String]) -> String {
    format!("{{\"Messages\":[{}]}}", elements.join(","))
}

fn pretty_container(elements: &[String]) -> String {
    let elements = elements.join(",\n    ");
    format!("{{\n  \"Messages\": [\n    {elements}\n  ],\n  \"Next\": null\n}}\n")
}

fn texts<'v>(value: &'v str, ranges: &Ranges) -> Vec<&'v str> {
    ranges
        .iter()
        .map(|range| &value[range.0..range.1])
        .collect()
}

/// What the records of a capture are, and which of them cannot be read.
fn told(seen: &[Seen]) -> Vec<(&str, bool)> {
    let reasons = [
        Some(reason::MALFORMED_JSON),
        Some(reason::NOT_UTF8),
        Some(reason::TOO_DEEP),
    ];
    seen.iter()
        .map(|(text, _, why)| (&**text, reasons.contains(why)))
        .collect()
}

#[test]
fn objects_that_follow_each_other_on_a_line() {
    for (line, wanted) in [
        ("{}{\"a\":1}", Some(vec!["{}", "{\"a\":1}"])),
        ("{}  {}{}", Some(vec!["{}", "{}", "{}"])),
        ("{}\u{feff}{}", Some(vec!["{}", "{}"])),
        ("{}", None),
        ("{}x", None),
        ("{}{", None),
        ("{}[1]", None),
        ("{},{}", None),
        ("{}\t{}", None),
        ("{}{}junk", None),
        ("{\"a\":}{}", None),
    ] {
        let found = objects_in_a_row(line.as_bytes());
        assert_eq!(found.map(|ranges| texts(line, &ranges)), wanted, "{line}");
    }
}

#[test]
fn two_files_without_a_line_end_between_them() {
    let (seen, tally, facts) = agreed(b"{\"a\":1}{\"b\":2}\r\n{\"c\":3}\n{\"d\":4}x\n{\"e\":5}");
    let places: Vec<_> = seen
        .iter()
        .map(|(text, line, _)| (&**text, *line))
        .collect();
    let wanted = [
        ("{\"a\":1}", 1),
        ("{\"b\":2}", 1),
        ("{\"c\":3}", 2),
        ("{\"d\":4}x", 3),
        ("{\"e\":5}", 4),
    ];
    assert_eq!(places, wanted);
    assert_eq!(seen[3].2, Some(reason::MALFORMED_JSON));
    assert_eq!((tally.batches, facts.framing), (1, Some(Framing::Lines)));
}

/// One byte lost, or one too many, anywhere behind the array's bracket: every element that was not
/// touched is a record.
#[test]
fn one_damaged_byte_takes_one_record() {
    for (elements, whole) in [
        (
            (0..4).map(message).collect::<Vec<_>>(),
            container as fn(&[String]) -> String,
        ),
        ((0..4).map(pretty).collect(), pretty_container),
    ] {
        let text = whole(&elements);
        assert_eq!(records_of_container(text.as_bytes()), None, "it is whole");
        let ends: Vec<_> = elements
            .iter()
            .map(|element| text.find(element).unwrap() + element.len())
            .collect();
        let from = text.find('[').unwrap() + 1;
        for at in from..text.trim_end().len() {
            let mut lost = text.clone().into_bytes();
            lost.remove(at);
            let mut more = text.clone().into_bytes();
            more.insert(at, b'"');
            let mut odd = text.clone().into_bytes();
            odd[at] = 0xff;
            let cut = text.as_bytes()[..at].to_vec();
            for (damage, is_cut) in [(lost, false), (more, false), (odd, false), (cut, true)] {
                let Some(ranges) = records_of_container(&damage) else {
                    // It is still a value, or there is no whole element.
                    let is_value =
                        read(&String::from_utf8_lossy(&damage), 9, &mut Vec::new()).is_ok();
                    assert!(is_value || is_cut && at < ends[0], "{at}");
                    continue;
                };
                let found: Vec<_> = ranges
                    .iter()
                    .map(|range| &damage[range.0..range.1])
                    .collect();
                let mut start = from;
                for (element, end) in elements.iter().zip(&ends) {
                    let is_touched = if is_cut {
                        at < *end
                    } else {
                        (start..=*end).contains(&at)
                    };
                    assert!(
                        is_touched || found.contains(&element.as_bytes()),
                        "{at}: {element} in {}",
                        String::from_utf8_lossy(&damage)
                    );
                    // Damage between two elements belongs to the one behind it.
                    start = end + 1;
                }
                let is_told = found.iter().any(|part| !is_whole(part));
                assert!(is_told, "{at}: {}", String::from_utf8_lossy(&damage));
            }
        }
    }
}

#[test]
fn containers_in_a_capture() {
    let bad = message(1).replace(",\"MD5", "\"MD5");
    let elements = [message(0), bad.clone(), message(2)];
    let line = container(&elements);
    let wanted = [
        (&*elements[0], false),
        (&*bad, true),
        (&*elements[2], false),
    ];
    // A line among lines.
    let (seen, tally, facts) = agreed(format!("{line}\n{{\"a\":1}}\n").as_bytes());
    assert_eq!(told(&seen)[..3], wanted);
    assert_eq!((seen.len(), tally.batches), (4, 1));
    assert_eq!(facts.framing, Some(Framing::Lines));
    assert_eq!(
        seen.iter().map(|one| one.1).collect::<Vec<_>>(),
        [1, 1, 1, 2]
    );
    // Pretty-printed, one behind the other.
    let bad = pretty(1).replace(",\n      \"MD5", "\n      \"MD5");
    let elements = [pretty(0), bad.clone(), pretty(2)];
    let text = pretty_container(&elements);
    let (seen, tally, facts) = agreed(format!("{text}{text}").as_bytes());
    let wanted = [
        (&*elements[0], false),
        (&*bad, true),
        (&*elements[2], false),
    ];
    assert_eq!(told(&seen), [wanted, wanted].concat());
    assert_eq!(
        seen.iter().map(|one| one.1).collect::<Vec<_>>(),
        [3, 8, 13, 23, 28, 33]
    );
    assert_eq!(
        (tally.batches, facts.framing),
        (2, Some(Framing::Concatenated))
    );
    // Cut off.
    let cut = text.find("m-2").unwrap();
    let (seen, ..) = agreed(&text.as_bytes()[..cut]);
    assert_eq!((seen.len(), told(&seen)[0]), (3, wanted[0]));
    assert_eq!(seen[2].2, Some(reason::MALFORMED_JSON));
}

#[test]
fn every_way_to_the_records_is_found() {
    let event = "{\"specversion\":\"1.0\",\"id\":\"a\"}";
    let broken = "{\"specversion\" \"1.0\"}";
    for way in unwrap::ways_of_containers() {
        let [steps @ .., _] = way else { panic!() };
        // Each `*` is an array's element in one text, a member's value in the other.
        for (open, close) in [("[", "]"), ("{\"any\":", "}")] {
            // An array of arrays is none of the first container that is tried.
            if steps.last() == Some(&"*") && open == "[" {
                continue;
            }
            let mut opening = Vec::new();
            let mut closing = String::new();
            for (index, step) in steps.iter().enumerate() {
                let is_any = *step == "*";
                opening.push(if is_any {
                    open.to_owned()
                } else {
                    format!("{{\"{step}\": ")
                });
                closing.insert_str(0, if is_any && index > 0 { close } else { "}" });
            }
            let opening = opening.concat();
            let text = format!("{opening}[{event}, {broken}, {event}]{closing}");
            let ranges = records_of_container(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(texts(&text, &ranges), [event, broken, event], "{text}");
        }
    }
}

#[test]
fn what_is_no_container_stays_one_record() {
    for text in [
        // An event with an array inside.
        "{\"specversion\":\"1.0\",\"data\":[{\"specversion\":\"1.0\"},{]}",
        // Elements that nothing is known of.
        "{\"Messages\":[{\"a\":1},{\"b\" 2}]}",
        // Not where a container has its records.
        "{\"x\":{\"Messages\":[{\"specversion\":\"1.0\"},{]}}",
        "{\"Messages\":{\"specversion\":\"1.0\"",
        "{\"Messages\":[",
        "{\"Messages",
    ] {
        assert_eq!(records_of_container(text.as_bytes()), None, "{text}");
    }
    let deep = "{\"Messages\":[".repeat(100_000);
    assert_eq!(records_of_container(deep.as_bytes()), None);
}

#[test]
fn damage_outside_the_records_is_told() {
    let one = message(0);
    for (text, told) in [
        (
            format!("{{\"Messages\":[{one}],\"Next\":nul}}"),
            ",\"Next\":nul}",
        ),
        (
            format!("{{\"a\" 1,\"Messages\":[{one}]}}"),
            "{\"a\" 1,\"Messages\":[",
        ),
        (format!("{{\"Messages\":[{one}"), "{\"Messages\":["),
        (format!("{{\"Messages\":[{one},"), "{\"Messages\":["),
    ] {
        let ranges = records_of_container(text.as_bytes()).unwrap();
        let found = texts(&text, &ranges);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.contains(&&*one) && found.contains(&told), "{found:?}");
    }
}
