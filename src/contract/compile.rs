//! From a contract's text to the compiled contract: shape first, then what a shape cannot say.
//!
//! ```text
//! bytes ─ size, UTF-8 ─▶ text ─ Outline: JSON, places, members twice
//!                             ─ serde: members and types ─▶ ContractFile ─ checks here ─▶ Contract
//! ```

use super::error::{ContractError, FILE_BYTES_MAX, Problem, REASONS_MAX};
use super::file::{
    AggregateFile, BoundaryFile, CompensationFile, ContractFile, EnvelopeFile, EventFile, GateFile,
    OtherTypesFile, PointerText, ReadFile, SchemaVersionFile, StateFile, TypeFile, VersionFile,
};
use super::outline::{Outline, Side, at_offset};
use super::pointer::{Pointer, field_name};
use super::rules::{
    AggregateRule, Boundary, Compensation, Contract, DeclaredValue, EventRule, JsonType,
    OtherTypes, Read, RequiredAttribute, SchemaVersion, StateRule, TypePattern, VersionRule,
};
use super::shape::read_shape;
use super::wire::{Integer, Object, Ordered, Word};
use crate::model::{GateRule, ReasonId, Vocabulary};
use serde_json::value::RawValue;
use std::collections::{HashMap, HashSet};

/// Attributes that a contract requires where its file says nothing (contract.md, stage 1).
const REQUIRED_BY_DEFAULT: [&str; 5] = ["id", "source", "type", "subject", "specversion"];

/// Attributes that no contract may leave out: identity and reading rest on them.
const REQUIRED_ALWAYS: [&str; 4] = ["id", "source", "type", "specversion"];

/// How many events may wait for one aggregate where the file says nothing.
const DEFERRAL_LIMIT: usize = 1000;

/// The compensated step where the file says nothing.
const COMPENSATION_STEP: &str = "reservation";

/// The members of an event that are no extension attributes (CloudEvents 1.0.2, context attributes
/// and the JSON format's data members).
const NO_EXTENSIONS: [&str; 10] = [
    "id",
    "source",
    "type",
    "subject",
    "time",
    "specversion",
    "datacontenttype",
    "dataschema",
    "data",
    "data_base64",
];

type Checked<T> = Result<T, ContractError>;

impl Contract {
    /// Reads a contract file's bytes. A byte-order mark is tolerated. Errors name line, column and
    /// path; the first one found is told.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ContractError> {
        if bytes.len() > FILE_BYTES_MAX {
            return Err(at_offset("", 0, String::new(), Problem::TooLarge));
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let before = String::from_utf8_lossy(valid);
            at_offset(&before, before.len(), String::new(), Problem::NotUtf8)
        })?;
        Self::from_text(text.strip_prefix('\u{feff}').unwrap_or(text))
    }

    /// Reads a contract's text.
    pub(crate) fn from_text(text: &str) -> Result<Self, ContractError> {
        let outline = Outline::parse(text)?;
        let file = read_shape(text, &outline)?;
        Checks::new(&outline).contract(file)
    }
}

/// Where a check is, as segments that are joined only when something is wrong.
#[derive(Clone, Copy)]
enum At<'a> {
    Root,
    Member(&'a At<'a>, &'a str),
    Item(&'a At<'a>, usize),
}

impl<'a> At<'a> {
    fn member(&'a self, name: &'a str) -> At<'a> {
        At::Member(self, name)
    }

    fn item(&'a self, index: usize) -> At<'a> {
        At::Item(self, index)
    }

    fn segments(self) -> Vec<String> {
        let mut segments = Vec::new();
        let mut at = self;
        loop {
            match at {
                At::Root => break,
                At::Member(parent, name) => {
                    segments.push(name.to_owned());
                    at = *parent;
                }
                At::Item(parent, index) => {
                    segments.push(index.to_string());
                    at = *parent;
                }
            }
        }
        segments.reverse();
        segments
    }
}

