//! Which pair of places is an aggregate and its version: within one aggregate, versions count up by
//! one and no two events share one.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::profile::{Event, Place, Profile, Seen};

/// Steps from one version to the next that must be seen before anything is said.
const PAIRS_MIN: usize = 3;

/// Of these, the share that must count up by one.
const SHARE_MIN: f64 = 0.8;

/// Names that a version is likely to have, the likeliest first.
const NAMES: [&str; 6] = ["version", "revision", "sequence", "seq", "number", "rev"];

/// A pair of places, and what speaks for it.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    /// The aggregate's place, by index.
    pub(super) aggregate: usize,
    /// The version's place, by index.
    pub(super) version: usize,
    /// Events that have both.
    pub(super) events: usize,
    /// Aggregates with more than one version.
    pub(super) aggregates: usize,
    /// Steps from one version to the next above it.
    pub(super) pairs: usize,
    /// Those that count up by one.
    pub(super) by_one: usize,
    /// Events that carry a version that another event of the aggregate has too.
    pub(super) shared: usize,
    /// The version that most aggregates begin with, and how many do.
    pub(super) first: (u64, usize),
    /// All aggregates.
    pub(super) all: usize,
}

impl Counted {
    fn share(&self) -> f64 {
        share(self.by_one, self.pairs) * share(self.events - self.shared, self.events)
    }
}

fn share(part: usize, whole: usize) -> f64 {
    #[allow(
        clippy::cast_precision_loss,
        reason = "a share of a few hundred thousand needs no more digits"
    )]
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// The best pair, if any is good enough.
pub(super) fn best(profile: &Profile) -> Option<Counted> {
    let events = profile.events.len();
    let is_common = |count: usize| count * 2 > events;
    let places = || profile.places.iter().enumerate();
    let aggregates: Vec<usize> = places()
        .filter(|(_, place)| is_common(place.texts) && place.distinct() * 10 < place.texts * 9)
        .map(|(index, _)| index)
        .collect();
    let versions: Vec<usize> = places()
        .filter(|(_, place)| is_common(place.integers) && place.distinct() > 1)
        .map(|(index, _)| index)
        .collect();
    let pairs = versions.iter().flat_map(|version| {
        aggregates
            .iter()
            .map(move |aggregate| (*aggregate, *version))
    });
    let counted = pairs
        .map(|(aggregate, version)| count(profile, aggregate, version))
        .filter(|counted| counted.pairs >= PAIRS_MIN && counted.share() >= SHARE_MIN);
    let weight = |counted: &Counted| {
        let name = |index: usize| profile.places.get(index).map(liking).unwrap_or_default();
        // Between equally good pairs the names decide, and whether the subject says the same.
        let twentieths = (counted.share() * 20.0).round();
        let aggregate = aggregate_liking(profile, counted.aggregate);
        (twentieths, name(counted.version), aggregate, counted.all)
    };
    counted.max_by(|one, other| {
        weight(one)
            .partial_cmp(&weight(other))
            .unwrap_or(std::cmp::Ordering::Equal)
    })
}

/// How much a name looks like a version's.
fn liking(place: &Place) -> usize {
    let found = NAMES.iter().position(|name| place.name.ends_with(name));
    let is_schema = place.name.contains("schema");
    found.map_or(0, |at| if is_schema { 0 } else { NAMES.len() - at })
}

/// How much a place looks like the aggregate's: the subject says the same, the name is an id's, it is
/// in the payload.
fn aggregate_liking(profile: &Profile, index: usize) -> usize {
    let Some(place) = profile.places.get(index) else {
        return 0;
    };
    let mut places = profile.places.iter();
    let subject = places.position(|place| place.pointer == "/subject");
    let is_subject = |event: &&Event| {
        let subject = subject.and_then(|subject| value(event, subject));
        subject.is_some() && subject == value(event, index)
    };
    let same = profile.events.iter().filter(is_subject).count();
    let ends = ["id", "key", "number", "name"];
    let is_named = ends.iter().any(|end| place.name.ends_with(end));
    4 * usize::from(same * 2 > profile.events.len())
        + 2 * usize::from(is_named)
        + usize::from(place.is_in_data())
}

fn value(event: &Event, place: usize) -> Option<Seen> {
    let found = event.values.iter().find(|(at, _)| *at as usize == place)?;
    Some(found.1)
}

fn count(profile: &Profile, aggregate: usize, version: usize) -> Counted {
    let mut groups: HashMap<(u64, u64), Vec<u64>, FixedState> = HashMap::default();
    let mut events = 0;
    for event in &profile.events {
        if let (Some(Seen::Text(name)), Some(Seen::Integer(number))) =
            (value(event, aggregate), value(event, version))
        {
            events += 1;
            let group = groups.entry((event.source_hash, name)).or_default();
            group.push(number);
        }
    }
    let mut counted = Counted {
        aggregate,
        version,
        events,
        aggregates: 0,
        pairs: 0,
        by_one: 0,
        shared: 0,
        first: (0, 0),
        all: groups.len(),
    };
    let mut firsts: HashMap<u64, usize, FixedState> = HashMap::default();
    #[allow(
        clippy::iter_over_hash_type,
        reason = "sums and counts come out the same in any order"
    )]
    for (_, mut versions) in groups {
        versions.sort_unstable();
        let all = versions.len();
        versions.dedup();
        counted.shared += all - versions.len();
        counted.aggregates += usize::from(versions.len() > 1);
        for pair in versions.windows(2) {
            if let [one, next] = pair {
                counted.pairs += 1;
                counted.by_one += usize::from(next - one == 1);
            }
        }
        if let Some(first) = versions.first() {
            *firsts.entry(*first).or_default() += 1;
        }
    }
    let commonest = firsts
        .into_iter()
        .max_by_key(|(first, count)| (*count, u64::MAX - first));
    counted.first = commonest.unwrap_or_default();
    counted
}
