//! Lines that a listed tool prints beside its records (capture.md, "Framing"): they are no records,
//! and are counted and shown on demand. Any other line that cannot be read is a record.
//!
//! Each is told by what the tool's source prints, word for word (those of the tools that collect logs
//! in `log_tools`). The confluent command line's
//! `% Headers: [...]` begins like kcat's lines and belongs to a message.

mod log_tools;

use super::chunk::{Frame, Layout, is_separator};
use super::marks::{Tool, after_clock, is_own_log};

/// What kcat prints behind `% ` (kcat's `kcat.c`: `KC_INFO`, `KC_ERROR`, `KC_FATAL`), and the
/// confluent command line: how it begins, and what stands further on.
const BEHIND_PERCENT: [(&[u8], &[u8]); 18] = [
    (b"Reached end of topic ", b" at offset "),
    (b"Reached stop timestamp for topic ", b" at offset "),
    (b"Auto-selecting ", b" mode (use -P or -C to override)"),
    (b"Waiting for group rebalance", b""),
    (b"Group ", b" rebalanced"),
    (b"Broker ", b" throttled request for "),
    (b"Reading configuration from file ", b""),
    (b"ERROR: ", b""),
    (b"FATAL CLIENT ERROR: ", b""),
    (b"Fatal error at ", b":"),
    (b"Error at ", b":"),
    (b"Error: ", b""),
    (b"failed: ", b""),
    (b"Configuration filename kafkacat.conf is deprecated!", b""),
    (b"KAFKA_CONFIG is deprecated!", b""),
    (b"Rename ", b" to "),
    (b"Expected -X property=value", b""),
    (b"Current assignment lost.", b""),
];

/// How lines of SLF4J without a logger begin, and those of the tools themselves.
const BEGINNINGS: [&[u8]; 6] = [
    b"SLF4J: ",
    b"Starting Kafka Consumer. ",
    b"Stopping Consumer.",
    b"baseOffset: ",
    b"Log starting offset: ",
    b"Starting offset: ",
];

/// What the NATS command line logs behind the time (natscli's `sub_command.go` and `util.go`).
const BEHIND_CLOCK: [&[u8]; 6] = [
    b"Subscribing on ",
    b"Subscribing to JetStream ",
    b"Responding to Flow Control message",
    b"Disconnected due to: ",
    b"Reconnected [",
    b"Unexpected NATS error",
];

/// Whether a line is what a listed tool prints beside its records.
pub fn is_noise(line: &[u8]) -> bool {
    let is_indented = matches!(line.first(), Some(b' ' | b'\t'));
    let line = line.trim_ascii();
    // A terminal writes what was typed before what the tool prints then.
    let line = match line.strip_prefix(b"^C") {
        Some([]) => return true,
        Some(rest) => rest,
        None => line,
    };
    let is_brokers = match line.first() {
        Some(b'{') | None => return false,
        Some(b'%') => is_kcats(line) || is_librdkafkas(line),
        Some(b'P') => is_total(line),
        Some(b'[') => is_log4j(line),
        Some(b'|') => is_marker(line),
        Some(b'D') => line.starts_with(b"Dumping ") && line.ends_with(b".log"),
        Some(b'0'..=b'9') => is_nats_log(line) || is_pulsars(line),
        Some(b'S' | b'b' | b'L') => begins_with(line, &BEGINNINGS),
        Some(_) => false,
    };
    is_brokers || !is_indented && log_tools::is_it(line)
}

fn begins_with(line: &[u8], beginnings: &[&[u8]]) -> bool {
    beginnings
        .iter()
        .any(|beginning| line.starts_with(beginning))
}

fn is_nats_log(line: &[u8]) -> bool {
    after_clock(line).is_some_and(|message| begins_with(message, &BEHIND_CLOCK))
}

/// `2023-05-29T19:48:00,645+0800 [thread] INFO  org.apache.pulsar.… - …`
fn is_pulsars(line: &[u8]) -> bool {
    is_own_log(Tool::Pulsar, line) && memchr::memmem::find(line, b" org.apache.pulsar.").is_some()
}