/// The checks that a shape cannot say, and what they gather on their way through the file.
struct Checks<'o> {
    outline: &'o Outline<'o>,
    vocabulary: Vocabulary,
    reasons: HashMap<String, ReasonId>,
    pointers: Vec<Pointer>,
    known_pointers: HashSet<String>,
}

impl<'o> Checks<'o> {
    fn new(outline: &'o Outline<'o>) -> Self {
        Self {
            outline,
            vocabulary: Vocabulary::default(),
            reasons: HashMap::new(),
            pointers: Vec::new(),
            known_pointers: HashSet::new(),
        }
    }

    fn contract(mut self, file: ContractFile) -> Checked<Contract> {
        let root = At::Root;
        let consumer = self.text(file.consumer, root.member("consumer"))?;
        let boundary = self.boundary(file.boundary.0)?;
        let outside = format!("source-outside-{}-boundary", boundary.name);
        let outside_boundary = self.reason(outside, root.member("boundary"))?;
        let required = self.envelope(file.envelope)?;
        let schema_version = match file.schema_version {
            Some(Object(rule)) => Some(self.schema_version(rule)?),
            None => None,
        };
        let aggregate = self.aggregate(file.aggregate.0)?;
        let version = match file.version {
            Some(Object(rule)) => Some(self.version(&rule)?),
            None => None,
        };
        let events = self.events(file.events)?;
        let gate = match file.gate {
            Some(Object(gate)) => Some(self.gate(gate, version.is_some())?),
            None => None,
        };
        let compensation = self.compensation(file.compensation)?;
        let deferral_limit = file.deferral.map_or(DEFERRAL_LIMIT, |Object(deferral)| {
            usize::try_from(deferral.limit_per_aggregate.0).unwrap_or(usize::MAX)
        });
        Ok(Contract {
            consumer,
            result_version: file.result_version.0,
            boundary,
            outside_boundary,
            required,
            schema_version,
            aggregate,
            version,
            other_types: match file.other_types {
                None | Some(Word(OtherTypesFile::Refuse)) => OtherTypes::Refuse,
                Some(Word(OtherTypesFile::Ignore)) => OtherTypes::Ignore,
            },
            events,
            reads_inside: file.read_inside.unwrap_or(false),
            receipt_retention_days: file.receipt_retention_days.map(|Integer(days)| days),
            deferral_limit,
            gate,
            compensation,
            vocabulary: self.vocabulary,
            extension_pointers: extensions(&self.pointers),
            pointers: self.pointers,
        })
    }

    fn boundary(&self, file: BoundaryFile) -> Checked<Boundary> {
        let at = At::Root.member("boundary");
        let name = self.text(file.name, at.member("name"))?;
        self.filled(&file.sources, at.member("sources"))?;
        Ok(Boundary {
            name,
            sources: file.sources,
        })
    }

    fn envelope(&mut self, file: Option<Object<EnvelopeFile>>) -> Checked<Vec<RequiredAttribute>> {
        let names = match file {
            Some(Object(envelope)) => envelope.required,
            None => REQUIRED_BY_DEFAULT.map(str::to_owned).to_vec(),
        };
        let at = At::Root.member("envelope");
        let list = at.member("required");
        let lacking = |always: &&str| !names.iter().any(|name| name == always);
        if let Some(name) = REQUIRED_ALWAYS.into_iter().find(lacking) {
            return Err(self.error(list, Problem::LacksRequired(name)));
        }
        let mut seen = HashSet::new();
        let mut required = Vec::new();
        for (index, name) in names.into_iter().enumerate() {
            let here = list.item(index);
            let name = self.text(name, here)?;
            if !seen.insert(name.clone()) {
                return Err(self.error(here, Problem::StatedTwice(name)));
            }
            let missing = self.reason(format!("missing-{}", field_name(&name)), here)?;
            required.push(RequiredAttribute { name, missing });
        }
        Ok(required)
    }

