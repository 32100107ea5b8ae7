//! JSONTestSuite: what must be accepted is, what must be refused is with a place, and whatever is
//! looked at twice is judged the same.

use replayscope::capture::json::{MAX_DEPTH, read};
use replayscope::capture::{Scratch, look, take_apart};
use replayscope::contract::LoadedContract;
use replayscope::model::{Body, ReasonId, State, StepNo};
use replayscope::session::{Reader, Run};

use crate::common::{built_in, print, records, run};
use crate::support::hostile::{JsonCase, Verdict, json_test_suite};

/// Whether the strict reader takes the bytes as one value.
fn is_accepted(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes);
    text.is_ok_and(|text| read(text, MAX_DEPTH, &mut Vec::new()).is_ok())
}

#[test]
fn what_must_be_accepted_is_and_what_must_be_refused_is_not() {
    for case in json_test_suite().unwrap_or_default() {
        match case.verdict {
            Verdict::Accept => assert!(is_accepted(&case.bytes), "{}", case.name),
            Verdict::Refuse => assert!(!is_accepted(&case.bytes), "{}", case.name),
            Verdict::Either => {}
        }
    }
}

#[test]
fn a_refusal_has_a_place_inside_the_bytes() {
    let contract = built_in("cloudevents");
    let mut scratch = Scratch::new(&contract.contract);
    for case in json_test_suite().unwrap_or_default() {
        if is_accepted(&case.bytes) {
            continue;
        }
        let look = look(&case.bytes, &contract.contract, &mut scratch);
        let unreadable = look.unreadable.expect(&case.name);
        let at = unreadable.at.expect(&case.name);
        assert!(at.offset_bytes <= case.bytes.len(), "{}: {at:?}", case.name);
        let before = &case.bytes[..at.offset_bytes];
        let lines = before.split(|byte| *byte == b'\n').count() - 1;
        assert_eq!(at.lines_down, lines as u64, "{}", case.name);
        assert!(at.column >= 1, "{}", case.name);
    }
}

/// What the run, a second reading of the same bytes and the close look say of each record.
fn judgements(run: &Run, contract: &LoadedContract) -> Vec<[Option<ReasonId>; 3]> {
    let history = run.history();
    let reader = Reader::new(run);
    let mut scratch = Scratch::new(&contract.contract);
    let bytes = records(run);
    let steps = (1..=history.last_step().0).map(|number| history.step(StepNo(number)).unwrap());
    steps
        .map(|step| {
            let bytes = &bytes[step.record.0 as usize - 1];
            let decided = step.reason.filter(|_| step.state == State::Unreadable);
            let again = match take_apart(bytes, &contract.contract, &mut scratch).body {
                Body::Unreadable(reason) => Some(reason),
                Body::Delivery(_) | Body::Statement(_) => None,
            };
            let looked = look(bytes, &contract.contract, &mut scratch).unreadable;
            let whole = reader.look(&history, step.number).unwrap();
            let has_fault = looked.as_ref().is_some_and(|found| found.at.is_some());
            assert_eq!(whole.fault.is_some(), has_fault);
            [decided, again, looked.map(|found| found.reason)]
        })
        .collect()
}

/// A whole event on a line, told from the cases by its id.
fn event(id: &str, data: &[u8]) -> Vec<u8> {
    let mut line = format!(r#"{{"specversion":"1.0","id":"{id}","data":"#).into_bytes();
    line.extend_from_slice(data);
    line.extend_from_slice(br#","source":"urn:s","type":"t","subject":"a"}"#);
    line
}

fn agree(case: &JsonCase, bytes: &[u8], contract: &LoadedContract) -> Run {
    let run = run(bytes, contract);
    for (index, [decided, again, looked]) in judgements(&run, contract).into_iter().enumerate() {
        assert_eq!(
            decided, again,
            "{} record {index}: taken apart again",
            case.name
        );
        assert_eq!(decided, looked, "{} record {index}: looked at", case.name);
    }
    print(&run);
    run
}

#[test]
fn every_look_at_a_case_as_a_capture_of_its_own_agrees() {
    let contract = built_in("cloudevents");
    for case in json_test_suite().unwrap_or_default() {
        agree(&case, &case.bytes, &contract);
    }
}

#[test]
fn a_case_on_a_line_of_its_own_leaves_its_neighbours_alone() {
    let contract = built_in("cloudevents");
    let cases = json_test_suite().unwrap_or_default();
    let on_a_line = cases
        .into_iter()
        .filter(|case| !case.bytes.contains(&b'\n'));
    for case in on_a_line {
        let lines = [
            event("before", b"1"),
            case.bytes.clone(),
            event("after", b"2"),
            Vec::new(),
        ];
        let run = agree(&case, &lines.join(&b'\n'), &contract);
        let records = records(&run);
        assert_eq!(records.first(), lines.first(), "{}", case.name);
        assert_eq!(records.last(), lines.get(2), "{}", case.name);
        let history = run.history();
        for step in [StepNo(1), history.last_step()] {
            assert_eq!(
                history.step(step).unwrap().state,
                State::Applied,
                "{}",
                case.name
            );
        }
    }
}

#[test]
fn a_payload_is_judged_as_strictly_as_a_record() {
    let contract = built_in("cloudevents");
    let mut judged = 0;
    for case in json_test_suite().unwrap_or_default() {
        if case.bytes.contains(&b'\n') {
            continue;
        }
        // Behind a whole line, so that a line is a record whatever is wrong in it.
        let lines = [event("before", b"1"), event("evt", &case.bytes)];
        let run = agree(&case, &lines.join(&b'\n'), &contract);
        let history = run.history();
        assert_eq!(history.last_record().0, 2, "{}", case.name);
        let state = history.step(StepNo(2)).unwrap().state;
        match case.verdict {
            Verdict::Accept => assert_eq!(state, State::Applied, "{}", case.name),
            Verdict::Refuse => assert_eq!(state, State::Unreadable, "{}", case.name),
            // One level deeper than alone, which no case of the suite is near enough to notice.
            Verdict::Either => {
                assert_eq!(
                    state == State::Applied,
                    is_accepted(&case.bytes),
                    "{}",
                    case.name
                );
            }
        }
        judged += 1;
    }
    assert!(judged == 0 || judged > 250, "{judged}");
}
