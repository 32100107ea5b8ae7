//! Tests of the framing of tools' text, and of what they print beside their records.

use super::*;

const EVENT: &str = "{\"specversion\":\"1.0\"}";

/// The lines of noise as they are shown on demand.
fn noise(bytes: &[u8], chunk_bytes: usize) -> Vec<(String, u64)> {
    let (_file, input) = file_with(bytes);
    let mut framer = Framer::with_sizes(&input, chunk_bytes, LIMIT);
    let contract = contract();
    let mut scratch = Scratch::new(&contract);
    let mut lines = 0;
    let mut found = Vec::new();
    while let Some(chunk) = framer.next_chunk().unwrap() {
        for frame in chunk.noise(1_000) {
            let place = frame.place(lines);
            let mut text = vec![0; place.length_bytes as usize];
            input.read_exact_at(place.offset_bytes, &mut text).unwrap();
            found.push((String::from_utf8(text).unwrap(), place.line));
        }
        let arena = bumpalo::Bump::new();
        lines += chunk.each(&contract, &mut scratch, &arena, |_, _| ()).lines;
    }
    found
}

#[test]
fn noise_is_counted_and_can_be_shown() {
    let log = "[2026-03-02 09:00:00,123] WARN x (org.apache.kafka.clients.NetworkClient)";
    let total = "Processed a total of 2 messages";
    for (text, framing, records) in [
        (
            format!(
                "{log}\n{EVENT}\n% Reached end of topic t [0] at offset 1\r\n{EVENT}\n{total}\n"
            ),
            Framing::Lines,
            2,
        ),
        (
            format!(
                "{log}\n{{\n\"a\":1\n}}\n% Reached end of topic t [0] at offset 1\n{{\n\"a\":2\n}}\n{total}"
            ),
            Framing::Concatenated,
            2,
        ),
        (
            format!(
                "{log}\n[\n{{\"a\":1}},\n{{\"a\":2}}\n]\n% Reached end of topic t [0] at offset 1\n{total}\n"
            ),
            Framing::Array,
            2,
        ),
        (
            format!(
                "{log}\nOffset:1\tone\n% Reached end of topic t [0] at offset 1\nOffset:2\ttwo\nmore\n{total}\n"
            ),
            Framing::Text,
            2,
        ),
    ] {
        let (seen, tally, facts) = agreed(text.as_bytes());
        assert_eq!(facts.framing, Some(framing), "{text}");
        assert_eq!(
            (seen.len(), tally.noise_lines),
            (records, 3),
            "{text}: {seen:?}"
        );
        let shown = noise(text.as_bytes(), CHUNK_BYTES);
        assert_eq!(noise(text.as_bytes(), 1), shown, "{text}");
        let lines: Vec<_> = text.lines().collect();
        let wanted = shown.iter().map(|(noise, line)| {
            assert_eq!(lines[usize::try_from(*line).unwrap() - 1].trim_end(), noise);
            noise.as_str()
        });
        let wanted: Vec<_> = wanted.collect();
        assert_eq!(
            wanted,
            [log, "% Reached end of topic t [0] at offset 1", total],
            "{text}"
        );
    }
}

#[test]
fn what_is_no_noise_is_a_record() {
    let text =
        format!("{EVENT}\n% no tool prints this\n[2026-03-02] x\n% Headers: [a=\"b\"]\n{EVENT}\n");
    let (seen, tally, _) = agreed(text.as_bytes());
    assert_eq!((seen.len(), tally.noise_lines), (5, 0));
}

#[test]
fn values_over_several_lines_are_one_record() {
    let text = "CreateTime:1\tk\t{\n\"a\": 1\n}\nstray\nCreateTime:2\tk\tplain\n\nmore\r\nCreateTime:3\tk\t{\"a\"\nCreateTime:4\tk\tnull";
    let (seen, tally, facts) = agreed(text.as_bytes());
    assert_eq!(facts.framing, Some(Framing::Text));
    let wanted = [
        ("CreateTime:1\tk\t{\n\"a\": 1\n}", 1),
        ("stray", 4),
        ("CreateTime:2\tk\tplain\n\nmore", 5),
        ("CreateTime:3\tk\t{\"a\"", 8),
        ("CreateTime:4\tk\tnull", 9),
    ];
    assert_eq!(texts(&seen), wanted);
    assert_eq!(tally.lines, 8);
}

#[test]
fn headers_below_a_value_belong_to_it() {
    let text = "{\"orderId\":\"1\"}\n% Headers: [ce_id=\"1\"]\n{\"orderId\":\"2\"}\n{\"orderId\":\"3\"}\n% Headers: [ce_id=\"3\"]\n";
    let (seen, _, facts) = agreed(text.as_bytes());
    assert_eq!(facts.framing, Some(Framing::Text));
    let wanted = [
        ("{\"orderId\":\"1\"}\n% Headers: [ce_id=\"1\"]", 1),
        ("{\"orderId\":\"2\"}", 3),
        ("{\"orderId\":\"3\"}\n% Headers: [ce_id=\"3\"]", 4),
    ];
    assert_eq!(texts(&seen), wanted);
}

#[test]
fn a_text_record_that_is_too_long_leaves_its_neighbours_alone() {
    // Longer than what is read to know the framing.
    let long = "x\n".repeat(HEAD_BYTES);
    let text = format!(
        "Offset:1\tone\nOffset:2\t{long}Offset:3\t{}\nOffset:4\tfour\n",
        "y".repeat(2 * HEAD_BYTES)
    );
    let (_file, input) = file_with(text.as_bytes());
    for chunk_bytes in [1, 64, 4096] {
        let (seen, _, _) = read_all(&input, chunk_bytes);
        let why: Vec<_> = seen.iter().map(|(_, _, reason)| *reason).collect();
        let wanted = [
            Some(reason::MALFORMED_JSON),
            Some(reason::TOO_LONG),
            Some(reason::TOO_LONG),
            Some(reason::MALFORMED_JSON),
        ];
        assert_eq!(why, wanted, "{chunk_bytes}");
        assert_eq!(seen[3].0, "Offset:4\tfour");
    }
}