    fn schema_version(&mut self, file: SchemaVersionFile) -> Checked<SchemaVersion> {
        let at = At::Root.member("schemaVersion");
        let pointer = self.pointer(&file.pointer, at)?;
        self.filled(&file.accepted, at.member("accepted"))?;
        let missing = self.about("missing", &pointer, at)?;
        Ok(SchemaVersion {
            pointer,
            accepted: file.accepted.into_iter().map(|Integer(v)| v).collect(),
            missing,
        })
    }

    fn aggregate(&mut self, file: AggregateFile) -> Checked<AggregateRule> {
        let at = At::Root.member("aggregate");
        let pointer = self.pointer(&file.pointer, at)?;
        let default = match file.default {
            Some(id) => Some(self.text(id, at.member("default"))?),
            None => None,
        };
        let missing = self.about("missing", &pointer, at)?;
        Ok(AggregateRule {
            pointer,
            default,
            missing,
        })
    }

    fn version(&mut self, file: &VersionFile) -> Checked<VersionRule> {
        let at = At::Root.member("version");
        let pointer = self.pointer(&file.pointer, at)?;
        let missing = self.about("missing", &pointer, at)?;
        let invalid = self.about("invalid", &pointer, at)?;
        Ok(VersionRule {
            pointer,
            first: file.first.0,
            missing,
            invalid,
        })
    }

    fn events(&mut self, files: Vec<Object<EventFile>>) -> Checked<Vec<EventRule>> {
        let at = At::Root.member("events");
        self.filled(&files, at)?;
        let mut rules = Vec::new();
        for (index, Object(file)) in files.into_iter().enumerate() {
            rules.push(self.event(file, at.item(index))?);
        }
        Ok(rules)
    }

    fn event(&mut self, file: EventFile, at: At<'_>) -> Checked<EventRule> {
        let written = self.text(file.event_type, at.member("type"))?;
        let pattern = match written.strip_suffix('*') {
            Some(prefix) => TypePattern::Prefix(prefix.to_owned()),
            None => TypePattern::Exact(written),
        };
        let list = at.member("reads");
        let mut reads = Vec::new();
        for (name, Object(read)) in file.reads.map_or_else(Vec::new, |Ordered(reads)| reads) {
            reads.push(self.read(&name, read, list.member(&name))?);
        }
        let state = self.state(file.state.0, at.member("state"))?;
        Ok(EventRule {
            pattern,
            reads,
            state,
        })
    }

    fn read(&mut self, name: &str, file: ReadFile, at: At<'_>) -> Checked<Read> {
        let pointer = self.pointer(&file.pointer, at)?;
        if let Some(types) = &file.types {
            self.filled(&types.0, at.member("type"))?;
        }
        if let Some(values) = &file.values {
            self.filled(values, at.member("values"))?;
        }
        let missing = self.about("missing", &pointer, at)?;
        let unexpected_type = self.about("unexpected-type-of", &pointer, at)?;
        let unknown_value = self.about("unknown-value-of", &pointer, at)?;
        Ok(Read {
            name: name.to_owned(),
            pointer,
            default: file.default.as_deref().map(declared),
            types: file.types.map_or_else(Vec::new, |types| {
                types.0.into_iter().map(json_type).collect()
            }),
            values: file
                .values
                .map(|values| values.iter().map(|value| declared(value)).collect()),
            missing,
            unexpected_type,
            unknown_value,
        })
    }

    fn state(&mut self, file: StateFile, at: At<'_>) -> Checked<StateRule> {
        match (file.is, file.pointer) {
            (Some(state), None) => {
                if file.values.is_some() {
                    return Err(self.error(at.member("values"), Problem::ValuesWithoutPointer));
                }
                self.text(state, at.member("is")).map(StateRule::Is)
            }
            (None, Some(pointer)) => {
                let pointer = self.pointer(&pointer, at)?;
                let list = at.member("values");
                let values = file.values.map(|Ordered(values)| values);
                if let Some(values) = &values {
                    self.filled(values, list)?;
                    for (from, to) in values {
                        self.not_empty(to, list.member(from))?;
                    }
                }
                let unknown = self.about("unknown-value-of", &pointer, at)?;
                Ok(StateRule::From {
                    pointer,
                    values,
                    unknown,
                })
            }
            (Some(_), Some(_)) | (None, None) => Err(self.error(at, Problem::StateSource)),
        }
    }

