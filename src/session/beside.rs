//! What is said of the lines that tools printed beside their records: they are not lost silently.

use super::run::Run;

/// How many lines of the capture are no records, in words; nothing where there are none.
pub fn beside_text(run: &Run) -> Option<String> {
    match run.tally().noise_lines {
        0 => None,
        1 => Some("1 line is what a tool prints beside its records, and no record".to_owned()),
        count => Some(format!(
            "{count} lines are what a tool prints beside its records, and no records"
        )),
    }
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
        // Over several chunks.
        let pad = "x".repeat(1_000);
        let many = run(format!("{{\"a\":\"{pad}\"}}\n^C\n").repeat(3_000));
        assert_eq!(many.tally().noise_lines, 3_000);
        let lines: Vec<_> = many.noise().iter().map(|place| place.line).collect();
        assert_eq!(lines, (1..=1_000).map(|line| 2 * line).collect::<Vec<_>>());
        assert_eq!(beside_text(&run("{}\n".to_owned())), None);
    }
}
