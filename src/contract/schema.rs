//! The JSON Schema of the contract file, made from the types that read it: an editor that knows the
//! schema accepts what the program accepts. What no schema can say (a member twice, a file too
//! large or too deep) only the reader finds.

use super::file::ContractFile;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::{Map, Value};

/// Members that a person looks for at the top of a schema.
const FIRST: [&str; 3] = ["$schema", "title", "description"];

/// The schema (draft 2020-12) as indented JSON text with a line end.
pub fn schema_text() -> String {
    format!("{:#}\n", schema())
}

fn schema() -> Value {
    let mut root = SchemaSettings::draft2020_12()
        .with_transform(RecursiveTransform(without_null_default))
        .into_generator()
        .into_root_schema_for::<ContractFile>()
        .to_value();
    let mut ordered = Map::new();
    if let Value::Object(members) = &mut root {
        for name in FIRST {
            ordered.extend(members.shift_remove_entry(name));
        }
        ordered.append(members);
    }
    Value::Object(ordered)
}

/// An absent member is no null, which the derive would say of every `Option`.
fn without_null_default(schema: &mut Schema) {
    if schema.get("default") == Some(&Value::Null) {
        schema.remove("default");
    }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::panic,
        reason = "a test fails by panicking"
    )]
    use super::super::builtin;
    use super::super::number::integer;
    use super::super::pointer::Pointer;
    use super::super::test_support::{BROKEN, WHOLE, shared};
    use super::*;

    /// Whether a value keeps to a schema, for the keywords that this schema uses; any other keyword
    /// is a panic, so that no part of the schema goes untested.
    fn keeps(root: &Value, schema: &Value, value: &Value) -> bool {
        let Value::Object(keywords) = schema else {
            return schema == &Value::Bool(true);
        };
        let here = |schema: &Value| keeps(root, schema, value);
        keywords
            .iter()
            .all(|(keyword, rule)| match keyword.as_str() {
                "$schema"
                | "title"
                | "description"
                | "$defs"
                | "properties"
                | "additionalProperties" => true,
                "$ref" => here(
                    root.pointer(rule.as_str().unwrap().trim_start_matches('#'))
                        .unwrap(),
                ),
                "anyOf" => rule.as_array().unwrap().iter().any(here),
                "allOf" => rule.as_array().unwrap().iter().all(here),
                "oneOf" => {
                    rule.as_array()
                        .unwrap()
                        .iter()
                        .filter(|one| here(one))
                        .count()
                        == 1
                }
                "enum" => rule.as_array().unwrap().contains(value),
                "const" => rule == value,
                "type" => has_type(value, rule.as_str().unwrap()),
                "minimum" | "maximum" => in_range(value, keyword, rule),
                "minLength" => value
                    .as_str()
                    .is_none_or(|text| at_least(text.chars().count(), rule)),
                "minItems" => value
                    .as_array()
                    .is_none_or(|list| at_least(list.len(), rule)),
                "minProperties" => value
                    .as_object()
                    .is_none_or(|map| at_least(map.len(), rule)),
                "pattern" => {
                    assert_eq!(rule, r"^(/([^~/]|~[01])*)+$");
                    value
                        .as_str()
                        .is_none_or(|text| !text.is_empty() && Pointer::parse(text).is_ok())
                }
                "uniqueItems" => value.as_array().is_none_or(|list| all_differ(list)),
                "contains" => value
                    .as_array()
                    .is_none_or(|list| list.iter().any(|one| keeps(root, rule, one))),
                "items" => value
                    .as_array()
                    .is_none_or(|list| list.iter().all(|one| keeps(root, rule, one))),
                "required" => value.as_object().is_none_or(|map| {
                    rule.as_array()
                        .unwrap()
                        .iter()
                        .all(|name| map.contains_key(name.as_str().unwrap()))
                }),
                other => panic!("the test does not know the keyword {other}"),
            })
            && members_keep(root, keywords, value)
    }

    fn all_differ(list: &[Value]) -> bool {
        (1..list.len()).all(|index| {
            !list
                .iter()
                .take(index)
                .any(|one| Some(one) == list.get(index))
        })
    }

    fn members_keep(root: &Value, keywords: &Map<String, Value>, value: &Value) -> bool {
        let Value::Object(members) = value else {
            return true;
        };
        members.iter().all(|(name, member)| {
            let own = keywords.get("properties").and_then(|known| known.get(name));
            let rule = own.or_else(|| keywords.get("additionalProperties"));
            rule.is_none_or(|rule| keeps(root, rule, member))
        })
    }

    fn has_type(value: &Value, name: &str) -> bool {
        match name {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "null" => value.is_null(),
            "integer" => value.is_number() && integer(&value.to_string()).is_some(),
            other => panic!("the test does not know the type {other}"),
        }
    }

    fn in_range(value: &Value, keyword: &str, limit: &Value) -> bool {
        let limit = integer(&limit.to_string()).unwrap();
        integer(&value.to_string()).is_none_or(|number| {
            if keyword == "minimum" {
                number >= limit
            } else {
                number <= limit
            }
        })
    }

    fn at_least(count: usize, rule: &Value) -> bool {
        u64::try_from(count).unwrap() >= rule.as_u64().unwrap()
    }

    fn accepts(text: &str) -> bool {
        let schema = schema();
        keeps(&schema, &schema, &serde_json::from_str(text).unwrap())
    }

    #[test]
    fn accepts_what_the_reader_accepts() {
        assert!(accepts(WHOLE));
        for built_in in builtin::ALL {
            assert!(accepts(built_in.text), "{}", built_in.name);
        }
    }

    #[test]
    fn refuses_what_the_reader_refuses() {
        for broken in BROKEN.iter().filter(|broken| broken.schema_sees_it) {
            assert!(!accepts(&broken.text().0), "{}", broken.put);
        }
    }

    #[test]
    fn accepts_the_published_cases() {
        let Some(folder) = shared("cases") else {
            return;
        };
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.to_string_lossy().ends_with(".contract.json") {
                assert!(
                    accepts(&std::fs::read_to_string(&path).unwrap()),
                    "{}",
                    path.display()
                );
            }
        }
    }

    #[test]
    fn is_one_text_with_its_dialect_first() {
        let text = schema_text();
        assert!(
            text.starts_with("{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\"")
        );
        assert!(text.ends_with("}\n"));
        assert!(!text.contains("\"default\": null"));
    }
}
