//! The proposal as a contract file: what was guessed, and in its `notes` what each guess rests on.

use serde_json::{Map, Value, json};

use super::guess::{Guesses, schema_text, stands_out};
use super::profile::{Place, Profile};
use super::versions::{self, Counted};
use super::{EVENTS_MAX, Proposal};

/// Types that get a rule of their own; of more, one rule stands for all.
const TYPES_MAX: usize = 60;

/// Values that a note lists.
const LISTED: usize = 8;

/// Writes the contract.
pub(super) fn write(profile: &Profile, guesses: &Guesses, name: &str) -> Proposal {
    let mut writer = Writer {
        profile,
        guesses,
        notes: Vec::new(),
    };
    let mut contract = Map::new();
    writer.what_was_read();
    contract.insert("consumer".to_owned(), format!("{name}@1").into());
    contract.insert("resultVersion".to_owned(), 1.into());
    writer.note(format!(
        "consumer: {name}@1 is only the capture's name; put in the consumer whose ledger this is"
    ));
    contract.insert("boundary".to_owned(), writer.boundary(name));
    contract.insert("envelope".to_owned(), json!({"required": guesses.required}));
    if profile.inside * 2 > profile.events.len() {
        contract.insert("readInside".to_owned(), true.into());
        let count = writer.of_events(profile.inside);
        writer.note(format!(
            "readInside: {count} carry their payload as JSON in a string or in Base64"
        ));
    }
    if let Some(schema) = writer.schema() {
        contract.insert("schemaVersion".to_owned(), schema);
    }
    contract.insert("aggregate".to_owned(), writer.aggregate());
    if let Some(version) = writer.version() {
        contract.insert("version".to_owned(), version);
    }
    contract.insert("events".to_owned(), writer.events());
    writer.note(
        "gate, compensation, receiptRetentionDays: no capture shows what is allowed, or how long \
         receipts are kept, so they are left out"
            .to_owned(),
    );
    let notes = writer.notes;
    contract.insert("notes".to_owned(), notes.clone().into());
    let text = serde_json::to_string_pretty(&contract).unwrap_or_default() + "\n";
    Proposal { text, notes }
}

struct Writer<'a> {
    profile: &'a Profile,
    guesses: &'a Guesses,
    notes: Vec<String>,
}

