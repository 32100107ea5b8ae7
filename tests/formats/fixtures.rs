//! The fixtures: `fixtures/SHAPE/NAME.EXT`, its trace in `NAME.expected.jsonl`, its contract in
//! `NAME.contract.json` where it is not the default one, the template that wrote it in `NAME.template`
//! where nothing else tells its shape. Where a trace has changed for a reason,
//! `REPLAYSCOPE_WRITE_EXPECTED=1` writes it anew, to be read by a person.

use std::collections::BTreeMap;

use replayscope::capture::unwrap::{Sight, explain, names};
use replayscope::export::{Prefix, write_step};
use replayscope::model::{RecordNo, StepNo};
use replayscope::session::{Reader, Run};

use super::{Fixture, fixtures};

/// The steps as `trace --format jsonl` prints them.
fn trace(run: &Run) -> String {
    let history = run.history();
    let reader = Reader::new(run);
    let at = history.last_step();
    let prefix = Prefix {
        history: &history,
        reader: &reader,
        at,
        closed: &|_| false,
    };
    let mut out = Vec::new();
    for number in 1..=at.0 {
        write_step(&prefix, StepNo(number), &mut out).unwrap();
        out.push(b'\n');
    }
    String::from_utf8(out).unwrap()
}

#[test]
fn every_fixture_has_its_trace() {
    for fixture in fixtures() {
        let found = trace(&fixture.run());
        let expected = fixture.path.with_extension("expected.jsonl");
        if std::env::var_os("REPLAYSCOPE_WRITE_EXPECTED").is_some() {
            std::fs::write(&expected, &found).unwrap();
        }
        let wanted = std::fs::read_to_string(&expected).unwrap_or_default();
        for (number, (found, wanted)) in found.lines().zip(wanted.lines()).enumerate() {
            assert_eq!(
                found,
                wanted,
                "{}: step {}",
                fixture.path.display(),
                number + 1
            );
        }
        assert_eq!(
            found.lines().count(),
            wanted.lines().count(),
            "{}",
            fixture.path.display()
        );
    }
}

/// What claims the outermost wrapper of each record.
fn claims(fixture: &Fixture) -> Vec<Vec<&'static str>> {
    let run = fixture.run();
    let reader = Reader::new(&run);
    let history = run.history();
    (1..=history.last_record().0)
        .map(|record| {
            let place = history.place(RecordNo(record)).unwrap();
            let bytes = reader.bytes(place).unwrap();
            let sights = explain(&bytes).into_iter();
            sights
                .filter(|(_, sight)| *sight == Sight::Fits)
                .map(|(name, _)| name)
                .collect()
        })
        .collect()
}

#[test]
fn exactly_one_shape_claims_each_record() {
    let told = |fixture: &&Fixture| !fixture.is_damaged() && fixture.template().is_none();
    for fixture in fixtures().iter().filter(told) {
        for (index, claims) in claims(fixture).into_iter().enumerate() {
            let wanted = [fixture.shape.as_str()];
            assert_eq!(
                claims,
                wanted,
                "{}: record {}",
                fixture.path.display(),
                index + 1
            );
        }
    }
}

#[test]
fn every_shape_has_a_fixture_and_a_damaged_one() {
    let mut kinds: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for fixture in fixtures() {
        kinds.entry(fixture.shape.clone()).or_default()[usize::from(fixture.is_damaged())] += 1;
    }
    for name in names().chain(["kcat-format"]) {
        let counts = kinds.get(name).copied().unwrap_or_default();
        assert!(
            counts.iter().all(|count| *count > 0),
            "{name}: {counts:?} fixtures, damaged ones"
        );
    }
}