fn is_kcats(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"% ") else {
        return false;
    };
    BEHIND_PERCENT.iter().any(|(beginning, further)| {
        rest.strip_prefix(*beginning)
            .is_some_and(|rest| memchr::memmem::find(rest, further).is_some())
    })
}

/// `%3|1772442000.123|FAIL|rdkafka#consumer-1| [thrd:b:9092/1]: …`: the log of kcat's client library.
fn is_librdkafkas(line: &[u8]) -> bool {
    let mut parts = line.splitn(5, |byte| *byte == b'|');
    let mut next = || parts.next().unwrap_or_default();
    let (level, time, facility, client, message) = (next(), next(), next(), next(), next());
    let is_time = time.contains(&b'.')
        && time
            .iter()
            .all(|byte| byte.is_ascii_digit() || *byte == b'.');
    matches!(level, [b'%', b'0'..=b'7'])
        && is_time
        && !facility.is_empty()
        && memchr::memmem::find(client, b"#").is_some()
        && message.starts_with(b" ")
}

/// `Processed a total of 3 messages`
fn is_total(line: &[u8]) -> bool {
    line.strip_prefix(b"Processed a total of ")
        .and_then(|rest| rest.strip_suffix(b" messages"))
        .is_some_and(|count| !count.is_empty() && count.iter().all(u8::is_ascii_digit))
}

/// `[2026-03-02 09:00:00,123] WARN message (org.apache.kafka.clients.NetworkClient)`
fn is_log4j(line: &[u8]) -> bool {
    const PATTERN: &[u8] = b"[0000-00-00 00:00:00,000] ";
    const LEVELS: [&[u8]; 6] = [
        b"TRACE ", b"DEBUG ", b"INFO ", b"WARN ", b"ERROR ", b"FATAL ",
    ];
    const LOGGERS: [&[u8]; 3] = [b"org.apache.kafka.", b"kafka.", b"io.confluent."];
    let Some((time, message)) = line.split_at_checked(PATTERN.len()) else {
        return false;
    };
    let mut pairs = time.iter().zip(PATTERN);
    let is_time = pairs.all(|(byte, wanted)| match wanted {
        b'0' => byte.is_ascii_digit(),
        _ => byte == wanted,
    });
    let logger = message.strip_suffix(b")");
    let logger = logger.and_then(|rest| rest.rsplit(|byte| *byte == b'(').next());
    let is_kafkas = logger.is_some_and(|logger| begins_with(logger, &LOGGERS));
    is_time && begins_with(message, &LEVELS) && is_kafkas
}

/// The end of a transaction, which stands in a log between messages and which no consumer is given:
/// `| offset: 7 CreateTime: … headerKeys: [] endTxnMarker: COMMIT coordinatorEpoch: 0`
fn is_marker(line: &[u8]) -> bool {
    const MARKER: &[u8] = b" headerKeys: [] endTxnMarker: ";
    let end = memchr::memmem::find(line, MARKER);
    let payload = memchr::memmem::find(line, b" payload: ");
    line.starts_with(b"| offset: ")
        && end.is_some_and(|end| payload.is_none_or(|payload| end < payload))
}

/// Whether a line of noise says that something went wrong: kcat's errors, its library's log at level 3
/// or more urgent (RFC 5424, section 6.2.1), errors in a log of Kafka's own, and a log that is not whole.
pub fn is_error(line: &[u8]) -> bool {
    const BEHIND_PERCENT: [&[u8]; 6] = [
        b"ERROR: ",
        b"FATAL CLIENT ERROR: ",
        b"Fatal error at ",
        b"Error at ",
        b"Error: ",
        b"failed: ",
    ];
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"^C").unwrap_or(line);
    match line {
        [b'%', b' ', rest @ ..] => begins_with(rest, &BEHIND_PERCENT),
        [b'%', b'0'..=b'3', b'|', ..] => true,
        [b'[', ..] => {
            let mut behind_time = line.splitn(2, |byte| *byte == b']').skip(1);
            let rest = behind_time.next().unwrap_or_default();
            begins_with(rest, &[b" ERROR ", b" FATAL "])
        }
        _ => log_tools::is_error(line),
    }
}