    fn gate(&self, file: GateFile, has_versions: bool) -> Checked<GateRule> {
        let at = At::Root.member("gate");
        Ok(GateRule {
            action: self.text(file.action, at.member("action"))?,
            projection_states: file.projection_states,
            owner_statuses: file.owner_statuses,
            done_states: file.done_states.unwrap_or_default(),
            has_versions,
        })
    }

    fn compensation(&self, file: Option<Object<CompensationFile>>) -> Checked<Compensation> {
        let Some(Object(file)) = file else {
            return Ok(Compensation {
                reasons: Vec::new(),
                from: Vec::new(),
                to: None,
                step: COMPENSATION_STEP.to_owned(),
            });
        };
        let at = At::Root.member("compensation");
        Ok(Compensation {
            reasons: file.reasons,
            from: file.from,
            to: Some(self.text(file.to, at.member("to"))?),
            step: self.text(file.step, at.member("step"))?,
        })
    }

    fn pointer(&mut self, written: &PointerText, owner: At<'_>) -> Checked<Pointer> {
        let at = owner.member("pointer");
        let pointer = Pointer::parse(&written.0).map_err(|bad| self.error(at, bad.into()))?;
        if pointer.segments.is_empty() {
            return Err(self.error(at, Problem::WholeEvent));
        }
        if self.known_pointers.insert(pointer.text.clone()) {
            self.pointers.push(pointer.clone());
        }
        Ok(pointer)
    }

    /// The reason `<what>-<field>`, with the field that the pointer names.
    fn about(&mut self, what: &str, pointer: &Pointer, owner: At<'_>) -> Checked<ReasonId> {
        self.reason(format!("{what}-{}", pointer.field_name()), owner)
    }

    fn reason(&mut self, name: String, at: At<'_>) -> Checked<ReasonId> {
        if let Some(known) = self.reasons.get(&name) {
            return Ok(*known);
        }
        if self.reasons.len() == REASONS_MAX {
            return Err(self.error(at, Problem::TooManyNames));
        }
        let reason = self.vocabulary.intern(&name);
        self.reasons.insert(name, reason);
        Ok(reason)
    }

    fn text(&self, text: String, at: At<'_>) -> Checked<String> {
        self.not_empty(&text, at).map(|()| text)
    }

    fn not_empty(&self, text: &str, at: At<'_>) -> Checked<()> {
        if text.is_empty() {
            return Err(self.error(at, Problem::EmptyText));
        }
        Ok(())
    }

    fn filled<T>(&self, list: &[T], at: At<'_>) -> Checked<()> {
        if list.is_empty() {
            return Err(self.error(at, Problem::EmptyList));
        }
        Ok(())
    }

    fn error(&self, at: At<'_>, problem: Problem) -> ContractError {
        self.outline.error(&at.segments(), Side::Value, problem)
    }
}

fn declared(value: &RawValue) -> DeclaredValue {
    DeclaredValue {
        json: value.get().into(),
    }
}

fn json_type(written: TypeFile) -> JsonType {
    match written {
        TypeFile::String => JsonType::String,
        TypeFile::Integer => JsonType::Integer,
        TypeFile::Number => JsonType::Number,
        TypeFile::Boolean => JsonType::Boolean,
        TypeFile::Object => JsonType::Object,
        TypeFile::Array => JsonType::Array,
        TypeFile::Null => JsonType::Null,
    }
}

fn extensions(pointers: &[Pointer]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in pointers
        .iter()
        .filter_map(|pointer| pointer.segments.first())
    {
        if !NO_EXTENSIONS.contains(&name.as_str()) && !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}
