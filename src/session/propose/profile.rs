//! What stands at which place of a capture's events: counted once, asked often.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;
use serde_json::{Number, Value};

use super::{EVENTS_MAX, transport};
use crate::model::{Kind, RecordNo, Rule};
use crate::session::reader::Reader;
use crate::session::run::Run;

/// Places that are followed; a payload with more is looked at in its first ones.
const PLACES_MAX: usize = 400;

/// How deep a place may lie below `data`.
const DEPTH_MAX: usize = 5;

/// Different values that are kept of one place as they are.
const VALUES_MAX: usize = 64;

/// Attributes that say what they mean themselves.
const CONTEXT: [&str; 8] = [
    "specversion",
    "id",
    "source",
    "type",
    "time",
    "datacontenttype",
    "dataschema",
    "data_base64",
];

/// All that was seen.
#[derive(Debug, Default)]
pub(super) struct Profile {
    /// Records of the capture, of whatever kind.
    pub(super) records: usize,
    /// Records that are orders, refusals or baselines.
    pub(super) statements: usize,
    /// Records that could not be read.
    pub(super) unreadable: usize,
    /// Deliveries of an identity that came before.
    pub(super) repeats: usize,
    /// Events whose payload is JSON in a string.
    pub(super) inside: usize,
    /// The capture has more events than were looked at.
    pub(super) is_cut: bool,
    /// Every event once, in capture order.
    pub(super) events: Vec<Event>,
    /// The places, in the order in which they were first seen.
    pub(super) places: Vec<Place>,
    /// Sources with how many events have them.
    pub(super) sources: BTreeMap<String, usize>,
    /// Types with how many events have them, in the order in which they were first seen.
    pub(super) types: Vec<(String, usize)>,
    /// How many events have each of the attributes that can be required.
    pub(super) attributes: BTreeMap<&'static str, usize>,
}

/// One event: its source, and what stands at its places.
#[derive(Debug)]
pub(super) struct Event {
    /// The record that brought it first.
    pub(super) record: u32,
    pub(super) source_hash: u64,
    pub(super) values: Vec<(u32, Seen)>,
}

/// A value as far as it is needed to compare it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Seen {
    /// A non-empty string, by its hash.
    Text(u64),
    /// An integer within 64 bits.
    Integer(u64),
    /// Anything else.
    Other,
}

/// Why a contract cannot read a place, though a person would.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// It can.
    #[default]
    None,
    /// The place is in JSON that a text in the payload holds.
    InsideText,
    /// The number is spelled as a text.
    NumberAsText,
}

/// One place, as a JSON pointer into the event.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// The pointer; a `»` in it goes into JSON that a text holds.
    pub(super) pointer: String,
    /// Why no contract can read it.
    pub(super) obstacle: Obstacle,
    /// The last part of the pointer, in lower case without punctuation.
    pub(super) name: String,
    pub(super) texts: usize,
    pub(super) integers: usize,
    pub(super) others: usize,
    /// The smallest integer.
    pub(super) smallest: u64,
    /// Different values, as long as there are few.
    pub(super) values: BTreeMap<String, usize>,
    pub(super) has_more_values: bool,
    distinct: HashSet<u64, FixedState>,
}

impl Place {
    /// Different values.
    pub(super) fn distinct(&self) -> usize {
        self.distinct.len()
    }

    /// Whether the place is in the payload.
    pub(super) fn is_in_data(&self) -> bool {
        self.pointer.starts_with("/data/")
    }

    /// Whether a contract can read it.
    pub(super) fn is_readable(&self) -> bool {
        self.obstacle == Obstacle::None
    }
}

/// Tables that only gathering needs.
#[derive(Default)]
struct Tables {
    places: HashMap<String, u32>,
    types: HashMap<String, usize>,
    identities: HashSet<u64, FixedState>,
}

