//! What is said of the lines that tools printed beside their records: they are not lost silently.

use super::run::Run;
use crate::capture::framing::is_error;
use crate::model::Place;

/// Of a line that reports an error, so many bytes are told.
const TOLD_BYTES: usize = 160;

/// How many lines of the capture are no records, in words; nothing where there are none. Those that
/// report an error are told apart: what follows one may be missing.
/// The first of those stands in it as it is: whoever shows it makes it safe.
pub fn beside_text(run: &Run) -> Option<String> {
    let count = run.tally().noise_lines;
    let text = match count {
        0 => return None,
        1 => "1 line is what a tool prints beside its records, and no record".to_owned(),
        _ => format!("{count} lines are what a tool prints beside its records, and no records"),
    };
    let kept = run.noise();
    let errors: Vec<_> = kept
        .iter()
        .filter_map(|place| Some((place.line, error(run, *place)?)))
        .collect();
    let Some((line, words)) = errors.first() else {
        return Some(text);
    };
    let of_them = if kept.len() as u64 == count {
        "of them".to_owned()
    } else {
        format!("of the first {}", kept.len())
    };
    let told = match errors.len() {
        1 => format!("1 {of_them} reports an error, line {line}"),
        many => format!("{many} {of_them} report errors, the first is line {line}"),
    };
    Some(format!("{text}; {told}: {words}"))
}

/// A line that reports an error, or the first part of a long one.
fn error(run: &Run, place: Place) -> Option<String> {
    let mut bytes = vec![0; TOLD_BYTES.min(place.length_bytes as usize)];
    let read = run.input().read_exact_at(place.offset_bytes, &mut bytes);
    read.ok().filter(|()| is_error(&bytes))?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
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
