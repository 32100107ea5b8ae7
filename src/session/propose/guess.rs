//! Which place means what: a guess is made where many records agree, and left out elsewhere.

use super::profile::{Place, Profile};
use super::versions::{self, Found};

/// Of a hundred events, so many make a source, a schema version or an attribute the rule rather than
/// the fault: a contract that accepts every fault it has seen finds none.
const RULE_PER_CENT: usize = 2;

/// The same for what must always be there.
const ALWAYS_PER_CENT: usize = 95;

/// States that are listed at most; a place with more values is no state.
const STATES_MAX: usize = 40;

/// Names that a state is likely to have.
const STATE_NAMES: [&str; 5] = ["status", "state", "phase", "stage", "newstatus"];

/// Values, each with how many events have it.
type Counts = Vec<(String, usize)>;

/// Everything that is proposed.
#[derive(Debug)]
pub(super) struct Guesses {
    /// Source prefixes, each with its events.
    pub(super) sources: Counts,
    /// Sources that are left out, with their events.
    pub(super) other_sources: Counts,
    /// Aggregate and version, where something counts up, and what came near.
    pub(super) counted: Found,
    /// The aggregate's place where nothing counts up.
    pub(super) aggregate: Option<usize>,
    /// The schema version's place, the accepted ones, and those left out.
    pub(super) schema: Option<Schema>,
    /// The state's place.
    pub(super) state: Option<usize>,
    /// Attributes that must be there.
    pub(super) required: Vec<&'static str>,
}

/// Where the schema version is.
#[derive(Debug)]
pub(super) struct Schema {
    pub(super) place: usize,
    pub(super) accepted: Counts,
    pub(super) left_out: Counts,
}

/// Makes every guess.
pub(super) fn guess(profile: &Profile) -> Guesses {
    let counted = versions::find(profile);
    let (sources, other_sources) = sources(profile);
    let version = counted.best.as_ref().map(|best| best.version);
    Guesses {
        aggregate: aggregate(profile),
        schema: schema(profile, version),
        state: state(profile),
        required: required(profile),
        sources,
        other_sources,
        counted,
    }
}

/// Below so many events, a share tells no fault from the rule: one event may be either.
const FEW_EVENTS: usize = 50;

/// How many times as many events another value must have for one event to stand out.
const TIMES_AS_MANY: usize = 3;

/// Whether a person has to say if the one event that has a value is meant.
pub(super) fn stands_out(count: usize, commonest: usize, of: usize) -> bool {
    count == 1 && of < FEW_EVENTS && commonest >= TIMES_AS_MANY
}

fn is_rule(count: usize, of: usize) -> bool {
    count * 100 >= of * RULE_PER_CENT
}

/// Source prefixes: what several common sources share up to a `:` or `/`, else each by itself.
fn sources(profile: &Profile) -> (Counts, Counts) {
    let all = profile.events.len();
    let own = |(source, count): (&String, &usize)| (source.clone(), *count);
    let (common, rare): (Vec<_>, Vec<_>) = profile
        .sources
        .iter()
        .map(own)
        .partition(|(_, count)| is_rule(*count, all));
    // Many sources, none of them common: each thing is its own source, and the prefix is what counts.
    let (common, rare) = if common.is_empty() {
        (rare, Vec::new())
    } else {
        (common, rare)
    };
    let Some(shared) = shared_prefix(&common) else {
        return (common, rare);
    };
    let count = |list: &[(String, usize)]| list.iter().map(|(_, count)| count).sum::<usize>();
    let (inside, outside): (Vec<_>, Vec<_>) = rare
        .into_iter()
        .partition(|(source, _)| source.starts_with(&shared));
    (vec![(shared, count(&common) + count(&inside))], outside)
}

