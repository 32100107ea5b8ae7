//! A native log in other tools' wrappers has the verdicts that it has bare.
//!
//! A wrapper here is a function from a log's records to a capture. The wrappers state no times, or all
//! the same: when a delivery was received is the native record's own word, where it has one.

mod brokers;
mod clouds;
mod containers;
mod display;
mod kafka;

use proptest::prelude::*;
use replayscope::contract::load;
use replayscope::model::{FindingCode, StepNo};
use replayscope::session::Run;
use serde_json::Value;

use super::{logs, run, run_by};

/// Makes a capture of a log's records.
pub type Wrap = fn(&[String]) -> Vec<u8>;

/// Every wrapper there is, by name.
fn wraps() -> Vec<(&'static str, Wrap)> {
    [
        kafka::WRAPS,
        containers::WRAPS,
        clouds::WRAPS,
        brokers::WRAPS,
        display::WRAPS,
    ]
    .concat()
}

/// Those that make of one record one line that is an object, or a block with one such line around each
/// of its own.
fn of_lines() -> Vec<Wrap> {
    let order = r#"{"order":{"id":"o","status":"paid","version":1}}"#;
    let event = r#"{"specversion":"1.0","id":"a","source":"urn:x","type":"t"}"#;
    let makes_lines = |wrap: &Wrap, probe: &str| {
        let text = String::from_utf8(wrap(&[probe.to_owned()])).unwrap_or_default();
        let mut lines = text.lines();
        text.ends_with('\n') && lines.all(|line| line.starts_with('{') && line.ends_with('}'))
    };
    let makes_a_line = |wrap: &Wrap| {
        let text = String::from_utf8(wrap(&[order.to_owned()])).unwrap_or_default();
        text.lines().count() == 1 && makes_lines(wrap, order) && makes_lines(wrap, event)
    };
    let all = wraps().into_iter().map(|(_, wrap)| wrap);
    let found: Vec<Wrap> = all.filter(makes_a_line).collect();
    assert!(found.len() > 10, "{}", found.len());
    found
}

/// A JSON text as the inside of a JSON string, quotes included.
pub fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// One line a record.
pub fn lines(records: &[String], line: impl Fn(usize, &str) -> String) -> Vec<u8> {
    let lines: Vec<String> = records
        .iter()
        .enumerate()
        .map(|(number, record)| line(number, record) + "\n")
        .collect();
    lines.concat().into_bytes()
}

/// What each step came to, without what a wrapper's own time may add.
fn verdicts(run: &Run) -> Vec<String> {
    let history = run.history();
    (1..=history.last_step().0)
        .map(|number| {
            let step = history.step(StepNo(number)).unwrap();
            let findings: Vec<_> = step
                .findings
                .iter()
                .filter(|finding| finding.code != FindingCode::ReceivedAtWentBack)
                .collect();
            let reason = step.reason.map(|reason| history.reason_name(reason));
            let (kind, state) = (step.kind, step.state);
            format!(
                "{} {kind:?} {state:?} {reason:?} {:?} {findings:?}",
                step.record, step.first
            )
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn wrappers_change_no_verdict(records in logs::log()) {
        let native = verdicts(&run(lines(&records, |_, record| record.to_owned()), load(None, None).unwrap()));
        for (name, wrap) in wraps() {
            let wrapped = verdicts(&run(wrap(&records), load(None, None).unwrap()));
            prop_assert_eq!(&wrapped, &native, "{}", name);
        }
    }

    #[test]
    fn templates_change_no_verdict(records in logs::log()) {
        let loaded = || load(None, None).unwrap();
        let native = verdicts(&run(lines(&records, |_, record| record.to_owned()), loaded()));
        for (template, wrap) in kafka::TEMPLATES {
            let wrapped = verdicts(&run_by(Some(template), wrap(&records), loaded()));
            prop_assert_eq!(&wrapped, &native, "{}", template);
        }
    }

    /// What one record is in must not change how the next one is read.
    #[test]
    fn wrappers_at_random_change_no_verdict(
        records in logs::log(),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 61),
    ) {
        let loaded = || load(None, None).unwrap();
        let native = verdicts(&run(lines(&records, |_, record| record.to_owned()), loaded()));
        let wraps = of_lines();
        let mixed = lines(&records, |number, record| {
            // The first line is bare: it makes the capture one of lines.
            let choice = picks[number].index(2 * wraps.len());
            match wraps.get(choice).filter(|_| number > 0) {
                Some(wrap) => {
                    let text = String::from_utf8(wrap(&[record.to_owned()])).unwrap();
                    text.trim_end().to_owned()
                }
                None => record.to_owned(),
            }
        });
        prop_assert_eq!(verdicts(&run(mixed, loaded())), native);
    }
}
