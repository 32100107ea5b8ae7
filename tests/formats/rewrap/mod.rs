//! A native log in other tools' wrappers has the verdicts that it has bare.
//!
//! A wrapper here is a function from a log's records to a capture. The wrappers state no times, or all
//! the same: when a delivery was received is the native record's own word, where it has one.

mod brokers;
mod clouds;
mod containers;
mod kafka;

use proptest::prelude::*;
use replayscope::contract::load;
use replayscope::model::{FindingCode, StepNo};
use replayscope::session::Run;
use serde_json::Value;

use super::{logs, run};

/// Makes a capture of a log's records.
pub type Wrap = fn(&[String]) -> Vec<u8>;

/// Every wrapper there is, by name.
fn wraps() -> Vec<(&'static str, Wrap)> {
    [
        kafka::WRAPS,
        containers::WRAPS,
        clouds::WRAPS,
        brokers::WRAPS,
    ]
    .concat()
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
}