/// What stands at the start of a line whose end may not have been read yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// Noise of so many bytes, its line end included.
    Noise(usize),
    /// Something else.
    Other,
    /// The line's end must be read to know.
    Unfinished,
}

/// What stands at the start of a line.
pub(super) fn sight(rest: &[u8], ended: bool) -> Sight {
    if !matches!(
        rest.first(),
        Some(b'%' | b'P' | b'[' | b'|' | b'D' | b'S' | b'b' | b'L' | b'^' | b'0'..=b'9')
    ) && !log_tools::may_begin(rest)
    {
        return Sight::Other;
    }
    // A number is none, and need not have a line end: a clock or a date begins otherwise.
    let (third, fifth) = (rest.get(2), rest.get(4));
    if rest.first().is_some_and(u8::is_ascii_digit)
        && third.is_some_and(|byte| *byte != b':')
        && fifth.is_some_and(|byte| !matches!(byte, b'-' | b'/'))
    {
        return Sight::Other;
    }
    // An array is none, and may be long.
    if rest.first() == Some(&b'[') && rest.get(1).is_some_and(|byte| !byte.is_ascii_digit()) {
        return Sight::Other;
    }
    let end = memchr::memchr(b'\n', rest);
    let line = rest.get(..end.unwrap_or(rest.len())).unwrap_or(rest);
    match end {
        None if !ended && rest.len() < LONGEST => Sight::Unfinished,
        _ if line.len() < LONGEST && is_noise(line) => {
            Sight::Noise(end.map_or(rest.len(), |end| end + 1))
        }
        _ => Sight::Other,
    }
}

/// No line of noise is longer: whoever waits for a line's end need not wait for more.
const LONGEST: usize = 64 << 10;

/// The bytes at the start of a head that are whole lines of noise and blank ones.
pub(super) fn leading(head: &[u8]) -> usize {
    let mut at = 0;
    while let Some(length) = memchr::memchr(b'\n', head.get(at..).unwrap_or_default()) {
        let line = head.get(at..at + length).unwrap_or_default();
        let is_blank = line.iter().all(|byte| is_separator(*byte));
        if !is_blank && !is_noise(line) {
            break;
        }
        at += length + 1;
    }
    at
}

/// The lines of noise between two places of a chunk, at whose start `line` line ends were counted.
fn between(
    bytes: &[u8],
    from: usize,
    to: usize,
    line: u64,
    found: &mut dyn FnMut(usize, usize, u64),
) {
    let mut at = from;
    let stretch = bytes.get(from..to).unwrap_or_default();
    for (piece, line) in stretch.split(|byte| *byte == b'\n').zip(line..) {
        if is_noise(piece) {
            let blanks = piece.iter().take_while(|byte| is_separator(**byte));
            found(at + blanks.count(), at + piece.trim_ascii_end().len(), line);
        }
        at += piece.len() + 1;
    }
}

/// How many lines of noise are between two records.
pub(super) fn count(bytes: &[u8], from: usize, to: usize) -> u64 {
    let mut count = 0;
    // Between most records there is a line end or a comma.
    if to.saturating_sub(from) > 2 {
        between(bytes, from, to, 0, &mut |_, _, _| count += 1);
    }
    count
}

