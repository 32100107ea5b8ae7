//! The only list of shapes, and how a record finds its own: by the set of its keys.
//!
//! Every name that any shape asks for has a bit in a small set. A record's names are looked up once; which shapes it
//! can have is then a comparison of bits for each, in a fixed order, so the answer never depends on
//! what was read before.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::super::tape::{Doc, NodeKind};
use super::around::Around;
use super::layer::{Inner, Layer};
use super::name_set::Names;
use super::plain::Plain;
use super::shapes;

/// One wrapper that is known.
pub(super) struct Shape {
    /// Its name on the wrap path and for `--input-format`.
    pub(super) name: &'static str,
    /// What tells it.
    pub(super) told_by: ToldBy,
    /// Takes it off.
    pub(super) unwrap: Unwrap,
}

impl Shape {
    /// Whether it claims only what no other shape does.
    fn is_otherwise(&self) -> bool {
        matches!(
            self.told_by,
            ToldBy::Otherwise(_) | ToldBy::OtherwiseText(_)
        )
    }
}

/// How a wrapper is told.
pub(super) enum ToldBy {
    /// A JSON object that has all of the first names and none of the second, and passes a test.
    Keys {
        /// Names that must be there.
        has: &'static [&'static str],
        /// Names that must not.
        lacks: &'static [&'static str],
        /// What its values must look like beyond that.
        fits: fn(Layer<'_, '_>) -> bool,
    },
    /// The same, or a text that is no JSON.
    KeysOrText {
        /// Names that must be there.
        has: &'static [&'static str],
        /// Names that must not.
        lacks: &'static [&'static str],
        /// What its values must look like beyond that.
        fits: fn(Layer<'_, '_>) -> bool,
        /// What a text must look like.
        text: fn(&str) -> bool,
    },
    /// A JSON value that is no object, or a text that is no JSON.
    ValueOrText(fn(Layer<'_, '_>) -> bool, fn(&str) -> bool),
    /// A text that is no JSON.
    Text(fn(&str) -> bool),
    /// A JSON object that no other shape claims.
    Otherwise(fn(Layer<'_, '_>) -> bool),
    /// A text that is no JSON, and that no other shape claims.
    OtherwiseText(fn(&str) -> bool),
}

pub(super) type Unwrap = for<'a, 't> fn(Layer<'a, 't>, &mut Around<'a>) -> Inner<'a>;

/// An object that holds an array of records.
pub(super) struct Container {
    /// Its name, for people.
    pub(super) name: &'static str,
    /// The way to the records: a member's name, `*` for each element or member.
    pub(super) way: &'static [&'static str],
}

/// Containers in containers that are asked whether they hold records. Each asks for those in it, more than
/// once: without an end the work would double with each.
const MOST_LEVELS: u32 = 4;

/// Any values will do.
pub(super) fn any(_: Layer<'_, '_>) -> bool {
    true
}

/// What a record's outermost layer is.
pub(super) enum Found {
    /// A native record or a CloudEvent: nothing to take off.
    Event(&'static str),
    /// A wrapper.
    Shape(&'static Shape),
    /// Nothing that is known.
    Nothing,
}

/// What a shape says of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sight {
    /// It fits.
    Fits,
    /// These names are missing.
    Lacks(Vec<&'static str>),
    /// These names are there and should not be.
    HasToo(Vec<&'static str>),
    /// The names fit, the values do not.
    OtherValues,
    /// None of its names is there, or it is told by other things than names.
    OtherForm,
}

/// What an object's names alone say of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    /// What they make it, if they make it an event.
    event: Option<&'static str>,
    /// The shapes that they allow, in the order in which they are tried.
    shapes: Vec<usize>,
}

/// The list, with its names as bits.
pub(super) struct Registry {
    bits: HashMap<&'static [u8], u32, foldhash::fast::FixedState>,
    shapes: Vec<(Names, Names, &'static Shape)>,
}

/// Names that make a record an event by themselves (contract.md, "What is a record").
const EVENT_NAMES: [&str; 8] = [
    "specversion",
    "event",
    "order",
    "refusal",
    "baseline",
    "id",
    "source",
    "type",
];

pub(super) fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(Registry::new)
}

/// The names of all shapes, in the order in which they are tried.
pub fn names() -> impl Iterator<Item = &'static str> {
    shapes::all().map(|shape| shape.name)
}

/// The ways to the records in every object that holds an array of them: member names, `*` for each
/// element or member.
pub fn ways_of_containers() -> impl Iterator<Item = &'static [&'static str]> {
    shapes::containers().map(|container| container.way)
}

