//! One step as a report tells of it, and what is masked of its record.
//!
//! Shown: the identity (`source`, `id`, `type`, `subject`, times), the aggregate, its version, the
//! schema version, and the states around the step. Everything else that stands in the record is
//! payload, member names included, since a payload may keep people's names as keys: masked it is only
//! counted, value by value.

use super::super::document::Prefix;
use super::model::{Event, Field, Finding, GapCause, Item, Stand, Waiting};
use super::{FIELDS_LISTED, TEXT_SHOWN_BYTES};
use crate::contract::{Contract, StateRule, pointer};
use crate::history::{Standing, Step};
use crate::model::{
    AggregateId, EventText, Kind, Look, State, StepNo, Subject, TreeKind, TreeNode,
};

/// A text as a report keeps it: a very long one is cut, and says so.
pub(super) fn bounded(text: &str) -> String {
    if text.len() <= TEXT_SHOWN_BYTES {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(TEXT_SHOWN_BYTES);
    let shown = text.get(..end).unwrap_or_default();
    format!("{shown}… and {} more bytes", text.len() - end)
}

/// One step. `included`: payload values are shown.
pub(super) fn item(prefix: &Prefix<'_>, step: &Step<'_>, included: bool) -> Item {
    let history = prefix.history;
    let look = prefix.reader.look(history, step.number);
    let text = look.as_ref().map(|look| &look.event);
    let (before, after) = stands(prefix, step);
    let mut item = Item {
        step: step.number.0,
        record: step.record.0,
        file: look.as_ref().and_then(|look| look.file.clone()),
        line: history.place(step.record).map_or(0, |place| place.line),
        kind: step.kind.name(),
        name: step.evidence_name(),
        state: step.state.name(),
        reason: step
            .reason
            .map(|reason| bounded(history.reason_name(reason))),
        findings: findings(step),
        first: step.first.map(|record| record.0),
        event: text.map(event).unwrap_or_default(),
        before,
        after,
        ..Item::default()
    };
    if let (State::Deferred | State::DeferralLimitReached, Subject::Aggregate(id)) =
        (step.state, step.subject)
    {
        item.waiting_for = history.waiting_for(id, prefix.at);
        item.gap_causes = gap_causes(prefix, id);
    }
    if let Some(look) = &look {
        add_payload(&mut item, look, step, prefix, included);
    }
    item
}

/// How an aggregate stands and what it waits for.
pub(super) fn waiting(prefix: &Prefix<'_>, id: AggregateId) -> Waiting {
    let history = prefix.history;
    let held = history.deferred(id, prefix.at);
    Waiting {
        source: bounded(history.source_of(id)),
        aggregate: bounded(history.name_of(id)),
        stand: projection(prefix, id, prefix.at),
        waiting_for: history.waiting_for(id, prefix.at),
        deferred: held.len(),
        since_record: held.iter().map(|held| held.record.0).min(),
        gap_causes: gap_causes(prefix, id),
    }
}

fn gap_causes(prefix: &Prefix<'_>, id: AggregateId) -> Vec<GapCause> {
    let history = prefix.history;
    let causes = history.gap_causes(id, prefix.at).into_iter();
    causes
        .take(FIELDS_LISTED)
        .map(|cause| GapCause {
            cause: cause.cause.name(),
            record: cause.carrier.map(|carrier| carrier.record.0),
            state: cause.carrier.map(|carrier| carrier.state.name()),
            reason: cause
                .carrier
                .and_then(|carrier| carrier.reason)
                .map(|reason| bounded(history.reason_name(reason))),
        })
        .collect()
}

fn findings(step: &Step<'_>) -> Vec<Finding> {
    let found = step.findings.iter();
    found
        .map(|finding| Finding {
            code: finding.code.name(),
            record: finding.record.map(|record| record.0),
        })
        .collect()
}

/// Where the subject stood before and after a step.
fn stands(prefix: &Prefix<'_>, step: &Step<'_>) -> (Stand, Stand) {
    let history = prefix.history;
    match step.subject {
        Subject::Unknown => (Stand::default(), Stand::default()),
        Subject::Aggregate(id) => {
            let at = |step| projection(prefix, id, step);
            (at(step.number.before()), at(step.number))
        }
        Subject::Order(id) => {
            let at = |step| {
                let order = history.owner_order(id, step);
                order.map_or_else(Stand::default, |order| Stand {
                    version: Some(order.version),
                    state: Some(bounded(history.word(order.status))),
                })
            };
            (at(step.number.before()), at(step.number))
        }
    }
}

fn projection(prefix: &Prefix<'_>, id: AggregateId, at: StepNo) -> Stand {
    let projection = prefix.history.projection(id, at);
    let stands = projection.standing != Standing::Nothing;
    Stand {
        version: projection.version.filter(|_| stands),
        state: projection
            .state
            .map(|state| bounded(prefix.history.word(state))),
    }
}

fn event(text: &EventText) -> Event {
    let owned = |text: &Option<String>| text.as_deref().map(bounded);
    Event {
        source: owned(&text.source),
        id: owned(&text.id),
        event_type: owned(&text.event_type),
        subject: owned(&text.subject),
        time: owned(&text.time),
        received_at: owned(&text.received_at),
        aggregate: owned(&text.aggregate),
        version: text.version,
        schema_version: text.schema_version,
        refused_for: None,
    }
}

/// Lists or counts what the record has beside what is shown anyway.
fn add_payload(item: &mut Item, look: &Look, step: &Step<'_>, prefix: &Prefix<'_>, included: bool) {
    let contract = &prefix.reader.loaded().contract;
    let shown = Shown::of(look, step.kind, contract);
    let mut fields = Vec::new();
    for (pointer, node) in leaves(&look.tree) {
        let value = decoded(node);
        let word = value.as_deref();
        if step.kind == Kind::Refusal && pointer == "/refusal/reason" {
            let known = word.filter(|word| contract.compensation.reasons.iter().any(|r| r == word));
            item.event.refused_for = known.map(bounded);
            if known.is_some() {
                continue;
            }
        }
        let stands = [&item.before.state, &item.after.state];
        let is_stand = word.is_some() && stands.iter().any(|state| state.as_deref() == word);
        if shown.has(&pointer, word) || (shown.is_state(&pointer) && is_stand) {
            continue;
        }
        fields.push((pointer, node.text.as_str()));
    }
    let raw = String::from_utf8_lossy(&look.raw);
    if look.tree.is_empty() && !raw.is_empty() {
        fields.push((String::new(), &raw));
    }
    if !included {
        item.masked_fields = fields.len();
        return;
    }
    item.payload_left_out = fields.len().saturating_sub(FIELDS_LISTED);
    let listed = fields.into_iter().take(FIELDS_LISTED);
    item.payload = listed
        .map(|(pointer, value)| Field {
            pointer: bounded(&pointer),
            value: bounded(value),
        })
        .collect();
}

fn decoded(node: &TreeNode) -> Option<String> {
    (node.kind == TreeKind::String)
        .then(|| serde_json::from_str(&node.text).ok())
        .flatten()
}

/// The values of a record that are no objects and no arrays, each with its pointer.
fn leaves(tree: &[TreeNode]) -> impl Iterator<Item = (String, &TreeNode)> {
    let mut path: Vec<String> = Vec::new();
    tree.iter().filter_map(move |node| {
        path.truncate(usize::from(node.depth).saturating_sub(1));
        if let Some(key) = &node.key {
            path.push(pointer::encode(key));
        }
        let is_leaf = !matches!(node.kind, TreeKind::Object | TreeKind::Array);
        is_leaf.then(|| {
            let pointer = path
                .iter()
                .fold(String::new(), |pointer, segment| pointer + "/" + segment);
            (pointer, node)
        })
    })
}

/// Which places of a record are told of in words of their own.
struct Shown {
    pointers: Vec<String>,
    states: Vec<String>,
    spec_version: String,
}

impl Shown {
    fn of(look: &Look, kind: Kind, contract: &Contract) -> Self {
        let has = |name: &str| {
            let mut members = look.tree.iter().filter(|node| node.depth == 1);
            members.any(|node| node.key.as_deref() == Some(name))
        };
        let inside = match kind {
            Kind::Order => "/order",
            Kind::Refusal => "/refusal",
            Kind::Baseline => "/baseline",
            Kind::Delivery | Kind::Replay if has("event") && !has("specversion") => "/event",
            Kind::Delivery | Kind::Replay | Kind::Unreadable => "",
        };
        let is_native = !inside.is_empty();
        let mut shown = Self {
            pointers: Vec::new(),
            states: Vec::new(),
            spec_version: format!("{inside}/specversion"),
        };
        let text = &look.event;
        let mut show = |pointer: &str, is_shown: bool| {
            if is_shown {
                shown.pointers.push(format!("{inside}{pointer}"));
            }
        };
        if kind.is_event() {
            show("/id", text.id.is_some());
            show("/source", text.source.is_some());
            show("/type", text.event_type.is_some());
            show("/subject", text.subject.is_some());
            show("/time", text.time.is_some());
            show(&contract.aggregate.pointer.text, text.aggregate.is_some());
            if let Some(rule) = &contract.version {
                show(&rule.pointer.text, text.version.is_some());
            }
            if let Some(rule) = &contract.schema_version {
                show(&rule.pointer.text, text.schema_version.is_some());
            }
            let rules = contract.events.iter().map(|rule| &rule.state);
            shown.states = rules
                .filter_map(|state| match state {
                    StateRule::From { pointer, .. } => Some(format!("{inside}{}", pointer.text)),
                    StateRule::Is(_) => None,
                })
                .collect();
        } else {
            let (name, version) = match kind {
                Kind::Order => ("/id", "/version"),
                Kind::Refusal => ("/orderId", "/orderVersion"),
                Kind::Delivery | Kind::Replay | Kind::Baseline | Kind::Unreadable => {
                    ("/aggregate", "/version")
                }
            };
            show("/source", kind == Kind::Baseline && text.source.is_some());
            show(name, text.aggregate.is_some());
            show(version, text.version.is_some());
            shown.states = vec![format!("{inside}/status"), format!("{inside}/state")];
        }
        if is_native && text.received_at.is_some() {
            shown.pointers.push("/receivedAt".to_owned());
        }
        shown
    }

    /// Whether the value at a place is shown elsewhere, or is the one version of CloudEvents.
    fn has(&self, pointer: &str, word: Option<&str>) -> bool {
        let is_spec_version = pointer == self.spec_version && word == Some("1.0");
        is_spec_version || self.pointers.iter().any(|shown| shown == pointer)
    }

    fn is_state(&self, pointer: &str) -> bool {
        self.states.iter().any(|state| state == pointer)
    }
}
