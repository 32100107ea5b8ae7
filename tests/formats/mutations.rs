//! Fixtures with random damage: no panic, no hang, no memory beyond the limits. A plain run makes a
//! few thousand mutations; `REPLAYSCOPE_TEST_MUTATIONS` sets how many.

use std::time::{Duration, Instant};

use super::{fixtures, run_by};

/// What the clock may say of one damaged capture. A hang is far beyond it, a busy machine far below.
const HANG: Duration = Duration::from_secs(20);

/// A small generator with a seed, so that a failure can be had again.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % below.max(1)
    }
}

/// Bytes that mean something to some layer.
const TELLING: &[u8] = b"\"\\{}[]:,\n\r\t \0%-+=/09eEuFP\x1b\x1f\x8b\xff\xc3\xef";

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.next(bytes.len());
    let length = random.next(40).min(bytes.len() - at);
    match random.next(6) {
        0 => bytes[at] = TELLING[random.next(TELLING.len())],
        1 => bytes[at] ^= 1 << random.next(8),
        2 => bytes.insert(at, TELLING[random.next(TELLING.len())]),
        3 => drop(bytes.drain(at..at + length)),
        4 => {
            let piece = bytes[at..at + length].to_vec();
            let to = random.next(bytes.len());
            bytes.splice(to..to, piece);
        }
        _ => bytes.truncate(at.max(1)),
    }
}

#[test]
fn damage_neither_panics_nor_hangs() {
    let asked = std::env::var("REPLAYSCOPE_TEST_MUTATIONS").ok();
    let most: usize = asked.and_then(|text| text.parse().ok()).unwrap_or(4_000);
    let all: Vec<_> = fixtures()
        .into_iter()
        .map(|fixture| (std::fs::read(&fixture.path).unwrap(), fixture))
        .filter(|(bytes, _)| !bytes.is_empty())
        .collect();
    let mut random = Random(417);
    for number in 0..most {
        let (bytes, fixture) = &all[number % all.len()];
        let mut damaged = bytes.clone();
        for _ in 0..=random.next(3) {
            if !damaged.is_empty() {
                mutate(&mut damaged, &mut random);
            }
        }
        let begun = Instant::now();
        let run = run_by(fixture.template().as_deref(), damaged, fixture.loaded());
        let taken = begun.elapsed();
        assert!(
            taken < HANG,
            "{} took {taken:?} at mutation {number}",
            fixture.path.display()
        );
        assert!(run.history().last_record().0 < 1_000_000);
    }
}