impl Writer<'_> {
    fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    fn of_events(&self, count: usize) -> String {
        format!("{} of {} events", count, self.profile.events.len())
    }

    /// The values with their counts; one that a single event has where few are seen is asked about.
    fn marked(&self, values: &[(String, usize)]) -> String {
        let commonest = values.iter().map(|(_, count)| *count).max();
        self.marked_beside(values, commonest.unwrap_or(0))
    }

    /// The same beside another value that so many events have.
    fn marked_beside(&self, values: &[(String, usize)], commonest: usize) -> String {
        let all = self.profile.events.len();
        list(values, |count| {
            if stands_out(count, commonest, all) {
                format!("(only 1 of {all}: is it meant?)")
            } else {
                format!("({count})")
            }
        })
    }

    /// Sources behind a prefix that one event each has.
    fn hidden_sources(&self) -> String {
        let all = self.profile.events.len();
        let sources = &self.profile.sources;
        let commonest = sources.values().copied().max().unwrap_or(0);
        let is_shown = |name: &String| {
            let mut shown = self
                .guesses
                .sources
                .iter()
                .chain(&self.guesses.other_sources);
            shown.any(|(source, _)| source == name)
        };
        let hidden = sources
            .iter()
            .filter(|(name, count)| stands_out(**count, commonest, all) && !is_shown(name));
        hidden.take(LISTED).fold(String::new(), |text, (name, _)| {
            format!("{text}; only 1 of {all} is from {name}: is it meant?")
        })
    }

    fn place(&self, index: usize) -> Option<&Place> {
        self.profile.places.get(index)
    }

    fn what_was_read(&mut self) {
        let profile = self.profile;
        let part = if profile.is_cut {
            format!(", the first {EVENTS_MAX} events of which were looked at")
        } else {
            String::new()
        };
        let note = format!(
            "proposed from {}{part}: {}, {}, {} orders, refusals and \
             baselines, {} unreadable; every guess below is to be read and corrected",
            counted(profile.records, "record"),
            counted(profile.events.len(), "different event"),
            counted(profile.repeats, "repeat"),
            profile.statements,
            profile.unreadable,
        );
        self.note(note);
    }

    fn boundary(&mut self, name: &str) -> Value {
        let prefixes: Vec<&str> = self
            .guesses
            .sources
            .iter()
            .map(|(prefix, _)| prefix.as_str())
            .collect();
        let listed = self.marked(&self.guesses.sources);
        let hidden = self.hidden_sources();
        self.note(format!(
            "boundary: sources that begin with {listed}{hidden}"
        ));
        if !self.guesses.other_sources.is_empty() {
            let left_out = self::listed(&self.guesses.other_sources);
            self.note(format!(
                "boundary: too few to be the rule, so they are outside: {left_out}; add what belongs in"
            ));
        }
        let prefixes = if prefixes.is_empty() {
            vec![""]
        } else {
            prefixes
        };
        json!({"name": name, "sources": prefixes})
    }

    fn schema(&mut self) -> Option<Value> {
        let Some(schema) = &self.guesses.schema else {
            let text = schema_text(self.profile).map(|place| {
                let values: Vec<_> = place.values.clone().into_iter().collect();
                format!(
                    "schemaVersion: {} is a text, {}; a contract can check integers only, so it is not checked",
                    place.pointer,
                    self.marked(&values)
                )
            });
            self.note(text.unwrap_or_else(|| {
                "schemaVersion: no integer with such a name is in nearly every event, so it is not checked"
                    .to_owned()
            }));
            return None;
        };
        let pointer = self.place(schema.place)?.pointer.clone();
        let accepted: Vec<i64> = schema
            .accepted
            .iter()
            .filter_map(|(text, _)| text.parse().ok())
            .collect();
        let mut note = format!(
            "schemaVersion: {pointer} is {}",
            self.marked(&schema.accepted)
        );
        if !schema.left_out.is_empty() {
            let commonest = schema.accepted.iter().map(|(_, count)| *count).max();
            let left_out = self.marked_beside(&schema.left_out, commonest.unwrap_or(0));
            note.push_str("; too few to be the rule, so not accepted: ");
            note.push_str(&left_out);
        }
        self.note(note);
        Some(
            json!({"pointer": pointer, "accepted": accepted, "unknown": "contract-update-required"}),
        )
    }

    fn aggregate(&mut self) -> Value {
        let counted = self.guesses.counted.best.as_ref();
        let index = counted
            .map(|counted| counted.aggregate)
            .or(self.guesses.aggregate);
        let Some(place) = index.and_then(|index| self.place(index)) else {
            self.note(
                "aggregate: no text comes again in several events, so each subject stands for itself; \
                 put in where the thing is that the events are about"
                    .to_owned(),
            );
            return json!({"pointer": "/subject", "default": "(no subject)"});
        };
        let pointer = place.pointer.clone();
        let count = self.of_events(place.texts);
        let different = place.distinct();
        let is_always = place.texts == self.profile.events.len();
        self.note(format!(
            "aggregate: {count} have a text at {pointer}, {different} different"
        ));
        if counted.is_some() || is_always {
            json!({"pointer": pointer})
        } else {
            json!({"pointer": pointer, "default": "(none)"})
        }
    }

    fn version(&mut self) -> Option<Value> {
        let guesses = self.guesses;
        let Some(best) = &guesses.counted.best else {
            self.note(
                "version: no integer surely counts up by one within an aggregate, so there is none: every \
                 new event applies, and a gap cannot be seen; offsets and sequence numbers of a transport \
                 are never versions"
                    .to_owned(),
            );
            for miss in &guesses.counted.misses {
                let why = versions::why_not(self.profile, miss).unwrap_or_default();
                let note = format!("version, a near miss: {}; {why}", self.steps(miss));
                self.note(note);
            }
            return None;
        };
        let pointer = self.place(best.version)?.pointer.clone();
        let (first, begin) = best.steps.first;
        let mut note = format!("version: {}", self.steps(best));
        if best.is_by_name {
            note += "; so few say little, so its name decided: see that it is the version";
        }
        self.note(note);
        let shown = if first <= 1 { first } else { 1 };
        let mut note = format!(
            "version.first: {begin} of {} first seen with {first}",
            counted(best.steps.groups, "aggregate")
        );
        if first > 1 {
            note += "; the capture seems to begin in mid-stream, so 1 is only likely: see --baseline first-seen";
        }
        self.note(note);
        for miss in &guesses.counted.misses {
            let note = format!("version: it might be another: {}", self.steps(miss));
            self.note(note);
        }
        Some(json!({"pointer": pointer, "first": shown}))
    }

    /// What agrees of a pair, what does not, and where the first break is.
    fn steps(&self, pair: &Counted) -> String {
        let name = |index| self.place(index).map_or("", |place| place.pointer.as_str());
        let steps = &pair.steps;
        let late = match steps.late {
            0 => String::new(),
            late => format!(", {late} of them late"),
        };
        let aggregates = counted(steps.counting, "aggregate");
        let breaks = steps.breaks_at.map_or_else(String::new, |at| {
            let what = if at.number == at.before {
                format!("has {} a second time", at.number)
            } else {
                format!("goes from {} to {}", at.before, at.number)
            };
            format!(
                "; {} over a number that is missing, {} with a number that another has too, the \
                 first at record {}, which {what}",
                counted(steps.gaps, "step"),
                counted(steps.shared, "event"),
                at.record
            )
        });
        format!(
            "at {}, {} of {} from one event of an aggregate ({}) to its next count up by one{late} \
             (seen in {aggregates}){breaks}",
            name(pair.version),
            steps.by_one,
            counted(steps.all(), "step"),
            name(pair.aggregate),
        )
    }

    fn events(&mut self) -> Value {
        let state = self.guesses.state.and_then(|index| self.place(index));
        let (state, mut reads) = if let Some(place) = state {
            let pointer = place.pointer.clone();
            let states: Map<String, Value> = place
                .values
                .keys()
                .map(|value| (value.clone(), value.clone().into()))
                .collect();
            let values: Vec<_> = place
                .values
                .iter()
                .map(|(value, count)| (value.clone(), *count))
                .collect();
            let mut reads = Map::new();
            reads.insert(
                field(&pointer),
                json!({"pointer": pointer, "type": "string"}),
            );
            let listed = self.marked(&values);
            self.note(format!("state: {pointer} is {listed}"));
            (json!({"pointer": pointer, "values": states}), reads)
        } else {
            self.note(
                "state: no text with few values and such a name is in nearly every event, so the event's \
                 type stands for the state"
                    .to_owned(),
            );
            (json!({"pointer": "/type"}), Map::new())
        };
        let counted = self.guesses.counted.best.as_ref();
        let aggregate = counted
            .map(|counted| counted.aggregate)
            .or(self.guesses.aggregate);
        if let Some(place) = aggregate
            .and_then(|index| self.place(index))
            .filter(|place| place.is_in_data())
        {
            let pointer = place.pointer.clone();
            reads.insert(field(&pointer), json!({"pointer": pointer}));
        }
        let types = &self.profile.types;
        let rule = |name: &str| json!({"type": name, "reads": reads, "state": state});
        if types.is_empty() || types.len() > TYPES_MAX {
            let count = types.len();
            self.note(format!(
                "events: {count} types, too many to list, so one rule stands for all"
            ));
            return json!([rule("*")]);
        }
        let rules: Vec<Value> = types.iter().map(|(name, _)| rule(name)).collect();
        let listed = self.marked(types);
        self.note(format!("events: {listed}"));
        rules.into()
    }
}

/// A pointer's last part: what the read is called.
fn field(pointer: &str) -> String {
    pointer
        .rsplit('/')
        .next()
        .unwrap_or_default()
        .replace("~1", "/")
        .replace("~0", "~")
}

/// `1 record`, `2 records`
fn counted(count: usize, what: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{count} {what}{end}")
}

/// `a (12), b (3) and 2 more`
fn listed(values: &[(String, usize)]) -> String {
    list(values, |count| format!("({count})"))
}

fn list(values: &[(String, usize)], told: impl Fn(usize) -> String) -> String {
    let mut sorted: Vec<_> = values.iter().collect();
    sorted.sort_by(|(one, few), (other, many)| many.cmp(few).then(one.cmp(other)));
    let shown = sorted.iter().take(LISTED);
    let shown: Vec<_> = shown
        .map(|(value, count)| format!("{value} {}", told(*count)))
        .collect();
    let more = sorted.len().saturating_sub(LISTED);
    let shown = shown.join(", ");
    if more > 0 {
        format!("{shown} and {more} more")
    } else {
        shown
    }
}
