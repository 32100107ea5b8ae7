//! Which pair of places is an aggregate and its version: within one aggregate, versions count up by
//! one, begin alike, and hardly ever does one number stand for two events. Captures are damaged, so
//! that is asked of most steps and not of all.

use super::profile::{Obstacle, Place, Profile};
use super::steps::{self, Column, Grouped, Steps};
use super::transport;

/// Steps that must agree before numbers alone are believed.
const AGREE_MIN: usize = 3;

/// The share of steps that must surely agree. With a fifth of the versions missing, a fifth of them
/// twice and some late, more than half still do; small numbers that mean something else reach a quarter,
/// and where there are few steps, more by chance.
const SURE_MIN: f64 = 0.35;

/// The share of steps by one, late or not, where the place is called as versions are; then one step is
/// enough.
const NAMED_MIN: f64 = 0.25;

/// Names that a version is likely to have, the likeliest first.
const NAMES: [&str; 6] = ["version", "revision", "sequence", "seq", "number", "rev"];

/// Versions of other things than the aggregate.
const OTHER_VERSIONS: [&str; 6] = ["schema", "api", "spec", "app", "client", "protocol"];

/// Events times pairs of places that are looked at in search of the best pair; it is then counted in
/// all events.
const WORK_MAX: usize = 20_000_000;

/// Events that are looked at at least.
const SEARCHED_MIN: usize = 500;

/// Near misses that are told.
const MISSES_MAX: usize = 2;

/// A pair of places, and what speaks for it.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    /// The aggregate's place, by index.
    pub(super) aggregate: usize,
    /// The version's place, by index.
    pub(super) version: usize,
    /// What was counted.
    pub(super) steps: Steps,
    /// Too few steps agree: the name decided.
    pub(super) is_by_name: bool,
    /// How much speaks for the pair.
    score: f64,
    /// How much the version's name adds, where versions are chosen from.
    name: f64,
}

/// The best pair, and what else came near.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) best: Option<Counted>,
    pub(super) misses: Vec<Counted>,
}

/// An aggregate's place, with the events sorted by it and how much its name speaks for it.
struct Aggregate {
    index: usize,
    grouped: Grouped,
    liking: u8,
}

/// Looks at every pair of an aggregate's and a version's place.
pub(super) fn find(profile: &Profile) -> Found {
    let (aggregates, versions) = halves(profile);
    let pairs = aggregates.len().saturating_mul(versions.len()).max(1);
    let searched = (WORK_MAX / pairs).max(SEARCHED_MIN);
    let events = profile.events.get(..searched).unwrap_or(&profile.events);
    let columns: Vec<(usize, Column)> = versions
        .into_iter()
        .map(|index| (index, steps::column(events, index)))
        .collect();
    let has_several = has_several(profile);
    let mut all: Vec<Counted> = Vec::new();
    for index in aggregates {
        let grouped = steps::group(events, &steps::column(events, index));
        if grouped.count == 1 && has_several {
            continue;
        }
        let aggregate = Aggregate {
            index,
            grouped,
            liking: aggregate_liking(profile, index),
        };
        let others = columns.iter().filter(|(version, _)| *version != index);
        all.extend(others.filter_map(|(version, column)| {
            let steps = steps::steps(events, &aggregate.grouped, column);
            pair(profile, &aggregate, *version, steps)
        }));
    }
    let weight = |pair: &Counted| pair.score + pair.name;
    all.sort_by(|one, other| weight(other).total_cmp(&weight(one)));
    choose(profile, all)
}

/// Takes the best pair that can be proposed; of other versions' places, what came near, and beside a
/// version only what could be proposed by its numbers as well.
fn choose(profile: &Profile, all: Vec<Counted>) -> Found {
    let is_open = |pair: &Counted| why_not(profile, pair).is_none();
    let best = all.iter().find(|pair| is_open(pair)).and_then(|best| {
        // Of the aggregates for one version, its name prefers none.
        let same = |pair: &&Counted| pair.version == best.version && is_open(pair);
        let same = all.iter().filter(same);
        same.max_by(|one, other| one.score.total_cmp(&other.score))
            .cloned()
    });
    let mut misses: Vec<Counted> = Vec::new();
    for pair in all {
        let is_known = |other: &Counted| other.version == pair.version;
        let is_told = best.iter().any(is_known) || misses.iter().any(is_known);
        let is_near = best.is_none() || is_open(&pair) && !pair.is_by_name;
        if is_near && !is_told && misses.len() < MISSES_MAX {
            misses.push(pair);
        }
    }
    Found {
        best: best.map(|pair| recounted(profile, &pair)),
        misses: misses.iter().map(|pair| recounted(profile, pair)).collect(),
    }
}

/// Counts in all events what was found in the first ones.
fn recounted(profile: &Profile, pair: &Counted) -> Counted {
    let events = &profile.events;
    let grouped = steps::group(events, &steps::column(events, pair.aggregate));
    let numbers = steps::column(events, pair.version);
    let steps = steps::steps(events, &grouped, &numbers);
    Counted {
        is_by_name: !counts_alone(&steps),
        steps,
        ..*pair
    }
}

