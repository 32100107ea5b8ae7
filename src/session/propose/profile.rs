//! What stands at which place of a capture's events: counted once, asked often.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;
use serde_json::Value;

use super::EVENTS_MAX;
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
    /// Types, in the order of [`Event::event_type`].
    pub(super) types: Vec<(String, usize)>,
    /// How many events have each of the attributes that can be required.
    pub(super) attributes: BTreeMap<&'static str, usize>,
}

/// One event: its type, its source, and what stands at its places.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) event_type: Option<usize>,
    pub(super) source_hash: u64,
    pub(super) values: Vec<(u32, Seen)>,
}

/// A value as far as it is needed to compare it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// A non-empty string, by its hash.
    Text(u64),
    /// An integer within 64 bits.
    Integer(u64),
    /// Anything else.
    Other,
}

/// One place, as a JSON pointer into the event.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) pointer: String,
    /// The last part of the pointer, in lower case without punctuation.
    pub(super) name: String,
    pub(super) texts: usize,
    pub(super) integers: usize,
    pub(super) others: usize,
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
            profile.add(event, &mut tables);
        }
        profile
    }

    fn add(&mut self, event: &Value, tables: &mut Tables) {
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
        let event_type = (!event_type.is_empty()).then(|| {
            let next = self.types.len();
            let index = *tables.types.entry(event_type.to_owned()).or_insert(next);
            if index == next {
                self.types.push((event_type.to_owned(), 0));
            }
            if let Some((_, count)) = self.types.get_mut(index) {
                *count += 1;
            }
            index
        });
        let mut values = Vec::new();
        for (name, value) in event.as_object().into_iter().flatten() {
            if !CONTEXT.contains(&name.as_str()) {
                let pointer = format!("/{}", escaped(name));
                self.walk(&pointer, name, value, 0, tables, &mut values);
            }
        }
        self.events.push(Event {
            event_type,
            source_hash: hash(&source),
            values,
        });
    }

    fn walk(
        &mut self,
        pointer: &str,
        name: &str,
        value: &Value,
        depth: usize,
        tables: &mut Tables,
        values: &mut Vec<(u32, Seen)>,
    ) {
        match value {
            Value::Object(members) if depth < DEPTH_MAX => {
                for (name, value) in members {
                    let pointer = format!("{pointer}/{}", escaped(name));
                    self.walk(&pointer, name, value, depth + 1, tables, values);
                }
            }
            // What is null counts as absent, and no contract should rest on an element's place.
            Value::Object(_) | Value::Array(_) | Value::Null => {}
            Value::String(_) | Value::Number(_) | Value::Bool(_) => {
                if let Some(index) = self.place(pointer, name, tables)
                    && let Some(place) = self.places.get_mut(index as usize)
                {
                    values.push((index, place.see(value)));
                }
            }
        }
    }

    fn place(&mut self, pointer: &str, name: &str, tables: &mut Tables) -> Option<u32> {
        if let Some(index) = tables.places.get(pointer) {
            return Some(*index);
        }
        if self.places.len() == PLACES_MAX {
            return None;
        }
        let index = u32::try_from(self.places.len()).ok()?;
        tables.places.insert(pointer.to_owned(), index);
        self.places.push(Place {
            pointer: pointer.to_owned(),
            name: plain(name),
            texts: 0,
            integers: 0,
            others: 0,
            values: BTreeMap::new(),
            has_more_values: false,
            distinct: HashSet::default(),
        });
        Some(index)
    }
}

impl Place {
    fn see(&mut self, value: &Value) -> Seen {
        let (seen, shown) = match value {
            Value::String(text) if !text.is_empty() => {
                self.texts += 1;
                (Seen::Text(hash(text)), Some(text.clone()))
            }
            Value::Number(number) => match number.as_u64() {
                Some(integer) => {
                    self.integers += 1;
                    (Seen::Integer(integer), Some(integer.to_string()))
                }
                None => (Seen::Other, None),
            },
            _ => (Seen::Other, None),
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