impl Profile {
    /// Looks at a run's events, the first [`EVENTS_MAX`] of them.
    pub(super) fn of(run: &Run) -> Self {
        let reader = Reader::new(run);
        let history = run.history();
        let mut profile = Self {
            records: history.last_record().0 as usize,
            ..Self::default()
        };
        let mut tables = Tables::default();
        for number in 1..=history.last_record().0 {
            if profile.events.len() == EVENTS_MAX {
                profile.is_cut = true;
                break;
            }
            let record = RecordNo(number);
            let seen = reader.facts(&history, record);
            match seen.kind {
                Some(Kind::Delivery) => {}
                Some(_) => {
                    profile.statements += 1;
                    continue;
                }
                None => {
                    profile.unreadable += 1;
                    continue;
                }
            }
            let bytes = history.place(record).map(|place| reader.bytes(place));
            let bytes = seen.inner.or_else(|| bytes?.ok()).unwrap_or_default();
            let Ok(value) = serde_json::from_slice::<Value>(&bytes) else {
                continue;
            };
            let was_inside = seen.transport.as_ref().is_some_and(|transport| {
                let path = &transport.path;
                path.contains(&"json-string") || path.contains(&"base64")
            });
            let is_inside = seen.conformance.contains(&Rule::JsonInString)
                || value.get("data_base64").is_some();
            profile.inside += usize::from(was_inside || is_inside);
            let is_bare = value.get("specversion").is_some();
            let event = value.get("event").filter(|_| !is_bare).unwrap_or(&value);
            profile.add(number, event, &mut tables);
        }
        profile
    }

    /// How many events have the subject's text at a place too.
    pub(super) fn as_subject(&self, index: usize) -> usize {
        let mut places = self.places.iter();
        let Some(subject) = places.position(|place| place.pointer == "/subject") else {
            return 0;
        };
        let at = |event: &Event, index: usize| {
            let mut values = event.values.iter();
            let found = values.find(|(at, _)| *at as usize == index);
            found.map(|(_, seen)| *seen)
        };
        let is_subject = |event: &&Event| {
            let subject = at(event, subject);
            subject.is_some() && subject == at(event, index)
        };
        self.events.iter().filter(is_subject).count()
    }

    fn add(&mut self, record: u32, event: &Value, tables: &mut Tables) {
        let text = |name: &str| event.get(name).and_then(Value::as_str).unwrap_or_default();
        let (source, id) = (text("source"), text("id"));
        if !tables.identities.insert(hash(&(source, id))) && !id.is_empty() {
            self.repeats += 1;
            return;
        }
        for name in ["id", "source", "type", "subject", "specversion", "time"] {
            *self.attributes.entry(name).or_default() += usize::from(!text(name).is_empty());
        }
        if !source.is_empty() {
            *self.sources.entry(source.to_owned()).or_default() += 1;
        }
        let event_type = text("type");
        if !event_type.is_empty() {
            let next = self.types.len();
            let index = *tables.types.entry(event_type.to_owned()).or_insert(next);
            if index == next {
                self.types.push((event_type.to_owned(), 0));
            }
            if let Some((_, count)) = self.types.get_mut(index) {
                *count += 1;
            }
        }
        let mut walk = Walk {
            profile: self,
            tables,
            values: Vec::new(),
        };
        for (name, value) in event.as_object().into_iter().flatten() {
            if !CONTEXT.contains(&name.as_str()) && !transport::is_attribute(name) {
                let pointer = format!("/{}", escaped(name));
                walk.walk(&pointer, name, value, 0, Obstacle::None);
            }
        }
        let values = walk.values;
        self.events.push(Event {
            record,
            source_hash: hash(&source),
            values,
        });
    }