/// Why a pair is not proposed, in words; `None`: it can be.
pub(super) fn why_not(profile: &Profile, pair: &Counted) -> Option<&'static str> {
    let place = |index: usize| profile.places.get(index);
    let version = place(pair.version)?;
    match version.obstacle {
        Obstacle::None => {}
        Obstacle::InsideText => {
            return Some("a contract does not look into JSON that a text holds (behind »)");
        }
        Obstacle::NumberAsText => {
            return Some("it is a text, and a contract's version is an integer");
        }
    }
    let aggregate = place(pair.aggregate)?;
    if aggregate.obstacle == Obstacle::InsideText {
        return Some(
            "a contract does not look for the aggregate in JSON that a text holds (behind »)",
        );
    }
    if aggregate.integers > aggregate.texts {
        return Some("the aggregate there is a number, and a contract's aggregate is a text");
    }
    if is_count_of_all(version, &pair.steps) {
        return Some("it counts in one aggregate only, so it may as well count the records");
    }
    (!agrees(version, &pair.steps)).then_some("too few agree")
}

/// Where only one aggregate counts, only its name tells a version from a count of the records.
fn is_count_of_all(version: &Place, steps: &Steps) -> bool {
    steps.counting <= 1 && liking(version) == 0 && !is_named(version)
}

/// Whether most steps agree; fewer are enough where the place is called as versions are.
fn agrees(version: &Place, steps: &Steps) -> bool {
    counts_alone(steps) || counts_with_its_name(version, steps)
}

fn counts_alone(steps: &Steps) -> bool {
    steps.agree() >= AGREE_MIN && steps.agree() >= 2 * steps.late && steps.sure_fit() >= SURE_MIN
}

fn counts_with_its_name(version: &Place, steps: &Steps) -> bool {
    // One step alone says something only where the count begins.
    let is_enough = steps.by_one > 1 || steps.first.0 <= 1;
    is_named(version) && steps.agree() > 0 && is_enough && steps.by_one_share() >= NAMED_MIN
}

/// The places that may be an aggregate's, and those that may be a version's.
fn halves(profile: &Profile) -> (Vec<usize>, Vec<usize>) {
    let events = profile.events.len();
    let is_common = |count: usize| count * 2 > events;
    let places = || profile.places.iter().enumerate();
    let comes_again = |place: &Place, count: usize| is_common(count) && place.distinct() < count;
    let is_aggregate = |place: &Place| {
        let is_number = comes_again(place, place.integers) && is_id(place);
        place.obstacle != Obstacle::NumberAsText
            && (comes_again(place, place.texts) || is_number && !transport::is_counter(&place.name))
    };
    let is_version = |place: &Place| {
        is_common(place.integers)
            && place.distinct() > 1
            && !transport::is_counter(&place.name)
            && !transport::is_too_large(place.smallest)
    };
    let all = |is: &dyn Fn(&Place) -> bool| {
        let found = places().filter(|(_, place)| is(place));
        found.map(|(index, _)| index).collect()
    };
    (all(&is_aggregate), all(&is_version))
}

/// Whether the capture shows several things: then what is the same in all events is not the aggregate.
fn has_several(profile: &Profile) -> bool {
    let is_one = |place: &Place| {
        let count = place.texts.max(place.integers);
        let is_text = place.texts >= place.integers;
        let is_thing =
            place.name.ends_with("id") || is_text && (place.pointer == "/subject" || is_id(place));
        is_thing
            && place.obstacle != Obstacle::NumberAsText
            && count * 2 > profile.events.len()
            && place.distinct() > 1
            && place.distinct() * 10 < count * 9
    };
    profile.places.iter().any(is_one)
}

/// Weighs a pair; nothing where no step counts up, or the transport's counter does.
fn pair(profile: &Profile, aggregate: &Aggregate, version: usize, steps: Steps) -> Option<Counted> {
    let place = profile.places.get(version)?;
    if steps.agree() == 0 || steps.runs_through {
        return None;
    }
    let is_by_name = !counts_alone(&steps);
    let twentieths = |share: f64| (share * 20.0).round() / 20.0;
    let score = twentieths(steps.fit_with_starts())
        + f64::from(u8::from(steps.starts_over())) / 2.0
        + f64::from(u8::from(agrees(place, &steps)))
        + f64::from(aggregate.liking) / 1_000.0;
    // The best names weigh a tenth; where all is one aggregate, only they tell its version from a count
    // of the records.
    let weight = if steps.groups == 1 { 0.4 } else { 0.1 };
    let name = weight * f64::from(liking(place)) / f64::from(LIKING_MAX);
    Some(Counted {
        aggregate: aggregate.index,
        version,
        steps,
        is_by_name,
        score,
        name,
    })
}

const LIKING_MAX: u8 = 6;

/// How much a name looks like a version's.
fn liking(place: &Place) -> u8 {
    let is_other = OTHER_VERSIONS
        .iter()
        .any(|other| place.name.contains(other));
    let found = NAMES.iter().position(|name| place.name.ends_with(name));
    let found = found.filter(|_| !is_other);
    found.map_or(0, |at| LIKING_MAX - u8::try_from(at).unwrap_or(LIKING_MAX))
}

/// Whether a name is a version's rather than a count's.
fn is_named(place: &Place) -> bool {
    let ends = ["version", "revision", "rev"];
    place.name == "v" || liking(place) > 0 && ends.iter().any(|end| place.name.ends_with(end))
}

fn is_id(place: &Place) -> bool {
    let ends = ["id", "key", "number", "no"];
    ends.iter().any(|end| place.name.ends_with(end))
}

/// How much a place looks like the aggregate's: the subject says the same, the name is an id's, it is
/// in the payload.
fn aggregate_liking(profile: &Profile, index: usize) -> u8 {
    let Some(place) = profile.places.get(index) else {
        return 0;
    };
    let is_named = is_id(place) || place.name.ends_with("name");
    4 * u8::from(profile.as_subject(index) * 2 > profile.events.len())
        + 2 * u8::from(is_named)
        + u8::from(place.is_in_data())
}
