//! What is said of the lines that tools printed beside their records: they are not lost silently.

use super::reader::Reader;
use super::run::Run;
use crate::capture::Framing;
use crate::capture::framing::is_error;
use crate::model::{Beside, BesideLine, Place};

/// How many lines of the capture are no records, and how many batches hold none, in words; nothing
/// where there are none. Those that report an error are told apart: what follows one may be missing.
/// The first of those stands in it as it is: whoever shows it makes it safe.
pub fn beside_text(run: &Run) -> Option<String> {
    let tally = run.tally();
    let lines = match tally.noise_lines {
        0 => None,
        1 => Some("1 line is what a tool prints beside its records, and no record".to_owned()),
        count => Some(format!(
            "{count} lines are what a tool prints beside its records, and no records"
        )),
    };
    let batches = match tally.empty_batches {
        0 => None,
        1 => Some("1 batch is empty: it holds no record".to_owned()),
        count => Some(format!("{count} batches are empty: they hold no record")),
    };
    let told = lines.into_iter().chain(error_text(run)).chain(batches);
    let told: Vec<_> = told.collect();
    (!told.is_empty()).then(|| told.join("; "))
}

/// How many of the lines that are no records report an error, with the first of them, in words. The
/// line stands in it as it is: whoever shows it makes it safe.
pub fn error_text(run: &Run) -> Option<String> {
    let kept = lines(run, usize::MAX);
    let errors: Vec<_> = kept.iter().filter(|line| is_error(&line.bytes)).collect();
    let first = errors.first()?;
    let of_them = if kept.len() as u64 == run.tally().noise_lines {
        "of them".to_owned()
    } else {
        format!("of the first {}", kept.len())
    };
    let file = first.file.as_ref();
    let of_file = file.map_or_else(String::new, |file| format!(" of {file}"));
    let place = format!("line {}{of_file}", first.line);
    let told = match errors.len() {
        1 => format!("1 {of_them} reports an error, {place}"),
        many => format!("{many} {of_them} report errors, the first is {place}"),
    };
    let words = String::from_utf8_lossy(&first.bytes);
    Some(format!("{told}: {words}"))
}

/// How much of a line that is no record is shown.
const SHOWN_BYTES: u32 = 512;

/// What of a capture is no record, with so many of the lines that tools printed.
pub fn beside(run: &Run, most_lines: usize) -> Beside {
    Beside {
        framings: framings(run),
        passed_over: passed_over(run),
        lines: lines(run, most_lines),
    }
}

fn lines(run: &Run, most: usize) -> Vec<BesideLine> {
    let reader = Reader::new(run);
    let shown = |mut place: Place| {
        place.length_bytes = place.length_bytes.min(SHOWN_BYTES);
        BesideLine {
            file: reader.file_name(place).map(str::to_owned),
            line: place.line,
            bytes: reader.bytes(place).unwrap_or_default(),
        }
    };
    run.noise().into_iter().take(most).map(shown).collect()
}

/// Of a file that was not looked at, that it was not read.
fn framings(run: &Run) -> Vec<(Option<String>, String)> {
    let (input, framings) = (run.input(), run.framings());
    if !run.progress().is_finished {
        return Vec::new();
    }
    let files = input.iter().enumerate().map(|(index, file)| {
        let name = (input.count() > 1).then(|| file.name().to_owned());
        let Some(facts) = framings.get(index) else {
            return (name, "not read".to_owned());
        };
        let mut words = facts.framing.map_or("empty", Framing::name).to_owned();
        if facts.has_bom {
            words.push_str(", after a byte order mark");
        }
        if facts.unclosed_array {
            words.push_str(", never closed");
        }
        if let Some(how) = file.compression() {
            words.push_str(", compressed with ");
            words.push_str(how.name());
        }
        (name, words)
    });
    files.collect()
}

fn passed_over(run: &Run) -> Vec<(u64, &'static str)> {
    let tally = run.tally();
    let counted = [
        (tally.blank_lines, "blank lines"),
        (tally.crlf_lines, "lines that end in CR LF"),
        (
            tally.separators,
            "NUL bytes or record separators around records",
        ),
        (tally.byte_order_marks, "byte order marks further on"),
        (tally.batches, "values that hold several records"),
        (tally.empty_batches, "batches that hold no record"),
        (
            tally.noise_lines,
            "lines that tools printed beside their records",
        ),
    ];
    let some = counted.into_iter().filter(|(count, _)| *count > 0);
    some.collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::io::Cursor;

    use super::*;
    use crate::capture::Input;
    use crate::contract::load;
    use crate::engine::BaselinePolicy;

    fn run(text: String) -> Run {
        let input = Input::stream("capture", Box::new(Cursor::new(text.into_bytes()))).unwrap();
        let run = Run::new(input, load(None, None).unwrap(), BaselinePolicy::None);
        run.load(2);
        run
    }

    #[test]
    fn the_lines_have_their_places_and_the_first_thousand_are_kept() {
        let few = run("{\"a\":1}\n\n^C\n{\"a\":2}\nProcessed a total of 2 messages\n".to_owned());
        let places: Vec<_> = few
            .noise()
            .into_iter()
            .map(|place| (place.offset_bytes, place.length_bytes, place.line))
            .collect();
        assert_eq!(places, [(9, 2, 3), (20, 31, 5)]);
        assert!(beside_text(&few).unwrap().starts_with("2 lines are"));
        let text = "% Reached end of topic o [0] at offset 1\n{}\n% ERROR: Topic \u{1b}[2J: gone\n";
        assert_eq!(
            beside_text(&run(text.to_owned())).unwrap(),
            "2 lines are what a tool prints beside its records, and no records; \
             1 of them reports an error, line 3: % ERROR: Topic \u{1b}[2J: gone"
        );
        let errors = "% ERROR: one\n{}\n% ERROR: two\n".to_owned();
        let told = beside_text(&run(errors)).unwrap();
        assert!(told.ends_with("2 of them report errors, the first is line 1: % ERROR: one"));
        // Over several chunks.
        let pad = "x".repeat(1_000);
        let many = run(format!("{{\"a\":\"{pad}\"}}\n^C\n").repeat(3_000));
        assert_eq!(many.tally().noise_lines, 3_000);
        let lines: Vec<_> = many.noise().iter().map(|place| place.line).collect();
        assert_eq!(lines, (1..=1_000).map(|line| 2 * line).collect::<Vec<_>>());
        assert_eq!(beside_text(&run("{}\n".to_owned())), None);
    }
}
