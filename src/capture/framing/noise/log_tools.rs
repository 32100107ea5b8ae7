//! What the tools that collect logs print beside the lines they collect: docker compose, stern, kubectl,
//! journalctl, logcli, and AWS Lambda around each invocation.
//!
//! Each is told by its whole pattern, because a log is full of ordinary lines: what an application
//! prints must stay a record. None of them is indented, so that a bullet in a text stays one too.

use super::super::super::ansi;
use super::begins_with;

/// Whole lines: of docker compose where it is interrupted (`cmd/compose/up.go`, compose v1's
/// `cli/main.py`), and of journalctl (`journalctl-show.c`).
const WHOLE: [&[u8]; 5] = [
    b"Gracefully stopping... (press Ctrl+C again to force)",
    b"Gracefully Stopping... press Ctrl+C again to force",
    b"Aborting on container exit...",
    b"-- No entries --",
    b"-- Reboot --",
];

/// How lines begin and end that have something of their own between: kubectl's choice of a container
/// (kubectl's `podcmd.go`, and as it was put before 1.21), journalctl's range and boots, logcli's query
/// (`pkg/logcli/client` and `query`).
const AROUND: [(&[u8], &[u8]); 10] = [
    (b"Defaulted container \"", b""),
    (b"Defaulting container name to ", b"."),
    (b"-- Logs begin at ", b" --"),
    (b"-- Journal begins at ", b" --"),
    (BOOT, b" --"),
    (b"Common labels: {", b"}"),
    (b"Common labels: \x1b[31m{", b"}\x1b[0m"),
    (b"Ignoring labels key: ", b""),
    (b"Print only labels key: ", b""),
    (b"INIT_START Runtime Version: ", b""),
];

/// A boot's number in the journal has 32 digits.
const BOOT: &[u8] = b"-- Boot ";

const ATTACHING: &[u8] = b"Attaching to ";
const EXITED: &[u8] = b" exited with code ";
const NO_LOGS: &[u8] = b"unable to retrieve container logs for ";
const BETWEEN: &[u8] = "›".as_bytes();
const POD_AND_CONTAINER: &[u8] = " › ".as_bytes();
const REQUEST: &[u8] = b" RequestId: ";

/// What erases the line, which docker compose writes before a container's end (`formatter/logs.go`).
const ERASE: &[u8] = b"\x1b[K";

/// What compose writes behind a line end that it coloured too.
const COLOUR_ENDS: &[u8] = b"\x1b[0m";

/// A line with a container's or a pod's name is no longer.
const SHORT_MAX: usize = 1 << 10;

/// Whether a line is what such a tool prints beside the lines it collects.
pub(super) fn is_it(line: &[u8]) -> bool {
    match line.first() {
        // A coloured line of a log begins so too: only what may be one of these is looked into.
        Some(0x1b) => {
            let holds = |mark: &[u8]| memchr::memmem::find(line, mark).is_some();
            line == COLOUR_ENDS
                || (line.len() <= SHORT_MAX && (holds(BETWEEN) || holds(EXITED)))
                    && (is_plain(&uncoloured(line)) || exit_code(line).is_some())
        }
        Some(b' ' | b'\t') | None => false,
        Some(_) => is_plain(line),
    }
}

fn uncoloured(line: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(line);
    ansi::stripped(&text).trim().as_bytes().to_vec()
}

fn is_plain(line: &[u8]) -> bool {
    let is_told = match line.first() {
        Some(b'+') => is_sterns(line),
        Some(b'-') => is_sterns(line) || is_told_around(line),
        Some(b'A' | b'G' | b'D' | b'C' | b'I' | b'P') => is_told_around(line),
        Some(b'S' | b'E' | b'R') => is_lambdas(line),
        Some(b'u') => is_lost_log(line),
        Some(b'F') => is_found(line),
        Some(b'h') => is_query(line),
        Some(b'0'..=b'9') => {
            behind_date(line).is_some_and(|rest| is_told_around(rest) || is_query(rest))
        }
        _ => false,
    };
    is_told || exit_code(line).is_some()
}