/// Whether members with these names, as they are spelled, make an object an event by itself.
pub fn names_an_event(names: &[&[u8]]) -> bool {
    let bits = names.iter().filter_map(|name| registry().bits.get(name));
    event_name(bits.fold(Names::default(), |names, bit| names.with(*bit))).is_some()
}

impl Registry {
    fn new() -> Self {
        let mut list = Self {
            bits: HashMap::default(),
            shapes: Vec::new(),
        };
        list.mask(&EVENT_NAMES);
        for shape in shapes::all() {
            let (has, lacks) = match shape.told_by {
                ToldBy::Keys { has, lacks, .. } | ToldBy::KeysOrText { has, lacks, .. } => {
                    (list.mask(has), list.mask(lacks))
                }
                ToldBy::ValueOrText(..)
                | ToldBy::Text(_)
                | ToldBy::Otherwise(_)
                | ToldBy::OtherwiseText(_) => Default::default(),
            };
            list.shapes.push((has, lacks, shape));
        }
        list
    }

    /// The set of some names; a fresh name gets the next bit. A test holds that they all fit.
    fn mask(&mut self, names: &[&'static str]) -> Names {
        names.iter().fold(Names::default(), |set, name| {
            let next = u32::try_from(self.bits.len()).unwrap_or(u32::MAX);
            set.with(*self.bits.entry(name.as_bytes()).or_insert(next))
        })
    }

    /// The set of the names that an object has.
    fn names_of(&self, doc: Doc<'_, '_>) -> Names {
        doc.members(Doc::ROOT)
            .fold(Names::default(), |set, (key, _)| {
                let bit = doc.node(key).and_then(|node| {
                    if node.escaped {
                        self.bits.get(doc.decoded(node).as_bytes())
                    } else {
                        self.bits.get(doc.string_bytes(node))
                    }
                });
                bit.map_or(set, |bit| set.with(*bit))
            })
    }

    /// What an object's names alone say.
    pub(super) fn candidates(&self, doc: Doc<'_, '_>, into: &mut Candidates) {
        let names = self.names_of(doc);
        into.event = event_name(names);
        into.shapes.clear();
        for is_otherwise in [false, true] {
            let shapes = self.shapes.iter().enumerate();
            let shapes = shapes.filter(|(_, (has, lacks, shape))| {
                let is_object = !matches!(shape.told_by, ToldBy::ValueOrText(..) | ToldBy::Text(_));
                is_object
                    && shape.is_otherwise() == is_otherwise
                    && names.has_all(*has)
                    && !names.has_any(*lacks)
            });
            into.shapes.extend(shapes.map(|(index, _)| index));
        }
    }

    /// The quick way through an object with these names: that of the shape which is asked first, and
    /// nothing where they make it an event.
    pub(super) fn plain(&self, candidates: &Candidates) -> Option<&'static Plain> {
        let first = candidates
            .shapes
            .first()
            .filter(|_| candidates.event.is_none())?;
        let (_, _, shape) = self.shapes.get(*first)?;
        shapes::plain(shape)
    }

    /// Which shape an object has, when this is what its names say; `only`: no other than this one.
    pub(super) fn find_among(
        &self,
        candidates: &Candidates,
        layer: Layer<'_, '_>,
        only: Option<usize>,
    ) -> Found {
        let event = candidates.event.filter(|_| only.is_none());
        // GitHub's deliveries have a member `event` too, but a text: no native record then.
        if let Some(name) = event
            && (name == CLOUD_EVENT || holds_an_object(layer))
        {
            return Found::Event(name);
        }
        let asked = candidates.shapes.iter().copied();
        let asked = asked.filter(|index| only.is_none_or(|only| only == *index));
        let mut shapes = asked.filter_map(|index| self.shapes.get(index));
        let found = shapes.find(|(_, _, shape)| fits(shape, layer));
        let nothing = event.map_or(Found::Nothing, Found::Event);
        found.map_or(nothing, |(_, _, shape)| Found::Shape(shape))
    }