/// Where the lines of noise of a chunk are, the first `most` of them.
pub(super) fn frames(offset_bytes: u64, bytes: &[u8], layout: &Layout, most: usize) -> Vec<Frame> {
    let mut frames = Vec::new();
    let mut found = |start: usize, end: usize, line: u64| {
        if frames.len() < most {
            frames.push(Frame {
                offset_bytes: offset_bytes + start as u64,
                length_bytes: u32::try_from(end - start).unwrap_or(u32::MAX),
                line,
            });
        }
    };
    let lines = |from: usize, to: usize| {
        let between = bytes.get(from..to).unwrap_or_default();
        memchr::memchr_iter(b'\n', between).count() as u64
    };
    match layout {
        Layout::Lines {
            separator: b'\n', ..
        } => between(bytes, 0, bytes.len(), 0, &mut found),
        Layout::Listed(ranges) => {
            let mut at = 0;
            let mut line = 0;
            for (start, end) in ranges {
                between(bytes, at, *start, line, &mut found);
                line += lines(at, *end);
                // One may lie inside the one before.
                at = at.max(*end);
            }
            between(bytes, at, bytes.len(), line, &mut found);
        }
        Layout::Lines { .. } | Layout::TooLong { .. } => {}
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_listed_tool_prints_is_noise() {
        for line in [
            "% Reached end of topic orders [0] at offset 12",
            "% Reached end of topic orders [2] at offset 7: exiting\r",
            "% Auto-selecting Consumer mode (use -P or -C to override)",
            "% ERROR: Topic orders [0] error: Broker: Unknown topic or partition",
            "% Group g rebalanced (memberid rdkafka-1): assigned: orders [0], orders [1]",
            "%4|1772442000.123|FAIL|rdkafka#consumer-1| [thrd:b:9092/1]: b:9092/1: Disconnected (after 1ms)",
            "Processed a total of 12 messages",
            "^CProcessed a total of 12 messages",
            "^C",
            "[2026-03-02 09:00:00,123] WARN [Consumer clientId=c, groupId=g] Bootstrap broker disconnected (org.apache.kafka.clients.NetworkClient)",
            "[2026-03-02 09:00:00,123] ERROR Error processing message, terminating consumer process:  (kafka.tools.ConsoleConsumer$)",
            "SLF4J: Defaulting to no-operation (NOP) logger implementation",
            "Dumping /var/lib/kafka/orders-0/00000000000000000000.log",
            "baseOffset: 0 lastOffset: 0 count: 1 baseSequence: -1 crc: 1 isvalid: true",
            "| offset: 1 CreateTime: 1680383688163 keySize: 4 valueSize: 6 sequence: -1 headerKeys: [] endTxnMarker: COMMIT coordinatorEpoch: 0",
        ] {
            assert!(is_noise(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn errors_are_told_apart() {
        for (line, expected) in [
            (
                "% ERROR: Topic orders [0] error: Broker: Unknown topic",
                true,
            ),
            ("^C% FATAL CLIENT ERROR: x", true),
            ("%3|1772442000.123|FAIL|rdkafka#consumer-1| [x]: y", true),
            ("%4|1772442000.123|FAIL|rdkafka#consumer-1| [x]: y", false),
            (
                "[2026-03-02 09:00:00,123] ERROR x (kafka.tools.ConsoleConsumer$)",
                true,
            ),
            (
                "[2026-03-02 09:00:00,123] WARN ERROR x (kafka.tools.ConsoleConsumer$)",
                false,
            ),
            ("% Reached end of topic ERROR: [0] at offset 12", false),
            (
                "% Auto-selecting Consumer mode (use -P or -C to override)",
                false,
            ),
            ("Processed a total of 12 messages", false),
        ] {
            assert_eq!(is_error(line.as_bytes()), expected, "{line}");
        }
    }

    #[test]
    fn whatever_else_cannot_be_read_is_a_record() {
        for line in [
            "% Headers: [ce_id=\"evt-a1\"]",
            "% something else",
            "% Group of things",
            "%4|now|FAIL|rdkafka#consumer-1| x",
            "%4|1.5|FAIL",
            "%",
            "Processed a total of many messages",
            "Processed a total of 12 messages, and more",
            "[2026-03-02 09:00:00,123] WARN of somebody else's (com.example.Worker)",
            "[2026-03-02 09:00:00] WARN (org.apache.kafka.X)",
            "[1,2]",
            "| offset: 1 headerKeys: [] payload: x headerKeys: [] endTxnMarker: ",
            "^",
            "^Cx",
            "",
            "Dumping",
            "{\"a\":1}",
        ] {
            assert!(!is_noise(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn a_line_may_not_have_been_read_to_its_end() {
        assert_eq!(sight(b"% Reached end of t", false), Sight::Unfinished);
        assert_eq!(sight(b"^C\n{}", false), Sight::Noise(3));
        assert_eq!(sight(b"^C", true), Sight::Noise(2));
        assert_eq!(sight(b"[{\"a\":", false), Sight::Other);
        assert_eq!(sight(b"{}", false), Sight::Other);
    }
}