fn is_told_around(line: &[u8]) -> bool {
    let around = |(beginning, end): &(&[u8], &[u8])| {
        let rest = line.strip_prefix(*beginning);
        rest.is_some_and(|rest| rest.ends_with(end))
    };
    if line.starts_with(b"Defaulted ") {
        return line.starts_with(b"Defaulted container \"")
            && memchr::memmem::find(line, b"\" out of: ").is_some();
    }
    if let Some(rest) = line.strip_prefix(BOOT) {
        let id = rest.strip_suffix(b" --").unwrap_or_default();
        return id.len() == 32 && id.iter().all(u8::is_ascii_hexdigit);
    }
    WHOLE.contains(&line) || AROUND.iter().any(around) || is_attaching(line)
}

/// Go's `log` writes a date before what logcli says: `2026/03/02 09:00:00 Common labels: …`.
fn behind_date(line: &[u8]) -> Option<&[u8]> {
    const PATTERN: &[u8] = b"0000/00/00 00:00:00 ";
    let (date, rest) = line.split_at_checked(PATTERN.len())?;
    let mut pairs = date.iter().zip(PATTERN);
    let is_date = pairs.all(|(byte, wanted)| match wanted {
        b'0' => byte.is_ascii_digit(),
        _ => byte == wanted,
    });
    is_date.then_some(rest)
}

fn is_token(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_graphic)
}

/// `Attaching to orders-1, payments-1`: several containers, or one that compose has numbered.
fn is_attaching(line: &[u8]) -> bool {
    let Some(names) = line.strip_prefix(ATTACHING) else {
        return false;
    };
    let mut count = 0;
    let mut is_numbered = false;
    let are_names = names.split(|byte| *byte == b',').all(|name| {
        let name = match count {
            0 => Some(name),
            _ => name.strip_prefix(b" "),
        };
        count += 1;
        is_numbered |= name.is_some_and(is_numbered_name);
        name.is_some_and(is_name)
    });
    are_names && (is_numbered || count > 1)
}

/// A container's name, as docker allows it.
fn is_name(name: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    name.first().is_some_and(u8::is_ascii_alphanumeric) && name.iter().all(is_part)
}

/// `shop_orders_1`, `orders-1`: as compose names a container.
fn is_numbered_name(name: &[u8]) -> bool {
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit());
    let digits = digits.count();
    let before = name.len().checked_sub(digits + 1);
    let mark = before.and_then(|at| name.get(at));
    digits > 0 && is_name(name) && matches!(mark, Some(b'-' | b'_'))
}

/// The code of `orders-1 exited with code 0`. A process of an application may end so as well: the name
/// is one that compose has numbered, or compose erased the line before it.
fn exit_code(line: &[u8]) -> Option<u64> {
    let line = line.trim_ascii();
    if line.len() > SHORT_MAX {
        return None;
    }
    let is_erased = line.first() == Some(&0x1b) && memchr::memmem::find(line, ERASE).is_some();
    let plain = is_erased.then(|| uncoloured(line));
    let line = plain.as_deref().unwrap_or(line);
    let last = memchr::memrchr(b' ', line)?;
    let (head, code) = line.split_at_checked(last + 1)?;
    let name = head.strip_suffix(EXITED)?;
    let is_container = if is_erased {
        is_name(name)
    } else {
        is_numbered_name(name)
    };
    let code = std::str::from_utf8(code).ok()?;
    let is_number = code.bytes().all(|byte| byte.is_ascii_digit());
    code.parse().ok().filter(|_| is_container && is_number)
}