/// What all these sources begin with, cut behind its last separator; nothing worth saying of one.
fn shared_prefix(sources: &[(String, usize)]) -> Option<String> {
    let (first, rest) = sources.split_first()?;
    if rest.is_empty() {
        return None;
    }
    let mut shared = first.0.as_str();
    for (source, _) in rest {
        let same = shared
            .char_indices()
            .zip(source.chars())
            .find(|((_, one), other)| one != other)
            .map_or(shared.len().min(source.len()), |((at, _), _)| at);
        shared = shared.get(..same).unwrap_or_default();
    }
    let end = shared.rfind([':', '/'])?;
    // `https:` and `https://` are in front of everyone's sources.
    let cut = shared.get(..=end)?;
    (!cut.ends_with("://") && cut.len() > "https:/".len()).then(|| cut.to_owned())
}

/// The aggregate where nothing counts up: a text that most events have and that comes again. One
/// aggregate alone is one too; of several texts, the one that tells most of them apart.
fn aggregate(profile: &Profile) -> Option<usize> {
    let all = profile.events.len();
    let comes_again = |place: &Place| {
        place.texts * 100 >= all * ALWAYS_PER_CENT && place.distinct() * 10 < place.texts * 9
    };
    let places = || {
        let all = profile.places.iter().enumerate();
        all.filter(|(_, place)| place.is_readable())
    };
    let subject = places().find(|(_, place)| place.pointer == "/subject" && comes_again(place));
    let by_name = || {
        let named = places().filter(|(_, place)| place.name.ends_with("id") && comes_again(place));
        named.max_by_key(|(_, place)| (place.distinct(), place.is_in_data()))
    };
    subject.or_else(by_name).map(|(index, _)| index)
}

/// Whether a place is called as a schema version is.
fn is_schema(place: &Place) -> bool {
    place.name.contains("schema") && place.name.contains("version")
}

/// The place of schema versions that are texts in most events: no contract can check those.
pub(super) fn schema_text(profile: &Profile) -> Option<&Place> {
    let all = profile.events.len();
    let mut places = profile.places.iter();
    places.find(|place| place.is_readable() && is_schema(place) && place.texts * 2 > all)
}

fn schema(profile: &Profile, version: Option<usize>) -> Option<Schema> {
    let all = profile.events.len();
    let (place, found) = profile.places.iter().enumerate().find(|(index, place)| {
        let is_common = place.integers * 100 >= all * ALWAYS_PER_CENT;
        place.is_readable()
            && is_schema(place)
            && is_common
            && !place.has_more_values
            && Some(*index) != version
    })?;
    let values = found
        .values
        .iter()
        .filter(|(text, _)| text.parse::<i64>().is_ok());
    let commonest = found.values.values().copied().max().unwrap_or(0);
    // One event's own schema version is more likely the fault that is looked for: accepted, it would
    // be hidden; left out, `check` shows it.
    let is_meant = |count: usize| is_rule(count, all) && !stands_out(count, commonest, all);
    let (accepted, left_out) = values
        .map(|(text, count)| (text.clone(), *count))
        .partition(|(_, count)| is_meant(*count));
    Some(Schema {
        place,
        accepted,
        left_out,
    })
}

fn state(profile: &Profile) -> Option<usize> {
    let all = profile.events.len();
    let could_be = |place: &Place| {
        place.is_in_data()
            && place.is_readable()
            && place.texts * 100 >= all * ALWAYS_PER_CENT
            && (2..=STATES_MAX).contains(&place.distinct())
    };
    let named = |name: &&str| {
        let mut places = profile.places.iter();
        places.position(|place| place.name == **name && could_be(place))
    };
    STATE_NAMES.iter().find_map(named)
}

fn required(profile: &Profile) -> Vec<&'static str> {
    let all = profile.events.len();
    let is_always = |name: &str| {
        let count = profile.attributes.get(name).copied().unwrap_or_default();
        count * 100 >= all * ALWAYS_PER_CENT
    };
    let mut required = vec!["id", "source", "type", "specversion"];
    if is_always("subject") {
        required.insert(3, "subject");
    }
    required
}