    /// Which shape a layer has; `only`: no other than this one.
    pub(super) fn find(&self, layer: Layer<'_, '_>, only: Option<usize>) -> Found {
        if layer.doc.is(Doc::ROOT, NodeKind::Object) {
            let mut candidates = Candidates::default();
            self.candidates(layer.doc, &mut candidates);
            return self.find_among(&candidates, layer, only);
        }
        let told = |otherwise| self.shape(layer, Names::default(), only, otherwise);
        let found = told(false).or_else(|| told(true));
        found.map_or(Found::Nothing, Found::Shape)
    }

    /// The first shape that fits, among those that claim what no other does or among the others.
    fn shape(
        &self,
        layer: Layer<'_, '_>,
        names: Names,
        only: Option<usize>,
        otherwise: bool,
    ) -> Option<&'static Shape> {
        let mut shapes = self.shapes.iter().enumerate();
        let found = shapes.find(|(index, (has, lacks, shape))| {
            let is_asked = only.is_none_or(|only| only == *index);
            // A text has no names, and is told by itself.
            let by_names = names.has_all(*has) && !names.has_any(*lacks);
            is_asked
                && shape.is_otherwise() == otherwise
                && (by_names || !layer.is_json)
                && fits(shape, layer)
        });
        found.map(|(_, (_, _, shape))| *shape)
    }

    /// Whether some shape or an event is in a value of a container.
    fn knows_inside(&self, layer: Layer<'_, '_>, index: usize) -> bool {
        let text = layer.doc.raw(index);
        let mut nodes = Vec::new();
        let is_too_deep = layer.level >= MOST_LEVELS;
        if is_too_deep || super::read(text, super::MAX_DEPTH, &mut nodes).is_err() {
            return false;
        }
        let inner = Layer {
            level: layer.level + 1,
            ..Layer::new(Doc::new(text, &nodes), layer.arena, false)
        };
        !matches!(self.find(inner, None), Found::Nothing)
    }

    /// The same without those that claim what no other shape does: what they look for themselves.
    pub(super) fn knows_for_sure(&self, layer: Layer<'_, '_>) -> bool {
        let names = self.names_of(layer.doc);
        let event = event_name(names).filter(|name| *name == CLOUD_EVENT || holds_an_object(layer));
        event.is_some() || self.shape(layer, names, None, false).is_some()
    }

    /// The same with those, but only a native record that is one for sure.
    pub(super) fn knows(&self, layer: Layer<'_, '_>) -> bool {
        let names = self.names_of(layer.doc);
        self.knows_for_sure(layer) || self.shape(layer, names, None, true).is_some()
    }

    /// The ranges of the records in an object that holds an array of them.
    pub(super) fn elements(&self, layer: Layer<'_, '_>) -> Option<Vec<(usize, usize)>> {
        if !layer.is_json {
            return shapes::elements_of_text(layer.text);
        }
        let held = shapes::containers().find_map(|container| {
            let mut found = Vec::new();
            collect(layer.doc, Doc::ROOT, container.way, &mut found);
            // Damaged records and plain lines at the head, however many, take nothing from those behind.
            if !found.iter().any(|index| self.knows_inside(layer, *index)) {
                return None;
            }
            let range = |index: &usize| {
                let node = layer.doc.node(*index)?;
                Some((node.start as usize, node.end as usize))
            };
            let mut ranges: Vec<_> = found.iter().map(range).collect::<Option<_>>()?;
            // What says that these are not all is a record too: what is missing is not passed over.
            ranges.extend(shapes::told_beside(container, layer));
            ranges.sort_unstable();
            Some(ranges)
        });
        held.or_else(|| {
            let mut containers = shapes::containers();
            let empty = containers.find(|container| super::empty::is_empty(container, layer))?;
            Some(shapes::told_beside(empty, layer).into_iter().collect())
        })
    }

    /// What each shape says of a layer, in the order in which they are tried.
    pub(super) fn sights(&self, layer: Layer<'_, '_>) -> Vec<(&'static str, Sight)> {
        let has = |name: &&'static str| layer.member(name).is_some();
        let names = self.names_of(layer.doc);
        let sight = |shape: &'static Shape| match shape.told_by {
            ToldBy::Keys {
                has: wanted,
                lacks: unwanted,
                ..
            }
            | ToldBy::KeysOrText {
                has: wanted,
                lacks: unwanted,
                ..
            } if layer.is_json => {
                let missing: Vec<_> = wanted.iter().filter(|name| !has(name)).copied().collect();
                let extra: Vec<_> = unwanted.iter().filter(|name| has(name)).copied().collect();
                if !missing.is_empty() && missing.len() == wanted.len() {
                    Sight::OtherForm
                } else if !missing.is_empty() {
                    Sight::Lacks(missing)
                } else if !extra.is_empty() {
                    Sight::HasToo(extra)
                } else if fits(shape, layer) {
                    Sight::Fits
                } else {
                    Sight::OtherValues
                }
            }
            ToldBy::Otherwise(_) | ToldBy::OtherwiseText(_)
                if self.shape(layer, names, None, false).is_some() =>
            {
                Sight::OtherForm
            }
            ToldBy::Keys { .. }
            | ToldBy::KeysOrText { .. }
            | ToldBy::ValueOrText(..)
            | ToldBy::Text(_)
            | ToldBy::Otherwise(_)
            | ToldBy::OtherwiseText(_) => {
                if fits(shape, layer) {
                    Sight::Fits
                } else {
                    Sight::OtherForm
                }
            }
        };
        self.shapes
            .iter()
            .map(|(_, _, shape)| (shape.name, sight(shape)))
            .collect()
    }
}