/// `+ [NAMESPACE ]POD › CONTAINER`, and `-` at its end (stern's `tail.go`).
fn is_sterns(line: &[u8]) -> bool {
    let [b'+' | b'-', b' ', rest @ ..] = line else {
        return false;
    };
    let Some(at) = memchr::memmem::find(rest, POD_AND_CONTAINER) else {
        return false;
    };
    let pod = rest.get(..at).unwrap_or_default();
    let container = rest.get(at + POD_AND_CONTAINER.len()..).unwrap_or_default();
    let mut names = pod.split(|byte| *byte == b' ').chain([container]);
    let count = memchr::memchr_iter(b' ', pod).count();
    count < 2 && names.all(is_kubernetes_name)
}

/// RFC 1123's subdomain, as Kubernetes names what it has.
fn is_kubernetes_name(name: &[u8]) -> bool {
    let is_part = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.');
    name.first().is_some_and(u8::is_ascii_alphanumeric) && name.iter().all(is_part)
}

/// `unable to retrieve container logs for containerd://4f3a…` (the kubelet's `kuberuntime_container.go`).
fn is_lost_log(line: &[u8]) -> bool {
    let id = line.strip_prefix(NO_LOGS).unwrap_or_default();
    let at = memchr::memmem::find(id, b"://").map(|at| at + 3);
    let hash = at.and_then(|at| id.get(at..)).unwrap_or_default();
    !hash.is_empty() && is_token(id) && hash.iter().all(u8::is_ascii_hexdigit)
}

/// `Found 2 pods, using pod/orders-6d9f-abcde` (kubectl's `logsforobject.go`).
fn is_found(line: &[u8]) -> bool {
    let rest = line.strip_prefix(b"Found ").unwrap_or_default();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let pod = rest.get(digits..).unwrap_or_default();
    let pod = pod.strip_prefix(b" pods, using pod/");
    digits > 0 && pod.is_some_and(is_kubernetes_name)
}

/// The address that logcli asks, as a line by itself.
fn is_query(line: &[u8]) -> bool {
    const PATHS: [&[u8]; 3] = [
        b"/loki/api/v1/query_range?",
        b"/loki/api/v1/query?",
        b"/api/prom/query?",
    ];
    begins_with(line, &[b"http://", b"https://"])
        && is_token(line)
        && PATHS
            .iter()
            .any(|path| memchr::memmem::find(line, path).is_some())
}

/// What Lambda writes around an invocation: `START RequestId: … Version: …`, `END RequestId: …` and
/// `REPORT RequestId: …` with what it took (AWS Lambda's guide, "Lambda log formats").
fn is_lambdas(line: &[u8]) -> bool {
    let Some(at) = memchr::memmem::find(line.get(..REPORT_BEGIN).unwrap_or(line), REQUEST) else {
        return false;
    };
    let rest = line.get(at + REQUEST.len()..).unwrap_or_default();
    let end = rest.iter().position(u8::is_ascii_whitespace);
    let (id, rest) = rest
        .split_at_checked(end.unwrap_or(rest.len()))
        .unwrap_or_default();
    let rest = rest.trim_ascii_start();
    is_token(id)
        && match line.get(..at) {
            Some(b"START") => rest.strip_prefix(b"Version: ").is_some_and(is_token),
            Some(b"END") => rest.is_empty(),
            Some(b"REPORT") => rest.starts_with(b"Duration: "),
            _ => false,
        }
}

/// The longest beginning of a line of Lambda's.
const REPORT_BEGIN: usize = b"REPORT RequestId: ".len();

/// Whether such a line says that something went wrong: a container that failed, a log that is gone, an
/// invocation that failed or took too long.
pub(super) fn is_error(line: &[u8]) -> bool {
    let is_failed_report = || {
        let failures: [&[u8]; 3] = [b"Status: error", b"Status: timeout", b"Status: failure"];
        let mut failures = failures.iter();
        line.starts_with(b"REPORT")
            && is_lambdas(line)
            && failures.any(|failure| memchr::memmem::find(line, failure).is_some())
    };
    exit_code(line)
        .or_else(|| exit_code(&uncoloured(line)))
        .is_some_and(|code| code != 0)
        || is_lost_log(line)
        || is_failed_report()
}

