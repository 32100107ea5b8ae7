//! Building blocks of the contract file's wire shape, each as strict as the page says.
//!
//! serde reads more than JSON Schema would describe: a struct from an array, an enum from an object,
//! no `2.0` as an integer, `null` as an absent option. These types read exactly one spelling and
//! describe it for the schema, so that the reader and the schema cannot drift apart.

use super::number;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// An object and nothing else.
#[derive(Debug)]
pub(crate) struct Object<T>(pub(crate) T);

/// One word of a closed list.
#[derive(Debug)]
pub(crate) struct Word<T>(pub(crate) T);

/// An integer of the range of `T`, however JSON spells it.
#[derive(Debug)]
pub(crate) struct Integer<T>(pub(crate) T);

/// One word, or a list of at least one.
#[derive(Debug)]
pub(crate) struct OneOrMore<T>(pub(crate) Vec<T>);

/// Named members in the order of the file.
#[derive(Debug)]
pub(crate) struct Ordered<T>(pub(crate) Vec<(String, T)>);

/// An optional member that may be absent but not null.
pub(crate) fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Object)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct WordVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for WordVisitor<T> {
    type Value = Word<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        T::deserialize(StrDeserializer::new(text)).map(Word)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(WordVisitor(PhantomData))
    }
}

impl<'de, T: TryFrom<i128>> Deserialize<'de> for Integer<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let is_number = raw
            .get()
            .starts_with(|c: char| c == '-' || c.is_ascii_digit());
        if !is_number {
            return Err(D::Error::custom("invalid type: expected an integer"));
        }
        number::integer(raw.get())
            .and_then(|value| T::try_from(value).ok())
            .map(Integer)
            .ok_or_else(|| {
                let lowest = if T::try_from(-1).is_ok() {
                    ""
                } else {
                    " from 0 up"
                };
                let expected = format!("an integer{lowest} that fits 64 bits");
                D::Error::custom(format!("invalid value: {}, expected {expected}", raw.get()))
            })
    }
}

struct OneOrMoreVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OneOrMoreVisitor<T> {
    type Value = OneOrMore<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or a list of strings")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        T::deserialize(StrDeserializer::new(text)).map(|one| OneOrMore(vec![one]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(Word(one)) = list.next_element()? {
            all.push(one);
        }
        Ok(OneOrMore(all))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMore<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrMoreVisitor(PhantomData))
    }
}

struct OrderedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OrderedVisitor<T> {
    type Value = Ordered<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Ordered(members))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Ordered<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OrderedVisitor(PhantomData))
    }
}

/// A wrapper that reads more strictly but describes the same: the schema is its content's.
macro_rules! described_as_its_content {
    ($($wrapper:ident),*) => {$(
        impl<T: JsonSchema> JsonSchema for $wrapper<T> {
            fn inline_schema() -> bool {
                T::inline_schema()
            }
            fn schema_name() -> Cow<'static, str> {
                T::schema_name()
            }
            fn schema_id() -> Cow<'static, str> {
                T::schema_id()
            }
            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                T::json_schema(generator)
            }
        }
    )*};
}

described_as_its_content!(Object, Word);

/// JSON Schema's `integer` is any number of an integral value, as here; the range is what it lacks.
macro_rules! described_with_its_range {
    ($($number:ty),*) => {$(
        impl JsonSchema for Integer<$number> {
            fn inline_schema() -> bool {
                true
            }
            fn schema_name() -> Cow<'static, str> {
                stringify!($number).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "type": "integer", "minimum": <$number>::MIN, "maximum": <$number>::MAX
                })
            }
        }
    )*};
}

described_with_its_range!(i64, u64);

impl<T: JsonSchema> JsonSchema for OneOrMore<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("OneOrMore_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<T>();
        json_schema!({
            "anyOf": [one, { "type": "array", "items": one, "minItems": 1 }]
        })
    }
}

impl<T: JsonSchema> JsonSchema for Ordered<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Ordered_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let member = generator.subschema_for::<T>();
        json_schema!({ "type": "object", "additionalProperties": member })
    }
}