    fn place(
        &mut self,
        pointer: &str,
        name: &str,
        obstacle: Obstacle,
        tables: &mut Tables,
    ) -> Option<u32> {
        // A text that spells a number is a place by itself, beside the text.
        let key = match obstacle {
            Obstacle::NumberAsText => Cow::Owned(format!("{pointer}»")),
            Obstacle::None | Obstacle::InsideText => Cow::Borrowed(pointer),
        };
        if let Some(index) = tables.places.get(key.as_ref()) {
            return Some(*index);
        }
        if self.places.len() == PLACES_MAX {
            return None;
        }
        let index = u32::try_from(self.places.len()).ok()?;
        tables.places.insert(key.into_owned(), index);
        self.places.push(Place {
            pointer: pointer.to_owned(),
            name: plain(name),
            obstacle,
            smallest: u64::MAX,
            ..Place::default()
        });
        Some(index)
    }
}

/// One event's way through its members.
struct Walk<'a> {
    profile: &'a mut Profile,
    tables: &'a mut Tables,
    values: Vec<(u32, Seen)>,
}

impl Walk<'_> {
    fn walk(&mut self, pointer: &str, name: &str, value: &Value, depth: usize, inside: Obstacle) {
        match value {
            Value::Object(members) if depth < DEPTH_MAX => {
                for (name, value) in members {
                    if !transport::is_of_change(members, name) {
                        let pointer = format!("{pointer}/{}", escaped(name));
                        self.walk(&pointer, name, value, depth + 1, inside);
                    }
                }
            }
            // What is null counts as absent, and no contract should rest on an element's place.
            Value::Object(_) | Value::Array(_) | Value::Null => {}
            Value::String(text) => {
                self.see(pointer, name, value, inside);
                if let Some(number) = spelled(text) {
                    let number = Value::from(number);
                    self.see(pointer, name, &number, Obstacle::NumberAsText);
                } else if text.starts_with('{')
                    && depth < DEPTH_MAX
                    && let Ok(held) = serde_json::from_str::<Value>(text)
                {
                    let pointer = format!("{pointer}»");
                    self.walk(&pointer, name, &held, depth + 1, Obstacle::InsideText);
                }
            }
            Value::Number(_) | Value::Bool(_) => self.see(pointer, name, value, inside),
        }
    }

    fn see(&mut self, pointer: &str, name: &str, value: &Value, obstacle: Obstacle) {
        let index = self.profile.place(pointer, name, obstacle, self.tables);
        if let Some(index) = index
            && let Some(place) = self.profile.places.get_mut(index as usize)
        {
            self.values.push((index, place.see(value)));
        }
    }
}

impl Place {
    fn see(&mut self, value: &Value) -> Seen {
        let (seen, shown) = match value {
            Value::String(text) if !text.is_empty() => {
                self.texts += 1;
                (Seen::Text(hash(text)), Some(text.clone()))
            }
            Value::Number(number) => match integer(number) {
                Some(integer) => {
                    self.integers += 1;
                    self.smallest = self.smallest.min(integer);
                    (Seen::Integer(integer), Some(integer.to_string()))
                }
                None => (Seen::Other, None),
            },
            Value::String(_)
            | Value::Bool(_)
            | Value::Null
            | Value::Array(_)
            | Value::Object(_) => (Seen::Other, None),
        };
        let Some(shown) = shown else {
            self.others += 1;
            return seen;
        };
        self.distinct.insert(hash(&shown));
        if let Some(count) = self.values.get_mut(&shown) {
            *count += 1;
        } else if self.values.len() < VALUES_MAX {
            self.values.insert(shown, 1);
        } else {
            self.has_more_values = true;
        }
        seen
    }
}

/// A count that a text spells as a number would be.
fn spelled(text: &str) -> Option<u64> {
    let number = text.parse::<u64>().ok()?;
    (number.to_string() == text).then_some(number)
}

/// `2`, `2.0` and `2e0` are one integer (contract.md, integers).
fn integer(number: &Number) -> Option<u64> {
    number.as_u64().or_else(|| {
        let text = number.as_f64()?.to_string();
        text.parse().ok()
    })
}

fn hash(value: &impl Hash) -> u64 {
    FixedState::default().hash_one(value)
}

/// A name as a part of a JSON pointer (RFC 6901, section 3).
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn plain(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.collect::<String>().to_ascii_lowercase()
}