/// Whether a line that begins with these bytes may be one of them, as far as they tell it.
pub(super) fn may_begin(rest: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 13] = [
        ATTACHING,
        NO_LOGS,
        b"Gracefully ",
        b"Aborting on ",
        b"-- ",
        b"+ ",
        b"- ",
        b"Found ",
        b"http",
        b"START RequestId: ",
        b"END RequestId: ",
        b"REPORT RequestId: ",
        b"\x1b[",
    ];
    let agrees = |beginning: &[u8]| {
        let length = beginning.len().min(rest.len());
        rest.get(..length) == beginning.get(..length)
    };
    let name = rest.iter().take_while(|byte| is_name(&[b'a', **byte]));
    let (name, behind) = rest.split_at_checked(name.count()).unwrap_or_default();
    let length = EXITED.len().min(behind.len());
    // A number is no container's name, and need not have a line end.
    let is_number = rest.first().is_some_and(u8::is_ascii_digit);
    let may_exit = behind.get(..length) == EXITED.get(..length) && is_name(name) && !is_number;
    may_exit
        || BEGINNINGS.iter().any(|beginning| agrees(beginning))
        || AROUND.iter().any(|(beginning, _)| agrees(beginning))
}

#[cfg(test)]
mod tests {
    use super::super::{Sight, is_error, is_noise, sight};

    const LINES: [&str; 36] = [
        "Attaching to shop_consumer_1",
        "Attaching to consumer-1, kafka",
        "Attaching to kafka, zookeeper\r",
        "shop_consumer_1 exited with code 0",
        "consumer-1 exited with code 137",
        "\r\u{1b}[Kkafka exited with code 0",
        "\u{1b}[36m\r\u{1b}[Kconsumer-1 exited with code 1",
        "\u{1b}[36mshop_consumer_1 exited with code 0\u{1b}[0m",
        "^CGracefully stopping... (press Ctrl+C again to force)",
        "Gracefully Stopping... press Ctrl+C again to force",
        "Aborting on container exit...",
        "+ consumer-6d9f-abcde › app",
        "- consumer-6d9f-abcde › app",
        "+ shop consumer-6d9f-abcde › app",
        "\u{1b}[92;1m+\u{1b}[0m \u{1b}[36mconsumer-6d9f-abcde\u{1b}[0m › \u{1b}[36mapp\u{1b}[0m",
        "Defaulted container \"app\" out of: app, istio-proxy, istio-init (init)",
        "Defaulting container name to app.",
        "Found 2 pods, using pod/consumer-6d9f-abcde",
        "unable to retrieve container logs for containerd://e788ff6eb312b2594610893b7264098144fbab07",
        "-- Logs begin at Mon 2026-03-02 06:29:00 UTC, end at Mon 2026-03-02 14:03:11 UTC. --",
        "-- Journal begins at Mon 2026-03-02 06:29:00 UTC, ends at Mon 2026-03-02 14:03:11 UTC. --",
        "-- No entries --",
        "-- Reboot --",
        "-- Boot 6f5ad5a2b5a44dd9a8d3e5a2d6a0e0c1 --",
        "Common labels: {app=\"orders\", pod=\"orders-1\"}",
        "2026/03/02 09:00:00 Common labels: \u{1b}[31m{app=\"orders\"}\u{1b}[0m",
        "Ignoring labels key: pod",
        "http://localhost:3100/loki/api/v1/query_range?direction=BACKWARD&limit=30&query=%7Bapp%3D%22o%22%7D",
        "2026/03/02 09:00:00 https://logs.example.com/loki/api/v1/query_range?limit=30",
        "START RequestId: 01e59edf-515f-4d5e-91ce-1c1d487d2d4a Version: $LATEST",
        "START RequestId: a Version: 7",
        "END RequestId: 01e59edf-515f-4d5e-91ce-1c1d487d2d4a",
        "REPORT RequestId: a\tDuration: 2.1 ms\tBilled Duration: 3 ms\tMemory Size: 128 MB\tMax Memory Used: 60 MB",
        "REPORT RequestId: a  Duration: 2.1 ms  Billed Duration: 3 ms",
        "REPORT RequestId: a\tDuration: 3000.00 ms\tStatus: timeout",
        "INIT_START Runtime Version: python:3.12.v11\tRuntime Version ARN: arn:aws:lambda:us-east-1::runtime:0eb6",
    ];

