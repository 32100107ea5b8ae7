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
