//! Captures that `kcat -f` wrote, by the template it was given (`--kcat-format`): where the template
//! fits, there is a record.
//!
//! Where it does not fit, the line is a record by itself, which then says what was expected; of a
//! template over several lines it goes on to the line that begins as the template does. Lines that kcat
//! prints beside its records are noise, and so are empty lines: a message without key and value, which
//! `%s\n` shows as one, cannot be told from them.

use super::super::template::{Fit, Template};
use super::chunk::is_separator;
use super::noise::{self, Sight};
use super::scanning::Found;

/// The records at the start of some bytes, and how many of the bytes are done with.
pub(super) fn scan(template: &Template, bytes: &[u8], ended: bool) -> Found {
    let mut ranges = Vec::new();
    let mut consumed = 0;
    while let Some(rest) = bytes.get(consumed..).filter(|rest| !rest.is_empty()) {
        match noise::sight(rest, ended) {
            Sight::Noise(length) => {
                consumed += length;
                continue;
            }
            Sight::Unfinished => break,
            Sight::Other => {}
        }
        let length = match template.fit(rest, ended) {
            Fit::Whole { end, next, .. } if end > 0 => {
                ranges.push((consumed, consumed + end));
                next
            }
            Fit::Whole { next, .. } => next.max(1),
            Fit::More => break,
            Fit::Not { .. } => match misfit(template, rest, ended) {
                Some(length) => {
                    let lines = rest.get(..length).unwrap_or(rest);
                    let last = lines.iter().rposition(|byte| !is_separator(*byte));
                    if let Some(last) = last {
                        ranges.push((consumed, consumed + last + 1));
                    }
                    length
                }
                None => break,
            },
        };
        consumed += length;
    }
    (ranges, consumed.min(bytes.len()))
}

/// The length of what fits nothing: a line, or as many as stand before one that may begin a record.
/// `None`: more must be read.
fn misfit(template: &Template, rest: &[u8], ended: bool) -> Option<usize> {
    let beginning = template.beginning();
    let beginning = beginning.filter(|_| template.is_of_several_lines());
    let mut end = 0;
    loop {
        let below = rest.get(end..).unwrap_or_default();
        let Some(length) = memchr::memchr(b'\n', below) else {
            return ended.then_some(rest.len());
        };
        let is_blank = rest
            .get(..end + length)?
            .iter()
            .all(|byte| is_separator(*byte));
        end += length + 1;
        let Some(beginning) = beginning.filter(|_| !is_blank) else {
            return Some(end);
        };
        let below = rest.get(end..).unwrap_or_default();
        let is_unfinished = below.len() < beginning.len() && beginning.starts_with(below);
        if is_unfinished && !ended {
            return None;
        }
        if below.is_empty() || below.starts_with(beginning) || noise::is_noise(line(below)) {
            return Some(end);
        }
    }
}

fn line(bytes: &[u8]) -> &[u8] {
    let end = memchr::memchr(b'\n', bytes);
    bytes.get(..end.unwrap_or(bytes.len())).unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records<'a>(template: &str, text: &'a str) -> Vec<&'a str> {
        let template = Template::parse(template);
        assert!(template.is_ok(), "{template:?}");
        let Ok(template) = template else {
            return Vec::new();
        };
        let of = |ranges: Vec<(usize, usize)>, text: &'a str| -> Vec<&'a str> {
            let ranges = ranges.into_iter();
            ranges.filter_map(|(from, to)| text.get(from..to)).collect()
        };
        let (ranges, consumed) = scan(&template, text.as_bytes(), true);
        assert_eq!(consumed, text.len());
        let whole = of(ranges, text);
        // However the bytes come, the records are the same.
        for cut in (0..text.len()).filter(|cut| text.is_char_boundary(*cut)) {
            let head = text.get(..cut).unwrap_or_default();
            let (ranges, done) = scan(&template, head.as_bytes(), false);
            let rest = text.get(done..).unwrap_or_default();
            let mut pieces = of(ranges, head);
            pieces.extend(of(scan(&template, rest.as_bytes(), true).0, rest));
            assert_eq!(pieces, whole, "{text:?} cut at {cut}");
        }
        whole
    }

    #[test]
    fn lines_that_fit_and_lines_that_do_not() {
        let text = "% Reached end of topic orders [0] at offset 2\norders [0] 1: {}\nstray\n\norders [x] 2: {}\r\norders [0] 3: {}\r\norders [0] 4: ";
        let wanted = [
            "orders [0] 1: {}",
            "stray",
            "orders [x] 2: {}",
            "orders [0] 3: {}",
            "orders [0] 4: ",
        ];
        assert_eq!(records("%t [%p] %o: %s\\n", text), wanted);
    }

    #[test]
    fn payloads_over_several_lines() {
        let pretty = "o 1 {\n \"a\": [\n1]\n}\no 2 {\n \"a\": \no 3 []\no 4 plain\nmore\n";
        let wanted = [
            "o 1 {\n \"a\": [\n1]\n}",
            "o 2 {",
            " \"a\":",
            "o 3 []",
            "o 4 plain",
            "more",
        ];
        assert_eq!(records("%t %o %s\\n", pretty), wanted);
        let sized = "3:a\nb\n5:{\n\n}1\n-1:\n0:NULL\n9:abc\n1:x\n99999999999:x\n2:yz";
        let wanted = [
            "3:a\nb",
            "5:{\n\n}1",
            "-1:",
            "0:NULL",
            "9:abc",
            "1:x",
            "99999999999:x",
            "2:yz",
        ];
        assert_eq!(records("%S:%s\\n", sized), wanted);
        assert_eq!(
            records("%S:%s", "2:ab1:c-1:0:"),
            ["2:ab", "1:c", "-1:", "0:"]
        );
    }

    #[test]
    fn a_template_of_several_lines() {
        let template = "\\nKey (%K bytes): %k\\t\\nValue (%S bytes): %s\\n\\Partition: %p\\n--\\n";
        let text = "\nKey (1 bytes): k\t\nValue (3 bytes): a\nb\nPartition: 0\n--\n\
                    \nKey (-1 bytes): \t\nValu\n--\n\nKey (0 bytes): \t\nValue (-1 bytes): \nPartition: 1\n--\n";
        let wanted = [
            "Key (1 bytes): k\t\nValue (3 bytes): a\nb\nPartition: 0",
            "Key (-1 bytes): \t\nValu\n--",
            "Key (0 bytes): \t\nValue (-1 bytes): \nPartition: 1",
        ];
        assert_eq!(records(template, text), wanted);
        let text = "a\nk:b\n{\n}\n--\nb\n\n[1]\n--\n";
        assert_eq!(
            records("%t\\n%k\\n%s\\n--\\n", text),
            ["a\nk:b\n{\n}", "b\n\n[1]"]
        );
    }
}