    #[test]
    fn what_collects_logs_prints_lines_of_its_own() {
        for line in LINES {
            assert!(is_noise(line.as_bytes()), "{line:?}");
            let line = line.trim_start();
            let length = line.len() + 1;
            let ended = format!("{line}\n{{}}");
            assert_eq!(
                sight(ended.as_bytes(), false),
                Sight::Noise(length),
                "{line:?}"
            );
            // However little of it was read, its end is waited for.
            for end in 1..line.len() {
                let (head, _) = line.as_bytes().split_at(end);
                assert_eq!(sight(head, false), Sight::Unfinished, "{line:?} {end}");
            }
        }
    }

    #[test]
    fn what_an_application_prints_is_a_record() {
        for line in [
            "Attaching to debugger",
            "Attaching to the process",
            "Attaching to consumer-1 and more",
            "Attaching to ",
            "process exited with code 1",
            "the worker exited with code 1",
            "worker-1 exited with code one",
            "worker-1 exited with code 1 after 3 tries",
            "\u{1b}[36mworker exited with code 1\u{1b}[0m",
            "consumer-1  | orders-1 exited with code 0",
            "\u{1b}[36mconsumer-1  |\u{1b}[0m a › b",
            "+ 1 › 2 › 3",
            "- Settings › Profile",
            "  - settings › profile",
            "+ a b c › d",
            "+ orders",
            "Defaulted container \"app\"",
            "Defaulted container to app",
            "unable to retrieve container logs for orders",
            "unable to retrieve container logs for containerd://e788 {\"a\":1}",
            "Found 2 pods",
            "Found two pods, using pod/x",
            "-- Logs begin at noon",
            "-- No entries",
            "-- a comment --",
            "-- Boot complete --",
            "Common labels: app",
            "Common labels: {app} and others",
            "http://localhost:3100/orders?limit=30",
            "http://localhost:3100/loki/api/v1/query_range?limit=30 failed",
            "2026/03/02 09:00:00 orders {\"a\":1}",
            "START RequestId: a",
            "START RequestId: a Version: 1 of it",
            "RESTART RequestId: a Version: 1",
            "END RequestId: a b",
            "REPORT RequestId: a",
            "INIT_START",
        ] {
            assert!(!is_noise(line.as_bytes()), "{line:?}");
        }
    }

    #[test]
    fn a_container_that_failed_and_a_log_that_is_gone_are_errors() {
        let errors: Vec<_> = LINES
            .into_iter()
            .filter(|line| is_error(line.as_bytes()))
            .collect();
        assert_eq!(
            errors,
            [
                "consumer-1 exited with code 137",
                "\u{1b}[36m\r\u{1b}[Kconsumer-1 exited with code 1",
                "unable to retrieve container logs for containerd://e788ff6eb312b2594610893b7264098144fbab07",
                "REPORT RequestId: a\tDuration: 3000.00 ms\tStatus: timeout",
            ]
        );
    }

    #[test]
    fn a_line_that_can_be_none_is_not_waited_for() {
        for head in ["orders {", "consumer-1  | {", "-5", "12345", "true,"] {
            assert_eq!(sight(head.as_bytes(), false), Sight::Other, "{head:?}");
        }
    }
}