/// What a bare event is called on the wrap path.
pub(super) const CLOUD_EVENT: &str = "cloudevent";

/// What these names make a record, if they make it an event by themselves: the first of the list,
/// one of the next four, or all of the last three.
fn event_name(names: Names) -> Option<&'static str> {
    const SPECVERSION: u128 = 0b1;
    const NATIVE: u128 = 0b1_1110;
    const BARE: u128 = 0b1110_0000;
    let [mask, ..] = names.words;
    if mask & SPECVERSION != 0 {
        Some(CLOUD_EVENT)
    } else if mask & NATIVE != 0 {
        Some("native")
    } else {
        (mask & BARE == BARE).then_some(CLOUD_EVENT)
    }
}

/// Whether a native record's member is an object.
fn holds_an_object(layer: Layer<'_, '_>) -> bool {
    let members = ["event", "order", "refusal", "baseline"];
    let mut values = members.iter().filter_map(|name| layer.member(name));
    values.any(|value| layer.doc.is(value, NodeKind::Object))
}

fn fits(shape: &Shape, layer: Layer<'_, '_>) -> bool {
    let is_object = layer.doc.is(Doc::ROOT, NodeKind::Object);
    match shape.told_by {
        ToldBy::KeysOrText { text, .. }
        | ToldBy::ValueOrText(_, text)
        | ToldBy::Text(text)
        | ToldBy::OtherwiseText(text)
            if !layer.is_json =>
        {
            text(layer.text)
        }
        ToldBy::Keys { fits, .. } | ToldBy::KeysOrText { fits, .. } | ToldBy::Otherwise(fits) => {
            layer.is_json && is_object && fits(layer)
        }
        ToldBy::ValueOrText(fits, _) => layer.is_json && !is_object && fits(layer),
        ToldBy::Text(_) | ToldBy::OtherwiseText(_) => false,
    }
}

/// Follows a container's way to its records.
fn collect(doc: Doc<'_, '_>, at: usize, way: &[&str], found: &mut Vec<usize>) {
    let Some((step, rest)) = way.split_first() else {
        found.push(at);
        return;
    };
    if *step != "*" {
        if let Some(member) = doc.member(at, step) {
            collect(doc, member, rest, found);
        }
        return;
    }
    for element in doc.elements(at) {
        collect(doc, element, rest, found);
    }
    for (_, value) in doc.members(at) {
        collect(doc, value, rest, found);
    }
}

#[cfg(test)]
mod tests {
    use super::super::name_set::WORDS;
    use super::*;

    #[test]
    fn every_name_has_its_bit_and_every_shape_its_name() {
        assert!(
            registry().bits.len() <= WORDS * 128,
            "{} names",
            registry().bits.len()
        );
        let mut all: Vec<_> = names().collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), shapes::all().count());
    }
}
